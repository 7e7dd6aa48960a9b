//! Buttons: what was pressed on an old board is not done on the present one.

use ashtapada::club::{Action, Caller, ClubError, Done};
use ashtapada::ids::{PersonId, TableCode};
use ashtapada::table::Matter;

use crate::hall::{Hall, draw, now, quiet, solo};

fn moves(text: &str) -> Action {
    Action::Move {
        text: text.to_owned(),
    }
}

impl Hall {
    /// The person presses a button that was made when the table's position had this version.
    async fn presses(
        &self,
        person: PersonId,
        code: TableCode,
        version: u64,
        action: &Action,
    ) -> Result<Done, ClubError> {
        let caller = Caller {
            expects: Some(version),
            ..self.says(person)
        };
        self.club.act(&caller, Some(code), action, &quiet).await
    }
}

#[tokio::test]
async fn r13_a_button_of_an_old_board_says_from_which_move_it_is() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let first = hall.table(code).await.position_version();
    hall.plays(ada, code, "a2a3").await;
    hall.plays(bob, code, "a7a6").await;
    let third = hall.table(code).await.position_version();
    hall.plays(ada, code, "a3a4").await;
    hall.plays(bob, code, "a6a5").await;
    for (version, then) in [(first, 0), (third, 2)] {
        let pressed = hall.presses(ada, code, version, &moves("b2b3")).await;
        let old = ClubError::OldBoard { code, then, now: 4 };
        assert_eq!(pressed.unwrap_err(), old);
    }
    let present = hall.table(code).await.position_version();
    let pressed = hall.presses(ada, code, present, &moves("b2b3")).await;
    assert!(now(pressed).unwrap().changed());
}

#[tokio::test]
async fn of_two_clicks_at_once_one_acts() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    let version = hall.table(code).await.position_version();
    let (one, other) = tokio::join!(
        hall.presses(ada, code, version, &Action::Roll),
        hall.presses(ada, code, version, &Action::Roll)
    );
    let old = ClubError::OldBoard {
        code,
        then: 0,
        now: 0,
    };
    let (done, refused) = match one {
        Ok(done) => (done, other),
        Err(_) => (other.unwrap(), one),
    };
    assert!(matches!(done, Done::Now(_)));
    assert_eq!(refused.unwrap_err(), old);
    assert_eq!(hall.rolls(code).await.len(), 1);
}

#[tokio::test]
async fn offers_and_other_places_make_no_board_old() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let version = hall.table(code).await.position_version();
    hall.act(bob, code, draw()).await.unwrap();
    let table = hall.table(code).await;
    assert!(table.version() > version);
    assert!(table.game().unwrap().offer(Matter::Draw).is_some());
    assert_eq!(table.position_version(), version);
    let resign = |confirm| Action::Resign {
        seat: None,
        confirm,
    };
    let asked = hall.presses(ada, code, version, &resign(false)).await;
    assert!(now(asked).unwrap().changed());
    assert_eq!(hall.table(code).await.position_version(), version);
    // Who is sure stays sure when a move comes in between.
    hall.plays(ada, code, "a2a3").await;
    let pressed = hall.presses(ada, code, version, &resign(false)).await;
    assert!(matches!(pressed, Err(ClubError::OldBoard { .. })));
    let sure = hall.presses(ada, code, version, &resign(true)).await;
    assert!(now(sure).unwrap().table.ending().is_some());
}

#[tokio::test]
async fn an_offer_belongs_to_its_board_and_an_answer_to_its_offer() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let version = hall.table(code).await.position_version();
    hall.plays(ada, code, "a2a3").await;
    let cancel = Action::Cancel { offer: None };
    for action in [draw(), cancel] {
        let late = hall.presses(bob, code, version, &action).await;
        assert!(matches!(late, Err(ClubError::OldBoard { .. })), "{late:?}");
    }
    hall.act(ada, code, draw()).await.unwrap();
    let table = hall.table(code).await;
    let offer = table.game().and_then(|game| game.offer(Matter::Draw));
    let agree = Action::Draw {
        offer: offer.map(|offer| offer.id),
    };
    // Whatever the board, this is that offer.
    let agreed = hall.presses(bob, code, version, &agree).await;
    assert!(now(agreed).unwrap().table.ending().is_some());
}

#[tokio::test]
async fn r13_a_button_of_a_finished_game_is_of_an_old_board() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let version = hall.table(code).await.position_version();
    hall.act(ada, code, draw()).await.unwrap();
    hall.act(bob, code, draw()).await.unwrap();
    let pressed = hall.presses(ada, code, version, &moves("a2a3")).await;
    let old = ClubError::OldBoard {
        code,
        then: 0,
        now: 0,
    };
    assert_eq!(pressed.unwrap_err(), old);
}

#[tokio::test]
async fn the_version_of_a_position_is_the_same_when_its_events_are_read_again() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    for text in ["a2a3", "b2b3", "c2c3"] {
        hall.plays(ada, code, text).await;
        hall.plays(bob, code, &text.replace('2', "7").replace('3', "6"))
            .await;
        hall.act(ada, code, draw()).await.unwrap();
        let kept = hall.table(code).await;
        let read = hall.restarted(None).table(code).await;
        assert_eq!(read.position_version(), kept.position_version());
        assert_eq!(read.position_version(), kept.version() - 1);
        let moves = |version| (kept.moves_by(version), read.moves_by(version));
        for version in 0..=kept.version() {
            let (kept, read) = moves(version);
            assert_eq!(kept, read);
        }
    }
}
