//! Making the view anew from a snapshot and the journal after it.

use std::fs::{self, File};
use std::io::{self, BufReader};

use super::causes::Memorable;
use super::damage::Damage;
use super::draft::Draft;
use super::folder::{Folder, Numbered};
use super::history::{Chain, FolderId, Point};
use super::journal_error::JournalError;
use super::kept::{Kept, KeptError, Reader};
use super::loss::Loss;
use super::mark::Mark;
use super::record::{Deed, Record, Unread};
use super::segment::{Known, Walked, walk};
use super::snapshot::name;
use super::title::{FinishedFile, Title};
use super::view::{Meta, View};
use crate::ids::At;

/// How many bytes of changes are put into the view at once.
const BATCH: usize = 4 << 20;

/// Why one way to rebuild the view failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RebuildError {
    /// The snapshot cannot be used.
    #[error(transparent)]
    Snapshot(#[from] KeptError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The view cannot be written.
    #[error(transparent)]
    View(#[from] Damage),
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
    /// With `incomplete`, events of tables that are not there are passed over.
    pub(super) fn new(view: &'v View, meta: Meta, memorable: Memorable, incomplete: bool) -> Self {
        Self {
            view,
            draft: None,
            meta,
            memorable,
            now: At(0),
            incomplete,
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
    pub(super) fn follow(
        &mut self,
        record: &Record<Unread>,
        chain: Option<Chain>,
    ) -> Result<(), Damage> {
        if let Deed::Commit(commit) = &record.deed {
            self.now = self.now.max(commit.at);
        }
        self.draft().follow(record, chain)?;
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

/// A view made anew beside the place where it belongs.
#[derive(Debug)]
pub(super) struct Rebuilt {
    pub(super) meta: Meta,
    pub(super) walked: Walked,
    /// How many journal records were followed.
    pub(super) followed: u64,
    /// What could not be had.
    pub(super) losses: Vec<Loss>,
}

/// What the view is made from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) folder: &'a Folder,
    pub(super) id: FolderId,
    pub(super) segments: &'a [Numbered],
    pub(super) mark: Option<&'a Mark>,
    /// The number of the newest snapshot, unless it was imported.
    pub(super) newest_snapshot: Option<u64>,
    pub(super) memorable: Memorable,
    /// Files of finished games that had been given up and are back.
    pub(super) regained: &'a [FinishedFile],
    /// Whether what is gone is passed over.
    pub(super) lenient: bool,
}

impl Sources<'_> {
    /// Makes a view from this snapshot (or from nothing) and the segments, in [`Folder::new_view`].
    pub(super) fn rebuild(&self, snapshot: Option<&Numbered>) -> Result<Rebuilt, RebuildError> {
        let folder = self.folder;
        if folder.new_view().exists() {
            fs::remove_dir_all(folder.new_view())?;
        }
        let view = View::make(&folder.new_view())?;
        // Not called whole until all of the snapshot is in.
        let unfinished = Meta::unfinished(self.id);
        view.apply(sled::Batch::default(), &unfinished)?;
        let mut losses = Vec::new();
        let (after, until, mut meta) = match snapshot {
            None => (Point { n: 0, chain: None }, 0, unfinished),
            Some(snapshot) => self.restore(snapshot, &view, &mut losses)?,
        };
        (meta.whole, meta.applied, meta.chain) = (true, after.n, after.chain);
        let incomplete = self.lenient || !losses.is_empty();
        let mut filling = Filling::new(&view, meta, self.memorable, incomplete);
        let mut followed = 0;
        let known = Known {
            after,
            mark: self.mark,
            lenient: self.lenient,
            also: None,
        };
        let mut walked = walk(self.segments, known, |record, chain| {
            followed += 1;
            filling.follow(&record, chain)
        })?;
        // From files of the first format no digest is known: the chain begins here.
        let meta = filling.draft().meta_mut();
        let chain = meta.chain.or(walked.chain_at(meta.applied));
        meta.chain = chain.or(Some(Chain::seed(self.id)));
        let meta = filling.finish()?;
        losses.extend(walked.lost.drain(..).map(|error| lost(&error)));
        let until = until.max(self.begun_beyond());
        if walked.last.n.max(after.n) < until {
            // A snapshot that has a part of commands which the journal does not have any more.
            let (first, last) = (walked.last.n.max(after.n) + 1, until);
            let error = JournalError::Gap { first, last };
            if !self.lenient {
                return Err(error.into());
            }
            losses.push(lost(&error));
        }
        view.flush()?;
        Ok(Rebuilt {
            meta,
            walked,
            followed,
            losses,
        })
    }

    /// When a snapshot is taken its segment has begun: without that, and without a mark, nobody knows what stood in it, so
    /// one command at least is taken to be gone.
    fn begun_beyond(&self) -> u64 {
        let newest = self.newest_snapshot.filter(|_| self.mark.is_none());
        let begun = self.segments.last().map_or(0, |newest| newest.number);
        newest
            .filter(|&newest| begun <= newest)
            .map_or(0, |newest| newest + 1)
    }

    fn restore(
        &self,
        snapshot: &Numbered,
        view: &View,
        losses: &mut Vec<Loss>,
    ) -> Result<(Point, u64, Meta), RebuildError> {
        let (mut reader, title) = Reader::open_anyhow(&snapshot.path)?;
        let title = match title {
            Err(_) if self.lenient => Title {
                finished: self.all_finished()?,
                ..Title::new(snapshot.number)
            },
            title => title?,
        };
        let meta = Meta::unfinished(self.id);
        let mut filling = Filling::new(view, meta, self.memorable, false);
        for file in title.finished.iter().chain(self.regained) {
            losses.extend(self.finished(file, &mut filling)?);
        }
        let until = if self.lenient {
            let (bad, until) = each_whole(&mut reader, |kept| Ok(filling.keep(&kept)?))?;
            if bad > 0 {
                let name = name(&snapshot.path);
                losses.push(Loss {
                    file: None,
                    content: None,
                    things: bad,
                    what: format!("{name} has {bad} damaged lines, and what stood in them is gone"),
                });
            }
            until.unwrap_or(0)
        } else {
            reader.all(|kept, _| Ok(filling.keep(&kept)?))?
        };
        Ok((title.point(), until, filling.finish()?))
    }

    /// All files of finished games there are: a snapshot whose title cannot be read may need any.
    fn all_finished(&self) -> io::Result<Vec<FinishedFile>> {
        let files = self.folder.finished_files()?;
        let named = files.iter().map(|file| FinishedFile {
            name: name(&file.path),
            content: None,
        });
        Ok(named.collect())
    }

    /// Every line of such a file stands for itself: what is whole in a damaged one is used, and what is not is told.
    fn finished(
        &self,
        file: &FinishedFile,
        filling: &mut Filling<'_>,
    ) -> Result<Option<Loss>, RebuildError> {
        let path = self.folder.root().join(&file.name);
        let loss = |things: u64, why: &str| {
            Some(Loss {
                file: Some(file.name.clone()),
                content: file.content,
                things: things.max(1),
                what: format!("{} {why}", file.name),
            })
        };
        let listed = file.content.map_or(0, |content| content.games);
        let mut reader = match Reader::open_anyhow(&path) {
            Ok((reader, _)) => reader,
            Err(KeptError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                let why = match file.content {
                    Some(_) => format!("is missing, and {listed} finished games with it"),
                    None => "is missing, and its finished games with it".to_owned(),
                };
                return Ok(loss(listed, &why));
            }
            Err(error) => return Err(error.into()),
        };
        let (bad, until) = each_whole(&mut reader, |kept| Ok(filling.keep(&kept)?))?;
        let found = reader.content();
        Ok(match file.content {
            Some(listed) if found == listed => None,
            Some(listed) if found.games < listed.games => {
                let gone = listed.games - found.games;
                loss(
                    gone,
                    &format!("is damaged, and {gone} finished games with it"),
                )
            }
            Some(_) => loss(
                1,
                "is another file under this name, and its own finished games are gone",
            ),
            None if bad == 0 && until.is_some() => None,
            None => loss(bad, "is damaged, and finished games with it"),
        })
    }
}

/// Gives every whole thing to `each`; how many lines are damaged, and what the end says when there is one.
fn each_whole(
    reader: &mut Reader<BufReader<File>>,
    mut each: impl FnMut(Kept) -> Result<(), KeptError>,
) -> Result<(u64, Option<u64>), KeptError> {
    let mut bad = 0;
    loop {
        match reader.next() {
            Ok(Some(Kept::End { until, .. })) => return Ok((bad, Some(until))),
            Ok(Some(kept)) => each(kept)?,
            Ok(None) => return Ok((bad, None)),
            Err(KeptError::Damaged { .. }) => bad += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Commands that are gone.
pub(super) fn lost(error: &JournalError) -> Loss {
    let things = match error {
        JournalError::Gap { first, last } | JournalError::Rotten { first, last, .. } => {
            last - first + 1
        }
        _ => 1,
    };
    Loss {
        file: None,
        content: None,
        things,
        what: error.to_string(),
    }
}
