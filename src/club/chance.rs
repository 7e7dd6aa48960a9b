//! Randomness from outside: the operating system's in the program, a counted one in tests.

use rand::TryRng;
use rand::rngs::SysRng;

/// A source of bytes that nobody can foretell.
pub trait Chance: Send + Sync + 'static {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// [`NoChance`] when the source gives none.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance>;
}

/// The operating system gave no randomness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gives no randomness: {0}")]
pub struct NoChance(pub String);

/// The operating system's randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsChance;

impl Chance for OsChance {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance> {
        SysRng
            .try_fill_bytes(bytes)
            .map_err(|error| NoChance(error.to_string()))
    }
}

/// So many drawn bytes.
pub(super) fn drawn<const N: usize>(chance: &dyn Chance) -> Result<[u8; N], NoChance> {
    let mut bytes = [0; N];
    chance.fill(&mut bytes)?;
    Ok(bytes)
}

/// A drawn number.
pub(super) fn number(chance: &dyn Chance) -> Result<u32, NoChance> {
    drawn(chance).map(u32::from_le_bytes)
}
