//! One palette per theme, by construction: its colours, and the steps between those that meet at an edge.

use std::collections::HashMap;
use std::sync::OnceLock;

use image::{Pixel, Rgb};

use crate::theme::{Coat, Colours, Theme};

/// Steps of coverage at an edge that [`Palette::blend`] knows.
pub(crate) const STEPS: u32 = 8;
/// Steps between two colours that meet at the edge of a piece.
const PIECE_STEPS: u32 = 4;

/// Fewer than 256 colours, so that one index is free for a transparent colour in an animation.
#[derive(Debug)]
pub struct Palette {
    theme: Theme,
    colours: Colours,
    entries: Vec<Rgb<u8>>,
    index: HashMap<Rgb<u8>, u8>,
    blends: Vec<OnceLock<Box<Blends>>>,
}

type Blends = [[u8; STEPS as usize + 1]; 256];

impl Palette {
    /// The palette of a theme.
    pub fn of(theme: Theme) -> &'static Self {
        static ALL: [OnceLock<Palette>; 3] = [const { OnceLock::new() }; 3];
        ALL[theme as usize].get_or_init(|| Self::new(theme))
    }

    /// Its theme.
    pub const fn theme(&self) -> Theme {
        self.theme
    }

    /// The colours of its theme.
    pub const fn colours(&self) -> &Colours {
        &self.colours
    }

    /// All its colours; a pixel's index counts in this.
    pub fn entries(&self) -> &[Rgb<u8>] {
        &self.entries
    }

    /// Red, green, blue of every entry.
    pub fn bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|colour| colour.0).collect()
    }

    /// The index of a colour, or of the nearest one.
    pub fn index(&self, colour: Rgb<u8>) -> u8 {
        self.index
            .get(&colour)
            .copied()
            .unwrap_or_else(|| self.nearest(colour))
    }

    /// The colour `step` of [`STEPS`] from `under` to `over`, or the nearest there is.
    pub(crate) fn blend(&self, under: u8, over: u8, step: u32) -> u8 {
        let blends = self.blends[usize::from(over)].get_or_init(|| {
            let mut blends = Box::new([[0; STEPS as usize + 1]; 256]);
            for (row, &from) in blends.iter_mut().zip(&self.entries) {
                for (step, slot) in (0..).zip(row) {
                    *slot = self.index(towards(from, self.entries[usize::from(over)], step, STEPS));
                }
            }
            blends
        });
        blends[usize::from(under)][step.min(STEPS) as usize]
    }

    pub(crate) fn rgb(&self, index: u8) -> Rgb<u8> {
        self.entries[usize::from(index)]
    }

    fn nearest(&self, colour: Rgb<u8>) -> u8 {
        let distance = |other: Rgb<u8>| -> i32 {
            // green counts most to the eye, blue least
            [3, 6, 2]
                .iter()
                .zip(colour.0.iter().zip(other.0))
                .map(|(weight, (&a, b))| weight * (i32::from(a) - i32::from(b)).pow(2))
                .sum()
        };
        (0..=u8::MAX)
            .zip(&self.entries)
            .min_by_key(|&(_, &other)| distance(other))
            .map_or(0, |(index, _)| index)
    }

    fn new(theme: Theme) -> Self {
        let colours = theme.colours();
        let mut mixing = Mixing::default();
        let backdrops = [
            colours.squares[0],
            colours.squares[1],
            colours.lit[0],
            colours.lit[1],
        ];
        mixing.add(colours.frame);
        for colour in backdrops
            .into_iter()
            .chain(colours.faint.into_iter().flatten())
        {
            mixing.add(colour);
        }
        mixing.ramp(colours.frame, colours.text, STEPS);
        for square in colours.squares {
            mixing.ramp(square, colours.ink, STEPS);
            mixing.ramp(square, colours.dim, PIECE_STEPS);
            // the round corners of cards
            mixing.ramp(colours.frame, square, PIECE_STEPS);
        }
        mixing.ramp(colours.frame, colours.ring, PIECE_STEPS);
        for coat in colours.armies.iter().chain([&colours.dead, &colours.check]) {
            mixing.coat(coat, &backdrops);
        }
        for backdrop in backdrops {
            mixing.ramp(backdrop, colours.ring, PIECE_STEPS);
        }
        for faint in [0, 1] {
            for shade in [0, 1] {
                mixing.ramp(backdrops[faint * 2 + shade], colours.faint[faint][shade], 2);
            }
        }
        let Mixing { entries, index } = mixing;
        let blends = entries.iter().map(|_| OnceLock::new()).collect();
        Self {
            theme,
            colours,
            entries,
            index,
            blends,
        }
    }
}

/// The colour `part` of `whole` steps from one to another.
fn towards(from: Rgb<u8>, to: Rgb<u8>, part: u32, whole: u32) -> Rgb<u8> {
    // a mean of two bytes is a byte
    from.map2(&to, |from, to| {
        ((u32::from(from) * (whole - part) + u32::from(to) * part + whole / 2) / whole) as u8
    })
}

#[derive(Default)]
struct Mixing {
    entries: Vec<Rgb<u8>>,
    index: HashMap<Rgb<u8>, u8>,
}

impl Mixing {
    fn add(&mut self, colour: Rgb<u8>) {
        // a colour beyond the last free index is left to its nearest neighbour; a test counts that none is
        if let (false, Ok(next)) = (
            self.index.contains_key(&colour),
            u8::try_from(self.entries.len()),
        ) {
            self.index.insert(colour, next);
            self.entries.push(colour);
        }
    }

    fn ramp(&mut self, from: Rgb<u8>, to: Rgb<u8>, steps: u32) {
        for step in 0..=steps {
            self.add(towards(from, to, step, steps));
        }
    }

    fn coat(&mut self, coat: &Coat, backdrops: &[Rgb<u8>]) {
        self.ramp(coat.outline, coat.fill, PIECE_STEPS);
        self.ramp(coat.fill, coat.detail, PIECE_STEPS);
        for &backdrop in backdrops {
            self.ramp(backdrop, coat.outline, PIECE_STEPS);
        }
    }
}
