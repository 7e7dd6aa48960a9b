//! The shapes of the pieces and the colours of the armies.

/// What a piece looks like. The caller chooses a shape for each kind of its game; all are told apart at 23 pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// A crown: King, Raja.
    King,
    /// A turban: Counsellor, Mantri.
    Counsellor,
    /// An elephant: Gaja, Elephant.
    Elephant,
    /// A horse's head: Ashva, Knight, Horse.
    Horse,
    /// A canopied chariot on a wheel: Ratha, the Rook of Indian games.
    Chariot,
    /// A boat under sail: Boat, Sailboat.
    Boat,
    /// A foot soldier: Padati, Pawn.
    Pawn,
    /// A mitre: the sliding Bishop.
    Bishop,
    /// A coronet of five rays: Queen.
    Queen,
    /// A castle tower: the Rook of western games.
    Tower,
    /// Rook and elephant: an elephant on wheels.
    Infanta,
    /// Rook and knight: a horse on wheels.
    Marshal,
    /// Knight and elephant: a horse's and an elephant's head on one neck.
    Kangaroo,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Self; 13] = [
        Self::King,
        Self::Counsellor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Boat,
        Self::Pawn,
        Self::Bishop,
        Self::Queen,
        Self::Tower,
        Self::Infanta,
        Self::Marshal,
        Self::Kangaroo,
    ];

    /// The drawing: an SVG of 100 by 100 in the three token colours (`#f00` fill, `#0f0` outline, `#00f` detail).
    pub const fn svg(self) -> &'static str {
        match self {
            Self::King => include_str!("../pieces/king.svg"),
            Self::Counsellor => include_str!("../pieces/counsellor.svg"),
            Self::Elephant => include_str!("../pieces/elephant.svg"),
            Self::Horse => include_str!("../pieces/horse.svg"),
            Self::Chariot => include_str!("../pieces/chariot.svg"),
            Self::Boat => include_str!("../pieces/boat.svg"),
            Self::Pawn => include_str!("../pieces/pawn.svg"),
            Self::Bishop => include_str!("../pieces/bishop.svg"),
            Self::Queen => include_str!("../pieces/queen.svg"),
            Self::Tower => include_str!("../pieces/tower.svg"),
            Self::Infanta => include_str!("../pieces/infanta.svg"),
            Self::Marshal => include_str!("../pieces/marshal.svg"),
            Self::Kangaroo => include_str!("../pieces/kangaroo.svg"),
        }
    }
}

/// The colour of an army.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// White.
    White,
    /// Black.
    Black,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

impl Colour {
    /// Every colour.
    pub const ALL: [Self; 6] = [
        Self::White,
        Self::Black,
        Self::Red,
        Self::Yellow,
        Self::Green,
        Self::Blue,
    ];

    /// The letter that stands for the army where colours are hard to tell: `W K R Y G B`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'W',
            Self::Black => 'K',
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Green => 'G',
            Self::Blue => 'B',
        }
    }
}
