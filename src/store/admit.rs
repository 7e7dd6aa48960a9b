//! Whether a commit may be kept, decided before anything of it is.

use super::damage::Damage;
use super::draft::Draft;
use super::{Account, Append, Commit, StoreError};

/// `Ok(Err(…))` refuses the commit; an outer error means that the view could not be read.
pub(super) fn admit(draft: &Draft<'_>, commit: &Commit) -> Result<Result<(), StoreError>, Damage> {
    if let Some(cause) = &commit.cause
        && let Some(handled) = draft.handled(cause)?
    {
        return Ok(Err(StoreError::Handled {
            cause: cause.clone(),
            number: handled.n,
        }));
    }
    for (at, append) in commit.appends.iter().enumerate() {
        let earlier = commit.appends[..at]
            .iter()
            .rev()
            .find(|earlier| earlier.code == append.code);
        let found = match earlier {
            Some(earlier) => Append::version(earlier),
            None => draft.head(append.code)?.map_or(0, |head| head.version),
        };
        if found != append.expected {
            return Ok(Err(StoreError::Stale {
                code: append.code,
                expected: append.expected,
                found,
            }));
        }
    }
    accounts(draft, commit)
}

/// Each account belongs to one person once the whole commit is in.
fn accounts(draft: &Draft<'_>, commit: &Commit) -> Result<Result<(), StoreError>, Damage> {
    let taken = |account: &Account, person| {
        let Account { platform, account } = account.clone();
        Ok(Err(StoreError::AccountTaken {
            platform,
            account,
            person,
        }))
    };
    for person in &commit.people {
        for account in &person.accounts {
            let changed = |id| commit.people.iter().any(|changed| changed.id == id);
            let owner = draft.owner(account)?.filter(|&owner| !changed(owner));
            let claimed = commit
                .people
                .iter()
                .find(|other| other.accounts.contains(account))
                .map(|other| other.id);
            if let Some(owner) = owner.or(claimed).filter(|&owner| owner != person.id) {
                return taken(account, owner);
            }
        }
    }
    Ok(Ok(()))
}
