//! The console chat, driven as scripts drive it: the built program, its standard input and output.

mod chatting;
mod damaged;
mod finished;
mod folder;
mod games;
mod kills;
mod lookalikes;
mod places;
mod refusals;
mod session;
mod starting;
mod tables;
#[cfg(unix)]
mod terminal;
mod twins;
mod typing;
mod wording;
