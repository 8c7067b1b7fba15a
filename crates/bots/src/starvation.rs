//! Core starvation: how long other programs kept a bot from its core, over all its threads.
//!
//! Linux counts for every thread how long it ran and how long it was ready to run without running
//! (`/proc/PID/task/TID/schedstat`). The second figure alone proves nothing: the threads of a bot
//! wait for each other on their single core, and that must not void a lost game. While a thread
//! waits, its core runs either another thread of the same bot or something else. Let the bot have
//! run for `cpu` in total, and the thread itself for `ran` of it. Then at most `cpu - ran` of the
//! thread's wait was for its own bot, and at least
//!
//! ```text
//! waited - (cpu - ran)
//! ```
//!
//! was for other programs. That is a lower bound for each thread. The bot's starvation is the
//! largest of these bounds, limited to the time in which the bot did not run at all (`wall - cpu`).
//! For a bot with one thread it is exactly the thread's wait. For several threads it is a little
//! too small if threads run while the one that matters sleeps, and never too large.
//!
//! A look takes time, more so if the referee itself waits for a core meanwhile. Its threads are read
//! between two readings of the clock and of the bot's CPU time: a bound takes the shortest wait and
//! the most CPU time that the readings allow. The CPU time of a control group counts ended
//! processes, but what runs only at the next tick of its core; the clock of a process is exact. The
//! larger of both counts.
//!
//! The bound is taken between consecutive looks and summed, so that work may move between threads.
//! The kernel counts a wait when it ends. A wait longer than the gap between two looks would be
//! cut, so each look also computes the bound over the whole turn so far, and the larger one counts.
//! A wait that has not ended when a move is late is not in the kernel's count. A thread that was
//! ready to run at two looks and did not run in between has waited from the end of the first to the
//! beginning of the second.
//!
//! The referee needs a core too: a move that was written in time may be read late. The referee's
//! thread waits from its wake-up until it runs, which the kernel counts as well. What it waited when
//! it slept last, until the answer or the time limit, is added, less what the bot itself ran
//! meanwhile. So is what a yield took that it began a turn with.
//!
//! Threads that start and end between two looks are missed. The first look is taken when the referee
//! begins to sleep: moves that arrive before cost nothing.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

use pitmaster_sandbox::orphans::children_of;
use pitmaster_sandbox::sys::CpuClock;
use rustix::process::Pid;

/// Gap between the first two looks of a turn.
const FIRST_GAP: Duration = Duration::from_millis(10);

/// Longest gap between looks, which become rarer during a turn.
const LONGEST_GAP: Duration = Duration::from_millis(200);

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
    runs: u64,
    /// Whether it is ready to run, or running.
    is_ready: bool,
    /// Least time that it has been waiting in a wait that has not ended.
    waiting: Duration,
}

impl Thread {
    /// Parses `schedstat`: nanoseconds on a core, nanoseconds waiting for one, and the number of
    /// times that it got one.
    pub(super) fn parse(schedstat: &[u8]) -> Option<Self> {
        let mut words = std::str::from_utf8(schedstat).ok()?.split_ascii_whitespace();
        let mut number = || words.next()?.parse().ok();
        let [ran, waited, runs] = [number()?, number()?, number()?];
        let [ran, waited] = [ran, waited].map(Duration::from_nanos);
        Some(Self { ran, waited, runs, is_ready: false, waiting: Duration::ZERO })
    }

    /// Adds the time since an earlier look if it was ready to run then and has not run since.
    fn go_on_waiting(&mut self, before: Self, since: Duration) {
        let has_run =
            (self.ran, self.waited, self.runs) != (before.ran, before.waited, before.runs);
        if before.is_ready && self.is_ready && !has_run {
            self.waiting = before.waiting + since;
        }
    }

    /// Lower bound on the time that other programs kept it off its core since an earlier look, if
    /// the whole bot used this much CPU time meanwhile.
    pub(super) fn kept_off(self, before: Self, cpu: Duration) -> Duration {
        let ran = self.ran.saturating_sub(before.ran);
        let others = cpu.saturating_sub(ran);
        let waited = (self.waited + self.waiting).saturating_sub(before.waited + before.waiting);
        waited.saturating_sub(others)
    }
}

/// Activity of all threads of a bot up to an instant.
#[derive(Debug, Clone)]
pub(super) struct Look {
    /// Before anything was read, and after everything was.
    at: [Instant; 2],
    /// CPU time of the whole bot, including ended threads, before its threads were read and after.
    cpu: [Duration; 2],
    /// CPU time of each living process, before its threads were read and after all were.
    clocks: HashMap<Pid, [Duration; 2]>,
    threads: HashMap<i32, Thread>,
    /// Time that the calling thread, the referee's, has waited for a core.
    referee: Duration,
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
fn own_wait() -> Duration {
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
        let clocks = family.into_iter().map(|(id, before)| (id, [before, clock_of(id)])).collect();
        let cpu = [cpu_before, cpu()];
        Self { at: [began, Instant::now()], cpu, clocks, threads, referee: own_wait() }
    }

    /// Shortest time since an earlier look.
    fn since(&self, before: &Self) -> Duration {
        self.at[0].saturating_duration_since(before.at[1])
    }

    /// Lower bound as [`Look::kept_off`], of the time after the end of the earlier look only. One
    /// thread is read early in a look and another one late: bounds that are summed must not overlap.
    fn kept_off_after(&self, before: &Self) -> Duration {
        let kept_off = self.kept_off(before);
        if self.threads.len() < 2 {
            return kept_off;
        }
        let [began, ended] = before.at;
        kept_off.saturating_sub(ended.saturating_duration_since(began))
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
    fn kept_off(&self, before: &Self) -> Duration {
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
        // A thread that has just ended cannot be read.
        let text = fs::read(entry.path().join("schedstat")).ok()?;
        let is_ready = is_ready(&fs::read(entry.path().join("stat")).ok()?);
        Some((id, Thread { is_ready, ..Thread::parse(&text)? }))
    })
}

/// Whether a thread is in the state `R`, by its `stat`. The state follows the name in parentheses,
/// which may contain any characters.
fn is_ready(stat: &[u8]) -> bool {
    let name_ends = stat.iter().rposition(|&byte| byte == b')');
    name_ends.is_some_and(|at| stat[at..].starts_with(b") R"))
}

/// Totals of a turn so far: idle time, and the part of it in which the bot was kept off its core.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct TurnSoFar {
    idle: Duration,
    waited: Duration,
}

impl TurnSoFar {
    /// Adds a part of the turn and returns the newly known wait, at most the idle time. A wait from
    /// an earlier part becomes known when it ends, and counts then. `main` is the main thread's
    /// wait in this part, and `looks` the wait of all threads in the whole turn.
    pub(super) fn add(&mut self, idle: Duration, main: Duration, looks: Duration) -> Duration {
        self.idle += idle;
        let known = (self.waited + main).max(looks).min(self.idle).max(self.waited);
        known.saturating_sub(std::mem::replace(&mut self.waited, known))
    }
}

/// The looks during one turn.
#[derive(Debug, Default)]
pub(super) struct Starvation {
    next: Option<Instant>,
    gap: Duration,
    /// Beginning of the turn, and the bot's CPU time until then.
    began: Option<(Instant, Duration)>,
    first: Option<Look>,
    last: Option<Look>,
    /// Time kept off its core between the first and the last look.
    known: Duration,
    /// When the referee slept last: its wait for a core so far, and readings of the bot's CPU time.
    asleep: Option<(Duration, CpuReadings)>,
    /// Time that other programs kept the referee from its core after it slept or yielded last.
    referee: Duration,
}

impl Starvation {
    /// Begins a turn of a bot that has used this much CPU time.
    pub(super) fn new_turn(&mut self, cpu: Duration) {
        *self = Self { began: Some((Instant::now(), cpu)), ..Self::default() };
    }

    /// Notes that other programs had the core this long while the referee yielded it to the bot.
    pub(super) fn yielded(&mut self, to_others: Duration) {
        self.referee = to_others;
    }

    /// Marks that the referee goes to sleep, with readings of the bot's CPU time.
    pub(super) fn sleep(&mut self, cpu: CpuReadings) {
        self.asleep = Some((own_wait(), cpu));
    }

    /// Time until the next look. The first call marks the beginning of the turn.
    pub(super) fn until_next(&mut self) -> Duration {
        let now = Instant::now();
        let next = *self.next.get_or_insert(now);
        next.saturating_duration_since(now)
    }

    /// Adds a look, with readings of the bot's CPU time after it.
    pub(super) fn add(&mut self, mut look: Look, cpu: CpuReadings) {
        if let Some(last) = &self.last {
            let since = look.since(last);
            for (id, thread) in &mut look.threads {
                if let Some(before) = last.threads.get(id) {
                    thread.go_on_waiting(*before, since);
                }
            }
        }
        self.gap = (self.gap * 2).clamp(FIRST_GAP, LONGEST_GAP);
        self.next = Some(look.at[1] + self.gap);
        let in_whole_turn = self.first.as_ref().map(|first| look.kept_off(first));
        let since_last = self.last.as_ref().map(|last| look.kept_off_after(last));
        let added_up = self.known + since_last.unwrap_or_default();
        self.known = added_up.max(in_whole_turn.unwrap_or_default());
        if let Some((waited, earlier)) = self.asleep {
            let waited = look.referee.saturating_sub(waited);
            self.referee = waited.saturating_sub(cpu.since(earlier));
        }
        self.first.get_or_insert_with(|| look.clone());
        self.last = Some(look);
    }

    /// Whether there was a look in this turn.
    pub(super) fn has_begun(&self) -> bool {
        self.last.is_some()
    }

    /// A thread as of the last look in this turn.
    pub(super) fn thread(&self, id: Pid) -> Option<Thread> {
        self.last.as_ref()?.threads.get(&id.as_raw_nonzero().get()).copied()
    }

    /// Time in this turn up to the last look in which other programs kept the bot off its core, or
    /// the referee from reading its answer: at most the time in which the bot did not run.
    pub(super) fn total(&self) -> Duration {
        let (Some(first), Some(last)) = (&self.first, &self.last) else { return self.known };
        let (began, cpu) = self.began.unwrap_or((first.at[0], first.cpu[0]));
        let wall = last.at[1].saturating_duration_since(began);
        let idle = wall.saturating_sub(last.cpu[1].saturating_sub(cpu));
        self.known.max((self.known + self.referee).min(idle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn add(starvation: &mut Starvation, look: Look) {
        let [_, cpu] = look.cpu;
        starvation.add(look, readings(cpu));
    }

    fn readings(cpu: Duration) -> CpuReadings {
        CpuReadings { whole: cpu, exact: cpu }
    }

    fn look(start: Instant, at: u64, cpu: u64, threads: &[(i32, u64, u64)]) -> Look {
        let thread = |&(id, ran, waited): &(i32, u64, u64)| {
            (id, Thread { ran: ms(ran), waited: ms(waited), ..Thread::default() })
        };
        let threads = threads.iter().map(thread).collect();
        Look {
            at: [start + ms(at); 2],
            cpu: [ms(cpu); 2],
            clocks: HashMap::new(),
            threads,
            referee: ms(0),
        }
    }

    /// Time kept off a core between a look at the start and one after 1 s.
    fn kept_off(cpu: u64, threads: &[(i32, u64, u64)]) -> Duration {
        let start = Instant::now();
        look(start, 1000, cpu, threads).kept_off(&look(start, 0, 0, &[]))
    }

    #[test]
    fn schedstat_is_read_as_the_kernel_writes_it() {
        let [ran, waited] = [12, 345].map(Duration::from_nanos);
        let thread = Thread { ran, waited, runs: 6, ..Thread::default() };
        assert_eq!(Thread::parse(b"12 345 6\n"), Some(thread));
        assert_eq!(Thread::parse(b""), None);
        assert!(is_ready(b"12 (bot) R 1 12") && is_ready(b"12 (a) S (b) R 1"));
        assert!(!is_ready(b"12 (bot) S 1 12") && !is_ready(b"12 () R) S 1") && !is_ready(b""));
    }

    /// A look at one thread at these milliseconds: state, time on a core, waits that have ended.
    fn ready(start: Instant, at: u64, state: char, ran: u64, waited: u64) -> Look {
        let mut look = look(start, at, ran, &[(1, ran, waited)]);
        let thread = look.threads.get_mut(&1).expect("the thread");
        (thread.is_ready, thread.runs) = (state == 'R', ran);
        look
    }

    #[test]
    fn a_wait_that_has_not_ended_counts() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        for (at, known) in [(0, 0), (10, 10), (1010, 1010)] {
            add(&mut starvation, ready(start, at, 'R', 5, 0));
            assert_eq!(starvation.total(), ms(known), "after {at} ms");
        }
        // It ends, and the kernel counts all of it.
        add(&mut starvation, ready(start, 1050, 'R', 7, 1045));
        assert_eq!(starvation.total(), ms(1045), "counted once");
        // It sleeps, and then waits again.
        add(&mut starvation, ready(start, 1200, 'S', 8, 1045));
        add(&mut starvation, ready(start, 1300, 'R', 8, 1045));
        assert_eq!(starvation.total(), ms(1045), "it may have slept until now");
        add(&mut starvation, ready(start, 1400, 'R', 8, 1045));
        assert_eq!(starvation.total(), ms(1145));
    }

    #[test]
    fn who_runs_or_sleeps_does_not_wait() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        for at in [0, 100, 200] {
            add(&mut starvation, ready(start, at, 'R', at, 0));
        }
        assert_eq!(starvation.total(), ms(0), "it ran");
        let mut starvation = Starvation::default();
        for at in [0, 100, 200] {
            add(&mut starvation, ready(start, at, 'S', 5, 0));
        }
        assert_eq!(starvation.total(), ms(0), "it slept");
        // A core that has no timer tick counts what runs only when it stops, for threads and for
        // control groups; the clock of a process knows better.
        let mut starvation = Starvation::default();
        for at in [0, 100, 200] {
            let clocks = HashMap::from([(rustix::process::getpid(), [ms(at); 2])]);
            add(&mut starvation, Look { clocks, ..ready(start, at, 'R', 5, 0) });
        }
        assert_eq!(starvation.total(), ms(0), "it ran without being counted");
    }

    #[test]
    fn a_look_during_which_the_bot_runs_adds_nothing() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        add(&mut starvation, ready(start, 0, 'R', 0, 0));
        // Thread 1 was seen waiting after 10 ms. Then the referee waited for the core for 20 ms,
        // in which another thread of the bot had it.
        let slow = Look {
            at: [10, 30].map(|at| start + ms(at)),
            cpu: [10, 30].map(ms),
            ..ready(start, 10, 'R', 0, 0)
        };
        add(&mut starvation, slow);
        assert_eq!(starvation.total(), ms(0), "all of it was for the bot itself");
        // The whole wait, as the kernel counts it.
        add(&mut starvation, Look { cpu: [ms(40); 2], ..ready(start, 40, 'R', 5, 35) });
        assert_eq!(starvation.total(), ms(0));
    }

    #[test]
    fn two_threads_that_are_read_far_apart_add_no_time_twice() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        add(&mut starvation, look(start, 0, 0, &[(1, 0, 0), (2, 0, 0)]));
        // Thread 1 is read after 10 ms, and the other one, which waited all the time, after 30 ms.
        let slow = Look {
            at: [10, 30].map(|at| start + ms(at)),
            ..look(start, 0, 0, &[(1, 0, 10), (2, 0, 30)])
        };
        add(&mut starvation, slow);
        add(&mut starvation, look(start, 40, 0, &[(1, 0, 40), (2, 0, 30)]));
        assert_eq!(starvation.total(), ms(40), "no more than the time that has passed");
    }

    #[test]
    fn one_thread_waits_for_others_only() {
        assert_eq!(kept_off(400, &[(1, 400, 600)]), ms(600));
        assert_eq!(kept_off(400, &[(1, 400, 0)]), ms(0), "it slept");
    }

    #[test]
    fn what_a_bot_takes_from_itself_is_no_starvation() {
        let four = [(1, 250, 750), (2, 250, 750), (3, 250, 750), (4, 250, 750)];
        assert_eq!(kept_off(1000, &four), ms(0));
        // The bot contends with itself for half of the time, and sleeps for the rest.
        let half = [(1, 125, 375), (2, 125, 375), (3, 125, 375), (4, 125, 375)];
        assert_eq!(kept_off(500, &half), ms(0));
        // A thread that has ended took the core: only the bot's total CPU time includes it.
        assert_eq!(kept_off(900, &[(1, 100, 800)]), ms(0));
    }

    #[test]
    fn workers_that_share_half_a_core_are_starved_by_the_other_half() {
        // The main thread sleeps until they are done.
        let pool = [(1, 0, 0), (2, 125, 875), (3, 125, 875), (4, 125, 875), (5, 125, 875)];
        assert_eq!(kept_off(500, &pool), ms(500));
    }

    #[test]
    fn a_bot_that_ran_was_not_kept_off() {
        // More than one core: house bots with threads.
        assert_eq!(kept_off(3000, &[(1, 1000, 10), (2, 2000, 10)]), ms(0));
        assert_eq!(kept_off(700, &[(1, 700, 5000)]), ms(300), "never more than it did not run");
    }

    #[test]
    fn looks_add_up_where_work_wanders_from_thread_to_thread() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        add(&mut starvation, look(start, 0, 0, &[(1, 0, 0), (2, 0, 0)]));
        add(&mut starvation, look(start, 100, 50, &[(1, 50, 50), (2, 0, 0)]));
        add(&mut starvation, look(start, 200, 100, &[(1, 50, 50), (2, 50, 50)]));
        assert_eq!(starvation.total(), ms(100));
        starvation.new_turn(ms(0));
        assert_eq!((starvation.total(), starvation.has_begun()), (ms(0), false));
    }

    #[test]
    fn a_wait_that_outlasts_looks_is_not_cut_short() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        // The kernel counts it when it ends, after 600 ms; the bot has run for 100 ms before.
        for (at, ran, waited) in
            [(0, 0, 0), (200, 100, 0), (400, 100, 0), (600, 100, 0), (800, 200, 600)]
        {
            add(&mut starvation, look(start, at, ran, &[(1, ran, waited)]));
        }
        assert_eq!(starvation.total(), ms(600));
        // At most the idle time, regardless of waits before the turn.
        let mut starvation = Starvation::default();
        add(&mut starvation, look(start, 0, 0, &[(1, 0, 0)]));
        add(&mut starvation, look(start, 200, 150, &[(1, 150, 5000)]));
        assert_eq!(starvation.total(), ms(50));
    }

    #[test]
    fn a_referee_that_reads_late_is_no_fault_of_the_bot() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        add(&mut starvation, ready(start, 0, 'R', 0, 0));
        // The answer comes after 12 ms, and the referee gets a core after 100 ms.
        let before = ms(7);
        let late = Look { referee: before + ms(88), ..ready(start, 100, 'S', 10, 2) };
        starvation.asleep = Some((before, readings(ms(0))));
        starvation.add(late.clone(), readings(ms(10)));
        assert_eq!(starvation.total(), ms(2 + 88 - 10), "the bot may have run in ten of them");
        // Another look, before the referee has slept again.
        starvation.add(Look { at: [start + ms(101); 2], ..late.clone() }, readings(ms(10)));
        assert_eq!(starvation.total(), ms(80));
        // After the next sleep, that wait explains nothing any more.
        starvation.asleep = Some((before + ms(88), readings(ms(10))));
        starvation.add(Look { at: [start + ms(150); 2], ..late }, readings(ms(10)));
        assert_eq!(starvation.total(), ms(2));
    }

    #[test]
    fn a_yield_that_others_took_is_no_fault_of_the_bot() {
        let mut starvation = Starvation::default();
        starvation.new_turn(ms(0));
        let (start, _) = starvation.began.expect("a turn");
        starvation.yielded(ms(90));
        add(&mut starvation, look(start, 100, 10, &[(1, 10, 0)]));
        assert_eq!(starvation.total(), ms(90), "no sleep and one look only");
        // It was not the yield that made a later answer late.
        starvation.asleep = Some((ms(0), readings(ms(10))));
        add(&mut starvation, look(start, 2000, 10, &[(1, 10, 0)]));
        assert_eq!(starvation.total(), ms(0));
    }

    #[test]
    fn what_is_known_is_not_forgotten() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        // Another thread runs later: over the whole turn, the first may have waited for it.
        for (at, ran, other, waited) in
            [(0, 0, 0, 0), (20, 10, 0, 0), (40, 10, 0, 30), (80, 10, 40, 30)]
        {
            let threads = [(1, ran, waited), (2, other, 0)];
            add(&mut starvation, look(start, at, ran + other, &threads));
            assert!(at < 40 || starvation.total() == ms(30), "after {at} ms: {starvation:?}");
        }
    }

    #[test]
    fn a_wait_that_began_before_the_limit_counts_once_it_has_ended() {
        let mut turn = TurnSoFar::default();
        assert_eq!(turn.add(ms(1000), ms(400), ms(300)), ms(400));
        // 600 ms of it were known before and are not counted twice.
        assert_eq!(turn.add(ms(200), ms(800), ms(1200)), ms(800));
        assert_eq!(turn.add(ms(100), ms(0), ms(1200)), ms(0));
        assert_eq!(turn.add(ms(0), ms(500), ms(0)), ms(100), "never more than it did not run");
    }

    #[test]
    fn looks_become_rarer() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        let gaps = (0..7).map(|_| {
            add(&mut starvation, look(start, 0, 0, &[]));
            starvation.gap.as_millis()
        });
        assert_eq!(gaps.collect::<Vec<_>>(), [10, 20, 40, 80, 160, 200, 200]);
    }

    #[test]
    fn all_threads_of_this_process_are_seen() {
        let (sender, end) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || end.recv().is_ok());
        let me = rustix::process::getpid();
        let seen = Look::at(me, || Duration::ZERO, false).threads;
        assert!(seen.len() >= 2 && seen.contains_key(&me.as_raw_nonzero().get()), "{seen:?}");
        drop(sender);
        thread.join().unwrap();
    }
}
