//! Making the view anew: in the most complete way there is, and in the place of the old one only when nothing is missing,
//! or what is missing is given up.

use std::fs;
use std::path::PathBuf;

use super::damage::Damage;
use super::folder::Numbered;
use super::journal_error::JournalError;
use super::kept::Reader;
use super::loss::{self, Loss};
use super::mark::FoundMark;
use super::opening::{Found, OpenError, Stranger};
use super::rebuild::{Rebuilt, Sources};
use super::recover::{Current, Recovery, Stopped};
use super::view::{Meta, View};

impl Recovery<'_> {
    /// The view is whole, but lacks commands that are gone from the journal. A snapshot may have them; else only whoever
    /// runs the program can say that they are given up.
    pub(super) fn without(&self, applied: u64, error: JournalError) -> Result<Current, OpenError> {
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
            .view(u32::MAX)
            .and_then(|(view, meta)| self.follow(view, meta, true))
        {
            Ok(current) => Ok(current),
            Err(Stopped::Never(error)) => Err(error),
            Err(Stopped::Gone(_, error)) => Err(OpenError::Journal { error }),
            Err(Stopped::Rebuild(damage)) => self.anew(damage, true),
        }
    }

    /// Makes the view anew beside the old one, in the most complete way there is, and puts it in its place when nothing is
    /// missing, or what is missing is given up.
    pub(super) fn anew(&self, damage: Damage, accept_loss: bool) -> Result<Current, OpenError> {
        match damage {
            Damage::Foreign => {
                return Err(OpenError::Foreign {
                    paths: vec![self.folder.view()],
                    kind: Stranger::Folder,
                    tied: false,
                });
            }
            Damage::InUse => return Err(OpenError::InUse(self.folder.root().to_owned())),
            // With rights and room it is as whole as it was.
            Damage::Barred { kind, why } => {
                let error = std::io::Error::new(kind, why);
                return Err(self.folder.broken_at(&self.folder.view(), error));
            }
            _ => {}
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
    pub(super) fn note(&self, losses: &[Loss]) -> Result<(), OpenError> {
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
            newest_snapshot: (!self.is_imported())
                .then(|| self.evidence.snapshots.last().map(|newest| newest.number))
                .flatten(),
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
    ) -> Result<(View, Option<PathBuf>), OpenError> {
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
