//! Builds of bots: access to their own files, and limits.

use std::fs;
use std::path::Path;
use std::process::Command;

use pitmaster::bots::submission::{
    BotFault, BuildEnd, BuildFailure, Naming, Options, PrepareError, prepare,
};
use pitmaster::bots::toolchain::Tools;
use pitmaster::core::Resources;
use pitmaster::sandbox::{BuildLimits, Overrun, Sandbox};

use crate::contest::patient;
use crate::hostile::tiers::{Around, Tier, tiers};
use crate::scratch::{Scratch, on_a_machine_of_its_own};

/// Script of typical file operations of compilers, archivers and installers.
const HONEST: &str = r#"
set -e
test "$(id -u)" != 0
cat bot.py > made && chmod 755 made && test -x made
mkdir -p tree/inner && chmod 1777 tree && touch -d @1000000000 tree/inner/file tree
test "$(stat -c %Y tree/inner/file)" = 1000000000
chmod 640 tree/inner/file && cp -pR tree copy
test "$(stat -c '%a %Y' copy/inner/file)" = "640 1000000000"
tar -cf all.tar tree && mkdir out && tar -xpf all.tar -C out
test "$(stat -c '%a %Y' out/tree/inner/file)" = "640 1000000000"
install -m 711 made installed && test "$(stat -c %a installed)" = 711
ln -s tree/inner/file link && chmod 600 link && test "$(stat -c %a tree/inner/file)" = 600
touch -h -d @900000000 link && test "$(stat -c %Y link)" = 900000000
chown "$(id -u):$(id -g)" made
touch "$HOME/own" && chmod 700 "$HOME/own"
python3 - <<'END'
import os, shutil, tempfile, zipfile
with tempfile.NamedTemporaryFile(dir=".") as file:
    os.fchmod(file.fileno(), 0o750)
    os.utime(file.fileno(), ns=(5, 7))
    assert os.stat(file.name).st_mtime_ns == 7
shutil.copytree("tree", "python-copy")
assert os.access("made", os.X_OK) and os.access("bot.py", os.R_OK)
END
"#;

const MANIFEST: &str = "build = ['sh', 'build.sh']\nrun = ['python3', 'bot.py']\n\
                        dialect = 'pitmaster'\nneeds = ['python3', 'tar']\n";

/// Tiers that contain bots at all.
fn containing(around: Around) -> Vec<Tier> {
    if let Some(why) = around.lacks() {
        eprintln!("skipped: {around:?}: {why}");
        return Vec::new();
    }
    tiers(around).0.into_iter().filter(|tier| tier.name != "bare").collect()
}

fn hand_in(scratch: &Scratch, name: &str, script: &str) {
    let player = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hostile/build-makes-setuid/attack.py"),
    );
    let player = player.expect("reads") + &format!("\nplay('{name}')\n");
    scratch.write(&format!("own/{name}/bot.toml"), MANIFEST);
    scratch.write(&format!("own/{name}/bot.py"), player);
    scratch.write(&format!("own/{name}/build.sh"), script);
}

fn honest_build(around: Around) {
    for tier in containing(around) {
        let scratch = around.scratch();
        hand_in(&scratch, "honest", HONEST);
        scratch.write("cup.toml", patient(1));
        scratch.fast("other", "random");
        around.hand_over(&scratch);
        let args = format!("run cup.toml --lanes 1 {}", tier.args());
        let output = around.command(&scratch, &args).output().expect("the binary starts");
        let ran = scratch.ran(output).done();
        let endings = scratch.column("results/cup/games.csv", "forfeited_by");
        assert!(endings.iter().all(String::is_empty), "{}: {endings:?} {}", tier.name, ran.all());
    }
}

#[test]
fn a_build_changes_modes_and_times_of_its_own_files() {
    honest_build(Around::NOTHING);
}

#[test]
fn so_does_one_of_an_ordinary_user() {
    honest_build(Around { as_nobody: true, in_container: false });
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn and_inside_of_a_container() {
    for as_nobody in [false, true] {
        honest_build(Around { as_nobody, in_container: true });
    }
}

/// Builds a bot with this script, without a sandbox, within limits.
fn end_of(script: &str, limits: BuildLimits) -> (BuildEnd, Scratch) {
    let scratch = Scratch::new();
    hand_in(&scratch, "greedy", script);
    let sandbox = Sandbox::open(&Resources::default());
    let options =
        Options { build_limits: limits, ..Options::with(Tools::of_this_machine(), &sandbox) };
    let store = scratch.path("results/bots");
    let bot = scratch.path("own/greedy");
    let fault = prepare(&bot, Naming::default(), &store, "coloured-awale", &options);
    let Err(PrepareError::Bot(unfit)) = fault else { panic!("{fault:?}") };
    let BotFault::DidNotBuild(BuildFailure { why, .. }) = unfit.fault else {
        panic!("{:?}", unfit.fault)
    };
    (why, scratch)
}

/// The size of all files beneath a folder, in bytes.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| {
        let meta = entry.path().symlink_metadata().expect("facts");
        if meta.is_dir() { size_of(&entry.path()) } else { meta.len() }
    };
    entries.map(size).sum()
}

#[test]
fn a_build_that_fills_the_disk_is_ended_and_what_it_wrote_is_removed() {
    let limits = BuildLimits { disk: 4 << 20, ..BuildLimits::default() };
    // In many files, one of them in a folder that cannot be listed, and it never ends by itself.
    let script = "mkdir -m 300 closed; for i in 1 2 3 4 5 6 7 8; do \
                  head -c 1000000 /dev/zero > closed/$i; done; sleep 600";
    let (why, scratch) = end_of(script, limits);
    assert_eq!(why, BuildEnd::Overrun(Overrun::Disk(4 << 20)));
    assert!(size_of(&scratch.path("results")) < 1 << 20);
    // One that is done before anybody looks, and does well by itself.
    let (why, scratch) = end_of("head -c 6000000 /dev/zero > \"$HOME/big\"", limits);
    assert_eq!(why, BuildEnd::Overrun(Overrun::Disk(4 << 20)));
    assert!(size_of(&scratch.path("results")) < 1 << 20);
}

#[test]
fn a_build_that_makes_too_many_files_or_folders_is_ended() {
    let limits = BuildLimits { files: 50, ..BuildLimits::default() };
    let (why, _scratch) = end_of("for i in $(seq 60); do : > f$i; done; sleep 600", limits);
    assert_eq!(why, BuildEnd::Overrun(Overrun::Files(50)));
    let deep =
        "n=$(printf %0200d 7); for i in $(seq 120); do mkdir $n && cd -P $n; done; sleep 600";
    let (why, scratch) = end_of(deep, BuildLimits::default());
    assert!(matches!(why, BuildEnd::Overrun(Overrun::Depth(_))), "{why:?}");
    let bots = fs::read_dir(scratch.path("results/bots")).expect("the store").flatten();
    let work = bots.map(|bot| bot.path().join("work")).find(|work| work.is_dir());
    let left = work.map_or(0, |work| fs::read_dir(work).expect("reads").count());
    assert_eq!(left, 0);
}

#[test]
fn memory_counts_in_all_processes_of_a_build_together() {
    let limits = BuildLimits { memory: 150 << 20, ..BuildLimits::default() };
    let script = "for i in 1 2 3 4; do python3 -c \
                  'import time; x = b\"1\" * (60 << 20); time.sleep(600)' & done; wait";
    let (why, _scratch) = end_of(script, limits);
    assert_eq!(why, BuildEnd::Overrun(Overrun::Memory(150 << 20)));
}

#[test]
fn processes_of_a_build_are_counted() {
    let limits = BuildLimits { processes: 16, ..BuildLimits::default() };
    let script = "for i in $(seq 40); do sleep 600 & done; wait";
    let (why, _scratch) = end_of(script, limits);
    assert_eq!(why, BuildEnd::Overrun(Overrun::Processes(16)));
}

/// Uses a small disk in a mount namespace that ends with the test.
#[test]
fn a_full_disk_costs_only_the_bot_that_filled_it() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can mount a small disk");
        return;
    }
    let scratch = Scratch::new();
    let greedy = "head -c 20000000 /dev/zero > a; head -c 20000000 /dev/zero > b; \
                  head -c 20000000 /dev/zero > c; exit 0";
    hand_in(&scratch, "greedy", greedy);
    scratch.fast("one", "random").fast("two", "random");
    scratch.write("cup.toml", patient(1));
    fs::create_dir(scratch.path("results")).expect("a folder");
    let binary = env!("CARGO_BIN_EXE_pitmaster");
    let play = format!("{binary} run cup.toml --lanes 1 --require friendly");
    let script = format!(
        "mount -t tmpfs -o size=40m tmpfs results || exit 77; {play}; echo rc $?; {play}; \
         echo rc $?; df -k --output=used results | tail -1"
    );
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &script]).current_dir(scratch.path("."));
    on_a_machine_of_its_own(&mut command);
    let output = command.output().expect("unshare starts");
    if output.status.code() == Some(77) {
        eprintln!("skipped: no small disk can be mounted here");
        return;
    }
    let ran = scratch.ran(output);
    let ended: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("rc ")).collect();
    assert_eq!(ended, ["rc 0", "rc 0"], "{}", ran.all());
    assert!(ran.all().contains("wrote more than"), "{}", ran.all());
    let used = ran.stdout.lines().last().and_then(|line| line.trim().parse::<u64>().ok());
    assert!(used.is_some_and(|kib| kib < 10_000), "{}", ran.all());
}
