//! Carrying one message along its course: sending and looking as the course says, waiting as long as it says.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use serenity::model::id::ChannelId;
use tokio::sync::watch;
use tokio::time::Instant;

use super::course::{Course, Form, Outcome, Step};
use super::{Desk, locked};
use crate::chat::discord::layout::{Sheet, lay};
use crate::chat::discord::sending::{self, Fault, Lack};
use crate::chat::outbox::Waiting;
use crate::chat::stopping::stopped;
use crate::ids::Place;
use crate::store::PostId;

/// What a message is sent and looked for with.
#[async_trait]
pub(super) trait Carrier: Sync {
    /// Sends it in a form; Discord's id of it.
    async fn send(&self, form: Form) -> Result<u64, Fault>;

    /// Looks for it in the channel's history.
    async fn look(&self) -> Result<Option<u64>, Fault>;

    /// Whether it still is to be posted.
    fn wanted(&self) -> bool;
}

/// Carries a message until it is settled what becomes of it; `None` when it is not wanted any more, or the program stops.
pub(super) async fn carry(
    course: &mut Course,
    carrier: &dyn Carrier,
    stop: &mut watch::Receiver<bool>,
) -> Option<Outcome> {
    loop {
        if *stop.borrow() || !carrier.wanted() {
            return None;
        }
        let outcome = match course.next(Instant::now()) {
            Step::Wait(then) => {
                tokio::select! {
                    () = tokio::time::sleep_until(then) => {}
                    () = stopped(stop) => return None,
                }
                None
            }
            Step::Look => {
                let found = carrier.look().await;
                course.looked(found, Instant::now())
            }
            Step::Send(form) => {
                let sent = carrier.send(form).await;
                course.sent(sent, Instant::now())
            }
        };
        if outcome.is_some() {
            return outcome;
        }
    }
}

/// A message of the outbox on its way to a channel. It is laid out anew at each try, so that what waits holds no pictures.
pub(super) struct Parcel<'a> {
    desk: &'a Desk,
    place: &'a Place,
    channel: ChannelId,
    waiting: &'a Waiting,
    /// The message about the same table that was posted before it, if any.
    after: Option<u64>,
    buttons: AtomicBool,
}

impl<'a> Parcel<'a> {
    pub(super) fn new(
        desk: &'a Desk,
        place: &'a Place,
        channel: ChannelId,
        waiting: &'a Waiting,
        after: Option<u64>,
    ) -> Parcel<'a> {
        Parcel {
            desk,
            place,
            channel,
            waiting,
            after,
            buttons: AtomicBool::new(false),
        }
    }

    /// The course of it.
    pub(super) fn course(&self) -> Course {
        let message = &self.waiting.message;
        let file = message.picture.is_some() || message.file.is_some();
        let course = Course::new(file, self.waiting.before);
        let barred = |room: ChannelId| {
            let without_files = &self.desk.discord.poster.without_files;
            locked(without_files).contains(&room.get())
        };
        if file && sending::room_of(self.place).is_some_and(barred) {
            course.without_files()
        } else {
            course
        }
    }

    /// Whether it was posted with buttons.
    pub(super) fn has_buttons(&self) -> bool {
        self.buttons.load(Ordering::Relaxed)
    }

    fn nonce(&self) -> String {
        nonce(&self.desk.mark, self.waiting.id)
    }

    /// Remembers whether the channel takes files, as soon as that is seen: a change of what the bot may do there, which makes
    /// that forgotten, may come at any time after.
    fn learn_of_files(&self, sent: &Result<u64, Fault>) {
        let Some(room) = sending::room_of(self.place) else {
            return;
        };
        let mut without_files = locked(&self.desk.discord.poster.without_files);
        match sent {
            Ok(_) => {
                without_files.remove(&room.get());
            }
            Err(Fault::Blocked(Lack::Permissions)) => {
                without_files.insert(room.get());
            }
            Err(_) => {}
        }
    }

    /// The message laid out. Only so many are drawn at a time; sending holds up no other place.
    async fn sheet(&self) -> Sheet {
        let _permit = self.desk.permits.acquire().await;
        lay(&self.desk.discord, &self.waiting.message).await
    }
}

/// What makes the same message that is sent again be taken once: at most 25 characters for Discord.
fn nonce(mark: &str, id: PostId) -> String {
    format!("{mark}-{:x}-{:x}", id.number, id.index)
}

#[async_trait]
impl Carrier for Parcel<'_> {
    async fn send(&self, form: Form) -> Result<u64, Fault> {
        let sheet = self.sheet().await;
        let sheet = match form {
            Form::Whole => sheet,
            Form::WithoutFiles => sheet.without_files(),
            Form::WordsAlone => sheet.words_alone(),
        };
        self.buttons.store(sheet.has_buttons(), Ordering::Relaxed);
        let http = &self.desk.discord.http;
        let sent = sending::post(http, self.channel, &sheet, &self.nonce()).await;
        if form == Form::Whole && !sheet.files.is_empty() {
            self.learn_of_files(&sent);
        }
        if let Err(Fault::Refused { code, why }) = &sent {
            let files: usize = sheet.files.iter().map(|file| file.data.len()).sum();
            tracing::error!(
                "discord: a message in channel {} was refused ({code}: {why}); it has {} characters, {} rows of buttons and {files} bytes of files",
                self.channel,
                sheet.content.chars().count(),
                sheet.components.as_array().map_or(0, Vec::len),
            );
        }
        sent
    }

    async fn look(&self) -> Result<Option<u64>, Fault> {
        let history = sending::history(&self.desk.discord.http, self.channel, self.after).await?;
        let whole = self.sheet().await;
        self.buttons.store(whole.has_buttons(), Ordering::Relaxed);
        let sheets = [
            whole.clone().without_files(),
            whole.clone().words_alone(),
            whole,
        ];
        let me = self.desk.discord.me.get().map(|me| me.id.get());
        Ok(sending::sent_before(
            &history,
            me,
            &self.nonce(),
            &sheets,
            self.after,
        ))
    }

    fn wanted(&self) -> bool {
        self.desk.outbox.lanes.has(self.place, self.waiting.id)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::chat::discord::sending::{Again, Lack};

    /// A Discord that answers as it was told, and writes down when it was asked what.
    struct Scripted {
        start: Instant,
        answers: Mutex<VecDeque<Result<u64, Fault>>>,
        found: Option<u64>,
        asked: Mutex<Vec<(u64, &'static str)>>,
    }

    impl Scripted {
        fn new(answers: Vec<Result<u64, Fault>>, found: Option<u64>) -> Scripted {
            Scripted {
                start: Instant::now(),
                answers: Mutex::new(answers.into()),
                found,
                asked: Mutex::default(),
            }
        }

        fn note(&self, what: &'static str) {
            locked(&self.asked).push((self.start.elapsed().as_secs(), what));
        }

        fn asked(&self) -> Vec<(u64, &'static str)> {
            locked(&self.asked).clone()
        }
    }

    #[async_trait]
    impl Carrier for Scripted {
        async fn send(&self, form: Form) -> Result<u64, Fault> {
            self.note(match form {
                Form::Whole => "whole",
                Form::WithoutFiles => "without files",
                Form::WordsAlone => "words",
            });
            locked(&self.answers).pop_front().unwrap_or(Ok(1))
        }

        async fn look(&self) -> Result<Option<u64>, Fault> {
            self.note("look");
            Ok(self.found)
        }

        fn wanted(&self) -> bool {
            locked(&self.asked).len() < 20
        }
    }

    fn going() -> watch::Receiver<bool> {
        let (sender, stop) = watch::channel(false);
        // It says nothing more, but is not gone.
        std::mem::forget(sender);
        stop
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_outlasts_a_long_failure_and_is_there_once() {
        let down = || Err(Fault::Again(Again::MayHaveArrived));
        let answers = (0..8).map(|_| down()).collect();
        let carrier = Scripted::new(answers, Some(42));
        let mut course = Course::new(true, false);
        let outcome = carry(&mut course, &carrier, &mut going()).await;
        assert_eq!(outcome, Some(Outcome::Posted { message: 42 }));
        let asked = carrier.asked();
        assert_eq!(
            asked,
            [
                (0, "whole"),
                (1, "whole"),
                (3, "whole"),
                (7, "whole"),
                (15, "whole"),
                (31, "whole"),
                (63, "whole"),
                (123, "look")
            ]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn where_files_are_not_taken_the_next_try_has_none() {
        let blocked = Err(Fault::Blocked(Lack::Permissions));
        let carrier = Scripted::new(vec![blocked, Ok(7)], None);
        let mut course = Course::new(true, false);
        let outcome = carry(&mut course, &carrier, &mut going()).await;
        assert_eq!(outcome, Some(Outcome::Posted { message: 7 }));
        assert_eq!(carrier.asked(), [(0, "whole"), (0, "without files")]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_not_wanted_any_more_is_left() {
        let busy = || Err(Fault::Again(Again::NotArrived));
        let carrier = Scripted::new((0..50).map(|_| busy()).collect(), None);
        let mut course = Course::new(false, false);
        assert_eq!(carry(&mut course, &carrier, &mut going()).await, None);
        assert_eq!(carrier.asked().len(), 20);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_ends_the_waiting_but_not_a_message_being_sent() {
        let (sender, mut stop) = watch::channel(false);
        let busy = || Err(Fault::Again(Again::NotArrived));
        let carrier = Scripted::new((0..50).map(|_| busy()).collect(), None);
        let mut course = Course::new(false, false);
        let stopping = async {
            tokio::time::sleep(Duration::from_millis(5500)).await;
            sender.send_replace(true);
        };
        let (outcome, ()) = tokio::join!(carry(&mut course, &carrier, &mut stop), stopping);
        assert_eq!(outcome, None);
        assert_eq!(carrier.asked(), [(0, "whole"), (1, "whole"), (3, "whole")]);
        assert_eq!(carrier.start.elapsed(), Duration::from_millis(5500));
    }

    #[test]
    fn a_nonce_fits() {
        let largest = PostId {
            number: 0xff_ffff_ffff_ffff,
            index: 0xff,
        };
        assert_eq!(nonce("0af31c", PostId::from((10, 0))), "0af31c-a-0");
        assert!(nonce("0af31c", largest).len() <= 25);
    }
}
