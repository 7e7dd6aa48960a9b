//! Being told to stop.

use tokio::sync::watch;

/// Resolves when the program is to stop.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Without a sender nobody could ever say so: that counts as saying so.
    let _ = stop.wait_for(|stop| *stop).await;
}
