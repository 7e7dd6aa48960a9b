//! Reading every file of a data folder through: what is whole, what is damaged or missing, and what nobody needs any more.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::check::{Part, State};
use super::evidence::beginnings;
use super::finished::content;
use super::folder::{Folder, Numbered, set_aside};
use super::history::Point;
use super::kept::{KeptError, Reader};
use super::mark::Mark;
use super::segment::{Known, walk};
use super::snapshot::name;
use super::title::{Content, Title};

/// What was found out about a folder's files.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) parts: Vec<Part>,
    /// Up to where the journal goes.
    pub(super) last: Point,
}

impl Survey {
    /// Reads the segments and whatever snapshots and files of finished games there are. With `mark` the newest segment is
    /// read too; without, somebody writes to it.
    pub(super) fn of(
        folder: &Folder,
        mark: Option<Option<&Mark>>,
        give_up: &AtomicBool,
    ) -> io::Result<Self> {
        let mut survey = Self::default();
        let snapshots = folder.snapshots()?;
        let oldest = snapshots.first().map_or(0, |oldest| oldest.number);
        survey.journal(&folder.segments()?, mark, oldest, give_up);
        let mut named = Vec::new();
        for file in &snapshots {
            let (part, title) = snapshot(file, give_up);
            survey.parts.push(part);
            named.extend(title.into_iter().flat_map(|title| title.finished));
        }
        for file in folder.finished_files()? {
            let name = name(&file.path);
            let listed = named.iter().rev().find(|listed| listed.name == name);
            let listed = listed.and_then(|listed| listed.content);
            survey.parts.push(finished(&file, listed, give_up));
        }
        named.sort_by(|one, other| one.name.cmp(&other.name));
        named.dedup_by(|one, other| one.name == other.name);
        for file in named {
            if !folder.root().join(&file.name).exists() {
                let games = file.content.map_or_else(
                    || "finished games".to_owned(),
                    |content| format!("{} finished games", content.games),
                );
                survey.parts.push(Part {
                    name: file.name,
                    state: State::Damaged(format!("it is missing, and with it the file's {games}")),
                });
            }
        }
        Ok(survey)
    }

    /// Whether something is damaged or missing.
    pub(super) fn is_damaged(&self) -> bool {
        self.parts.iter().any(Part::is_damaged)
    }

    fn journal(
        &mut self,
        segments: &[Numbered],
        mark: Option<Option<&Mark>>,
        oldest: u64,
        give_up: &AtomicBool,
    ) {
        let begun = beginnings(segments);
        self.last.n = segments.first().map_or(0, |first| first.number - 1);
        if segments.is_empty() {
            self.damaged("journal", "there is none".to_owned());
        }
        if let Some(first) = segments.first().filter(|first| first.number > oldest + 1) {
            self.gap(oldest + 1, first.number - 1);
        }
        for (at, segment) in segments.iter().enumerate() {
            let next = segments.get(at + 1).map(|next| next.number);
            if (next.is_none() && mark.is_none()) || give_up.load(Ordering::Relaxed) {
                return;
            }
            if segment.number > self.last.n + 1 {
                // A snapshot stands for what is before it.
                if segment.number > oldest + 1 {
                    self.gap(self.last.n + 1, segment.number - 1);
                }
                self.last.chain = None;
            }
            let mark = mark.flatten().filter(|_| next.is_none());
            let needed = next.is_none_or(|next| next > oldest + 1);
            self.segment(segment, next, mark, needed, &begun);
        }
    }

    fn segment(
        &mut self,
        segment: &Numbered,
        next: Option<u64>,
        mark: Option<&Mark>,
        needed: bool,
        begun: &[Point],
    ) {
        let known = Known {
            after: Point {
                n: segment.number - 1,
                chain: self.last.chain,
            },
            mark,
            lenient: false,
            also: None,
        };
        let walked = walk(std::slice::from_ref(segment), known, |_, _| Ok(()));
        let (last, found) = match walked {
            Err(error) => (None, State::Damaged(error.to_string())),
            Ok(walked) => {
                let rot = walked.rot.iter().any(|rot| rot.commands.is_none());
                let state = match next {
                    Some(next) if walked.last.n + 1 != next => State::Damaged(format!(
                        "it ends with command {}, and the next file begins with {next}",
                        walked.last.n
                    )),
                    Some(_) if !leads_on(walked.last, begun) => State::Damaged(
                        "it is of another history of this folder: the next file does not go on from it"
                            .to_owned(),
                    ),
                    _ if rot => State::Damaged("its first line is damaged".to_owned()),
                    None if walked.torn.is_some() => {
                        State::Mendable("an unfinished write at its end".to_owned())
                    }
                    _ if walked.last.n < segment.number => {
                        State::Whole("no commands yet".to_owned())
                    }
                    _ => State::Whole(format!("commands {} to {}", segment.number, walked.last.n)),
                };
                (Some(walked.last), state)
            }
        };
        let state = match found {
            State::Damaged(what) if !needed => {
                State::Mendable(format!("{what}; not needed any more"))
            }
            state => state,
        };
        let after = Point {
            n: next.map_or(segment.number - 1, |next| next - 1),
            chain: None,
        };
        self.last = match last {
            Some(last) if next.is_none_or(|next| next == last.n + 1 && leads_on(last, begun)) => {
                last
            }
            _ => after,
        };
        self.parts.push(Part {
            name: name(&segment.path),
            state,
        });
    }

    fn gap(&mut self, first: u64, last: u64) {
        let file = format!("journal-{first:012}.jsonl");
        self.damaged(
            &file,
            format!("it is missing, with commands {first} to {last}"),
        );
    }

    fn damaged(&mut self, name: &str, what: String) {
        self.parts.push(Part {
            name: name.to_owned(),
            state: State::Damaged(what),
        });
    }
}

/// Whether the segment that begins there, if its first line can be read, goes on from these very commands.
fn leads_on(end: Point, begun: &[Point]) -> bool {
    let next = begun.iter().find(|next| next.n == end.n);
    let next = next.and_then(|next| next.chain);
    next.is_none() || end.chain.is_none() || next == end.chain
}

fn snapshot(file: &Numbered, give_up: &AtomicBool) -> (Part, Option<Title>) {
    let mut titled = None;
    let mut read = || -> Result<u64, KeptError> {
        let (mut reader, title) = Reader::open(&file.path)?;
        titled = Some(title);
        reader.all(|_, _| match give_up.load(Ordering::Relaxed) {
            true => Err(KeptError::GivenUp),
            false => Ok(()),
        })?;
        Ok(reader.content().games)
    };
    let state = match read() {
        Ok(things) => State::Whole(format!("{things} things, up to command {}", file.number)),
        Err(KeptError::GivenUp) => State::Whole("not read to its end".to_owned()),
        Err(error) => State::Damaged(error.to_string()),
    };
    let name = name(&file.path);
    (Part { name, state }, titled)
}

fn finished(file: &Numbered, listed: Option<Content>, give_up: &AtomicBool) -> Part {
    let state = match content(&file.path, give_up, |_, _, _| ()) {
        Ok((found, _)) if listed.is_some_and(|listed| listed != found) => {
            State::Damaged("it is not the file that the snapshot belongs to".to_owned())
        }
        Ok((found, _)) => State::Whole(format!("{} finished games", found.games)),
        Err(KeptError::GivenUp) => State::Whole("not read to its end".to_owned()),
        Err(error) => State::Damaged(error.to_string()),
    };
    Part {
        name: name(&file.path),
        state,
    }
}

/// After a snapshot was taken: gives the snapshots and segments before it that are damaged or of no use another name, so
/// that the files that are left fit together. Their new names.
pub(super) fn set_useless_aside(folder: &Folder, from: u64) -> io::Result<Vec<PathBuf>> {
    let mut aside = Vec::new();
    let segments = folder.segments()?;
    let begun = beginnings(&segments);
    let segments: Vec<Numbered> = segments
        .into_iter()
        .filter(|segment| segment.number <= from)
        .collect();
    let mut bad = Vec::new();
    // A segment is good when it leads to the next one that is.
    let mut good_from = from + 1;
    for (at, segment) in segments.iter().enumerate().rev() {
        let end = segments.get(at + 1).map_or(from, |next| next.number - 1);
        let known = Known {
            after: Point {
                n: segment.number - 1,
                chain: None,
            },
            ..Known::default()
        };
        let walked = walk(std::slice::from_ref(segment), known, |_, _| Ok(()));
        let whole = walked.is_ok_and(|walked| {
            walked.last.n == end
                && walked.torn.is_none()
                && walked.rot.is_empty()
                && leads_on(walked.last, &begun)
        });
        if whole && good_from == end + 1 {
            good_from = segment.number;
        } else if !whole {
            bad.push(segment.path.clone());
        }
    }
    for file in folder.snapshots()? {
        let whole = || {
            matches!(
                snapshot(&file, &AtomicBool::new(false)).0.state,
                State::Whole(_)
            )
        };
        let leads_here = file.number == from || file.number + 1 >= good_from;
        let complete = || {
            Reader::open(&file.path).is_ok_and(|(_, title)| {
                let listed = title.finished.iter();
                listed
                    .into_iter()
                    .all(|listed| folder.root().join(&listed.name).exists())
            })
        };
        if !(leads_here && whole() && complete()) {
            bad.push(file.path);
        }
    }
    for path in bad {
        aside.push(set_aside(&path)?);
    }
    Ok(aside)
}
