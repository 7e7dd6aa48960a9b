//! Making the view anew from a snapshot and the journal after it.

use std::fs;
use std::io;

use super::causes::Memorable;
use super::damage::Damage;
use super::draft::Draft;
use super::folder::{Folder, Numbered};
use super::kept::{Kept, KeptError, Reader};
use super::record::Record;
use super::segment::{JournalError, Walked, walk};
use super::view::{Meta, View};
use crate::ids::At;

/// How many bytes of changes are put into the view at once.
const BATCH: usize = 4 << 20;

/// Why one way to rebuild the view failed.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The snapshot cannot be used.
    #[error(transparent)]
    Snapshot(#[from] KeptError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The view cannot be written.
    #[error(transparent)]
    View(#[from] Damage),
    /// The snapshot has commands that the journal no longer has.
    #[error("the journal ends at command {last}, before the snapshot's last, {until}")]
    Short {
        /// The journal's last command.
        last: u64,
        /// The last of which the snapshot has a part.
        until: u64,
    },
    /// There is no journal.
    #[error("there is no journal; put it back from a back-up, or move the folder away")]
    NoJournal,
    /// The folder could not be read or changed.
    #[error(transparent)]
    Folder(#[from] io::Error),
}

/// Takes many changes and puts them into the view in pieces of bounded size.
#[derive(Debug)]
pub(super) struct Filling<'v> {
    view: &'v View,
    draft: Option<Draft<'v>>,
    meta: Meta,
    memorable: Memorable,
    now: At,
    incomplete: bool,
}

impl<'v> Filling<'v> {
    pub(super) fn new(view: &'v View, meta: Meta, memorable: Memorable) -> Self {
        Self {
            view,
            draft: None,
            meta,
            memorable,
            now: At(0),
            incomplete: false,
        }
    }

    fn draft(&mut self) -> &mut Draft<'v> {
        let draft = self
            .draft
            .get_or_insert_with(|| Draft::new(self.view, self.meta));
        if self.incomplete {
            draft.set_incomplete();
        }
        draft
    }

    fn keep(&mut self, kept: &Kept) -> Result<(), Damage> {
        kept.restore(self.draft())?;
        self.pour_when_full()
    }

    /// Follows a journal record.
    pub(super) fn follow(&mut self, record: &Record) -> Result<(), Damage> {
        if let super::record::Deed::Commit(commit) = &record.deed {
            self.now = self.now.max(commit.at);
        }
        self.draft().follow(record)?;
        self.pour_when_full()
    }

    fn pour_when_full(&mut self) -> Result<(), Damage> {
        if self
            .draft
            .as_ref()
            .is_some_and(|draft| draft.bytes() >= BATCH)
        {
            self.pour()
        } else {
            Ok(())
        }
    }

    /// Puts what was taken into the view; its meta then.
    pub(super) fn pour(&mut self) -> Result<(), Damage> {
        if let Some(mut draft) = self.draft.take() {
            draft.forget(&self.memorable, self.now)?;
            self.meta = draft.apply()?;
        }
        Ok(())
    }

    /// The view's meta when everything is in it.
    pub(super) fn finish(mut self) -> Result<Meta, Damage> {
        self.pour()?;
        Ok(self.meta)
    }
}

/// A view made anew.
#[derive(Debug)]
pub(super) struct Rebuilt {
    pub(super) view: View,
    pub(super) meta: Meta,
    pub(super) walked: Walked,
    /// How many journal records were followed.
    pub(super) followed: u64,
    /// Damaged lines in files of finished games that had to be left out.
    pub(super) left_out: Vec<String>,
}

/// Makes the view from this snapshot (or from nothing) and the segments.
pub(super) fn rebuild(
    folder: &Folder,
    snapshot: Option<&Numbered>,
    segments: &[Numbered],
    memorable: Memorable,
) -> Result<Rebuilt, RebuildError> {
    if folder.view().exists() {
        fs::remove_dir_all(folder.view())?;
    }
    let view = View::make(&folder.view())?;
    // Not called whole until all of the snapshot is in: a start that finds it so begins again.
    view.apply(sled::Batch::default(), &Meta::default())?;
    let mut left_out = Vec::new();
    let (from, until, mut meta) = match snapshot {
        None => (0, 0, Meta::default()),
        Some(snapshot) => restore(folder, snapshot, &view, memorable, &mut left_out)?,
    };
    (meta.whole, meta.applied) = (true, from);
    let mut filling = Filling::new(&view, meta, memorable);
    filling.incomplete = !left_out.is_empty();
    let mut followed = 0;
    let walked = walk(segments, from, |record| {
        followed += 1;
        filling.follow(&record)
    })?;
    filling.draft();
    let meta = filling.finish()?;
    if walked.last < until {
        return Err(RebuildError::Short {
            last: walked.last,
            until,
        });
    }
    Ok(Rebuilt {
        view,
        meta,
        walked,
        followed,
        left_out,
    })
}

fn restore(
    folder: &Folder,
    snapshot: &Numbered,
    view: &View,
    memorable: Memorable,
    left_out: &mut Vec<String>,
) -> Result<(u64, u64, Meta), RebuildError> {
    let (reader, title) = Reader::open(&snapshot.path)?;
    let mut filling = Filling::new(view, Meta::default(), memorable);
    for name in &title.finished {
        finished(&folder.root().join(name), &mut filling, left_out)?;
    }
    let until = reader.all(|kept| Ok(filling.keep(&kept)?))?;
    Ok((title.from, until, filling.finish()?))
}

/// Finished games stand in one file only: what is whole in a damaged one is used, and what is not is told.
fn finished(
    path: &std::path::Path,
    filling: &mut Filling<'_>,
    left_out: &mut Vec<String>,
) -> Result<(), RebuildError> {
    let (mut reader, _) = match Reader::open(path) {
        Ok(opened) => opened,
        Err(error) => {
            left_out.push(error.to_string());
            return Ok(());
        }
    };
    loop {
        match reader.next() {
            Ok(Some(Kept::End { .. })) => return Ok(()),
            Ok(None) => {
                left_out.push(
                    KeptError::Incomplete {
                        path: path.to_owned(),
                    }
                    .to_string(),
                );
                return Ok(());
            }
            Ok(Some(kept)) => {
                filling.keep(&kept)?;
                if let Kept::Table { code, .. } = kept
                    && let Some(sum) = filling.draft().head_sum(code)?
                {
                    filling.draft().file(code, sum);
                }
            }
            Err(error @ KeptError::Damaged { .. }) => left_out.push(error.to_string()),
            Err(error) => {
                left_out.push(error.to_string());
                return Ok(());
            }
        }
    }
}
