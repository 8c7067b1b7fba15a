//! Core starvation: how long the machine kept a bot from its core, over all its threads.
//!
//! There are two lower bounds for the time between two [looks](super::look) at the bot, and the
//! larger one counts.
//!
//! **Waiting for other programs.** Linux counts for every thread how long it ran and how long it was
//! ready to run without running (`/proc/PID/task/TID/schedstat`). The second figure alone proves
//! nothing: the threads of a bot wait for each other on their single core, and that must not void a
//! lost game. While a thread waits, its core runs either another thread of the same bot or something
//! else. Let the bot have run for `cpu` in total, and the thread itself for `ran` of it. Then at most
//! `cpu - ran` of the thread's wait was for its own bot, and at least
//!
//! ```text
//! waited - (cpu - ran)
//! ```
//!
//! was for other programs. That is a lower bound for each thread. The bot's waiting is the largest of
//! these bounds, limited to the time in which the bot did not run at all (`wall - cpu`). For a bot
//! with one thread it is exactly the thread's wait. For several threads it is a little too small if
//! threads run while the one that matters sleeps, and never too large.
//!
//! **Held up.** A wait that has not ended is not in the kernel's count, and neither is the time in
//! which a virtual machine has no core: it seems to run. But the CPU time of the bot leaves that out,
//! and the kernel counts how often a thread has gone to sleep. A thread that was ready at two looks
//! and has not slept in between was ready all the time, so whenever the bot did not run
//! (`wall - cpu`), something held it up. If the bot has just answered, it was ready until it wrote
//! that, provided that the thread that has run most since the earlier look was ready then and did
//! not sleep before now. Then all the time without CPU time was the machine's fault, and the referee's
//! delay in reading the answer is part of it. Another thread may have written the answer, after a
//! sleep: then the bound is too large, by one gap between looks, for a bot that did not run.
//!
//! The host of a virtual machine reports the [stolen time](super::steal) of a core when the core runs
//! again. If the clock of that core is read from another one before, as the kernel does when it
//! balances its load, the kernel takes stolen time for CPU time of the bot. So a bot whose threads
//! were all on one core was held up at least as long as that was stolen.
//!
//! A look takes time, more so if the referee itself waits for a core meanwhile. Its threads are read
//! between two readings of the clock and of the bot's CPU time: a bound takes the shortest wait and
//! the most CPU time that the readings allow. The CPU time of a control group counts ended
//! processes, but what runs only at the next tick of its core; the clock of a process is exact. The
//! larger of both counts.
//!
//! The bound is taken between consecutive looks and summed, so that work may move between threads.
//! The kernel counts a wait when it ends. A wait longer than the gap between two looks would be
//! cut, so each look also computes the first bound over the whole turn so far, and the larger one
//! counts.
//!
//! The referee needs a core too: a move that was written in time may be read late. The referee's
//! thread waits from its wake-up until it runs, which the kernel counts as well. What it waited when
//! it slept last, until the answer or the time limit, is added, less what the bot itself ran
//! meanwhile, unless the bot was held up and this is included.
//!
//! Threads that start and end between two looks are missed. The first look is taken when the referee
//! begins to sleep: moves that arrive before cost nothing. Until then the referee does not sleep.
//! If that takes long, the referee had no core, and the time in which the bot did not run either is
//! the machine's fault if the bot is ready, or has answered.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::look::{CpuReadings, Look, Thread, own_wait};

/// Gap between the first two looks of a turn.
const FIRST_GAP: Duration = Duration::from_millis(10);

/// Longest gap between looks, which become rarer during a turn.
const LONGEST_GAP: Duration = Duration::from_millis(200);

/// Longest time that the referee takes to begin to sleep if it has a core.
const BUSY: Duration = Duration::from_millis(1);

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
    /// Beginning of the turn, and readings of the bot's CPU time until then.
    began: Option<(Instant, CpuReadings)>,
    first: Option<Look>,
    last: Option<Look>,
    /// Stolen time of each core as of the last look in an earlier turn.
    stolen: Vec<Duration>,
    /// Time kept off its core until the first look.
    at_first: Duration,
    /// Time kept off its core until the last look.
    known: Duration,
    /// Whether its output has been read since the last look, and the referee has not slept since.
    was_heard: bool,
    /// When the referee slept last: its wait for a core so far, and readings of the bot's CPU time.
    asleep: Option<(Duration, CpuReadings)>,
    /// Time that other programs kept the referee from its core after it slept last.
    referee: Duration,
}

impl Starvation {
    /// Begins a turn of a bot that has used this much CPU time.
    pub(super) fn new_turn(&mut self, cpu: CpuReadings) {
        let stolen = self.last.take().map(|look| look.stolen);
        let stolen = stolen.unwrap_or_else(|| std::mem::take(&mut self.stolen));
        *self = Self { began: Some((Instant::now(), cpu)), stolen, ..Self::default() };
    }

    /// Marks that output of the bot was read.
    pub(super) fn heard(&mut self) {
        self.was_heard = true;
    }

    /// Marks that the referee goes to sleep, with readings of the bot's CPU time if there was a look.
    pub(super) fn sleep(&mut self, cpu: Option<CpuReadings>) {
        self.was_heard = false;
        self.asleep = cpu.map(|cpu| (own_wait(), cpu));
    }

    /// Time until the next look. The first call marks the beginning of the turn.
    pub(super) fn until_next(&mut self) -> Duration {
        let now = Instant::now();
        let next = *self.next.get_or_insert(now);
        next.saturating_duration_since(now)
    }

    /// Adds a look, with readings of the bot's CPU time after it.
    pub(super) fn add(&mut self, look: Look, cpu: CpuReadings) {
        self.gap = (self.gap * 2).clamp(FIRST_GAP, LONGEST_GAP);
        self.next = Some(look.at[1] + self.gap);
        let was_heard = std::mem::take(&mut self.was_heard);
        let Some(last) = &self.last else { return self.add_first(look, cpu, was_heard) };
        let waited = look.kept_off_after(last);
        let held_up = look.held_up(last, was_heard);
        let in_whole_turn = self.first.as_ref().map(|first| look.kept_off(first));
        let added_up = self.known + held_up.unwrap_or_default().max(waited);
        self.known = added_up.max(self.at_first + in_whole_turn.unwrap_or_default());
        if held_up.is_some() {
            (self.asleep, self.referee) = (None, Duration::ZERO);
        } else if let Some((waited, earlier)) = self.asleep {
            let waited = look.referee.saturating_sub(waited);
            self.referee = waited.saturating_sub(cpu.since(earlier));
        }
        self.last = Some(look);
    }

    /// Adds the first look of a turn, until which the referee did not sleep.
    fn add_first(&mut self, look: Look, cpu: CpuReadings, was_heard: bool) {
        let (began, earlier) = self.began.unwrap_or((look.at[0], cpu));
        let took = look.at[0].saturating_duration_since(began);
        if took > BUSY && (was_heard || look.is_ready()) {
            // Some of it may have been stolen before this turn: to read that at the beginning of
            // each turn would cost a fast bot too much.
            let stolen = look.stolen_beyond(&self.stolen).min(took);
            self.at_first = took.saturating_sub(cpu.since(earlier)).max(stolen);
            self.known = self.at_first;
        }
        self.first = Some(look.clone());
        self.last = Some(look);
    }

    /// Whether there was a look in this turn.
    pub(super) fn has_begun(&self) -> bool {
        self.last.is_some()
    }

    /// Whether a look is of use at the end of a turn with this much idle time.
    pub(super) fn is_worth_a_look(&self, idle: Duration) -> bool {
        self.has_begun() || idle > BUSY
    }

    /// A thread as of the last look in this turn.
    pub(super) fn thread(&self, id: Pid) -> Option<Thread> {
        self.last.as_ref()?.threads.get(&id.as_raw_nonzero().get()).copied()
    }

    /// Time in this turn up to the last look in which the machine kept the bot off its core, or the
    /// referee from reading its answer: at most the time in which the bot did not run.
    pub(super) fn total(&self) -> Duration {
        let (Some(first), Some(last)) = (&self.first, &self.last) else { return self.known };
        let since_look = (first.at[0], first.cpu[0]);
        let (began, cpu) = self.began.map_or(since_look, |(began, cpu)| (began, cpu.whole));
        let wall = last.at[1].saturating_duration_since(began);
        let idle = wall.saturating_sub(last.cpu[1].saturating_sub(cpu));
        self.known.max((self.known + self.referee).min(idle))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

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
            stolen: Vec::new(),
            referee: ms(0),
        }
    }

    /// Time kept off a core between a look at the start and one after 1 s.
    fn kept_off(cpu: u64, threads: &[(i32, u64, u64)]) -> Duration {
        let start = Instant::now();
        look(start, 1000, cpu, threads).kept_off(&look(start, 0, 0, &[]))
    }

    /// A look at one thread at these milliseconds: state, how often it has slept, time on a core,
    /// waits that have ended.
    fn ready(start: Instant, at: u64, state: (char, u64), ran: u64, waited: u64) -> Look {
        with(look(start, at, ran, &[(1, ran, waited)]), 1, state)
    }

    fn with(mut look: Look, id: i32, (state, sleeps): (char, u64)) -> Look {
        let thread = look.threads.get_mut(&id).expect("the thread");
        (thread.is_ready, thread.sleeps) = (state == 'R', Some([sleeps; 2]));
        thread.runs = sleeps;
        look
    }

    #[test]
    fn a_wait_that_has_not_ended_counts() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        for (at, known) in [(0, 0), (10, 10), (1010, 1010)] {
            add(&mut starvation, ready(start, at, ('R', 0), 5, 0));
            assert_eq!(starvation.total(), ms(known), "after {at} ms");
        }
        // It ends, and the kernel counts all of it.
        add(&mut starvation, ready(start, 1050, ('R', 0), 7, 1045));
        assert_eq!(starvation.total(), ms(1048), "counted once");
        // It sleeps, and then waits again.
        add(&mut starvation, ready(start, 1200, ('S', 1), 8, 1045));
        add(&mut starvation, ready(start, 1300, ('R', 1), 8, 1045));
        assert_eq!(starvation.total(), ms(1048), "it may have slept until now");
        add(&mut starvation, ready(start, 1400, ('R', 1), 8, 1045));
        assert_eq!(starvation.total(), ms(1148));
    }

    #[test]
    fn time_that_a_virtual_machine_takes_is_no_fault_of_the_bot() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        // The kernel believes that it runs; its clock and its CPU time say otherwise.
        for (at, ran) in [(0, 0), (10, 10), (130, 30), (150, 50)] {
            add(&mut starvation, ready(start, at, ('R', 0), ran, 0));
        }
        assert_eq!(starvation.total(), ms(100));
        // It sleeps at once when it has answered, and that is read 60 ms later.
        starvation.sleep(None);
        starvation.heard();
        add(&mut starvation, ready(start, 220, ('S', 1), 60, 0));
        assert_eq!(starvation.total(), ms(160));
    }

    #[test]
    fn an_answer_explains_the_time_before_it_only() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        add(&mut starvation, ready(start, 0, ('R', 0), 0, 0));
        starvation.heard();
        add(&mut starvation, ready(start, 100, ('R', 0), 40, 0));
        assert_eq!(starvation.total(), ms(60));
        // It is asked for nothing more, and sleeps.
        add(&mut starvation, ready(start, 300, ('S', 1), 40, 0));
        assert_eq!(starvation.total(), ms(60));
    }

    #[test]
    fn stolen_time_that_the_kernel_takes_for_time_on_a_core_is_no_fault_of_the_bot() {
        let start = Instant::now();
        let stolen = |at, state, cores: [u64; 2]| {
            let stolen = cores.map(ms).into();
            Look { stolen, ..ready(start, at, state, at, 0) }
        };
        let mut starvation = Starvation::default();
        add(&mut starvation, stolen(0, ('R', 0), [0, 500]));
        add(&mut starvation, stolen(110, ('R', 0), [100, 500]));
        assert_eq!(starvation.total(), ms(100));
        add(&mut starvation, stolen(120, ('R', 0), [140, 900]));
        assert_eq!(starvation.total(), ms(110), "no more than the time that has passed");
        add(&mut starvation, stolen(300, ('S', 1), [240, 900]));
        assert_eq!(starvation.total(), ms(110), "it may have slept meanwhile");
        // A bot on two cores may have run on the other one.
        let two = |at, cores| {
            let mut look = stolen(at, ('R', 0), cores);
            look.threads.insert(2, Thread { core: 1, ..look.threads[&1] });
            look
        };
        assert_eq!(two(100, [100, 0]).held_up(&two(0, [0, 0]), false), Some(ms(0)));
    }

    #[test]
    fn stolen_time_before_the_first_look_is_known_from_an_earlier_turn() {
        let mut starvation = Starvation::default();
        let first_look = |starvation: &mut Starvation, at, stolen| {
            starvation.new_turn(readings(ms(0)));
            let (start, _) = starvation.began.expect("a turn");
            let look = ready(start, at, ('R', 0), at, 0);
            add(starvation, Look { stolen: vec![ms(stolen)], ..look });
            starvation.total()
        };
        assert_eq!(first_look(&mut starvation, 150, 700), ms(0), "nothing is known");
        assert_eq!(first_look(&mut starvation, 150, 800), ms(100));
        starvation.new_turn(readings(ms(0)));
        assert_eq!(first_look(&mut starvation, 150, 820), ms(20), "after a turn without a look");
        assert_eq!(first_look(&mut starvation, 150, 1820), ms(150));
        assert_eq!(first_look(&mut starvation, 1, 2820), ms(0), "no delay");
    }

    #[test]
    fn a_bot_that_has_slept_was_not_held_up_until_its_answer() {
        let start = Instant::now();
        let look = |at, ran, state| {
            let look = look(start, at, ran, &[(1, ran, 0), (2, 0, 0)]);
            with(with(look, 1, state), 2, ('S', 3))
        };
        let held_up = |heard: bool, [before, now]: [(char, u64); 2]| {
            look(100, 10, now).held_up(&look(0, 0, before), heard)
        };
        let all = Some(ms(90));
        assert_eq!(held_up(false, [('R', 5), ('R', 5)]), all);
        assert_eq!(held_up(true, [('R', 5), ('S', 6)]), all, "since its answer");
        assert_eq!(held_up(true, [('R', 5), ('S', 5)]), all, "it is just going to");
        assert_eq!(held_up(false, [('R', 5), ('S', 6)]), None, "no answer");
        assert_eq!(held_up(true, [('R', 5), ('S', 7)]), None, "once before its answer");
        assert_eq!(held_up(true, [('R', 5), ('R', 6)]), None, "and it is ready again");
        assert_eq!(held_up(true, [('S', 5), ('S', 6)]), None, "until it woke");
        assert_eq!(held_up(false, [('S', 5), ('R', 5)]), None, "it has just woken");
    }

    #[test]
    fn the_thread_that_ran_most_wrote_the_answer() {
        let start = Instant::now();
        let before = with(look(start, 0, 10, &[(1, 10, 0), (2, 0, 0)]), 1, ('R', 5));
        let before = with(before, 2, ('S', 3));
        // Thread 1 sleeps for the first time; thread 2 wakes up and sleeps again.
        let after = |ran: u64, sleeps| {
            let now = look(start, 100, 30 + ran, &[(1, 30, 0), (2, ran, 0)]);
            with(with(now, 1, ('S', 6)), 2, ('S', sleeps))
        };
        assert_eq!(after(0, 3).held_up(&before, true), Some(ms(80)));
        assert_eq!(after(5, 4).held_up(&before, true), Some(ms(75)), "as in a virtual machine");
        assert_eq!(after(25, 4).held_up(&before, true), None, "it had slept");
        let mut new = after(0, 3);
        new.threads.insert(3, Thread { ran: ms(25), ..new.threads[&1] });
        assert_eq!(new.held_up(&before, true), None, "it has begun");
        // The answer was there at the earlier look.
        let answered = after(5, 4);
        let later = Look { at: [start + ms(150); 2], ..answered.clone() };
        assert_eq!(later.held_up(&answered, true), Some(ms(50)));
        let unknown = |mut look: Look| {
            look.threads.values_mut().for_each(|thread| thread.sleeps = None);
            look
        };
        let [before, now] = [before, after(0, 3)].map(unknown);
        assert_eq!(now.held_up(&before, true), None, "not every kernel tells");
    }

    #[test]
    fn who_runs_or_sleeps_does_not_wait() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        for at in [0, 100, 200] {
            add(&mut starvation, ready(start, at, ('R', 0), at, 0));
        }
        assert_eq!(starvation.total(), ms(0), "it ran");
        let mut starvation = Starvation::default();
        for at in [0, 100, 200] {
            add(&mut starvation, ready(start, at, ('S', 0), 5, 0));
        }
        assert_eq!(starvation.total(), ms(0), "it slept");
        // A core that has no timer tick counts what runs only when it stops, for threads and for
        // control groups; the clock of a process knows better.
        let mut starvation = Starvation::default();
        for at in [0, 100, 200] {
            let clocks = HashMap::from([(rustix::process::getpid(), [ms(at); 2])]);
            add(&mut starvation, Look { clocks, ..ready(start, at, ('R', 0), 5, 0) });
        }
        assert_eq!(starvation.total(), ms(0), "it ran without being counted");
    }

    #[test]
    fn a_look_during_which_the_bot_runs_adds_nothing() {
        let start = Instant::now();
        let mut starvation = Starvation::default();
        add(&mut starvation, ready(start, 0, ('R', 0), 0, 0));
        // Thread 1 was seen waiting after 10 ms. Then the referee waited for the core for 20 ms,
        // in which another thread of the bot had it.
        let slow = Look {
            at: [10, 30].map(|at| start + ms(at)),
            cpu: [10, 30].map(ms),
            ..ready(start, 10, ('R', 0), 0, 0)
        };
        add(&mut starvation, slow);
        assert_eq!(starvation.total(), ms(0), "all of it was for the bot itself");
        // The whole wait, as the kernel counts it.
        add(&mut starvation, Look { cpu: [ms(40); 2], ..ready(start, 40, ('R', 0), 5, 35) });
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
        starvation.new_turn(readings(ms(0)));
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
        add(&mut starvation, ready(start, 0, ('R', 0), 0, 0));
        // The answer comes after 12 ms, and the referee gets a core after 100 ms.
        let before = ms(7);
        let late = Look { referee: before + ms(88), ..ready(start, 100, ('S', 2), 10, 2) };
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
    fn a_referee_that_has_no_core_to_begin_with_is_no_fault_of_the_bot() {
        let at_first = |at, state, heard: bool| {
            let mut starvation = Starvation::default();
            starvation.new_turn(readings(ms(0)));
            let (start, _) = starvation.began.expect("a turn");
            if heard {
                starvation.heard();
            }
            add(&mut starvation, ready(start, at, state, 10, 0));
            (starvation, start)
        };
        let total = |at, state, heard| at_first(at, state, heard).0.total();
        assert_eq!(total(100, ('R', 0), false), ms(90));
        assert_eq!(total(100, ('S', 1), true), ms(90), "it has answered");
        assert_eq!(total(100, ('S', 1), false), ms(0), "it has slept instead of answering");
        assert_eq!(total(1, ('R', 0), false), ms(0), "no delay");
        // It still is when more time has passed.
        let (mut starvation, start) = at_first(100, ('R', 0), false);
        add(&mut starvation, ready(start, 200, ('S', 1), 20, 0));
        assert_eq!(starvation.total(), ms(90));
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
}
