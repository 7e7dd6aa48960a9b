//! Drawing the boards of messages that are posted.

use std::sync::Arc;

use render::{Layout, Theme};

use super::boards::{scene_of, theme_of};
use crate::club::{Club, ClubError};
use crate::command::message::PictureRef;
use crate::command::words;
use crate::ids::{Place, TableCode};
use crate::picture::{self, Easel};
use crate::rules::{self, Options, Play, Seat};
use crate::table::Table;

/// A board that was drawn for a message.
pub(super) struct Drawn {
    /// The file's name.
    pub(super) name: String,
    /// A PNG file; `None` when it could not be drawn.
    pub(super) bytes: Option<Arc<[u8]>>,
    /// The same as text.
    pub(super) board: String,
}

/// Draws the pictures of one platform's messages.
pub(super) struct Drawing<'a> {
    pub(super) club: &'a Club,
    pub(super) easel: &'a Easel,
    /// The colours where a place has no others.
    pub(super) theme: Theme,
    pub(super) layout: Layout,
}

impl Drawing<'_> {
    /// Draws what is wanted in a place; `table` is the one the message is about, as it was then. What cannot be drawn is
    /// logged.
    pub(super) async fn draw(
        &self,
        place: &Place,
        wanted: &PictureRef,
        table: Option<&Arc<Table>>,
    ) -> Option<Drawn> {
        let theme = theme_of(self.club, place).await;
        let theme = theme.unwrap_or(self.theme);
        match wanted {
            PictureRef::Board {
                table: code,
                version,
                from,
            } => {
                let name = format!("{code}-{version}-{from}.png");
                let same = table.filter(|one| (one.code(), one.version()) == (*code, *version));
                let table = match same {
                    Some(table) => Some(Arc::clone(table)),
                    None => table_then(self.club, *code, Some(*version)).await,
                }?;
                let drawn = self.board(&table, *from, theme, name);
                drawn.await.unwrap_or_else(|error| {
                    tracing::error!("the board of {code} cannot be shown: {error}");
                    None
                })
            }
            PictureRef::Array { game } => array(game, theme).await,
        }
    }

    async fn board(
        &self,
        table: &Table,
        from: Seat,
        theme: Theme,
        name: String,
    ) -> Result<Option<Drawn>, ClubError> {
        let Some(play) = table.play() else {
            return Ok(None);
        };
        let bytes = match scene_of(self.club, table, from, theme, self.layout).await? {
            Some(scene) => self.easel.png(&scene).await,
            None => return Ok(None),
        };
        let bytes = bytes.inspect_err(|error| tracing::error!("{name} was not drawn: {error}"));
        Ok(Some(Drawn {
            name,
            bytes: bytes.ok(),
            board: words::board(table.info(), play, from).plain(),
        }))
    }
}

/// A table as it was when a message about it was worded. What cannot be shown is logged.
pub(super) async fn table_then(
    club: &Club,
    code: TableCode,
    version: Option<u64>,
) -> Option<Arc<Table>> {
    let table = club.load_at(code, version.unwrap_or(u64::MAX)).await;
    table
        .inspect_err(|error| tracing::error!("table {code} cannot be shown: {error}"))
        .ok()
}

async fn array(game: &str, theme: Theme) -> Option<Drawn> {
    let info = rules::game(game)?;
    let play = Play::new(info, &Options::default()).ok()?;
    let from = info.seats.first().copied()?;
    let board = words::board(info, &play, from).plain();
    let drawn = tokio::task::spawn_blocking(move || picture::guide_png(&play, theme)).await;
    let bytes = match drawn {
        Ok(Ok(bytes)) => Some(Arc::from(bytes)),
        Ok(Err(error)) => {
            tracing::error!("the page of {game} was not drawn: {error}");
            None
        }
        Err(gone) => {
            tracing::error!("the page of {game} was not drawn: {gone}");
            None
        }
    };
    Some(Drawn {
        name: format!("rules-{game}.png"),
        bytes,
        board,
    })
}
