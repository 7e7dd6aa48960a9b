//! Writes sample boards into the folder named by the first argument.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use ashtapada_render::{Layout, Side, png};

#[path = "../samples/mod.rs"]
mod samples;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("say into which folder")?);
    fs::create_dir_all(&folder)?;
    for samples::Sample { name, mut scene } in samples::all() {
        fs::write(folder.join(format!("{name}.png")), png(&scene)?)?;
        if name == "middle-8x8-light" {
            for side in Side::ALL {
                scene.bottom = side;
                fs::write(
                    folder.join(format!("{name}-from-{side:?}.png").to_lowercase()),
                    png(&scene)?,
                )?;
            }
        }
        scene.layout = match scene.layout {
            Layout::Square => Layout::Wide,
            Layout::Wide => Layout::Square,
        };
        fs::write(
            folder.join(format!("{name}-other-layout.png")),
            png(&scene)?,
        )?;
        // the size at which a chat shows it
        scene.width = if name.starts_with("pieces") { 336 } else { 350 };
        fs::write(folder.join(format!("{name}-small.png")), png(&scene)?)?;
    }
    Ok(())
}
