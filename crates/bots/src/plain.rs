//! Portable bot process, built on the standard library only, with one thread per pipe.
//!
//! For systems without the system calls that `process` needs. It guarantees less: bots are neither
//! stopped nor measured, and orphan processes are not found. The reading thread timestamps a line
//! itself, so a busy machine adds only that thread's wait for a core.

use std::io::{Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pitmaster_core::{At, Exit, Resources, Stream, Untrusted};
use pitmaster_referee::protocol::Framer;
use pitmaster_sandbox::{Launch, orphans};

use super::Clock;
use super::contender::{Contender, Ended, ReadOutcome};
use super::exit::exit_of;
use super::launch::{LaunchError, blame_for, referee_fault};
use super::tail::Tail;
use crate::idle_contender;

/// Maximum size of one read. The framer has room for this whenever it holds no complete line.
const CHUNK: usize = 8 * 1024;

/// Maximum number of queued chunks before the reading thread blocks, and with it the bot.
const WAITING_CHUNKS: usize = 4;

/// Interval of exit checks for a silent process, whose output another process may hold open.
const LOOK: Duration = Duration::from_millis(20);

/// Interval of exit checks while waiting for the exit.
const CLOSE_LOOK: Duration = Duration::from_millis(1);

/// Grace period of a process that has closed its output, to exit and for the threads to deliver its
/// output.
const DEATH_THROES: Duration = Duration::from_millis(500);

/// A process and the threads at its pipes.
#[derive(Debug)]
pub struct PlainProcess {
    child: Child,
    /// Channel to the writing thread; without it the input is closed.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<StreamEvent>,
    /// Number of output streams still read.
    open: u8,
    /// Whether its standard output is still read.
    is_stdout_open: bool,
    framer: Framer,
    read_at: At,
    tail: Arc<Mutex<Tail>>,
    /// Set once it was reaped.
    ended: Option<Ended>,
}

/// Events sent by the reading threads.
#[derive(Debug)]
enum StreamEvent {
    Bytes(Vec<u8>, Instant),
    /// The end of standard output.
    Closed,
    /// The end of standard error, or too much of it.
    Quiet,
}

impl PlainProcess {
    /// Starts a process.
    pub fn start(launch: &Launch) -> Result<Self, LaunchError> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.args)
            .env_clear()
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .env(orphans::RUN_VARIABLE, orphans::run_name())
            .current_dir(&launch.dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        prepare(&mut command, launch);
        let child = orphans::spawn(&mut command).map_err(|error| blame_for(launch, &error))?;
        Self::adopt(child, launch.cage.resources())
            .map_err(|error| referee_fault("start the threads of a bot", &error))
    }

    fn adopt(mut child: Child, resources: &Resources) -> std::io::Result<Self> {
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, lines) = channel();
        let (event, output) = sync_channel(WAITING_CHUNKS);
        let tail = Arc::new(Mutex::new(Tail::with_limit(resources.stderr as usize)));
        let process = Self {
            child,
            input: Some(input),
            output,
            open: 2,
            is_stdout_open: true,
            framer: Framer::with_turn_limit(resources.output as usize),
            read_at: At::START,
            tail: Arc::clone(&tail),
            ended: None,
        };
        // If this fails, dropping `process` ends it.
        if let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            let for_stderr = event.clone();
            run("bot's input", move || write_all(stdin, &lines))?;
            run("bot's output", move || read_output(stdout, &event))?;
            run("bot's errors", move || read_errors(stderr, &tail, &for_stderr))?;
        }
        Ok(process)
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn exceeded_on_stderr(&self) -> Option<usize> {
        let tail = self.tail();
        tail.is_too_much().then(|| tail.limit())
    }

    /// First item of the output read so far.
    fn framed(&mut self) -> Option<ReadOutcome> {
        ReadOutcome::of(self.framer.next(), self.read_at)
    }

    /// Handles an event of a reading thread. The framer must have room for it.
    fn absorb(&mut self, clock: &Clock, event: StreamEvent) {
        match event {
            StreamEvent::Bytes(bytes, instant) => {
                self.framer.space()[..bytes.len()].copy_from_slice(&bytes);
                self.framer.filled(bytes.len());
                self.read_at = clock.at(instant);
            }
            StreamEvent::Closed => (self.is_stdout_open, self.open) = (false, self.open - 1),
            StreamEvent::Quiet => self.open -= 1,
        }
    }

    /// Waits for an event. Returns whether there was one.
    fn wait(&mut self, clock: &Clock, timeout: Duration) -> bool {
        match self.output.recv_timeout(timeout) {
            Ok(event) => self.absorb(clock, event),
            Err(RecvTimeoutError::Timeout) => return false,
            // Both streams have ended, so no further events arrive.
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(timeout);
                return false;
            }
        }
        true
    }

    fn exit(&mut self) -> Option<Exit> {
        self.child.try_wait().ok().flatten().map(exit_of)
    }

    /// Waits only for its exit.
    fn exit_within(&mut self, time: Duration) -> Option<Exit> {
        let start = Instant::now();
        loop {
            let exit = self.exit();
            if exit.is_some() || start.elapsed() > time {
                return exit;
            }
            thread::sleep(CLOSE_LOOK);
        }
    }

    /// Waits for an event, or checks whether it has ended. Earlier output is handled first.
    fn event_or_exit(&mut self, clock: &Clock, until: Option<At>) -> Option<ReadOutcome> {
        let time = until.map_or(LOOK, |until| clock.until_passed(until).min(LOOK));
        if self.wait(clock, time) {
            return None;
        }
        let at = clock.now();
        let exit = self.exit()?;
        if self.wait(clock, DEATH_THROES) { None } else { Some(ReadOutcome::Exited(exit, at)) }
    }

    /// Waits until the instant has passed for it to exit, and reads its output meanwhile.
    fn let_go(&mut self, clock: &Clock, until: At) -> Option<Exit> {
        self.close_stdin();
        loop {
            let exit = self.exit();
            if exit.is_some() || clock.now() > until {
                return exit;
            }
            if self.framer.space().len() < CHUNK || !self.wait(clock, CLOSE_LOOK) {
                thread::sleep(CLOSE_LOOK);
            }
        }
    }

    fn finish(&mut self, clock: &Clock, exit: Option<Exit>) -> Ended {
        self.kill();
        while self.open > 0 && self.framer.space().len() >= CHUNK && self.wait(clock, DEATH_THROES)
        {
        }
        Ended { exit, stderr: self.tail().text(), ..Ended::default() }
    }

    fn kill(&mut self) {
        // Fails only if it has ended.
        let _ = self.child.kill();
        orphans::reap(&mut self.child);
    }
}

impl Contender for PlainProcess {
    idle_contender!(stop resume used waited counts_all_cpu peak_memory);

    fn new_game(&mut self) {
        self.framer.new_game();
        self.tail().new_game();
    }

    fn new_turn(&mut self) {
        self.framer.new_turn();
    }

    fn send(&mut self, bytes: &[u8]) {
        if let Some(input) = &self.input {
            // Fails if it has closed its input. Its silence or exit is noticed while reading.
            let _ = input.send(bytes.to_vec());
        }
    }

    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome {
        loop {
            if let Some(heard) = self.framed() {
                return heard;
            }
            match self.output.try_recv() {
                Ok(event) => self.absorb(clock, event),
                Err(_) => return ReadOutcome::Nothing(self.read_at),
            }
        }
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        loop {
            if let Some(heard) = self.framed() {
                return heard;
            }
            if let Some(limit) = self.exceeded_on_stderr() {
                let at = clock.now();
                return ReadOutcome::TooMuch { stream: Stream::Stderr, limit, at };
            }
            if !self.is_stdout_open {
                let at = clock.now();
                let exit = self.exit_within(DEATH_THROES);
                return exit.map_or(ReadOutcome::Closed(at), |exit| ReadOutcome::Exited(exit, at));
            }
            if let Some(heard) = self.event_or_exit(clock, until) {
                return heard;
            }
            let now = clock.now();
            if until.is_some_and(|until| now > until) {
                return self.last_look(clock, now);
            }
        }
    }

    fn line(&self) -> &[u8] {
        self.framer.line()
    }

    fn line_had_cr(&self) -> bool {
        self.framer.line_had_cr()
    }

    fn partial_line(&self) -> &[u8] {
        self.framer.partial_line()
    }

    fn stderr(&mut self) -> Untrusted {
        self.tail().text()
    }

    fn close_stdin(&mut self) {
        self.input = None;
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        if self.ended.is_none() {
            let exit = self.let_go(clock, until);
            self.ended = Some(self.finish(clock, exit));
        }
        self.ended.clone().unwrap_or_default()
    }
}

impl PlainProcess {
    /// Last check after the deadline. A line may have been read in time and not handled yet.
    fn last_look(&mut self, clock: &Clock, now: At) -> ReadOutcome {
        match self.try_read_line(clock) {
            ReadOutcome::Nothing(_) => ReadOutcome::Nothing(now),
            heard => heard,
        }
    }
}

/// A lane that is dropped during a game leaves no process behind.
impl Drop for PlainProcess {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.kill();
        }
    }
}

/// Sets its name and its own process group, so that an interrupt at the terminal reaches only the
/// referee.
fn prepare(command: &mut Command, launch: &Launch) {
    command.arg0(&launch.name).process_group(0);
}

fn run(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(work).map(drop)
}

fn write_all(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(&line).is_err() {
            return;
        }
    }
}

fn read_output(mut stdout: impl Read, event: &SyncSender<StreamEvent>) {
    let mut chunk = [0; CHUNK];
    while let Some(bytes) = read(&mut stdout, &mut chunk) {
        // Timestamped before anything can block this thread.
        let instant = Instant::now();
        if event.send(StreamEvent::Bytes(bytes.to_vec(), instant)).is_err() {
            return;
        }
    }
    let _ = event.send(StreamEvent::Closed);
}

fn read_errors(mut stderr: impl Read, tail: &Mutex<Tail>, event: &SyncSender<StreamEvent>) {
    let mut chunk = [0; CHUNK];
    while let Some(bytes) = read(&mut stderr, &mut chunk) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.push(bytes);
        if tail.is_too_much() {
            break;
        }
    }
    let _ = event.send(StreamEvent::Quiet);
}

/// Bytes of one read. `None` at the end of the stream.
fn read<'a>(stream: &mut impl Read, chunk: &'a mut [u8]) -> Option<&'a [u8]> {
    loop {
        match stream.read(chunk) {
            Ok(0) => return None,
            Ok(bytes) => return Some(&chunk[..bytes]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
