//! The three themes and their colours (found by search and checked against the contrast thresholds the tests repeat).

use std::fmt;
use std::str::FromStr;

use image::Rgb;

use crate::shape::Colour;

/// A set of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Theme {
    /// Warm stone.
    #[default]
    Light,
    /// Slate, for dark chats.
    Dark,
    /// Armies apart in any colour vision, with a letter on each piece.
    ColourBlind,
}

/// A text that names no theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("themes are light, dark and colour-blind")]
pub struct UnknownTheme;

/// The three colours a piece is painted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Coat {
    /// The body.
    pub fill: Rgb<u8>,
    /// The edge.
    pub outline: Rgb<u8>,
    /// Lines within the body.
    pub detail: Rgb<u8>,
}

/// All colours of a theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colours {
    /// Light and dark squares.
    pub squares: [Rgb<u8>; 2],
    /// Light and dark squares of the last move.
    pub lit: [Rgb<u8>; 2],
    /// Faint crosses on light and dark squares, plain and lit.
    pub faint: [[Rgb<u8>; 2]; 2],
    /// Ring, dots and brackets.
    pub ring: Rgb<u8>,
    /// Around the board.
    pub frame: Rgb<u8>,
    /// Coordinates and headings, on the frame.
    pub text: Rgb<u8>,
    /// Names and scores, on cards in the colours of the squares.
    pub ink: Rgb<u8>,
    /// Names of those who are out.
    pub dim: Rgb<u8>,
    /// The ring (fill), its casing (outline) and the `!` (detail) of a check.
    pub check: Coat,
    /// The armies, in the order of [`Colour::ALL`].
    pub armies: [Coat; 6],
    /// Dead pieces.
    pub dead: Coat,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::ColourBlind];

    /// Its colours.
    pub fn colours(self) -> Colours {
        match self {
            Self::Light => light(),
            Self::Dark => dark(),
            Self::ColourBlind => colour_blind(),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::ColourBlind => "colour-blind",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        Self::ALL
            .into_iter()
            .find(|theme| theme.name() == text)
            .ok_or(UnknownTheme)
    }
}

impl Coat {
    const fn hex(fill: u32, outline: u32, detail: u32) -> Self {
        Self {
            fill: rgb(fill),
            outline: rgb(outline),
            detail: rgb(detail),
        }
    }
}

impl Colours {
    /// The coat of an army.
    pub fn army(&self, colour: Colour) -> Coat {
        self.armies[colour as usize]
    }
}

const fn rgb(code: u32) -> Rgb<u8> {
    let [_, red, green, blue] = code.to_be_bytes();
    Rgb([red, green, blue])
}

const fn pair(light: u32, dark: u32) -> [Rgb<u8>; 2] {
    [rgb(light), rgb(dark)]
}

fn light() -> Colours {
    Colours {
        squares: pair(0xf1_ece3, 0xc3_b9aa),
        lit: pair(0xdc_cbf2, 0xbb_a4da),
        faint: [pair(0xdb_d3c6, 0xab_a090), pair(0xc6_b3df, 0xa2_8ac3)],
        ring: rgb(0x5b_3590),
        frame: rgb(0x3b_342e),
        text: rgb(0xef_e6d8),
        ink: rgb(0x1c_1815),
        dim: rgb(0x59_5858),
        check: Coat::hex(0xb3_0012, 0xfd_faf3, 0xfd_faf3),
        armies: [
            Coat::hex(0xfd_faf3, 0x1c_1815, 0x3a_342b),
            Coat::hex(0x26_2422, 0xf6_eedd, 0xf6_eedd),
            Coat::hex(0xac_2a09, 0x1c_1815, 0xff_f1dc),
            Coat::hex(0xf0_cd34, 0x1c_1815, 0x5a_4300),
            Coat::hex(0x3a_9677, 0x1c_1815, 0xf2_fff9),
            Coat::hex(0x25_4696, 0x1c_1815, 0xe8_f0ff),
        ],
        dead: Coat::hex(0x59_5858, 0x59_5858, 0x8a_8783),
    }
}

fn dark() -> Colours {
    Colours {
        squares: pair(0x4d_5663, 0x35_3c47),
        lit: pair(0x6b_5c86, 0x53_456e),
        faint: [pair(0x5f_6977, 0x46_4e5a), pair(0x7d_6e99, 0x64_5680)],
        ring: rgb(0xe6_d5ff),
        frame: rgb(0x18_1b20),
        text: rgb(0xd7_dbe1),
        ink: rgb(0xf4_f7fc),
        dim: rgb(0xb8_bdc4),
        check: Coat::hex(0xff_5a4d, 0xfb_f8f2, 0x14_161a),
        armies: [
            Coat::hex(0xfb_f8f2, 0x14_161a, 0x3a_3f47),
            Coat::hex(0x0b_0c0e, 0xf3_efe6, 0xf3_efe6),
            Coat::hex(0xd7_2c1c, 0xfb_f3e6, 0xff_e9d6),
            Coat::hex(0xff_ea39, 0x14_161a, 0x5a_4600),
            Coat::hex(0x00_c58a, 0x0d_1512, 0x04_3d2b),
            Coat::hex(0x59_7ab6, 0xf4_f7fc, 0xee_f4ff),
        ],
        dead: Coat::hex(0x79_7e85, 0xb8_bdc4, 0xa3_a8af),
    }
}

fn colour_blind() -> Colours {
    Colours {
        squares: pair(0xf4_f2ed, 0xc9_c5bd),
        lit: pair(0xe6_d4f5, 0xbf_a3da),
        faint: [pair(0xde_dbd4, 0xb1_aca3), pair(0xcf_badf, 0xa6_8ac2)],
        ring: rgb(0x3c_1a70),
        frame: rgb(0x26_262a),
        text: rgb(0xf0_efec),
        ink: rgb(0x14_1414),
        dim: rgb(0x58_554e),
        check: Coat::hex(0xb3_0012, 0xff_ffff, 0xff_ffff),
        armies: [
            Coat::hex(0xff_ffff, 0x14_1414, 0x33_3333),
            Coat::hex(0x16_1616, 0xf7_f4ee, 0xf7_f4ee),
            Coat::hex(0xc0_4e0c, 0x14_1414, 0xff_f3e6),
            Coat::hex(0xf4_cf1d, 0x14_1414, 0x4d_3d00),
            Coat::hex(0x44_958c, 0x14_1414, 0xf0_fffd),
            Coat::hex(0x15_24b9, 0x14_1414, 0xe3_e8ff),
        ],
        dead: Coat::hex(0x58_554e, 0x58_554e, 0x8b_877e),
    }
}
