//! The buttons below a message: what can be done next, by the stage of the table.

use serde_json::{Value, json};

use crate::chat::discord::custom_id;
use crate::chat::discord::words::label;
use crate::command::message::{Choice, Message, To};
use crate::command::words::answers;
use crate::rules;
use crate::table::{Game, Matter, OfferId, Phase, Table};

/// The most rows of a message, and the most buttons of a row.
const ROWS: usize = 5;
const IN_ROW: usize = 5;
/// The most characters of a button's label.
const LONGEST_LABEL: usize = 80;

/// How a button looks, by Discord's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Primary = 1,
    Secondary = 2,
    Success = 3,
    Danger = 4,
}

/// One button.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Button {
    label: String,
    id: String,
    style: Style,
}

/// The buttons of a message, first what the game goes on with, and what had no room in them.
#[derive(Debug, Default)]
pub(super) struct Buttons {
    groups: [Vec<Button>; 2],
    /// Choices whose lines are too long for a button.
    pub(super) too_long: Vec<Choice>,
}

/// The buttons below a message about a table as it was then: for everybody all that its stage allows, for one person what the
/// message itself offers.
pub(super) fn buttons(message: &Message, table: Option<&Table>) -> Buttons {
    let mut buttons = Buttons::default();
    if let Some(table) = table.filter(|table| shows_stage(message, table)) {
        match table.phase() {
            Phase::Gathering => buttons.gathering(table),
            Phase::Playing(game) => buttons.playing(table, game),
            Phase::Over { .. } => {}
        }
    }
    if let (To::Everyone, Some(Phase::Playing(game))) = (message.to, table.map(Table::phase)) {
        buttons.open_offers(game, table);
    }
    for choice in &message.choices {
        buttons.choice(choice, table);
    }
    buttons
}

/// Whether a message has the buttons of its table's stage: what everybody sees, and the board that a player is shown.
fn shows_stage(message: &Message, table: &Table) -> bool {
    match message.to {
        To::Everyone => true,
        To::Only(person) => {
            message.picture.is_some()
                && table.game().is_some()
                && table.seats_of(person).count() > 0
        }
    }
}

impl Buttons {
    fn gathering(&mut self, table: &Table) {
        let code = table.code();
        let info = table.info();
        let join = format!("join table:{code}");
        self.line(0, label::JOIN, &join, None, Style::Success);
        let free: Vec<_> = table.free_seats().collect();
        if free.len() > 1 {
            for seat in free {
                let label = label::join_as(info.army(seat).name);
                let line = format!("join seat:{} table:{code}", seat.name());
                self.line(0, &label, &line, None, Style::Secondary);
            }
        }
        let leave = format!("leave table:{code}");
        self.line(1, label::LEAVE, &leave, None, Style::Secondary);
        let start = format!("start table:{code}");
        self.line(1, label::START, &start, None, Style::Secondary);
    }

    fn playing(&mut self, table: &Table, game: &Game) {
        let code = table.code();
        let version = table.position_version();
        let dice = table.info().dice.is_some();
        match game.play.phase() {
            rules::Phase::Roll => {
                let roll = format!("roll table:{code}");
                self.line(0, label::ROLL, &roll, Some(version), Style::Primary);
            }
            rules::Phase::Move => {
                let id = custom_id::hand(version, code, "");
                self.push(0, label::MOVE, id, Style::Primary);
                if dice {
                    let pass = format!("pass table:{code}");
                    self.line(0, label::PASS, &pass, Some(version), Style::Secondary);
                }
            }
            rules::Phase::Over => return,
        }
        let moves = format!("moves table:{code}");
        let board = format!("board table:{code}");
        self.line(1, label::BOARD, &board, None, Style::Secondary);
        self.line(1, label::MOVES, &moves, None, Style::Secondary);
        if table.people().nth(1).is_some() {
            let id = custom_id::offer(version, code);
            self.push(1, label::OFFER, id, Style::Secondary);
        }
        let resign = format!("resign table:{code}");
        self.line(1, label::RESIGN, &resign, None, Style::Danger);
    }

    /// What was offered before and still waits for an answer: its own message may have lost its buttons (R49).
    fn open_offers(&mut self, game: &Game, table: Option<&Table>) {
        let Some(code) = table.map(Table::code) else {
            return;
        };
        // With two of them open it has to be said which is meant.
        let several = game.offers.len() > 1;
        for offer in &game.offers {
            let OfferId(id) = offer.id;
            let verb = match offer.matter {
                Matter::Draw => "draw",
                Matter::Cancel => "cancel",
            };
            let [agree, decline] = match several {
                true => answers(offer.matter),
                false => label::ANSWERS,
            };
            for (label, verb) in [(agree, verb), (decline, "decline")] {
                let line = format!("{verb} offer:{id} table:{code}");
                self.line(0, label, &line, None, Style::Secondary);
            }
        }
    }

    fn choice(&mut self, choice: &Choice, table: Option<&Table>) {
        let line = choice.line.trim_start_matches(['/', '!']);
        let verb = line.split_whitespace().next().unwrap_or_default();
        // What moves the game on is for the position at which it was offered; the rest is asked anew.
        let expects = match verb {
            "roll" | "move" | "pass" | "claim" => table.map(Table::position_version),
            _ => None,
        };
        if custom_id::act(expects, line).len() > custom_id::LONGEST {
            self.too_long.push(choice.clone());
        } else {
            self.line(0, &choice.label, line, expects, Style::Secondary);
        }
    }

    fn line(&mut self, group: usize, label: &str, line: &str, expects: Option<u64>, style: Style) {
        self.push(group, label, custom_id::act(expects, line), style);
    }

    fn push(&mut self, group: usize, label: &str, id: String, style: Style) {
        // Discord refuses a message with two buttons of the same id.
        let mut all = self.groups.iter().flatten();
        if id.len() <= custom_id::LONGEST && all.all(|button| button.id != id) {
            self.groups[group].push(Button {
                label: label.chars().take(LONGEST_LABEL).collect(),
                id,
                style,
            });
        }
    }

    /// The rows as Discord's JSON.
    pub(super) fn rows(&self) -> Value {
        let chunks = self.groups.iter().flat_map(|group| group.chunks(IN_ROW));
        let rows = chunks.take(ROWS).map(|row| {
            let buttons: Vec<Value> = row.iter().map(Button::json).collect();
            json!({ "type": 1, "components": buttons })
        });
        Value::Array(rows.collect())
    }
}

impl Button {
    fn json(&self) -> Value {
        json!({
            "type": 2,
            "style": self.style as u8,
            "label": self.label,
            "custom_id": self.id,
        })
    }
}
