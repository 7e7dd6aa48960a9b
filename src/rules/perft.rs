//! Counts of move-tree leaves, the measure and the check of move generators.

use super::dice::Roll;
use super::effect::Witness;
use super::game::{Game, PositionOf};
use super::generate;
use super::past::Past;
use super::position::{CellMove, Phase};
use super::turn;

/// How the last move of each sequence is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Counted without being made.
    Counted,
    /// Made like all others.
    Made,
}

/// The number of sequences of exactly `depth` moves.
pub(super) fn count<G: Game>(
    game: &G,
    p: &PositionOf<G>,
    dice: &[Roll],
    depth: usize,
    leaves: Leaves,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = vec![Vec::new(); depth];
    descend(
        game,
        *p,
        &mut Throws {
            rolls: dice,
            next: 0,
        }
        .clone(),
        &mut moves,
        leaves,
    )
}

/// The rolls that come, from the first again after the last.
#[derive(Clone, Copy)]
struct Throws<'d> {
    rolls: &'d [Roll],
    next: usize,
}

fn descend<G: Game>(
    game: &G,
    mut p: PositionOf<G>,
    throws: &mut Throws<'_>,
    lists: &mut [Vec<CellMove>],
    leaves: Leaves,
) -> u64 {
    let mut unplayable = 0;
    while p.phase == Phase::Roll {
        // Dice that never allow a move would go on for ever.
        let Some(roll) = throws.rolls.get(throws.next % throws.rolls.len().max(1)) else {
            return 0;
        };
        unplayable += 1;
        if unplayable > throws.rolls.len() * 4 {
            return 0;
        }
        throws.next += 1;
        turn::roll(
            game,
            &mut p,
            roll,
            &mut Past::forgotten(),
            &mut Witness::nobody(),
        );
    }
    let Some((list, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    if deeper.is_empty() && leaves == Leaves::Counted {
        return generate::count(game, &p);
    }
    list.clear();
    generate::list(game, &p, list);
    let mut total = 0;
    for &m in list.iter() {
        let mut after = p;
        turn::play(
            game,
            &mut after,
            m,
            &mut Past::forgotten(),
            &mut Witness::nobody(),
        );
        total += if deeper.is_empty() {
            1
        } else {
            descend(game, after, &mut throws.clone(), deeper, leaves)
        };
    }
    total
}
