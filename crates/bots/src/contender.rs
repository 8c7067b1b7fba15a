//! Contender trait: a player as a lane sees it, the interface between a game and a process.

use std::fmt::Debug;
use std::time::Duration;

use pitmaster_core::{At, Exit, Stream, Untrusted};
use pitmaster_referee::protocol::Framed;
use pitmaster_sandbox::Audit;

use super::Clock;

/// A player that answers lines with lines.
///
/// A lane plays with two contenders and does not depend on processes. Only [`Contender::read_line`]
/// and [`Contender::end`] block. No method has a default, so a contender that wraps another one
/// uses [`forward_contender!`](crate::forward_contender), and one without a process uses
/// [`idle_contender!`](crate::idle_contender).
pub trait Contender: Debug {
    /// Begins a game. Earlier output belongs to no game.
    fn new_game(&mut self);

    /// Begins a turn. Its output is counted from here.
    fn new_turn(&mut self);

    /// Writes to the contender's input. Bytes that do not fit are written while reading. A closed
    /// input discards them; the end is noticed while reading.
    fn send(&mut self, bytes: &[u8]);

    /// Returns a line of its output if there is one, without blocking.
    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome;

    /// Waits for its next line until that instant has passed. Without one, waits forever.
    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome;

    /// The last line that was read.
    fn line(&self) -> &[u8];

    /// Returns whether that line ended with CR LF.
    fn line_had_cr(&self) -> bool;

    /// Output after the last complete line.
    fn partial_line(&self) -> &[u8];

    /// Stops it, with all of its threads and children. Repeated calls stop what still runs.
    fn stop(&mut self);

    /// Resumes it after a stop.
    fn resume(&mut self);

    /// Resources used since the last call, or since its start.
    fn used(&mut self, wall: Duration) -> Usage;

    /// Time in this turn in which it was ready to run and had no core, because other programs or
    /// other virtual machines used it, or in which the referee had none to read its answer. Waits of
    /// its threads for each other do not count. Zero if this cannot be measured.
    fn waited(&mut self) -> Duration;

    /// Whether its CPU time is that of everything that computes for it. If not, it may wait for
    /// itself.
    fn counts_all_cpu(&self) -> bool;

    /// Peak memory so far, in bytes, if it can be measured.
    fn peak_memory(&self) -> Option<u64>;

    /// The end of its standard error so far; empty if there is none.
    fn stderr(&mut self) -> Untrusted;

    /// Closes its input and resumes it, so that it may exit by itself.
    fn close_stdin(&mut self);

    /// Closes its input, lets it run until that instant has passed, and then kills it. Afterwards
    /// [`Contender::try_read_line`] still returns its earlier output.
    fn end(&mut self, clock: &Clock, until: At) -> Ended;
}

/// Forwards methods of [`Contender`] to a field that is a contender:
/// `forward_contender!(inner: new_game stop resume);` within `impl Contender`.
#[macro_export]
macro_rules! forward_contender {
    ($inner:ident: $($method:ident)*) => {
        $($crate::forward_contender!(@ $inner $method);)*
    };
    (@ $inner:ident new_game) => { fn new_game(&mut self) { self.$inner.new_game(); } };
    (@ $inner:ident new_turn) => { fn new_turn(&mut self) { self.$inner.new_turn(); } };
    (@ $inner:ident try_read_line) => {
        fn try_read_line(&mut self, clock: &$crate::Clock) -> $crate::ReadOutcome {
            self.$inner.try_read_line(clock)
        }
    };
    (@ $inner:ident read_line) => {
        fn read_line(
            &mut self,
            clock: &$crate::Clock,
            until: Option<$crate::At>,
        ) -> $crate::ReadOutcome {
            self.$inner.read_line(clock, until)
        }
    };
    (@ $inner:ident send) => {
        fn send(&mut self, bytes: &[u8]) { self.$inner.send(bytes); }
    };
    (@ $inner:ident line) => { fn line(&self) -> &[u8] { self.$inner.line() } };
    (@ $inner:ident line_had_cr) => {
        fn line_had_cr(&self) -> bool { self.$inner.line_had_cr() }
    };
    (@ $inner:ident partial_line) => {
        fn partial_line(&self) -> &[u8] { self.$inner.partial_line() }
    };
    (@ $inner:ident stop) => { fn stop(&mut self) { self.$inner.stop(); } };
    (@ $inner:ident resume) => { fn resume(&mut self) { self.$inner.resume(); } };
    (@ $inner:ident used) => {
        fn used(&mut self, wall: std::time::Duration) -> $crate::Usage { self.$inner.used(wall) }
    };
    (@ $inner:ident waited) => {
        fn waited(&mut self) -> std::time::Duration { self.$inner.waited() }
    };
    (@ $inner:ident counts_all_cpu) => {
        fn counts_all_cpu(&self) -> bool { self.$inner.counts_all_cpu() }
    };
    (@ $inner:ident peak_memory) => {
        fn peak_memory(&self) -> Option<u64> { self.$inner.peak_memory() }
    };
    (@ $inner:ident stderr) => {
        fn stderr(&mut self) -> $crate::Untrusted { self.$inner.stderr() }
    };
    (@ $inner:ident close_stdin) => { fn close_stdin(&mut self) { self.$inner.close_stdin(); } };
    (@ $inner:ident end) => {
        fn end(&mut self, clock: &$crate::Clock, until: $crate::At) -> $crate::Ended {
            self.$inner.end(clock, until)
        }
    };
}

/// Implements methods of [`Contender`] as no-ops, for a contender without a process or without
/// control of it: `idle_contender!(stop resume used);` within `impl Contender`.
#[macro_export]
macro_rules! idle_contender {
    ($($method:ident)*) => { $($crate::idle_contender!(@ $method);)* };
    (@ new_game) => { fn new_game(&mut self) {} };
    (@ new_turn) => { fn new_turn(&mut self) {} };
    (@ line_had_cr) => { fn line_had_cr(&self) -> bool { false } };
    (@ partial_line) => { fn partial_line(&self) -> &[u8] { &[] } };
    (@ stop) => { fn stop(&mut self) {} };
    (@ resume) => { fn resume(&mut self) {} };
    (@ used) => {
        fn used(&mut self, _: std::time::Duration) -> $crate::Usage { $crate::Usage::default() }
    };
    (@ waited) => {
        fn waited(&mut self) -> std::time::Duration { std::time::Duration::ZERO }
    };
    (@ counts_all_cpu) => { fn counts_all_cpu(&self) -> bool { false } };
    (@ peak_memory) => { fn peak_memory(&self) -> Option<u64> { None } };
    (@ stderr) => {
        fn stderr(&mut self) -> $crate::Untrusted { $crate::Untrusted::default() }
    };
    (@ close_stdin) => { fn close_stdin(&mut self) {} };
}

/// Result of reading from a contender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOutcome {
    /// A complete line, with the instant at which the read that completed it returned.
    Line(At),
    /// A line that is too long.
    TooLong(At),
    /// More output than the limit.
    TooMuch {
        /// The stream with too much output.
        stream: Stream,
        /// The limit, in bytes.
        limit: usize,
        /// The instant of the read.
        at: At,
    },
    /// It closed its output but is still running.
    Closed(At),
    /// It has exited.
    Exited(Exit, At),
    /// No output until that instant.
    Nothing(At),
}

impl ReadOutcome {
    /// The instant of the outcome.
    pub fn at(&self) -> At {
        match *self {
            Self::Line(at)
            | Self::TooLong(at)
            | Self::TooMuch { at, .. }
            | Self::Closed(at)
            | Self::Exited(_, at)
            | Self::Nothing(at) => at,
        }
    }

    /// Outcome for the first framed item, read at that instant. `None` without a complete line.
    pub(super) fn of(framed: Framed, at: At) -> Option<Self> {
        match framed {
            Framed::Line => Some(Self::Line(at)),
            Framed::TooLong => Some(Self::TooLong(at)),
            Framed::TooMuch(limit) => Some(Self::TooMuch { stream: Stream::Stdout, limit, at }),
            Framed::Partial => None,
        }
    }
}

/// Resources that a contender used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time of all its threads.
    pub cpu: Duration,
    /// Time in which it was ready to run and had no core. Measured only if wall and CPU time differ
    /// by more than 0.1 ms, and is zero otherwise.
    pub waiting: Duration,
}

/// Final state of a contender.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ended {
    /// Exit status, if it exited by itself.
    pub exit: Option<Exit>,
    /// The end of its standard error.
    pub stderr: Untrusted,
    /// Number of processes that it left behind outside of its group.
    pub orphans: usize,
    /// Refused calls that it tried, if it was audited.
    pub audit: Option<Audit>,
}
