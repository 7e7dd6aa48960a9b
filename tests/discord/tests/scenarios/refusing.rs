//! The double itself refuses what Discord refuses: otherwise the other scenarios would prove little.

use ashtapada_discord_tests::Double;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a request with the bot's token, and gives the status and the answer.
async fn ask(double: &Double, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let address = double.url();
    let address = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let body = body.to_string();
    let head = format!(
        "{method} /api/v10{path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bot {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        double.with(|world| world.token().to_owned()),
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let json = answer.split_once("\r\n\r\n").map_or("", |(_, json)| json);
    (
        status.unwrap(),
        serde_json::from_str(json).unwrap_or(Value::Null),
    )
}

/// A message with what every message of ours has.
fn message(more: Value) -> Value {
    let mut message = json!({"content": "x", "allowed_mentions": {"parse": []}});
    for (key, value) in more.as_object().unwrap() {
        message[key] = value.clone();
    }
    message
}

fn row(parts: Value) -> Value {
    json!({"components": [{"type": 1, "components": parts}]})
}

fn button(label: &str, id: &str) -> Value {
    json!({"type": 2, "style": 1, "label": label, "custom_id": id})
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_or_of_the_wrong_form_is_refused() {
    let double = Double::open().await;
    let channel = double.with(|world| {
        let guild = world.add_guild("Palace");
        world.add_channel(guild, ashtapada_discord_tests::ChannelKind::Text, "hall")
    });
    let path = format!("/channels/{channel}/messages");
    let (status, _) = ask(&double, "POST", &path, &message(json!({}))).await;
    assert_eq!(status, 200);
    double.with(|world| assert_eq!(world.refused, [""; 0]));
    let long = |many: usize| "x".repeat(many);
    let six: Vec<Value> = (0..6).map(|id| button("x", &id.to_string())).collect();
    let rows: Vec<Value> = (0..6)
        .map(|id| json!({"type": 1, "components": [button("x", &id.to_string())]}))
        .collect();
    let lines: Vec<Value> = (0..26)
        .map(|id| json!({"label": "x", "value": id.to_string()}))
        .collect();
    let wrong = [
        json!({"content": long(2001)}),
        json!({"nonce": long(26)}),
        json!({"flags": "ephemeral"}),
        json!({"components": rows}),
        json!({"attachments": [{"id": "0", "filename": "a.png", "description": long(1025)}]}),
        row(json!(six)),
        row(json!([button(&long(81), "x")])),
        row(json!([button("x", &long(101))])),
        row(json!([button("x", "same"), button("y", "same")])),
        row(json!([{"type": 2, "style": 9, "label": "x", "custom_id": "x"}])),
        row(json!([{"type": 3, "custom_id": "x", "options": lines}])),
        row(json!([{"type": 3, "custom_id": "x", "options": []}])),
        json!({"allowed_mentions": {"parse": ["users"]}}),
        json!({"content": "<@1>"}),
        json!({"allowed_mentions": {"parse": [], "users": ["1"]}}),
    ];
    for body in wrong {
        let before = double.with(|world| world.refused.len());
        ask(&double, "POST", &path, &message(body.clone())).await;
        double.with(|world| assert!(world.refused.len() > before, "not refused: {body}"));
    }
    let commands = {
        let bot = double.with(|world| world.bot.id);
        format!("/applications/{bot}/commands")
    };
    let command =
        |options: Value| json!({"name": "x", "type": 1, "description": "x", "options": options});
    let option = |name: &str, required: bool| json!({"type": 3, "name": name, "description": "x", "required": required});
    let many: Vec<Value> = (0..26).map(|id| option(&format!("x{id}"), false)).collect();
    let choices: Vec<Value> = (0..26)
        .map(|id| json!({"name": format!("x{id}"), "value": "x"}))
        .collect();
    let wrong = [
        json!({"name": "Two Words", "type": 1, "description": "x"}),
        json!({"name": "x", "type": 1, "description": long(101)}),
        command(json!(many)),
        command(json!([option("a", false), option("b", true)])),
        command(json!([option("a", false), option("a", false)])),
        command(json!([{"type": 3, "name": "a", "description": "x", "choices": choices}])),
        command(
            json!([{"type": 3, "name": "a", "description": "x", "autocomplete": true, "choices": [{"name": "x", "value": "x"}]}]),
        ),
    ];
    for body in wrong {
        let before = double.with(|world| world.refused.len());
        ask(&double, "POST", &commands, &body).await;
        double.with(|world| assert!(world.refused.len() > before, "not refused: {body}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_have_discords_codes() {
    let double = Double::open().await;
    let (ada, channel) = double.with(|world| {
        let guild = world.add_guild("Palace");
        let kind = ashtapada_discord_tests::ChannelKind::Text;
        (
            world.add_user("ada"),
            world.add_channel(guild, kind, "hall"),
        )
    });
    let send = format!("/channels/{channel}/messages");
    let plain = message(json!({"nonce": "7-0", "enforce_nonce": true}));
    let (_, first) = ask(&double, "POST", &send, &plain).await;
    let (_, same) = ask(&double, "POST", &send, &plain).await;
    assert_eq!(first["id"], same["id"], "a repeated nonce");
    let own = format!("{send}/{}", first["id"].as_str().unwrap());
    let code = |answer: (u16, Value)| answer.1["code"].as_u64();
    assert_eq!(
        code(ask(&double, "POST", "/channels/1/messages", &plain).await),
        Some(10003)
    );
    assert_eq!(
        code(ask(&double, "PATCH", &format!("{send}/1"), &plain).await),
        Some(10008)
    );
    double.with(|world| {
        let id = first["id"].as_str().unwrap().parse().unwrap();
        world.age(id, 2 * 60 * 60 * 1000);
    });
    let mut answers = Vec::new();
    for _ in 0..4 {
        answers.push(code(ask(&double, "PATCH", &own, &message(json!({}))).await));
    }
    assert_eq!(answers, [None, None, None, Some(30046)]);
    double.with(|world| world.users.get_mut(&ada).unwrap().takes_messages = false);
    let direct = double.with(|world| world.direct(ada));
    let path = format!("/channels/{direct}/messages");
    assert_eq!(code(ask(&double, "POST", &path, &plain).await), Some(50007));
    let (status, answer) = ask(
        &double,
        "POST",
        "/interactions/1/x/callback",
        &json!({"type": 5}),
    )
    .await;
    assert_eq!((status, answer["code"].as_u64()), (404, Some(10062)));
}
