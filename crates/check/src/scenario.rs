//! Scenarios: the one list of scenes, in the order in which they are played.

use std::fmt;

use pitmaster_core::i18n::{Message, said};
use serde::{Deserialize, Serialize};

/// A situation in which a bot is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scene {
    /// It is built, started, and asked for one move.
    Start,
    /// Whole games on both sides.
    Games,
    /// Two games in one process, if the dialect supports that.
    SecondGame,
    /// The opponent resigns.
    EarlyEnd,
    /// The input ends, between two lines and within one.
    SuddenEnd,
    /// Lines arrive in pieces, and answers are read late.
    Pieces,
    /// Lines end with CR LF.
    Crlf,
    /// The opponent is slow.
    Patience,
    /// Many more plies than usual.
    LongGame,
    /// A tenth of the usual time.
    TightClock,
    /// Many games against a random player.
    Series,
    /// Positions that few games reach.
    Rare,
    /// A game in a sandbox that records refused calls.
    Audit,
}

impl Scene {
    /// All scenes, in order.
    pub const ALL: [Self; 13] = [
        Self::Start,
        Self::Games,
        Self::SecondGame,
        Self::EarlyEnd,
        Self::SuddenEnd,
        Self::Pieces,
        Self::Crlf,
        Self::Patience,
        Self::LongGame,
        Self::TightClock,
        Self::Series,
        Self::Rare,
        Self::Audit,
    ];

    /// Name of the scene in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Games => "games",
            Self::SecondGame => "second-game",
            Self::EarlyEnd => "early-end",
            Self::SuddenEnd => "sudden-end",
            Self::Pieces => "pieces",
            Self::Crlf => "crlf",
            Self::Patience => "patience",
            Self::LongGame => "long-game",
            Self::TightClock => "tight-clock",
            Self::Series => "series",
            Self::Rare => "rare",
            Self::Audit => "audit",
        }
    }

    /// Description of the scene.
    pub fn about(self) -> Message {
        match self {
            Self::Start => said!("it is built, starts, and makes a first move"),
            Self::Games => said!("whole games on both sides against house:random and house:greedy"),
            Self::SecondGame => said!("two games in a row in one process (dialect pitmaster)"),
            Self::EarlyEnd => said!("the opponent gives up in the middle of a game"),
            Self::SuddenEnd => said!("its input ends in the middle of a game, and of a line"),
            Self::Pieces => said!("lines arrive byte by byte, and its answers are read late"),
            Self::Crlf => said!("the referee's lines end with CR LF"),
            Self::Patience => said!("the opponent takes its time; the bot waits without computing"),
            Self::LongGame => {
                said!("a game of up to 2000 plies against an opponent that concedes few seeds")
            }
            Self::TightClock => said!("a game with a tenth of the time for each move"),
            Self::Series => said!("games against house:random, for times and memory"),
            Self::Rare => said!("large piles and endings that no earlier game had, if possible"),
            Self::Audit => said!("a game that records what it tries and a contest refuses"),
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Outcome of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Came {
    /// No findings.
    Well,
    /// A finding that is worth a look.
    Note,
    /// A finding that should be fixed.
    Should,
    /// A finding that loses games.
    Must,
    /// The machine decided the games, so that nothing can be concluded about the bot.
    NotJudged,
    /// The scene was not played, because it does not apply to the dialect or would show nothing
    /// new.
    NotPlayed,
}
