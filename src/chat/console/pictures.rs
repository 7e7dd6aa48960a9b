//! Boards on the console: the PNG file, the board as text, and the picture itself on terminals that can show it.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anstyle::{AnsiColor, Color, Style};
use render::{Layout, Theme};

use super::{Settings, inline};
use crate::chat::boards::{scene_of, theme_of};
use crate::club::{Club, ClubError};
use crate::command::message::{Attachment, PictureRef};
use crate::command::words::{self, Cell, TextBoard};
use crate::ids::{Place, TableCode};
use crate::picture::{self, Easel};
use crate::rules::{self, Colour, Info, Options, Play, Seat};
use crate::table::Table;

/// Where pictures and records go, and how they look.
pub(super) struct Pictures {
    folder: PathBuf,
    records: PathBuf,
    theme: Theme,
    inline: bool,
    easel: Easel,
}

/// A board that was drawn.
pub(super) struct Drawn {
    /// The PNG file, if it could be written.
    pub(super) path: Option<PathBuf>,
    info: &'static Info,
    board: TextBoard,
}

impl Pictures {
    pub(super) fn new(settings: &Settings) -> Pictures {
        let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
        Pictures {
            folder: settings.pictures.clone(),
            records: settings.records.clone(),
            theme: settings.theme,
            inline: settings.inline && terminal && inline::can_show(),
            easel: Easel::default(),
        }
    }

    /// Draws a board as it was then (R31), in the colours that are set for the place. `None` when there is none, or it
    /// cannot be drawn: the message stands without it.
    pub(super) async fn draw(
        &self,
        club: &Club,
        place: &Place,
        wanted: &PictureRef,
    ) -> Option<Drawn> {
        let theme = theme_of(club, place).await.unwrap_or(self.theme);
        match wanted {
            PictureRef::Board {
                table,
                version,
                from,
            } => {
                let name = format!("{table}-{version}-{from}.png");
                let drawn = self
                    .board(club, (*table, *version), (*from, theme), &name)
                    .await;
                drawn.unwrap_or_else(|error| {
                    tracing::error!("the board {name} cannot be shown: {error}");
                    None
                })
            }
            PictureRef::Array { game } => self.array(game, theme),
        }
    }

    async fn board(
        &self,
        club: &Club,
        (code, version): (TableCode, u64),
        (from, theme): (Seat, Theme),
        name: &str,
    ) -> Result<Option<Drawn>, ClubError> {
        let table = club.load_at(code, version).await?;
        let Some(play) = table.play() else {
            return Ok(None);
        };
        let bytes = self.png(club, &table, from, theme).await?;
        Ok(Some(self.drawn(play, from, name, bytes)))
    }

    fn array(&self, game: &str, theme: Theme) -> Option<Drawn> {
        let info = rules::game(game)?;
        let play = Play::new(info, &Options::default()).ok()?;
        let from = info.seats.first().copied()?;
        let bytes = noted(picture::guide_png(&play, theme), game).map(Arc::from);
        Some(self.drawn(&play, from, &format!("rules-{game}.png"), bytes))
    }

    fn drawn(&self, play: &Play, from: Seat, name: &str, bytes: Option<Arc<[u8]>>) -> Drawn {
        let path = bytes.and_then(|bytes| match write(&self.folder, name, &bytes) {
            Ok(path) => Some(path),
            Err(error) => {
                let folder = self.folder.display();
                tracing::warn!("the picture {name} was not written to {folder}: {error}");
                None
            }
        });
        Drawn {
            path,
            info: play.info(),
            board: words::board(play.info(), play, from),
        }
    }

    async fn png(
        &self,
        club: &Club,
        table: &Table,
        from: Seat,
        theme: Theme,
    ) -> Result<Option<Arc<[u8]>>, ClubError> {
        let Some(scene) = scene_of(club, table, from, theme, Layout::Wide).await? else {
            return Ok(None);
        };
        let drawn = self.easel.png(&scene).await;
        Ok(noted(drawn, &table.code().to_string()))
    }

    /// Writes a record that was handed out.
    pub(super) fn keep_record(&self, file: &Attachment) -> Option<PathBuf> {
        write(&self.records, &file.name, file.text.as_bytes())
            .inspect_err(|error| {
                let folder = self.records.display();
                tracing::error!("{} was not written to {folder}: {error}", file.name);
            })
            .ok()
    }

    /// Shows a picture in the terminal, if it can.
    pub(super) fn show_inline(&self, drawn: &Drawn) {
        let Some(path) = drawn.path.as_ref().filter(|_| self.inline) else {
            return;
        };
        if let Err(error) = inline::show(path) {
            tracing::debug!("the picture was not shown: {error}");
        }
    }
}

/// What was drawn; a failure is logged, and the text of the message stands without a picture.
fn noted<T, E: Display>(drawn: Result<T, E>, what: &str) -> Option<T> {
    drawn
        .inspect_err(|error| tracing::error!("the board of {what} was not drawn: {error}"))
        .ok()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(name);
    std::fs::write(&path, bytes)?;
    Ok(path)
}

impl Drawn {
    /// The board as text, in the armies' colours if wanted.
    pub(super) fn board(&self, colours: bool) -> String {
        if !colours {
            return self.board.plain();
        }
        self.board.lines(|cell, text| {
            let style = match cell {
                Cell::Man { seat, .. } => style(self.info.army(*seat).colour),
                Cell::Hole | Cell::Empty { .. } => Style::new().dimmed(),
            };
            format!("{style}{text}{style:#}")
        })
    }
}

fn style(colour: Colour) -> Style {
    let on = |colour: AnsiColor| Style::new().bold().fg_color(Some(Color::Ansi(colour)));
    match colour {
        Colour::White => on(AnsiColor::BrightWhite),
        Colour::Black => on(AnsiColor::Black).bg_color(Some(Color::Ansi(AnsiColor::White))),
        Colour::Red => on(AnsiColor::BrightRed),
        Colour::Yellow => on(AnsiColor::BrightYellow),
        Colour::Green => on(AnsiColor::BrightGreen),
        Colour::Blue => on(AnsiColor::BrightBlue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::catalogue::THEMES;

    #[test]
    fn every_theme_that_can_be_set_is_one() {
        let names: Vec<String> = Theme::ALL.iter().map(Theme::to_string).collect();
        assert_eq!(names, THEMES);
    }
}
