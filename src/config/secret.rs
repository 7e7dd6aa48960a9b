use std::fmt;

use serde::Deserialize;
use zeroize::Zeroizing;

/// A setting that must never be shown: a token or a password. Neither `Debug` nor `Display` shows it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Whether the setting is empty, which means: not set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The secret itself, for the one place that hands it to the platform.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Secret {
        Secret(Zeroizing::new(text))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_empty() {
            "not set"
        } else {
            "(hidden)"
        })
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Secret, D::Error> {
        String::deserialize(from).map(Secret::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_itself_nowhere() {
        let secret = Secret::from("MTA0.token".to_owned());
        assert_eq!(format!("{secret} {secret:?}"), "(hidden) (hidden)");
        assert_eq!(secret.reveal(), "MTA0.token");
        assert_eq!(format!("{:?}", Secret::default()), "not set");
    }
}
