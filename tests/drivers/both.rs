//! Guarantees of both drivers.

use super::*;

/// Instantiates all tests of the list for both drivers.
macro_rules! both {
    ($($name:ident),* $(,)?) => {
        mod with_ppoll { $(#[test] fn $name() { super::$name(super::process); })* }
        mod plain_threads { $(#[test] fn $name() { super::$name(super::plain); })* }
    };
}

both! {
    answers_are_heard, cr_is_dropped, a_part_is_no_line, a_flood_is_too_much,
    a_flood_of_lines_is_too_much, a_long_line_is_too_long, closed_output_is_not_an_end,
    ends_are_told_apart, the_line_before_the_end_comes_first, silence_is_nothing,
    the_end_of_stderr_is_kept, a_flood_of_stderr_is_too_much, a_full_input_blocks_nobody,
    a_closed_input_is_survived, nobody_outlives_its_grace, a_good_bot_may_end_by_itself,
    last_words_are_kept, output_held_open_by_a_child_hides_no_end, descriptors_are_given_back,
    what_was_written_before_is_seen_at_a_glance, a_new_game_forgets,
    a_program_that_is_not_there_is_told, the_environment_is_clean, bounds_are_those_that_were_given,
}

fn answers_are_heard(start: Start) {
    let mut bot = Bot::new(start, "cat", &[]);
    for line in ["START", "4TR", ""] {
        let before = bot.clock.now();
        bot.ask(&format!("{line}\n"));
        let ReadOutcome::Line(at) = bot.hear() else { panic!("no line") };
        assert_eq!(bot.contender.line(), line.as_bytes());
        assert!(before <= at && at <= bot.clock.now(), "a stamp lies between asking and now");
    }
}

fn cr_is_dropped(start: Start) {
    let mut bot = Bot::sh(start, r"printf '4TR\r\n5B\n'; exec cat");
    assert_eq!([bot.line(), bot.line()], ["4TR", "5B"]);
}

fn a_part_is_no_line(start: Start) {
    let mut bot = Bot::sh(start, "printf 4T; read x; printf 'R\\n'; exec cat");
    // Until the part is there; then a moment in which no more comes.
    while bot.contender.partial_line().is_empty() {
        assert!(matches!(bot.hear_for(MOMENT), ReadOutcome::Nothing(_)));
    }
    assert!(matches!(bot.hear_for(MOMENT), ReadOutcome::Nothing(_)));
    bot.ask("go\n");
    assert_eq!(bot.line(), "4TR");
}

fn a_flood_is_too_much(start: Start) {
    let mut bot = Bot::sh(start, "yes '#' | tr '#' x");
    let mut lines = 0;
    loop {
        match bot.hear() {
            ReadOutcome::Line(_) => lines += 1,
            ReadOutcome::TooMuch { stream: Stream::Stdout, limit: TURN_LIMIT, .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(lines, TURN_LIMIT / 2);
    assert_eq!(bot.end(MOMENT).exit, None);
}

fn a_flood_of_lines_is_too_much(start: Start) {
    let mut bot = Bot::sh(start, "exec yes");
    let mut lines = 0;
    loop {
        bot.contender.new_turn();
        match bot.hear() {
            ReadOutcome::Line(_) => lines += 1,
            ReadOutcome::TooMuch { stream: Stream::Stdout, limit: GAME_LIMIT, .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(lines, GAME_LIMIT / 2);
}

fn a_long_line_is_too_long(start: Start) {
    let mut bot = Bot::sh(start, "tr '\\0' x < /dev/zero");
    assert!(matches!(bot.hear(), ReadOutcome::TooLong(_)));
    assert_eq!(bot.contender.line(), vec![b'x'; LINE_LIMIT]);
    assert!(matches!(bot.hear(), ReadOutcome::TooLong(_)), "it is said again");
}

fn closed_output_is_not_an_end(start: Start) {
    let mut bot = Bot::sh(start, "echo 4TR; exec >&-; read x; read y");
    assert_eq!(bot.line(), "4TR");
    assert!(matches!(bot.hear(), ReadOutcome::Closed(_)));
}

fn ends_are_told_apart(start: Start) {
    for (script, exit) in [
        ("exit 0", Exit::Code(0)),
        ("exit 7", Exit::Code(7)),
        ("kill -SEGV $$", Exit::Signal(11)),
        ("kill -KILL $$", Exit::Signal(9)),
    ] {
        let mut bot = Bot::sh(start, script);
        match bot.hear() {
            ReadOutcome::Exited(found, _) => assert_eq!(found, exit, "{script}"),
            other => panic!("{script}: {other:?}"),
        }
        assert_eq!(bot.end(MOMENT).exit, Some(exit), "{script}");
    }
}

fn the_line_before_the_end_comes_first(start: Start) {
    let mut bot = Bot::sh(start, "read x; echo 4TR; printf rest; exit 3");
    bot.ask("START\n");
    assert_eq!(bot.line(), "4TR");
    assert!(matches!(bot.hear(), ReadOutcome::Exited(Exit::Code(3), _)));
    assert_eq!(bot.contender.partial_line(), b"rest");
}

fn silence_is_nothing(start: Start) {
    let mut bot = Bot::new(start, "cat", &[]);
    let until = bot.clock.now() + MOMENT;
    let ReadOutcome::Nothing(at) = bot.contender.read_line(&bot.clock, Some(until)) else {
        panic!("something was heard")
    };
    assert!(at > until, "a timer goes off only after its instant");
    bot.ask("still here\n");
    assert_eq!(bot.line(), "still here");
}

fn the_end_of_stderr_is_kept(start: Start) {
    let script = "import sys\n\
                  for i in range(20000): print('debug', i, file=sys.stderr)\n\
                  print('4TR')\n\
                  sys.stderr.write('Traceback'); sys.exit(1)";
    let mut bot = Bot::python(start, script);
    assert_eq!(bot.line(), "4TR");
    let ended = bot.end(PATIENCE);
    assert_eq!(ended.exit, Some(Exit::Code(1)));
    let stderr = ended.stderr.as_bytes();
    assert_eq!(stderr.len(), 64 * 1024);
    assert!(stderr.ends_with(b"debug 19999\nTraceback"), "{:?}", ended.stderr);
}

fn a_flood_of_stderr_is_too_much(start: Start) {
    let mut bot = Bot::sh(start, "yes >&2; read x");
    assert!(matches!(bot.hear(), ReadOutcome::TooMuch { stream: Stream::Stderr, .. }));
}

fn a_full_input_blocks_nobody(start: Start) {
    // It reads nothing until it has written its line, which is heard after all was sent.
    let mut bot = Bot::python(start, "import sys; print(len(sys.stdin.buffer.read(1 << 20)))");
    let chunk = "x".repeat(64 * 1024);
    (0..16).for_each(|_| bot.contender.send(chunk.as_bytes()));
    assert_eq!(bot.line(), (1 << 20).to_string());
    let mut bot_that_never_reads = {
        drop(bot);
        Bot::sh(start, "exec sleep 3600")
    };
    (0..16).for_each(|_| bot_that_never_reads.contender.send(chunk.as_bytes()));
    assert!(matches!(bot_that_never_reads.hear_for(MOMENT), ReadOutcome::Nothing(_)));
    assert_eq!(bot_that_never_reads.end(MOMENT).exit, None);
}

fn a_closed_input_is_survived(start: Start) {
    let mut bot = Bot::sh(start, "exec <&-; echo ready; exec sleep 3600");
    assert_eq!(bot.line(), "ready");
    for _ in 0..3 {
        bot.ask("START\n");
        assert!(matches!(bot.hear_for(MOMENT), ReadOutcome::Nothing(_)));
    }
}

fn nobody_outlives_its_grace(start: Start) {
    let mut bot = Bot::python(
        start,
        "import signal\n\
         for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):\n\
         \x20   signal.signal(s, signal.SIG_IGN)\n\
         import os; print(os.getpid())\n\
         while True: pass",
    );
    let pid = bot.line();
    assert_eq!(bot.end(MOMENT).exit, None, "it did not end by itself");
    assert!(!exists(&pid), "not even as a zombie");
}

fn a_good_bot_may_end_by_itself(start: Start) {
    let mut bot = Bot::sh(start, "echo $$; while read x; do :; done; exit 5");
    let pid = bot.line();
    bot.ask("END\n");
    assert_eq!(bot.end(PATIENCE).exit, Some(Exit::Code(5)));
    assert_eq!(bot.end(PATIENCE).exit, Some(Exit::Code(5)), "asked again, it says the same");
    assert!(!exists(&pid), "not even as a zombie");
}

fn last_words_are_kept(start: Start) {
    let mut bot = Bot::sh(start, "while read x; do :; done; echo RESULT 3R 50 35; echo bye");
    bot.end(PATIENCE);
    for line in ["RESULT 3R 50 35", "bye"] {
        assert!(matches!(bot.contender.try_read_line(&bot.clock), ReadOutcome::Line(_)));
        assert_eq!(bot.contender.line(), line.as_bytes());
    }
    assert!(matches!(bot.contender.try_read_line(&bot.clock), ReadOutcome::Nothing(_)));
}

fn output_held_open_by_a_child_hides_no_end(start: Start) {
    let mut bot = Bot::sh(start, "sleep 30 & echo 4TR; exit 2");
    assert_eq!(bot.line(), "4TR");
    assert!(matches!(bot.hear(), ReadOutcome::Exited(Exit::Code(2), _)));
    assert_eq!(bot.end(MOMENT).exit, Some(Exit::Code(2)));
}

fn descriptors_are_given_back(start: Start) {
    let _turn = alone();
    let used = |count| {
        for _ in 0..count {
            let script = "read x; echo $x; exec sleep 3600";
            let mut bot = Bot::among_others(start, "sh", &["-c", script]);
            bot.ask("4TR\n");
            assert_eq!(bot.line(), "4TR");
            bot.end(Duration::ZERO);
        }
    };
    used(1);
    let before = descriptors();
    used(20);
    // The plain driver's threads need a moment to notice.
    assert!(becomes(|| descriptors() <= before), "{before} became {}", descriptors());
}

fn what_was_written_before_is_seen_at_a_glance(start: Start) {
    let mut bot = Bot::sh(start, "echo one; echo two; printf thr; exec cat");
    assert_eq!(bot.line(), "one");
    assert_eq!(bot.line(), "two");
    while bot.contender.partial_line() != b"thr" {
        assert!(matches!(bot.contender.try_read_line(&bot.clock), ReadOutcome::Nothing(_)));
        std::thread::yield_now();
    }
    bot.ask("ee\n");
    assert_eq!(bot.line(), "three");
}

fn a_new_game_forgets(start: Start) {
    let mut bot = Bot::sh(start, "echo one; printf 'two\nthree\n' | cat; exec cat");
    assert_eq!(bot.line(), "one");
    while bot.contender.try_read_line(&bot.clock) == ReadOutcome::Nothing(At::START) {}
    assert!(matches!(bot.hear_for(PATIENCE), ReadOutcome::Line(_)));
    bot.contender.new_game();
    bot.ask("four\n");
    assert_eq!(bot.line(), "four");
}

fn a_program_that_is_not_there_is_told(start: Start) {
    let missing = std::panic::catch_unwind(|| start(&launch("/nowhere/at/all", &[])));
    assert!(missing.is_err());
}

fn the_environment_is_clean(start: Start) {
    let mut bot = Bot::sh(start, "env; echo end");
    let lines: Vec<String> =
        std::iter::from_fn(|| Some(bot.line()).filter(|line| line != "end")).collect();
    let names: Vec<&str> = lines.iter().filter_map(|line| line.split('=').next()).collect();
    let known = ["PATH", "PWD", "OLDPWD", "SHLVL", "_", "PITMASTER_RUN", "PITMASTER_PROCESS"];
    assert!(names.iter().all(|name| known.contains(name)), "{names:?}");
}

fn bounds_are_those_that_were_given(start: Start) {
    let resources = Resources { output: 9, stderr: 5, ..Resources::default() };
    for (script, stream, limit) in
        [("printf '123\\n567\\n90'", Stream::Stdout, 9), ("echo 12345 >&2", Stream::Stderr, 5)]
    {
        let _turn = alone();
        let script = format!("{script}; exec sleep 3600");
        let cage = SandboxProfile::new(&Sandbox::open(&resources), Vec::new());
        let contender = start(&Launch { cage, ..launch("sh", &["-c", &script]) });
        let mut bot = Bot { contender, clock: Clock::start(), _turn: None };
        let mut heard = bot.hear();
        while let ReadOutcome::Line(_) = heard {
            heard = bot.hear();
        }
        let ReadOutcome::TooMuch { stream: which, limit: told, .. } = heard else {
            panic!("{heard:?}")
        };
        assert_eq!((which, told), (stream, limit));
    }
}
