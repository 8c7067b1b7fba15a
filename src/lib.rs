//! Pitmaster pits bots against each other at mancala games: it referees them over
//! stdin/stdout under a clock and turns the records into a ranking that can be trusted.
//!
//! # The house
//!
//! Lowest floor first; a room may use only rooms listed above it. `tests/layers.rs` holds
//! the code against this table, and the pure rooms against their promise to name no
//! runtime, file, process, clock or unseeded randomness.
//!
//! | room | pure | what it does | what it must not know |
//! |---|---|---|---|
//! | `language` | yes | what people read, in English and in French | who says it |
//! | `record` | yes | the words everybody shares: sides, instants, game record, ending, score, bot identity, untrusted text | how a game was refereed |
//! | `games` | yes | rules of every game: positions, moves, playing, endings, adjudication, text of moves and positions | time, bots, files |
//! | `players` | yes | built-in players that search a position: random, greedy, minimax, negamax, Monte Carlo tree search, expert | processes, the wire |
//! | `protocol` | yes | the wire: bytes to lines, lines to messages and back, for every dialect | pipes, clocks |
//! | `referee` | yes | one game as a state machine: rules, clock and dialect; takes lines and instants, says what to do next | tokio, processes |
//! | `ratings` | yes | standings from records: points, tie-breaks, Elo, intervals, sequential tests | how games were played |
//! | `tournament` | yes | a tournament file, checked; formats that say which pairing comes next, and what they would tell | bots on disk, processes |
//! | `bot` | | a bot on disk: its manifest, its snapshot, building it, running it in the sandbox, its pipes, its end; and the other side of the wire for house bots | how games are refereed, results |
//! | `store` | | the database of a tournament | how a game was played |
//! | `runner` | | plays a tournament: lanes, queue, resume, events | how results are shown |
//! | `report` | | CSV, JSON, terminal tables, pictures and the page out of the store | how games are played |
//! | `check` | | examines one bot: scenes in good and bad weather, findings with what to do | how findings are shown |
//! | `cluster` | | the same queue spread over machines, over NATS JetStream | how games are refereed, how results are shown |
//! | `cli` | | one file per subcommand, progress bars, exit codes | |
//!
//! What is untrusted, and where it becomes trusted, is listed in `src/TRUST.md`.
//!
//! Data flows one way: tournament file → plan → pairing → game record → store → standings →
//! reports.

pub mod bot;
pub mod check;
pub mod cli;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod games;
pub mod language;
pub mod players;
pub mod protocol;
pub mod ratings;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod store;
pub mod tournament;
