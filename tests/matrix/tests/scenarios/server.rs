//! The homeserver and the people on it are what they should be, without the bot.

use ashtapada_matrix_tests::{Kind, Stage};

use crate::common::{BOT, setting};

#[tokio::test(flavor = "multi_thread")]
async fn people_understand_each_other_in_plain_and_encrypted_rooms() {
    let stage = Stage::dark(BOT, setting(&[])).await;
    let (ada, bob) = (stage.person("ada").await, stage.person("bob").await);
    for kind in [Kind::Plain, Kind::Encrypted] {
        let ada = ada.opens(kind, None, &[bob.id()]).await;
        let bob = bob.joins(ada.room()).await;
        ada.sees_member(0, bob.id(), "join").await;
        let said = ada.says("good morning").await;
        let heard = bob.sees_own(&said).await;
        assert_eq!(heard.body(), "good morning");
        assert_eq!(heard.encrypted, kind == Kind::Encrypted);
        let thread = bob.in_thread(&said);
        let answer = thread.says("and to you").await;
        let heard = ada.sees_own(&answer).await;
        assert_eq!(heard.thread(), Some(said.as_str()));
        assert_eq!(heard.answers(), None);
        let reaction = bob.reacts(&said, "🎲").await;
        let heard = ada.sees_own(&reaction).await;
        assert_eq!(heard.content["m.relates_to"]["key"], "🎲");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_homeserver_of_ones_own_keeps_what_was_said_when_it_is_restarted() {
    let mut setting = setting(&[]);
    setting.own_server = true;
    let stage = Stage::dark(BOT, setting).await;
    let ada = stage.person("ada").await;
    let ada = ada.opens(Kind::Encrypted, None, &[]).await;
    let before = ada.says("before").await;
    stage.synapse.stop();
    stage.synapse.start().await;
    let after = ada.says("after").await;
    let (before, after) = (ada.sees_own(&before).await, ada.sees_own(&after).await);
    assert!(before.number < after.number);
}
