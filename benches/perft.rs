//! Move-tree leaves of every game, counted without being made and with every move made, beside orthodox chess counted
//! by `shakmaty` in the same run: a different game, the same kind of work.

use ashtapada::rules::{Info, Leaves, Options, Play, Roll, game, games};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use shakmaty::{Chess, Position as _};

fn main() {
    divan::main();
}

/// The rolls of the dice games, as in the counts of `tests/vectors/perft`.
fn dice() -> Vec<Roll> {
    let rolls = [
        [1, 4],
        [2, 5],
        [3, 3],
        [1, 5],
        [6, 2],
        [5, 3],
        [4, 4],
        [6, 6],
        [2, 1],
    ];
    rolls
        .iter()
        .map(|faces| Roll::new(faces).expect("faces from 1 to 6"))
        .collect()
}

/// The depth at which a game has some hundred thousand leaves.
fn depth(info: &Info) -> usize {
    match (info.key, info.dice.is_some()) {
        ("maha-chatukanga", _) => 3,
        ("chaturanga", _) => 5,
        ("chaturaji", _) => 6,
        (_, true) => 7,
        (_, false) => 4,
    }
}

fn keys() -> Vec<&'static str> {
    games().map(|info| info.key).collect()
}

fn count(bencher: Bencher<'_, '_>, key: &str, leaves: Leaves) {
    let info = game(key).expect("a key of the registry");
    let play = Play::new(info, &Options::default()).expect("the array");
    let (dice, depth) = (dice(), depth(info));
    let nodes: u64 = match leaves {
        Leaves::Counted => play.perft(&dice, depth, leaves),
        // Every move on the way is made too.
        Leaves::Made => (1..=depth)
            .map(|depth| play.perft(&dice, depth, Leaves::Counted))
            .sum(),
    };
    bencher
        .counter(ItemsCount::new(nodes))
        .bench(|| black_box(&play).perft(&dice, depth, leaves));
}

#[divan::bench(args = keys(), sample_count = 20)]
fn leaves_counted(bencher: Bencher<'_, '_>, key: &str) {
    count(bencher, key, Leaves::Counted);
}

#[divan::bench(args = keys(), sample_count = 20)]
fn every_move_made(bencher: Bencher<'_, '_>, key: &str) {
    count(bencher, key, Leaves::Made);
}

fn chess(position: &Chess, depth: u32, made: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 && !made {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|m| {
            let mut after = position.clone();
            after.play_unchecked(*m);
            chess(&after, depth - 1, made)
        })
        .sum()
}

#[divan::bench(args = [false, true], sample_count = 20)]
fn reference_shakmaty_chess(bencher: Bencher<'_, '_>, made: bool) {
    let position = Chess::default();
    let nodes = if made {
        (1..=4).map(|depth| chess(&position, depth, false)).sum()
    } else {
        chess(&position, 4, false)
    };
    bencher
        .counter(ItemsCount::new(nodes))
        .bench(|| chess(black_box(&position), 4, made));
}
