//! Discord's own description of its API, and whether a request fits it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::sync::{Mutex, OnceLock, PoisonError};

use flate2::read::GzDecoder;
use jsonschema::Validator;
use serde_json::{Value, json};

/// From discord/discord-api-spec, commit 74fda0f; the licence stands beside it.
static FILE: &[u8] = include_bytes!("../openapi/openapi.json.gz");

/// The description, with what was made of it so far.
pub(crate) struct OpenApi {
    document: Value,
    validators: Mutex<HashMap<String, Option<&'static Validator>>>,
}

/// The one that all tests of a run share.
pub(crate) fn openapi() -> &'static OpenApi {
    static ONCE: OnceLock<OpenApi> = OnceLock::new();
    ONCE.get_or_init(OpenApi::unpacked)
}

impl OpenApi {
    fn unpacked() -> OpenApi {
        let mut text = String::new();
        GzDecoder::new(FILE)
            .read_to_string(&mut text)
            .expect("the vendored file can be unpacked");
        let mut document: Value = serde_json::from_str(&text).expect("the vendored file is JSON");
        loosen(&mut document);
        OpenApi {
            document,
            validators: Mutex::default(),
        }
    }

    /// What is wrong with a request; nothing when it fits. `path` is behind `/api/v10`.
    pub(crate) fn faults(&self, method: &str, path: &str, body: Option<&Value>) -> Vec<String> {
        let Some(template) = self.template(method, path) else {
            return vec!["no such operation in the OpenAPI file".to_owned()];
        };
        let Some(body) = body else {
            return Vec::new();
        };
        let Some(validator) = self.validator(method, &template) else {
            return vec!["the OpenAPI file knows no body of this operation".to_owned()];
        };
        let told = |error: jsonschema::ValidationError<'_>| {
            let text: String = error.to_string().chars().take(300).collect();
            format!("OpenAPI, at `{}`: {text}", error.instance_path())
        };
        validator.iter_errors(body).map(told).collect()
    }

    /// The path with names in place of ids; the one with the fewest names where several fit.
    fn template(&self, method: &str, path: &str) -> Option<String> {
        let parts: Vec<&str> = path.split('/').collect();
        let paths = self.document["paths"].as_object()?;
        let fits = |template: &str| {
            let names: Vec<&str> = template.split('/').collect();
            names.len() == parts.len()
                && names
                    .iter()
                    .zip(&parts)
                    .all(|(name, part)| name.starts_with('{') || name == part)
        };
        paths
            .iter()
            .filter(|(template, operations)| {
                fits(template) && operations.get(method.to_lowercase()).is_some()
            })
            .map(|(template, _)| template.clone())
            .min_by_key(|template| template.matches('{').count())
    }

    fn validator(&self, method: &str, template: &str) -> Option<&'static Validator> {
        let key = format!("{method} {template}");
        let mut known = self
            .validators
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *known.entry(key).or_insert_with(|| {
            let operation = &self.document["paths"][template][method.to_lowercase()];
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            if schema.is_null() {
                return None;
            }
            let whole = self.alone(schema);
            let validator =
                jsonschema::draft202012::new(&whole).expect("the vendored schema is one");
            // A handful for the whole run of the tests.
            Some(Box::leak(Box::new(validator)))
        })
    }

    /// A schema together with all that it refers to, and nothing else of the file.
    fn alone(&self, schema: &Value) -> Value {
        let mut needed = BTreeMap::new();
        let mut open = references(schema);
        while let Some(name) = open.pop() {
            if let Entry::Vacant(place) = needed.entry(name) {
                let schema = self.document["components"]["schemas"][place.key()].clone();
                open.extend(references(&schema));
                place.insert(schema);
            }
        }
        json!({"allOf": [schema], "components": {"schemas": needed}})
    }
}

/// What a schema refers to.
fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| match (key.as_str(), value) {
                ("$ref", Value::String(path)) => path
                    .rsplit('/')
                    .next()
                    .map(str::to_owned)
                    .into_iter()
                    .collect(),
                _ => references(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Where the file says something else than Discord's documentation, the documentation holds: permissions are texts.
fn loosen(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    if let Some(schemas) = schemas.as_object_mut() {
        for schema in schemas.values_mut() {
            let permissions = &mut schema["properties"]["default_member_permissions"];
            if permissions.is_object() {
                *permissions =
                    json!({"type": ["integer", "string", "null"], "pattern": "^[0-9]+$"});
            } else if let Some(properties) = schema["properties"].as_object_mut() {
                properties.remove("default_member_permissions");
            }
        }
    }
}
