//! Throwing: once a turn, stored before it is shown, and not to be foretold.

use std::io::Write;
use std::sync::{Arc, Mutex};

use ashtapada::club::{Action, ClubError, Wanted};
use ashtapada::rules::{Phase, Seat};
use ashtapada::store::Store;
use ashtapada::table::{DiceTerms, Ending, Record, Refusal, VerifyError, verify};

use crate::hall::{Hall, draw, game, solo};

fn moves(text: &str) -> Action {
    Action::Move {
        text: text.to_owned(),
    }
}

#[tokio::test]
async fn r77_the_same_roll_stays_until_it_is_played_or_passed() {
    let hall = Hall::with_dice("1,1\n5,5\n");
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    assert_eq!(
        hall.refused(ada, code, moves("a2a3")).await,
        Refusal::RollFirst
    );
    assert_eq!(
        hall.refused(ada, code, Action::Pass).await,
        Refusal::RollFirst
    );
    let first = hall.act(ada, code, Action::Roll).await.unwrap();
    assert_eq!(first.stands, None);
    // A move that the dice do not allow changes nothing.
    assert!(matches!(
        hall.refused(ada, code, moves("c1b3")).await,
        Refusal::Unreadable(_) | Refusal::Rules(_)
    ));
    let again = hall.act(ada, code, Action::Roll).await.unwrap();
    assert_eq!(again.stands, Some(vec![1, 1]));
    assert!(!again.changed());
    hall.plays(ada, code, "a2a3").await;
    let again = hall.act(ada, code, Action::Roll).await.unwrap();
    assert_eq!(
        again.stands,
        Some(vec![1, 1]),
        "the turn's roll, though one die is used"
    );
    hall.act(ada, code, Action::Pass).await.unwrap();
    hall.act(ada, code, Action::Roll).await.unwrap();
    assert_eq!(hall.rolls(code).await, [(1, vec![1, 1]), (2, vec![5, 5])]);
}

#[tokio::test]
async fn r76_rolls_go_on_where_they_were_after_a_restart() {
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    let stays = hall.open(ada, solo("four-handed")).await;
    let throw = async |hall: &Hall| {
        for _ in 0..4 {
            hall.act(ada, code, Action::Roll).await.unwrap();
            if hall.table(code).await.play().unwrap().phase() == Phase::Move {
                hall.act(ada, code, Action::Pass).await.unwrap();
            }
        }
    };
    throw(&hall).await;
    let again = hall.restarted(None);
    throw(&again).await;
    let rolls = again.rolls(code).await;
    let numbers: Vec<u32> = rolls.iter().map(|(n, _)| *n).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_ne!(
        rolls[..4],
        rolls[4..]
            .iter()
            .map(|(n, dice)| (n - 4, dice.clone()))
            .collect::<Vec<_>>()
    );
    // Every roll is what the secret says it is.
    let end = again.act(ada, code, draw()).await.unwrap().table;
    let record = Record::of(&end, |_| String::new()).unwrap();
    ashtapada::table::verify(&record).unwrap();
    assert!(again.rolls(stays).await.is_empty());
}

#[tokio::test]
async fn a_roll_that_allows_nothing_passes_the_turn_on() {
    let hall = Hall::with_dice("6,6\n1,1\n");
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("partnership")).await;
    let rolled = hall.act(ada, code, Action::Roll).await.unwrap();
    let play = rolled.table.play().unwrap();
    assert_eq!((play.mover(), play.phase()), (Seat::West, Phase::Roll));
    assert_eq!(
        hall.act(ada, code, Action::Roll).await.unwrap().stands,
        None
    );
}

#[tokio::test]
async fn games_without_dice_say_so() {
    let hall = Hall::new();
    let (code, ada, _) = hall.duel().await;
    assert_eq!(hall.refused(ada, code, Action::Roll).await, Refusal::NoDice);
    assert_eq!(hall.table(code).await.dice_terms(), None);
}

/// Keeps everything that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn r73_the_secret_stands_in_no_event_record_reply_or_log_before_the_end() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _logged = tracing::subscriber::set_default(subscriber);
    let hall = Hall::new();
    let (code, people) = hall.four("four-handed").await;
    let mut shown = String::new();
    for person in people {
        let rolled = hall.act(person, code, Action::Roll).await.unwrap();
        shown.push_str(&format!("{rolled:?}"));
        if rolled.table.play().unwrap().phase() == Phase::Move {
            let passed = hall.act(person, code, Action::Pass).await.unwrap();
            shown.push_str(&format!("{passed:?}"));
        }
    }
    let table = hall.table(code).await;
    let record = Record::of(&table, |_| String::new()).unwrap();
    shown.push_str(&record.json());
    shown.push_str(&record.text());
    shown.push_str(&format!("{table:?} {record:?}"));
    shown.push_str(&serde_json::to_string(&hall.store.table(code).await.unwrap()).unwrap());
    shown.push_str(&String::from_utf8_lossy(&log.0.lock().unwrap()));

    let mut end = hall.act(people[0], code, draw()).await.unwrap();
    for person in &people[1..] {
        end = hall.act(*person, code, draw()).await.unwrap();
    }
    let secret = end.table.secret().unwrap();
    let hex = secret.to_string();
    let bytes = format!("{:?}", secret.0.bytes());
    for part in [&hex[..16], &hex[48..], &bytes[1..40]] {
        assert!(!shown.contains(part) && !shown.contains(&part.to_uppercase()));
    }
    let Some(DiceTerms::Fair { commitment, .. }) = end.table.dice_terms() else {
        panic!("not fair");
    };
    assert!(
        shown.contains(&commitment.to_string()),
        "the commitment is public all along"
    );
    assert!(
        Record::of(&end.table, |_| String::new())
            .unwrap()
            .json()
            .contains(&hex)
    );
}

#[tokio::test]
async fn r73_the_key_is_needed_to_go_on() {
    use ashtapada::club::{Club, Limits, OsChance, SystemClock};
    let hall = Hall::new();
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    let other = Club::new(
        hall.store.clone(),
        Arc::new(SystemClock),
        Arc::new(OsChance),
        ashtapada::table::SealingKey::new([1; 32]),
        None,
        Limits::default(),
    );
    let refused = other
        .act(
            &hall.says(ada),
            Some(code),
            &Action::Roll,
            &crate::hall::quiet,
        )
        .await;
    assert!(matches!(refused.unwrap_err(), ClubError::Seal(_)));
    assert!(hall.rolls(code).await.is_empty());
    // Ended it can be all the same: without its secret, which whoever verifies the record is told.
    let drawn = other
        .act(&hall.says(ada), Some(code), &draw(), &crate::hall::quiet)
        .await;
    let ended = crate::hall::now(drawn).unwrap().table;
    assert!(matches!(
        ended.ending(),
        Some(Ending::Played { secret: None, .. })
    ));
    let record = Record::of(&ended, |_| String::new()).unwrap();
    assert_eq!(verify(&record), Err(VerifyError::NoSecret));
}

#[tokio::test]
async fn the_drawn_set_up_is_roll_number_nought() {
    let hall = Hall::new();
    let people = hall.people(["ada", "bob", "cem", "dee"]).await;
    let mut orders = Vec::new();
    for _ in 0..12 {
        let mut wanted: Wanted = game("partnership");
        wanted
            .options
            .insert("setup".to_owned(), "random".to_owned());
        let code = hall.open(people[0], wanted).await;
        for person in &people[1..] {
            hall.join(*person, code).await.unwrap();
        }
        for person in people {
            hall.act(person, code, draw()).await.unwrap();
        }
        let table = hall.table(code).await;
        let record = Record::of(&table, |_| String::new()).unwrap();
        ashtapada::table::verify(&record).unwrap();
        orders.push(table.game().unwrap().order.unwrap());
    }
    orders.sort_unstable();
    orders.dedup();
    assert!(orders.len() > 4, "{orders:?}");
}

#[tokio::test]
async fn the_commander_of_an_army_answers_for_it() {
    // FH8: South's King steps onto North's throne; North's army is then South's to move.
    let hall = Hall::with_dice("1,1\n1,1\n1,1\n");
    let people = hall.people(["ada", "bob", "cem", "dee"]).await;
    let position = serde_json::json!({
        "board": "yK,yP,6/8/8/8/3,gP,4/8/rP,5,kP,1/rK,6,kK",
        "mover": "south",
        "command": ["south", "west", "south", "east"],
    });
    let wanted = Wanted {
        position: Some(serde_json::from_value(position).unwrap()),
        ..game("four-handed")
    };
    let code = hall.open(people[0], wanted).await;
    for person in &people[1..] {
        hall.join(*person, code).await.unwrap();
    }
    for person in [people[0], people[1]] {
        hall.act(person, code, Action::Roll).await.unwrap();
        hall.act(person, code, Action::Pass).await.unwrap();
    }
    let table = hall.table(code).await;
    assert_eq!(table.play().unwrap().mover(), Seat::North);
    assert_eq!(table.on_turn_now(), Some(people[0]));
    let not_yours = Refusal::NotYourTurn {
        seat: Seat::North,
        person: Some(people[0]),
    };
    assert_eq!(hall.refused(people[2], code, Action::Roll).await, not_yours);
    hall.act(people[0], code, Action::Roll).await.unwrap();
    hall.plays(people[0], code, "d4d3").await;
    // Who is out has nothing to resign and nothing to agree to.
    assert_eq!(hall.refused(people[2], code, draw()).await, Refusal::Out);
}
