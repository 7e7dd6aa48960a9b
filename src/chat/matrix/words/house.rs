//! What is said about rooms and the adapter's own state.

use crate::command::run::Lacking;

/// To write in a room.
pub(in crate::chat::matrix) const POWER: Lacking = Lacking {
    name: "the power to write here",
    needed: true,
    otherwise: "I can post nothing here",
    how: "raise my power level, or lower the level for messages, in the room's settings under Roles & Permissions",
};

/// Messages that could not be read lately.
pub(in crate::chat::matrix) const UNREADABLE: Lacking = Lacking {
    name: "keys to some messages of the last day",
    needed: false,
    otherwise: "I cannot read those messages, nor carry out the commands in them",
    how: "send the command again; if that does not help, sign out of the client it was sent from and in again, or let it send keys to unverified devices",
};

/// The device is not cross-signed.
pub(in crate::chat::matrix) const UNVERIFIED: Lacking = Lacking {
    name: "a verified device",
    needed: false,
    otherwise: "clients show a warning beside what I say, and those that write to verified devices only keep their messages from me",
    how: "whoever runs me sets matrix.recovery_key to my account's recovery key, or verifies my device from another one",
};

/// No key backup.
pub(in crate::chat::matrix) const NO_BACKUP: Lacking = Lacking {
    name: "a backup of my keys",
    needed: false,
    otherwise: "I cannot read what was said before if my data folder is lost",
    how: "whoever runs me sets matrix.recovery_key to my account's recovery key",
};

/// M_LIMIT_EXCEEDED.
pub(in crate::chat::matrix) const LIMITED: Lacking = Lacking {
    name: "an exemption from the homeserver's rate limits",
    needed: false,
    otherwise: "the server makes me wait, as it did within the last hour, and boards come late",
    how: "whoever runs the homeserver exempts my account (docs/matrix.md says how)",
};

/// R107.
pub(in crate::chat::matrix) const KEY_CONFLICT: Lacking = Lacking {
    name: "encryption keys that fit those on the homeserver",
    needed: false,
    otherwise: "I cannot read what some people send me in encrypted rooms",
    how: "whoever runs me runs `ashtapada run --new-device` once",
};

/// To a room that the bot has come to.
pub(in crate::chat::matrix) fn greeting(prefix: &str) -> String {
    format!(
        "Hello! You can play chaturanga, chaturaji and their kin here. {prefix}new opens a table, {prefix}help lists what I can do. \
         What was said before I came I have not read."
    )
}

/// To a room in which something could not be decrypted, once a day.
pub(in crate::chat::matrix) const CANNOT_DECRYPT: &str = "I could not read a message here: its sender's client has not sent me the key to it. \
     If it was a command, please send it again. If that does not help: restart that client, or let it send keys to unverified devices too.";
