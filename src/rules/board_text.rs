//! Board texts of `vectors/README.md`: ranks from the top down split by `/`, cells split by `,`, a number for empty cells.

/// Writes ranks of cells, given from the top down.
pub fn write(ranks: impl Iterator<Item = Vec<Option<String>>>) -> String {
    ranks
        .map(|rank| write_rank(&rank))
        .collect::<Vec<_>>()
        .join("/")
}

fn write_rank(cells: &[Option<String>]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut empty = 0;
    for cell in cells {
        match cell {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    parts.push(empty.to_string());
                    empty = 0;
                }
                parts.push(piece.clone());
            }
        }
    }
    if empty > 0 {
        parts.push(empty.to_string());
    }
    parts.join(",")
}

/// Why a text is no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardTextError {
    /// Too many or too few ranks.
    #[error("the board has {found} ranks instead of {wanted}")]
    Ranks {
        /// Ranks of the text.
        found: usize,
        /// Ranks of the board.
        wanted: usize,
    },
    /// Too many or too few cells in a rank.
    #[error("rank {rank} has {found} cells instead of {wanted}")]
    Cells {
        /// The rank's number.
        rank: usize,
        /// Its cells in the text.
        found: usize,
        /// Cells of the board.
        wanted: usize,
    },
    /// Something that is neither a number nor a colour and a piece.
    #[error("“{0}” is neither a number of empty squares nor an army's letter and a piece's letter")]
    Cell(String),
}

/// Reads a text into (file, rank, piece text) of each piece, ranks and files counted from 0.
pub fn read(text: &str, files: u8, ranks: u8) -> Result<Vec<(u8, u8, &str)>, BoardTextError> {
    let lines: Vec<&str> = text.trim().split('/').collect();
    if lines.len() != usize::from(ranks) {
        return Err(BoardTextError::Ranks {
            found: lines.len(),
            wanted: usize::from(ranks),
        });
    }
    let mut pieces = Vec::new();
    for (rank, line) in (0..ranks).rev().zip(lines) {
        let mut file = 0usize;
        for cell in line.split(',').map(str::trim) {
            match cell.parse::<usize>() {
                Ok(empty) if (1..=usize::from(files)).contains(&empty) => file += empty,
                Err(_) if cell.chars().count() == 2 => {
                    pieces.push((u8::try_from(file).unwrap_or(u8::MAX), rank, cell));
                    file += 1;
                }
                _ => return Err(BoardTextError::Cell(cell.to_owned())),
            }
        }
        if file != usize::from(files) {
            return Err(BoardTextError::Cells {
                rank: usize::from(rank) + 1,
                found: file,
                wanted: usize::from(files),
            });
        }
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_board_is_named() {
        assert_eq!(
            read("8/8", 8, 8),
            Err(BoardTextError::Ranks {
                found: 2,
                wanted: 8
            })
        );
        assert_eq!(read("2/3", 2, 2), Err(BoardTextError::Cell("3".into())));
        assert_eq!(
            read("2/1", 2, 2),
            Err(BoardTextError::Cells {
                rank: 1,
                found: 1,
                wanted: 2
            })
        );
        assert_eq!(read("2/1,x", 2, 2), Err(BoardTextError::Cell("x".into())));
        assert_eq!(read("2/1,éK", 2, 2), Ok(vec![(1, 0, "éK")]));
    }
}
