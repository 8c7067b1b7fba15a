//! Plays a tournament: lanes, queue, resume, events.
//!
//! This room must not know how results are shown.

mod busy;
mod cores;
mod entrant;
mod events;
pub mod fitness;
mod game;
mod lane;
mod ledger;
mod looks;
mod mailbox;
mod one;
mod owner;
mod queue;
mod run;
mod signals;
mod trial;

pub use busy::Busy;
pub use cores::{CoreList, Held, Holder, Layout, Wish, WishFault, held, layout, move_to, reserve};
pub use entrant::{Entrant, MakeLaunch, Start};
pub use events::{Event, Finish};
pub use game::{GRACE, Players, Seated, Stopping, play};
pub use lane::{Crew, start_lanes};
pub use one::OneGame;
pub use queue::{Batch, LocalQueue, Machine, Place, Played, Queue, Table, Task, Told};
pub use run::Run;
pub use signals::{INTERRUPTED, interrupted, on_interrupt};
pub use trial::{Trial, first_that_answers, trial};
