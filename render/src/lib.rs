//! Board pictures: a description in, PNG bytes out. Knows shapes, not games.
//!
//! [`Scene`] says what is to be seen; [`draw`] makes an indexed [`Picture`] of it, [`png`] the bytes of a PNG file.
//! Every piece is rasterised once per size from its SVG (`pieces/`), recoloured into the theme's one palette,
//! and copied row by row; so a picture costs about a millisecond. All pixels are held by the types of [`image`], and
//! what else that crate can do is done with a picture as a [`DynamicImage`](image::DynamicImage).
//!
//! ```
//! use ashtapada_render::{Board, Colour, Placed, Scene, Shape, Side};
//!
//! let mut scene = Scene::new(Board::new(8, 8));
//! scene.pieces.push(Placed::new((4, 0), Shape::King, Colour::White, Side::South));
//! let bytes = ashtapada_render::png(&scene)?;
//! assert!(bytes.starts_with(b"\x89PNG"));
//! # Ok::<(), ashtapada_render::RenderError>(())
//! ```

mod area;
mod board;
mod canvas;
mod dice;
mod encode;
mod error;
mod font;
mod geometry;
mod marks;
mod mask;
mod palette;
mod panel;
mod picture;
mod scene;
mod shape;
mod sheet;
mod sprites;
mod squares;
mod theme;

pub use encode::{encode, png};
pub use error::RenderError;
pub use font::spelled;
pub use mask::mask;
pub use palette::Palette;
pub use picture::{Picture, draw};
pub use scene::{Die, Layout, MAX_SEATS, Mark, Panel, PieceState, Placed, Scene, SeatLine, WIDTHS};
pub use shape::{Colour, Shape};
pub use sheet::sheet;
pub use squares::{Board, MAX_LINES, Side, Square};
pub use theme::{Coat, Colours, Theme, UnknownTheme};
