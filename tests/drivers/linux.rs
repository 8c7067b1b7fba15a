//! Guarantees of the Linux driver alone.

use super::*;
use pitmaster::bots::Usage;

#[test]
fn no_descriptor_is_inherited() {
    // One that a careless library would leave open for all children.
    let inherited = fs::File::open("/").expect("can be opened");
    rustix::io::fcntl_setfd(&inherited, rustix::io::FdFlags::empty()).expect("can be set");
    let mut bot = Bot::sh(process, "echo $(ls /proc/self/fd | wc -l)");
    assert_eq!(bot.line(), "4", "three, and the one that lists them");
}

#[test]
fn a_daemon_is_gone_when_its_bot_has_ended() {
    let script = "import os, time\n\
                  r, w = os.pipe()\n\
                  if os.fork() == 0:\n\
                  \x20   os.setsid()\n\
                  \x20   if os.fork() == 0:\n\
                  \x20       os.write(w, str(os.getpid()).encode() + b'\\n')\n\
                  \x20       time.sleep(3600)\n\
                  \x20   os._exit(0)\n\
                  os.wait()\n\
                  print(os.read(r, 20).decode(), end='')\n\
                  time.sleep(3600)";
    let mut bot = Bot::python(process, script);
    let daemon = bot.line();
    assert!(exists(&daemon));
    bot.end(Duration::ZERO);
    assert!(!exists(&daemon), "the daemon lives");
    assert_eq!(children(), Vec::<String>::new());
}

#[test]
fn a_bot_cannot_leave_its_group_and_what_it_put_into_another_is_ended_too() {
    let script = "import os, time\n\
                  r, w = os.pipe()\n\
                  child = os.fork()\n\
                  if child == 0:\n\
                  \x20   os.setpgid(0, 0)\n\
                  \x20   os.write(w, b'x')\n\
                  \x20   time.sleep(3600)\n\
                  os.read(r, 1)\n\
                  try:\n\
                  \x20   os.setpgid(0, child)\n\
                  except PermissionError:\n\
                  \x20   print('stays')\n\
                  print(child)\n\
                  time.sleep(3600)";
    let mut bot = Bot::python(process, script);
    assert_eq!(bot.line(), "stays");
    let child = bot.line();
    bot.end(Duration::ZERO);
    assert!(!exists(&child));
    assert_eq!(children(), Vec::<String>::new());
}

#[test]
fn whoever_is_stopped_uses_no_time() {
    let mut bot = Bot::sh(process, "echo $$; while :; do :; done");
    let pid = bot.line();
    bot.contender.stop();
    assert!(becomes(|| state(&pid) == Some('T')), "it is not stopped");
    bot.contender.used(Duration::ZERO);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(bot.contender.used(Duration::ZERO).cpu, Duration::ZERO);
    bot.contender.resume();
    let ran = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        bot.contender.used(Duration::ZERO).cpu > Duration::ZERO
    });
    assert!(ran, "set going again, it runs");
    bot.contender.stop();
    bot.end(Duration::ZERO);
    assert!(!exists(&pid), "a stopped bot is ended like any other");
}

/// Role that this binary plays as a subprocess: a referee that owns a bot and is killed.
const HELPER: &str = "PITMASTER_TEST_HELPER";

#[test]
fn bots_die_with_their_referee() {
    if std::env::var_os(HELPER).is_some() {
        return own_a_bot_for_ever();
    }
    let this = std::env::current_exe().expect("this program");
    let this = this.to_str().expect("a plain path");
    let mut launch =
        launch(this, &["--exact", "linux::bots_die_with_their_referee", "--nocapture"]);
    launch.environment.push((HELPER.into(), "1".into()));
    let _alone = alone();
    let (mut helper, clock) = (process(&launch), Clock::start());
    let until = Some(clock.now() + AGES);
    let bot = loop {
        match helper.read_line(&clock, until) {
            ReadOutcome::Line(_) => {}
            other => panic!("{other:?}"),
        }
        let line = String::from_utf8_lossy(helper.line()).into_owned();
        if let Some((_, pid)) = line.split_once("the bot is ") {
            break pid.to_owned();
        }
    };
    assert!(exists(&bot));
    // By force, so that nobody but the kernel can end the bot.
    let referee = children();
    let [referee] = &referee[..] else { panic!("one child, not {referee:?}") };
    let referee = rustix::process::Pid::from_raw(referee.parse().expect("a number"));
    rustix::process::kill_process(referee.expect("not 0"), rustix::process::Signal::KILL)
        .expect("it lives");
    let dead = || matches!(state(&bot), None | Some('Z' | 'X'));
    assert!(becomes(dead), "the bot outlives its referee");
    helper.end(&clock, clock.now());
}

fn own_a_bot_for_ever() {
    let mut bot = Bot::sh(process, "echo $$; exec sleep 3600");
    println!("the bot is {}", bot.line());
    bot.hear();
}

/// A Python program whose threads compute on the single core of the test until its process has used
/// that much CPU time, then answers. Its threads stay alive, as those of a virtual machine do,
/// because the wait of an ended thread cannot be read. Hashing releases the interpreter's lock.
fn worker(threads: u32, cpu: f64) -> String {
    format!(
        "import concurrent.futures, hashlib, sys, time\n\
         block = bytes(1 << 20)\n\
         def work(until):\n\
         \x20   while time.process_time() < until: hashlib.sha256(block).digest()\n\
         pool = concurrent.futures.ThreadPoolExecutor({threads})\n\
         for line in sys.stdin:\n\
         \x20   until = time.process_time() + {cpu}\n\
         \x20   for done in [pool.submit(work, until) for _ in range({threads})]: done.result()\n\
         \x20   print('done', flush=True)\n"
    )
}

/// Runs a test on the last core of its mask; its child processes inherit that core.
fn on_one_core(test: impl FnOnce() + Send + 'static) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let on_core = move || {
        let may = sched_getaffinity(None).expect("can be asked");
        let core = (0..CpuSet::MAX_CPU).filter(|&core| may.is_set(core)).max().expect("a core");
        let mut one = CpuSet::new();
        one.set(core);
        sched_setaffinity(None, &one).expect("can be set");
        test();
    };
    std::thread::spawn(on_core).join().expect("the test passes");
}

/// Asks a bot. Returns the duration and its usage.
fn asked(bot: &mut Bot) -> (Duration, Usage) {
    bot.contender.used(Duration::ZERO);
    let began = bot.clock.now();
    bot.ask("go\n");
    assert_eq!(bot.line(), "done");
    let wall = bot.clock.now().since(began);
    (wall, bot.contender.used(wall))
}

/// The longest time that a thread of a process was runnable and did not run, for any reason.
fn longest_wait(pid: &str) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("it lives").flatten();
    let waited = threads.filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').nth(1)?.parse().ok().map(Duration::from_nanos)
    });
    waited.max().unwrap_or_default()
}

#[test]
fn threads_that_contend_with_each_other_are_not_starved() {
    on_one_core(|| {
        let mut bot = Bot::python(process, &worker(4, 0.4));
        bot.contender.used(Duration::ZERO);
        let (pid, began) = (children().join(""), bot.clock.now());
        bot.ask("go\n");
        assert_eq!(bot.line(), "done");
        let wall = bot.clock.now().since(began);
        let waited = longest_wait(&pid);
        let Usage { cpu, waiting } = bot.contender.used(wall);
        // It waits at least while the three others run.
        assert!(waited > cpu / 2, "each thread waits for the others: {waited:?} {cpu:?}");
        // Other programs may have the core as well: no more than the rest of the time is theirs.
        let others = wall.saturating_sub(cpu);
        assert!(waiting <= others, "{waiting:?} in {wall:?} with {cpu:?}");
        assert!(cpu >= Duration::from_millis(400), "{cpu:?}");
        bot.end(Duration::ZERO);
    });
}

#[test]
fn a_bot_that_sleeps_after_contending_with_itself_is_not_starved() {
    on_one_core(|| {
        let nap = "time.sleep(1.5)\n\x20   print('done', flush=True)";
        let script = worker(4, 1.0).replace("print('done', flush=True)", nap);
        let mut bot = Bot::python(process, &script);
        let (wall, Usage { cpu, waiting }) = asked(&mut bot);
        // All that it did not run: its nap, and what others took.
        let idle = wall.saturating_sub(cpu);
        let others = idle.saturating_sub(Duration::from_millis(1500));
        // Each thread has waited for the three others for 750 ms. Less than that can be the
        // machine's: time without a core that the kernel has taken for CPU time of the bot.
        let allowed = others + Duration::from_millis(400);
        assert!(waiting <= allowed, "{waiting:?} of {others:?}");
        bot.end(Duration::ZERO);
    });
}

#[test]
fn a_bot_whose_core_others_use_is_starved() {
    for threads in [1, 3] {
        on_one_core(move || {
            let mut bot = Bot::python(process, &worker(threads, 0.3));
            // What is started from here on is on the same core, at the same priority.
            let mut hog = process(&launch("sh", &["-c", "while :; do :; done"]));
            let (wall, Usage { cpu, waiting }) = asked(&mut bot);
            let idle = wall.saturating_sub(cpu);
            // With several threads it is a lower bound: those that wait for Python's lock sleep.
            assert!(waiting > idle / (2 * threads), "{waiting:?} of {idle:?} on {threads} threads");
            assert!(waiting <= idle);
            let clock = Clock::start();
            hog.end(&clock, At::START);
            bot.end(Duration::ZERO);
        });
    }
}

#[test]
fn waiting_is_told_once_however_often_a_turn_is_asked_about() {
    on_one_core(|| {
        let mut bot = Bot::python(process, &worker(1, 0.3));
        let mut hog = process(&launch("sh", &["-c", "while :; do :; done"]));
        let (_, Usage { waiting, .. }) = asked(&mut bot);
        assert!(waiting > Duration::ZERO);
        let clock = Clock::start();
        hog.end(&clock, At::START);
        // Still the same turn, in which it only waits for its input.
        std::thread::sleep(Duration::from_millis(200));
        let later = bot.contender.used(Duration::from_hours(1)).waiting;
        assert!(later < waiting / 2, "{later:?} after {waiting:?}");
        bot.end(Duration::ZERO);
    });
}

#[test]
fn waiting_is_known_before_the_answer() {
    on_one_core(|| {
        let mut bot = Bot::python(process, &worker(2, 3600.0));
        let mut hog = process(&launch("sh", &["-c", "while :; do :; done"]));
        bot.ask("go\n");
        let mut waited = Vec::new();
        while waited.last().is_none_or(|&waited| waited < Duration::from_millis(50)) {
            assert!(matches!(bot.hear_for(MOMENT), ReadOutcome::Nothing(_)));
            waited.push(bot.contender.waited());
        }
        bot.contender.new_turn();
        assert_eq!(bot.contender.waited(), Duration::ZERO, "of this turn only");
        let clock = Clock::start();
        hog.end(&clock, At::START);
        bot.end(Duration::ZERO);
    });
}

#[test]
fn a_bot_behind_a_script_is_starved_with_its_child() {
    on_one_core(|| {
        // Not in its place: the shell waits for it.
        let mut command = launch("sh", &[]);
        command.args = ["-c", "python3 -uc \"$0\"; :", &worker(1, 0.3)].map(Into::into).into();
        let turn = alone();
        let contender = process(&command);
        let mut bot = Bot { contender, clock: Clock::start(), _turn: Some(turn) };
        let mut hog = process(&launch("sh", &["-c", "while :; do :; done"]));
        let (_, Usage { waiting, .. }) = asked(&mut bot);
        assert!(waiting > Duration::from_millis(50), "{waiting:?}");
        let clock = Clock::start();
        hog.end(&clock, At::START);
        bot.end(Duration::ZERO);
    });
}
