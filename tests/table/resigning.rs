//! Resigning, and who is next when somebody is out.

use ashtapada::club::{Action, Wanted};
use ashtapada::rules::{Phase, Play, Reason, Seat};
use ashtapada::table::{Ending, Refusal};

use crate::hall::{Hall, solo};

fn resign(seat: Option<Seat>, confirm: bool) -> Action {
    Action::Resign { seat, confirm }
}

#[tokio::test]
async fn r53_resigning_on_anothers_turn_is_allowed_once_confirmed() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let asked = hall.act(bob, code, resign(None, false)).await.unwrap();
    assert!(
        asked.table.ending().is_none(),
        "it is White's turn, and nothing is confirmed"
    );
    let end = hall.act(bob, code, resign(None, true)).await.unwrap();
    let Some(Ending::Played { outcome, .. }) = end.table.ending() else {
        panic!("not over");
    };
    assert_eq!(outcome.reason, Reason::Resignation);
    assert_eq!(outcome.winners, [Seat::White]);
    assert_eq!(end.table.sitter(Seat::White), Some(ada));
}

#[tokio::test]
async fn a_confirmation_counts_for_a_minute_and_for_who_asked() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    // Nothing was asked before: this asks.
    hall.act(bob, code, resign(None, true)).await.unwrap();
    assert!(hall.table(code).await.ending().is_none());
    // Another's request is not one's own.
    hall.act(ada, code, resign(None, true)).await.unwrap();
    assert!(hall.table(code).await.ending().is_none());
    hall.clock.forward(60_001);
    hall.act(bob, code, resign(None, true)).await.unwrap();
    assert!(
        hall.table(code).await.ending().is_none(),
        "too late: asked anew"
    );
    hall.clock.forward(60_000);
    let end = hall.act(bob, code, resign(None, true)).await.unwrap();
    assert!(end.table.ending().is_some());
}

#[tokio::test]
async fn who_holds_several_seats_names_the_one_that_resigns() {
    let hall = Hall::new();
    let [ada, bob] = hall.people(["ada", "bob"]).await;
    let code = hall.open(ada, solo("chaturaji")).await;
    let which = Refusal::WhichSeat(Seat::FOUR.to_vec());
    assert_eq!(hall.refused(ada, code, resign(None, false)).await, which);
    assert_eq!(
        hall.refused(bob, code, resign(None, false)).await,
        Refusal::NotSeated
    );
    let west = Some(Seat::West);
    hall.act(ada, code, resign(west, false)).await.unwrap();
    hall.act(ada, code, resign(None, true)).await.unwrap();
    assert!(!hall.table(code).await.play().unwrap().in_play(Seat::West));
    let gone = hall.refused(ada, code, resign(west, false)).await;
    assert_eq!(gone, Refusal::NotYourSeat(Seat::West));
}

/// The next seat clockwise whose player is still in the game.
fn next_after(play: &Play, seat: Seat) -> Seat {
    let after = Seat::FOUR.iter().cycle().skip(seat.index() + 1).take(4);
    *after.into_iter().find(|seat| play.in_play(**seat)).unwrap()
}

fn orders() -> Vec<[Seat; 4]> {
    let mut orders = Vec::new();
    for a in Seat::FOUR {
        for b in Seat::FOUR {
            for c in Seat::FOUR {
                for d in Seat::FOUR {
                    let order = [*a, *b, *c, *d];
                    let distinct = (0..4).all(|i| !order[..i].contains(&order[i]));
                    orders.extend(distinct.then_some(order));
                }
            }
        }
    }
    orders
}

#[tokio::test]
async fn r55_the_next_seat_is_right_after_every_order_of_resignations() {
    for key in [
        "partnership",
        "four-handed",
        "chaturaji",
        "four-handed-cross",
    ] {
        for order in orders() {
            for moves_between in [0, 1, 2] {
                resign_in_order(key, order, moves_between).await;
            }
        }
    }
}

async fn resign_in_order(key: &str, order: [Seat; 4], moves_between: usize) {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo(key)).await;
    for seat in order {
        let before = hall.table(code).await;
        let mover = before.play().unwrap().mover();
        hall.act(ada, code, resign(Some(seat), false))
            .await
            .unwrap();
        let after = hall
            .act(ada, code, resign(Some(seat), true))
            .await
            .unwrap()
            .table;
        let play = after.play().unwrap();
        if after.ending().is_some() {
            return;
        }
        let expected = if mover == seat {
            next_after(play, seat)
        } else {
            mover
        };
        assert_eq!(play.mover(), expected, "{key} {order:?} after {seat}");
        for _ in 0..moves_between {
            one_turn(&hall, ada, code).await;
        }
    }
    panic!("{key} {order:?}: the game goes on without players");
}

/// Rolls if need be, plays the first legal move, passes the rest, and checks who is next.
async fn one_turn(hall: &Hall, ada: ashtapada::ids::PersonId, code: ashtapada::ids::TableCode) {
    let mover = hall.table(code).await.play().unwrap().mover();
    if hall.table(code).await.play().unwrap().phase() == Phase::Roll {
        hall.act(ada, code, Action::Roll).await.unwrap();
    }
    let table = hall.table(code).await;
    let play = table.play().unwrap();
    if play.phase() == Phase::Move && play.mover() == mover {
        let first = play.text(play.legal()[0]);
        hall.plays(ada, code, &first).await;
    }
    let table = hall.table(code).await;
    let play = table.play().unwrap();
    if play.phase() == Phase::Move && play.mover() == mover && !play.unused().is_empty() {
        hall.act(ada, code, Action::Pass).await.unwrap();
    }
    let table = hall.table(code).await;
    let play = table.play().unwrap();
    assert_eq!(play.mover(), next_after(play, mover), "{code}");
}

/// A board with the four Kings on their corners and the mover's Sailboat beside the victim's.
fn board_to_capture(mover: Seat, victim: Seat) -> String {
    let corners = [
        (Seat::South, (0, 0)),
        (Seat::West, (0, 7)),
        (Seat::North, (7, 7)),
        (Seat::East, (7, 0)),
    ];
    let letters = ['r', 'b', 'y', 'g'];
    let mut grid = vec![vec![String::new(); 8]; 8];
    for (seat, (file, rank)) in corners {
        grid[rank][file] = format!("{}K", letters[seat.index()]);
        if seat == victim {
            grid[if rank == 0 { 1 } else { 6 }][file] = format!("{}S", letters[mover.index()]);
        }
    }
    let rank = |cells: &Vec<String>| {
        let cells = cells
            .iter()
            .map(|cell| if cell.is_empty() { "1" } else { cell.as_str() });
        cells.collect::<Vec<_>>().join(",")
    };
    grid.iter().rev().map(rank).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn r55_the_next_seat_is_right_after_every_capture_of_a_king() {
    let squares = |seat: Seat| match seat {
        Seat::South => "a2a1",
        Seat::West => "a7a8",
        Seat::North => "h7h8",
        _ => "h2h1",
    };
    for mover in Seat::FOUR {
        for victim in Seat::FOUR.iter().filter(|seat| *seat != mover) {
            let hall = Hall::new();
            let ada = hall.person("ada").await;
            let board = board_to_capture(*mover, *victim);
            let position = serde_json::json!({"board": board, "mover": mover});
            let wanted = Wanted {
                position: Some(serde_json::from_value(position).unwrap()),
                ..solo("chaturaji")
            };
            let code = hall.open(ada, wanted).await;
            let after = hall.plays(ada, code, squares(*victim)).await.table;
            let play = after.play().unwrap();
            assert!(!play.in_play(*victim), "{mover} takes {victim}");
            assert!(after.ending().is_none());
            assert_eq!(
                play.mover(),
                next_after(play, *mover),
                "{mover} takes {victim}"
            );
            assert_ne!(play.mover(), *victim);
        }
    }
}
