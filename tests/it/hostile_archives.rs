//! Hostile archives as the submission of one of three people, through `pitmaster intake`: nothing
//! is written outside the folder of the class, at most 256 MiB and 10 s are used, and only that
//! person is refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::generator::{Hostile, archive_of, hostile};
use crate::scratch::{Scratch, on_a_machine_of_its_own};

const MOST_KIB: u64 = 256 << 10;
const MOST_SECONDS: f64 = 10.0;
/// Folder of the class, deep enough that paths that lead upward stay in the scratch folder.
const DEEP: &str = "a/b/c/d";

/// Runs a program and prints its exit code, its peak memory in KiB and its CPU time in seconds.
const MEASURE: &str = "import os, sys\n\
    pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])\n\
    _, status, usage = os.wait4(pid, 0)\n\
    took = usage.ru_utime + usage.ru_stime\n\
    print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, took, file=sys.stderr)\n";

struct Measured {
    code: i32,
    kib: u64,
    seconds: f64,
    stdout: String,
}

fn intake(scratch: &Scratch) -> Measured {
    let mut command = Command::new("python3");
    command.args(["-c", MEASURE, env!("CARGO_BIN_EXE_pitmaster"), "intake"]);
    command.args([&format!("{DEEP}/export.zip"), "--into", &format!("{DEEP}/class")]);
    command.current_dir(scratch.path("")).env("LC_ALL", "C");
    on_a_machine_of_its_own(&mut command);
    let output = command.output().expect("python3");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let last: Vec<_> = stderr.lines().last().unwrap_or_default().split(' ').collect();
    let [code, kib, seconds] = last[..] else { panic!("{stderr}") };
    Measured {
        code: code.parse().expect("a number"),
        kib: kib.parse().expect("a number"),
        seconds: seconds.parse().expect("a number"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
    }
}

/// All files in a folder outside of the class; links are not followed.
fn outside(folder: &Path, class: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        if path == class {
            continue;
        }
        if entry.file_type().expect("a type").is_dir() {
            outside(&path, class, found);
        }
        found.insert(path);
    }
}

fn is_kept_out(hostile: &Hostile) -> String {
    let scratch = Scratch::new();
    let own = "Mal Ory_102_assignsubmission_file/bot.";
    let export = archive_of(&[
        ("Ada A_101_assignsubmission_file/bot.py".to_owned(), b"print('a1')\n".to_vec()),
        (format!("{own}{}", hostile.ending), hostile.bytes.clone()),
        ("Bob B_103_assignsubmission_file/bot.py".to_owned(), b"print('a1')\n".to_vec()),
    ]);
    scratch.write(&format!("{DEEP}/export.zip"), export);
    let class = scratch.path(&format!("{DEEP}/class"));
    let everything = || {
        let mut found = BTreeSet::new();
        outside(&scratch.path(""), &class, &mut found);
        found
    };
    let before = everything();
    let ran = intake(&scratch);
    let what = hostile.what;
    assert_eq!(ran.code, 0, "{what}: {}", ran.stdout);
    assert_eq!(before, everything(), "{what}");
    assert!(!Path::new("/tmp/pitmaster-evil").exists(), "{what}");
    let list = scratch.read(&format!("{DEEP}/class/class.csv"));
    let row = |key: &str| list.lines().find(|row| row.starts_with(key)).unwrap_or_default();
    assert!(row("101").contains(",ready,") && row("103").contains(",ready,"), "{what}: {list}");
    let (state, why) = hostile.refused.map_or((",ready,", hostile.what), |why| (",refused,", why));
    let why = if hostile.refused.is_some() { why } else { hostile.name };
    assert!(list.contains(state) && list.contains(why), "{what}: {list}");
    assert!(ran.kib <= MOST_KIB, "{what}: {} KiB", ran.kib);
    assert!(ran.seconds <= MOST_SECONDS, "{what}: {} s", ran.seconds);
    format!(
        "{what}: {} KiB in the archive, {} MiB, {:.1} s",
        hostile.bytes.len() >> 10,
        ran.kib >> 10,
        ran.seconds
    )
}

#[test]
#[ignore = "slow: two minutes, for archives that unpack to gigabytes"]
fn hostile_archives_are_kept_out() {
    let all = hostile(true);
    assert!(all.len() >= 40, "{}", all.len());
    let is_let_in = |archive: &&Hostile| {
        std::panic::catch_unwind(|| println!("{}", is_kept_out(archive))).is_err()
    };
    let let_in: Vec<_> = all.iter().filter(is_let_in).map(|archive| archive.what).collect();
    assert!(let_in.is_empty(), "{let_in:?}");
}

/// All archives except bombs, in every run.
#[test]
fn archives_that_lead_outside_are_kept_out() {
    for archive in hostile(false) {
        is_kept_out(&archive);
    }
}
