//! Orphan processes: finds, kills and reaps processes that outlived the bot that started them.
//!
//! A bot's process group is killed with the bot. Processes that left the group are caught as well
//! as possible without a sandbox. This process adopts orphans (it is a "subreaper"), and every
//! process of a bot carries a tag in its environment unless it deliberately removes it.

mod hunt;

pub use hunt::children_of;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, set_child_subreaper, waitid,
};

use crate::SandboxProfile;
use crate::sys::{Init, Started};

/// Environment variable of every process of a run. Its value is the name of the run.
pub const RUN_VARIABLE: &str = "PITMASTER_RUN";

/// Environment variable of every process of one bot.
const BOT_VARIABLE: &str = "PITMASTER_PROCESS";

/// Processes that this process started and has not reaped yet, and the tags in use.
static KNOWN: Mutex<Known> = Mutex::new(Known { pids: BTreeSet::new(), marks: BTreeSet::new() });

/// Whether this process adopts orphans. Only then can an unknown child be one.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Held shared while a process is started, and exclusively by a sweep. So a sweep never sees a
/// process that is started but not registered yet.
static SPAWNING: RwLock<()> = RwLock::new(());

struct Known {
    pids: BTreeSet<u32>,
    marks: BTreeSet<u64>,
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Name of this run, unique on this machine.
pub fn run_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| format!("{}-{}", std::process::id(), start_time().unwrap_or_default()))
}

/// Start time of this process, in clock ticks since boot: field 22 of its `stat`.
fn start_time() -> Option<String> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(19).map(str::to_owned)
}

/// Makes this process adopt orphans. Call it once at the start of a run.
pub fn adopt_orphans() -> io::Result<()> {
    set_child_subreaper(Some(Pid::INIT))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

/// Starts a process and registers it, so that it is not taken for an orphan.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    let _gate = SPAWNING.read().unwrap_or_else(PoisonError::into_inner);
    let child = spawn_when_written(command)?;
    known().pids.insert(child.id());
    Ok(child)
}

/// Retries while a program that was just written is still held open by a process that is being
/// started on another thread.
fn spawn_when_written(command: &mut Command) -> io::Result<Child> {
    for _ in 0..50 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
    command.spawn()
}

/// Starts a process of this program itself, out of reach of the terminal's signals.
pub fn start_apart(command: &mut Command) -> io::Result<Child> {
    command.process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
    spawn(command)
}

/// Starts a process of this program that must not outlive the run: the guard kills it with the
/// bots. Its standard streams are those of the command.
pub fn start_for_the_run(command: &mut Command) -> io::Result<Child> {
    spawn(command.process_group(0).env(RUN_VARIABLE, run_name()))
}

/// Starts a process by a function and registers it. Returns `Err(None)` if a program that was just
/// written is still held open by a process that is being started on another thread; retry then.
pub fn start<P: HasNumbers, E>(
    mut attempt: impl FnMut() -> Result<P, Option<E>>,
) -> Result<P, Option<E>> {
    let _gate = SPAWNING.read().unwrap_or_else(PoisonError::into_inner);
    let mut started = attempt();
    for _ in 0..50 {
        if !matches!(started, Err(None)) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
        started = attempt();
    }
    let started = started?;
    known().pids.extend(started.numbers());
    Ok(started)
}

/// A process with known process ids.
pub trait HasNumbers {
    /// Its process id here, and those in other namespaces.
    fn numbers(&self) -> impl Iterator<Item = u32>;
}

impl<T> HasNumbers for (Started, T) {
    /// Its process id here, and those in other namespaces.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.0.pid).chain(self.0.init.as_ref().map(|init| init.pid))
    }
}

/// Reaps a started process that has been killed, with everything in its PID namespace, if it has
/// one.
pub fn reap_all_of(pid: Pid, pidfd: &OwnedFd, init: Option<&Init>) -> Option<WaitIdStatus> {
    if let Some(init) = init {
        init.kill();
    }
    let status = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED);
    known().pids.remove(&pid.as_raw_nonzero().get().cast_unsigned());
    if let Some(init) = init {
        init.reap();
        known().pids.remove(&init.pid);
    }
    status.ok().flatten()
}

/// Waits for a started process to end, and reaps it.
pub fn reap(child: &mut Child) -> Option<ExitStatus> {
    let status = child.wait().ok();
    known().pids.remove(&child.id());
    status
}

/// Tag in the environment of all processes of one bot.
#[derive(Debug)]
pub struct ProcessTag(u64);

impl ProcessTag {
    /// Creates a tag for the processes of a profile. Only if orphans are possible does it protect
    /// them from other sweeps, because a process that guessed it could hide.
    pub fn of(cage: &SandboxProfile) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mark = NEXT.fetch_add(1, Ordering::Relaxed);
        if !cage.leaves_nothing() {
            known().marks.insert(mark);
        }
        Self(mark)
    }

    /// Environment variables that tag the processes.
    pub fn environment(&self) -> [(OsString, OsString); 2] {
        [(RUN_VARIABLE.into(), run_name().into()), (BOT_VARIABLE.into(), self.0.to_string().into())]
    }

    /// Kills and reaps the orphans of this bot, and those without a tag in use.
    pub fn sweep(&self) -> Swept {
        let _gate = SPAWNING.write().unwrap_or_else(PoisonError::into_inner);
        let mut known = known();
        known.marks.remove(&self.0);
        if !ADOPTS.load(Ordering::Relaxed) {
            return Swept { alive: 0, is_complete: true };
        }
        hunt::end_all(|| orphans(&known))
    }
}

/// Result of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swept {
    /// Number of processes that were still alive.
    pub alive: usize,
    /// Whether the last scan found none. Otherwise some could not be killed in time.
    pub is_complete: bool,
}

/// Unregisters the tag, also of a bot that never started.
impl Drop for ProcessTag {
    fn drop(&mut self) {
        known().marks.remove(&self.0);
    }
}

/// Children of this process that it did not start and that belong to no playing bot.
fn orphans(known: &Known) -> Vec<Pid> {
    let is_stray = |pid: &Pid| {
        let pid = pid.as_raw_nonzero().get().cast_unsigned();
        !known.pids.contains(&pid) && !has_living_mark(pid, &known.marks)
    };
    hunt::children_of("self").into_iter().filter(is_stray).collect()
}

fn has_living_mark(pid: u32, marks: &BTreeSet<u64>) -> bool {
    variable_of(pid, BOT_VARIABLE)
        .and_then(|mark| mark.parse().ok())
        .is_some_and(|mark: u64| marks.contains(&mark))
}

/// Value of a variable in the initial environment of a process.
fn variable_of(pid: u32, name: &str) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    environment.split(|&byte| byte == 0).find_map(|entry| {
        let value = entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
        String::from_utf8(value.to_vec()).ok()
    })
}

/// Number that identifies processes of a run that have lost their environment. It is stored as
/// their real-time scheduling limit, which has no effect on them and which they cannot change.
pub fn tag_of(run: &str) -> u64 {
    // FNV-1a, cut to the range of the limit.
    let hash = run.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    hash >> 2
}

fn has_tag(pid: u32, tag: u64) -> bool {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
    let of_time = limits.lines().find_map(|line| line.strip_prefix("Max realtime timeout"));
    of_time.and_then(|line| line.split_whitespace().next()?.parse().ok()) == Some(tag)
}

/// Time for which the guard searches for remaining processes. Only a fork bomb takes this long.
const WATCH: Duration = Duration::from_secs(10);

/// Kills every process that carries the tag of a run, wherever it is in the process tree. Used by
/// the guard after the run's main process has died.
pub fn end_all_of(run: &str) {
    let (tag, start) = (tag_of(run), Instant::now());
    let is_of_run =
        |&pid: &u32| variable_of(pid, RUN_VARIABLE).as_deref() == Some(run) || has_tag(pid, tag);
    // Ends after two scans without a result, to catch processes started meanwhile.
    let mut nothing = 0;
    while nothing < 2 && start.elapsed() < WATCH {
        let Ok(processes) = fs::read_dir("/proc") else { return };
        let found: Vec<_> = processes
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
            .filter(is_of_run)
            .filter_map(|pid| Pid::from_raw(pid.cast_signed()))
            .filter(|&pid| hunt::lives(pid))
            .collect();
        nothing = if found.is_empty() { nothing + 1 } else { 0 };
        for signal in [Signal::STOP, Signal::KILL] {
            for &pid in &found {
                let _ = kill_process(pid, signal);
            }
        }
    }
}
