use super::*;
use crate::command::message::Choice;
use matrix_sdk::ruma::events::room::MediaSource;
use matrix_sdk::ruma::user_id;

fn named() -> HashMap<PersonId, Named> {
    let ada = Named {
        account: Some(user_id!("@ada:a.org").to_owned()),
        name: "ada".to_owned(),
    };
    let bob = Named {
        account: None,
        name: "bob".to_owned(),
    };
    HashMap::from([(PersonId(1), ada), (PersonId(2), bob)])
}

fn turn() -> Text {
    Text::from("Red: Horse b1 to c3.\n")
        .mention(PersonId(1))
        .plain(" to roll, not ")
        .person(PersonId(2))
        .plain(".")
}

#[test]
fn r95_whose_turn_it_is_is_notified_and_nobody_else() {
    let content = written(&turn(), To::Everyone, &named(), "!");
    insta::assert_json_snapshot!(content);
    // Whoever plays elsewhere has no account here and is only named.
    let elsewhere = Text::new().mention(PersonId(2)).plain(" to roll.");
    let content = written(&elsewhere, To::Everyone, &named(), "!");
    assert_eq!(
        (&content["msgtype"], &content["m.mentions"]),
        (&json!("m.notice"), &json!({}))
    );
}

#[test]
fn r94_chatter_is_a_notice_that_notifies_nobody() {
    for (text, to) in [
        (turn().quiet(), To::Everyone),
        (turn(), To::Only(PersonId(1))),
    ] {
        let content = written(&text, to, &named(), "!");
        assert_eq!(content["msgtype"], "m.notice");
        assert_eq!(content["m.mentions"], json!({}));
    }
}

fn picture() -> Attached {
    let image = Image {
        width: 720,
        height: 720,
        blur: "LEHV6nWB2yk8pyo0adR*.7kCMdnj".to_owned(),
    };
    let caption = "Chaturanga K7Q2F: Red to move.".to_owned();
    Attached::picture(
        "K7Q2F-3-west.png".to_owned(),
        Arc::from([1, 2, 3]),
        caption,
        Some(image),
    )
}

fn plain_source() -> MediaSource {
    MediaSource::Plain("mxc://a.org/abc".into())
}

#[test]
fn r109_r110_a_board_is_a_picture_with_its_size_and_a_caption() {
    insta::assert_json_snapshot!(picture().content(&plain_source()));
}

#[test]
fn r109_in_an_encrypted_room_the_file_is_encrypted() {
    let file = json!({
        "url": "mxc://a.org/abc", "v": "v2", "iv": "AAAAAAAAAAAAAAAAAAAAAA",
        "key": {"kty": "oct", "key_ops": ["encrypt", "decrypt"], "alg": "A256CTR", "ext": true,
            "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
        "hashes": {"sha256": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
    });
    let source = MediaSource::Encrypted(serde_json::from_value(file).unwrap());
    let content = picture().content(&source);
    assert_eq!(content["file"]["url"], "mxc://a.org/abc");
    assert_eq!(content["info"]["thumbnail_file"], content["file"]);
    for plain in [&content["url"], &content["info"]["thumbnail_url"]] {
        assert!(plain.is_null(), "{content}");
    }
}

#[test]
fn a_record_is_a_file() {
    let file = Attached::file("K7Q2F.json".to_owned(), Arc::from(*b"{}"));
    let content = file.content(&plain_source());
    assert_eq!(content["msgtype"], "m.file");
    assert_eq!(content["body"], "K7Q2F.json");
    assert_eq!(
        content["info"],
        json!({"mimetype": "application/json", "size": 2})
    );
}

#[test]
fn the_hint_names_the_table_only_where_another_could_be_meant() {
    let place = Place::room(Platform::Matrix, "!r:a.org");
    let mut message = Message::everyone(place, Text::from("Red to roll."));
    message.table = Some("K7Q2F".parse().unwrap());
    let choice = |line: &str| Choice {
        label: String::new(),
        line: line.to_owned(),
    };
    message.choices = vec![
        choice("/roll table:K7Q2F"),
        choice("/draw table:K7Q2F offer:2"),
    ];
    let told = |alone| hint::hint(&message, None, alone).to_plain(|_| String::new());
    assert_eq!(told(true), "/roll or 🎲 · /draw offer:2");
    assert_eq!(
        told(false),
        "/roll table:K7Q2F or 🎲 · /draw table:K7Q2F offer:2"
    );
    message.choices.clear();
    assert!(hint::hint(&message, None, true).is_empty());
}
