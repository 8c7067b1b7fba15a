//! Every hostile bot against a correct one. The source of each bot states the expectations.

mod game;
pub(crate) mod header;
pub(crate) mod room;
pub(crate) mod tiers;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use pitmaster::bots::toolchain::Tools;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use self::game::{Case, Outcome};
use self::header::Header;
use self::room::{follow, hand_in};
use self::tiers::{Around, Tier, tiers};
use crate::contest::patient;
use crate::scratch::Scratch;

/// Bots that are slow, or that only a limit ends.
const SLOW: [&str; 19] = [
    "asks-to-be-traced",
    "closes-input",
    "hang",
    "hang-after-3-moves",
    "ignores-the-end",
    "never-reads",
    "never-ready",
    "no-flush",
    "partial-line",
    "ready-late",
    "resumes-itself-by-signal",
    "resumes-itself-by-timer",
    "slow-loris",
    "steals-by-many-threads",
    "stderr-32-mib",
    "stderr-8-mib",
    "thinks-ahead",
    "thinks-on-opponents-time",
    "wrong-greeting",
];

/// One attack of each kind, for the tier that prevents none.
const A_HANDFUL: [&str; 6] =
    ["fork-bomb", "network", "reads-files", "sees-processes", "signals-referee", "writes-files"];

/// Names of all hostile bots.
pub(crate) fn all() -> BTreeSet<String> {
    let folders = fs::read_dir(header::folder("")).expect("the hostile bots").flatten();
    let folders = folders.filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Whether a bot attacks the machine, in addition to breaking the protocol.
pub(crate) fn attacks_the_machine(bot: &str) -> bool {
    Header::of(bot).is_attack()
}

/// Whether all commands that a bot needs are installed. `.ci/full` installs all languages and
/// allows no gap.
pub(crate) fn is_at_hand(folder: &str, bot: &str) -> bool {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(bot).join("bot.toml");
    let manifest: toml::Table = fs::read_to_string(file).expect("reads").parse().expect("TOML");
    let tools = Tools::of_this_machine();
    let needs = manifest["needs"].as_array().expect("a list").iter().filter_map(|one| one.as_str());
    let missing: Vec<_> = needs.filter(|command| tools.find(command).is_none()).collect();
    let all = std::env::var_os("PITMASTER_ALL_LANGUAGES").is_some();
    assert!(missing.is_empty() || !all, "{folder}/{bot} cannot be tested without {missing:?}");
    for command in &missing {
        eprintln!("skipped: {folder}/{bot}: there is no {command}");
    }
    missing.is_empty()
}

fn cases(bots: &[String], tier: &Tier, around: Around) -> Vec<Case> {
    let case = |bot: &String| Case { bot: bot.clone(), tier: tier.clone(), around };
    bots.iter().map(case).collect()
}

/// Plays all cases, reports all violations, and lists the skipped cases.
fn play_all(cases: &[Case]) {
    let skipped = Mutex::new(Vec::new());
    on_two_cores(cases, |case| {
        if let Outcome::Skipped(why) = case.play()? {
            skipped.lock().expect("no panic").push(format!("{}: {why}", case.bot));
        }
        Ok(())
    });
    let skipped = skipped.into_inner().expect("no panic");
    for one in &skipped {
        eprintln!("skipped: {one}");
    }
    assert!(skipped.len() < cases.len(), "nothing was tried");
}

/// Tiers of this machine; prints those that are unavailable.
fn offered(around: Around) -> Vec<Tier> {
    if let Some(why) = around.lacks() {
        eprintln!("skipped: all under {around:?}: {why}");
        return Vec::new();
    }
    let (offered, lacking) = tiers(around);
    for one in lacking {
        eprintln!("skipped: all in {one}");
    }
    offered
}

#[test]
fn every_slow_one_is_there_and_every_header_is_read() {
    let all = all();
    assert!(all.is_superset(&SLOW.map(str::to_owned).into()));
    let attacks = all.iter().filter(|bot| attacks_the_machine(bot)).count();
    assert!(attacks >= 81, "{attacks} attack the machine");
    for (bot, tier) in all.iter().flat_map(|bot| ["bare", "portable", "full"].map(|t| (bot, t))) {
        let header = Header::of(bot);
        assert!(!header.endings(tier).is_empty());
        assert_eq!(header.outcomes(tier).is_empty(), !header.is_attack(), "{bot}");
    }
}

#[test]
fn those_whose_games_end_by_themselves() {
    let best = offered(Around::NOTHING).pop().expect("there is always a tier");
    let quick: Vec<_> = all().into_iter().filter(|bot| !SLOW.contains(&&**bot)).collect();
    play_all(&cases(&quick, &best, Around::NOTHING));
}

#[test]
fn a_handful_where_nothing_stops_them() {
    let tiers = offered(Around::NOTHING);
    // Where there is no other tier the other test plays all in this one.
    if tiers.len() > 1 {
        play_all(&cases(&A_HANDFUL.map(str::to_owned), &tiers[0], Around::NOTHING));
    }
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn all_in_every_tier() {
    let all: Vec<_> = all().into_iter().collect();
    let tiers = offered(Around::NOTHING);
    let cases: Vec<_> = tiers.iter().flat_map(|tier| cases(&all, tier, Around::NOTHING)).collect();
    play_all(&cases);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn attacks_inside_of_a_container_and_as_an_ordinary_user() {
    let attacks: Vec<_> = all().into_iter().filter(|bot| attacks_the_machine(bot)).collect();
    let mut all = Vec::new();
    for (as_nobody, in_container) in [(true, false), (false, true), (true, true)] {
        let around = Around { as_nobody, in_container };
        let tiers = offered(around);
        all.extend(tiers.iter().flat_map(|tier| cases(&attacks, tier, around)));
    }
    assert!(!all.is_empty(), "no condition could be had here");
    play_all(&all);
}

/// Bots that end badly do not leak descriptors of the referee.
#[test]
#[ignore = "slow: .ci/full runs it"]
fn descriptors_do_not_leak() {
    for tier in offered(Around::NOTHING) {
        for bot in ["closes-output", "crash-at-once", "daemon", "exits-after-move", "fork-bomb"] {
            let after = |pairs| {
                let scratch = Around::NOTHING.scratch();
                hand_in(&scratch, bot);
                scratch.write("cup.toml", patient(pairs));
                let mut run = scratch.start(&format!("run cup.toml --lanes 1 {}", tier.args()));
                let health = follow(&mut run);
                run.end(&scratch);
                health.descriptors()
            };
            let (few, many) = (after(2), after(20));
            assert!(many < few + 18, "{bot} in {}: {few}, then {many}", tier.name);
        }
    }
}

/// Tries all cases, up to two at once. Reports all failures.
pub(crate) fn on_two_cores<T: Sync>(all: &[T], attempt: impl Fn(&T) -> Result<(), String> + Sync) {
    let queue = Mutex::new(all.iter());
    let found = Mutex::new(Vec::new());
    let (queue, found, attempt) = (&queue, &found, &attempt);
    std::thread::scope(|scope| {
        for core in two_cores() {
            scope.spawn(move || {
                // The runs inherit it, so that their lanes are not on the same core.
                sched_setaffinity(None, &core).expect("a core");
                while let Some(one) = { queue.lock().expect("no panic").next() } {
                    let wrong = attempt(one).err();
                    found.lock().expect("no panic").extend(wrong);
                }
            });
        }
    });
    let found = found.lock().expect("no panic");
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn two_cores() -> Vec<CpuSet> {
    let here = sched_getaffinity(None).expect("the cores of this process");
    let cores = (0..CpuSet::MAX_CPU).filter(|&core| here.is_set(core)).take(2);
    let only = |core| {
        let mut set = CpuSet::new();
        set.set(core);
        set
    };
    cores.map(only).collect()
}

const TEXTS: &str = r"
import sys
texts = ['=HYPERLINK(\'http://x\')', '@SUM(1)', '+1', '-1', '\x1b]0;pwned\x07\x1b[31m', '\u202egnp\u2066',
         '</script><img src=x>', '../../../etc/passwd']
count = 0
for line in sys.stdin:
    if line.startswith('pitmaster') or line.startswith('newgame'):
        print('ready', texts[0])
    if line.startswith('seed'):
        count = int(line.split()[1])
    if line.startswith('go'):
        text = texts[count % len(texts)]
        print(text, file=sys.stderr)
        print(text)
    sys.stdout.flush()
";

#[test]
fn no_text_of_a_bot_reaches_a_file_or_a_terminal_as_it_is() {
    let scratch = Scratch::new();
    scratch.fast("good", "random").sample("hostile/hostile-text");
    scratch.bot("writer", "pitmaster", TEXTS);
    scratch.write("cup.toml", patient(2));
    let ran = scratch.run("run cup.toml").done();
    let shown = scratch.run("standings results/cup --forfeits").done();
    let json = scratch.run("run cup.toml --json --out again").done();
    for ran in [ran, shown, json] {
        assert_plain("stdout", &ran.raw.stdout);
        assert_plain("stderr", &ran.raw.stderr);
    }
    assert!(scratch.column("results/cup/games.csv", "line").iter().any(|line| !line.is_empty()));
    let mut files = 0;
    for folder in ["results/cup", "again/cup"] {
        for entry in fs::read_dir(scratch.path(folder)).expect("results").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !entry.path().is_file() || name.starts_with("tournament.db") {
                continue;
            }
            files += 1;
            assert_plain(&name, &fs::read(entry.path()).expect("reads"));
            if entry.path().extension().is_some_and(|extension| extension == "csv") {
                assert_no_formulas(&name, &entry.path());
            }
        }
    }
    assert!(files >= 12, "{files} files");
}

/// Checks for characters that control a terminal or reverse text.
fn assert_plain(name: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let steers = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found = text.lines().find(|line| line.contains(steers));
    assert_eq!(found, None, "{name}");
}

/// Checks that a spreadsheet would evaluate no cell.
fn assert_no_formulas(name: &str, path: &Path) {
    let mut reader = csv::Reader::from_path(path).expect("opens");
    for row in reader.records() {
        for cell in &row.expect("a row") {
            let starts = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!starts || cell.parse::<f64>().is_ok(), "{name}: {cell:?}");
        }
    }
}
