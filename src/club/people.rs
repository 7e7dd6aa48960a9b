//! The people: met, renamed, forgotten. Games know them by number only and are never touched here.

use super::shelf::Lockable;
use super::{Club, ClubError};
use crate::ids::{PersonId, Platform};
use crate::store::{Account, Commit, Person};
use crate::table::Refusal;

/// What somebody is called who asked to be forgotten.
pub const FORGOTTEN: &str = "former player";

impl Club {
    /// The number of the person with this account, who is made known if need be. The name is kept as given (R37) and
    /// follows the account's.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn meet(
        &self,
        platform: Platform,
        account: &str,
        name: &str,
        bot: bool,
    ) -> Result<PersonId, ClubError> {
        if let Some(person) = self.store.person_by_account(platform, account).await?
            && person.name == name
        {
            return Ok(person.id);
        }
        let _people = self.locks.lock(Lockable::People).await;
        let known = self.store.person_by_account(platform, account).await?;
        let person = match known {
            Some(person) => Person {
                name: name.to_owned(),
                ..person
            },
            None => Person {
                id: self.store.next_person().await?,
                accounts: vec![Account {
                    platform,
                    account: account.to_owned(),
                }],
                name: name.to_owned(),
                bot,
            },
        };
        self.write(person).await
    }

    /// Calls somebody otherwise.
    ///
    /// # Errors
    /// When there is no such person, or the store fails.
    pub async fn rename(&self, id: PersonId, name: &str) -> Result<(), ClubError> {
        let _people = self.locks.lock(Lockable::People).await;
        let person = self.person(id).await?;
        let name = name.to_owned();
        self.write(Person { name, ..person }).await.map(|_| ())
    }

    /// Takes a person's accounts and name away; their games stay as they are (R118).
    ///
    /// # Errors
    /// When there is no such person, or the store fails.
    pub async fn forget(&self, id: PersonId) -> Result<(), ClubError> {
        let _people = self.locks.lock(Lockable::People).await;
        let person = self.person(id).await?;
        self.write(Person {
            accounts: Vec::new(),
            name: FORGOTTEN.to_owned(),
            ..person
        })
        .await
        .map(|_| ())
    }

    /// A person.
    ///
    /// # Errors
    /// When nobody has this number, or the store fails.
    pub async fn person(&self, id: PersonId) -> Result<Person, ClubError> {
        let person = self.store.person(id).await?;
        person.ok_or(ClubError::UnknownPerson(id))
    }

    pub(super) async fn check_can_play(&self, id: PersonId) -> Result<(), ClubError> {
        match self.person(id).await? {
            person if person.bot => Err(Refusal::InvitesBot(id).into()),
            _ => Ok(()),
        }
    }

    async fn write(&self, person: Person) -> Result<PersonId, ClubError> {
        let id = person.id;
        let mut commit = Commit::new(self.clock.now(), None);
        commit.people.push(person);
        self.store.commit(commit).await?;
        Ok(id)
    }
}
