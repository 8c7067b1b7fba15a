//! Host facts from kernel files, read under a root so that tests can provide their own.

use std::fs;
use std::path::{Path, PathBuf};

use super::Fact;

/// Root folder of the files.
struct Root<'p>(&'p Path);

impl Root<'_> {
    fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok().map(|text| text.trim().to_owned())
    }

    /// Content of the same file for every core.
    fn of_cores(&self, file: &str) -> Vec<String> {
        let folders = fs::read_dir(self.path("sys/devices/system/cpu")).into_iter().flatten();
        let is_core = |name: &str| {
            let number = name.strip_prefix("cpu");
            number.is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let names = folders.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        names
            .filter(|name| is_core(name))
            .filter_map(|name| self.text(&format!("sys/devices/system/cpu/{name}/{file}")))
            .collect()
    }
}

pub(super) fn read(root: &Path, cores: usize) -> Vec<Fact> {
    let root = Root(root);
    vec![
        load(&root, cores),
        cpuset(&root),
        throttling(&root),
        siblings(&root),
        governor(&root),
        boost(&root),
        asymmetry(&root),
        swap(&root),
        huge_pages(&root),
        core_pattern(&root),
        container(&root),
    ]
}

fn load(root: &Root<'_>, cores: usize) -> Fact {
    let text = root.text("proc/loadavg").unwrap_or_default();
    let Some(load) = text.split(' ').next().and_then(|load| load.parse::<f64>().ok()) else {
        return Fact::unknown("load");
    };
    let value = format!("{load:.1} on {cores} cores");
    if load < 0.5 * cores as f64 {
        return Fact::good("load", value);
    }
    Fact::caution("load", value, "times are unsure while other programs run; end them or wait")
}

fn cpuset(root: &Root<'_>) -> Fact {
    let status = root.text("proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let online = root.text("sys/devices/system/cpu/online");
    let (Some(allowed), Some(online)) = (allowed.map(str::trim), online) else {
        return Fact::unknown("cpuset");
    };
    if allowed == online {
        return Fact::good("cpuset", format!("all cores ({online})"));
    }
    let advice = "only these are used, whatever runs on the others";
    Fact::caution("cpuset", format!("cores {allowed} of {online}"), advice)
}

/// CPU quota of the control group, which pauses its processes once used up.
fn throttling(root: &Root<'_>) -> Fact {
    let files = ["sys/fs/cgroup/cpu.stat", "sys/fs/cgroup/cpu/cpu.stat"];
    let Some(stat) = files.iter().find_map(|file| root.text(file)) else {
        return Fact::unknown("throttling");
    };
    let count = stat.lines().find_map(|line| line.strip_prefix("nr_throttled "));
    match count.and_then(|count| count.trim().parse::<u64>().ok()) {
        None | Some(0) => Fact::good("throttling", "never"),
        Some(count) => {
            let advice = "the quota of the control group pauses everything; raise it";
            Fact::caution("throttling", format!("{count} times so far"), advice)
        }
    }
}

fn siblings(root: &Root<'_>) -> Fact {
    match root.text("sys/devices/system/cpu/smt/active").as_deref() {
        Some("0") => Fact::good("SMT", "off"),
        Some("1") => {
            let advice = "lanes use one of each pair; what runs on the other slows them down";
            Fact::caution("SMT", "on: two threads share a core", advice)
        }
        _ => Fact::unknown("SMT"),
    }
}

fn governor(root: &Root<'_>) -> Fact {
    let mut governors = root.of_cores("cpufreq/scaling_governor");
    governors.sort();
    governors.dedup();
    match governors.as_slice() {
        [] => Fact::unknown("governor"),
        [one] if one == "performance" => Fact::good("governor", one.clone()),
        all => {
            let advice = "the first moves are slower; cpupower frequency-set -g performance";
            Fact::caution("governor", all.join(", "), advice)
        }
    }
}

fn boost(root: &Root<'_>) -> Fact {
    let boost = root.text("sys/devices/system/cpu/cpufreq/boost");
    let no_turbo = root.text("sys/devices/system/cpu/intel_pstate/no_turbo");
    match (boost.as_deref(), no_turbo.as_deref()) {
        (Some("0"), _) | (_, Some("1")) => Fact::good("boost", "off"),
        (Some(_), _) | (_, Some(_)) => {
            let advice = "speed depends on how many cores work; matters for nodes per second only";
            Fact::caution("boost", "on", advice)
        }
        (None, None) => Fact::unknown("boost"),
    }
}

fn asymmetry(root: &Root<'_>) -> Fact {
    let mut speeds = root.of_cores("cpu_capacity");
    if speeds.is_empty() {
        speeds = root.of_cores("cpufreq/cpuinfo_max_freq");
    }
    speeds.sort();
    speeds.dedup();
    match speeds.len() {
        0 => Fact::unknown("kinds of cores"),
        1 => Fact::good("kinds of cores", "one"),
        kinds => {
            let advice = "lanes on slow cores are worse off; use taskset to keep to one kind";
            Fact::caution("kinds of cores", kinds.to_string(), advice)
        }
    }
}

fn swap(root: &Root<'_>) -> Fact {
    let text = root.text("proc/meminfo").unwrap_or_default();
    let kib = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()
    };
    let (Some(total), Some(free)) = (kib("SwapTotal:"), kib("SwapFree:")) else {
        return Fact::unknown("swap");
    };
    match (total, total.saturating_sub(free)) {
        (0, _) => Fact::good("swap", "none"),
        (_, used) if used < 1024 => Fact::good("swap", "none in use"),
        (_, used) => {
            let advice = "a bot whose memory was put on the disk waits for it; swapoff -a";
            Fact::caution("swap", format!("{} MiB in use", used / 1024), advice)
        }
    }
}

fn huge_pages(root: &Root<'_>) -> Fact {
    let text = root.text("sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    let chosen = text.split(['[', ']']).nth(1);
    match chosen {
        None => Fact::unknown("huge pages"),
        Some("always") => {
            let advice = "memory is counted in pieces of 2 MiB, and pauses come with them";
            Fact::caution("huge pages", "always", advice)
        }
        Some(other) => Fact::good("huge pages", other),
    }
}

fn core_pattern(root: &Root<'_>) -> Fact {
    match root.text("proc/sys/kernel/core_pattern") {
        None => Fact::unknown("core dumps"),
        Some(text) if text.starts_with('|') => {
            let program = text[1..].split(' ').next().unwrap_or_default().to_owned();
            let advice = "each bot that crashes starts it; sysctl kernel.core_pattern=core";
            Fact::caution("core dumps", format!("go to {program}"), advice)
        }
        Some(_) => Fact::good("core dumps", "to files, and bots write none"),
    }
}

fn container(root: &Root<'_>) -> Fact {
    let release = root.text("proc/sys/kernel/osrelease").unwrap_or_default().to_lowercase();
    let groups = root.text("proc/1/cgroup").unwrap_or_default();
    let kind = if release.contains("microsoft") {
        Some("WSL")
    } else if root.path(".dockerenv").exists() {
        Some("Docker")
    } else if root.path("run/.containerenv").exists() {
        Some("Podman")
    } else {
        let words = ["docker", "kubepods", "lxc"];
        words.into_iter().find(|word| groups.contains(word))
    };
    match kind {
        None => Fact::good("container", "none"),
        Some(kind) => {
            Fact::caution("container", kind, "others on the same machine are not seen from here")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    /// Fake machine with these files.
    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn told(files: &[(&str, &str)]) -> String {
        let dir = machine(files);
        let facts = read(dir.path(), 4).into_iter();
        let lines = facts.map(|fact| {
            let advice = fact.advice.map_or(String::new(), |advice| format!(" ({advice})"));
            format!("{:<15}{:<9}{}{advice}", fact.name, fact.verdict.name(), fact.value)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    const CPU: &str = "sys/devices/system/cpu";

    #[test]
    fn a_quiet_machine_is_fit() {
        let files: Vec<(String, &str)> = vec![
            ("proc/loadavg".into(), "0.10 0.2 0.3 1/2 3\n"),
            ("proc/self/status".into(), "Name:\tx\nCpus_allowed_list:\t0-3\n"),
            (format!("{CPU}/online"), "0-3\n"),
            ("sys/fs/cgroup/cpu.stat".into(), "usage_usec 5\nnr_throttled 0\n"),
            (format!("{CPU}/smt/active"), "0\n"),
            (format!("{CPU}/cpu0/cpufreq/scaling_governor"), "performance\n"),
            (format!("{CPU}/cpu1/cpufreq/scaling_governor"), "performance\n"),
            (format!("{CPU}/cpu0/cpufreq/cpuinfo_max_freq"), "4000000\n"),
            (format!("{CPU}/cpu1/cpufreq/cpuinfo_max_freq"), "4000000\n"),
            (format!("{CPU}/cpufreq/boost"), "0\n"),
            ("proc/meminfo".into(), "SwapTotal: 0 kB\nSwapFree: 0 kB\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled".into(), "always [madvise] never\n"),
            ("proc/sys/kernel/core_pattern".into(), "core\n"),
            ("proc/sys/kernel/osrelease".into(), "6.1.0-amd64\n"),
        ];
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let dir = machine(&files);
        let bad: Vec<_> =
            read(dir.path(), 4).into_iter().filter(|fact| fact.verdict != Verdict::Good).collect();
        assert_eq!(bad, []);
    }

    #[test]
    fn what_disturbs_is_told_with_what_to_do() {
        let files: Vec<(String, &str)> = vec![
            ("proc/loadavg".into(), "3.10 0.2 0.3 1/2 3\n"),
            ("proc/self/status".into(), "Cpus_allowed_list:\t2-3\n"),
            (format!("{CPU}/online"), "0-3\n"),
            ("sys/fs/cgroup/cpu.stat".into(), "nr_throttled 17\n"),
            (format!("{CPU}/smt/active"), "1\n"),
            (format!("{CPU}/cpu0/cpufreq/scaling_governor"), "powersave\n"),
            (format!("{CPU}/cpu0/cpu_capacity"), "1024\n"),
            (format!("{CPU}/cpu1/cpu_capacity"), "446\n"),
            (format!("{CPU}/intel_pstate/no_turbo"), "0\n"),
            ("proc/meminfo".into(), "SwapTotal: 4096000 kB\nSwapFree: 2048000 kB\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled".into(), "[always] madvise never\n"),
            ("proc/sys/kernel/core_pattern".into(), "|/usr/share/apport/apport -p%p\n"),
            (".dockerenv".into(), ""),
        ];
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        insta::assert_snapshot!(told(&files), @"
        load           caution  3.1 on 4 cores (times are unsure while other programs run; end them or wait)
        cpuset         caution  cores 2-3 of 0-3 (only these are used, whatever runs on the others)
        throttling     caution  17 times so far (the quota of the control group pauses everything; raise it)
        SMT            caution  on: two threads share a core (lanes use one of each pair; what runs on the other slows them down)
        governor       caution  powersave (the first moves are slower; cpupower frequency-set -g performance)
        boost          caution  on (speed depends on how many cores work; matters for nodes per second only)
        kinds of cores caution  2 (lanes on slow cores are worse off; use taskset to keep to one kind)
        swap           caution  2000 MiB in use (a bot whose memory was put on the disk waits for it; swapoff -a)
        huge pages     caution  always (memory is counted in pieces of 2 MiB, and pauses come with them)
        core dumps     caution  go to /usr/share/apport/apport (each bot that crashes starts it; sysctl kernel.core_pattern=core)
        container      caution  Docker (others on the same machine are not seen from here)
        ");
    }

    #[test]
    fn what_is_not_there_is_unknown() {
        let dir = machine(&[]);
        let known: Vec<_> = read(dir.path(), 4)
            .into_iter()
            .filter(|fact| fact.verdict != Verdict::Unknown)
            .map(|fact| fact.name)
            .collect();
        assert_eq!(known, ["container"]);
    }
}
