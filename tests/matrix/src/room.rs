//! The kinds of rooms.

/// What a room is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Anybody invited may come, nothing is encrypted.
    Plain,
    /// The same, encrypted.
    Encrypted,
    /// Direct messages of one person with the bot.
    Direct,
    /// Direct messages, encrypted.
    EncryptedDirect,
}

impl Kind {
    pub(crate) fn is_encrypted(self) -> bool {
        match self {
            Kind::Encrypted | Kind::EncryptedDirect => true,
            Kind::Plain | Kind::Direct => false,
        }
    }

    pub(crate) fn is_direct(self) -> bool {
        match self {
            Kind::Direct | Kind::EncryptedDirect => true,
            Kind::Plain | Kind::Encrypted => false,
        }
    }
}
