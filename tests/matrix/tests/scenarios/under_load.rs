//! Many rooms at once.

use std::time::Duration;

use ashtapada_matrix_tests::{Door, Event, Kind, Person, Stage};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::common::{BOT, events};

const ROOMS: usize = 50;
const SECONDS: usize = 60;

/// A game that can go on for as long as it takes: horses out and home again.
const ROUND: [&str; 4] = ["b1c3", "b8c6", "c3b1", "c6b8"];

#[tokio::test(flavor = "multi_thread")]
async fn fifty_rooms_and_a_command_a_second_and_a_room_that_is_left_when_nobody_else_is_there() {
    let stage = Stage::alone(BOT).await;
    let mut people = Vec::new();
    for name in ["ada", "bob", "cy", "di", "eve"] {
        people.push(stage.person(name).await);
    }
    let mut rooms: Vec<(Person, String)> = Vec::new();
    let mut opening = JoinSet::new();
    for number in 0..ROOMS {
        let person = people[number % people.len()].clone();
        let bot = stage.bot_id.clone();
        let kind = if number % 2 == 0 {
            Kind::Plain
        } else {
            Kind::Encrypted
        };
        opening.spawn(async move {
            let person = person.opens(kind, None, &[&bot]).await;
            person.sees(0, "a greeting", Event::is_words).await;
            let code = person.plays("!new chaturanga solo:yes").await.code();
            (person, code)
        });
        while opening.len() >= 5 {
            rooms.extend(opening.join_next().await.map(|room| room.unwrap()));
        }
    }
    while let Some(room) = opening.join_next().await {
        rooms.push(room.unwrap());
    }
    // Who goes out of a room leaves the bot alone there, and after a minute it goes too.
    let forsaken = people[0].opens(Kind::Plain, None, &[&stage.bot_id]).await;
    forsaken.sees(0, "a greeting", Event::is_words).await;
    forsaken.leaves().await;
    let mut tick = interval(Duration::from_secs(1));
    tick.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut turns = JoinSet::new();
    for number in 0..SECONDS {
        tick.tick().await;
        let (person, _) = rooms[number % ROOMS].clone();
        let one = ROUND[number / ROOMS];
        turns.spawn(async move {
            let known = person.newest();
            let said = person.says(&format!("!move {one}")).await;
            let said = person.sees_own(&said).await;
            let told = person.sees_next(known, "the move").await;
            // Both by the server's clock.
            told.at.saturating_sub(said.at)
        });
    }
    let mut after = Vec::new();
    while let Some(turn) = turns.join_next().await {
        after.push(turn.unwrap());
    }
    after.sort_unstable();
    let at = |part: usize| after[(after.len() - 1) * part / 100];
    println!(
        "from the command to the words behind the picture, {} commands in {ROOMS} rooms: p50 {} ms, p99 {} ms, slowest {} ms",
        after.len(),
        at(50),
        at(99),
        at(100)
    );
    let left = |door: &Door| {
        let calls = door.calls("POST /rooms/*/leave");
        let done = calls.iter().any(|call| call.status == Some(200));
        done.then_some(())
    };
    stage
        .door
        .until("the bot's leaving of a room where it is alone", left)
        .await;
    let members = stage.members(forsaken.room()).await;
    assert!(members.is_empty(), "{members:?}");
    for (number, (person, code)) in rooms.iter().enumerate().step_by(9) {
        let wanted = SECONDS / ROOMS + usize::from(number < SECONDS % ROOMS);
        assert_eq!(events(person, code).await, wanted);
    }
    stage.end().await;
}
