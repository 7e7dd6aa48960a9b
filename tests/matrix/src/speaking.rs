//! What people say and do in a room.

use matrix_sdk::ruma::EventId;
use serde_json::{Value, json};

use crate::event::Event;
use crate::person::Person;

impl Person {
    /// Sends an event as it is; its id.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn sends(&self, kind: &str, content: Value) -> String {
        let room = self.joined().await;
        let sent = room.send_raw(kind, content).await;
        let sent = sent.unwrap_or_else(|error| panic!("{} cannot send: {error}", self.id()));
        sent.response.event_id.to_string()
    }

    /// The relation of what is said here.
    fn related(&self, content: &mut Value) {
        if let Some(root) = &self.thread {
            content["m.relates_to"] = json!({
                "rel_type": "m.thread", "event_id": root, "is_falling_back": true,
                "m.in_reply_to": {"event_id": root},
            });
        }
    }

    /// Says something; the event's id.
    pub async fn says(&self, text: &str) -> String {
        let mut content = json!({"msgtype": "m.text", "body": text});
        self.related(&mut content);
        self.sends("m.room.message", content).await
    }

    /// Says something with people as pills, where `{}` stands in the text: `!new chaturanga with:{}`.
    pub async fn says_with_pills(&self, text: &str, people: &[(&str, &str)]) -> String {
        let (mut body, mut html) = (text.to_owned(), text.to_owned());
        for (id, name) in people {
            body = body.replacen("{}", name, 1);
            let pill = format!("<a href=\"https://matrix.to/#/{id}\">{name}</a>");
            html = html.replacen("{}", &pill, 1);
        }
        let ids: Vec<&str> = people.iter().map(|(id, _)| *id).collect();
        let mut content = json!({
            "msgtype": "m.text", "body": body, "format": "org.matrix.custom.html", "formatted_body": html,
            "m.mentions": {"user_ids": ids},
        });
        self.related(&mut content);
        self.sends("m.room.message", content).await
    }

    /// Answers an event, without repeating what it says.
    pub async fn replies(&self, to: &Event, text: &str) -> String {
        let content = json!({
            "msgtype": "m.text", "body": text, "m.relates_to": {"m.in_reply_to": {"event_id": to.id}},
        });
        self.sends("m.room.message", content).await
    }

    /// Answers an event and repeats what it says, as older clients do.
    pub async fn replies_with_fallback(&self, to: &Event, text: &str) -> String {
        let mut quoted = to.body().lines();
        let first = quoted.next().unwrap_or_default();
        let mut body = format!("> <{}> {first}\n", to.sender);
        for line in quoted {
            body.push_str(&format!("> {line}\n"));
        }
        body.push_str(&format!("\n{text}"));
        let html = format!(
            "<mx-reply><blockquote><a href=\"https://matrix.to/#/{room}/{id}\">In reply to</a> \
             <a href=\"https://matrix.to/#/{who}\">{who}</a><br>{said}</blockquote></mx-reply>{text}",
            room = self.room(),
            id = to.id,
            who = to.sender,
            said = to.body().replace('\n', "<br>"),
        );
        let content = json!({
            "msgtype": "m.text", "body": body, "format": "org.matrix.custom.html", "formatted_body": html,
            "m.mentions": {"user_ids": [to.sender]}, "m.relates_to": {"m.in_reply_to": {"event_id": to.id}},
        });
        self.sends("m.room.message", content).await
    }

    /// Reacts to an event.
    pub async fn reacts(&self, to: &str, key: &str) -> String {
        let content =
            json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": to, "key": key}});
        // Reactions are never encrypted.
        let path = format!(
            "/_matrix/client/v3/rooms/{}/send/m.reaction/reaction-{}-{}",
            self.room(),
            self.mark(),
            key.bytes()
                .map(|byte| format!("{byte:x}"))
                .collect::<String>()
        );
        let sent = self.asks_server("PUT", &path, Some(content)).await;
        sent["event_id"].as_str().unwrap_or_default().to_owned()
    }

    /// Changes what they said.
    pub async fn edits(&self, event: &str, text: &str) -> String {
        let content = json!({
            "msgtype": "m.text", "body": format!("* {text}"),
            "m.new_content": {"msgtype": "m.text", "body": text},
            "m.relates_to": {"rel_type": "m.replace", "event_id": event},
        });
        self.sends("m.room.message", content).await
    }

    /// Takes back what was said.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn redacts(&self, event: &str) {
        let event = EventId::parse(event).expect("an event's id");
        let redacted = self.joined().await.redact(&event, None, None).await;
        redacted.unwrap_or_else(|error| panic!("not redacted: {error}"));
    }
}
