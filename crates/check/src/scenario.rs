//! Scenarios: the one list of scenes, in the order in which they are played.

use std::fmt;

use pitmaster_core::i18n::{Message, said};

/// A situation that a bot is brought into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scene {
    /// It is built, started, and asked for one move.
    Start,
    /// Whole games on both sides.
    Games,
    /// Two games in one process, where the dialect has that.
    SecondGame,
    /// The opponent gives up.
    EarlyEnd,
    /// Its input ends, between two lines and within one.
    SuddenEnd,
    /// Lines come in pieces, and answers are read late.
    Pieces,
    /// Lines end with CR LF.
    Crlf,
    /// The opponent takes its time.
    Patience,
    /// Many more plies than usual.
    LongGame,
    /// A tenth of the time.
    TightClock,
    /// Many games against chance.
    Series,
    /// Positions that few games reach.
    Rare,
    /// A game in a sandbox that tells what is refused.
    Audit,
}

impl Scene {
    /// All of them, in order.
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

    /// Its name in files.
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

    /// What happens in it.
    pub fn about(self) -> Message {
        match self {
            Self::Start => said!("it is built, starts, and makes a first move"),
            Self::Games => said!("whole games on both sides against house:random and house:greedy"),
            Self::SecondGame => said!("two games in a row in one process (dialect pitmaster)"),
            Self::EarlyEnd => said!("the opponent gives up in the middle of a game"),
            Self::SuddenEnd => said!("its input ends in the middle of a game, and of a line"),
            Self::Pieces => said!("lines come byte by byte, and its answers are read late"),
            Self::Crlf => said!("the referee's lines end with CR LF"),
            Self::Patience => said!("the opponent takes its time; the bot waits without computing"),
            Self::LongGame => {
                said!("a game of up to 2000 plies, against one who lets little be taken")
            }
            Self::TightClock => said!("a game with a tenth of the time for each move"),
            Self::Series => said!("games against house:random, for times and memory"),
            Self::Rare => said!("large piles and endings that no game before had, where possible"),
            Self::Audit => said!("a game that shows what it tries and is refused in a contest"),
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What came of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Came {
    /// Nothing was found in it.
    Well,
    /// Something was seen that is worth a look.
    Note,
    /// Something was found that should be otherwise.
    Should,
    /// Something was found that loses games.
    Must,
    /// The machine decided its games, so that nothing can be said of the bot.
    NotJudged,
    /// It was not played: the dialect has no such thing, or there was no use in it.
    NotPlayed,
}
