//! Offers: draws, closing by consent, and what becomes of them.

use ashtapada::club::{Action, ClubError};
use ashtapada::rules::{Reason, Seat};
use ashtapada::table::{Ending, Event, Matter, OfferId, Phase, Refusal};

use crate::hall::{Hall, draw, solo};

fn reason(ending: Option<&Ending>) -> Option<Reason> {
    match ending {
        Some(Ending::Played { outcome, .. }) => Some(outcome.reason),
        _ => None,
    }
}

fn cancel() -> Action {
    Action::Cancel { offer: None }
}

fn decline() -> Action {
    Action::Decline { offer: None }
}

#[tokio::test]
async fn a_draw_is_agreed_when_all_still_in_the_game_have_agreed() {
    let hall = Hall::new();
    let (code, people) = hall.four("chaturaji").await;
    let resign = |confirm| Action::Resign {
        seat: None,
        confirm,
    };
    hall.act(people[3], code, resign(false)).await.unwrap();
    hall.act(people[3], code, resign(true)).await.unwrap();
    assert_eq!(hall.refused(people[3], code, draw()).await, Refusal::Out);
    hall.act(people[1], code, draw()).await.unwrap();
    hall.act(people[0], code, draw()).await.unwrap();
    // Agreeing twice changes nothing.
    assert!(!hall.act(people[0], code, draw()).await.unwrap().changed());
    let end = hall.act(people[2], code, draw()).await.unwrap();
    assert_eq!(reason(end.table.ending()), Some(Reason::Agreement));
}

#[tokio::test]
async fn an_agreement_is_complete_when_the_last_one_who_lacked_goes() {
    let hall = Hall::new();
    let (code, people) = hall.four("chaturaji").await;
    for person in &people[..3] {
        hall.act(*person, code, draw()).await.unwrap();
    }
    let resign = |confirm| Action::Resign {
        seat: None,
        confirm,
    };
    hall.act(people[3], code, resign(false)).await.unwrap();
    let end = hall.act(people[3], code, resign(true)).await.unwrap();
    assert_eq!(reason(end.table.ending()), Some(Reason::Agreement));
}

#[tokio::test]
async fn one_person_at_a_solo_table_agrees_with_themselves_at_once() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("partnership")).await;
    let end = hall.act(ada, code, draw()).await.unwrap();
    assert_eq!(reason(end.table.ending()), Some(Reason::Agreement));
    let code = hall.open(ada, solo("partnership")).await;
    let end = hall.act(ada, code, cancel()).await.unwrap();
    assert!(matches!(end.table.ending(), Some(Ending::Cancelled { .. })));
}

#[tokio::test]
async fn r47_consent_is_bound_to_its_offer_and_its_table() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let (other, _, _) = hall.duel().await;
    hall.act(ada, other, draw()).await.unwrap();
    let offered = hall.act(ada, code, draw()).await.unwrap();
    let Phase::Playing(game) = offered.table.phase() else {
        panic!("over");
    };
    let id = game.offer(Matter::Draw).unwrap().id;
    // Consent that names something else agrees to nothing.
    let wrong = Action::Draw {
        offer: Some(OfferId(id.0 + 1)),
    };
    assert_eq!(hall.refused(bob, code, wrong).await, Refusal::OfferLapsed);
    let right = Action::Draw { offer: Some(id) };
    let end = hall.act(bob, code, right).await.unwrap();
    assert_eq!(reason(end.table.ending()), Some(Reason::Agreement));
    let untouched = hall.table(other).await;
    assert!(
        untouched.ending().is_none(),
        "the other table's offer is still open"
    );
}

#[tokio::test]
async fn r49_two_offers_are_open_beside_each_other_and_answered_apart() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    hall.act(ada, code, draw()).await.unwrap();
    let both = hall.act(ada, code, cancel()).await.unwrap().table;
    let Phase::Playing(game) = both.phase() else {
        panic!("over");
    };
    let matters: Vec<_> = game.offers.iter().map(|offer| offer.matter).collect();
    assert_eq!(matters, [Matter::Draw, Matter::Cancel]);
    assert_eq!(
        hall.refused(bob, code, decline()).await,
        Refusal::WhichOffer(matters)
    );
    let draw_offer = Action::Decline {
        offer: game.offer(Matter::Draw).map(|offer| offer.id),
    };
    hall.act(bob, code, draw_offer).await.unwrap();
    let end = hall.act(bob, code, cancel()).await.unwrap();
    assert!(matches!(end.table.ending(), Some(Ending::Cancelled { .. })));
}

#[tokio::test]
async fn r50_an_offer_that_was_turned_down_does_not_come_back() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let offered = hall.act(ada, code, draw()).await.unwrap().table;
    let first = OfferId(offered.version() - 1);
    hall.act(bob, code, decline()).await.unwrap();
    let old = Action::Draw { offer: Some(first) };
    assert_eq!(
        hall.refused(bob, code, old.clone()).await,
        Refusal::OfferLapsed
    );
    assert_eq!(
        hall.refused(bob, code, decline()).await,
        Refusal::NothingOpen
    );
    // A new offer at the same move is another one.
    hall.act(ada, code, draw()).await.unwrap();
    assert_eq!(hall.refused(bob, code, old).await, Refusal::OfferLapsed);
    assert!(hall.table(code).await.ending().is_none());
}

#[tokio::test]
async fn r128_a_move_of_the_one_who_offered_takes_the_offer_back() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let offered = hall.act(ada, code, draw()).await.unwrap().table;
    let id = OfferId(offered.version() - 1);
    let moved = hall.plays(ada, code, "a2a3").await;
    let taken_back = Event::OfferWithdrawn {
        matter: Matter::Draw,
    };
    assert_eq!(moved.changes[1].entry.event, taken_back);
    let late = Action::Draw { offer: Some(id) };
    assert_eq!(hall.refused(bob, code, late).await, Refusal::OfferLapsed);
    // Without a name it is a new offer, not consent to the old one.
    hall.act(bob, code, draw()).await.unwrap();
    assert!(hall.table(code).await.ending().is_none());
    // The other's move leaves it open.
    hall.plays(bob, code, "a7a6").await;
    let table = hall.table(code).await;
    assert!(
        table.game().unwrap().offer(Matter::Draw).is_none(),
        "bob moved himself"
    );
}

#[tokio::test]
async fn an_offer_stays_open_while_others_move_and_lapses_with_its_maker() {
    let hall = Hall::new();
    let (code, people) = hall.four("chaturaji").await;
    hall.act(people[3], code, draw()).await.unwrap();
    hall.plays(people[0], code, "a2a3").await;
    assert!(
        hall.table(code)
            .await
            .game()
            .unwrap()
            .offer(Matter::Draw)
            .is_some()
    );
    let resign = |confirm| Action::Resign {
        seat: None,
        confirm,
    };
    hall.act(people[3], code, resign(false)).await.unwrap();
    hall.act(people[3], code, resign(true)).await.unwrap();
    assert!(
        hall.table(code)
            .await
            .game()
            .unwrap()
            .offer(Matter::Draw)
            .is_none()
    );
}

#[tokio::test]
async fn a_begun_table_is_closed_by_everybodys_consent_until_all_have_moved() {
    let hall = Hall::new();
    let (code, ada, bob) = hall.duel().await;
    let eve = hall.person("eve").await;
    assert_eq!(hall.refused(eve, code, cancel()).await, Refusal::NotSeated);
    hall.act(ada, code, cancel()).await.unwrap();
    assert!(hall.table(code).await.ending().is_none());
    hall.plays(ada, code, "a2a3").await;
    // When the last one has moved, what was asked lapses.
    let moved = hall.plays(bob, code, "a7a6").await;
    let lapsed = Event::OfferWithdrawn {
        matter: Matter::Cancel,
    };
    assert_eq!(moved.changes.last().unwrap().entry.event, lapsed);
    assert_eq!(
        hall.refused(bob, code, cancel()).await,
        Refusal::TooLateToCancel
    );
}

#[tokio::test]
async fn claiming_is_refused_where_it_is_not_justified() {
    let hall = Hall::new();
    let (code, people) = hall.four("chaturaji").await;
    let refused = hall.refused(people[0], code, Action::Claim).await;
    assert!(matches!(refused, Refusal::Rules(_)), "{refused:?}");
    let refused = hall.refused(people[1], code, Action::Claim).await;
    let not_yours = Refusal::NotYourTurn {
        seat: Seat::South,
        person: Some(people[0]),
    };
    assert_eq!(refused, not_yours);
    let gone = hall
        .act(people[0], "ZZZZ2".parse().unwrap(), Action::Claim)
        .await;
    assert!(matches!(gone.unwrap_err(), ClubError::NoSuchTable(_)));
}

#[tokio::test]
async fn at_a_closed_table_nothing_is_played_any_more() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    for key in ["four-handed", "chaturanga"] {
        for begun in [true, false] {
            let wanted = match begun {
                true => crate::hall::solo(key),
                false => crate::hall::game(key),
            };
            let code = hall.open(ada, wanted).await;
            hall.act(ada, code, cancel()).await.unwrap();
            let table = hall.table(code).await;
            assert!(matches!(table.phase(), Phase::Over { .. }));
            assert_eq!(table.on_turn_now(), None);
            let text = "a2a3".to_owned();
            for action in [
                Action::Roll,
                Action::Move { text },
                Action::Pass,
                Action::Claim,
                draw(),
                cancel(),
            ] {
                let refused = hall.refused(ada, code, action.clone()).await;
                assert_eq!(refused, Refusal::Finished, "{action:?}");
            }
        }
    }
}
