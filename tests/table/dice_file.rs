//! Rolls from a file.

use ashtapada::club::{Action, ClubError, DiceFileError};

use crate::hall::{Hall, quiet, solo};

#[tokio::test]
async fn a_dice_file_goes_on_where_the_stored_table_stands() {
    let file = "1,5\norder 3\n# second\n5,5\n1,1\n";
    let hall = Hall::with_dice(file);
    let ada = hall.person("ada").await;
    let mut wanted = solo("partnership");
    wanted
        .options
        .insert("setup".to_owned(), "random".to_owned());
    let code = hall.open(ada, wanted).await;
    assert_eq!(hall.table(code).await.game().unwrap().order, Some(3));
    hall.act(ada, code, Action::Roll).await.unwrap();
    hall.act(ada, code, Action::Pass).await.unwrap();
    let again = hall.restarted(Some(file));
    again.act(ada, code, Action::Roll).await.unwrap();
    again.act(ada, code, Action::Pass).await.unwrap();
    assert_eq!(again.rolls(code).await, [(1, vec![1, 5]), (2, vec![5, 5])]);
    // Another table has its own first roll.
    let other = again.open(ada, solo("four-handed")).await;
    again.act(ada, other, Action::Roll).await.unwrap();
    assert_eq!(again.rolls(other).await, [(1, vec![1, 5])]);

    let without = again.restarted(None);
    let refused = without.act(ada, code, Action::Roll).await.unwrap_err();
    assert_eq!(refused, ClubError::NoDiceFile);
}

#[tokio::test]
async fn a_dice_file_that_runs_out_or_does_not_fit_changes_nothing() {
    let hall = Hall::with_dice("1,5\n\n5,5,5\n");
    let ada = hall.person("ada").await;
    let code = hall.open(ada, solo("four-handed")).await;
    hall.act(ada, code, Action::Roll).await.unwrap();
    hall.act(ada, code, Action::Pass).await.unwrap();
    let before = hall.entries(code).await;
    let wrong = DiceFileError::Count {
        line: 3,
        has: 3,
        wanted: 2,
    };
    let refused = hall.act(ada, code, Action::Roll).await.unwrap_err();
    assert_eq!(refused, ClubError::DiceFile(wrong));
    let mut wanted = solo("partnership");
    wanted
        .options
        .insert("setup".to_owned(), "random".to_owned());
    let refused = hall.club.open(&hall.says(ada), &wanted, &quiet).await;
    assert_eq!(
        refused.unwrap_err(),
        ClubError::DiceFile(DiceFileError::NoOrder)
    );
    assert_eq!(hall.entries(code).await, before);

    let short = hall.restarted(Some("1,5"));
    let refused = short.act(ada, code, Action::Roll).await.unwrap_err();
    assert_eq!(
        refused,
        ClubError::DiceFile(DiceFileError::RanOut { n: 2, has: 1 })
    );
    assert_eq!(hall.entries(code).await, before);
}
