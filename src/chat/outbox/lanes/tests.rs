use super::*;
use crate::command::text::Text;
use crate::ids::Platform;

fn place(room: &str) -> Place {
    Place::room(Platform::Discord, room)
}

fn about(number: u64, code: &str) -> Waiting {
    let mut message = Message::everyone(place("1"), Text::from("hello"));
    message.table = Some(code.parse().unwrap());
    Waiting {
        id: PostId { number, index: 0 },
        message: Arc::new(message),
        before: false,
    }
}

fn ids(waiting: &[Waiting]) -> Vec<u64> {
    waiting.iter().map(|one| one.id.number).collect()
}

#[test]
fn one_task_a_place_takes_its_messages_in_order() {
    let lanes = Lanes::default();
    assert!(lanes.add(&place("1"), about(5, "K7Q2F")));
    assert!(
        !lanes.add(&place("1"), about(3, "K7Q2F")),
        "one runs already"
    );
    assert!(lanes.add(&place("2"), about(4, "K7Q2F")), "another place");
    for number in [3, 5] {
        let first = lanes.first(&place("1")).unwrap();
        assert_eq!(first.id.number, number);
        lanes.done(&place("1"), first.id);
        assert!(!lanes.has(&place("1"), first.id));
    }
    assert!(lanes.first(&place("1")).is_none());
    assert!(
        lanes.add(&place("1"), about(6, "K7Q2F")),
        "the task has ended"
    );
}

#[test]
fn a_place_that_is_gone_loses_what_waits() {
    let lanes = Lanes::default();
    lanes.add(&place("1"), about(1, "K7Q2F"));
    lanes.add(&place("1"), about(2, "K7Q2F"));
    lanes.add(&place("2"), about(3, "K7Q2F"));
    let cleared = lanes.clear(|place| place.room == "1");
    assert_eq!(cleared.len(), 1);
    assert_eq!(ids(&cleared[0].1), [1, 2]);
    assert!(lanes.first(&place("1")).is_none());
    assert!(lanes.first(&place("2")).is_some());
}

#[test]
fn a_thread_gets_the_earlier_messages_first() {
    let lanes = Lanes::default();
    let thread = Place::thread(Platform::Discord, "1", "9");
    let opening = about(1, "K7Q2F");
    lanes.add(&place("1"), opening.clone());
    lanes.add(&place("1"), about(2, "K7Q2F"));
    lanes.add(&place("1"), about(3, "22222"));
    lanes.hold(&thread);
    assert!(!lanes.add(&thread, about(4, "K7Q2F")), "held");
    lanes.move_about("K7Q2F".parse().unwrap(), &place("1"), &thread, opening.id);
    assert!(lanes.release(&thread));
    assert_eq!(ids(&lanes.waiting(&thread)), [2, 4]);
    assert_eq!(ids(&lanes.waiting(&place("1"))), [1, 3]);
    lanes.hold(&place("5"));
    assert!(!lanes.release(&place("5")), "nothing waits there");
}

#[tokio::test(start_paused = true)]
async fn r22_blocked_places_wait_for_a_reason_of_their_own() {
    let lanes = Lanes::default();
    for room in ["1", "2", "3"] {
        lanes.add(&place(room), about(1, "K7Q2F"));
    }
    let start = Instant::now();
    let reasons = ["1", "2", "3"].map(|room| lanes.block(&place(room), start));
    let of_the_first = |place: &Place| match place.room.as_str() {
        "1" => Some(true),
        "2" => Some(false),
        _ => None,
    };
    lanes.reason(of_the_first, start);
    assert_eq!(noticed(&reasons).await, [true, false, false]);
    lanes.reason(of_the_first, start + SELDOM);
    assert_eq!(noticed(&reasons).await, [true, false, true]);
    lanes.unblock(&place("1"));
    lanes.reason(of_the_first, start);
    let again = lanes.block(&place("1"), start);
    let soon = tokio::time::timeout(Duration::from_millis(1), again.notified());
    assert!(
        soon.await.is_ok(),
        "a reason that came meanwhile is not lost"
    );
}

async fn noticed(reasons: &[Arc<Notify>; 3]) -> [bool; 3] {
    let mut noticed = [false; 3];
    for (reason, noticed) in reasons.iter().zip(&mut noticed) {
        let soon = tokio::time::timeout(Duration::from_millis(1), reason.notified());
        *noticed = soon.await.is_ok();
    }
    noticed
}
