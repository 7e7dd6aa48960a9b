//! What the board of a message looks like, on every platform that shows pictures.

use std::collections::HashMap;

use render::{Layout, Scene, Theme};

use crate::club::{Club, ClubError};
use crate::ids::Place;
use crate::picture::{self, Look};
use crate::rules::Seat;
use crate::table::Table;

/// The colours that are set for a place, where any are.
pub async fn theme_of(club: &Club, place: &Place) -> Option<Theme> {
    let settings = club.settings_at(place).await;
    let settings = settings.inspect_err(|error| tracing::warn!("the theme of {place}: {error}"));
    settings.ok()?.theme?.parse().ok()
}

/// A table's board seen from a seat, with what the players are called; `None` before the game has begun. The wide layout is
/// for boards that leave room for the players beside them only.
///
/// # Errors
/// When the store fails.
pub async fn scene_of(
    club: &Club,
    table: &Table,
    from: Seat,
    theme: Theme,
    layout: Layout,
) -> Result<Option<Scene>, ClubError> {
    let mut names = HashMap::new();
    for chair in table.chairs() {
        if let Some(sitter) = &chair.sitter {
            names.insert(chair.seat, club.person(sitter.person).await?.name);
        }
    }
    let look = Look {
        from,
        theme,
        // The cross has room for the players in its corners.
        layout: if table.info().shape.corner > 0 {
            Layout::Square
        } else {
            layout
        },
    };
    Ok(picture::scene(table, look, |seat| {
        names.get(&seat).cloned()
    }))
}
