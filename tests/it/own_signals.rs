//! Signals that a bot sends to itself end it in every tier as outside of a sandbox, because the bot
//! is not the first process of its PID namespace, which ignores such signals.

use crate::contest::{PATIENT, tournament};
use crate::hostile::tiers::{Around, Tier, tiers};

/// Plays one game pair in every tier but `bare`, as root and as an ordinary user. Every report of
/// forfeits must mention the signal.
fn in_all_tiers(source: &str, more: &str, signal: &str) {
    for as_nobody in [false, true] {
        let around = Around { as_nobody, in_container: false };
        if let Some(why) = around.lacks() {
            eprintln!("skipped: {around:?}: {why}");
            continue;
        }
        for tier in tiers(around).0.iter().filter(|tier| tier.name != "bare") {
            in_tier(around, tier, source, more, signal);
        }
    }
}

/// Plays one game pair in a tier.
fn in_tier(around: Around, tier: &Tier, source: &str, more: &str, signal: &str) {
    let scratch = around.scratch();
    scratch.bot("hostile", "pitmaster", source);
    scratch.fast("good", "random");
    let bots = format!("include = ['own/*']\n{more}");
    scratch.write("cup.toml", tournament(PATIENT, 1, &bots));
    around.hand_over(&scratch);
    let args = format!("run cup.toml --lanes 1 -q {}", tier.args());
    let output = around.command(&scratch, &args).output().expect("the binary starts");
    let ran = scratch.ran(output).done();
    let losers = scratch.column("results/cup/games.csv", "forfeited_by");
    assert_eq!(losers, ["hostile"; 2], "{}: {}", tier.name, ran.all());
    let told = scratch.run("standings results/cup --forfeits").done().stdout;
    assert!(told.contains(signal), "{} under {around:?}: {told}", tier.name);
}

/// A bot that acts when asked for its first move.
fn when_asked(does: &str) -> String {
    format!(
        "import os, sys\n\
         for line in sys.stdin:\n\
         \x20   if line.startswith(('pitmaster', 'newgame')): print('ready', flush=True)\n\
         \x20   if line.startswith('go'):\n\
         \x20       {does}\n"
    )
}

#[test]
fn an_abort_is_told_as_one() {
    in_all_tiers(&when_asked("os.abort()"), "", "signal 6 (SIGABRT)");
}

/// The wall clock would end it much later.
const ONE_SECOND: &str = "[sandbox]\ncpu = '1s'";
const SPINS: &str = "while True: pass";
const OUT_OF_TIME: &str = "signal 24 (SIGXCPU)";

#[test]
fn the_limit_of_cpu_time_ends_a_process() {
    let Some(best) = tiers(Around::NOTHING).0.into_iter().rfind(|tier| tier.name != "bare") else {
        eprintln!("skipped: there is no tier but `bare`");
        return;
    };
    in_tier(Around::NOTHING, &best, &when_asked(SPINS), ONE_SECOND, OUT_OF_TIME);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn the_limit_of_cpu_time_ends_a_process_in_every_tier() {
    in_all_tiers(&when_asked(SPINS), ONE_SECOND, OUT_OF_TIME);
}
