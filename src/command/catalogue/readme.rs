use super::{COMMANDS, CommandOption, Takes};

/// The table of commands of the README, in Markdown.
pub fn readme_table() -> String {
    let mut table = String::from("| command | options | does |\n|---|---|---|\n");
    for command in COMMANDS {
        let options: Vec<String> = command.options.iter().map(described).collect();
        let options = if options.is_empty() {
            "–".to_owned()
        } else {
            options.join(", ")
        };
        table.push_str(&format!(
            "| `{}` | {options} | {} |\n",
            command.name, command.does
        ));
    }
    table
}

fn described(option: &CommandOption) -> String {
    let mut notes = Vec::new();
    match option.takes {
        Takes::People(most) => notes.push(format!("up to {most} mentions")),
        Takes::Person => notes.push("a mention".to_owned()),
        Takes::Game | Takes::GameOrDefault | Takes::YesNoOrDefault | Takes::Word(_) => notes.push(
            option
                .takes
                .choices()
                .iter()
                .map(|choice| format!("`{choice}`"))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        Takes::Number(least, most) => notes.push(format!("{least}–{most}")),
        Takes::YesNo => notes.push("`yes` `no`".to_owned()),
        Takes::SeatOrRandom => notes.push("a seat or `random`".to_owned()),
        Takes::GameOptions => notes.push("`corner=boat gaja=silver` …".to_owned()),
        Takes::Moves => notes.push("`b1c3 a2a3`".to_owned()),
        Takes::SquareOrPiece => notes.push("a square or piece".to_owned()),
        Takes::Position => notes.push("a SETUP text".to_owned()),
        Takes::Rooms => notes.push("channels, `all` or `default`".to_owned()),
        Takes::Prefix => notes.push("signs such as `!`, or `default`; Matrix only".to_owned()),
        Takes::Seat | Takes::Table | Takes::Command | Takes::Text(_) => {}
    }
    if option.required {
        notes.push("required".to_owned());
    }
    if notes.is_empty() {
        format!("`{}`", option.key)
    } else {
        format!("`{}` ({})", option.key, notes.join("; "))
    }
}
