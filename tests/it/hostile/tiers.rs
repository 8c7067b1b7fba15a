//! Conditions of the games: the user and the environment of the referee, and the tier.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::scratch::{Scratch, on_a_machine_of_its_own};

/// User and group id of an ordinary user (nobody).
const NOBODY: u32 = 65534;

/// PATH of an ordinary user, without folders of foreign homes.
const PATH_OF_ALL: &str = "/usr/local/bin:/usr/bin:/bin";

/// Environment of the referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Around {
    /// Whether it runs as nobody instead of as the user of the tests.
    pub(crate) as_nobody: bool,
    /// Whether it runs under a filter that refuses the system calls that containers refuse.
    pub(crate) in_container: bool,
}

impl Around {
    /// Environment of the tests themselves.
    pub(crate) const NOTHING: Self = Self { as_nobody: false, in_container: false };

    /// Reason why it is unavailable here, if it is.
    pub(crate) fn lacks(self) -> Option<String> {
        if self.as_nobody && !rustix::process::geteuid().is_root() {
            return Some("only root can become an ordinary user".to_owned());
        }
        let launcher = launcher();
        (self.in_container && !launcher.is_file())
            .then(|| format!("there is no {}; `cargo build --examples`", launcher.display()))
    }

    /// A scratch folder that the referee can write to, with a binary that it can start.
    pub(crate) fn scratch(self) -> Scratch {
        let scratch = Scratch::new();
        std::fs::create_dir(scratch.path("home")).expect("a folder");
        if self.as_nobody {
            // By another process: whatever this one starts meanwhile would keep the copy open for
            // writing, and such a file cannot be started.
            let mut copy = Command::new("cp");
            copy.arg(env!("CARGO_BIN_EXE_pitmaster")).arg(scratch.path("pitmaster"));
            assert!(copy.status().expect("cp starts").success());
            self.hand_over(&scratch);
        }
        scratch
    }

    /// Makes the referee's user the owner of all files in a scratch folder.
    pub(crate) fn hand_over(self, scratch: &Scratch) {
        if self.as_nobody {
            give(&scratch.path("."));
        }
    }

    /// The binary in a scratch folder, with blank-separated arguments.
    pub(crate) fn command(self, scratch: &Scratch, args: &str) -> Command {
        let binary = if self.as_nobody {
            scratch.path("pitmaster")
        } else {
            env!("CARGO_BIN_EXE_pitmaster").into()
        };
        let mut command = if self.in_container {
            let mut command = Command::new(launcher());
            command.arg(binary);
            command
        } else {
            Command::new(binary)
        };
        command.args(args.split_ascii_whitespace()).current_dir(scratch.path("."));
        on_a_machine_of_its_own(command.env("HOME", scratch.path("home")));
        if self.as_nobody {
            command.uid(NOBODY).gid(NOBODY).env("PATH", PATH_OF_ALL);
        }
        command
    }
}

fn launcher() -> PathBuf {
    let own = std::env::current_exe().expect("the test has a path");
    let profile = own.parent().and_then(Path::parent).expect("it lies in deps/");
    profile.join("examples/like_a_container")
}

/// Skips links, which lead out of the folder.
fn give(path: &Path) {
    let facts = std::fs::symlink_metadata(path).expect("it is there");
    if facts.is_symlink() {
        return;
    }
    chown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
    if facts.is_dir() {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("sets");
        let entries = std::fs::read_dir(path).expect("reads").flatten();
        entries.for_each(|entry| give(&entry.path()));
    }
}

/// An available tier.
#[derive(Debug, Clone)]
pub(crate) struct Tier {
    pub(crate) name: String,
    /// Level of each promise.
    levels: BTreeMap<String, String>,
}

impl Tier {
    /// Arguments that select exactly this tier.
    pub(crate) fn args(&self) -> String {
        format!("--isolation {} --require friendly", self.name)
    }

    /// Reason why an attack may succeed here although a promise covers it, if it may.
    pub(crate) fn does_not_keep(&self, promise: &str) -> Option<String> {
        let level = self.levels.get(promise)?;
        let kept = level == "enforced";
        (!kept).then(|| format!("{promise} is {level} in {} here", self.name))
    }
}

/// Available tiers from the weakest, and unavailable ones with the reason.
pub(crate) fn tiers(around: Around) -> (Vec<Tier>, Vec<String>) {
    let scratch = around.scratch();
    let output = around.command(&scratch, "doctor --json").output().expect("the binary starts");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("doctor: {error}\n{}", String::from_utf8_lossy(&output.stderr))
    });
    sorted(&report)
}

/// Tiers in the output of `doctor --json`.
fn sorted(report: &Value) -> (Vec<Tier>, Vec<String>) {
    let all = report["tiers"].as_array().expect("a list of tiers");
    let (works, lacking): (Vec<_>, Vec<_>) = all.iter().partition(|tier| tier["works"] == true);
    let mut offered: Vec<_> = works.into_iter().map(tier).collect();
    let strength =
        |tier: &Tier| ["bare", "portable", "full"].iter().position(|name| *name == tier.name);
    offered.sort_by_key(strength);
    let why = |tier: &Value| format!("{}: {}", tier["tier"], tier["why"]);
    (offered, lacking.into_iter().map(why).collect())
}

fn tier(value: &Value) -> Tier {
    let promises = value["promises"].as_object().expect("promises by name");
    let level = |(name, kept): (&String, &Value)| {
        (name.clone(), kept["level"].as_str().expect("a level").to_owned())
    };
    let name = value["tier"].as_str().expect("a name").to_owned();
    Tier { name, levels: promises.iter().map(level).collect() }
}

#[test]
fn tiers_are_read_from_what_doctor_says() {
    let (offered, lacking) = sorted(&serde_json::json!({"tiers": [
        {"tier": "full", "works": false, "why": "no namespaces", "promises": null},
        {"tier": "portable", "works": true, "why": null,
         "promises": {"net": {"level": "enforced", "how": ""}, "mem": {"level": "limited", "how": ""}}},
        {"tier": "bare", "works": true, "why": null, "promises": {"net": {"level": "absent", "how": ""}}},
    ]}));
    assert_eq!(lacking, ["\"full\": \"no namespaces\""]);
    let names: Vec<_> = offered.iter().map(|tier| &*tier.name).collect();
    assert_eq!(names, ["bare", "portable"]);
    assert_eq!(offered[1].args(), "--isolation portable --require friendly");
    assert_eq!(offered[1].does_not_keep("net"), None);
    let why = offered[1].does_not_keep("mem");
    assert_eq!(why.as_deref(), Some("mem is limited in portable here"));
}
