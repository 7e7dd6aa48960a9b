//! Pieces ready to be copied: one tile per shape, coat, state and background, made when first needed.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use image::{GrayImage, Rgb, RgbImage};

use crate::mask;
use crate::palette::Palette;
use crate::picture::Picture;
use crate::scene::PieceState;
use crate::shape::{Colour, Shape};
use crate::theme::{Coat, Theme};

/// What lies under a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Backdrop {
    pub(crate) dark: bool,
    pub(crate) lit: bool,
}

/// A drawing that is no piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sign {
    Waiting,
    Idle,
    Check,
}

type Cache<K, V> = Mutex<HashMap<K, Arc<V>>>;

/// Shape, army (none for the dead, who all look alike), state, background.
type TileKey = (Shape, Option<Colour>, PieceState, Backdrop);

/// The pieces of one theme at one size of square.
pub(crate) struct Sprites {
    palette: &'static Palette,
    size: u32,
    masks: Cache<Shape, RgbImage>,
    signs: Cache<Sign, RgbImage>,
    thrones: Cache<Backdrop, GrayImage>,
    tiles: Cache<TileKey, GrayImage>,
}

/// Sizes kept: boards of every game and panels in all themes and more than one width.
const SIZES: usize = 24;
/// Pixels of tiles kept per size, a byte each; a crowded board needs a tenth of it.
const TILE_PIXELS: u32 = 4 << 20;

impl Sprites {
    /// The pieces for squares of `size` pixels.
    pub(crate) fn of(theme: Theme, size: u32) -> Arc<Self> {
        static KEPT: LazyLock<Mutex<VecDeque<Arc<Sprites>>>> = LazyLock::new(Mutex::default);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept
            .iter()
            .find(|sprites| sprites.size == size && sprites.palette.theme() == theme)
        {
            return Arc::clone(found);
        }
        if kept.len() >= SIZES {
            kept.pop_front();
        }
        let made = Arc::new(Self {
            palette: Palette::of(theme),
            size,
            masks: Mutex::default(),
            signs: Mutex::default(),
            thrones: Mutex::default(),
            tiles: Mutex::default(),
        });
        kept.push_back(Arc::clone(&made));
        made
    }

    /// A piece on its background.
    pub(crate) fn tile(
        &self,
        shape: Shape,
        colour: Colour,
        state: PieceState,
        under: Backdrop,
    ) -> Arc<GrayImage> {
        let army = (state != PieceState::Dead).then_some(colour);
        let mut tiles = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        if tiles.len() > (TILE_PIXELS / self.size.pow(2)) as usize {
            tiles.clear();
        }
        let make = || Arc::new(self.compose(shape, army, state, under));
        Arc::clone(
            tiles
                .entry((shape, army, state, under))
                .or_insert_with(make),
        )
    }

    /// An empty square with a throne's faint cross.
    pub(crate) fn throne(&self, under: Backdrop) -> Arc<GrayImage> {
        lookup(&self.thrones, under, || {
            let mask = mask::mask(include_str!("../marks/throne.svg"), self.size, 0);
            let faint = under.faint(self.palette);
            let coat = Coat {
                fill: faint,
                outline: faint,
                detail: faint,
            };
            let mut canvas = self.empty(under);
            canvas.paint(&mask, &coat, 0, 0);
            canvas.frame
        })
    }

    fn empty(&self, under: Backdrop) -> Picture {
        let colour = under.colour(self.palette);
        Picture::new(self.size, self.size, self.palette, colour)
    }

    /// A drawing that is no piece, at its usual size.
    pub(crate) fn sign(&self, sign: Sign) -> Arc<RgbImage> {
        let svg = match sign {
            Sign::Waiting => include_str!("../marks/waiting.svg"),
            Sign::Idle => include_str!("../marks/idle.svg"),
            Sign::Check => include_str!("../marks/check.svg"),
        };
        lookup(&self.signs, sign, || mask::mask(svg, self.badge(), 0))
    }

    fn compose(
        &self,
        shape: Shape,
        army: Option<Colour>,
        state: PieceState,
        under: Backdrop,
    ) -> GrayImage {
        let colours = self.palette.colours();
        let coat = army.map_or(colours.dead, |colour| colours.army(colour));
        let mask = lookup(&self.masks, shape, || {
            mask::mask(shape.svg(), self.size, margin(self.size))
        });
        let mut canvas = self.empty(under);
        canvas.paint(&mask, &coat, 0, 0);
        let sign = match state {
            PieceState::Live | PieceState::Dead => None,
            PieceState::Waiting => Some(Sign::Waiting),
            PieceState::Idle => Some(Sign::Idle),
        };
        if let Some(sign) = sign {
            let place = (self.size - self.badge()) as i32 - edge(self.size);
            canvas.paint(&self.sign(sign), &badge_coat(self.palette), place, place);
        }
        canvas.frame
    }

    /// Side of a badge in pixels.
    pub(crate) fn badge(&self) -> u32 {
        (self.size * 36 / 100).max(10).min(self.size)
    }
}

impl Backdrop {
    pub(crate) fn colour(self, palette: &Palette) -> Rgb<u8> {
        let colours = palette.colours();
        let pair = if self.lit {
            colours.lit
        } else {
            colours.squares
        };
        pair[usize::from(self.dark)]
    }

    pub(crate) fn faint(self, palette: &Palette) -> Rgb<u8> {
        palette.colours().faint[usize::from(self.lit)][usize::from(self.dark)]
    }
}

/// From a square's edge to a badge.
pub(crate) fn edge(size: u32) -> i32 {
    (size / 40) as i32
}

/// The free margin about a piece: its art box is 0.88 of the square.
fn margin(size: u32) -> u32 {
    (size * 6 + 50) / 100
}

/// White's coat is dark on light in every theme.
fn badge_coat(palette: &Palette) -> Coat {
    palette.colours().army(Colour::White)
}

fn lookup<K: Hash + Eq, V>(cache: &Cache<K, V>, key: K, make: impl FnOnce() -> V) -> Arc<V> {
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(cache.entry(key).or_insert_with(|| Arc::new(make())))
}
