//! The entries, in the order in which `help` lists them. A further command is one more entry here and one arm where
//! [`super::Verb`] is matched.

use super::{Command, CommandOption, DEFAULT, Takes, Verb};

const fn optional(key: &'static str, takes: Takes, help: &'static str) -> CommandOption {
    CommandOption {
        key,
        takes,
        required: false,
        help,
    }
}

const fn required(key: &'static str, takes: Takes, help: &'static str) -> CommandOption {
    CommandOption {
        key,
        takes,
        required: true,
        help,
    }
}

const TABLE: CommandOption = optional(
    "table",
    Takes::Table,
    "the table's code; not needed where only one can be meant",
);

const OFFER: CommandOption = optional(
    "offer",
    Takes::Number(1, 1_000_000),
    "which offer, by its number; not needed where only one is open",
);

/// The themes of pictures.
pub const THEMES: &[&str] = &["light", "dark", "colour-blind"];

/// The same, and what sets the choice back.
const THEMES_OR_DEFAULT: &[&str] = &["light", "dark", "colour-blind", DEFAULT];

/// Longest word of one's own for the fair dice, in characters.
const WORD_LENGTH: usize = 100;

/// Every command.
pub const COMMANDS: &[Command] = &[
    Command {
        verb: Verb::New,
        name: "new",
        does: "opens a table, seats you, invites; the game begins by itself when the last seat is taken",
        more: "Without `with` the free seats are open to everybody here; with `open:yes` to people elsewhere too. \
               `solo:yes` lets one person play all seats.",
        options: &[
            optional(
                "game",
                Takes::Game,
                "which game; `rules` explains them. Without it the one that `place` sets",
            ),
            optional(
                "with",
                Takes::People(3),
                "whom to invite, up to three mentions",
            ),
            optional(
                "seat",
                Takes::SeatOrRandom,
                "your seat; without it random with two players, else the first free one",
            ),
            optional(
                "options",
                Takes::GameOptions,
                "the game's options, such as `corner=boat`; `rules` lists them",
            ),
            optional("solo", Takes::YesNo, "one person plays all seats"),
            optional("open", Takes::YesNo, "may be joined from other places"),
            optional(
                "word",
                Takes::Text(WORD_LENGTH),
                "a word of your own that goes into the fair dice",
            ),
            optional(
                "position",
                Takes::Position,
                "a SETUP text to start from in place of the array; unrated",
            ),
        ],
        examples: &[
            "new chaturanga with:@bob",
            "new game:four-handed with:@bob @cy @di options:corner=boat",
            "new maha solo:yes",
        ],
    },
    Command {
        verb: Verb::Join,
        name: "join",
        does: "takes a free seat, or the one kept for you",
        more: "",
        options: &[
            TABLE,
            optional(
                "seat",
                Takes::Seat,
                "which seat; without it the one kept for you, or the first free one",
            ),
            optional(
                "word",
                Takes::Text(WORD_LENGTH),
                "a word of your own that goes into the fair dice",
            ),
        ],
        examples: &["join", "join K7Q2F seat:east"],
    },
    Command {
        verb: Verb::Decline,
        name: "decline",
        does: "turns an invitation, or an offered draw, down",
        more: "",
        options: &[TABLE, OFFER],
        examples: &["decline"],
    },
    Command {
        verb: Verb::Invite,
        name: "invite",
        does: "keeps a free seat of your table for somebody",
        more: "Only the host, who opened the table, can do this.",
        options: &[
            required("player", Takes::Person, "whom, as a mention"),
            TABLE,
        ],
        examples: &["invite @cy"],
    },
    Command {
        verb: Verb::Remove,
        name: "remove",
        does: "takes an invitation back or, before the start, a seat",
        more: "The host, who opened the table, can do this, and who moderates the place.",
        options: &[
            required("player", Takes::Person, "whose, as a mention"),
            TABLE,
        ],
        examples: &["remove @cy"],
    },
    Command {
        verb: Verb::Leave,
        name: "leave",
        does: "leaves a table that has not started",
        more: "",
        options: &[TABLE],
        examples: &["leave"],
    },
    Command {
        verb: Verb::Start,
        name: "start",
        does: "begins the game, or says which seats are still free",
        more: "A game begins by itself when the last seat is taken.",
        options: &[TABLE],
        examples: &["start"],
    },
    Command {
        verb: Verb::Cancel,
        name: "cancel",
        does: "closes a table that has not started; later only together, before everybody has moved once",
        more: "Before the start the host alone closes it, or who moderates the place. After it every player must say `cancel`; once every player has moved, \
               a game ends only by its rules, by resigning or by a draw.",
        options: &[TABLE, OFFER],
        examples: &["cancel"],
    },
    Command {
        verb: Verb::Rematch,
        name: "rematch",
        does: "opens a new table with the same people and options, seats moved on by one",
        more: "",
        options: &[TABLE],
        examples: &["rematch"],
    },
    Command {
        verb: Verb::Roll,
        name: "roll",
        does: "throws the dice of your turn and shows what they allow",
        more: "",
        options: &[TABLE],
        examples: &["roll"],
    },
    Command {
        verb: Verb::Move,
        name: "move",
        does: "plays one move or several in order, all or nothing",
        more: "Write moves as you like: `b1c3`, `Nb1-c3`, `Nc3`, `horse c3`, `a7a8=F`. In the dice games each move uses one die.",
        options: &[
            required("moves", Takes::Moves, "the moves, such as `b1c3 a2a3`"),
            TABLE,
        ],
        examples: &["move b1c3", "move b1c3 a2a3", "move horse c3 table:K7Q2F"],
    },
    Command {
        verb: Verb::Pass,
        name: "pass",
        does: "gives up the rest of your roll",
        more: "",
        options: &[TABLE],
        examples: &["pass"],
    },
    Command {
        verb: Verb::Board,
        name: "board",
        does: "shows the position again",
        more: "",
        options: &[
            TABLE,
            optional("from", Takes::Seat, "whose side is at the bottom"),
            optional(
                "as",
                Takes::Word(&["picture", "text"]),
                "a picture, or the board as text",
            ),
        ],
        examples: &["board", "board from:north as:text"],
    },
    Command {
        verb: Verb::Moves,
        name: "moves",
        does: "lists what is legal now, piece by piece",
        more: "",
        options: &[
            optional(
                "from",
                Takes::SquareOrPiece,
                "only moves of this square or piece",
            ),
            TABLE,
        ],
        examples: &["moves", "moves b1", "moves horse"],
    },
    Command {
        verb: Verb::Resign,
        name: "resign",
        does: "asks whether you are sure, then resigns",
        more: "Works also when it is not your turn. Say `resign confirm:yes` within a minute.",
        options: &[
            TABLE,
            optional("seat", Takes::Seat, "which seat, if you hold several"),
            optional("confirm", Takes::YesNo, "yes, when you are sure"),
        ],
        examples: &["resign", "resign confirm:yes"],
    },
    Command {
        verb: Verb::Draw,
        name: "draw",
        does: "offers to end the game by agreement, or accepts that offer",
        more: "The game ends when all still in it agree. A move or pass of the one who offered takes the offer back.",
        options: &[TABLE, OFFER],
        examples: &["draw"],
    },
    Command {
        verb: Verb::Claim,
        name: "claim",
        does: "claims the win in Chaturaji when nobody can catch up with you",
        more: "",
        options: &[TABLE],
        examples: &["claim"],
    },
    Command {
        verb: Verb::Games,
        name: "games",
        does: "lists tables with their codes, whose turn it is, and since when",
        more: "",
        options: &[optional(
            "whose",
            Takes::Word(&["mine", "here", "open"]),
            "yours, those of this place, or those anybody may join",
        )],
        examples: &["games", "games open"],
    },
    Command {
        verb: Verb::Next,
        name: "next",
        does: "goes to the table that has waited longest for you, in any place",
        more: "",
        options: &[],
        examples: &["next"],
    },
    Command {
        verb: Verb::Show,
        name: "show",
        does: "tells how a table stands: players, scores, dice left, last moves",
        more: "",
        options: &[TABLE],
        examples: &["show", "show K7Q2F"],
    },
    Command {
        verb: Verb::Record,
        name: "record",
        does: "gives the game's record, with the dice and what is needed to check them",
        more: "",
        options: &[
            TABLE,
            optional(
                "as",
                Takes::Word(&["text", "json"]),
                "for people or for programs",
            ),
        ],
        examples: &["record", "record as:json"],
    },
    Command {
        verb: Verb::Rules,
        name: "rules",
        does: "explains a game in a page",
        more: "",
        options: &[optional("game", Takes::Game, "which game")],
        examples: &["rules", "rules chaturaji"],
    },
    Command {
        verb: Verb::Dice,
        name: "dice",
        does: "tells how the dice are made fair, and how to check them",
        more: "",
        options: &[TABLE],
        examples: &["dice"],
    },
    Command {
        verb: Verb::Here,
        name: "here",
        does: "moves a table to this place, as when its channel is gone, or shows its board here again",
        more: "Its players can do this, its host, and who moderates the place.",
        options: &[TABLE],
        examples: &["here", "here K7Q2F"],
    },
    Command {
        verb: Verb::Place,
        name: "place",
        does: "shows and changes the settings of this server or room; for those who run it",
        more: "Without options it shows them. `default` sets a setting back.",
        options: &[
            optional(
                "default-game",
                Takes::GameOrDefault,
                "the game that `new` opens when none is named; `default`: none",
            ),
            optional(
                "threads",
                Takes::YesNoOrDefault,
                "whether each table gets a thread of its own, where there are threads; `default`: no",
            ),
            optional(
                "channels",
                Takes::Rooms,
                "where new tables may be opened: channels with blanks between, or `all`, the `default`",
            ),
            optional(
                "theme",
                Takes::Word(THEMES_OR_DEFAULT),
                "the colours of pictures; `default`: as I was set up",
            ),
            optional(
                "prefix",
                Takes::Prefix,
                "what commands begin with beside `/`, on Matrix; `default`: as I was set up",
            ),
        ],
        examples: &[
            "place",
            "place default-game:chaturaji theme:dark",
            "place threads:yes channels:all",
        ],
    },
    Command {
        verb: Verb::Doctor,
        name: "doctor",
        does: "lists what I am not allowed to do here, and how to allow it; for those who run the place",
        more: "",
        options: &[],
        examples: &["doctor"],
    },
    Command {
        verb: Verb::Help,
        name: "help",
        does: "lists the commands, or explains one",
        more: "",
        options: &[optional("command", Takes::Command, "which command")],
        examples: &["help", "help move"],
    },
];
