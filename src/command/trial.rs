//! Tables for tests: one person plays all seats, as drawn numbers say.

use crate::ids::{At, PersonId, Place, Platform};
use crate::rules::{self, Choices, Event as Deed, Info, Phase, Play, Roll};
use crate::table::{DiceTerms, Entry, Event, Opening, SeatWish, Table};

/// Who plays.
pub const ADA: PersonId = PersonId(1);

/// Numbers that look drawn and are the same in every run.
pub struct Drawn(u64);

impl Drawn {
    pub fn from(seed: u64) -> Drawn {
        Drawn(seed)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 16) as usize % count
    }
}

/// A table of a game with options as drawn, begun.
pub fn table(info: &'static Info, drawn: &mut Drawn) -> Table {
    let options = info.options.iter().filter_map(|option| {
        let words = match &option.choices {
            Choices::Words(words) => words,
            Choices::Number { .. } | Choices::Drawn { .. } => return None,
        };
        let chosen = words[drawn.below(words.len())];
        Some((option.key.to_owned(), chosen.to_owned()))
    });
    let opening = Opening {
        code: "K7Q2F".parse().unwrap(),
        game: info.key.to_owned(),
        options: options.collect(),
        host: ADA,
        place: Place::room(Platform::Console, "hall"),
        invited: Vec::new(),
        seat: SeatWish::Unsaid,
        drawn: 0,
        solo: true,
        open: false,
        position: None,
        dice: info.dice.map(|_| DiceTerms::File),
        message: "1".to_owned(),
        word: String::new(),
        rematch_of: None,
    };
    let events = opening.decide().unwrap();
    let entries: Vec<Entry> = events.into_iter().map(entry).collect();
    let mut table = Table::fold(&entries).unwrap();
    while let Some(crate::table::Due::Start { draw }) = table.due() {
        let order = draw.map(|count| drawn.below(count as usize) as u32);
        table.apply(&entry(Event::Started { order })).unwrap();
    }
    table
}

fn entry(event: Event) -> Entry {
    Entry::new(At(0), Some(ADA), event)
}

/// Plays on until somebody is to move and can, by one step at least; `false` when the game is over.
pub fn play_on(table: &mut Table, drawn: &mut Drawn) -> bool {
    let legal = position(table).legal();
    if !legal.is_empty() {
        let chosen = legal[drawn.below(legal.len())];
        let moves = vec![position(table).text(chosen)];
        table.apply(&entry(Event::Moved { moves })).unwrap();
    }
    while position(table).phase() == Phase::Roll {
        let count = position(table).dice_thrown();
        let faces: Vec<u8> = (0..count).map(|_| drawn.below(6) as u8 + 1).collect();
        let (n, dice) = (table.game().unwrap().rolls + 1, Roll::new(&faces).unwrap());
        table.apply(&entry(Event::Rolled { n, dice })).unwrap();
    }
    position(table).phase() == Phase::Move
}

pub fn position(table: &Table) -> &Play {
    table.play().unwrap()
}

/// The position after some moves of one turn, as the notation of records says them.
pub fn after(table: &Table, moves: &str) -> Play {
    let mut play = position(table).clone();
    for text in moves.split(' ') {
        let one = rules::parse_move(play.info(), text).unwrap();
        play.apply(&Deed::Move(one)).unwrap();
    }
    play
}

/// A table of each game after some drawn steps, where somebody can move.
pub fn tables(seeds: u64, steps: usize, mut check: impl FnMut(&Table, &mut Drawn)) {
    for info in rules::games() {
        for seed in 0..seeds {
            let mut drawn = Drawn::from(seed);
            let mut table = table(info, &mut drawn);
            for _ in 0..steps {
                if !play_on(&mut table, &mut drawn) {
                    break;
                }
                check(&table, &mut drawn);
            }
        }
    }
}
