//! The way from the bot to the homeserver, on which things go wrong as they are told.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::faults::{Fault, Faults, fits};
use ashtapada_process_tests::{Bell, PATIENCE};

/// A request of the bot and what came of it.
#[derive(Debug, Clone)]
pub struct Call {
    /// Its method.
    pub method: String,
    /// Its path behind the version: `/rooms/…/send/m.room.message/…`.
    pub path: String,
    /// What was sent, if it was JSON.
    pub body: Value,
    /// How it was answered, once it was.
    pub status: Option<u16>,
}

/// A proxy in front of the homeserver. Clones are the same one.
#[derive(Clone)]
pub struct Door(Arc<Inner>);

struct Inner {
    address: SocketAddr,
    behind: String,
    http: reqwest::Client,
    state: Mutex<Told>,
    bell: Bell,
}

#[derive(Default)]
struct Told {
    faults: Faults,
    held: usize,
    released: u64,
    calls: Vec<Call>,
    /// By how many milliseconds everything is older than it is.
    older: u64,
    keys_withheld: bool,
}

impl Door {
    /// A way to the server at this address.
    pub(crate) async fn open(behind: String) -> Door {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let door = Door(Arc::new(Inner {
            address: listener.local_addr().expect("it listens"),
            behind,
            http: reqwest::Client::builder()
                .no_proxy()
                .build()
                .expect("an HTTP client"),
            state: Mutex::default(),
            bell: Bell::default(),
        }));
        let router = Router::new().fallback(serve).with_state(door.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        door
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.0.address)
    }

    fn state(&self) -> MutexGuard<'_, Told> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the next requests that fit the pattern (`PUT /rooms/*/send/*/*`) fail in this way.
    pub fn fault(&self, pattern: &str, fault: Fault, times: usize) {
        self.state().faults.add(pattern, fault, times);
    }

    /// Forgets the faults that have not happened.
    pub fn heal(&self) {
        self.state().faults.clear();
    }

    /// How many faults are still to happen.
    #[must_use]
    pub fn faults_left(&self) -> usize {
        self.state().faults.pending()
    }

    /// Makes everything the bot is told from now on so many minutes older, as if it had been away for so long.
    pub fn shift(&self, minutes: u64) {
        self.state().older = minutes * 60_000;
    }

    /// Keeps the keys that others send to the bot from it, from now on or no longer. What was kept back is lost.
    pub fn withhold_keys(&self, withheld: bool) {
        self.state().keys_withheld = withheld;
    }

    /// The requests so far that fit the pattern.
    #[must_use]
    pub fn calls(&self, pattern: &str) -> Vec<Call> {
        let state = self.state();
        let calls = state.calls.iter();
        calls
            .filter(|call| fits(pattern, &call.method, &call.path))
            .cloned()
            .collect()
    }

    /// Waits until something fits what was asked so far.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn until<T>(&self, what: &str, look: impl Fn(&Door) -> Option<T>) -> T {
        let found = self.0.bell.within(PATIENCE, || look(self)).await;
        found.unwrap_or_else(|| panic!("waited in vain: {what}\n{}", self.story()))
    }

    /// Waits until a request is held back.
    pub async fn until_held(&self) {
        let held = |door: &Door| (door.state().held > 0).then_some(());
        self.until("a request that is held back", held).await;
    }

    /// Lets go of what is held back.
    pub fn release(&self) {
        self.state().released += 1;
        self.0.bell.ring();
    }

    /// The last requests, for a test that fails.
    pub(crate) fn story(&self) -> String {
        let state = self.state();
        let shown = state.calls.iter().filter(|call| call.path != "/sync");
        let shown: Vec<String> = shown
            .map(|call| {
                let status = call
                    .status
                    .map_or("…".to_owned(), |status| status.to_string());
                format!("{} {} -> {status}", call.method, call.path)
            })
            .collect();
        shown[shown.len().saturating_sub(25)..].join("\n")
    }

    async fn held(&self, for_ever: bool) {
        let released = {
            let mut state = self.state();
            state.held += 1;
            state.released
        };
        self.0.bell.ring();
        let mut gone = || (!for_ever && self.state().released > released).then_some(());
        while self.0.bell.within(PATIENCE, &mut gone).await.is_none() {}
    }

    /// What the server says to a request.
    async fn ask(&self, request: Request<Bytes>) -> Response {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let mut asked = self
            .0
            .http
            .request(parts.method.clone(), format!("{}{path}", self.0.behind));
        for name in [header::AUTHORIZATION, header::CONTENT_TYPE] {
            if let Some(value) = parts.headers.get(&name) {
                asked = asked.header(name, value);
            }
        }
        let Ok(answer) = asked.body(body).send().await else {
            return page(502);
        };
        let status = answer.status();
        let kind = answer.headers().get(header::CONTENT_TYPE).cloned();
        let Ok(mut body) = answer.bytes().await else {
            return page(502);
        };
        if parts.method == "GET" && !parts.uri.path().contains("/media/") {
            body = self.altered(body);
        }
        let mut answer = Response::builder().status(status);
        if let Some(kind) = kind {
            answer = answer.header(header::CONTENT_TYPE, kind);
        }
        let answer = answer.body(Body::from(body));
        answer.unwrap_or_else(|_| page(502))
    }

    /// What the bot is told in place of this.
    fn altered(&self, body: Bytes) -> Bytes {
        let state = self.state();
        if state.older == 0 && !state.keys_withheld {
            return body;
        }
        let Ok(mut told) = serde_json::from_slice::<Value>(&body) else {
            return body;
        };
        if state.keys_withheld
            && let Some(Value::Array(events)) = told.pointer_mut("/to_device/events")
        {
            events.retain(|event| event["type"] != "m.room.encrypted");
        }
        age(&mut told, state.older);
        Bytes::from(told.to_string())
    }
}

/// Makes events older, wherever they are in an answer.
fn age(value: &mut Value, older: u64) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|value| age(value, older)),
        Value::Object(all) => {
            if let Some(sent) = all.get_mut("origin_server_ts") {
                *sent = json!(sent.as_u64().unwrap_or(0).saturating_sub(older));
            }
            all.values_mut().for_each(|value| age(value, older));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

async fn serve(State(door): State<Door>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return page(400);
    };
    let method = parts.method.to_string();
    let path = short(parts.uri.path()).to_owned();
    let (at, fault) = {
        let mut state = door.state();
        state.calls.push(Call {
            method: method.clone(),
            path: path.clone(),
            body: serde_json::from_slice(&body).unwrap_or(Value::Null),
            status: None,
        });
        (state.calls.len() - 1, state.faults.next(&method, &path))
    };
    door.0.bell.ring();
    let request = Request::from_parts(parts, body);
    let answer = match fault {
        None => door.ask(request).await,
        Some(Fault::Status(status)) => page(status),
        Some(Fault::StatusAfter(status)) => {
            door.ask(request).await;
            page(status)
        }
        Some(Fault::Error(status, code, text)) => {
            error(status, &json!({"errcode": code, "error": text}))
        }
        Some(Fault::Limited(millis)) => {
            let body = json!({
                "errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests", "retry_after_ms": millis,
            });
            error(429, &body)
        }
        Some(Fault::HoldAnswer) => {
            let answer = door.ask(request).await;
            door.held(false).await;
            answer
        }
        Some(Fault::Hold) => {
            door.held(false).await;
            door.ask(request).await
        }
        Some(Fault::HoldForEver) => {
            door.held(true).await;
            page(504)
        }
    };
    let status = answer.status().as_u16();
    if let Some(call) = door.state().calls.get_mut(at) {
        call.status = Some(status);
    }
    door.0.bell.ring();
    answer
}

/// The path behind `/_matrix/client/v3`, or what else stands there.
fn short(path: &str) -> &str {
    let mut parts = path.match_indices('/').map(|(at, _)| at).skip(3);
    match path.starts_with("/_matrix/") {
        true => parts.next().map_or(path, |at| &path[at..]),
        false => path,
    }
}

/// A page of some machine in between.
fn page(status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    (
        status,
        [(header::CONTENT_TYPE, "text/html")],
        "<html>not now</html>",
    )
        .into_response()
}

fn error(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, body.to_string()).into_response()
}
