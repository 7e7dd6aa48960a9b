//! Bodies of requests: JSON, or a form with JSON and files.

use axum::body::Bytes;
use futures_util::stream;
use serde_json::Value;

/// A file that came with a request.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// The number in `files[n]`.
    pub(crate) number: u64,
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

/// What a request carries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Body {
    pub(crate) json: Option<Value>,
    pub(crate) files: Vec<File>,
}

impl Body {
    /// Reads it. What cannot be read is told as Discord would refuse it.
    pub(crate) async fn read(content_type: Option<&str>, bytes: Bytes) -> Result<Body, String> {
        let kind = content_type.unwrap_or_default();
        if kind.starts_with("multipart/form-data") {
            return Body::form(kind, bytes).await;
        }
        if bytes.is_empty() {
            return Ok(Body::default());
        }
        if !kind.starts_with("application/json") {
            return Err(format!("a body of the kind “{kind}”"));
        }
        let json = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        Ok(Body {
            json: Some(json),
            files: Vec::new(),
        })
    }

    async fn form(kind: &str, bytes: Bytes) -> Result<Body, String> {
        let boundary = multer::parse_boundary(kind).map_err(|error| error.to_string())?;
        let whole = stream::iter([Ok::<_, std::io::Error>(bytes)]);
        let mut form = multer::Multipart::new(whole, boundary);
        let mut body = Body::default();
        while let Some(field) = form.next_field().await.map_err(|error| error.to_string())? {
            let name = field.name().unwrap_or_default().to_owned();
            let file = field.file_name().map(str::to_owned);
            let content = field.bytes().await.map_err(|error| error.to_string())?;
            if name == "payload_json" {
                let json = serde_json::from_slice(&content).map_err(|error| error.to_string())?;
                body.json = Some(json);
                continue;
            }
            let number = name
                .strip_prefix("files[")
                .and_then(|rest| rest.strip_suffix(']'))
                .and_then(|number| number.parse().ok());
            let (Some(number), Some(file)) = (number, file) else {
                return Err(format!("a part of the form called “{name}”"));
            };
            body.files.push(File {
                number,
                name: file,
                content: content.to_vec(),
            });
        }
        Ok(body)
    }
}
