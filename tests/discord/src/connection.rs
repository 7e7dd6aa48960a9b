//! A connection to the gateway.

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::door::Line;
use crate::double::Double;
use crate::gateway::Out;

/// One connection, from hello to its end.
pub(crate) async fn talk(double: Double, mut socket: WebSocket, connection: Line) {
    let resume_url = double.gateway_url();
    let (line, mut outgoing) = mpsc::unbounded_channel();
    let every = double.with(|world| world.gateway.heartbeat);
    let hello =
        json!({"op": 10, "d": {"heartbeat_interval": every.as_millis()}, "s": null, "t": null});
    let _ = line.send(Out::Text(hello.to_string()));
    let mut session = None;
    loop {
        tokio::select! {
            out = outgoing.recv() => match out {
                Some(Out::Text(text)) => {
                    if socket.send(Frame::Text(text.into())).await.is_err() {
                        break;
                    }
                }
                Some(Out::Close(code)) => {
                    let frame = CloseFrame { code, reason: "as told".into() };
                    // The other side may have gone already.
                    let _ = socket.send(Frame::Close(Some(frame))).await;
                    break;
                }
                Some(Out::Reset) => {
                    connection.cut();
                    break;
                }
                Some(Out::Drop) | None => break,
            },
            frame = socket.recv() => match frame {
                Some(Ok(Frame::Text(text))) => {
                    let Ok(mut payload) = serde_json::from_str::<Value>(text.as_str()) else {
                        double.with(|world| world.refuse("gateway: no JSON"));
                        break;
                    };
                    if payload["op"] == 2 {
                        payload["d"]["resume_url"] = json!(resume_url);
                    }
                    let known = double.with(|world| world.hear(&payload, &line));
                    session = known.or(session);
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Binary(_))) => {}
                Some(Ok(Frame::Close(_)) | Err(_)) | None => break,
            },
        }
    }
    if let Some(session) = session {
        double.with(|world| world.hang_up(session, &line));
    }
}
