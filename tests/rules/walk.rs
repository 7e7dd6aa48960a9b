//! Play led by bytes, with what must hold at every step: the ordinary tests and the fuzz targets both use it.

use ashtapada::rules::{
    Choices, Event, Info, Options, Phase, Play, Refused, Roll, Seat, games, parse_move, reading,
};

/// Bytes, one after the other, and then nothing.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> Option<usize> {
        self.0.next().map(|&byte| usize::from(byte))
    }

    /// One of `count` things; the first if there are no bytes left.
    fn pick(&mut self, count: usize) -> usize {
        self.next().unwrap_or(0) % count.max(1)
    }
}

/// A game with options as the bytes choose.
fn start(bytes: &mut Bytes<'_>) -> Play {
    let all: Vec<&'static Info> = games().collect();
    let info = all[bytes.pick(all.len())];
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for option in info.options {
        let value = match option.choices {
            Choices::Words(words) => words[bytes.pick(words.len())].to_owned(),
            Choices::Number { least, .. } => least.to_string(),
            Choices::Drawn { count, .. } => bytes.pick(count as usize).to_string(),
        };
        chosen.push((option.key, value));
    }
    let options = Options::checked(info, chosen).expect("values of the card");
    Play::new(info, &options).expect("an array that loads")
}

/// Plays as the bytes say, until they or the game end, and checks what must hold.
pub fn walk(bytes: &[u8]) -> Play {
    let mut bytes = Bytes(bytes.iter());
    let mut play = start(&mut bytes);
    check(&play);
    while let Some(choice) = bytes.next() {
        let before = play.clone();
        let event = event(&play, choice, &mut bytes);
        match play.apply(&event) {
            Ok(effects) => {
                assert!(
                    !effects.is_empty() || !matches!(event, Event::Move(_)),
                    "a move without effect: {event:?}"
                );
                assert_forward(&before, &play);
            }
            Err(refused) => {
                assert_eq!(
                    play.state(),
                    before.state(),
                    "{event:?} is refused ({refused:?}) and changes something"
                );
                assert!(
                    !matches!(event, Event::Move(_)) || play.phase() != Phase::Move,
                    "{event:?}: {refused:?}"
                );
            }
        }
        check(&play);
        if play.phase() == Phase::Over {
            assert_eq!(play.apply(&event), Err(Refused::Over));
            return play;
        }
    }
    play
}

/// Mostly a roll or a legal move; now and then something else.
fn event(play: &Play, choice: usize, bytes: &mut Bytes<'_>) -> Event {
    let seats = play.info().seats;
    match (choice, play.phase()) {
        (0..3, _) => Event::Pass,
        (3, _) => Event::Resign(seats[bytes.pick(seats.len())]),
        (4, _) => Event::Timeout(seats[bytes.pick(seats.len())]),
        (5..8, _) => Event::Claim,
        (8, _) => Event::Agree,
        (9, _) => Event::Resign(if seats == Seat::TWO {
            Seat::South
        } else {
            Seat::White
        }),
        (_, Phase::Roll) => {
            let faces: Vec<u8> = (0..play.dice_thrown())
                .map(|_| bytes.pick(6) as u8 + 1)
                .collect();
            Event::Roll(Roll::new(&faces).expect("faces from 1 to 6"))
        }
        (_, Phase::Move | Phase::Over) => {
            let legal = play.legal();
            let at = (choice * 256 + bytes.pick(256)) % legal.len().max(1);
            legal.get(at).map_or(Event::Pass, |&m| Event::Move(m))
        }
    }
}

/// What must hold of every position.
fn check(play: &Play) {
    let (info, state, legal) = (play.info(), play.state(), play.legal());
    match play.phase() {
        Phase::Over => {
            assert!(play.outcome().is_some() && legal.is_empty());
            return;
        }
        Phase::Roll => assert!(legal.is_empty() && play.unused().is_empty()),
        Phase::Move => assert!(!legal.is_empty(), "nothing to move in {state:?}"),
    }
    assert!(play.outcome().is_none());
    assert!(
        play.in_play(play.player()),
        "{} is out and to move",
        play.player()
    );
    let pieces = play.pieces();
    for &seat in info.seats {
        let kings = pieces
            .iter()
            .filter(|piece| piece.seat == seat && piece.kind.index() == 0)
            .count();
        assert!(kings <= 1, "{seat} has {kings} Kings");
    }
    for &m in &legal {
        let text = play.text(m);
        assert_eq!(parse_move(info, &text), Ok(m));
        assert_eq!(play.why_not(m), None, "{text}");
    }
    // Reading all of them is slow: the first, the last and one in the middle stand for the rest.
    for &m in legal
        .first()
        .into_iter()
        .chain(legal.last())
        .chain(legal.get(legal.len() / 2))
    {
        assert_eq!(reading::read(play, &play.text(m)), Ok(vec![m]));
        assert_eq!(
            reading::read(play, &reading::long(play, m)),
            Ok(vec![m]),
            "{}",
            reading::long(play, m)
        );
    }
}

/// What only grows or only shrinks.
fn assert_forward(before: &Play, after: &Play) {
    assert!(after.pieces().len() <= before.pieces().len());
    if let (Some(before), Some(after)) = (before.scores(), after.scores()) {
        assert!(
            before
                .iter()
                .zip(&after)
                .all(|(before, after)| before <= after)
        );
    }
}
