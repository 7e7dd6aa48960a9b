//! Any commands by anybody in any order: each is carried out or refused, and what is stored folds to what is in memory.

use ashtapada::club::{Action, ClubError, Wanted};
use ashtapada::ids::{PersonId, TableCode};
use ashtapada::rules::{Phase, Seat, games};
use ashtapada::table::{OfferId, Table};

use crate::hall::{Hall, game};

/// Numbers by a linear congruence, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn some_action(numbers: &mut Numbers, table: &Table, people: &[PersonId]) -> Action {
    let person = people[numbers.below(people.len())];
    let seat = [None, Some(Seat::South), Some(Seat::West), Some(Seat::Black)][numbers.below(4)];
    let offer = [None, None, Some(OfferId(table.version()))][numbers.below(3)];
    let word = String::new();
    let confirm = numbers.below(2) == 0;
    match numbers.below(40) {
        0..4 => Action::Join { seat, word },
        4 => Action::Decline { offer },
        5 => Action::Invite { person },
        6 => Action::Remove { person },
        7 => Action::Leave,
        8 => Action::Start,
        9 => Action::Cancel { offer },
        10 => Action::Resign { seat, confirm },
        11 => Action::Draw { offer },
        12 => Action::Claim,
        13..16 => Action::Pass,
        16..26 => Action::Roll,
        _ => Action::Move {
            text: some_move(numbers, table),
        },
    }
}

fn some_move(numbers: &mut Numbers, table: &Table) -> String {
    let legal = match table.play() {
        Some(play) if play.phase() == Phase::Move => play.legal(),
        _ => Vec::new(),
    };
    match (table.play(), legal.len()) {
        (Some(play), 1..) => play.text(legal[numbers.below(legal.len())]),
        _ => "a2a3".to_owned(),
    }
}

/// Who would be heard: mostly the one whose turn it is, so that games go on.
fn somebody(numbers: &mut Numbers, table: &Table, people: &[PersonId]) -> PersonId {
    match table.on_turn_now() {
        Some(person) if numbers.below(4) > 0 => person,
        _ => people[numbers.below(people.len())],
    }
}

async fn folds_to_the_same(hall: &Hall, code: TableCode) {
    let table = hall.table(code).await;
    let folded = Table::fold(&hall.entries(code).await).unwrap();
    assert_eq!(folded.version(), table.version());
    assert_eq!(folded.summary(), table.summary());
    assert_eq!(folded.chairs(), table.chairs());
    let state = |table: &Table| table.play().map(|play| play.state());
    assert_eq!(state(&folded), state(&table));
    assert_eq!(folded.ending(), table.ending());
    assert_eq!(folded.due(), None, "what is due has been done");
}

#[tokio::test]
async fn any_commands_in_any_order_leave_a_whole_table() {
    let mut begun = 0;
    let mut over = 0;
    let ten_times_each = (0..10).flat_map(|_| games());
    for (number, info) in ten_times_each.enumerate() {
        let hall = Hall::new();
        let mut numbers = Numbers(number as u64);
        let people = hall.people(["ada", "bob", "cem", "dee", "eve"]).await;
        let wanted = Wanted {
            with: vec![people[1]],
            ..game(info.key)
        };
        let code = hall.open(people[0], wanted).await;
        for _ in 0..200 {
            let table = hall.table(code).await;
            if table.ending().is_some() {
                break;
            }
            let who = somebody(&mut numbers, &table, &people);
            let action = some_action(&mut numbers, &table, &people);
            match hall.act(who, code, action.clone()).await {
                Ok(happened) => assert!(happened.table.version() >= table.version()),
                Err(ClubError::Refused(_)) => {
                    assert_eq!(hall.table(code).await.version(), table.version());
                }
                Err(other) => panic!("{action:?} by {who}: {other}"),
            }
            hall.clock.forward(1000);
        }
        folds_to_the_same(&hall, code).await;
        let table = hall.table(code).await;
        begun += usize::from(table.game().is_some());
        over += usize::from(table.ending().is_some());
    }
    assert!(begun > 10 && over > 10, "{begun} begun, {over} over");
}
