//! Why a table or the club does not do what it is asked, said to the one who asked.

use super::illegal::why_not;
use super::names::{army, counted, list, seat_name, under_command};
use super::stage::{finished, free, no_free_seat, not_begun, which_offer};
use super::unreadable::unreadable;
use crate::command::message::ErrorKind;
use crate::command::text::Text;
use crate::ids::{At, PersonId};
use crate::rules::{Info, Refused, Seat, SetupError};
use crate::table::{Refusal, StartError, Table};

/// Who was refused, and by which table.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The table that refused, where there is one.
    pub(crate) table: Option<&'a Table>,
    /// The rematch that this table has had.
    pub(crate) rematch: Option<&'a Table>,
    /// Who asked.
    pub(crate) caller: PersonId,
    /// When.
    pub(crate) now: At,
}

/// The kind of a refusal, and its sentence.
pub(super) fn refusal(asked: &Asked<'_>, why: &Refusal) -> (ErrorKind, Text) {
    let kind = match why {
        Refusal::RematchIs(_) => ErrorKind::Done,
        _ => ErrorKind::Refused,
    };
    (kind, sentence(asked, why))
}

fn sentence(asked: &Asked<'_>, why: &Refusal) -> Text {
    let (table, caller) = (asked.table, asked.caller);
    let info = table.map(Table::info);
    let seat_name =
        |seat: Seat| info.map_or_else(|| seat.to_string(), |info| seat_name(info, seat));
    match why {
        Refusal::UnknownGame(game) => Text::from(format!("There is no game “{game}”. "))
            .code("/rules")
            .plain(" lists them."),
        Refusal::Start(StartError::Options(error)) => Text::from(capital(&format!("{error}."))),
        Refusal::Start(StartError::Position(error)) => Text::from(format!(
            "The position cannot be set up: {}.",
            position(error)
        )),
        Refusal::NoSuchSeat { seat, seats } => {
            let names: Vec<&str> = seats.iter().map(|seat| seat.name()).collect();
            Text::from(format!(
                "There is no seat {seat} in this game; it has {}.",
                list(names)
            ))
        }
        Refusal::SoloInvites => Text::from(
            "At a solo table one person plays all seats, so nobody can be invited to it.",
        ),
        Refusal::InvitesSelf => {
            Text::from("You cannot invite yourself. To play all seats alone, add ")
                .code("solo:yes")
                .plain(".")
        }
        Refusal::InvitesBot(person) => Text::new()
            .person(*person)
            .plain(" is a bot and does not play. Invite a person."),
        Refusal::TooManyInvited { free } => Text::from(match free {
            0 => "No seat is free for an invitation.".to_owned(),
            free => format!("Only {} can be invited here.", counted(*free, "player")),
        }),
        Refusal::HasSeat(person) => Text::new()
            .person(*person)
            .plain(" has a seat here already."),
        Refusal::HasInvitation(person) => Text::new().person(*person).plain(" is invited already."),
        Refusal::AlreadySeated { seat } => Text::from(format!(
            "You have a seat here already: {}. To change it, ",
            seat_name(*seat)
        ))
        .code("/leave")
        .plain(" first."),
        Refusal::NoFreeSeat => no_free_seat(table),
        Refusal::SeatTaken { seat, person } => {
            Text::from(format!("{} is taken by ", capital(&seat_name(*seat))))
                .person(*person)
                .plain(free(table))
        }
        Refusal::SeatReserved { seat, person } => {
            Text::from(format!("{} is kept for ", capital(&seat_name(*seat))))
                .person(*person)
                .plain(free(table))
        }
        Refusal::Elsewhere => {
            Text::from("That table is played in another place and not open to others.")
        }
        Refusal::NotSeated => Text::from("You have no seat at this table."),
        Refusal::NotHere(person) => Text::new()
            .person(*person)
            .plain(" has neither a seat nor an invitation here."),
        Refusal::NotHost { host } => Text::from("Only the host, ")
            .person(*host)
            .plain(", can do that."),
        Refusal::RemovesSelf => Text::from("To give your own seat back, use ")
            .code("/leave")
            .plain("."),
        Refusal::Begun => Text::from("The game has begun. To end it, there are ")
            .code("/resign")
            .plain(" and ")
            .code("/draw")
            .plain("."),
        Refusal::RemovesHost(person) => Text::new()
            .person(*person)
            .plain(" is the host. To close the table, use ")
            .code("/cancel")
            .plain("."),
        Refusal::NotBegun { free } => not_begun(table, free),
        Refusal::Finished => finished(table, asked.rematch, caller),
        Refusal::NotFinished => Text::from("The game is not over yet."),
        Refusal::NotYourTurn { seat, person } => not_your_turn(table, caller, *seat, *person),
        Refusal::RollFirst => Text::from("Throw the dice first: ")
            .code("/roll")
            .plain("."),
        Refusal::NoDice => Text::from("This game has no dice. Move with ")
            .code("/move")
            .plain("."),
        Refusal::Unreadable(error) => match info {
            Some(info) => unreadable(info, error),
            None => Text::from("That is no legal move here."),
        },
        Refusal::Rules(why) => refused(info, why),
        Refusal::WhichSeat(seats) => {
            let names: Vec<&str> = seats.iter().map(|seat| seat.name()).collect();
            Text::from(format!(
                "You hold several seats: {}. Name one, as in ",
                list(names.iter().copied())
            ))
            .code(format!(
                "/resign seat:{}",
                names.first().unwrap_or(&"south")
            ))
            .plain(".")
        }
        Refusal::NotYourSeat(seat) => Text::from(format!("You do not play {}.", seat_name(*seat))),
        Refusal::Out => Text::from("You are out of this game."),
        Refusal::NothingOpen => {
            Text::from("There is neither an invitation nor an offer to decline.")
        }
        Refusal::OfferLapsed => Text::from("That offer has lapsed."),
        Refusal::WhichOffer(matters) => which_offer(table, matters),
        Refusal::TooLateToCancel => {
            Text::from("Every player has moved, so the table cannot be closed any more. There are ")
                .code("/resign")
                .plain(" and ")
                .code("/draw")
                .plain(".")
        }
        Refusal::RematchIs(code) => Text::from("The rematch is open already: ")
            .code(code.to_string())
            .plain("."),
        Refusal::NeverBegun => {
            Text::from("That table was closed before it began; open a new one with ")
                .code("/new")
                .plain(".")
        }
    }
}

fn not_your_turn(
    table: Option<&Table>,
    caller: PersonId,
    seat: Seat,
    person: Option<PersonId>,
) -> Text {
    let whose = match table {
        Some(table) => army(table.info(), seat),
        None => seat.name(),
    };
    let play = table.and_then(Table::play);
    // FH8: the person is the commander, whose name is not the army's.
    let under = play.map(|play| under_command(play, seat));
    let under = under.as_deref().and_then(|under| under.strip_prefix(whose));
    let turn = Text::from(format!("It is {whose}'s turn{}", under.unwrap_or_default()));
    let turn = match person {
        Some(person) => turn.plain(" (").person(person).plain(")"),
        None => turn,
    };
    let mut seats = table.into_iter().flat_map(|table| table.seats_of(caller));
    let seated = seats.next().is_some();
    let is_in = table.is_some_and(|table| {
        let game = table.game();
        game.is_none_or(|game| table.is_in(game, caller))
    });
    match (seated, is_in) {
        (true, true) => turn.plain(", not yours."),
        (true, false) => Text::from("You are out of this game. ")
            .then(turn)
            .plain("."),
        (false, _) => turn.plain("."),
    }
}

/// Why the rules refuse an event.
pub fn refused(info: Option<&'static Info>, why: &Refused) -> Text {
    match (info, why) {
        (_, Refused::Over) => Text::from("The game is over."),
        (_, Refused::MustRoll) => Text::from("Throw the dice first: ")
            .code("/roll")
            .plain("."),
        (_, Refused::HasRolled) => Text::from("The dice of this turn have been thrown."),
        (_, Refused::NoDice) => {
            Text::from("In this game there is nothing to pass on: a player who can move must move.")
        }
        (_, Refused::DiceCount { wanted, found }) => {
            Text::from(format!("This game throws {wanted} dice, not {found}."))
        }
        (Some(info), Refused::Illegal(_, illegal)) => {
            Text::from(capital(&format!("{}.", why_not(info, illegal))))
        }
        (None, Refused::Illegal(..)) => Text::from("That move is not legal."),
        (_, Refused::NotInPlay(seat)) => {
            Text::from(format!("{} is out of the game.", capital(seat.name())))
        }
        (_, Refused::NoClaims) => Text::from("Nothing can be claimed in this game."),
        (_, Refused::NotAhead) => Text::from(
            "You are not far enough ahead: another player could still reach your points with the Kings on the board.",
        ),
        (_, Refused::NoTimeouts) => Text::from("Time does not end this game."),
    }
}

/// Why a position cannot be set up.
fn position(error: &SetupError) -> String {
    match error {
        SetupError::Kings { seat, count: 0 } => format!("{} has no King", capital(seat.name())),
        SetupError::Kings { seat, count } => {
            format!("{} has {count} Kings", capital(seat.name()))
        }
        other => other.to_string(),
    }
}

/// The sentence with a capital letter.
pub(super) fn capital(sentence: &str) -> String {
    let mut chars = sentence.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
