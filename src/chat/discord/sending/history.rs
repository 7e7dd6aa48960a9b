//! Finding a message in a channel's history that an earlier try may have left there.

use serde_json::Value;

use crate::chat::discord::layout::Sheet;

/// The id of the bot's own message in a channel's history that was sent with this nonce or says the same as one of the
/// sheets, and came after the message `after`.
pub(in crate::chat::discord) fn sent_before(
    history: &[Value],
    me: Option<u64>,
    nonce: &str,
    sheets: &[Sheet],
    after: Option<u64>,
) -> Option<u64> {
    let found = history.iter().find(|message| {
        let own = me.is_none() || number(&message["author"]["id"]) == me;
        let new = number(&message["id"]) > after;
        let same = || sheets.iter().any(|sheet| says(message, sheet));
        own && new && (message["nonce"] == nonce || same())
    })?;
    number(&found["id"])
}

fn number(id: &Value) -> Option<u64> {
    id.as_str()?.parse().ok()
}

/// Whether a message has the content, files and buttons of a sheet. Buttons carry the table's version and files its name, so
/// two messages that only sound alike are told apart.
fn says(message: &Value, sheet: &Sheet) -> bool {
    let body = sheet.body();
    // Discord takes spaces at the ends away.
    let content = |value: &Value| {
        value["content"]
            .as_str()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    content(message) == content(&body)
        && files(message) == files(&body)
        && buttons(message) == buttons(&body)
}

fn files(message: &Value) -> Vec<&str> {
    each(&message["attachments"])
        .filter_map(|file| file["filename"].as_str())
        .collect()
}

fn buttons(message: &Value) -> Vec<&str> {
    each(&message["components"])
        .flat_map(|row| each(&row["components"]))
        .filter_map(|button| button["custom_id"].as_str())
        .collect()
}

fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serenity::builder::CreateAttachment;

    use super::*;

    fn sheet(content: &str, file: Option<&str>, button: &str) -> Sheet {
        let files = file.map(|name| CreateAttachment::bytes(vec![1], name));
        Sheet {
            content: content.to_owned(),
            components: json!([{ "type": 1, "components": [{ "type": 2, "custom_id": button }] }]),
            files: files.into_iter().collect(),
            allowed: json!({ "parse": [] }),
            board: None,
        }
    }

    fn message(id: u64, author: u64, sheet: &Sheet) -> Value {
        let mut message = sheet.body();
        message["id"] = json!(id.to_string());
        message["author"] = json!({ "id": author.to_string() });
        message
    }

    #[test]
    fn the_same_message_of_the_bot_is_found() {
        let ours = sheet("Red rolls 3. ", Some("K7Q2F-3-west.png"), "a|3|pass");
        let history = [
            message(
                30,
                1,
                &sheet("Red rolls 3.", Some("K7Q2F-4-west.png"), "a|3|pass"),
            ),
            message(
                29,
                1,
                &sheet("Red rolls 3.", Some("K7Q2F-3-west.png"), "a|4|pass"),
            ),
            message(28, 2, &ours),
            message(
                27,
                1,
                &sheet("Red rolls 3.", Some("K7Q2F-3-west.png"), "a|3|pass"),
            ),
        ];
        let sheets = [ours];
        let look = |me, after| sent_before(&history, me, "9-0", &sheets, after);
        assert_eq!(look(Some(1), None), Some(27));
        assert_eq!(
            look(Some(1), Some(27)),
            None,
            "an earlier message that sounded the same"
        );
        assert_eq!(look(Some(3), None), None);
        assert_eq!(look(None, None), Some(28));
    }

    #[test]
    fn a_nonce_is_enough() {
        let mut other = message(30, 1, &sheet("cut", None, "x"));
        other["nonce"] = json!("9-0");
        let sheets = [sheet("whole", None, "x")];
        assert_eq!(
            sent_before(&[other], Some(1), "9-0", &sheets, None),
            Some(30)
        );
    }
}
