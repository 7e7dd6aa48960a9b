//! Encryption: verification, back-up, keys that are lost or in conflict.

use std::fs;

use ashtapada_matrix_tests::{Event, Fault, Kind, Login, Stage};
use serde_json::json;

use crate::common::{BOT, caught_up, room, setting, stage, two};

#[tokio::test(flavor = "multi_thread")]
async fn by_password_it_logs_in_once_and_others_see_a_verified_device() {
    let mut stage = stage().await;
    let [ada, _] = room(&stage, Kind::Encrypted).await;
    let devices = stage.devices().await;
    // The password is not needed any more.
    stage.kill();
    stage.setting.environment = setting(&[("ASHTAPADA_MATRIX__PASSWORD", "")]).environment;
    stage.start().await;
    assert_eq!(stage.devices().await, devices);
    caught_up(&ada).await;
    let body = json!({"device_keys": {&stage.bot_id: []}});
    let keys = ada
        .asks_server("POST", "/_matrix/client/v3/keys/query", Some(body))
        .await;
    let signing = &keys["self_signing_keys"][&stage.bot_id]["keys"];
    let signing = signing.as_object().and_then(|keys| keys.keys().next());
    let signing = signing.unwrap_or_else(|| panic!("no cross-signing keys: {keys}"));
    let mine = keys["device_keys"][&stage.bot_id].as_object().unwrap();
    let signed = mine
        .values()
        .any(|device| !device["signatures"][&stage.bot_id][signing].is_null());
    assert!(signed, "no device is signed: {keys}");
    assert!(keys["master_keys"][&stage.bot_id].is_object());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_are_backed_up_and_the_recovery_key_is_in_a_file_of_its_own() {
    let mut stage = stage().await;
    let [ada, _] = room(&stage, Kind::Encrypted).await;
    caught_up(&ada).await;
    let file = stage.data().join("matrix-recovery-key");
    let key =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let key = key.trim().to_owned();
    assert!(key.len() > 20, "no key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let version = stage
        .as_bot("GET", "/_matrix/client/v3/room_keys/version", None)
        .await;
    assert!(version["version"].is_string(), "{version}");
    assert!(!stage.bot().log.has(&key), "the recovery key is in the log");
    assert!(
        stage.bot().log.has("matrix-recovery-key"),
        "{}",
        stage.bot().log.text()
    );
    // A new device, logged in by token, is verified by it.
    stage.stop().await;
    fs::remove_dir_all(stage.data()).unwrap();
    stage.setting.login = Login::Token;
    stage.setting.environment = setting(&[("ASHTAPADA_MATRIX__RECOVERY_KEY", &key)]).environment;
    stage.start().await;
    let told = ada.asks("!doctor").await;
    assert!(!told.body().contains("verified"), "not verified: {told}");
    assert!(!stage.bot().log.has(&key), "the recovery key is in the log");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_says_what_to_do_when_the_device_is_not_verified() {
    let mut stage = stage().await;
    stage.stop().await;
    fs::remove_dir_all(stage.data()).unwrap();
    // The account has its cross-signing keys, and this device has not.
    stage.setting.login = Login::Token;
    stage.start().await;
    let [ada, _] = room(&stage, Kind::Encrypted).await;
    let told = ada.asks("!doctor").await;
    assert!(
        told.body().contains("recovery_key") || told.body().contains("recovery key"),
        "{told}"
    );
    stage.end().await;
}

/// The very thing that Synapse says when a one-time key was uploaded before with other contents.
const CONFLICT: &str = "One time key signed_curve25519:AAAAAAAAADQ already exists. Old key: \
    {\"key\":\"oXM0E0YCjhYTMPzVg4vDiCVJOZFmnVRZHMLAw1M9kAI\",\"signatures\":{\"@a:palace.test\":{\"ed25519:A\":\
    \"AwUE5wb9P7EqJtHPVVcAaAJcC7HnXZXJhZrYbhmWJgA4hKkUqnyQ3g3DLSnY0zT7oRjDzvK6ZlPWvRpOWOqkDg\"}}}; new key: \
    {'key': 'Cd8kqZ9dZoLK2xNfhJBNpHpCXbXLcNEIfJhFhrZT7xw', 'signatures': {'@a:palace.test': {'ed25519:A': \
    'AwUE5wb9P7EqJtHPVVcAaAJcC7HnXZXJhZrYbhmWJgA4hKkUqnyQ3g3DLSnY0zT7oRjDzvK6ZlPWvRpOWOqkDg'}}}";

#[tokio::test(flavor = "multi_thread")]
async fn r107_a_key_that_the_server_has_otherwise_is_told() {
    let mut stage = stage().await;
    let [ada, _] = room(&stage, Kind::Encrypted).await;
    stage.kill();
    // Whoever speaks where the bot is invited uses one of its keys up, so that it makes a new one.
    let cy = stage.person("cy").await;
    let cy = cy.opens(Kind::Encrypted, None, &[&stage.bot_id]).await;
    cy.says("good morning").await;
    stage.door.fault(
        "POST /keys/upload",
        Fault::Error(400, "M_UNKNOWN", CONFLICT),
        1000,
    );
    stage.start().await;
    stage.bot().until_logged("R107").await;
    let told = ada.asks("!doctor").await;
    assert!(told.body().contains("key"), "{told}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r107_killed_while_it_uploads_keys_it_goes_on_with_them() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    stage.door.fault("POST /keys/upload", Fault::HoldAnswer, 1);
    stage.launch();
    stage.door.until_held().await;
    stage.kill();
    stage.start().await;
    let two = two(&stage, Kind::Encrypted).await;
    two.ada.plays("!move b1c3").await;
    let uploads = stage.door.calls("POST /keys/upload");
    assert!(
        uploads.iter().all(|call| call.status != Some(400)),
        "the keys are others than before"
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r107_a_second_program_on_the_same_store_is_refused() {
    let mut stage = stage().await;
    let environment = stage.environment();
    let arguments = ["run".to_owned()];
    let mut second = ashtapada_matrix_tests::Bot::start(stage.program(), &arguments, &environment);
    let status = second.until_ended().await;
    assert!(!status.success(), "{}", second.log.text());
    let [ada, _] = room(&stage, Kind::Plain).await;
    caught_up(&ada).await;
    stage.stop().await;
    stage.check();
}

/// What cannot be decrypted is told, with its cause and the cure, once.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_told_once_a_day() {
    let mut stage = Stage::dark(BOT, setting(&[("ASHTAPADA_MATRIX__AWAY_MINUTES", "0")])).await;
    stage.door.shift(30);
    stage.start().await;
    let [ada, bob] = room(&stage, Kind::Encrypted).await;
    stage.door.withhold_keys(true);
    let mark = bob.mark();
    ada.says("!help roll").await;
    let told = bob.sees(mark, "a word about it", Event::is_words).await;
    assert_eq!(told.msgtype(), "m.notice");
    assert!(told.mentions().is_empty());
    ada.says("!help roll").await;
    // Bob's keys come, and what he asks is answered; of Ada nothing more is said.
    stage.door.withhold_keys(false);
    caught_up(&bob).await;
    assert_eq!(bob.heard(mark).len(), 2);
    let told = bob.asks("!doctor").await;
    assert!(!told.body().is_empty());
    stage.end().await;
}
