//! What whoever runs a homeserver can do.

use hmac::{Hmac, Mac};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use sha1::Sha1;
use tokio::sync::OnceCell;

use crate::synapse::{NAME, SHARED_SECRET};

/// The one who runs the server.
pub(crate) struct Admin {
    url: String,
    http: Client,
    token: OnceCell<String>,
}

impl Admin {
    pub(crate) fn new(url: String) -> Admin {
        Admin {
            url,
            // Every scenario has a runtime of its own, and takes the connections made in it along when it ends.
            http: Client::builder()
                .no_proxy()
                .pool_max_idle_per_host(0)
                .build()
                .expect("an HTTP client"),
            token: OnceCell::new(),
        }
    }

    /// Whether the server answers.
    pub(crate) async fn answers(&self) -> bool {
        let asked = self
            .http
            .get(format!("{}/_matrix/client/versions", self.url));
        asked
            .send()
            .await
            .is_ok_and(|answer| answer.status().is_success())
    }

    /// A new account with this name in front of `@…:palace.test`; its access token.
    pub(crate) async fn register(&self, name: &str, password: &str, runs_it: bool) -> String {
        let nonce = self
            .ask(Method::GET, "/_synapse/admin/v1/register", None, None)
            .await;
        let nonce = nonce["nonce"].as_str().expect("a nonce").to_owned();
        let role = if runs_it { "admin" } else { "notadmin" };
        let mut mac =
            Hmac::<Sha1>::new_from_slice(SHARED_SECRET.as_bytes()).expect("any length will do");
        mac.update([&nonce, name, password, role].join("\0").as_bytes());
        let mac: String = mac
            .finalize()
            .into_bytes()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let body = json!({
            "nonce": nonce, "username": name, "password": password, "admin": runs_it, "mac": mac,
        });
        let made = self
            .ask(
                Method::POST,
                "/_synapse/admin/v1/register",
                None,
                Some(body),
            )
            .await;
        made["access_token"].as_str().expect("a token").to_owned()
    }

    /// Limits of its own for an account: messages in a second, and how many may come at once.
    pub(crate) async fn limit(&self, user: &str, a_second: u32, at_once: u32) {
        let path = format!("/_synapse/admin/v1/users/{user}/override_ratelimit");
        let body = json!({"messages_per_second": a_second, "burst_count": at_once});
        self.as_admin(Method::POST, &path, Some(body)).await;
    }

    /// Takes the limits of an account back.
    pub(crate) async fn unlimit(&self, user: &str) {
        let path = format!("/_synapse/admin/v1/users/{user}/override_ratelimit");
        self.as_admin(Method::DELETE, &path, None).await;
    }

    /// Ends all sessions of an account.
    pub(crate) async fn revoke(&self, user: &str) {
        let path = format!("/_synapse/admin/v2/users/{user}/devices");
        let devices = self.as_admin(Method::GET, &path, None).await;
        let devices: Vec<&Value> = devices["devices"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|device| &device["device_id"])
            .collect();
        let path = format!("/_synapse/admin/v2/users/{user}/delete_devices");
        self.as_admin(Method::POST, &path, Some(json!({"devices": devices})))
            .await;
    }

    /// The devices of an account.
    pub(crate) async fn devices(&self, user: &str) -> Vec<String> {
        let path = format!("/_synapse/admin/v2/users/{user}/devices");
        let devices = self.as_admin(Method::GET, &path, None).await;
        let devices = devices["devices"].as_array().into_iter().flatten();
        devices
            .filter_map(|device| device["device_id"].as_str().map(str::to_owned))
            .collect()
    }

    /// Who is in a room.
    pub(crate) async fn members(&self, room: &str) -> Vec<String> {
        let path = format!("/_synapse/admin/v1/rooms/{room}/members");
        let members = self.as_admin(Method::GET, &path, None).await;
        let members = members["members"].as_array().into_iter().flatten();
        members
            .filter_map(|member| member.as_str().map(str::to_owned))
            .collect()
    }

    async fn as_admin(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let token = self
            .token
            .get_or_init(|| self.register("keeper", "of the palace", true))
            .await;
        self.ask(method, path, Some(token), body).await
    }

    /// A request of somebody with this token.
    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
    ) -> Value {
        let mut asked = self.http.request(method, format!("{}{path}", self.url));
        if let Some(token) = token {
            asked = asked.bearer_auth(token);
        }
        if let Some(body) = body {
            asked = asked.body(body.to_string());
        }
        let answer = asked
            .send()
            .await
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let status = answer.status();
        let text = answer
            .text()
            .await
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }
}

/// The full id of a name on our server.
pub(crate) fn full_id(name: &str) -> String {
    format!("@{name}:{NAME}")
}
