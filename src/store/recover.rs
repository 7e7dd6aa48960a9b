//! Bringing the view up to the journal, or making it anew.

use std::fs;
use std::io;
use std::sync::atomic::AtomicBool;

use super::check::copy_files;
use super::damage::Damage;
use super::evidence::Evidence;
use super::finished;
use super::folder::Folder;
use super::history::FolderId;
use super::journal_error::JournalError;
use super::loss::{self, Loss};
use super::open::Options;
use super::opening::{Found, OpenError, Stranger};
use super::rebuild::{Filling, lost};
use super::segment::{Known, Walked, walk};
use super::snapshot::name;
use super::title::FinishedFile;
use super::view::{Meta, View};

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
pub(super) struct Recovery<'a> {
    pub(super) folder: &'a Folder,
    pub(super) options: &'a Options,
    pub(super) evidence: &'a Evidence,
    pub(super) id: FolderId,
    /// What was given up before.
    pub(super) given_up: Vec<Loss>,
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
        match self.with_view(PATIENCE) {
            // Starts ended while this view was being opened: made anew it is not opened again. Where that cannot be had,
            // it may still be the one whole copy.
            Err(Stopped::Rebuild(damage @ Damage::EndedOpening(_))) => {
                match self.anew(damage, false) {
                    Err(OpenError::Lost { .. }) => self.settled(self.with_view(u32::MAX)),
                    made => made.inspect(|_| drop(fs::remove_file(self.folder.opening()))),
                }
            }
            followed => self.settled(followed),
        }
    }

    fn with_view(&self, at_most: u32) -> Result<Current, Stopped> {
        self.view(at_most).and_then(|(view, meta)| {
            if !self.regained().is_empty() {
                return Err(Damage::Regained.into());
            }
            self.follow(view, meta, false)
        })
    }

    fn settled(&self, followed: Result<Current, Stopped>) -> Result<Current, OpenError> {
        match followed {
            Ok(current) => Ok(current),
            Err(Stopped::Rebuild(damage)) => self.anew(damage, self.options.accept_loss),
            Err(Stopped::Never(error)) => Err(error),
            Err(Stopped::Gone(applied, error)) => self.without(applied, error),
        }
    }

    /// The view as it is, when it is whole.
    pub(super) fn view(&self, at_most: u32) -> Result<(View, Meta), Stopped> {
        patiently(self.folder, at_most, || {
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
            self.folder.sweep_view().map_err(Damage::from)?;
            let view = View::open(&self.folder.view())?;
            let meta = view.check()?;
            self.belongs(&meta)?;
            Ok((view, meta))
        })
    }

    /// Whether the view is the one that was here when the program ran last.
    pub(super) fn was_here(&self) -> bool {
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

    /// The files that were given up and are there again, as they were.
    pub(super) fn regained(&self) -> Vec<FinishedFile> {
        let lost = self.given_up.iter().filter_map(Loss::finished_file);
        let is_back = |file: &FinishedFile| {
            let path = self.folder.root().join(&file.name);
            let found = finished::content(&path, &AtomicBool::new(false), |_, _, _| ());
            found.is_ok_and(|(found, _)| file.content.is_none_or(|lost| lost == found))
        };
        lost.filter(is_back).collect()
    }

    /// What the journal is read for when a view has everything up to its own point.
    fn beyond(&self, meta: &Meta, lenient: bool) -> Known<'_> {
        Known {
            after: meta.point(),
            mark: self.evidence.mark.mark(),
            lenient,
            also: None,
        }
    }

    /// Reads the journal as far as a view needs it, and changes nothing.
    fn verify(&self, view: &View, meta: &Meta, lenient: bool) -> Result<Walked, Stopped> {
        let known = self.beyond(meta, lenient);
        let walked = walk(&self.evidence.segments, known, |_, _| Ok(()))
            .map_err(|error| self.stopped(error, meta))?;
        if walked.last.n < meta.applied {
            self.is_ours_beyond(view, meta, walked.last.n)?;
        }
        Ok(walked)
    }

    /// Puts into a whole view what the journal has beyond it, after all of that was read.
    pub(super) fn follow(&self, view: View, meta: Meta, lenient: bool) -> Result<Current, Stopped> {
        let mut walked = self.verify(&view, &meta, lenient)?;
        if !walked.lost.is_empty() {
            let lost = walked.lost.iter().map(lost);
            let losses: Vec<Loss> = self.given_up.iter().cloned().chain(lost).collect();
            self.note(&losses).map_err(Stopped::Never)?;
        }
        let mut filling = Filling::new(&view, meta, self.options.memorable, lenient);
        let mut followed = 0;
        if walked.last.n > meta.applied {
            let known = self.beyond(&meta, lenient);
            let again = walk(&self.evidence.segments, known, |record, chain| {
                followed += 1;
                filling.follow(&record, chain)
            });
            walked = again.map_err(|error| self.stopped(error, &meta))?;
        }
        let mut caught_up = filling.finish().map_err(Stopped::Rebuild)?;
        caught_up.chain = caught_up.chain.or(walked.chain_at(caught_up.applied));
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
    pub(super) fn stopped(&self, error: JournalError, meta: &Meta) -> Stopped {
        let marked = self.evidence.mark.mark().map(super::mark::Mark::point);
        match error {
            JournalError::View(damage) => Stopped::Rebuild(damage),
            JournalError::Fork { .. } | JournalError::Rotten { .. } | JournalError::Gap { .. }
                if self.mark_is_strange(meta) =>
            {
                Stopped::Never(OpenError::Foreign {
                    paths: vec![self.folder.mark()],
                    kind: Stranger::Fork,
                    tied: false,
                })
            }
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
            JournalError::Gap { .. } | JournalError::Rotten { .. } => {
                Stopped::Gone(meta.applied, error)
            }
            JournalError::Fork { n, .. } if n == meta.applied && marked != Some(meta.point()) => {
                Stopped::Never(OpenError::ForkedView {
                    path: self.folder.view(),
                    why: format!("its command {n} is not the journal's"),
                })
            }
            error => Stopped::Never(OpenError::Unfit(error)),
        }
    }
}

/// Why a whole view was not gone on with.
pub(super) enum Stopped {
    /// It has to be made anew.
    Rebuild(Damage),
    /// It goes up to this command, and the ones after it are gone.
    Gone(u64, JournalError),
    /// Something does not belong here.
    Never(OpenError),
}

impl From<Damage> for Stopped {
    fn from(damage: Damage) -> Self {
        Self::Rebuild(damage)
    }
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
        fs::remove_dir_all(&copy).map_err(Damage::from)?;
    }
    let looked = copy_files(&folder.view(), &copy)
        .map_err(Damage::from)
        .and_then(|()| {
            let view = View::open(&copy)?;
            look(&view)
        });
    fs::remove_dir_all(&copy).map_err(Damage::from)?;
    looked
}

/// Opens the view, and counts the starts that end meanwhile: damage may also make sled run out of memory or never come
/// back, which nothing can catch.
fn patiently<T>(
    folder: &Folder,
    at_most: u32,
    opened: impl FnOnce() -> Result<T, Stopped>,
) -> Result<T, Stopped> {
    let mark = folder.opening();
    let ended = match fs::read_to_string(&mark) {
        Ok(text) => text.trim().parse().unwrap_or(0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(Damage::from(error).into()),
    };
    if ended >= at_most {
        return Err(Damage::EndedOpening(ended).into());
    }
    let opened = match fs::write(&mark, format!("{}\n", ended + 1)) {
        Ok(()) => opened(),
        Err(error) => Err(Damage::from(error).into()),
    };
    // After a failed write there may be one too, with nothing in it.
    match fs::remove_file(&mark) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Damage::from(error).into()),
        _ => opened,
    }
}
