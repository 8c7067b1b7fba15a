//! Tournament runner: lanes, queue, resume, events.
//!
//! The crate does not know how results are presented.

mod cores;
mod dispatcher;
mod entrant;
mod events;
mod game;
pub mod host_check;
mod lane;
mod looks;
mod machine_load;
mod mailbox;
mod queue;
mod run;
mod schedule;
mod signals;
mod single_game;
mod trial;

pub use cores::{CoreList, Held, Holder, Layout, Wish, WishError, held, layout, move_to, reserve};
pub use dispatcher::STARVED;
pub use entrant::{Entrant, MakeLaunch, Start};
pub use events::{Event, Finish};
pub use game::{GRACE, Players, Seated, Stopping, dismiss, play};
pub use lane::{Executor, start_lanes};
pub use machine_load::machine_load;
pub use queue::{Batch, LocalQueue, Machine, Place, Played, Queue, ScheduledGame, Table, Told};
pub use run::Run;
pub use signals::{INTERRUPTED, Stopper, interrupted, on_interrupt};
pub use single_game::OneGame;
pub use trial::{Trial, first_that_answers, trial};
