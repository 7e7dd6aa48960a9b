//! Reading the journal's segments: what is whole, where a torn tail begins, and what went bad.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::damage::Damage;
use super::folder::Numbered;
use super::history::{Chain, Point};
use super::journal_error::{JournalError, Rot, Torn};
use super::line;
use super::mark::Mark;
use super::record::{Heading, Record, Unread, is_readable, numbers};

/// How the journal ends, and what was noticed on the way.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The last whole record; with none, what the first segment goes on from.
    pub(super) last: Point,
    /// How many lines the newest segment has, without its heading.
    pub(super) lines: u64,
    /// How many whole bytes it has; none when even its heading is torn.
    pub(super) length: u64,
    /// Its last line is whole but for the line's end.
    pub(super) unended: bool,
    pub(super) torn: Option<Torn>,
    pub(super) rot: Vec<Rot>,
    /// What is gone and was passed over, where that was allowed.
    pub(super) lost: Vec<JournalError>,
}

impl Walked {
    /// The digest up to this command, when the journal ends there and knows it: the newest segment's first line says it also
    /// where lines before are damaged.
    pub(super) fn chain_at(&self, n: u64) -> Option<Chain> {
        self.last.chain.filter(|_| self.last.n == n)
    }
}

/// What the journal is read for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known<'a> {
    /// Up to here everything is known already: that is passed over, and may be damaged.
    pub(super) after: Point,
    /// How far the journal was acknowledged.
    pub(super) mark: Option<&'a Mark>,
    /// A command whose digest is known besides.
    pub(super) also: Option<Point>,
    /// Whether commands that are gone are passed over, see [`Walked::lost`].
    pub(super) lenient: bool,
}

impl Known<'_> {
    /// Nothing is known: the journal is read from its beginning.
    pub(super) fn nothing(segments: &[Numbered]) -> Self {
        Self {
            after: Point {
                n: segments.first().map_or(0, |first| first.number - 1),
                chain: None,
            },
            ..Self::default()
        }
    }
}

/// Goes through the journal and gives `each` the whole records after those that are known, with the digest up to each.
/// Segments with earlier ones only are not opened.
pub(super) fn walk(
    segments: &[Numbered],
    known: Known<'_>,
    mut each: impl FnMut(Record<Unread>, Option<Chain>) -> Result<(), Damage>,
) -> Result<Walked, JournalError> {
    let after = known.after;
    let mut walk = Walk {
        known,
        walked: Walked::default(),
    };
    if let Some(first) = segments.first() {
        walk.walked.last.n = first.number - 1;
        if first.number > after.n + 1 {
            walk.gap(after.n + 1, first.number - 1)?;
        }
        for (at, segment) in segments.iter().enumerate() {
            let next = segments.get(at + 1).map(|next| next.number);
            if let Some(next) = next.filter(|&next| next <= after.n + 1) {
                walk.walked.last = Point {
                    n: next - 1,
                    chain: None,
                };
                continue;
            }
            let last = walk.walked.last.n;
            if segment.number > last + 1 {
                walk.gap(last + 1, segment.number - 1)?;
            }
            Reading::new(&mut walk, segment, next).run(&mut each)?;
        }
    }
    walk.end(segments)?;
    Ok(walk.walked)
}

struct Walk<'k> {
    known: Known<'k>,
    walked: Walked,
}

impl Walk<'_> {
    /// Commands are gone: no matter where they are known, else the end, unless that is allowed.
    fn lose(&mut self, error: JournalError, last: u64) -> Result<(), JournalError> {
        if last <= self.known.after.n {
            return Ok(());
        }
        if !self.known.lenient {
            return Err(error);
        }
        self.walked.lost.push(error);
        Ok(())
    }

    fn gap(&mut self, first: u64, last: u64) -> Result<(), JournalError> {
        self.lose(JournalError::Gap { first, last }, last)?;
        self.walked.last = Point {
            n: last,
            chain: None,
        };
        Ok(())
    }

    /// The journal has to reach what was acknowledged, unless that is known.
    fn end(&mut self, segments: &[Numbered]) -> Result<(), JournalError> {
        let Some(mark) = self.known.mark else {
            return Ok(());
        };
        let last = self.walked.last.n.max(self.known.after.n);
        if last >= mark.n {
            return Ok(());
        }
        let (first, last) = (last + 1, mark.n);
        let error = match segments.last() {
            // With a torn end it is this file that was longer; else the next one may be missing.
            Some(newest) if self.walked.torn.is_some() => JournalError::Rotten {
                path: newest.path.clone(),
                first,
                last,
            },
            _ => JournalError::Gap { first, last },
        };
        self.lose(error, last)
    }

    /// Compares the digest up to the last record with what is known of it.
    fn compare(&mut self, path: &Path) -> Result<(), JournalError> {
        let Known {
            after, mark, also, ..
        } = self.known;
        let last = &mut self.walked.last;
        for known in [Some(after), mark.map(Mark::point), also]
            .into_iter()
            .flatten()
        {
            if known.n != last.n {
                continue;
            }
            match (last.chain, known.chain) {
                (Some(found), Some(known)) if found != known => {
                    return Err(JournalError::Fork {
                        path: path.to_owned(),
                        n: last.n,
                    });
                }
                (None, known) => last.chain = known,
                _ => {}
            }
        }
        Ok(())
    }
}

/// One segment being read.
struct Reading<'w, 'k> {
    walk: &'w mut Walk<'k>,
    path: &'w Path,
    number: u64,
    /// The number of the next segment's first record; the newest has none.
    next: Option<u64>,
    line: u64,
    /// At which line the first one stands that is not whole, of those that nothing is known of yet.
    bad: Option<u64>,
    /// A whole line that is of no use behind a bad one.
    behind: Option<(u64, Option<u64>)>,
}

impl<'w, 'k> Reading<'w, 'k> {
    fn new(walk: &'w mut Walk<'k>, segment: &'w Numbered, next: Option<u64>) -> Self {
        (walk.walked.lines, walk.walked.length) = (0, 0);
        Self {
            walk,
            path: &segment.path,
            number: segment.number,
            next,
            line: 0,
            bad: None,
            behind: None,
        }
    }

    fn run(
        mut self,
        each: &mut impl FnMut(Record<Unread>, Option<Chain>) -> Result<(), Damage>,
    ) -> Result<(), JournalError> {
        let unreadable = |error| JournalError::Unreadable {
            path: self.path.to_owned(),
            error,
        };
        let mut lines =
            BufReader::with_capacity(1 << 18, File::open(self.path).map_err(unreadable)?);
        let mut buffer = Vec::new();
        let mut size = 0_u64;
        loop {
            buffer.clear();
            let read = lines.read_until(b'\n', &mut buffer).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            size += read as u64;
            self.line += 1;
            match line::opened(&buffer) {
                Some((json, _)) if self.line == 1 => self.heading(json)?,
                Some((json, crc)) => self.record(json, crc, each)?,
                None => self.bad = self.bad.or(Some(self.line)),
            }
            if self.bad.is_none() {
                self.walk.walked.length = size;
                self.walk.walked.unended = buffer.last() != Some(&b'\n');
            }
        }
        self.end(size)
    }

    fn expected(&self) -> u64 {
        self.walk.walked.last.n + 1
    }

    fn misfit(&self, line: u64, found: Option<u64>) -> JournalError {
        JournalError::Misfit {
            path: self.path.to_owned(),
            line,
            expected: self.expected(),
            found,
        }
    }

    fn heading(&mut self, json: &[u8]) -> Result<(), JournalError> {
        match serde_json::from_slice::<Heading>(json) {
            Ok(heading) if !is_readable(heading.format) => Err(JournalError::Format {
                path: self.path.to_owned(),
                format: heading.format,
            }),
            Ok(heading) if heading.first != self.number => Err(self.misfit(1, Some(heading.first))),
            Ok(heading) => {
                let last = &mut self.walk.walked.last;
                match (last.chain, heading.chain) {
                    (Some(running), Some(chain)) if running != chain => {
                        return Err(JournalError::Fork {
                            path: self.path.to_owned(),
                            n: last.n,
                        });
                    }
                    (_, chain) => last.chain = chain,
                }
                self.walk.compare(self.path)
            }
            Err(_) => Err(self.misfit(1, numbers(json).map(|(n, _)| n))),
        }
    }

    /// A whole line.
    fn record(
        &mut self,
        json: &[u8],
        crc: u32,
        each: &mut impl FnMut(Record<Unread>, Option<Chain>) -> Result<(), Damage>,
    ) -> Result<(), JournalError> {
        let expected = self.expected();
        let Some((n, synced)) = numbers(json) else {
            return Err(self.misfit(self.line, None));
        };
        if n < expected {
            return Err(self.misfit(self.line, Some(n)));
        }
        if n > expected {
            // Lines before this one are gone. They were safe when it was written, or were acknowledged later: else
            // nobody relied on them.
            let safe = self.walk.known.mark.map_or(0, |mark| mark.n).max(synced);
            if safe < expected && self.walk.known.after.n + 1 < n {
                self.bad.get_or_insert(self.line);
                self.behind.get_or_insert((self.line, Some(n)));
                return Ok(());
            }
            self.gone(expected, n - 1)?;
            self.walk.walked.last = Point {
                n: n - 1,
                chain: None,
            };
            self.walk.compare(self.path)?;
        } else if self.bad == Some(1) && expected == self.number {
            self.walk.walked.rot.push(Rot {
                path: self.path.to_owned(),
                commands: None,
            });
            self.walk.compare(self.path)?;
        }
        let chain = self.walk.walked.last.chain.map(|before| before.next(crc));
        if n > self.walk.known.after.n {
            let Ok(record) = serde_json::from_slice(json) else {
                return Err(self.misfit(self.line, Some(n)));
            };
            each(record, chain)?;
        }
        (self.bad, self.behind) = (None, None);
        self.walk.walked.last = Point { n, chain };
        self.walk.walked.lines += 1;
        self.walk.compare(self.path)
    }

    /// These lines were safe once.
    fn gone(&mut self, first: u64, last: u64) -> Result<(), JournalError> {
        let path = self.path.to_owned();
        self.walk.walked.rot.push(Rot {
            path: path.clone(),
            commands: Some((first, last)),
        });
        self.walk
            .lose(JournalError::Rotten { path, first, last }, last)
    }

    /// What stands after the last whole line. In an older segment, which was synced before the next was begun, and up to
    /// what was acknowledged, those are lines that went bad. What is left can be a torn tail.
    fn end(mut self, size: u64) -> Result<(), JournalError> {
        let expected = self.expected();
        if let Some(next) = self.next {
            return match next.cmp(&expected) {
                Ordering::Less => Err(self.misfit(self.line, Some(expected - 1))),
                Ordering::Equal => Ok(()),
                Ordering::Greater => {
                    self.gone(expected, next - 1)?;
                    self.walk.walked.last = Point {
                        n: next - 1,
                        chain: None,
                    };
                    Ok(())
                }
            };
        }
        let whole = self.walk.walked.length;
        if whole == size {
            return Ok(());
        }
        let mark = self.walk.known.mark;
        if let Some((line, found)) = self.behind
            && mark.is_none()
            && !self.walk.known.lenient
        {
            return Err(self.misfit(line, found));
        }
        if let Some(mark) = mark.filter(|mark| mark.n >= expected) {
            self.walk.walked.rot.push(Rot {
                path: self.path.to_owned(),
                commands: Some((expected, mark.n)),
            });
        }
        self.walk.walked.torn = Some(Torn {
            path: self.path.to_owned(),
            whole,
            bytes: size - whole,
        });
        Ok(())
    }
}
