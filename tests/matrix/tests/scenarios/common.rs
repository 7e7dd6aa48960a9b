//! What many scenarios begin with.

use ashtapada_matrix_tests::{Setting, Stage};

/// The whole program.
pub const BOT: &str = env!("CARGO_BIN_EXE_matrix-bot");

/// A stage with the bot ready.
pub async fn stage() -> Stage {
    stage_with(&[]).await
}

/// A stage with the bot ready and these variables in its environment.
pub async fn stage_with(environment: &[(&str, &str)]) -> Stage {
    Stage::with(BOT, setting(environment)).await
}

pub fn setting(environment: &[(&str, &str)]) -> Setting {
    let environment = environment.iter();
    Setting {
        environment: environment
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Setting::default()
    }
}
