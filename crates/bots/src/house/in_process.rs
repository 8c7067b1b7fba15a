//! In-process house bot. It thinks on the lane's thread.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use pitmaster_core::{At, Exit, Untrusted};
use pitmaster_players::{PREFIX, PlayerSpec};
use pitmaster_referee::protocol::Framer;
use rustix::time::{ClockId, clock_gettime};

use super::conversation::{Talk, Then};
use crate::{Clock, Contender, Ended, ReadOutcome, Usage, idle_contender};

/// A house bot on the thread of a lane. Its conversation is the same as that of its process.
pub struct InProcess {
    name: String,
    talk: Talk,
    /// Received bytes that are not processed yet.
    inbox: Vec<u8>,
    /// Time at which the last bytes were received.
    sent_at: Instant,
    /// Output that does not fit into the framer yet.
    outbox: Vec<u8>,
    framer: Framer,
    /// Time of the last output.
    written_at: At,
    /// Whether it was read in this turn: see [`Contender::read_line`].
    was_read: bool,
    exit: Option<Exit>,
    stderr: Untrusted,
    used: Usage,
    /// Time that it waited for a core in this turn.
    waited: Duration,
}

impl InProcess {
    /// Creates a house bot with that player.
    pub fn new(player: PlayerSpec) -> Self {
        Self::with(format!("{PREFIX}{player}"), Talk::pitmaster(player))
    }

    /// Creates a house bot with that conversation.
    pub(super) fn with(name: String, talk: Talk) -> Self {
        Self {
            name,
            talk,
            inbox: Vec::new(),
            sent_at: Instant::now(),
            outbox: Vec::new(),
            framer: Framer::default(),
            written_at: At::START,
            was_read: false,
            exit: None,
            stderr: Untrusted::default(),
            used: Usage::default(),
            waited: Duration::ZERO,
        }
    }

    /// Processes its input, thinks, and answers.
    fn think(&mut self, clock: &Clock) {
        let (began, cpu) = (Instant::now(), thread_cpu());
        let inbox = std::mem::take(&mut self.inbox);
        let whole = inbox.strip_suffix(b"\n").unwrap_or(&inbox);
        for line in whole.split(|&byte| byte == b'\n').filter(|_| !inbox.is_empty()) {
            self.handle_line(line);
        }
        let (wall, cpu) = (began.elapsed(), thread_cpu().saturating_sub(cpu));
        self.used.cpu += cpu;
        // Thinking never blocks.
        let waited = wall.saturating_sub(cpu);
        self.used.waiting += waited;
        self.waited += waited;
        self.written_at = clock.now();
    }

    fn handle_line(&mut self, line: &[u8]) {
        if self.exit.is_some() {
            return;
        }
        let (talk, at, out) = (&mut self.talk, self.sent_at, &mut self.outbox);
        match catch_unwind(AssertUnwindSafe(|| talk.handle_line(line, at, out))) {
            Ok(Ok(Then::Listen)) => {}
            Ok(Ok(Then::End)) => self.exit = Some(Exit::Code(0)),
            Ok(Err(fault)) => {
                self.stderr = Untrusted::new(format!("error: {fault}\n"));
                self.exit = Some(Exit::Code(2));
            }
            // A bug in Pitmaster: the game is void, and the record names the player.
            Err(panic) => {
                resume_unwind(Box::new(format!("{}: {}", self.name, panic_message(&*panic))))
            }
        }
    }

    /// Next line of its output.
    fn framed(&mut self) -> Option<ReadOutcome> {
        loop {
            if let Some(outcome) = ReadOutcome::of(self.framer.next(), self.written_at) {
                return Some(outcome);
            }
            if self.outbox.is_empty() {
                return None;
            }
            let space = self.framer.space();
            let bytes = space.len().min(self.outbox.len());
            space[..bytes].copy_from_slice(&self.outbox[..bytes]);
            self.framer.filled(bytes);
            self.outbox.drain(..bytes);
        }
    }
}

impl Contender for InProcess {
    idle_contender!(stop resume close_stdin line_had_cr peak_memory);

    fn new_game(&mut self) {
        self.framer.new_game();
        self.outbox.clear();
    }

    fn new_turn(&mut self) {
        self.framer.new_turn();
        self.was_read = false;
        self.waited = Duration::ZERO;
    }

    fn send(&mut self, bytes: &[u8]) {
        self.inbox.extend_from_slice(bytes);
        self.sent_at = Instant::now();
    }

    fn try_read_line(&mut self, _: &Clock) -> ReadOutcome {
        self.framed().unwrap_or(ReadOutcome::Nothing(self.written_at))
    }

    /// The first call returns without a line and without thinking, so that the lane can stop the
    /// opponent before this thread is busy.
    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        if let Some(outcome) = self.framed() {
            return outcome;
        }
        if !std::mem::replace(&mut self.was_read, true) {
            return ReadOutcome::Nothing(clock.now());
        }
        self.think(clock);
        match (self.framed(), self.exit) {
            (Some(outcome), _) => outcome,
            (None, Some(exit)) => ReadOutcome::Exited(exit, self.written_at),
            (None, None) => self.read_nothing(clock, until),
        }
    }

    fn line(&self) -> &[u8] {
        self.framer.line()
    }

    fn partial_line(&self) -> &[u8] {
        self.framer.partial_line()
    }

    fn used(&mut self, _: Duration) -> Usage {
        std::mem::take(&mut self.used)
    }

    fn waited(&mut self) -> Duration {
        self.waited
    }

    fn counts_all_cpu(&self) -> bool {
        true
    }

    fn stderr(&mut self) -> Untrusted {
        self.stderr.clone()
    }

    fn end(&mut self, _: &Clock, _: At) -> Ended {
        Ended { exit: self.exit, stderr: self.stderr.clone(), ..Ended::default() }
    }
}

impl InProcess {
    /// Waits as for a silent process.
    #[expect(clippy::unused_self, reason = "a part of listening")]
    fn read_nothing(&self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        let Some(until) = until else { return ReadOutcome::Closed(clock.now()) };
        std::thread::sleep(clock.until_passed(until));
        ReadOutcome::Nothing(clock.now())
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcess").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Message of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into())
}

/// The CPU time of this thread.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}
