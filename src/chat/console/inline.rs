//! Pictures shown in the terminal itself, by what Kitty and iTerm understand. Without the feature `inline`, which brings
//! a decoder of pictures with it, no terminal is taken to be able to.

#[cfg(feature = "inline")]
pub(super) use shown::{can_show, show};
#[cfg(not(feature = "inline"))]
pub(super) use unknown::{can_show, show};

#[cfg(feature = "inline")]
mod shown {
    use std::io;
    use std::path::Path;

    /// Rows of text that a picture takes.
    const ROWS: u32 = 24;

    /// Whether the terminal shows true pictures; blocks of half characters are less legible than the board as text.
    pub(in super::super) fn can_show() -> bool {
        viuer::is_iterm_supported() || speaks_kitty()
    }

    /// Shows a picture file below what was written last.
    pub(in super::super) fn show(path: &Path) -> io::Result<()> {
        let image = image::open(path).map_err(io::Error::other)?;
        let config = viuer::Config {
            absolute_offset: false,
            use_kitty: speaks_kitty(),
            height: Some(ROWS),
            ..viuer::Config::default()
        };
        viuer::print(&image, &config).map_err(io::Error::other)?;
        Ok(())
    }

    /// Whether the terminal says of itself that it knows Kitty's pictures. Asking the terminal would hang where none
    /// answers.
    fn speaks_kitty() -> bool {
        let says = |name: &str, words: &[&str]| {
            let value = std::env::var(name).unwrap_or_default().to_lowercase();
            words.iter().any(|word| value.contains(word))
        };
        std::env::var_os("KITTY_WINDOW_ID").is_some()
            || says("TERM", &["kitty", "ghostty"])
            || says("TERM_PROGRAM", &["ghostty", "wezterm"])
    }
}

#[cfg(not(feature = "inline"))]
mod unknown {
    use std::io;
    use std::path::Path;

    pub(in super::super) fn can_show() -> bool {
        false
    }

    pub(in super::super) fn show(_: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
