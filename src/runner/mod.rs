//! Plays a tournament: lanes, queue, resume, events.
//!
//! This room must not know how results are shown.

mod cores;
mod entrant;
mod events;
pub mod fitness;
mod game;
mod lane;
mod ledger;
mod looks;
mod one;
mod owner;
mod queue;
mod run;
mod signals;
mod trial;

pub use cores::{Layout, layout, move_to};
pub use entrant::{Entrant, MakeLaunch, Start};
pub use events::{Event, Finish};
pub use game::{GRACE, Players, Seated, Stopping, play};
pub use lane::{Crew, start_lanes};
pub use one::OneGame;
pub use queue::{Batch, LocalQueue, Machine, Place, Played, Queue, Table, Task, Told};
pub use run::Run;
pub use signals::{INTERRUPTED, interrupted};
pub use trial::{Trial, trial};
