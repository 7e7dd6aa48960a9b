use proptest::prelude::*;

use super::*;
use crate::command::catalogue::Verb;

fn invocation(line: &str) -> Invocation {
    match read(line, "!") {
        Ok(Some(invocation)) => invocation,
        other => panic!("{line:?} was read as {other:?}"),
    }
}

fn refused(line: &str) -> String {
    match read(line, "!") {
        Err(error) => error.to_string(),
        other => panic!("{line:?} was read as {other:?}"),
    }
}

#[test]
fn a_command_is_read_behind_a_slash_or_the_prefix_in_any_case() {
    for line in [
        "/roll",
        "!roll",
        "  /ROLL  ",
        "／roll",
        "/ｒｏｌｌ",
        "\u{feff}!Roll\r\n",
    ] {
        assert_eq!(invocation(line).command.verb, Verb::Roll, "{line:?}");
    }
    assert!(matches!(read("$$roll", "$$"), Ok(Some(_))));
}

#[test]
fn talk_is_no_command() {
    for line in [
        "",
        "roll",
        "b1c3",
        "/",
        "!!!",
        "! roll",
        "/etc/motd",
        "/:-)",
        "hello /roll",
    ] {
        assert!(matches!(read(line, "!"), Ok(None)), "{line:?}");
    }
}

#[test]
fn the_first_required_option_needs_no_name_and_the_others_are_named_with_a_colon_or_an_equals_sign()
{
    for line in [
        "/new chaturanga with:@bob word:hello",
        "/new game:chaturanga with=@bob word=hello",
        "/new word:hello chaturanga @bob",
        "/new with: @bob game= Chaturanga word：hello",
    ] {
        let new = invocation(line);
        assert_eq!(
            new.game("game").map(|info| info.key),
            Some("chaturanga"),
            "{line}"
        );
        assert_eq!(new.people("with"), ["bob"], "{line}");
        assert_eq!(new.text("word"), Some("hello"), "{line}");
    }
}

#[test]
fn a_game_is_known_by_its_key_its_name_and_an_unambiguous_beginning() {
    for (text, key) in [
        ("four-handed", "four-handed"),
        ("four handed cross", "four-handed-cross"),
        ("maha", "maha-chatukanga"),
        ("Maha Chatukanga", "maha-chatukanga"),
        ("chaturaj", "chaturaji"),
        ("CJ", "chaturaji"),
    ] {
        let game = invocation(&format!("/new {text}")).game("game");
        assert_eq!(game.map(|info| info.key), Some(key), "{text}");
    }
    assert_eq!(
        refused("/new chatur"),
        "“chatur” could be chaturanga or chaturaji. Write a little more of it."
    );
}

#[test]
fn several_people_and_the_options_of_the_game_may_follow_each_other() {
    for line in [
        "/new four-handed with:@bob @cy @di options:corner=boat quiet=30 solo",
        "/new four-handed solo:yes corner=boat with:@bob,@cy with:@di options:\"quiet=30\"",
        "/new four-handed @bob @cy @di @bob options:'corner=boat, quiet:30' solo:on",
    ] {
        let new = invocation(line);
        assert_eq!(new.people("with"), ["bob", "cy", "di"], "{line}");
        let mut pairs = new.pairs("options").to_vec();
        pairs.sort();
        let expected = [("corner", "boat"), ("quiet", "30")];
        assert_eq!(
            pairs,
            expected.map(|(key, value)| (key.to_owned(), value.to_owned())),
            "{line}"
        );
        assert!(new.yes("solo") && !new.yes("open"), "{line}");
    }
}

#[test]
fn r85_all_forms_of_quotes_are_equal_mismatched_too() {
    for line in [
        "/join word:\"don't panic\"",
        "/join word:“don't panic”",
        "/join word:„don't panic“",
        "/join word:«don't panic»",
        "/join word:“don't panic\"",
        "/join word:'don't panic'",
        "/join word:’don't panic’",
        "/join word:don't panic",
        "/join word:\"don't panic",
    ] {
        assert_eq!(invocation(line).text("word"), Some("don't panic"), "{line}");
    }
    assert_eq!(
        invocation("/move ‘b1c3 a2a3’").text("moves"),
        Some("b1c3 a2a3")
    );
}

#[test]
fn r88_no_value_carries_a_carriage_return() {
    let moves = invocation("/move b1c3\r\na2a3\r\n");
    assert_eq!(moves.text("moves"), Some("b1c3 a2a3"));
    let join = invocation("/join word:\"hello\r\"\r\n");
    assert_eq!(join.text("word"), Some("hello"));
}

#[test]
fn moves_take_the_rest_of_the_line_but_for_a_table() {
    for line in [
        "/move b1–c3 a8=Mantri horse b1 to c3 table:K7Q2F",
        "/move table=k7q2f b1–c3 a8=Mantri horse b1 to c3",
        "/move b1–c3 a8=Mantri horse b1 to c3 K7Q2F",
    ] {
        let play = invocation(line);
        assert_eq!(
            play.text("moves"),
            Some("b1–c3 a8=Mantri horse b1 to c3"),
            "{line}"
        );
        assert_eq!(
            play.table().map(|code| code.to_string()),
            Some("K7Q2F".to_owned()),
            "{line}"
        );
    }
    assert_eq!(invocation("/move pawn=F").text("moves"), Some("pawn=F"));
}

#[test]
fn a_code_by_itself_names_the_table() {
    for line in [
        "/join k7q2f",
        "/resign K7Q2F confirm:yes",
        "/moves K7Q2F",
        "/show table:#K7Q2F",
    ] {
        let code = invocation(line).table().map(|code| code.to_string());
        assert_eq!(code, Some("K7Q2F".to_owned()), "{line}");
    }
}

#[test]
fn a_position_is_taken_as_it_stands_between_its_braces() {
    let setup = r#"{"board": "K7/8", "mover": "south", "reserve": {"south": "KR"}}"#;
    for line in [
        format!("/new partnership position:{setup} solo:yes"),
        format!("/new partnership position:'{setup}' solo:yes"),
        format!(
            "/new partnership position:{} solo:yes",
            setup.replace('"', "”")
        ),
    ] {
        let new = invocation(&line);
        assert_eq!(new.text("position"), Some(setup), "{line}");
        assert!(new.yes("solo"), "{line}");
    }
}

#[test]
fn mentions_are_read_as_the_platforms_write_them() {
    for (line, account) in [
        ("/invite @ada", "ada"),
        ("/invite ada", "ada"),
        ("/invite <@123>", "123"),
        ("/invite player:<@!123>", "123"),
        ("/invite @ada:example.org", "ada:example.org"),
    ] {
        assert_eq!(invocation(line).people("player"), [account], "{line}");
    }
}

#[test]
fn what_cannot_be_read_is_answered_with_what_is_near() {
    let told: Vec<String> = [
        "/mvoe b1c3",
        "/frobnicate",
        "/new chess",
        "/new chaturnga",
        "/new chaturanga wiht:@bob",
        "/new chaturanga cornr=boat",
        "/new chaturanga options:corner",
        "/new chaturanga seat:south seat:west",
        "/new chaturanga with:@a @b @c @d",
        "/new chaturanga solo:maybe",
        "/roll now",
        "/join table:K7Q2",
        "/board as:pciture",
        "/board as:x",
        "/help movee",
        "/move",
        "/invite @",
        "/roll x é",
    ]
    .into_iter()
    .map(|line| format!("{line}\n    {}", refused(line)))
    .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn answers_stay_short_whatever_was_written() {
    let long = "é".repeat(3000);
    for line in [
        format!("/{long}"),
        format!("/new {long}"),
        format!("/roll {long}"),
        format!("/join word:{long}"),
    ] {
        assert!(refused(&line).chars().count() < 400, "{}", refused(&line));
    }
}

proptest! {
    #[test]
    fn r86_no_text_makes_the_reader_panic(line in any::<String>(), prefix in any::<String>()) {
        let read = read(&line, &prefix);
        prop_assert!(read.is_ok() || read.is_err_and(|error| !error.to_string().is_empty()));
    }

    #[test]
    fn r86_no_text_behind_a_command_makes_the_reader_panic(
        index in 0..COMMANDS.len(),
        rest in r#"[ a-z@:=\{\}"'“”’ é\r\n🦄\u{301}\u{200B}]{0,60}"#,
    ) {
        let name = COMMANDS[index].name;
        match read(&format!("/{name} {rest}"), "!") {
            Ok(Some(invocation)) => prop_assert_eq!(invocation.command.name, name),
            Ok(None) => prop_assert!(false, "a command was taken for talk"),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn a_game_may_follow_those_who_are_invited() {
    let new = invocation("/new with:@bob chaturanga");
    assert_eq!(new.people("with"), ["bob"]);
    assert_eq!(new.game("game").map(|info| info.key), Some("chaturanga"));
}

#[test]
fn a_prefix_is_one_to_three_signs_and_settings_are_taken_back() {
    for prefix in ["!", "?", "!!", "$$.", "♘"] {
        let place = invocation(&format!("/place prefix:{prefix}"));
        assert_eq!(place.text("prefix"), Some(prefix));
    }
    for prefix in ["a", "!a", "1", ">", "@", "#", "!!!!", "{!"] {
        let told = refused(&format!("/place prefix:{prefix}"));
        assert!(told.starts_with("prefix cannot be"), "{told}");
    }
    let place = invocation("/place prefix:none default-game:none theme:none");
    for key in ["prefix", "default-game", "theme"] {
        assert_eq!(place.word(key), Some("default"), "{key}");
    }
    for key in ["prefix", "default-game", "theme", "threads", "channels"] {
        let place = invocation(&format!("/place {key}:default"));
        assert_eq!(place.word(key), Some("default"), "{key}");
    }
    assert!(refused("/new none").contains("none"));
}

#[test]
fn a_reply_to_a_board_names_its_table_unless_the_line_does() {
    let code = "K7Q2F".parse().unwrap();
    assert_eq!(invocation("/roll").at_table(code).table(), Some(code));
    let named = invocation("/roll table:22222").at_table(code);
    assert_eq!(named.table(), "22222".parse().ok());
    assert_eq!(invocation("/games").at_table(code).table(), None);
}
