//! Pitmaster runs bot tournaments for mancala games: it referees games over stdin/stdout under a
//! clock and turns the records into rankings with confidence intervals.
//!
//! # Architecture
//!
//! This package is the command line. Everything else is a library crate under `crates/`. Lowest
//! layer first; a crate depends only on crates above it in the table, which Cargo enforces. The pure
//! crates know no files, processes, clocks, threads or unseeded randomness: they do not depend on
//! crates that provide them, and `crates/clippy-pure.toml` denies those of the standard library.
//! Only `ratings` and `players` compute in parallel.
//!
//! | crate | pure | responsibility | must not know |
//! |---|---|---|---|
//! | [`build_info`] | | version, commit, rules and target of this program | everything else |
//! | [`core`] | yes | vocabulary shared by all: sides, instants, game records, endings, identities, untrusted text, diagnostics, translations | how a game was refereed |
//! | [`games`] | yes | rules of every game: positions, moves, playing, endings, adjudication, notation | time, bots, files |
//! | [`players`] | yes | built-in players: random, greedy, minimax, negamax, Monte Carlo tree search, expert | processes, the wire |
//! | [`referee`] | yes | the wire protocol (framing, dialects) and one game as a sans-I/O state machine: rules, clock, dialect | async runtimes, processes |
//! | [`ratings`] | yes | standings from records: points, tie-breaks, ratings, intervals, sequential tests | how games were played |
//! | [`tournament`] | yes | the tournament file, validated; formats that decide the next pairing | bots on disk, processes |
//! | [`season`] | yes | rules of a course: exports of learning platforms, class lists, worksheets, grading | HTTP, databases, clocks |
//! | [`sandbox`] | | running an untrusted program: spawn, limits, Landlock, seccomp, namespaces, control groups, cleanup | bots, games |
//! | [`bots`] | | a bot on disk: manifest, snapshot, build, process, pipes, probe of the sandbox; house bots as processes | how games are refereed, results |
//! | [`store`] | | the database of a tournament | how a game was played |
//! | [`runner`] | | plays a tournament: lanes, queue, resume, events | how results are presented |
//! | [`check`] | | examines one bot in scripted scenarios and produces findings | how findings are presented |
//! | [`report`] | | CSV, JSON, terminal tables, charts and HTML from the store | how games are played |
//! | `cluster` | | the same queue over NATS JetStream | how games are refereed, how results are presented |
//! | [`session`] | | the use cases: play a contest, open and summarize results, prepare bots, merge, void, verify, import submissions, grade; reports to an observer, returns typed errors | terminals, exit codes |
//! | `server` | | the practice server of a course: database, connections, pages, and scheduling of its lanes | how games are refereed, how ratings are computed |
//! | [`cli`] | | flags, printing, progress bars, exit codes | everything that `session` can do for it |
//!
//! `crates/bots/TRUST.md` lists which values are untrusted and where they become trusted.
//!
//! Data flows one way: tournament file → plan → pairing → game record → store → standings →
//! report.

pub mod cli;

pub use pitmaster_bots as bots;
pub use pitmaster_build_info as build_info;
pub use pitmaster_check as check;
#[cfg(feature = "cluster")]
pub use pitmaster_cluster as cluster;
pub use pitmaster_core as core;
pub use pitmaster_games as games;
pub use pitmaster_players as players;
pub use pitmaster_ratings as ratings;
pub use pitmaster_referee as referee;
pub use pitmaster_report as report;
pub use pitmaster_runner as runner;
pub use pitmaster_sandbox as sandbox;
pub use pitmaster_season as season;
#[cfg(feature = "server")]
pub use pitmaster_server as server;
pub use pitmaster_session as session;
pub use pitmaster_store as store;
pub use pitmaster_tournament as tournament;
