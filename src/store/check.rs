//! Looking a data folder over without changing it: `ashtapada check`.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::claim::Claim;
use super::damage::Damage;
use super::evidence::Evidence;
use super::folder::Folder;
use super::history::{FolderId, Point};
use super::loss;
use super::mark::{FoundMark, Mark};
use super::opening::{OpenError, Stranger};
use super::recover::look_at_a_copy;
use super::snapshot::name;
use super::survey::Survey;
use super::view::View;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The data folder.
    pub folder: PathBuf,
    /// Its parts, in the order they were looked at.
    pub parts: Vec<Part>,
}

/// One part of a data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its file's name.
    pub name: String,
    /// How it was found.
    pub state: State,
}

/// How a part was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// As it was written; what is in it.
    Whole(String),
    /// In need of what the next start does by itself.
    Mendable(String),
    /// Damaged; what is in it may stand elsewhere.
    Damaged(String),
}

impl Report {
    /// Whether no part is damaged; what the next start mends by itself does not count.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.parts.iter().any(Part::is_damaged)
    }
}

impl Part {
    /// Whether it is damaged, so that nothing but a mend or a back-up helps.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        match self.state {
            State::Whole(_) | State::Mendable(_) => false,
            State::Damaged(_) => true,
        }
    }
}

impl fmt::Display for Report {
    /// A line for each part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "data folder {}", self.folder.display())?;
        self.parts
            .iter()
            .try_for_each(|part| write!(f, "\n  {part}"))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.state {
            State::Whole(what) => write!(f, "whole    {name}: {what}"),
            State::Mendable(what) => write!(f, "mendable {name}: {what}"),
            State::Damaged(what) => write!(f, "DAMAGED  {name}: {what}"),
        }
    }
}

/// Reads all of a data folder and says what is whole. The database is looked at in a copy beside it, removed
/// afterwards, since opening it writes to it.
///
/// # Errors
/// [`OpenError::InUse`] while a program runs on it, [`OpenError::Folder`] when it cannot be read, [`OpenError::Foreign`]
/// and [`OpenError::Misnamed`] when files in it do not belong there.
pub fn check(dir: &Path) -> Result<Report, OpenError> {
    let folder = Folder::new(dir);
    let broken = |error| folder.broken(error);
    let _claim = Claim::take(&folder)?;
    if folder.is_fresh().map_err(broken)? {
        return Ok(Report {
            folder: dir.to_owned(),
            parts: Vec::new(),
        });
    }
    let evidence = Evidence::gather(&folder)?;
    let mark = evidence.mark.mark();
    let survey = Survey::of(&folder, Some(mark), &AtomicBool::new(false)).map_err(broken)?;
    let mut parts = survey.parts;
    parts.push(Part {
        name: name(&folder.mark()),
        state: match evidence.mark {
            FoundMark::Whole(mark) => State::Whole(format!("up to command {}", mark.n)),
            FoundMark::Missing => {
                State::Mendable("there is none; the next start makes it".to_owned())
            }
            FoundMark::Damaged => State::Mendable("damaged; the next start makes it".to_owned()),
        },
    });
    parts.push(view(&folder, evidence.folder, survey.last, mark)?);
    let losses = loss::read(&folder).map_err(broken)?;
    parts.extend(losses.into_iter().map(|loss| Part {
        name: name(&folder.losses()),
        state: State::Mendable(format!("given up before: {}", loss.what)),
    }));
    Ok(Report {
        folder: dir.to_owned(),
        parts,
    })
}

fn view(
    folder: &Folder,
    id: Option<FolderId>,
    last: Point,
    mark: Option<&Mark>,
) -> Result<Part, OpenError> {
    let state = match look_at_a_copy(folder, View::check) {
        Ok(meta) if id.is_some_and(|id| id != meta.folder) => {
            return Err(OpenError::Foreign {
                paths: vec![folder.view()],
                kind: Stranger::Folder,
                tied: false,
            });
        }
        Ok(meta)
            if meta.applied == last.n
                && meta.chain != last.chain
                && meta.chain.is_some()
                && last.chain.is_some() =>
        {
            State::Damaged("it is of another history of this folder; move it away, and the next start makes it".to_owned())
        }
        Ok(meta) if meta.applied > last.n && mark.map(Mark::point) != Some(meta.point()) => {
            State::Damaged(format!(
                "whole, up to command {}, which the journal does not have",
                meta.applied
            ))
        }
        Ok(meta) => State::Whole(format!(
            "tables {}, up to command {}",
            meta.tables, meta.applied
        )),
        Err(Damage::Barred { kind, why }) => {
            return Err(folder.broken_at(&folder.view(), io::Error::new(kind, why)));
        }
        Err(Damage::InUse) => return Err(OpenError::InUse(folder.root().to_owned())),
        Err(Damage::Missing) => State::Mendable("there is none; the next start makes it".to_owned()),
        Err(Damage::Unfinished) => {
            State::Mendable("not finished; the next start makes it".to_owned())
        }
        Err(damage) => State::Damaged(format!("{damage}; the next start makes it anew")),
    };
    Ok(Part {
        name: name(&folder.view()),
        state,
    })
}

/// Copies the files of a view, but for those that were not finished.
pub(super) fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_files(&entry.path(), &target)?;
        } else if !entry.file_name().to_string_lossy().ends_with(".generating") {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
