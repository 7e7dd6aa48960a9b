//! Bringing the view up to the journal, or making it anew.

use std::fs;
use std::io;

use super::causes::Handled;
use super::check::copy_files;
use super::damage::Damage;
use super::evidence::Evidence;
use super::folder::{Folder, Numbered};
use super::head::decoded;
use super::history::{FolderId, Point};
use super::kept::{FinishedFile, Reader};
use super::loss::{self, Loss};
use super::mark::FoundMark;
use super::open::Options;
use super::opening::{Found, OpenError, Stranger};
use super::rebuild::{Filling, Rebuilt, Sources, lost};
use super::record::{Deed, Unread};
use super::segment::{JournalError, Known, Walked, walk};
use super::snapshot::name;
use super::view::{Meta, View};
use super::{Append, keys};

/// How many starts may end while the view is being opened before it is taken to be the reason.
const PATIENCE: u32 = 3;

/// A view that has all the journal has.
pub(super) struct Current {
    pub(super) view: View,
    pub(super) meta: Meta,
    pub(super) walked: Walked,
    pub(super) found: Found,
    pub(super) followed: u64,
    pub(super) warnings: Vec<String>,
    /// What was given up now or before.
    pub(super) losses: Vec<Loss>,
    /// Whether something was given up now.
    pub(super) gave_up: bool,
}

/// A folder with something in it, to be opened.
struct Recovery<'a> {
    folder: &'a Folder,
    options: &'a Options,
    evidence: &'a Evidence,
    id: FolderId,
    /// What was given up before.
    given_up: Vec<Loss>,
}

/// What a folder with something in it holds, repaired where that is needed. Nothing is changed on an error.
pub(super) fn catch_up(
    folder: &Folder,
    options: &Options,
    evidence: &Evidence,
    id: FolderId,
) -> Result<Current, OpenError> {
    let given_up = loss::read(folder).map_err(|error| folder.broken(error))?;
    Recovery {
        folder,
        options,
        evidence,
        id,
        given_up,
    }
    .run()
}

impl Recovery<'_> {
    fn run(&self) -> Result<Current, OpenError> {
        let mut applied = 0;
        let followed = self.view().and_then(|(view, meta)| {
            if !self.regained().is_empty() {
                return Err(Damage::Regained.into());
            }
            applied = meta.applied;
            self.follow(view, meta, false)
        });
        match followed {
            Ok(current) => Ok(current),
            Err(Stopped::Rebuild(Damage::InUse)) => {
                Err(OpenError::InUse(self.folder.root().to_owned()))
            }
            Err(Stopped::Rebuild(damage)) => self.anew(damage, self.options.accept_loss),
            Err(Stopped::Never(error)) => Err(error),
            Err(Stopped::Gone(error)) => self.without(applied, error),
        }
    }

    /// The view as it is, when it is whole.
    fn view(&self) -> Result<(View, Meta), Stopped> {
        patiently(self.folder, || {
            if !self.was_here() {
                // It may be another folder's or another history's: that is found out before a byte of it is changed.
                let verified = look_at_a_copy(self.folder, |view| {
                    let meta = view.check()?;
                    self.belongs(&meta)?;
                    let verified = self.verify(view, &meta, self.options.accept_loss);
                    Ok(self.verify_all(&meta).and(verified))
                });
                verified??;
            }
            self.folder.sweep_view().map_err(refused)?;
            let view = View::open(&self.folder.view())?;
            let meta = view.check()?;
            self.belongs(&meta)?;
            Ok((view, meta))
        })
    }

    /// Whether the view is the one that was here when the program ran last.
    fn was_here(&self) -> bool {
        let mark = self.evidence.mark.mark().map(|mark| mark.view);
        mark.is_some() && mark == self.evidence.note.map(|note| note.view)
    }

    /// A view of another folder is never used.
    fn belongs(&self, meta: &Meta) -> Result<(), Damage> {
        if meta.folder == self.id {
            Ok(())
        } else {
            Err(Damage::Foreign)
        }
    }

    /// The files that were given up and are there again.
    fn regained(&self) -> Vec<FinishedFile> {
        let names = self.given_up.iter().filter_map(|loss| loss.file.clone());
        names
            .filter(|name| self.folder.root().join(name).exists())
            .map(|name| FinishedFile {
                name,
                content: None,
            })
            .collect()
    }

    /// Reads the whole journal, also what a view does not need: it has to be of one history with itself, with its mark and
    /// with this view. What is damaged in it does not matter here.
    fn verify_all(&self, meta: &Meta) -> Result<(), Stopped> {
        let segments = &self.evidence.segments;
        let known = Known {
            after: Point {
                n: segments.first().map_or(0, |first| first.number - 1),
                chain: None,
            },
            mark: self.evidence.mark.mark(),
            also: Some(meta.point()),
            lenient: true,
        };
        let walked =
            walk(segments, known, |_, _| Ok(())).map_err(|error| self.stopped(error, meta))?;
        let marked = self
            .evidence
            .mark
            .mark()
            .map_or(meta.applied, |mark| mark.n);
        let (low, high) = (marked.min(meta.applied), marked.max(meta.applied));
        let gone = walked.rot.iter().filter_map(|rot| rot.commands);
        if gone
            .into_iter()
            .any(|(first, last)| first <= high && last > low)
        {
            return Err(Stopped::Never(OpenError::ForkedView {
                path: self.folder.view(),
                why: format!(
                    "it goes up to command {}, and the journal does not lead there from command {marked}, the last that is known here",
                    meta.applied
                ),
            }));
        }
        Ok(())
    }

    /// Reads the journal as far as a view needs it, and changes nothing.
    fn verify(&self, view: &View, meta: &Meta, lenient: bool) -> Result<Walked, Stopped> {
        let known = Known {
            after: meta.point(),
            mark: self.evidence.mark.mark(),
            lenient,
            also: None,
        };
        let walked = walk(&self.evidence.segments, known, |_, _| Ok(()))
            .map_err(|error| self.stopped(error, meta))?;
        if walked.last.n < meta.applied {
            self.is_ours_beyond(view, meta)?;
        }
        Ok(walked)
    }

    /// Puts into a whole view what the journal has beyond it, after all of that was read.
    fn follow(&self, view: View, meta: Meta, lenient: bool) -> Result<Current, Stopped> {
        let mut walked = self.verify(&view, &meta, lenient)?;
        if !walked.lost.is_empty() {
            let lost = walked.lost.iter().map(lost);
            let losses: Vec<Loss> = self.given_up.iter().cloned().chain(lost).collect();
            self.note(&losses).map_err(Stopped::Never)?;
        }
        let mut filling = Filling::new(&view, meta, self.options.memorable, lenient);
        let mut followed = 0;
        if walked.last.n > meta.applied {
            let known = Known {
                after: meta.point(),
                mark: self.evidence.mark.mark(),
                lenient,
                also: None,
            };
            let again = walk(&self.evidence.segments, known, |record, chain| {
                followed += 1;
                filling.follow(&record, chain)
            });
            walked = again.map_err(|error| self.stopped(error, &meta))?;
        }
        let caught_up = filling.finish().map_err(Stopped::Rebuild)?;
        let found = if walked.last.n < meta.applied {
            // The journal is begun anew after it, and nothing is cut.
            walked.torn = None;
            Found::Ahead {
                journal: walked.last.n,
            }
        } else {
            Found::Resumed
        };
        let lost: Vec<Loss> = walked.lost.drain(..).map(|error| lost(&error)).collect();
        let gave_up = !lost.is_empty();
        let losses: Vec<Loss> = self.given_up.iter().cloned().chain(lost).collect();
        Ok(Current {
            view,
            meta: caught_up,
            walked,
            found,
            followed,
            warnings: Vec::new(),
            losses,
            gave_up,
        })
    }

    /// Whether the start can go on after this error of the journal.
    fn stopped(&self, error: JournalError, meta: &Meta) -> Stopped {
        let marked = self.evidence.mark.mark().map(super::mark::Mark::point);
        match error {
            JournalError::View(damage) => Stopped::Rebuild(damage),
            JournalError::Gap { last, .. }
                if self
                    .evidence
                    .segments
                    .first()
                    .is_some_and(|first| first.number == last + 1) =>
            {
                Stopped::Rebuild(Damage::Behind {
                    applied: meta.applied,
                    first: last + 1,
                })
            }
            JournalError::Gap { .. } | JournalError::Rotten { .. } => Stopped::Gone(error),
            JournalError::Fork { n, .. } if n == meta.applied && marked != Some(meta.point()) => {
                Stopped::Never(OpenError::ForkedView {
                    path: self.folder.view(),
                    why: format!("its command {n} is not the journal's"),
                })
            }
            error => Stopped::Never(OpenError::Unfit(error)),
        }
    }

    /// A view that goes beyond the journal is used only when something says that it is of this history.
    fn is_ours_beyond(&self, view: &View, meta: &Meta) -> Result<(), Stopped> {
        let mark = self.evidence.mark.mark();
        let is_known = mark.is_some_and(|mark| mark.point() == meta.point()) || self.was_here();
        if is_known && self.has_the_journal(view)? {
            return Ok(());
        }
        Err(Stopped::Never(OpenError::ForkedView {
            path: self.folder.view(),
            why: format!(
                "it goes up to command {}, beyond the journal, and its commands are not the journal's or not known here",
                meta.applied
            ),
        }))
    }

    /// Whether the view has the events that the journal has, where the digest at the journal's end is not known to it.
    fn has_the_journal(&self, view: &View) -> Result<bool, Stopped> {
        let segments = &self.evidence.segments;
        let known = Known {
            after: Point {
                n: segments.first().map_or(0, |first| first.number - 1),
                chain: None,
            },
            mark: None,
            also: None,
            lenient: true,
        };
        let mut has_all = true;
        // Causes before this command are forgotten.
        let oldest = view.under(keys::CAUSES_BY_NUMBER).next().transpose()?;
        let oldest = oldest.map(|(key, value)| decoded::<Handled>(&key, &value));
        let remembered = oldest.transpose()?.map_or(u64::MAX, |oldest| oldest.n);
        walk(segments, known, |record, _| {
            if let Deed::Commit(commit) = &record.deed {
                for append in &commit.appends {
                    has_all &= has(view, append)?;
                }
                if let Some(cause) = &commit.cause
                    && record.n >= remembered
                {
                    let handled: Option<Handled> = view.read(&keys::cause(&cause.0))?;
                    has_all &= handled.is_some_and(|handled| handled.n >= record.n);
                }
            }
            Ok(())
        })
        .map_err(|error| Stopped::Never(OpenError::Unfit(error)))?;
        Ok(has_all)
    }

    /// The view is whole, but lacks commands that are gone from the journal. A snapshot may have them; else only whoever
    /// runs the program can say that they are given up.
    fn without(&self, applied: u64, error: JournalError) -> Result<Current, OpenError> {
        let first = match &error {
            JournalError::Rotten { last, .. } | JournalError::Gap { last, .. } => last + 1,
            _ => applied + 1,
        };
        let damage = Damage::Behind { applied, first };
        if let Ok(current) = self.anew(damage, false) {
            return Ok(current);
        }
        if !self.options.accept_loss {
            return Err(OpenError::Journal { error });
        }
        match self
            .view()
            .and_then(|(view, meta)| self.follow(view, meta, true))
        {
            Ok(current) => Ok(current),
            Err(Stopped::Never(error)) => Err(error),
            Err(Stopped::Gone(error)) => Err(OpenError::Journal { error }),
            Err(Stopped::Rebuild(damage)) => self.anew(damage, true),
        }
    }

    /// Makes the view anew beside the old one, in the most complete way there is, and puts it in its place when nothing is
    /// missing, or what is missing is given up.
    fn anew(&self, damage: Damage, accept_loss: bool) -> Result<Current, OpenError> {
        if damage == Damage::Foreign {
            return Err(OpenError::Foreign {
                paths: vec![self.folder.view()],
                kind: Stranger::Folder,
                tied: false,
            });
        }
        let made = self.best(accept_loss);
        let (way, rebuilt, tried) = match made {
            Ok(made) => made,
            Err(tried) => {
                self.drop_new_view();
                return Err(OpenError::Lost { damage, tried });
            }
        };
        let losses: Vec<Loss> = match damage {
            // What is back is settled; what is not, and what is gone with commands, is not.
            Damage::Regained => {
                let commands = self.given_up.iter().filter(|loss| loss.file.is_none());
                commands.cloned().chain(rebuilt.losses).collect()
            }
            _ => {
                let new = rebuilt
                    .losses
                    .into_iter()
                    .filter(|loss| !self.is_given_up(loss));
                self.given_up.iter().cloned().chain(new).collect()
            }
        };
        let gave_up = losses.len() > self.given_up.len();
        let installed = self
            .note(&losses)
            .and_then(|()| self.install(&damage, &rebuilt.meta));
        let (view, aside) = installed.inspect_err(|_| self.drop_new_view())?;
        Ok(Current {
            view,
            meta: rebuilt.meta,
            walked: rebuilt.walked,
            found: Found::Rebuilt {
                damage,
                snapshot: way.map(|way| way.path.clone()),
                aside,
            },
            followed: rebuilt.followed,
            warnings: tried
                .into_iter()
                .map(|why| format!("not used for it: {why}"))
                .collect(),
            losses,
            gave_up,
        })
    }

    /// What is given up is noted before anything is made without it.
    fn note(&self, losses: &[Loss]) -> Result<(), OpenError> {
        if losses.len() <= self.given_up.len() {
            return Ok(());
        }
        loss::write(self.folder, losses).map_err(|error| self.folder.broken(error))
    }

    /// Whether the one snapshot was imported and nothing has happened since.
    fn is_imported(&self) -> bool {
        let newest = self.evidence.snapshots.last();
        newest
            .is_some_and(|newest| Reader::open(&newest.path).is_ok_and(|(_, title)| title.imported))
    }

    fn is_given_up(&self, loss: &Loss) -> bool {
        self.given_up.iter().any(|given| match &given.file {
            Some(file) => loss.file.as_ref() == Some(file),
            None => given == loss,
        })
    }

    /// The way on which nothing is missing, left in [`Folder::new_view`], or the one on which least is. What was tried
    /// before, in words.
    #[expect(clippy::type_complexity, reason = "said in the line above")]
    fn best(
        &self,
        accept_loss: bool,
    ) -> Result<(Option<&Numbered>, Rebuilt, Vec<String>), Vec<String>> {
        let segments = &self.evidence.segments;
        let unmarked = self.evidence.mark == FoundMark::Missing;
        let regained = self.regained();
        let mut sources = Sources {
            folder: self.folder,
            id: self.id,
            segments,
            mark: self.evidence.mark.mark(),
            memorable: self.options.memorable,
            regained: &regained,
            lenient: false,
        };
        let from_nothing = segments.first().is_some_and(|first| first.number == 1);
        let snapshots = self.evidence.snapshots.iter().rev().map(Some);
        let ways: Vec<_> = snapshots.chain(from_nothing.then_some(None)).collect();
        let mut tried = Vec::new();
        if segments.is_empty() && (ways.is_empty() || (unmarked && !self.is_imported())) {
            return Err(vec![
                "there is no journal; put it back from a back-up, or move the folder away"
                    .to_owned(),
            ]);
        }
        for &way in &ways {
            match sources.rebuild(way) {
                Ok(rebuilt) if rebuilt.losses.iter().all(|loss| self.is_given_up(loss)) => {
                    return Ok((way, rebuilt, tried));
                }
                Ok(rebuilt) => tried.extend(rebuilt.losses.into_iter().map(|loss| loss.what)),
                Err(error) => tried.push(error.to_string()),
            }
        }
        if !accept_loss || ways.is_empty() {
            tried.dedup();
            return Err(tried);
        }
        sources.lenient = true;
        let mut least: Option<(u64, Option<&Numbered>)> = None;
        let mut failed = Vec::new();
        for &way in &ways {
            match sources.rebuild(way) {
                Ok(rebuilt) => {
                    let things = rebuilt.losses.iter().map(|loss| loss.things).sum();
                    if least.is_none_or(|(fewest, _)| things < fewest) {
                        least = Some((things, way));
                    }
                }
                Err(error) => failed.push(error.to_string()),
            }
        }
        let Some((_, way)) = least else {
            return Err(failed);
        };
        match sources.rebuild(way) {
            Ok(rebuilt) => Ok((way, rebuilt, Vec::new())),
            Err(error) => Err(vec![error.to_string()]),
        }
    }

    /// Puts the view that was made anew in the place of the old one.
    fn install(
        &self,
        damage: &Damage,
        rebuilt: &Meta,
    ) -> Result<(View, Option<std::path::PathBuf>), OpenError> {
        let folder = self.folder;
        let broken = |error| folder.broken(error);
        // An unfinished view is no loss; one moved aside earlier is worth more.
        let aside = if *damage == Damage::Unfinished {
            fs::remove_dir_all(folder.view()).map_err(broken)?;
            None
        } else {
            folder.set_view_aside().map_err(broken)?
        };
        fs::rename(folder.new_view(), folder.view()).map_err(broken)?;
        let view = View::open(&folder.view())?;
        if view.meta()? == *rebuilt {
            Ok((view, aside))
        } else {
            Err(OpenError::View(Damage::Unfinished))
        }
    }

    fn drop_new_view(&self) {
        // What cannot be removed now is removed before the next view is made.
        drop(fs::remove_dir_all(self.folder.new_view()));
    }
}

/// Why a whole view was not gone on with.
enum Stopped {
    /// It has to be made anew.
    Rebuild(Damage),
    /// Commands are gone that it does not have.
    Gone(JournalError),
    /// Something does not belong here.
    Never(OpenError),
}

impl From<Damage> for Stopped {
    fn from(damage: Damage) -> Self {
        Self::Rebuild(damage)
    }
}

/// Whether the view has these events where they belong.
fn has(view: &View, append: &Append<Unread>) -> Result<bool, Damage> {
    let Some(head) = view.head(append.code)? else {
        return Ok(false);
    };
    let events: Vec<Unread> = view.events(append.code, &head)?;
    let from = usize::try_from(append.expected).unwrap_or(usize::MAX);
    let found = events.get(from..).unwrap_or_default();
    let texts = |events: &[Unread]| -> Vec<String> {
        events.iter().map(|event| event.get().to_owned()).collect()
    };
    Ok(texts(found).starts_with(&texts(&append.events)))
}

/// What was lost, in words for whoever starts the program.
pub(super) fn told(folder: &Folder, losses: &[Loss]) -> Vec<String> {
    let mut told: Vec<String> = losses
        .iter()
        .map(|loss| format!("given up: {}", loss.what))
        .collect();
    if !told.is_empty() {
        let note = folder.losses();
        told.push(format!(
            "what was given up is told at every start until its files are put back, or {} is removed",
            name(&note)
        ));
    }
    told
}

/// What the system said, as the reason why the view cannot be used.
fn refused(error: io::Error) -> Damage {
    Damage::Refused(error.to_string())
}

/// Looks at a copy of the view, since opening one writes to it; the copy is removed again.
pub(super) fn look_at_a_copy<T>(
    folder: &Folder,
    look: impl FnOnce(&View) -> Result<T, Damage>,
) -> Result<T, Damage> {
    if !folder.view().is_dir() {
        return Err(Damage::Missing);
    }
    let copy = folder.copied_view();
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(refused)?;
    }
    let looked = copy_files(&folder.view(), &copy)
        .map_err(refused)
        .and_then(|()| {
            let view = View::open(&copy)?;
            look(&view)
        });
    fs::remove_dir_all(&copy).map_err(refused)?;
    looked
}

/// Opens the view, and counts the starts that end meanwhile: damage may also make sled run out of memory or never come
/// back, which nothing can catch.
fn patiently<T>(
    folder: &Folder,
    opened: impl FnOnce() -> Result<T, Stopped>,
) -> Result<T, Stopped> {
    let mark = folder.opening();
    let ended = fs::read_to_string(&mark)
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0);
    if ended >= PATIENCE {
        fs::remove_file(&mark).map_err(refused)?;
        return Err(Damage::EndedOpening(ended).into());
    }
    fs::write(&mark, format!("{}\n", ended + 1)).map_err(refused)?;
    let opened = opened();
    fs::remove_file(&mark).map_err(refused)?;
    opened
}
