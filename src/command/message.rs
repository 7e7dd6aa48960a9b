//! What the bot says: one message, for everybody in a place or for the caller alone.

use serde::{Deserialize, Serialize};

use super::text::Text;
use crate::ids::{PersonId, Place, TableCode};
use crate::rules::Seat;
use crate::table::Table;

/// One message, worded. It is what the outbox keeps until a platform has shown it, so its form is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Where it is said.
    pub place: Place,
    /// Who sees it.
    pub to: To,
    /// What it says. Persons to be notified are mentioned in it.
    pub text: Text,
    /// The board that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureRef>,
    /// What the picture shows, in words: at most 1,024 characters (R119).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// A file that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Attachment>,
    /// What can be done next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// The table it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableCode>,
    /// How many events that table had when this was worded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Why the command was refused, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorKind>,
}

/// Who sees a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    /// Everybody in the place.
    Everyone,
    /// One person only, as far as the platform can.
    Only(PersonId),
}

/// Which board to draw. Pictures are never stored: they are drawn again from the table's events (R31).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureRef {
    /// A table's board.
    Board {
        /// The table.
        table: TableCode,
        /// How many of its events the picture shows.
        version: u64,
        /// The seat whose side is at the bottom.
        from: Seat,
    },
    /// The array a game starts from, and how its pieces move.
    Array {
        /// The game's key.
        game: String,
    },
}

/// A file made of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Something that can be done next: a button, or a line to type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is called, in at most 80 characters.
    pub label: String,
    /// The line that does it, such as `/roll table:K7Q2F`.
    pub line: String,
}

/// What kind of refusal a message is, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The line could not be read.
    Unreadable,
    /// No table, or several, could be meant.
    WhichTable,
    /// The table or the rules do not allow it.
    Refused,
    /// A limit was reached.
    Limit,
    /// It was done before.
    Done,
    /// What was pressed belongs to a board that is not the present one.
    OldBoard,
    /// Something failed that is not the caller's fault.
    Trouble,
}

impl Message {
    /// A message for everybody in a place.
    pub fn everyone(place: Place, text: Text) -> Message {
        Message::to(place, To::Everyone, text)
    }

    /// A message for one person.
    pub fn only(place: Place, person: PersonId, text: Text) -> Message {
        Message::to(place, To::Only(person), text)
    }

    fn to(place: Place, to: To, text: Text) -> Message {
        Message {
            place,
            to,
            text,
            picture: None,
            alt: None,
            file: None,
            choices: Vec::new(),
            table: None,
            version: None,
            error: None,
        }
    }

    /// The same about a table as it is.
    pub fn about(mut self, table: &Table) -> Message {
        self.table = Some(table.code());
        self.version = Some(table.version());
        self
    }

    /// The same as a refusal.
    pub fn refused(mut self, kind: ErrorKind) -> Message {
        self.error = Some(kind);
        self
    }

    /// The persons to be notified.
    pub fn mentions(&self) -> Vec<PersonId> {
        self.text.mentions()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Platform;

    /// Messages wait in the outbox across updates of the program, so their form must not change by accident.
    #[test]
    fn the_stored_form_of_a_message() {
        let place = Place::thread(Platform::Matrix, "!room", "$thread");
        let mut message = Message::only(
            place,
            PersonId(2),
            Text::from("Roll, ").mention(PersonId(2)),
        )
        .refused(ErrorKind::WhichTable);
        message.table = Some("K7Q2F".parse().unwrap());
        message.version = Some(12);
        message.picture = Some(PictureRef::Board {
            table: "K7Q2F".parse().unwrap(),
            version: 12,
            from: Seat::West,
        });
        message.alt = Some("Red to roll.".to_owned());
        message.file = Some(Attachment {
            name: "K7Q2F.json".to_owned(),
            text: "{}".to_owned(),
        });
        message.choices.push(Choice {
            label: "Roll".to_owned(),
            line: "/roll table:K7Q2F".to_owned(),
        });
        insta::assert_json_snapshot!(message);
        let stored = serde_json::to_value(&message).unwrap();
        assert_eq!(serde_json::from_value::<Message>(stored).unwrap(), message);
    }

    #[test]
    fn a_short_message_keeps_its_form_too() {
        let place = Place::room(Platform::Console, "hall");
        let mut message = Message::everyone(
            place,
            Text::from("Rules")
                .code("/new")
                .block("a\nb")
                .strong("!")
                .person(PersonId(1)),
        );
        message.picture = Some(PictureRef::Array {
            game: "chaturaji".to_owned(),
        });
        insta::assert_json_snapshot!(message);
    }
}
