use super::*;

fn read(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    let variables = variables
        .iter()
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let read = Config::read(Path::new("a.toml"), text, variables);
    read.map(|(config, _)| config)
        .map_err(|error| error.to_string())
}

/// What is said of variables that are no settings.
fn unknown(variables: &[&str]) -> Vec<String> {
    let variables = variables
        .iter()
        .map(|name| (OsString::from(name), OsString::from("x")));
    let (_, unknown) = Config::read(Path::new(""), "", variables).unwrap();
    unknown.iter().map(ToString::to_string).collect()
}

fn refused(text: &str, variables: &[(&str, &str)]) -> String {
    match read(text, variables) {
        Ok(config) => format!("not refused: {config:?}"),
        Err(message) => message,
    }
}

#[test]
fn the_example_file_is_the_defaults_and_names_every_setting_once() {
    let example = include_str!("../../config.example.toml");
    assert_eq!(read(example, &[]), Ok(Config::default()));
    let table = sources::from_text(Path::new(""), example).unwrap();
    for setting in settings::SETTINGS {
        let inside = match setting.section {
            "" => Some(&table),
            section => table.get(section).and_then(|value| value.as_table()),
        };
        assert!(
            inside.is_some_and(|inside| inside.contains_key(setting.key)),
            "config.example.toml lacks {}",
            setting.name()
        );
    }
}

#[test]
fn every_setting_of_the_example_has_one_comment_line_above_it() {
    let lines: Vec<&str> = include_str!("../../config.example.toml").lines().collect();
    for pair in lines.windows(2) {
        if pair[1].contains(" = ") && !pair[1].starts_with('#') {
            assert!(pair[0].starts_with("# "), "no comment above {}", pair[1]);
        }
    }
}

#[test]
fn the_environment_wins_over_the_file() {
    let config = read(
        "log = \"debug\"\n[limits]\nunjoined_days = 3\n",
        &[
            ("ASHTAPADA_LIMITS__UNJOINED_DAYS", "9"),
            ("ASHTAPADA_DATA_DIR", "/srv/games"),
            ("DISCORD_TOKEN", "general"),
            ("ASHTAPADA_DISCORD__MESSAGE_CONTENT", "true"),
            ("HOME", "/root"),
        ],
    )
    .unwrap();
    assert_eq!(config.log, "debug");
    assert_eq!(config.limits.unjoined_days, 9);
    assert_eq!(config.data_folder(), Some(PathBuf::from("/srv/games")));
    assert_eq!(config.discord.token.reveal(), "general");
    assert!(config.discord.is_on() && config.discord.message_content);
    assert!(!config.matrix.is_on());
}

#[test]
fn our_own_variable_wins_over_the_common_one() {
    let both = [
        ("ASHTAPADA_DISCORD__TOKEN", "ours"),
        ("DISCORD_TOKEN", "common"),
    ];
    let config = read("", &both).unwrap();
    assert_eq!(config.discord.token.reveal(), "ours");
}

#[test]
fn what_is_wrong_is_refused_with_the_place_and_what_would_be_right() {
    let told = [
        refused("log = \"debug\"\nlogs = 3\n", &[]),
        refused("[discrod]\ntoken = \"x\"\n", &[]),
        refused("[limits]\n\ntables_per_persn = 3\n", &[]),
        refused("token = \"x\"\n", &[]),
        refused("[limits]\ntables_per_person = \"many\"\n", &[]),
        refused("[limits]\ntables_per_person = 0\n", &[]),
        refused("limits = 3\n", &[]),
        refused("log = \"ashtapada=loud\"\n", &[]),
        refused("log = \"debugg\"\n", &[]),
        refused("[matrix]\nprefix = \"ask\"\n", &[]),
        refused("[matrix]\nhomeserver = \"example .org\"\n", &[]),
        refused("[matrix]\ninvited_by = \"bob, example.org @bob\"\n", &[]),
        refused("[matrix]\nlargest_room = -1\n", &[]),
        refused(
            "[matrix]\nhomeserver = \"example.org\"\npassword = \"x\"\n",
            &[],
        ),
        refused("[matrix]\npassword = \"x\"\n", &[]),
        refused("[console]\ninline = 1.5\n", &[]),
        refused("[console]\ntheme = \"pink\"\n", &[]),
        refused("log = \n", &[]),
        refused("[console]\nroom = \"a b\"\n", &[]),
        refused("[console]\n\nname = \"Everyone\"\n", &[]),
        refused("[console]\nname = \"ashtapada\"\n", &[]),
        refused("", &[("ASHTAPADA_CONSOLE__NAME", "../x")]),
        refused("", &[("ASHTAPADA_LIMITS__UNJOINED_DAYS", "soon")]),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_variable_that_is_no_setting_stops_nothing_and_is_named_with_what_is_near() {
    let told = unknown(&[
        "ASHTAPADA_LIMITS_UNJOINED_DAYS",
        "ASHTAPADA_DISCORD_TOKEN",
        "ASHTAPADA_SERVICE_HOST",
        "ASHTAPADA_PORT",
        "ASHTAPADA_VECTORS",
        "OTHER_PORT",
    ]);
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn an_empty_variable_sets_nothing() {
    let config = read(
        "data_dir = \"/srv/games\"\n[limits]\nunjoined_days = 3\n[discord]\ntoken = \"general\"\n",
        &[
            ("ASHTAPADA_DATA_DIR", ""),
            ("ASHTAPADA_LIMITS__UNJOINED_DAYS", ""),
            ("DISCORD_TOKEN", ""),
        ],
    )
    .unwrap();
    assert_eq!(config.data_folder(), Some(PathBuf::from("/srv/games")));
    assert_eq!(config.limits.unjoined_days, 3);
    assert!(config.discord.is_on());
}

#[test]
fn a_refused_secret_is_not_repeated_in_the_message() {
    let message = refused("[discord]\ntoken = 123456\n", &[]);
    assert!(
        message.contains("line 2") && !message.contains("123456"),
        "{message}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let message = Config::load(Some(Path::new("no/such/file.toml")))
        .map_err(|error| error.to_string())
        .unwrap_err();
    assert!(
        message.starts_with("cannot read the configuration file no/such/file.toml"),
        "{message}"
    );
}

#[test]
fn a_token_with_blanks_is_refused_and_not_shown() {
    for token in [" ", "Bot very.secret", "very\nsecret", "véry.secret"] {
        let message = refused("", &[("DISCORD_TOKEN", token)]);
        assert!(
            message.contains("discord.token") && !message.contains("secret"),
            "{message}"
        );
    }
}

#[test]
fn a_homeserver_is_an_address_or_a_name_and_a_token_needs_no_user() {
    let config = read(
        "[matrix]\nhomeserver = \"example.org\"\naccess_token = \"syt_x\"\ninvited_by = \"a.org, @bob:b.org:8448  [::1]:1\"\n",
        &[("ASHTAPADA_MATRIX__AWAY_MINUTES", "0")],
    )
    .unwrap();
    assert!(config.matrix.is_on());
    assert_eq!(config.matrix.away_minutes, 0);
    let inviters: Vec<&str> = config.matrix.inviters().collect();
    assert_eq!(inviters, ["a.org", "@bob:b.org:8448", "[::1]:1"]);
}
