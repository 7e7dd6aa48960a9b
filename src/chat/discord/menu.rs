//! Rows of buttons and menus, as Discord takes them.

use serde_json::{Value, json};

use super::custom_id::LONGEST;
use super::responder::Body;

/// Most lines of one menu.
pub(super) const LINES: usize = 25;
/// Longest label of a line, and longest text below it, in characters.
const LABEL: usize = 100;
/// Longest label of a button, in characters.
const BUTTON: usize = 80;

/// One line of a menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) label: String,
    /// A few words below the label.
    pub(super) about: Option<String>,
    /// The custom id of what choosing it does.
    pub(super) does: String,
}

/// How a button looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// What most want to press.
    Main,
    Plain,
}

/// A question to one person, with menus and buttons below it.
#[derive(Debug, Clone, Default)]
pub(super) struct Menu {
    content: String,
    rows: Vec<Value>,
    buttons: Vec<Value>,
}

impl Menu {
    pub(super) fn asking(content: &str) -> Menu {
        Menu {
            content: content.to_owned(),
            ..Menu::default()
        }
    }

    /// Adds at most [`LINES`] lines to choose from. `id` is told apart from all others by its number.
    pub(super) fn lines(mut self, lines: &[Line]) -> Menu {
        let options: Vec<Value> = lines.iter().take(LINES).filter_map(option).collect();
        if !options.is_empty() {
            // The lines carry all; the menu itself only needs a name.
            let id = format!("m|{}", self.rows.len());
            let menu = json!({"type": 3, "custom_id": id, "options": options, "min_values": 1, "max_values": 1});
            self.rows.push(json!({"type": 1, "components": [menu]}));
        }
        self
    }

    /// Adds a button, if what it does can be carried by one. At most five have a place.
    pub(super) fn button(mut self, label: &str, look: Look, does: &str) -> Menu {
        if does.len() <= LONGEST && self.buttons.len() < 5 {
            let style = match look {
                Look::Main => 1,
                Look::Plain => 2,
            };
            let label = cut(label, BUTTON);
            self.buttons
                .push(json!({"type": 2, "style": style, "label": label, "custom_id": does}));
        }
        self
    }

    pub(super) fn body(mut self) -> Body {
        if !self.buttons.is_empty() {
            self.rows
                .push(json!({"type": 1, "components": self.buttons}));
        }
        Body {
            json: json!({
                "content": self.content,
                "components": self.rows,
                "allowed_mentions": {"parse": []},
            }),
            files: Vec::new(),
        }
    }
}

fn option(line: &Line) -> Option<Value> {
    if line.does.len() > LONGEST {
        return None;
    }
    let mut option = json!({"label": cut(&line.label, LABEL), "value": line.does});
    if let (Some(about), Value::Object(fields)) = (&line.about, &mut option) {
        fields.insert("description".to_owned(), json!(cut(about, LABEL)));
    }
    Some(option)
}

/// At most so many characters, the last an ellipsis where something is left out.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(most.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_menu_is_within_discords_bounds() {
        let line = |number: usize| Line {
            label: format!("{number} {}", "é".repeat(200)),
            about: Some("a".repeat(200)),
            does: format!("a|1|move a{number}"),
        };
        let lines: Vec<Line> = (0..40).map(line).collect();
        let mut menu = Menu::asking("Which?").lines(&lines);
        for number in 0..9 {
            let does = format!("a|-|show {number}");
            menu = menu.button(&"b".repeat(200), Look::Plain, &does);
        }
        let json = menu.body().json;
        let rows = json["components"].as_array().unwrap();
        assert_eq!(rows.len(), 2);
        let options = rows[0]["components"][0]["options"].as_array().unwrap();
        assert_eq!(options.len(), LINES);
        for option in options {
            assert_eq!(option["label"].as_str().unwrap().chars().count(), LABEL);
            assert_eq!(
                option["description"].as_str().unwrap().len(),
                99 + '…'.len_utf8()
            );
            assert!(option["value"].as_str().unwrap().len() <= LONGEST);
        }
        let buttons = rows[1]["components"].as_array().unwrap();
        assert_eq!(buttons.len(), 5);
    }
}
