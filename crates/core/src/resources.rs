//! Resource limits of a bot during a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::nanos_option;

/// Bounds on everything but the clock's time. Sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Resources {
    /// Memory, where it is counted: private and writable, or all of a control group.
    pub memory: u64,
    /// Threads, where they are counted.
    pub threads: u32,
    /// The largest file that it may write.
    pub file_size: u64,
    /// What it may write in a turn, standard output.
    pub output: u64,
    /// What it may write in a game, standard error.
    pub stderr: u64,
    /// CPU time of all its threads in a game. `None`: what the clock leaves.
    #[serde(rename = "cpu_ns", with = "nanos_option")]
    pub cpu: Option<Duration>,
    /// CPU time of all its threads from its move to its next turn, unless it may ponder. Beyond
    /// it the game is lost. `None`: any.
    #[serde(rename = "idle_cpu_turn_ns", with = "nanos_option")]
    pub idle_cpu_turn: Option<Duration>,
    /// The same for all of the opponent's turns in a game together.
    #[serde(rename = "idle_cpu_game_ns", with = "nanos_option")]
    pub idle_cpu_game: Option<Duration>,
    /// Space for files of its own during a game; 0: none.
    pub scratch: u64,
    /// Whether it may start processes.
    pub processes: bool,
    /// Whether it may think on its opponent's time.
    pub pondering: bool,
}

impl Resources {
    /// Whether nothing is otherwise than where nothing is said.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether CPU time during the opponent's turns is bounded.
    pub fn has_idle_allowance(&self) -> bool {
        self.idle_cpu_turn.is_some() || self.idle_cpu_game.is_some()
    }
}

impl Default for Resources {
    /// These stay as they are: a record in which no resources stand was played under them.
    fn default() -> Self {
        Self {
            memory: 512 << 20,
            threads: 64,
            file_size: 16 << 20,
            output: 64 << 10,
            stderr: 16 << 20,
            cpu: Some(Duration::from_secs(300)),
            idle_cpu_turn: Some(Duration::from_millis(20)),
            idle_cpu_game: Some(Duration::from_millis(200)),
            scratch: 0,
            processes: false,
            pondering: false,
        }
    }
}
