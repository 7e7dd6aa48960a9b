//! REST: what each request does, and how it fails when told so.

mod about;
mod callback;
mod commands;
mod draft;
mod messages;
mod threads;
mod webhook;

use std::time::{Duration, Instant};

use axum::body::{Body as HttpBody, to_bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, Response, header};
use serde_json::{Value, json};

use crate::body::Body;
use crate::connection::talk;
use crate::door::Line;
use crate::double::Double;
use crate::faults::Fault;
use crate::openapi::openapi;
use crate::refusal::Refusal;
use crate::world::{Call, World};

/// Most bytes of a request.
const MOST: usize = 64 * 1024 * 1024;

/// What is answered where all is well: a status and, with 200, JSON.
pub(crate) type Answer = Result<Option<Value>, Refusal>;

/// A request, taken apart.
pub(crate) struct Asked<'a> {
    pub(crate) method: &'a str,
    /// The parts of the path behind `/api/v10`.
    pub(crate) parts: Vec<&'a str>,
    pub(crate) query: &'a str,
    pub(crate) body: &'a Body,
}

impl Asked<'_> {
    /// The JSON that must be there.
    pub(crate) fn json(&self) -> Result<&Value, Refusal> {
        let json = self.body.json.as_ref();
        json.ok_or_else(|| Refusal::invalid_body("no JSON"))
    }

    /// A value of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let pairs = self
            .query
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        pairs
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value)
            .next()
    }
}

/// An id in a path.
pub(crate) fn id(text: &str) -> Result<u64, Refusal> {
    text.parse().map_err(|_| Refusal::no_such_route())
}

/// A request as it came.
struct Came<'a> {
    method: &'a Method,
    path: &'a str,
    query: &'a str,
    headers: &'a HeaderMap,
    body: Result<Body, String>,
    at: Instant,
}

/// The gateway's door.
pub(crate) async fn gateway(
    State(double): State<Double>,
    ConnectInfo(line): ConnectInfo<Line>,
    upgrade: WebSocketUpgrade,
) -> Response<HttpBody> {
    if double.with(|world| world.gateway.closed) {
        line.cut();
        return Response::default();
    }
    upgrade.on_upgrade(move |socket| talk(double, socket, line))
}

/// Every other request.
pub(crate) async fn serve(
    State(double): State<Double>,
    ConnectInfo(line): ConnectInfo<Line>,
    request: Request,
) -> Response<HttpBody> {
    let at = Instant::now();
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, MOST).await else {
        // The bot was killed while it sent this.
        line.cut();
        return Response::default();
    };
    let kind = parts
        .headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let body = Body::read(kind, bytes).await;
    let Some(path) = parts.uri.path().strip_prefix("/api/v10") else {
        double.with(|world| world.refuse(format!("a request to {}", parts.uri)));
        return respond(404, &json!({"message": "404: Not Found", "code": 0}), None);
    };
    let came = Came {
        method: &parts.method,
        path,
        query: parts.uri.query().unwrap_or_default(),
        headers: &parts.headers,
        body,
        at,
    };
    let fault = double.with(|world| world.faults.next(came.method.as_str(), path));
    let ask = |world: &mut World| act(world, &double, &came);
    match fault {
        None => answered(double.with(ask)),
        Some(Fault::Delay(long)) => {
            wait(long).await;
            answered(double.with(ask))
        }
        Some(Fault::DelayAnswer(long)) => {
            let answer = double.with(ask);
            wait(long).await;
            answered(answer)
        }
        Some(Fault::Status(status)) => {
            double.with(|world| came.note(world, Some(status), 0));
            respond(status, &json!({"message": "as told", "code": 0}), None)
        }
        Some(Fault::Error(status, code)) => {
            double.with(|world| came.note(world, Some(status), code));
            respond(status, &json!({"message": "as told", "code": code}), None)
        }
        Some(Fault::RateLimited(seconds)) => {
            double.with(|world| came.note(world, Some(429), 0));
            let told = json!({"message": "You are being rate limited.", "retry_after": seconds, "global": false});
            respond(429, &told, Some(seconds))
        }
        Some(Fault::CutBefore) => {
            double.with(|world| came.note(world, None, 0));
            line.cut();
            Response::default()
        }
        Some(Fault::CutAfter) => {
            // What was done is not told.
            let _ = double.with(ask);
            line.cut();
            Response::default()
        }
        Some(Fault::Hold) => {
            held(&double).await;
            answered(double.with(ask))
        }
        Some(Fault::HoldForEver) => {
            held(&double).await;
            line.cut();
            Response::default()
        }
        Some(Fault::HoldAnswer) => {
            let answer = double.with(ask);
            held(&double).await;
            answered(answer)
        }
    }
}

/// Waits on purpose: this is how slow the service is told to be.
async fn wait(long: Duration) {
    tokio::time::sleep(long).await;
}

async fn held(double: &Double) {
    let before = double.with(|world| {
        world.faults.held += 1;
        world.faults.released
    });
    let mut changes = double.changes();
    while double.with_quietly(|world| world.faults.released) == before {
        if changes.changed().await.is_err() {
            return;
        }
    }
    double.with(|world| world.faults.held = world.faults.held.saturating_sub(1));
}

impl Came<'_> {
    fn note(&self, world: &mut World, status: Option<u16>, code: u32) {
        world.calls.push(Call {
            method: self.method.to_string(),
            path: self.path.to_owned(),
            body: self.body.as_ref().ok().and_then(|body| body.json.clone()),
            status,
            code,
            at: self.at,
        });
    }
}

/// Checks a request and does what it asks for.
fn act(world: &mut World, double: &Double, came: &Came<'_>) -> Answer {
    let (method, path) = (came.method, came.path);
    let answer = match &came.body {
        Err(what) => Err(Refusal::invalid_body(what)),
        Ok(body) => {
            for fault in openapi().faults(method.as_str(), path, body.json.as_ref()) {
                world.refuse(format!("{method} {path}: {fault}"));
            }
            let asked = Asked {
                method: method.as_str(),
                parts: path.trim_start_matches('/').split('/').collect(),
                query: came.query,
                body,
            };
            match authorized(world, &asked, came.headers) {
                true => route(world, double, &asked),
                false => Err(Refusal::unauthorized()),
            }
        }
    };
    let (status, code) = match &answer {
        Ok(Some(_)) => (200, 0),
        Ok(None) => (204, 0),
        Err(refusal) => (refusal.status, refusal.code),
    };
    if let Err(refusal) = &answer
        && refusal.fault
    {
        world.refuse(format!(
            "{method} {path}: {} {}",
            refusal.code, refusal.message
        ));
    }
    came.note(world, Some(status), code);
    answer
}

/// Interactions and their webhooks need no token of the bot.
fn authorized(world: &World, asked: &Asked<'_>, headers: &HeaderMap) -> bool {
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|given| given.to_str().ok());
    matches!(asked.parts.first(), Some(&"interactions" | &"webhooks"))
        || given == Some(format!("Bot {}", world.token).as_str())
}

fn route(world: &mut World, double: &Double, asked: &Asked<'_>) -> Answer {
    match asked.parts.as_slice() {
        ["gateway", ..] => about::gateway(world, double, asked),
        ["users", ..] => about::users(world, asked),
        ["guilds", ..] => about::guilds(world, asked),
        ["applications" | "oauth2", rest @ ..] => match rest {
            [_, "commands", ..] | [_, "guilds", _, "commands", ..] => commands::route(world, asked),
            _ => about::application(world),
        },
        ["interactions", interaction, token, "callback"] => {
            callback::callback(world, asked, id(interaction)?, token)
        }
        ["webhooks", _, token, rest @ ..] => webhook::route(world, asked, token, rest),
        ["channels", channel, "messages", _, "threads"] | ["channels", channel, "threads"] => {
            threads::begin(world, asked, id(channel)?)
        }
        ["channels", channel, rest @ ..] => messages::route(world, asked, id(channel)?, rest),
        _ => Err(Refusal::no_such_route()),
    }
}

fn answered(answer: Answer) -> Response<HttpBody> {
    match answer {
        Ok(Some(json)) => respond(200, &json, None),
        Ok(None) => respond(204, &Value::Null, None),
        Err(refusal) => respond(refusal.status, &refusal.json(), None),
    }
}

fn respond(status: u16, json: &Value, retry_after: Option<f64>) -> Response<HttpBody> {
    let mut response = Response::builder()
        .status(status)
        .header("x-ratelimit-limit", "1000")
        .header(
            "x-ratelimit-remaining",
            if retry_after.is_some() { "0" } else { "999" },
        )
        .header(
            "x-ratelimit-reset-after",
            retry_after.unwrap_or(1.0).to_string(),
        )
        .header("x-ratelimit-reset", reset(retry_after.unwrap_or(1.0)))
        .header("x-ratelimit-bucket", "double");
    if let Some(seconds) = retry_after {
        response = response
            .header(header::RETRY_AFTER, seconds.to_string())
            .header("x-ratelimit-scope", "user")
            // Discord's front passes limits on; a client takes a 429 without it for a ban.
            .header(header::VIA, "1.1 google");
    }
    let body = match status {
        204 => HttpBody::empty(),
        _ => {
            response = response.header(header::CONTENT_TYPE, "application/json");
            HttpBody::from(json.to_string())
        }
    };
    response.body(body).unwrap_or_default()
}

/// The moment after so many seconds, in seconds since the Unix epoch.
fn reset(seconds: f64) -> String {
    let now = Duration::from_millis(crate::snowflake::now()).as_secs_f64();
    format!("{:.3}", now + seconds)
}
