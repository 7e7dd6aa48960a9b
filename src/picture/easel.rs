//! Drawing for many at once (R125): few pictures at a time, none of them twice, and off the threads that answer people.

use std::sync::Arc;

use quick_cache::sync::Cache;
use render::{RenderError, Scene};
use tokio::sync::Semaphore;

/// How many pictures are kept: some 10 MB at 40 KB each.
const KEPT: usize = 256;

/// Why a picture was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum EaselError {
    /// The scene cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The drawing broke off.
    #[error("the drawing broke off")]
    BrokeOff,
}

type Draw = dyn Fn(&Scene) -> Result<Vec<u8>, RenderError> + Send + Sync;

/// Draws scenes, as many at a time as there are processors, and keeps the pictures drawn last.
pub struct Easel {
    draw: Arc<Draw>,
    free: Semaphore,
    drawn: Cache<Scene, Arc<[u8]>>,
}

impl Default for Easel {
    fn default() -> Easel {
        Easel::with(render::png)
    }
}

impl Easel {
    /// An easel with another way to draw than [`render::png`].
    pub fn with(
        draw: impl Fn(&Scene) -> Result<Vec<u8>, RenderError> + Send + Sync + 'static,
    ) -> Easel {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Easel {
            draw: Arc::new(draw),
            free: Semaphore::new(processors),
            drawn: Cache::new(KEPT),
        }
    }

    /// The scene as the bytes of a PNG file. Whoever asks for a picture that is just being drawn waits for that one.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub async fn png(&self, scene: &Scene) -> Result<Arc<[u8]>, EaselError> {
        let drawing = async {
            let _place = self.free.acquire().await;
            let (draw, scene) = (Arc::clone(&self.draw), scene.clone());
            let drawn = tokio::task::spawn_blocking(move || draw(&scene)).await;
            let bytes = drawn.map_err(|_| EaselError::BrokeOff)??;
            Ok(Arc::from(bytes))
        };
        self.drawn.get_or_insert_async(scene, drawing).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use render::{Board, Theme};

    fn scene(theme: Theme) -> Scene {
        let mut scene = Scene::new(Board::new(8, 8));
        scene.theme = theme;
        scene
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn r125_fifty_boards_at_once_are_drawn_once_each_and_few_at_a_time() {
        let (total, now, most) = (
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
        );
        let counts = (Arc::clone(&total), Arc::clone(&now), Arc::clone(&most));
        let easel = Arc::new(Easel::with(move |scene| {
            counts.0.fetch_add(1, Ordering::SeqCst);
            let at_once = counts.1.fetch_add(1, Ordering::SeqCst) + 1;
            counts.2.fetch_max(at_once, Ordering::SeqCst);
            let bytes = render::png(scene);
            counts.1.fetch_sub(1, Ordering::SeqCst);
            bytes
        }));
        let themes = [Theme::Light, Theme::Dark, Theme::ColourBlind];
        let asked: Vec<_> = (0..50)
            .map(|number| {
                let easel = Arc::clone(&easel);
                tokio::spawn(async move { easel.png(&scene(themes[number % 3])).await })
            })
            .collect();
        for (number, picture) in asked.into_iter().enumerate() {
            let wanted = render::png(&scene(themes[number % 3])).unwrap();
            assert_eq!(&*picture.await.unwrap().unwrap(), wanted.as_slice());
        }
        assert_eq!(total.load(Ordering::SeqCst), 3);
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(most.load(Ordering::SeqCst) <= processors);
    }

    #[tokio::test]
    async fn a_scene_that_cannot_be_drawn_is_refused_and_asked_again() {
        let easel = Easel::default();
        let mut odd = scene(Theme::Light);
        odd.width = 1;
        assert!(matches!(easel.png(&odd).await, Err(EaselError::Render(_))));
        assert!(matches!(easel.png(&odd).await, Err(EaselError::Render(_))));
    }
}
