use super::*;

const SERVER_ERROR: Result<u64, Fault> = Err(Fault::Again(Again::MayHaveArrived));
const TOO_MANY: Result<u64, Fault> = Err(Fault::Again(Again::NotArrived));

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn posted(message: u64) -> Option<Outcome> {
    Some(Outcome::Posted { message })
}

fn refused() -> Fault {
    Fault::Refused {
        code: 50035,
        why: "content".to_owned(),
    }
}

#[test]
fn a_message_is_sent_once_when_all_is_well() {
    let now = Instant::now();
    let mut course = Course::new(true, false);
    assert_eq!(course.next(now), Step::Send(Form::Whole));
    assert_eq!(course.sent(Ok(7), now), posted(7));
}

#[test]
fn pauses_grow_from_a_second_to_a_minute() {
    let mut now = Instant::now();
    let mut course = Course::new(false, false);
    for pause in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
        assert_eq!(course.next(now), Step::Send(Form::Whole));
        assert_eq!(course.sent(TOO_MANY, now), None);
        let then = now + seconds(pause);
        assert_eq!(course.next(now), Step::Wait(then), "{pause}");
        now = then;
    }
}

#[test]
fn soon_after_a_cut_connection_the_nonce_is_trusted_and_later_the_channel_is_looked_at() {
    let start = Instant::now();
    let mut course = Course::new(false, false);
    course.sent(SERVER_ERROR, start);
    assert_eq!(course.next(start + seconds(1)), Step::Send(Form::Whole));
    course.sent(SERVER_ERROR, start + seconds(100));
    let late = start + seconds(120);
    assert_eq!(course.next(late), Step::Look, "counted from the first try");
    assert_eq!(course.looked(Ok(None), late), None);
    assert_eq!(course.next(late), Step::Send(Form::Whole));
    assert_eq!(course.sent(Ok(8), late), posted(8));
}

#[test]
fn what_cannot_have_arrived_is_not_looked_for() {
    let start = Instant::now();
    let mut course = Course::new(false, false);
    course.sent(TOO_MANY, start);
    assert_eq!(course.next(start + seconds(600)), Step::Send(Form::Whole));
}

#[test]
fn r67_after_a_start_the_channel_is_looked_at_first() {
    let now = Instant::now();
    let mut course = Course::new(true, true);
    assert_eq!(course.next(now), Step::Look);
    assert_eq!(course.looked(Ok(Some(5)), now), posted(5));
}

#[test]
fn where_the_history_may_not_be_read_it_is_sent_all_the_same() {
    let now = Instant::now();
    for lack in [Lack::Access, Lack::Permissions] {
        let mut course = Course::new(false, true);
        assert_eq!(course.looked(Err(Fault::Blocked(lack)), now), None);
        assert_eq!(course.next(now), Step::Send(Form::Whole));
    }
}

#[test]
fn looking_is_repeated_when_it_fails() {
    let now = Instant::now();
    let mut course = Course::new(false, true);
    assert_eq!(course.looked(Err(Fault::LATE), now), None);
    assert_eq!(course.next(now), Step::Wait(now + seconds(1)));
    assert_eq!(course.next(now + seconds(1)), Step::Look);
    assert_eq!(course.looked(Err(Fault::Gone), now), Some(Outcome::Gone));
}

#[test]
fn where_files_may_not_be_attached_the_board_comes_as_text() {
    let now = Instant::now();
    let mut course = Course::new(true, false);
    let blocked = || Err(Fault::Blocked(Lack::Permissions));
    assert_eq!(course.sent(blocked(), now), None);
    assert_eq!(course.next(now), Step::Send(Form::WithoutFiles));
    assert_eq!(course.sent(Ok(9), now), posted(9));

    let mut plain = Course::new(false, false);
    let outcome = plain.sent(blocked(), now);
    assert_eq!(outcome, Some(Outcome::Blocked(Lack::Permissions)));
}

#[test]
fn r22_a_blocked_message_waits_and_is_whole_again_when_there_is_a_reason() {
    let now = Instant::now();
    let mut course = Course::new(true, false);
    let outcome = course.sent(Err(Fault::Blocked(Lack::Access)), now);
    assert_eq!(outcome, Some(Outcome::Blocked(Lack::Access)));
    course.sent(Err(Fault::Blocked(Lack::Permissions)), now);
    let outcome = course.sent(Err(Fault::Blocked(Lack::Permissions)), now);
    assert_eq!(outcome, Some(Outcome::Blocked(Lack::Permissions)));
    course.resume();
    assert_eq!(course.next(now), Step::Send(Form::Whole));
}

#[test]
fn r25_a_place_that_is_gone_is_not_tried_again() {
    let now = Instant::now();
    let mut course = Course::new(true, false);
    assert_eq!(course.sent(Err(Fault::Gone), now), Some(Outcome::Gone));
}

#[test]
fn what_discord_refuses_is_tried_once_more_in_words_and_then_dropped() {
    let now = Instant::now();
    let mut course = Course::new(true, false);
    assert_eq!(course.sent(Err(refused()), now), None);
    assert_eq!(course.next(now), Step::Send(Form::WordsAlone));
    let outcome = course.sent(Err(refused()), now);
    assert_eq!(outcome, Some(Outcome::Dropped("50035: content".to_owned())));
}

#[test]
fn r23_closed_direct_messages_are_given_up() {
    let mut course = Course::new(false, false);
    let outcome = course.sent(Err(Fault::Closed), Instant::now());
    assert!(matches!(outcome, Some(Outcome::Dropped(_))));
}
