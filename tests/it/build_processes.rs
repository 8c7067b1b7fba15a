//! All processes of a build are gone when the build ends, or when the referee is killed.

use std::fs;
use std::time::{Duration, Instant};

use crate::contest::Running;
use crate::hostile::tiers::Around;
use crate::scratch::Scratch;

/// Timeout for events that must happen.
const PATIENCE: Duration = Duration::from_mins(1);

/// A chain of processes that all stay alive, each in a separate session and without environment.
const CHAIN: &str = "if [ $1 -gt 0 ]; then env -i /usr/bin/setsid /bin/sh ./chain.sh $(($1 - 1)) $2 &\n\
                     else : > chained; fi\n\
                     exec env -i /bin/sleep $2\n";

/// Environments of these tests: with and without namespaces, as root and as nobody.
fn all_around() -> impl Iterator<Item = Around> {
    let all = [(false, false), (true, false), (false, true), (true, true)];
    let all = all.map(|(as_nobody, in_container)| Around { as_nobody, in_container });
    all.into_iter().filter(|around| {
        let why = around.lacks();
        if let Some(why) = &why {
            eprintln!("skipped: {around:?}: {why}");
        }
        why.is_none()
    })
}

/// Sleeping time of a test's processes in seconds, unique on the machine.
fn sleeping(around: Around) -> String {
    let Around { as_nobody, in_container } = around;
    format!("{}.{}{}", 100_000 + std::process::id(), u8::from(as_nobody), u8::from(in_container))
}

/// Number of processes that sleep for that time.
fn sleepers(time: &str) -> usize {
    let all = fs::read_dir("/proc").expect("processes").flatten();
    let sleeps = |words: &Vec<u8>| {
        let words: Vec<_> = words.split(|&byte| byte == 0).collect();
        words.starts_with(&[b"/bin/sleep", time.as_bytes()])
    };
    all.filter_map(|one| fs::read(one.path().join("cmdline")).ok()).filter(sleeps).count()
}

fn becomes(what: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !what() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Writes a bot that a shell builds.
fn hand_in(scratch: &Scratch, build: &str) {
    scratch.fast("bot", "random");
    scratch.write("own/bot/build.sh", build);
    let manifest = scratch.read("own/bot/bot.toml");
    scratch.write("own/bot/bot.toml", format!("build = ['sh', 'build.sh']\n{manifest}"));
}

#[test]
fn no_chain_of_processes_outlives_a_build() {
    for around in all_around() {
        let (scratch, time) = (around.scratch(), sleeping(around));
        let build = format!(
            "/bin/sh ./chain.sh 40 {time} &\nwhile [ ! -e chained ]; do /bin/sleep 0.05; done\n"
        );
        hand_in(&scratch, &build);
        scratch.write("own/bot/chain.sh", CHAIN);
        around.hand_over(&scratch);
        let args = "match own/bot house:random --pairs 1 --name cup -q --per-move 1m";
        let output = around.command(&scratch, args).output().expect("the binary starts");
        let ran = scratch.ran(output).done();
        assert_eq!(sleepers(&time), 0, "{around:?}: {}", ran.all());
    }
}

#[test]
fn no_process_of_a_build_outlives_a_referee_that_is_killed() {
    for around in all_around() {
        let (scratch, time) = (around.scratch(), sleeping(around));
        hand_in(&scratch, &format!("env -i setsid /bin/sleep {time} &\nexec /bin/sleep {time}\n"));
        around.hand_over(&scratch);
        let args = "match own/bot house:random --pairs 1 --name cup -q";
        let run = Running::of(around.command(&scratch, args));
        assert!(becomes(|| sleepers(&time) == 2), "{around:?}: it does not build");
        rustix::process::kill_process(run.pid(), rustix::process::Signal::KILL).expect("it lives");
        let is_over = becomes(|| sleepers(&time) == 0);
        run.end_anyhow(&scratch);
        assert!(is_over, "{around:?}: a process of the build lives on");
    }
}
