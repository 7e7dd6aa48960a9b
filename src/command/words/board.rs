//! The board as text, seen from any seat.

use crate::rules::{Info, Piece, Play, Seat, Square};

/// A board in rows of cells, ready to be written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBoard {
    /// The label before each row.
    rows: Vec<(String, Vec<Cell>)>,
    /// The labels below.
    columns: Vec<String>,
    notes: Vec<&'static str>,
}

/// What a cell shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// A corner that is no square.
    Hole,
    /// An empty square, light or dark.
    Empty {
        /// Whether it is a dark one.
        dark: bool,
    },
    /// A piece: its army's place in the order of play and its text of up to three characters.
    Man {
        /// Whose.
        seat: Seat,
        /// Army and piece letter, and a mark for what is dead or waits.
        text: String,
    },
}

/// The board of a game seen from a seat.
pub fn board(info: &Info, play: &Play, from: Seat) -> TextBoard {
    let pieces = play.pieces();
    let shape = info.shape;
    let sideways = matches!(from, Seat::West | Seat::East);
    let (wide, high) = if sideways {
        (shape.ranks, shape.files)
    } else {
        (shape.files, shape.ranks)
    };
    let at = |row: u8, column: u8| match from {
        Seat::South | Seat::White => Square::new(column, high - 1 - row),
        Seat::North | Seat::Black => Square::new(wide - 1 - column, row),
        Seat::West => Square::new(high - 1 - row, wide - 1 - column),
        Seat::East => Square::new(row, column),
    };
    let file = |square: Square| char::from(b'a' + square.file()).to_string();
    let rank = |square: Square| (square.rank() + 1).to_string();
    let rows = (0..high).map(|row| {
        let first = at(row, 0);
        let label = if sideways { file(first) } else { rank(first) };
        let cells = (0..wide).map(|column| cell(info, &pieces, at(row, column)));
        (label, cells.collect())
    });
    let columns = (0..wide).map(|column| {
        let square = at(0, column);
        if sideways { rank(square) } else { file(square) }
    });
    let mut notes = Vec::new();
    if pieces.iter().any(|piece| piece.dead) {
        notes.push("' dead");
    }
    if pieces.iter().any(|piece| piece.waiting) {
        notes.push("~ waits for its promotion");
    }
    TextBoard {
        rows: rows.collect(),
        columns: columns.collect(),
        notes,
    }
}

fn cell(info: &Info, pieces: &[Piece], square: Square) -> Cell {
    if !info.shape.has(square) {
        return Cell::Hole;
    }
    let Some(piece) = pieces.iter().find(|piece| piece.at == square) else {
        return Cell::Empty {
            dark: (square.file() + square.rank()).is_multiple_of(2),
        };
    };
    let army = info.army(piece.seat).letter;
    let letter = info.kind(piece.kind).letter;
    let mark = match (piece.dead, piece.waiting) {
        (true, _) => "'",
        (false, true) => "~",
        (false, false) => "",
    };
    Cell::Man {
        seat: piece.seat,
        text: format!("{army}{letter}{mark}"),
    }
}

impl TextBoard {
    /// The board in lines; `mark` may colour a cell's text, which is three columns wide.
    pub fn lines(&self, mark: impl Fn(&Cell, &str) -> String) -> String {
        let mut lines = Vec::new();
        for (label, cells) in &self.rows {
            let mut line = format!("{label:>2} ");
            for cell in cells {
                let text = match cell {
                    Cell::Hole => "",
                    Cell::Empty { dark: false } => "·",
                    Cell::Empty { dark: true } => "-",
                    Cell::Man { text, .. } => text,
                };
                line.push_str(&mark(cell, &format!("{text:<3}")));
            }
            lines.push(line.trim_end().to_owned());
        }
        let columns: String = self
            .columns
            .iter()
            .map(|label| format!("{label:<3}"))
            .collect();
        lines.push(format!("   {}", columns.trim_end()));
        if !self.notes.is_empty() {
            lines.push(format!("   ({})", self.notes.join(", ")));
        }
        lines.join("\n")
    }

    /// The board without colours.
    pub fn plain(&self) -> String {
        self.lines(|_, text| text.to_owned())
    }
}
