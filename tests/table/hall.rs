//! A hall to play in: a club whose clock and chance the test drives, and people with names.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ashtapada::club::{
    Action, Caller, Chance, Clock, Club, ClubError, DiceFile, Done, Happened, Limits, NoChance,
    Wanted,
};
use ashtapada::ids::{At, Cause, PersonId, Place, Platform, TableCode};
use ashtapada::store::{Memory, Post, Store};
use ashtapada::table::{Entry, Event, Refusal, SealingKey, SeatWish, Table};

/// A clock that stands until it is moved.
pub struct HandClock(AtomicU64);

impl HandClock {
    pub fn forward(&self, millis: u64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> At {
        At(self.0.load(Ordering::SeqCst))
    }
}

/// Numbers that are mixed and counted, the same in every run.
pub struct CountedChance(AtomicU64);

impl Chance for CountedChance {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance> {
        for chunk in bytes.chunks_mut(8) {
            let step = self.0.fetch_add(1, Ordering::SeqCst) + 1;
            let mut mixed = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(mixed ^ (mixed >> 31)).to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

pub struct Hall {
    pub club: Arc<Club>,
    pub store: Arc<Memory>,
    pub clock: Arc<HandClock>,
    causes: AtomicU64,
}

impl Hall {
    pub fn new() -> Self {
        Self::with(None, Limits::default(), Arc::new(Memory::new()))
    }

    pub fn with_dice(file: &str) -> Self {
        let file = DiceFile::parse(file).unwrap();
        Self::with(Some(file), Limits::default(), Arc::new(Memory::new()))
    }

    pub fn with(file: Option<DiceFile>, limits: Limits, store: Arc<Memory>) -> Self {
        let clock = Arc::new(HandClock(AtomicU64::new(1_764_532_800_000)));
        let club = Club::new(
            store.clone(),
            clock.clone(),
            Arc::new(CountedChance(AtomicU64::new(0))),
            SealingKey::new([42; 32]),
            file,
            limits,
        );
        Self {
            club: Arc::new(club),
            store,
            clock,
            causes: AtomicU64::new(0),
        }
    }

    /// The same store, read by a program that was started anew.
    pub fn restarted(&self, file: Option<&str>) -> Self {
        let file = file.map(|text| DiceFile::parse(text).unwrap());
        let again = Self::with(file, Limits::default(), self.store.clone());
        again
            .causes
            .store(self.causes.load(Ordering::SeqCst), Ordering::SeqCst);
        again
    }

    pub async fn person(&self, name: &str) -> PersonId {
        self.club
            .meet(Platform::Console, name, name, false)
            .await
            .unwrap()
    }

    pub async fn people<const N: usize>(&self, names: [&str; N]) -> [PersonId; N] {
        let mut people = [PersonId(0); N];
        for (person, name) in people.iter_mut().zip(names) {
            *person = self.person(name).await;
        }
        people
    }

    /// The person speaking in the hall, by a new message.
    pub fn says(&self, person: PersonId) -> Caller {
        self.says_in(person, hall())
    }

    pub fn says_in(&self, person: PersonId, place: Place) -> Caller {
        let number = self.causes.fetch_add(1, Ordering::SeqCst) + 1;
        Caller {
            cause: Some(Cause::new(Platform::Console, number)),
            ..Caller::new(person, place)
        }
    }

    pub async fn open(&self, host: PersonId, wanted: Wanted) -> TableCode {
        now(self.club.open(&self.says(host), &wanted, &quiet).await)
            .unwrap()
            .table
            .code()
    }

    pub async fn act(
        &self,
        person: PersonId,
        table: TableCode,
        action: Action,
    ) -> Result<Happened, ClubError> {
        let caller = self.says(person);
        now(self.club.act(&caller, Some(table), &action, &quiet).await)
    }

    pub async fn refused(&self, person: PersonId, table: TableCode, action: Action) -> Refusal {
        match self.act(person, table, action).await {
            Err(ClubError::Refused(refusal)) => refusal,
            other => panic!("not refused: {other:?}"),
        }
    }

    pub async fn join(&self, person: PersonId, table: TableCode) -> Result<Happened, ClubError> {
        self.act(person, table, join()).await
    }

    pub async fn plays(&self, person: PersonId, table: TableCode, text: &str) -> Happened {
        let text = text.to_owned();
        self.act(person, table, Action::Move { text })
            .await
            .unwrap()
    }

    pub async fn table(&self, code: TableCode) -> Arc<Table> {
        self.club.load(code).await.unwrap()
    }

    /// What the store holds of a table.
    pub async fn entries(&self, code: TableCode) -> Vec<Entry> {
        let stored = self.store.table(code).await.unwrap().unwrap();
        stored
            .events
            .iter()
            .map(|one| Entry::read(one).unwrap())
            .collect()
    }

    /// The rolls that the store holds of a table.
    pub async fn rolls(&self, code: TableCode) -> Vec<(u32, Vec<u8>)> {
        let roll = |entry: Entry| match entry.event {
            Event::Rolled { n, dice } => Some((n, dice.faces().to_vec())),
            _ => None,
        };
        self.entries(code)
            .await
            .into_iter()
            .filter_map(roll)
            .collect()
    }

    /// A Chaturanga of two that has begun: White, Black.
    pub async fn duel(&self) -> (TableCode, PersonId, PersonId) {
        let [ada, bob] = self.people(["ada", "bob"]).await;
        let white = ashtapada::table::SeatWish::Named("white".parse().unwrap());
        let wanted = Wanted {
            seat: white,
            ..game("chaturanga")
        };
        let code = self.open(ada, wanted).await;
        self.join(bob, code).await.unwrap();
        (code, ada, bob)
    }

    /// A game of Chaturanga between these two, begun.
    pub async fn duel_with_white(&self, white: PersonId, black: PersonId) -> TableCode {
        let wanted = Wanted {
            seat: SeatWish::Named("white".parse().unwrap()),
            ..game("chaturanga")
        };
        let code = self.open(white, wanted).await;
        self.join(black, code).await.unwrap();
        code
    }

    /// A game of four that has begun: South, West, North, East.
    pub async fn four(&self, key: &str) -> (TableCode, [PersonId; 4]) {
        let people = self.people(["ada", "bob", "cem", "dee"]).await;
        let code = self.open(people[0], game(key)).await;
        for person in &people[1..] {
            self.join(*person, code).await.unwrap();
        }
        (code, people)
    }
}

pub fn hall() -> Place {
    Place::room(Platform::Console, "hall")
}

pub fn game(key: &str) -> Wanted {
    Wanted {
        game: key.to_owned(),
        ..Wanted::default()
    }
}

pub fn solo(key: &str) -> Wanted {
    Wanted {
        solo: true,
        ..game(key)
    }
}

pub fn join() -> Action {
    Action::Join {
        seat: None,
        word: String::new(),
    }
}

pub fn draw() -> Action {
    Action::Draw { offer: None }
}

pub fn quiet(_: &Happened) -> Vec<Post> {
    Vec::new()
}

/// The command was carried out, and not before.
pub fn now(done: Result<Done, ClubError>) -> Result<Happened, ClubError> {
    match done? {
        Done::Now(happened) => Ok(*happened),
        Done::Before { number, .. } => panic!("done before, by command {number}"),
        Done::RefusedBefore => panic!("refused before"),
    }
}
