//! Mending a data folder by hand: `ashtapada check --mend`.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::open::{self, Options};
use super::opening::{OpenError, Opening};
use super::snapshot::{self, Wanted};
use super::survey::Survey;

/// Opens a folder, which mends what the start can, and takes a snapshot in place of files that are damaged or missing;
/// what was found at the opening, and what was set aside.
///
/// # Errors
/// [`OpenError`].
pub fn mend(dir: &Path, options: &Options) -> Result<(Opening, Vec<PathBuf>), OpenError> {
    let (mut opened, opening) = open::open(dir, options)?;
    let folder = opened.folder;
    let broken = |error| folder.broken(error);
    let give_up = AtomicBool::new(false);
    let survey = Survey::of(&folder, None, &give_up).map_err(broken)?;
    let mut aside = Vec::new();
    if survey.is_damaged() {
        if opened.journal.lines() > 0 {
            opened.journal.rotate().map_err(broken)?;
        }
        let wanted = Wanted {
            folder: opened.meta.folder,
            from: opened.journal.point(),
            mends: true,
        };
        aside = snapshot::take(&opened.shelf, &folder, wanted, &give_up)?;
    }
    opened.shelf.view().flush()?;
    Ok((opening, aside))
}
