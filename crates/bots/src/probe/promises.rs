//! Guarantees derived from the findings of a probe, with advice for improving them.

use std::collections::BTreeMap;
use std::time::Duration;

use pitmaster_core::{Isolation, Kept, Level, Promise, Tier};
use pitmaster_sandbox::Sandbox;

use super::measure::{Findings, WATCH};

/// CPU time that a stopped bot may get before it stops.
pub(super) const STANDSTILL: Duration = Duration::from_millis(3);

pub(super) fn kept(findings: &Findings, sandbox: &Sandbox) -> BTreeMap<Promise, Kept> {
    let judge = Judge { findings, sandbox };
    Promise::ALL.iter().map(|&promise| (promise, judge.judge(promise))).collect()
}

struct Judge<'a> {
    findings: &'a Findings,
    sandbox: &'a Sandbox,
}

impl Judge<'_> {
    fn judge(&self, promise: Promise) -> Kept {
        match promise {
            Promise::Wall => self.wall(),
            Promise::Cpu => self.cpu(),
            Promise::Mem => self.mem(),
            Promise::Procs => self.procs(),
            Promise::Threads => self.threads(),
            Promise::Out => enforced("the referee reads within bounds and keeps only the end"),
            Promise::Fsize => self.refused("fsize", "RLIMIT_FSIZE; a file beyond it"),
            Promise::Disk => self.disk(),
            Promise::Net => self.refused("net", "TCP, UDP, Unix and vsock sockets"),
            Promise::Read => self.refused("read", "foreign files and the referee's secrets"),
            Promise::Meta => self.meta(),
            Promise::Write => self.write(),
            Promise::Signal => self.refused("signal", "signals, cores and memory of the referee"),
            Promise::Turn => self.turn(),
            Promise::Fds => self.refused("fds", "looking for an open file"),
            Promise::Covert => self.covert(),
        }
    }

    /// Enforced if all attempts of a kind were refused.
    fn refused(&self, kind: &str, tried: &str) -> Kept {
        let attempts = self.findings.attempts.get(kind).map_or(&[][..], Vec::as_slice);
        match (attempts, self.done(kind).as_slice()) {
            ([], _) => kept_as(Level::Absent, "the probe did not try"),
            ([(_, Some(why))], []) => enforced(&format!("{tried} tried: refused ({why})")),
            (_, []) => enforced(&format!("{tried} tried: refused")),
            (_, done) => {
                kept_as(Level::Absent, &format!("the probe succeeded with {}", list(done)))
            }
        }
    }

    /// Guarantee on writing. Builds get a message if they are more restricted here than elsewhere.
    fn write(&self) -> Kept {
        let kept = self.refused("write", "changing a foreign file, its mode or times");
        if self.sandbox.supervises() || self.sandbox.tier() == Tier::Bare {
            return kept;
        }
        let how = format!(
            "{}; builds change modes of no file here, as a container has taken seccomp's listener",
            kept.how
        );
        Kept { how, ..kept }
    }

    fn is_refused(&self, kind: &str) -> bool {
        self.refused(kind, "").level == Level::Enforced
    }

    fn wall(&self) -> Kept {
        let micros = self.findings.overshoot.as_micros();
        enforced(&format!("deadlines by ppoll, missed by {micros} µs here"))
    }

    fn cpu(&self) -> Kept {
        match (self.findings.counts_cpu, self.is_contained()) {
            (false, _) => kept_as(Level::Absent, "the CPU time of a process cannot be read"),
            (true, true) => enforced("counted at every move, RLIMIT_CPU beyond"),
            (true, false) => kept_as(Level::Limited, "processes that a bot starts are not counted"),
        }
    }

    /// Whether no process of a bot can escape.
    fn is_contained(&self) -> bool {
        self.is_refused("procs") || self.sandbox.controllers().is_some()
    }

    fn mem(&self) -> Kept {
        if self.sandbox.controllers().is_some_and(|groups| groups.memory) {
            return enforced("memory.max of a control group");
        }
        match (self.is_refused("mem"), self.is_refused("procs")) {
            (false, _) => self.refused("mem", ""),
            (true, true) => {
                let what = self.done("uncounted").join(" or ");
                let what = if what.is_empty() { String::new() } else { format!(" or {what}") };
                kept_as(
                    Level::Limited,
                    &format!("RLIMIT_DATA: private memory, not mapped files{what}"),
                )
            }
            (true, false) => kept_as(Level::Limited, "RLIMIT_DATA, for each process by itself"),
        }
    }

    /// The attempts of a kind that succeeded.
    fn done(&self, kind: &str) -> Vec<&str> {
        let attempts = self.findings.attempts.get(kind).map_or(&[][..], Vec::as_slice);
        let done = attempts.iter().filter(|(_, refused)| refused.is_none());
        done.map(|(name, _)| name.as_str()).collect()
    }

    fn procs(&self) -> Kept {
        let allowed = self.sandbox.resources().processes;
        match (self.is_refused("procs"), self.sandbox.controllers().is_some()) {
            (true, _) => enforced("a bot cannot start processes; killing it leaves nothing"),
            (false, true) if allowed => enforced("allowed; cgroup.kill ends all of them"),
            (false, true) => enforced("cgroup.kill ends all of them"),
            (false, false) => {
                kept_as(Level::Limited, "its group is ended; whoever leaves it is searched for")
            }
        }
    }

    fn threads(&self) -> Kept {
        if self.sandbox.controllers().is_some_and(|groups| groups.pids) {
            return enforced("pids.max of a control group");
        }
        if self.is_refused("threads") {
            return enforced("RLIMIT_NPROC of a user of its own");
        }
        kept_as(Level::Absent, "not limited; all share one core and are stopped together")
    }

    fn disk(&self) -> Kept {
        let has_scratch = self.sandbox.resources().scratch > 0;
        match (self.is_refused("write"), has_scratch, self.is_refused("disk")) {
            (false, ..) => kept_as(Level::Absent, "it can write outside of its scratch space"),
            (true, false, _) => enforced("it has no scratch space, and writes nowhere else"),
            (true, true, true) => enforced("its scratch space is a tmpfs of that size"),
            (true, true, false) => {
                kept_as(Level::Limited, "the size of a file is bounded, not their number")
            }
        }
    }

    fn meta(&self) -> Kept {
        if self.is_refused("meta") {
            return enforced("it has a root folder of its own");
        }
        kept_as(Level::Absent, "a bot can see names and sizes of files (stat is not governed)")
    }

    fn turn(&self) -> Kept {
        let Some(stolen) = self.findings.stolen else {
            return kept_as(Level::Absent, "it could not be stopped");
        };
        let how = format!(
            "{} to every thread; a spinning probe got {:.2} ms in {} ms",
            if self.sandbox.resources().processes { "cgroup.freeze" } else { "SIGSTOP" },
            stolen.as_secs_f64() * 1e3,
            WATCH.as_millis()
        );
        match (stolen <= STANDSTILL, self.is_contained()) {
            (true, true) => enforced(&how),
            (true, false) => {
                kept_as(Level::Limited, "a process that it starts can set it going again")
            }
            (false, _) => kept_as(Level::Detected, &how),
        }
    }

    fn covert(&self) -> Kept {
        let kept = self.refused("covert", "");
        if kept.level != Level::Enforced {
            return kept;
        }
        let talk = self.done("talk").into_iter().map(|what| format!(", {what}"));
        let talk: String = talk.collect();
        let how = format!("no shared memory, files or locks; caches, timing{talk} remain");
        kept_as(Level::Limited, &how)
    }
}

fn kept_as(level: Level, how: &str) -> Kept {
    Kept { level, how: how.to_owned() }
}

fn enforced(how: &str) -> Kept {
    kept_as(Level::Enforced, how)
}

fn list(words: &[&str]) -> String {
    words.join(", ")
}

/// Advice that would improve a guarantee, as far as a user of this machine can follow it. `full` is
/// whether the full tier works here.
pub fn improvement(promise: Promise, isolation: &Isolation, full: bool) -> Option<&'static str> {
    const DELEGATE: &str =
        "a control group: systemd-run --user --scope -p Delegate=yes pitmaster …";
    const PORTABLE: &str =
        "--isolation portable; it needs Linux 5.13 or later with Landlock and seccomp";
    if isolation.level(promise) == Level::Enforced {
        return None;
    }
    match promise {
        Promise::Mem | Promise::Threads => Some(DELEGATE),
        Promise::Disk if isolation.tier == Tier::Bare => Some(PORTABLE),
        Promise::Meta | Promise::Disk if full => Some("--isolation full"),
        Promise::Meta | Promise::Disk => {
            Some("user namespaces, which this machine refuses, and then --isolation full")
        }
        Promise::Covert => None,
        _ if isolation.tier == Tier::Bare => Some(PORTABLE),
        Promise::Turn => Some("a machine with less load"),
        _ => Some("a newer kernel: Linux 6.12 and later refuse more"),
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Resources;

    use super::*;

    fn findings(done: &[&str]) -> Findings {
        let kinds = [
            "fds", "read", "meta", "write", "net", "signal", "covert", "procs", "fsize", "mem",
            "threads",
        ];
        let attempt = |kind: &str| {
            let refused = (!done.contains(&kind)).then(|| "no".to_owned());
            (kind.to_owned(), vec![("it".to_owned(), refused)])
        };
        Findings {
            attempts: kinds.into_iter().map(attempt).collect(),
            stolen: Some(Duration::from_micros(30)),
            overshoot: Duration::from_micros(90),
            counts_cpu: true,
        }
    }

    fn levels(findings: &Findings, tier: Tier) -> BTreeMap<Promise, Level> {
        let sandbox = Sandbox::untested(tier, &Resources::default()).unwrap();
        kept(findings, &sandbox).into_iter().map(|(promise, kept)| (promise, kept.level)).collect()
    }

    #[test]
    fn a_promise_is_what_came_of_the_attempts() {
        let all = levels(&findings(&["threads", "meta"]), Tier::Portable);
        assert_eq!(all[&Promise::Read], Level::Enforced);
        assert_eq!((all[&Promise::Meta], all[&Promise::Threads]), (Level::Absent, Level::Absent));
        assert_eq!((all[&Promise::Procs], all[&Promise::Turn]), (Level::Enforced, Level::Enforced));
        let one = levels(&findings(&["net"]), Tier::Portable);
        assert_eq!((one[&Promise::Net], one[&Promise::Read]), (Level::Absent, Level::Enforced));
    }

    #[test]
    fn who_starts_processes_is_bounded_and_not_more() {
        let bare = levels(&findings(&["procs", "write", "read"]), Tier::Bare);
        for promise in [Promise::Cpu, Promise::Mem, Promise::Procs, Promise::Turn] {
            assert_eq!(bare[&promise], Level::Limited, "{promise}");
        }
        assert_eq!(bare[&Promise::Disk], Level::Absent);
    }

    #[test]
    fn a_bot_that_runs_on_while_stopped_is_only_noticed() {
        let stolen = Some(Duration::from_millis(20));
        let found = Findings { stolen, ..findings(&[]) };
        assert_eq!(levels(&found, Tier::Portable)[&Promise::Turn], Level::Detected);
        let found = Findings { stolen: None, counts_cpu: false, ..findings(&[]) };
        let levels = levels(&found, Tier::Portable);
        assert_eq!((levels[&Promise::Turn], levels[&Promise::Cpu]), (Level::Absent, Level::Absent));
    }

    #[test]
    fn what_is_better_is_the_weakest_tier_that_keeps_it() {
        let sandbox = Sandbox::untested(Tier::Bare, &Resources::default()).unwrap();
        let promises = kept(&findings(&["write", "read", "net"]), &sandbox);
        let bare = Isolation { tier: Tier::Bare, cgroup: false, promises };
        for promise in [Promise::Disk, Promise::Net] {
            let better = improvement(promise, &bare, true).unwrap_or_default();
            assert!(better.starts_with("--isolation portable"), "{promise}: {better}");
        }
        assert_eq!(improvement(Promise::Wall, &bare, true), None);
    }

    #[test]
    fn what_was_not_tried_is_not_promised() {
        let nothing = Findings::default();
        let levels = levels(&nothing, Tier::Portable);
        assert_eq!(levels[&Promise::Read], Level::Absent);
        assert_eq!(levels[&Promise::Fds], Level::Absent);
    }
}
