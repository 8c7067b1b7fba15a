//! Contender trait: a player as a lane sees it, the interface between a game and a process.

use std::fmt::Debug;
use std::time::Duration;

use pitmaster_core::{At, Exit, Stream, Untrusted};
use pitmaster_referee::protocol::Framed;
use pitmaster_sandbox::Audit;

use super::Clock;

/// Something that answers lines with lines.
///
/// A lane plays with two of these and knows nothing else of processes. None of the methods
/// waits, but for [`Contender::read_line`] and [`Contender::end`]. None has a default: a contender
/// that wraps another one forwards methods by [`forward_contender!`](crate::forward_contender).
pub trait Contender: Debug {
    /// Begins a game: what was written before belongs to none.
    fn new_game(&mut self);

    /// Begins a turn: its output is counted from here.
    fn new_turn(&mut self);

    /// Writes to its input. What does not fit is written while listening; an input that was
    /// closed swallows it, as its end will be noticed while listening.
    fn send(&mut self, bytes: &[u8]);

    /// Looks at what it has written, without waiting.
    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome;

    /// Waits for its next line, until that instant has passed (`None`: for ever).
    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome;

    /// The line that was heard last.
    fn line(&self) -> &[u8];

    /// Whether that line ended as Windows ends lines, with CR LF.
    fn line_had_cr(&self) -> bool;

    /// What it has written of a line that is not whole.
    fn partial_line(&self) -> &[u8];

    /// Stops it, with all of its threads and children; said again, what runs all the same.
    fn stop(&mut self);

    /// Sets it going again.
    fn resume(&mut self);

    /// What it has used since it was asked last, or since its start.
    fn used(&mut self, wall: Duration) -> Usage;

    /// How long it was ready to run in this turn so far while other programs had its core; what
    /// its own threads take from each other does not count. Zero where that cannot be found out.
    fn waited(&mut self) -> Duration;

    /// The most memory that it has held so far, in bytes, where that can be found out.
    fn peak_memory(&self) -> Option<u64>;

    /// The end of its standard error, so far; empty where there is none.
    fn stderr(&mut self) -> Untrusted;

    /// Closes its input and sets it going: it may end by itself.
    fn close_stdin(&mut self);

    /// Hangs up, lets it go until that instant has passed, and ends it by force.
    /// Afterwards [`Contender::try_read_line`] still gives what it had written.
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

/// What was heard of a contender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOutcome {
    /// A whole line; the instant at which the read that brought its end returned.
    Line(At),
    /// A line that is too long.
    TooLong(At),
    /// More output than is read.
    TooMuch {
        /// Where.
        stream: Stream,
        /// The most that is read, in bytes.
        limit: usize,
        /// When.
        at: At,
    },
    /// It closed its output, but lives.
    Closed(At),
    /// It has ended.
    Exited(Exit, At),
    /// Nothing until then.
    Nothing(At),
}

impl ReadOutcome {
    /// When.
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

    /// What stood at the front of its standard output, as the read at that instant left it;
    /// `None` while there is no whole line.
    pub(super) fn of(framed: Framed, at: At) -> Option<Self> {
        match framed {
            Framed::Line => Some(Self::Line(at)),
            Framed::TooLong => Some(Self::TooLong(at)),
            Framed::TooMuch(limit) => Some(Self::TooMuch { stream: Stream::Stdout, limit, at }),
            Framed::Partial => None,
        }
    }
}

/// What a contender used of the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time of all its threads.
    pub cpu: Duration,
    /// How long it was ready to run but other programs had its core; looked up only when wall and
    /// CPU time differ by more than 0.1 ms, else zero.
    pub waiting: Duration,
}

/// What is left of a contender.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ended {
    /// How it ended, if it did by itself.
    pub exit: Option<Exit>,
    /// The end of its standard error.
    pub stderr: Untrusted,
    /// How many processes it left behind, outside of its group.
    pub orphans: usize,
    /// What it tried that it is refused, where that was looked at.
    pub audit: Option<Audit>,
}
