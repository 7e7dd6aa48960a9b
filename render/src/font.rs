//! Writing: Noto Sans Bold (fonts/OFL.txt), cut down to Latin, Greek and Cyrillic, rasterised once per letter and size.
//! Other scripts are spelled in Latin letters: their fonts would be some megabytes, and need letters put together.
//!
//! The font is `NotoSans_700Bold.ttf` of the npm package `@expo-google-fonts/noto-sans` 0.4.2, cut by fonttools:
//! `pyftsubset NotoSans_700Bold.ttf --layout-features=kern --unicodes="U+0020-007E,U+00A0-024F,U+0259,U+02BB,U+02BC,`
//! `U+0370-03FF,U+0400-052F,U+1E00-1EFF,U+2013,U+2014,U+2018-201D,U+2022,U+2026,U+2190-2193,U+2212"`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};

use image::GrayImage;

use crate::palette::STEPS;

static FONT: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(include_bytes!("../fonts/NotoSans-Bold-subset.ttf"))
        .expect("the font is part of the program and does not depend on any input")
});

/// The cache is emptied when it holds more letters than this (some 2 MB).
const CACHED: usize = 4096;
const ELLIPSIS: char = '…';

/// By letter and em.
type Glyphs = HashMap<(char, u32), Arc<Glyph>>;

/// A letter.
pub(crate) struct Glyph {
    /// From the pen to the left edge, in pixels.
    pub(crate) left: i32,
    /// From the base line to the top edge; negative is upwards.
    pub(crate) top: i32,
    /// To the next pen position.
    pub(crate) advance: f32,
    /// Steps of coverage, of [`STEPS`].
    pub(crate) cover: GrayImage,
}

/// `text` in letters that can be drawn: 李小龙 is "Li Xiao Long". Signs are left out, unless there is nothing else.
pub fn spelled(text: &str) -> String {
    let spell = |wanted: fn(char) -> bool| {
        let mut spelled = String::new();
        for letter in text.chars() {
            if has(letter) {
                spelled.push(letter);
            } else if wanted(letter) {
                let latin = deunicode::deunicode_char(letter).unwrap_or_default();
                // the throat's consonant, of which a lone grave is left
                spelled += if latin == "`" { "'" } else { latin };
            }
        }
        spelled.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let letters = spell(char::is_alphanumeric);
    if letters.is_empty() {
        spell(|_| true)
    } else {
        letters
    }
}

/// The letters of a text that is [spelled], in order; `size` is the em in pixels.
pub(crate) fn line(text: &str, size: u32) -> impl Iterator<Item = Arc<Glyph>> {
    text.chars().map(move |letter| glyph(letter, size))
}

/// How far the pen goes for `text`, in pixels.
pub(crate) fn width(text: &str, size: u32) -> f32 {
    line(text, size).map(|glyph| glyph.advance).sum()
}

/// `text`, shortened with an ellipsis to at most `room` pixels.
pub(crate) fn fit(text: &str, size: u32, room: i32) -> String {
    let room = room as f32;
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut used = width("…", size);
    let mut short: String = text
        .chars()
        .take_while(|&letter| {
            used += width(letter.encode_utf8(&mut [0; 4]), size);
            used <= room
        })
        .collect();
    short.truncate(short.trim_end().len());
    short.push(ELLIPSIS);
    short
}

/// The largest em of `size` down to three quarters of it at which `text` fits into `room` pixels.
pub(crate) fn fitting(text: &str, size: u32, room: i32) -> Option<u32> {
    let sizes = size * 3 / 4..=size;
    sizes.rev().find(|&size| width(text, size) <= room as f32)
}

/// `text` at the largest em at which it fits, or shortened at the least.
pub(crate) fn shrink(text: &str, size: u32, room: i32) -> (String, u32) {
    let size = fitting(text, size, room).unwrap_or(size * 3 / 4);
    (fit(text, size, room), size)
}

/// `text` in at most `most` lines of `room` pixels, broken at spaces; what does not fit is shortened.
pub(crate) fn lines(text: &str, size: u32, room: i32, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && lines.len() < most {
        let last = lines.len() + 1 == most;
        let cut = if last {
            rest.len()
        } else {
            break_at(rest, size, room)
        };
        lines.push(fit(&rest[..cut], size, room));
        rest = rest[cut..].trim_start();
    }
    lines
}

/// The length of the longest beginning of `text` that fits and ends before a space; a first word too long is
/// taken whole.
fn break_at(text: &str, size: u32, room: i32) -> usize {
    let spaces = text.match_indices(' ').map(|(end, _)| end);
    let ends: Vec<usize> = spaces.chain([text.len()]).collect();
    let fits = |end: &&usize| width(&text[..**end], size) <= room as f32;
    let longest = ends.iter().take_while(fits).last().or(ends.first());
    longest.copied().unwrap_or(text.len())
}

/// Height of a capital letter over the em, in pixels.
pub(crate) fn capital(size: u32) -> i32 {
    (0.714 * size as f32).round() as i32
}

fn has(letter: char) -> bool {
    FONT.glyph_id(letter) != GlyphId(0)
}

fn glyph(letter: char, size: u32) -> Arc<Glyph> {
    static GLYPHS: LazyLock<Mutex<Glyphs>> = LazyLock::new(Mutex::default);
    let mut glyphs = GLYPHS.lock().unwrap_or_else(PoisonError::into_inner);
    if glyphs.len() > CACHED {
        glyphs.clear();
    }
    Arc::clone(
        glyphs
            .entry((letter, size))
            .or_insert_with(|| Arc::new(rasterise(letter, size))),
    )
}

fn rasterise(letter: char, size: u32) -> Glyph {
    let em = FONT.units_per_em().unwrap_or(1000.0);
    // ab_glyph measures a size from ascent to descent, we by the em
    let scale = PxScale::from(size as f32 * FONT.height_unscaled() / em);
    let id = FONT.glyph_id(letter);
    let advance = FONT.as_scaled(scale).h_advance(id);
    let Some(outline) = FONT.outline_glyph(id.with_scale_and_position(scale, point(0.0, 0.0)))
    else {
        return Glyph {
            left: 0,
            top: 0,
            advance,
            cover: GrayImage::default(),
        };
    };
    let bounds = outline.px_bounds();
    let mut cover = GrayImage::new(bounds.width() as u32, bounds.height() as u32);
    outline.draw(|x, y, share| {
        if let Some(pixel) = cover.get_pixel_mut_checked(x, y) {
            pixel.0 = [(share.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as u8];
        }
    });
    Glyph {
        left: bounds.min.x as i32,
        top: bounds.min.y as i32,
        advance,
        cover,
    }
}
