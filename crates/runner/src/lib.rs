//! Tournament runner: lanes, queue, resume, events.
//!
//! The crate does not know how results are presented.

mod cores;
mod entrant;
mod events;
pub mod fitness;
mod game;
mod lane;
mod ledger;
mod looks;
mod machine_load;
mod mailbox;
mod one;
mod owner;
mod queue;
mod run;
mod signals;
mod trial;

pub use cores::{CoreList, Held, Holder, Layout, Wish, WishFault, held, layout, move_to, reserve};
pub use entrant::{Entrant, MakeLaunch, Start};
pub use events::{Event, Finish};
pub use game::{GRACE, Players, Seated, Stopping, play};
pub use lane::{Crew, start_lanes};
pub use machine_load::machine_load;
pub use one::OneGame;
pub use queue::{Batch, LocalQueue, Machine, Place, Played, Queue, Table, Task, Told};
pub use run::Run;
pub use signals::{INTERRUPTED, interrupted, on_interrupt};
pub use trial::{Trial, first_that_answers, trial};
