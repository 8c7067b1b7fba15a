//! Resource limits of a bot during a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::nanos_option;

/// Resource limits other than wall-clock time. Sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Resources {
    /// Maximum memory: private and writable, or all of a control group.
    pub memory: u64,
    /// Maximum number of threads.
    pub threads: u32,
    /// Maximum size of a file that the bot writes.
    pub file_size: u64,
    /// Maximum bytes on standard output in a turn.
    pub output: u64,
    /// Maximum bytes on standard error in a game.
    pub stderr: u64,
    /// CPU time of all threads in a game. `None`: limited only by the clock.
    #[serde(rename = "cpu_ns", with = "nanos_option")]
    pub cpu: Option<Duration>,
    /// CPU time of all threads from the bot's move to its next turn, unless pondering is allowed. A
    /// bot that exceeds it loses. `None`: unlimited.
    #[serde(rename = "idle_cpu_turn_ns", with = "nanos_option")]
    pub idle_cpu_turn: Option<Duration>,
    /// CPU time of all threads in all of the opponent's turns of a game together. `None`:
    /// unlimited.
    #[serde(rename = "idle_cpu_game_ns", with = "nanos_option")]
    pub idle_cpu_game: Option<Duration>,
    /// Space for the bot's own files during a game; 0: none.
    pub scratch: u64,
    /// Whether the bot may start processes.
    pub processes: bool,
    /// Whether the bot may think on the opponent's time.
    pub pondering: bool,
}

impl Resources {
    /// Whether all values are the defaults.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether CPU time during the opponent's turns is limited.
    pub fn has_idle_allowance(&self) -> bool {
        self.idle_cpu_turn.is_some() || self.idle_cpu_game.is_some()
    }
}

impl Default for Resources {
    /// These values never change, because records without resources refer to them.
    fn default() -> Self {
        Self {
            memory: 512 << 20,
            threads: 64,
            file_size: 16 << 20,
            output: 64 << 10,
            stderr: 16 << 20,
            cpu: Some(Duration::from_mins(5)),
            idle_cpu_turn: Some(Duration::from_millis(20)),
            idle_cpu_game: Some(Duration::from_millis(200)),
            scratch: 0,
            processes: false,
            pondering: false,
        }
    }
}
