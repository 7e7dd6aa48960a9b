//! A game by buttons and menus only, and what else they do.

use ashtapada_discord_tests::{Message, Person};

use crate::common::{code, stage, two};
use crate::games::Seated;

/// The menu's value that ends like this; further pages are turned to.
async fn chosen(person: &Person, mut step: Message, end: &str) -> (Message, String, String) {
    loop {
        for menu in step.selects() {
            let mut values = menu.options.iter().map(|(_, value)| value);
            if let Some(value) = values.find(|value| value.ends_with(end)) {
                return (step, menu.custom_id, value.clone());
            }
        }
        step = person.turns(&step, "More").await;
    }
}

/// Makes one move by hand from the wizard's first step; gives the step after it, if there is one.
async fn one_move(person: &Person, step: Message, before: &str, one: &str) -> Option<Message> {
    let squares = one.split('=').next().unwrap_or(one);
    let second = squares
        .char_indices()
        .skip(1)
        .find(|(_, c)| c.is_ascii_lowercase());
    let from = &squares[..second.unwrap().0];
    let (step, menu, value) = chosen(person, step, &format!("|{before}{from}")).await;
    let step = person.chooses(&step, &menu, &value).await;
    let mut offered = step.selects().into_iter().flat_map(|menu| menu.options);
    let direct = offered.any(|(_, value)| value.ends_with(&format!("|{before}{one}")));
    let step = match direct {
        true => step,
        false => {
            let (step, menu, value) = chosen(person, step, &format!("|{before}{squares}=")).await;
            person.chooses(&step, &menu, &value).await
        }
    };
    let (step, menu, value) = chosen(person, step, &format!("|{before}{one}")).await;
    person.chooses_or_ends(&step, &menu, &value).await
}

/// All moves of one turn from the board's button on.
async fn by_hand(person: &Person, board: &Message, moves: &[String]) -> Message {
    let mark = person.mark();
    let mut step = person.asks(board, "Move…").await.reply().clone();
    let mut before = String::new();
    for one in moves {
        match one_move(person, step.clone(), &before, one).await {
            Some(next) => step = next,
            None => return person.sees(mark, "the turn's message", |_| true).await,
        }
        before.push_str(one);
        before.push(',');
    }
    let _ = person.press(&step, "Play");
    person.sees(mark, "the turn's message", |_| true).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_with_dice_by_buttons_and_menus_only() {
    let seated = Seated::by_buttons("four-handed-11.json").await;
    let mut board = seated.board.clone();
    let all = seated.game["events"].as_array().unwrap().clone();
    let mut state = seated.game["first"].clone();
    let mut at = 0;
    while at < all.len() {
        let (what, value) = all[at]["do"].as_object().unwrap().iter().next().unwrap();
        let actor = seated.actor(&state).clone();
        let mark = actor.mark();
        match what.as_str() {
            "roll" => {
                let _ = actor.press(&board, "Roll");
                board = actor.sees(mark, "the roll", |_| true).await;
            }
            "move" => {
                let mut moves = vec![value.as_str().unwrap().to_owned()];
                // What follows of the same turn is chosen in the same hand.
                while let Some(next) = all.get(at + 1).and_then(|next| next["do"]["move"].as_str())
                    && all[at]["then"]["mover"] == state["mover"]
                    && all[at]["then"]["phase"] == "move"
                {
                    moves.push(next.to_owned());
                    at += 1;
                }
                board = by_hand(&actor, &board, &moves).await;
            }
            "pass" => {
                let _ = actor.press(&board, "Pass");
                board = actor.sees(mark, "the pass", |_| true).await;
            }
            "resign" => {
                let person = seated.seat(value.as_str().unwrap()).clone();
                let asked = person.asks(&board, "Resign").await;
                let confirm = asked.reply().buttons()[0].label.clone();
                let _ = person.press(asked.reply(), &confirm);
                board = person.sees(mark, "the resignation", |_| true).await;
            }
            other => panic!("no button for {other}"),
        }
        state = all[at]["then"].clone();
        at += 1;
    }
    let record = crate::common::record(&seated.people[0].1, &seated.code).await;
    assert_eq!(record["state"], state);
    let slashes = |world: &ashtapada_discord_tests::World| {
        world
            .interactions
            .values()
            .filter(|one| one.is_command())
            .count()
    };
    // `/new`, which has no button, and the record.
    assert_eq!(seated.stage.double.with(|world| slashes(world)), 2);
    seated.stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_has_its_buttons() {
    let stage = stage().await;
    let (ada, bob, cy) = (stage.person("ada"), stage.person("bob"), stage.person("cy"));
    let opened = ada.plays("/new game:chaturaji seat:south").await;
    let code = code(&opened);
    for label in ["Join", "Leave", "Start"] {
        assert!(opened.has_button(label), "{label}: {:?}", opened.buttons());
    }
    let seats = opened
        .buttons()
        .into_iter()
        .filter(|one| one.label.starts_with("Join as "));
    let seats: Vec<String> = seats.map(|one| one.label).collect();
    assert_eq!(seats.len(), 3, "{seats:?}");
    let mark = bob.mark();
    let _ = bob.press(&opened, &seats[2]);
    let joined = bob.sees(mark, "bob's seat", |_| true).await;
    let told = bob.says(&format!("/show table:{code}")).await.text();
    assert!(told.contains("bob"), "{told}");
    // The message before lost its buttons.
    stage
        .double
        .until("the buttons' end", |world| {
            world.messages[&opened.id]
                .buttons()
                .is_empty()
                .then_some(())
        })
        .await;
    let asked = cy.asks(&joined, "Start").await;
    assert!(!asked.text().is_empty());
    let mark = bob.mark();
    let _ = bob.press(&joined, "Leave");
    let left = bob.sees(mark, "bob's leaving", |_| true).await;
    assert!(left.content.contains("leaves"), "{}", left.content);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_has_its_buttons_and_each_does_what_it_says() {
    let stage = stage().await;
    let two = two(&stage).await;
    for label in [
        "Move…",
        "Board from my side",
        "Legal moves",
        "Offer",
        "Resign",
    ] {
        assert!(
            two.board.has_button(label),
            "{label}: {:?}",
            two.board.buttons()
        );
    }
    let own = two.bob.asks(&two.board, "Board from my side").await;
    assert_eq!(own.reply().attachments.len(), 1);
    assert!(own.reply().only == Some(two.bob.id) && own.reply().alt().is_some());
    let moves = two.ada.asks(&two.board, "Legal moves").await;
    assert!(moves.text().contains("a3"), "{}", moves.text());
    let offer = two.ada.asks(&two.board, "Offer").await;
    assert_eq!(offer.reply().only, Some(two.ada.id));
    let resign = two.ada.asks(&two.board, "Resign").await;
    assert!(!resign.reply().buttons().is_empty(), "{}", resign.text());
    // Nobody else can make a move from the button.
    let other = two.bob.asks(&two.board, "Move…").await;
    assert!(other.text().contains("not your turn"), "{}", other.text());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clicks_at_once_act_once() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let opened = ada.plays("/new game:four-handed solo:yes").await;
    let code = code(&opened);
    let mark = ada.mark();
    let clicks = [ada.press(&opened, "Roll"), ada.press(&opened, "Roll")];
    ada.sees(mark, "the roll", |_| true).await;
    // One of the two was told that its board is old.
    let told = stage
        .double
        .until("an answer to the other click", |world| {
            let heard = clicks.iter().filter_map(|click| world.heard(*click));
            heard
                .map(|heard| heard.text())
                .find(|text| !text.is_empty())
        })
        .await;
    assert!(told.contains("move") || told.contains("roll"), "{told}");
    let rolls = crate::common::record(&ada, &code).await["events"].to_string();
    assert_eq!(rolls.matches("\"roll\"").count(), 1, "{rolls}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_menu_that_has_nothing_to_choose_any_more_has_no_menu() {
    let stage = stage().await;
    let two = two(&stage).await;
    let step = two.ada.asks(&two.board, "Move…").await.reply().clone();
    let menu = step.selects().remove(0);
    two.ada
        .plays(&format!("/move moves:b1c3 table:{}", two.code))
        .await;
    let value = menu.options[0].1.clone();
    let after = two
        .ada
        .chooses_or_answered(&step, &menu.custom_id, &value)
        .await;
    assert!(after.contains("move"), "{after}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r53_resigning_is_always_possible_also_after_a_roll() {
    let stage = stage().await;
    let ada = stage.person("ada");
    let opened = ada.plays("/new game:partnership solo:yes").await;
    let mark = ada.mark();
    let _ = ada.press(&opened, "Roll");
    let roll = ada.sees(mark, "the roll", |_| true).await;
    for label in ["Resign", "Board from my side", "Legal moves"] {
        assert!(roll.has_button(label), "{label}: {:?}", roll.buttons());
    }
    stage.end().await;
}
