//! The store across its boundary: against a plain model, through kills, power failures, bad disks and other processes.

mod damage;
mod faults;
mod journal;
mod kill;
mod mending;
mod model;
mod power;
mod sharing;
mod support;
mod transfer;
