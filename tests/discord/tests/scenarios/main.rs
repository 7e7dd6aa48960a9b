//! The whole bot process meets a Discord of our own.

mod buttons;
mod common;
mod faults;
mod games;
mod gateway;
mod load;
mod messages;
mod once;
mod places;
mod refusing;
mod registration;
mod reports;
mod running;
mod starting;
mod threads;
