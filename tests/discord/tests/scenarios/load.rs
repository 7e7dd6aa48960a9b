//! Many tables at once.

use std::time::{Duration, Instant};

use ashtapada_discord_tests::{ChannelKind, Person, Stage};

use crate::common::{BOT, code};

/// How many tables are played.
const TABLES: usize = 200;
/// How many of them are in one channel.
const IN_A_CHANNEL: usize = 10;
/// How long commands are sent, and how many in a second.
const SECONDS: usize = 20;
const A_SECOND: usize = 20;

/// Somebody's solo table of Chaturanga, and where its game stands.
struct Table {
    person: Person,
    code: String,
    moved: usize,
}

/// A game that can go on for as long as it takes: horses out and home again.
const ROUND: [&str; 4] = ["b1c3", "b8c6", "c3b1", "c6b8"];

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_tables_and_twenty_commands_a_second() {
    let stage = Stage::alone(BOT).await;
    let mut tables = Vec::new();
    let ada: Vec<Person> = (0..20)
        .map(|number| stage.person(&format!("p{number}")))
        .collect();
    for number in 0..TABLES {
        let channel = match number % IN_A_CHANNEL {
            0 => stage.double.with(|world| {
                world.add_channel(stage.guild, ChannelKind::Text, &format!("room{number}"))
            }),
            _ => tables
                .last()
                .map_or(stage.hall, |table: &Table| table.person.channel()),
        };
        let person = ada[number % ada.len()].at(channel);
        let opened = person.plays("/new game:chaturanga solo:yes").await;
        tables.push(Table {
            code: code(&opened),
            person,
            moved: 0,
        });
    }
    let posts = |stage: &Stage| {
        stage.double.with(|world| {
            let sent = world.messages.values();
            sent.filter(|post| post.author == world.bot.id && post.only.is_none())
                .count()
        })
    };
    let before = posts(&stage);
    let begun = Instant::now();
    let mut sent = Vec::new();
    for number in 0..SECONDS * A_SECOND {
        let due = Duration::from_millis((number * 1000 / A_SECOND) as u64);
        let early = due.saturating_sub(begun.elapsed());
        stage.double.within(early, |_| None::<()>).await;
        let table = &mut tables[number % TABLES];
        let one = ROUND[table.moved % ROUND.len()];
        table.moved += 1;
        sent.push(
            table
                .person
                .send(&format!("/move moves:{one} table:{}", table.code)),
        );
    }
    let wanted = before + sent.len();
    stage
        .double
        .within(Duration::from_secs(60), |world| {
            let posts = world.messages.values();
            let posts = posts.filter(|post| post.author == world.bot.id && post.only.is_none());
            (posts.count() >= wanted).then_some(())
        })
        .await;
    assert_eq!(posts(&stage), wanted, "messages lost or posted twice");
    let behind = begun.elapsed();
    let mut firsts = stage.double.with(|world| {
        let firsts = sent.iter().map(|id| world.interactions[id].first_after);
        firsts.collect::<Vec<Option<Duration>>>()
    });
    firsts.sort();
    assert!(
        firsts.iter().all(Option::is_some),
        "an interaction without an answer"
    );
    let at = |part: usize| firsts[(firsts.len() - 1) * part / 100].unwrap_or_default();
    println!(
        "first response: p50 {:?}, p99 {:?}, slowest {:?}; {} commands shown after {behind:?}",
        at(50),
        at(99),
        at(100),
        sent.len()
    );
    assert!(at(100) < Duration::from_secs(3));
    for table in tables.iter().step_by(37) {
        assert_eq!(
            crate::common::events(&table.person, &table.code).await,
            table.moved
        );
    }
    assert_eq!(posts(&stage), wanted, "posted once more");
    stage.end().await;
}
