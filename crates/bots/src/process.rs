//! Bot process on Linux: pipes, `ppoll`, a pidfd.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::{At, Exit, RefereeFault, Stream, Untrusted};
use pitmaster_referee::protocol::Framer;
use pitmaster_sandbox::sys::{self, Init, Started, Step};
use pitmaster_sandbox::{Launch, ProcessResources, SandboxProfile, orphans};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group,
    pidfd_send_signal, prlimit, waitid,
};

use super::Clock;
use super::contender::{Contender, Ended, ReadOutcome, Usage};
use super::launch::{LaunchError, blame_for, referee_fault};
use super::meter::Meter;
use super::tail::Tail;

/// Grace period of a process that has closed its output, to exit.
const DEATH_THROES: Duration = Duration::from_millis(500);

/// A process and the referee's ends of its pipes.
#[derive(Debug)]
pub struct Process {
    pid: Pid,
    pidfd: OwnedFd,
    init: Option<Init>,
    cage: Arc<SandboxProfile>,
    belongings: ProcessResources,
    stray: orphans::ProcessTag,
    stdin: Option<File>,
    stdout: Option<File>,
    stderr: Option<File>,
    /// Bytes that did not fit into its input yet.
    unsent: Vec<u8>,
    framer: Framer,
    /// Return time of the last read from its output.
    read_at: At,
    tail: Tail,
    meter: Meter,
    /// The folder of its threads.
    threads: Option<File>,
    /// Whether a line has just been sent, so that it may answer as soon as it runs.
    just_asked: bool,
    stopped: bool,
    /// Set once it was reaped.
    ended: Option<Ended>,
}

impl Process {
    /// Starts a process under its sandbox profile. It dies with the calling thread.
    pub fn start(launch: &Launch) -> Result<Self, LaunchError> {
        let stray = orphans::ProcessTag::of(&launch.cage);
        let pipes = Pipes::new().map_err(|error| referee_fault("make pipes", &error))?;
        let (started, belongings) = pipes.start(launch, &stray)?;
        Self::adopt(launch, started, belongings, pipes, stray)
            .map_err(|error| referee_fault("talk to a bot", &error))
    }

    fn adopt(
        launch: &Launch,
        started: Started,
        belongings: ProcessResources,
        pipes: Pipes,
        stray: orphans::ProcessTag,
    ) -> std::io::Result<Self> {
        let Started { pid, pidfd, init } = started;
        let resources = launch.cage.resources();
        let [stdin, stdout, stderr] = pipes.ours.map(|fd| Some(File::from(fd)));
        let threads = File::open(format!("/proc/{pid}/task")).ok();
        let pid = Pid::from_raw(pid.cast_signed()).ok_or(ErrorKind::NotFound)?;
        let process = Self {
            meter: Meter::new(pid, !launch.cage.is_tight()),
            threads,
            pid,
            pidfd,
            init,
            cage: Arc::clone(&launch.cage),
            belongings,
            stray,
            stdin,
            stdout,
            stderr,
            unsent: Vec::new(),
            framer: Framer::with_turn_limit(resources.output as usize),
            read_at: At::START,
            tail: Tail::with_limit(resources.stderr as usize),
            just_asked: false,
            stopped: false,
            ended: None,
        };
        // If this fails, dropping `process` ends it.
        process.set_nonblocking()?;
        Ok(process)
    }

    /// Makes the referee's ends non-blocking, and only these, because each end of a pipe has its
    /// own flags.
    fn set_nonblocking(&self) -> std::io::Result<()> {
        let stdin = self.stdin.as_ref().map(AsFd::as_fd);
        let stdout = self.stdout.as_ref().map(AsFd::as_fd);
        let stderr = self.stderr.as_ref().map(AsFd::as_fd);
        for fd in [stdin, stdout, stderr].into_iter().flatten() {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        Ok(())
    }

    /// Reads once from its output. Returns whether anything changed.
    fn read(&mut self, clock: &Clock) -> bool {
        let Some(stdout) = &mut self.stdout else { return false };
        match stdout.read(self.framer.space()) {
            Ok(0) => self.stdout = None,
            Ok(bytes) => {
                self.read_at = clock.now();
                self.meter.heard();
                self.framer.filled(bytes);
            }
            Err(error) if is_not_now(&error) => return false,
            Err(_) => self.stdout = None,
        }
        true
    }

    fn drain_stderr(&mut self) {
        let Some(stderr) = &mut self.stderr else { return };
        let mut chunk = [0; 16 * 1024];
        loop {
            match stderr.read(&mut chunk) {
                Ok(0) => break self.stderr = None,
                Ok(bytes) => self.tail.push(&chunk[..bytes]),
                Err(error) if is_not_now(&error) => break,
                Err(_) => break self.stderr = None,
            }
            if self.tail.is_too_much() {
                break;
            }
        }
    }

    fn flush(&mut self) {
        let Some(stdin) = &mut self.stdin else { return self.unsent.clear() };
        match stdin.write(&self.unsent) {
            Ok(bytes) => drop(self.unsent.drain(..bytes)),
            Err(error) if is_not_now(&error) => {}
            // The bot has closed its input. Its silence or exit is noticed while reading.
            Err(_) => self.unsent.clear(),
        }
    }

    /// First item of the output read so far.
    fn framed(&mut self) -> Option<ReadOutcome> {
        ReadOutcome::of(self.framer.next(), self.read_at)
    }

    /// Outcome of a read without output.
    fn silence(&mut self, clock: &Clock, has_ended: bool) -> ReadOutcome {
        let at = clock.now();
        if has_ended || self.waits_for_end(DEATH_THROES) {
            // Still a zombie: `end` reaps it after killing its group.
            ReadOutcome::Exited(self.exit_of_zombie(), at)
        } else {
            ReadOutcome::Closed(at)
        }
    }

    fn exit_of_zombie(&self) -> Exit {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let status = waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok().flatten();
        status.map_or(Exit::Unknown, exit_of)
    }

    /// Waits for an event and serves its input and standard error meanwhile. Returns whether it has
    /// ended.
    fn wait(&mut self, timeout: Option<Duration>) -> bool {
        let ready = self.poll(timeout);
        if ready.stderr {
            self.drain_stderr();
        }
        if ready.input {
            self.flush();
        }
        ready.end
    }

    fn poll(&self, timeout: Option<Duration>) -> Ready {
        let unsent = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let mut fds = PollSet::new();
        let end = add(&mut fds, Some(&self.pidfd), PollFlags::IN);
        // A flooding bot is not read further and blocks on its full pipe.
        let errors = self.stderr.as_ref().filter(|_| !self.tail.is_too_much());
        let output = self.stdout.as_ref().filter(|_| self.framer.has_room());
        let stderr = add(&mut fds, errors, PollFlags::IN);
        let input = add(&mut fds, unsent, PollFlags::OUT);
        add(&mut fds, output, PollFlags::IN);
        // An interrupted wait counts as one without events.
        let _ = poll(&mut fds, timeout.map(timespec).as_ref());
        let ready = |index: Option<usize>| index.is_some_and(|i| !fds[i].revents().is_empty());
        Ready { end: ready(end), stderr: ready(stderr), input: ready(input) }
    }

    /// Waits only for its end. Returns whether it has ended.
    fn waits_for_end(&self, timeout: Duration) -> bool {
        let mut fds = [PollFd::new(&self.pidfd, PollFlags::IN)];
        poll(&mut fds, Some(&timespec(timeout))).is_ok_and(|ready| ready > 0)
    }

    fn signal_group(&self, signal: Signal) {
        // Fails only when the whole group has ended.
        let _ = kill_process_group(self.pid, signal);
    }

    /// Waits until the instant has passed for it to exit, and reads its output meanwhile.
    fn let_go(&mut self, clock: &Clock, until: At) -> bool {
        self.close_stdin();
        loop {
            if self.wait(Some(clock.until_passed(until))) {
                return true;
            }
            while self.framer.has_room() && self.read(clock) && self.stdout.is_some() {}
            if clock.now() > until {
                return false;
            }
        }
    }

    /// Kills its whole group and reaps it. Returns the exit and the number of processes that had
    /// left the group. The group is killed first, because its number can be reused once the leader
    /// is reaped.
    fn kill(&mut self) -> (Option<Exit>, usize) {
        self.signal_group(Signal::KILL);
        // The process may have moved to another group.
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        let exit = orphans::reap_all_of(self.pid, &self.pidfd, self.init.as_ref());
        let grouped = self.belongings.group.take().map_or(0, |group| group.processes());
        // The search for orphans is slow, and useless if the bot cannot start processes.
        let orphans = if self.cage.leaves_nothing() { 0 } else { self.stray.sweep().alive };
        (exit.map(exit_of), grouped + orphans)
    }

    /// Signals every thread, because a signal to the process stops its other threads only at the
    /// next reschedule. A control group stops all processes at once.
    fn signal_stop(&self) {
        if let Some(group) = &self.belongings.group
            && group.freeze(true).is_ok()
        {
            return;
        }
        let links = self.threads.as_ref().and_then(|folder| Some(folder.metadata().ok()?.nlink()));
        // `.` and `..`, then one entry per thread.
        match links {
            Some(3) => sys::stop_thread(self.pid, self.pid),
            _ => threads_of(self.pid).for_each(|thread| sys::stop_thread(self.pid, thread)),
        }
        // If it may have children, the rest of its group too.
        if !self.cage.is_tight() {
            self.signal_group(Signal::STOP);
        }
    }

    /// Sets a kernel limit on CPU time, far above the limit that the referee enforces.
    fn bound_cpu(&self) {
        if let Some(seconds) = self.cage.cpu_seconds(self.meter.cpu()) {
            let limit = Rlimit { current: Some(seconds), maximum: None };
            // A process that has just ended needs no limit.
            let _ = prlimit(Some(self.pid), Resource::Cpu, limit);
        }
    }

    fn finish(&mut self, clock: &Clock, by_itself: bool) -> Ended {
        let (exit, orphans) = self.kill();
        self.drain_stderr();
        while self.framer.has_room() && self.read(clock) {}
        let exit = exit.filter(|_| by_itself);
        let audit = self.belongings.audit();
        Ended { exit, stderr: self.tail.text(), orphans, audit }
    }
}

impl Contender for Process {
    fn new_game(&mut self) {
        self.framer.new_game();
        self.tail.new_game();
        self.bound_cpu();
    }

    fn new_turn(&mut self) {
        self.framer.new_turn();
        self.meter.new_turn();
        self.just_asked = false;
    }

    fn send(&mut self, bytes: &[u8]) {
        let Some(stdin) = &mut self.stdin else { return };
        self.just_asked = true;
        let written = if self.unsent.is_empty() {
            match stdin.write(bytes) {
                Ok(written) => written,
                Err(error) if is_not_now(&error) => 0,
                // Closed: see `flush`.
                Err(_) => bytes.len(),
            }
        } else {
            0
        };
        self.unsent.extend_from_slice(&bytes[written..]);
    }

    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome {
        loop {
            if let Some(heard) = self.framed() {
                return heard;
            }
            // All available output is read, regardless of chunk boundaries.
            if !self.read(clock) {
                return ReadOutcome::Nothing(self.read_at);
            }
        }
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        let mut has_ended = false;
        loop {
            if let Some(heard) = self.framed() {
                return heard;
            }
            if self.read(clock) {
                continue;
            }
            if self.tail.is_too_much() {
                let (stream, at) = (Stream::Stderr, clock.now());
                return ReadOutcome::TooMuch { stream, limit: self.tail.limit(), at };
            }
            if self.stdout.is_none() || has_ended {
                return self.silence(clock, has_ended);
            }
            if std::mem::take(&mut self.just_asked) {
                // The bot shares this core. After a yield it has often answered already, which is
                // cheaper than `poll`.
                rustix::thread::sched_yield();
                continue;
            }
            if let Some(until) = until
                && clock.now() > until
            {
                return ReadOutcome::Nothing(clock.now());
            }
            // An answer that is there was read before this look: it would seem to have none.
            self.meter.look_if_due(self.belongings.group.as_ref());
            let look = self.meter.until_look();
            let patience = until.map_or(look, |until| clock.until_passed(until).min(look));
            self.meter.sleep(self.belongings.group.as_ref());
            // Output written before its end is read first.
            has_ended = self.wait(Some(patience));
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

    fn stop(&mut self) {
        self.stopped = true;
        self.signal_stop();
    }

    fn resume(&mut self) {
        if std::mem::take(&mut self.stopped) {
            if let Some(group) = &self.belongings.group {
                let _ = group.freeze(false);
            }
            self.signal_group(Signal::CONT);
        }
    }

    fn used(&mut self, wall: Duration) -> Usage {
        self.meter.used(wall, self.belongings.group.as_ref())
    }

    fn waited(&mut self) -> Duration {
        self.meter.waited(self.belongings.group.as_ref())
    }

    fn counts_all_cpu(&self) -> bool {
        self.cage.is_tight() || self.belongings.group.is_some()
    }

    fn peak_memory(&self) -> Option<u64> {
        peak_memory(self.pid)
    }

    fn stderr(&mut self) -> Untrusted {
        self.drain_stderr();
        self.tail.text()
    }

    fn close_stdin(&mut self) {
        self.stdin = None;
        self.unsent.clear();
        self.resume();
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        if self.ended.is_none() {
            let by_itself = self.let_go(clock, until);
            self.ended = Some(self.finish(clock, by_itself));
        }
        self.ended.clone().unwrap_or_default()
    }
}

/// A lane that is dropped during a game leaves no process behind.
impl Drop for Process {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.kill();
        }
    }
}

/// Both ends of a bot's three pipes.
#[derive(Debug)]
struct Pipes {
    /// Its ends of standard input, output and error.
    theirs: [OwnedFd; 3],
    ours: [OwnedFd; 3],
}

impl Pipes {
    fn new() -> std::io::Result<Self> {
        let pipe = || pipe_with(PipeFlags::CLOEXEC);
        let [(stdin, to_stdin), (from_stdout, stdout), (from_stderr, stderr)] =
            [pipe()?, pipe()?, pipe()?];
        Ok(Self { theirs: [stdin, stdout, stderr], ours: [to_stdin, from_stdout, from_stderr] })
    }

    fn start(
        &self,
        launch: &Launch,
        stray: &orphans::ProcessTag,
    ) -> Result<(Started, ProcessResources), LaunchError> {
        let [stdin, stdout, stderr] = &self.theirs;
        start_with(launch, stray, [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()])
    }
}

/// Starts a process in its sandbox, registered so that it is not taken for an orphan.
pub(super) fn start_with(
    launch: &Launch,
    stray: &orphans::ProcessTag,
    standard: [BorrowedFd<'_>; 3],
) -> Result<(Started, ProcessResources), LaunchError> {
    let started =
        orphans::start(|| match launch.cage.start(launch, stray.environment(), standard) {
            Ok(started) => Ok(started),
            Err(fault) if fault.error.kind() == ErrorKind::ExecutableFileBusy => Err(None),
            Err(fault) => Err(Some(fault)),
        });
    started.map_err(|fault| match fault {
        Some(fault) if matches!(fault.step, Some(Step::Program | Step::Folder)) => {
            blame_for(launch, &fault.error)
        }
        Some(fault) => {
            let error = fault.to_string();
            LaunchError::Referee(RefereeFault::System { error })
        }
        None => blame_for(launch, &ErrorKind::ExecutableFileBusy.into()),
    })
}

/// Events other than output, which is noticed by reading.
#[derive(Debug)]
struct Ready {
    end: bool,
    stderr: bool,
    input: bool,
}

type PollSet<'fd> = arrayvec::ArrayVec<PollFd<'fd>, 4>;

fn add<'fd>(fds: &mut PollSet<'fd>, fd: Option<&'fd impl AsFd>, flags: PollFlags) -> Option<usize> {
    fds.push(PollFd::new(fd?, flags));
    Some(fds.len() - 1)
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

/// Sleeps with the precision of a deadline.
pub(super) fn sleep_precisely(time: Duration) {
    let _ = poll(&mut [], Some(&timespec(time)));
}

pub(super) fn exit_of(status: WaitIdStatus) -> Exit {
    let code = status.exit_status().map(Exit::Code);
    code.or(status.terminating_signal().map(Exit::Signal)).unwrap_or(Exit::Unknown)
}

fn threads_of(pid: Pid) -> impl Iterator<Item = Pid> {
    let folder = std::fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    let number = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.ok()?.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)
    };
    folder.into_iter().flatten().filter_map(number)
}

fn is_not_now(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// The high-water mark in `/proc/PID/status`, available until the process is reaped. The value of
/// `wait4` would include the referee's own memory from before `execve`.
fn peak_memory(pid: Pid) -> Option<u64> {
    let path = format!("/proc/{}/status", pid.as_raw_nonzero());
    let status = std::fs::read_to_string(path).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
