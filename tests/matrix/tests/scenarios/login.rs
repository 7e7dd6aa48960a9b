//! Logging in, starting, stopping, and what stops the bot for good.

use std::fs;
use std::path::Path;

use ashtapada_matrix_tests::{Kind, Login, Stage};

use crate::common::{BOT, events, refused, setting, stage, two};

#[tokio::test(flavor = "multi_thread")]
async fn by_token_it_plays_and_is_the_same_device_after_a_restart() {
    let mut stage = Stage::dark(BOT, setting(&[])).await;
    stage.setting.login = Login::Token;
    stage.start().await;
    let two = two(&stage, Kind::Encrypted).await;
    two.ada.plays("!move b1c3").await;
    let devices = stage.devices().await;
    assert_eq!(devices.len(), 1);
    stage.kill();
    stage.start().await;
    two.bob.plays("!move b8c6").await;
    assert_eq!(stage.devices().await, devices);
    stage.end().await;
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r106_a_data_folder_without_its_crypto_store_is_refused_and_a_new_device_made_when_asked_for()
 {
    let mut stage = stage().await;
    let two = two(&stage, Kind::Encrypted).await;
    stage.stop().await;
    let devices = stage.devices().await;
    fs::remove_dir_all(stage.data().join("matrix")).unwrap();
    let log = refused(&mut stage).await;
    assert!(log.contains("--new-device"), "{log}");
    assert_eq!(stage.devices().await, devices, "it logged in");
    stage.setting.arguments = vec!["--new-device".to_owned()];
    stage.start().await;
    assert_eq!(stage.devices().await.len(), devices.len() + 1);
    two.ada.plays("!move b1c3").await;
    // From then on without being told.
    stage.kill();
    stage.setting.arguments.clear();
    stage.start().await;
    two.bob.plays("!move b8c6").await;
    assert_eq!(events(&two.ada, &two.code).await, 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r106_a_crypto_store_of_another_device_is_refused() {
    let mut stage = stage().await;
    stage.stop().await;
    let aside = tempfile::TempDir::new().unwrap();
    copied(&stage.data().join("matrix"), aside.path());
    stage.setting.arguments = vec!["--new-device".to_owned()];
    stage.start().await;
    stage.stop().await;
    stage.setting.arguments.clear();
    // The crypto store of the first device, beside the session of the second.
    fs::remove_dir_all(stage.data().join("matrix")).unwrap();
    copied(aside.path(), &stage.data().join("matrix"));
    let log = refused(&mut stage).await;
    assert!(log.contains("another account or device"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_of_another_account_is_refused() {
    let mut stage = stage().await;
    stage.stop().await;
    let other = Stage::dark(BOT, setting(&[])).await;
    let environment = [
        ("ASHTAPADA_MATRIX__USER", other.bot_id.as_str()),
        ("ASHTAPADA_MATRIX__PASSWORD", other.password.as_str()),
    ];
    stage.setting.environment = setting(&environment).environment;
    let log = refused(&mut stage).await;
    assert!(
        log.contains(&stage.bot_id) && log.contains(&other.bot_id),
        "{log}"
    );
}
