//! Whether a view is of the same history as the journal and its mark.

use super::causes::Handled;
use super::damage::Damage;
use super::head::decoded;
use super::opening::OpenError;
use super::record::{Deed, Unread};
use super::recover::{Recovery, Stopped};
use super::segment::{Known, walk};
use super::view::{Meta, View};
use super::{Append, keys};

impl Recovery<'_> {
    /// Reads the whole journal, also what a view does not need: it has to be of one history with itself, with its mark and
    /// with this view. What is damaged in it does not matter here.
    pub(super) fn verify_all(&self, meta: &Meta) -> Result<(), Stopped> {
        let segments = &self.evidence.segments;
        let known = Known {
            mark: self.evidence.mark.mark(),
            also: Some(meta.point()),
            lenient: true,
            ..Known::nothing(segments)
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

    /// A view that goes beyond the journal is used only when something says that it is of this history.
    pub(super) fn is_ours_beyond(
        &self,
        view: &View,
        meta: &Meta,
        journal: u64,
    ) -> Result<(), Stopped> {
        let mark = self.evidence.mark.mark();
        let has_journal = self.has_the_journal(view)?;
        // What was acknowledged beyond the journal has to be what the view has there.
        let is_known = mark.is_none_or(|mark| {
            mark.n <= journal || mark.point() == meta.point() || self.was_here()
        });
        if has_journal && is_known {
            return Ok(());
        }
        let why = if has_journal {
            format!(
                "it has commands {} to {}, which stand nowhere else, and journal.mark knows others there",
                journal + 1,
                meta.applied
            )
        } else {
            format!(
                "it goes up to command {}, beyond the journal, and has not what the journal has",
                meta.applied
            )
        };
        Err(Stopped::Never(OpenError::ForkedView {
            path: self.folder.view(),
            why,
        }))
    }

    /// Whether the view has the events that the journal has, where the digest at the journal's end is not known to it.
    fn has_the_journal(&self, view: &View) -> Result<bool, Stopped> {
        let segments = &self.evidence.segments;
        let known = Known {
            lenient: true,
            ..Known::nothing(segments)
        };
        let mut has_all = true;
        // Causes before this command are forgotten.
        let oldest = view.under(keys::CAUSES_BY_NUMBER).next().transpose()?;
        let oldest = oldest.map(|(key, value)| decoded::<Handled>(&key, &value));
        let remembered = oldest.transpose()?.map_or(u64::MAX, |oldest| oldest.n);
        let walked = walk(segments, known, |record, _| {
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
        .map_err(|error| Stopped::Never(OpenError::Unfit(error)));
        walked.map(|_| has_all)
    }

    /// Whether the journal leads to this view, and the mark alone says otherwise, which is not the one that was here with the
    /// view.
    pub(super) fn mark_is_strange(&self, meta: &Meta) -> bool {
        let segments = &self.evidence.segments;
        let known = Known {
            also: Some(meta.point()),
            ..Known::nothing(segments)
        };
        let is_current = || {
            let walked = walk(segments, known, |_, _| Ok(()));
            walked.is_ok_and(|walked| walked.last == meta.point())
        };
        self.evidence.mark.mark().is_some() && !self.was_here() && is_current()
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
