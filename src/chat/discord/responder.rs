//! Answering an interaction: acknowledged at once (R01), then everything else by its token, in the one order Discord allows
//! (R04).

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use serenity::builder::CreateAttachment;
use serenity::http::Http;
use serenity::model::id::InteractionId;
use tokio::sync::watch;

use super::{reply, response, words};

/// Within this the first response must have arrived.
const LIMIT: Duration = Duration::from_secs(3);
/// How long one attempt may take, so that there is time for another.
const ATTEMPT: Duration = Duration::from_millis(1300);
/// The pause before another attempt.
const PAUSE: Duration = Duration::from_millis(100);
/// How often an answer behind the first response is tried.
const TRIES: u32 = 5;

/// A message that only its reader sees.
const EPHEMERAL: u64 = 1 << 6;

/// What an interaction came from, which decides how it is acknowledged and answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// A slash command: an ephemeral answer is announced, and the first reply fills it.
    Command,
    /// A button or menu: its message stays as it is until it is redrawn; replies are further messages.
    Component,
}

/// What has become of the first response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Acknowledged,
    /// It came too late, or could not be sent: nothing can be answered by this interaction.
    Failed,
    /// Another process, or an earlier delivery, had answered already.
    Duplicate,
}

/// A message as Discord takes it, with its files.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) json: Value,
    pub(super) files: Vec<CreateAttachment>,
}

/// Knows what has been sent for one interaction, and alone talks to its webhook.
#[derive(Clone)]
pub(super) struct Responder(Arc<Inner>);

struct Inner {
    http: Arc<Http>,
    id: InteractionId,
    token: String,
    from: From,
    arrived: Instant,
    state: watch::Sender<State>,
    /// Whether the announced answer has been filled, redrawn or deleted.
    used: AtomicBool,
}

impl Responder {
    pub(super) fn new(
        http: &Arc<Http>,
        id: InteractionId,
        token: &str,
        from: From,
        arrived: Instant,
    ) -> Responder {
        Responder(Arc::new(Inner {
            http: Arc::clone(http),
            id,
            token: token.to_owned(),
            from,
            arrived,
            state: watch::Sender::new(State::Waiting),
            used: AtomicBool::new(false),
        }))
    }

    /// Acknowledges and carries out the work at the same time. A duplicate's work is stopped; after a late acknowledgement it
    /// goes on, since what is for everybody does not need the interaction (R01, R02).
    pub(super) async fn around(&self, work: impl Future<Output = ()> + Send + 'static) {
        let inner = Arc::clone(&self.0);
        // In a task of its own, so that nothing in the work can hold it up.
        let mut acknowledged = tokio::spawn(async move { inner.acknowledge().await });
        // The work too, so that what breaks in it is answered.
        let mut work = tokio::spawn(work);
        let done = tokio::select! {
            biased;
            state = &mut acknowledged => match state {
                Ok(State::Duplicate) => return work.abort(),
                Ok(State::Waiting | State::Acknowledged | State::Failed) | Err(_) => work.await,
            },
            done = &mut work => done,
        };
        if let Err(broken) = done {
            tracing::error!("discord: interaction {} broke off: {broken}", self.0.id);
            self.reply(vec![reply::plain(words::TROUBLE)]).await;
        }
        self.finish().await;
    }

    /// Says something to the caller alone. The pieces are sent in order.
    pub(super) async fn reply(&self, pieces: Vec<Body>) {
        if !self.is_open().await {
            return;
        }
        for piece in pieces {
            let fills = self.0.from == From::Command && !self.0.used.swap(true, Ordering::SeqCst);
            if fills {
                self.0.fill(piece).await;
            } else {
                self.0.follow_up(piece).await;
            }
        }
    }

    /// Draws the message of the pressed button anew.
    pub(super) async fn redraw(&self, body: Body) {
        if self.is_open().await {
            self.0.used.store(true, Ordering::SeqCst);
            self.0.edit(&body).await;
        }
    }

    /// Takes the message of the pressed button away, which only its reader sees.
    pub(super) async fn dismiss(&self) {
        if self.is_open().await {
            self.0.used.store(true, Ordering::SeqCst);
            self.0.delete().await;
        }
    }

    /// Takes the announced answer of a command back that had nothing to say to its caller alone.
    async fn finish(&self) {
        if self.0.from == From::Command
            && self.is_open().await
            && !self.0.used.swap(true, Ordering::SeqCst)
        {
            self.0.delete().await;
        }
    }

    /// Waits for the first response, and says whether there is anything to answer by.
    async fn is_open(&self) -> bool {
        let mut state = self.0.state.subscribe();
        match state.wait_for(|state| *state != State::Waiting).await {
            Ok(state) => *state == State::Acknowledged,
            Err(_) => false,
        }
    }
}

impl Inner {
    async fn acknowledge(&self) -> State {
        let state = self.first_response().await;
        self.state.send_replace(state);
        state
    }

    async fn first_response(&self) -> State {
        let body = match self.from {
            From::Command => json!({"type": 5, "data": {"flags": EPHEMERAL}}),
            From::Component => json!({"type": 6}),
        };
        // Whether an earlier attempt may be what Discord has had.
        let mut tried = false;
        loop {
            let sending =
                self.http
                    .create_interaction_response(self.id, &self.token, &body, Vec::new());
            let error = match tokio::time::timeout(ATTEMPT, sending).await {
                Ok(Ok(())) => return State::Acknowledged,
                Ok(Err(error)) => Some(error),
                Err(_) => None,
            };
            match error.as_ref().and_then(response::code) {
                Some(response::UNKNOWN_INTERACTION | response::UNKNOWN_WEBHOOK) => {
                    self.tell_late();
                    return State::Failed;
                }
                Some(response::ALREADY_ACKNOWLEDGED) if tried => return State::Acknowledged,
                Some(response::ALREADY_ACKNOWLEDGED) => {
                    tracing::warn!(
                        "discord: interaction {} was answered already; is another process running with this token?",
                        self.id
                    );
                    return State::Duplicate;
                }
                Some(_) | None => {}
            }
            if error.as_ref().is_some_and(|error| !response::passes(error)) {
                tracing::warn!(
                    "discord: interaction {} could not be acknowledged: {}",
                    self.id,
                    told(error.as_ref())
                );
                return State::Failed;
            }
            if self.arrived.elapsed() + PAUSE >= LIMIT {
                self.tell_late();
                return State::Failed;
            }
            tried |= error.as_ref().is_none_or(response::may_have_arrived);
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn tell_late(&self) {
        let taken = self.arrived.elapsed();
        tracing::warn!(
            "discord: ack late by {} ms (interaction {}, {} ms after it came)",
            taken.saturating_sub(LIMIT).as_millis(),
            self.id,
            taken.as_millis()
        );
    }

    /// Fills the announced answer, if need be with the words alone: else “thinking…” would stand there.
    async fn fill(&self, body: Body) {
        let words = body.json.get("content").and_then(Value::as_str);
        let words = words.filter(|words| !words.is_empty());
        let alone = reply::plain(words.unwrap_or(words::TROUBLE));
        if !self.edit(&body).await && !self.edit(&alone).await {
            self.edit(&reply::plain(words::TROUBLE)).await;
        }
    }

    async fn edit(&self, body: &Body) -> bool {
        self.tried("filled", || async {
            self.http
                .edit_original_interaction_response(&self.token, &body.json, body.files.clone())
                .await
                .map(|_| ())
        })
        .await
    }

    async fn follow_up(&self, mut body: Body) {
        if let Value::Object(fields) = &mut body.json {
            fields.insert("flags".to_owned(), json!(EPHEMERAL));
        }
        self.tried("sent", || async {
            self.http
                .create_followup_message(&self.token, &body.json, body.files.clone())
                .await
                .map(|_| ())
        })
        .await;
    }

    async fn delete(&self) {
        self.tried("taken back", || {
            self.http.delete_original_interaction_response(&self.token)
        })
        .await;
    }

    /// Tries a few times while the fault may pass. What only the caller would have seen is not kept for later.
    async fn tried<F>(&self, what: &str, request: impl Fn() -> F) -> bool
    where
        F: Future<Output = serenity::Result<()>>,
    {
        let mut pause = PAUSE;
        for tries in 1..=TRIES {
            let error = match request().await {
                Ok(()) => return true,
                Err(error) => error,
            };
            if tries == TRIES || !response::passes(&error) {
                tracing::warn!(
                    "discord: an answer to interaction {} could not be {what}: {}",
                    self.id,
                    response::reason(&error)
                );
                return false;
            }
            tokio::time::sleep(pause).await;
            pause *= 4;
        }
        false
    }
}

fn told(error: Option<&serenity::Error>) -> String {
    error.map_or_else(|| "no answer in time".to_owned(), response::reason)
}
