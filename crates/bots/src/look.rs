//! Looks at a bot: what all its threads had done by an instant, by the counts of the Linux kernel.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use pitmaster_sandbox::orphans::children_of;
use pitmaster_sandbox::sys::CpuClock;
use rustix::process::Pid;

use super::steal;

/// Maximum number of threads examined, so that a bot cannot keep the referee busy.
const MOST_THREADS: usize = 256;

/// Scheduling statistics of a thread since its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Thread {
    /// Time on a core.
    pub(super) ran: Duration,
    /// Time ready to run without a core, in waits that have ended.
    pub(super) waited: Duration,
    /// Number of times that it got a core.
    pub(super) runs: u64,
    /// Whether it is ready to run, or running.
    pub(super) is_ready: bool,
    /// The core that it was on last.
    pub(super) core: usize,
    /// How often it has gone to sleep, as read before its state and after it, if the kernel tells.
    pub(super) sleeps: Option<[u64; 2]>,
}

impl Thread {
    /// Parses `schedstat`: nanoseconds on a core, nanoseconds waiting for one, and the number of
    /// times that it got one.
    pub(super) fn parse(schedstat: &[u8]) -> Option<Self> {
        let mut words = std::str::from_utf8(schedstat).ok()?.split_ascii_whitespace();
        let mut number = || words.next()?.parse().ok();
        let [ran, waited, runs] = [number()?, number()?, number()?];
        let [ran, waited] = [ran, waited].map(Duration::from_nanos);
        Some(Self { ran, waited, runs, ..Self::default() })
    }

    /// Reads the statistics of a thread from its folder in `/proc`. `None` if it has just ended.
    fn read(folder: &Path) -> Option<Self> {
        let statistics = Self::parse(&fs::read(folder.join("schedstat")).ok()?)?;
        let sleeps = || sleeps(&fs::read(folder.join("status")).ok()?);
        let before = sleeps();
        let (is_ready, core) = state(&fs::read(folder.join("stat")).ok()?)?;
        let after = if is_ready { before } else { sleeps() };
        Some(Self { is_ready, core, sleeps: before.zip(after).map(Into::into), ..statistics })
    }

    /// Whether it has been on a core since an earlier look.
    fn has_run(self, before: Self) -> bool {
        (self.ran, self.runs, self.sleeps) != (before.ran, before.runs, before.sleeps)
    }

    /// Whether it was ready at an earlier look and has been ready since. If it `may_rest`, it may
    /// sleep now, but this must be its first sleep.
    fn was_ready(self, before: Self, may_rest: bool) -> bool {
        let Some(([earlier, _], [_, now])) = before.sleeps.zip(self.sleeps) else { return false };
        let times = now.saturating_sub(earlier);
        let is_awake = self.is_ready && times == 0;
        before.is_ready && (is_awake || may_rest && !self.is_ready && times <= 1)
    }

    /// Lower bound on the time that other programs kept it off its core since an earlier look, if
    /// the whole bot used this much CPU time meanwhile.
    pub(super) fn kept_off(self, before: Self, cpu: Duration) -> Duration {
        let ran = self.ran.saturating_sub(before.ran);
        let others = cpu.saturating_sub(ran);
        self.waited.saturating_sub(before.waited).saturating_sub(others)
    }
}

/// Activity of all threads of a bot up to an instant.
#[derive(Debug, Clone)]
pub(super) struct Look {
    /// Before anything was read, and after everything was.
    pub(super) at: [Instant; 2],
    /// CPU time of the whole bot, including ended threads, before its threads were read and after.
    pub(super) cpu: [Duration; 2],
    /// CPU time of each living process, before its threads were read and after all were.
    pub(super) clocks: HashMap<Pid, [Duration; 2]>,
    pub(super) threads: HashMap<i32, Thread>,
    /// Time for which each core was taken from this virtual machine so far.
    pub(super) stolen: Vec<Duration>,
    /// Time that the calling thread, the referee's, has waited for a core.
    pub(super) referee: Duration,
}

/// CPU time of a bot by two clocks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CpuReadings {
    /// With ended processes. A control group may lack the last few milliseconds.
    pub(super) whole: Duration,
    /// Of the first process, exact.
    pub(super) exact: Duration,
}

impl CpuReadings {
    /// Most CPU time since earlier readings.
    pub(super) fn since(self, earlier: Self) -> Duration {
        let whole = self.whole.saturating_sub(earlier.whole);
        whole.max(self.exact.saturating_sub(earlier.exact))
    }
}

/// Time that the calling thread has waited for a core.
pub(super) fn own_wait() -> Duration {
    let schedstat = fs::read("/proc/thread-self/schedstat");
    schedstat.ok().and_then(|text| Thread::parse(&text)).unwrap_or_default().waited
}

/// CPU time of a process by its own clock.
fn clock_of(process: Pid) -> Duration {
    let clock = CpuClock::of(process.as_raw_nonzero().get().cast_unsigned());
    clock.and_then(CpuClock::read).unwrap_or_default()
}

impl Look {
    /// Examines a process, and its descendants if it may have any. `cpu` reads their CPU time.
    pub(super) fn at(process: Pid, cpu: impl Fn() -> Duration, has_family: bool) -> Self {
        let (began, cpu_before) = (Instant::now(), cpu());
        let mut family = vec![(process, clock_of(process))];
        let mut threads = HashMap::new();
        let mut next = 0;
        while next < family.len() && threads.len() < MOST_THREADS {
            let (member, _) = family[next];
            let free = MOST_THREADS - threads.len();
            threads.extend(threads_of(member).take(free));
            if has_family {
                let children = children_of(member.as_raw_nonzero());
                family.extend(children.into_iter().map(|child| (child, clock_of(child))));
            }
            next += 1;
        }
        let stolen = steal::of_cores();
        let clocks = family.into_iter().map(|(id, before)| (id, [before, clock_of(id)])).collect();
        let cpu = [cpu_before, cpu()];
        Self { at: [began, Instant::now()], cpu, clocks, threads, stolen, referee: own_wait() }
    }

    /// Whether one of its threads is ready to run, or running.
    pub(super) fn is_ready(&self) -> bool {
        self.threads.values().any(|thread| thread.is_ready)
    }

    /// Shortest time since an earlier look.
    fn since(&self, before: &Self) -> Duration {
        self.at[0].saturating_duration_since(before.at[1])
    }

    /// Lower bound as [`Look::kept_off`], of the time after the end of the earlier look only. One
    /// thread is read early in a look and another one late: bounds that are summed must not overlap.
    pub(super) fn kept_off_after(&self, before: &Self) -> Duration {
        let kept_off = self.kept_off(before);
        if self.threads.len() < 2 {
            return kept_off;
        }
        let [began, ended] = before.at;
        kept_off.saturating_sub(ended.saturating_duration_since(began))
    }

    /// Time since an earlier look in which the bot did not run, if it was the machine's fault all the
    /// time: a thread was ready from then until now. If its output `was_heard` just now, then until
    /// it wrote that.
    pub(super) fn held_up(&self, before: &Self, was_heard: bool) -> Option<Duration> {
        let was_ready = |id: &i32, now: &Thread, may_rest| {
            let earlier = before.threads.get(id);
            earlier.is_some_and(|earlier| now.was_ready(*earlier, may_rest))
        };
        let is_awake = self.threads.iter().any(|(id, now)| was_ready(id, now, false));
        let wrote = || match self.busiest_since(before) {
            Some((id, now)) => was_ready(id, now, true),
            // It was written before.
            None => !self.threads.is_empty(),
        };
        let since = self.since(before);
        let idle = || since.saturating_sub(self.cpu_since(before));
        let is_so = is_awake || was_heard && wrote();
        is_so.then(|| idle().max(self.stolen_since(before).min(since)))
    }

    /// The thread that has run most since an earlier look, if one has run at all.
    fn busiest_since(&self, before: &Self) -> Option<(&i32, &Thread)> {
        let earlier = |id| before.threads.get(id).copied();
        let has_run = |id, now: &Thread| earlier(id).is_none_or(|earlier| now.has_run(earlier));
        let ran = |id, now: &Thread| now.ran.saturating_sub(earlier(id).unwrap_or_default().ran);
        let runners = self.threads.iter().filter(|(id, now)| has_run(id, now));
        runners.max_by_key(|(id, now)| ran(id, now))
    }

    /// Time since an earlier look for which the core of all its threads was taken from this virtual
    /// machine.
    fn stolen_since(&self, before: &Self) -> Duration {
        if self.core() == before.core() {
            self.stolen_beyond(&before.stolen)
        } else {
            Duration::ZERO
        }
    }

    /// Time for which the core of all its threads was taken, beyond an earlier count.
    pub(super) fn stolen_beyond(&self, earlier: &[Duration]) -> Duration {
        let of_core = |core: usize| self.stolen.get(core).zip(earlier.get(core));
        let known = self.core().and_then(of_core);
        known.map_or(Duration::ZERO, |(now, earlier)| now.saturating_sub(*earlier))
    }

    /// The core on which all its threads were last, if it is one.
    fn core(&self) -> Option<usize> {
        let mut cores = self.threads.values().map(|thread| thread.core);
        let first = cores.next()?;
        cores.all(|core| core == first).then_some(first)
    }

    /// Most CPU time since an earlier look.
    fn cpu_since(&self, before: &Self) -> Duration {
        let of_process = |(id, [_, now]): (&Pid, &[Duration; 2])| {
            let [earlier, _] = before.clocks.get(id).copied().unwrap_or_default();
            now.saturating_sub(earlier)
        };
        let exact: Duration = self.clocks.iter().map(of_process).sum();
        self.cpu[1].saturating_sub(before.cpu[0]).max(exact)
    }

    /// Lower bound on the time that other programs kept the bot off its core since an earlier look.
    pub(super) fn kept_off(&self, before: &Self) -> Duration {
        let earlier = |thread| before.threads.get(thread).copied().unwrap_or_default();
        let ran = self.threads.iter().map(|(id, now)| now.ran.saturating_sub(earlier(id).ran));
        let cpu = self.cpu_since(before).max(ran.sum());
        let each = self.threads.iter().map(|(id, now)| now.kept_off(earlier(id), cpu));
        let wall = self.at[1].saturating_duration_since(before.at[0]);
        each.max().unwrap_or_default().min(wall.saturating_sub(cpu))
    }
}

fn threads_of(process: Pid) -> impl Iterator<Item = (i32, Thread)> {
    let folder = format!("/proc/{}/task", process.as_raw_nonzero());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        Some((id, Thread::read(&entry.path())?))
    })
}

/// How often a thread has left its core of its own accord, by its `status`.
fn sleeps(status: &[u8]) -> Option<u64> {
    let mut lines = status.rsplit(|&byte| byte == b'\n');
    let number = lines.find_map(|line| line.strip_prefix(b"voluntary_ctxt_switches:"))?;
    std::str::from_utf8(number).ok()?.trim().parse().ok()
}

/// Whether a thread is in the state `R`, and the core that it was on last, by its `stat`. The fields
/// follow the name in parentheses, which may contain any characters.
fn state(stat: &[u8]) -> Option<(bool, usize)> {
    let name_ends = stat.iter().rposition(|&byte| byte == b')')?;
    let fields = std::str::from_utf8(&stat[name_ends + 1..]).ok()?;
    let mut fields = fields.split_ascii_whitespace();
    let is_ready = fields.next()? == "R";
    // The state is the third field of the file, and the core the 39th.
    Some((is_ready, fields.nth(39 - 4)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedstat_is_read_as_the_kernel_writes_it() {
        let [ran, waited] = [12, 345].map(Duration::from_nanos);
        let thread = Thread { ran, waited, runs: 6, ..Thread::default() };
        assert_eq!(Thread::parse(b"12 345 6\n"), Some(thread));
        assert_eq!(Thread::parse(b""), None);
        let status = b"Name:\tvoluntary_ctxt_switches:\t1\xff\nvoluntary_ctxt_switches:\t7\n\
                       nonvoluntary_ctxt_switches:\t8\n";
        assert_eq!((sleeps(status), sleeps(b"Name:\tbot\n")), (Some(7), None));
        let stat = |begin: &str| {
            let rest: String = (4..=52).map(|field| format!(" {field}")).collect();
            state(format!("{begin}{rest}\n").as_bytes())
        };
        assert_eq!([stat("12 (bot) R"), stat("12 (a) S (b) R")], [Some((true, 39)); 2]);
        assert_eq!([stat("12 (bot) S"), stat("12 () R) S")], [Some((false, 39)); 2]);
        assert_eq!([state(b""), state(b"12 (bot) R 1 12")], [None; 2]);
    }

    #[test]
    fn all_threads_of_this_process_are_seen() {
        let (sender, end) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || end.recv().is_ok());
        let me = rustix::process::getpid();
        let seen = Look::at(me, || Duration::ZERO, false).threads;
        assert!(seen.values().all(|thread| thread.sleeps.is_some()), "{seen:?}");
        assert!(seen.len() >= 2 && seen.contains_key(&me.as_raw_nonzero().get()), "{seen:?}");
        drop(sender);
        thread.join().unwrap();
    }
}
