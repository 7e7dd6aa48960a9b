//! Several pictures as one, in rows.

use image::imageops;

use crate::picture::Picture;

/// Pictures of one theme in rows, from the top left; what is left free has the colour of the frame. `None` when there are none.
pub fn sheet(rows: &[Vec<Picture>]) -> Option<Picture> {
    let palette = rows.iter().flatten().next()?.palette;
    let size = |row: &Vec<Picture>| {
        let width: u32 = row.iter().map(|picture| picture.frame.width()).sum();
        let height = row.iter().map(|picture| picture.frame.height()).max();
        (width, height.unwrap_or_default())
    };
    let width = rows.iter().map(|row| size(row).0).max()?;
    let height = rows.iter().map(|row| size(row).1).sum();
    let mut sheet = Picture::new(width, height, palette, palette.colours().frame);
    let mut top = 0;
    for row in rows {
        let mut left = 0;
        for picture in row {
            imageops::replace(&mut sheet.frame, &picture.frame, left, top);
            left += i64::from(picture.frame.width());
        }
        top += i64::from(size(row).1);
    }
    Some(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Scene, draw};

    fn picture(width: u32) -> Picture {
        let mut scene = Scene::new(Board::new(4, 4));
        scene.width = width;
        draw(&scene).unwrap()
    }

    #[test]
    fn pictures_stand_beside_and_below_each_other() {
        let (large, small) = (picture(480), picture(240));
        let sheet = sheet(&[vec![large.clone()], vec![small.clone(), small.clone()]]).unwrap();
        assert_eq!(sheet.frame.dimensions(), (480, 720));
        let part = |x, y, side| imageops::crop_imm(&sheet.frame, x, y, side, side).to_image();
        assert_eq!(part(0, 0, 480), large.frame);
        assert_eq!(part(240, 480, 240), small.frame);
    }

    #[test]
    fn of_no_pictures_there_is_no_sheet() {
        assert!(sheet(&[]).is_none() && sheet(&[Vec::new()]).is_none());
    }
}
