//! Whole games of every kind, from the opening to the record.

use ashtapada::club::Action;
use ashtapada::rules::{Phase, games};
use ashtapada::table::{Ending, Record, verify};

use crate::hall::{Hall, draw, solo};

/// The most commands played before the players agree to end.
const MOST: usize = 400;

#[tokio::test]
async fn every_game_is_played_to_its_end_and_its_record_verifies() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    for (seed, info) in games().enumerate() {
        let code = hall.open(ada, solo(info.key)).await;
        let mut drawn = seed;
        for _ in 0..MOST {
            let table = hall.table(code).await;
            if table.ending().is_some() {
                break;
            }
            let play = table.play().unwrap();
            if play.phase() == Phase::Roll {
                hall.act(ada, code, Action::Roll).await.unwrap();
                continue;
            }
            drawn = drawn
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let legal = play.legal();
            let text = play.text(legal[(drawn >> 33) % legal.len()]);
            hall.plays(ada, code, &text).await;
        }
        if hall.table(code).await.ending().is_none() {
            hall.act(ada, code, draw()).await.unwrap();
        }
        let table = hall.table(code).await;
        assert!(
            matches!(table.ending(), Some(Ending::Played { .. })),
            "{}",
            info.key
        );
        assert_eq!(table.on_turn_now(), None);
        let record = Record::of(&table, |_| "ada".to_owned()).unwrap();
        for form in [record.json(), record.text()] {
            let verified = verify(&Record::read(&form).unwrap()).unwrap();
            assert_eq!(verified.outcome, table.play().unwrap().outcome());
        }
        // A program started anew finds the same table.
        let again = hall.restarted(None).table(code).await;
        assert_eq!(again.play().unwrap().state(), table.play().unwrap().state());
        assert_eq!(again.version(), table.version());
    }
}
