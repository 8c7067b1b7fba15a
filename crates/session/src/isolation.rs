//! Isolation of a run: its tier and the required guarantees.

use std::fmt::Write as _;
use std::sync::Arc;

use pitmaster_core::{Isolation, Level, Promise, Requirement, Requirements, Resources, Tier};
use pitmaster_sandbox::Sandbox;

use crate::{Error, Observer};

/// Requested isolation. The default is that of the tournament file.
#[derive(Debug, Clone, Default)]
pub struct IsolationOptions {
    /// The tier.
    pub tier: WantedTier,
    /// Required guarantees; `None` for those of the tournament file.
    pub require: Option<Requirements>,
}

/// Requested isolation tier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WantedTier {
    /// The tier of the tournament file.
    #[default]
    AsFile,
    /// Portable if it works, otherwise bare.
    Auto,
    /// A specific tier.
    Tier(Tier),
}

impl IsolationOptions {
    /// The tier, given that of the tournament file; `None` for the best tier of acceptable cost.
    pub fn tier(&self, by_file: Option<Tier>) -> Option<Tier> {
        match self.tier {
            WantedTier::AsFile => by_file,
            WantedTier::Auto => None,
            WantedTier::Tier(tier) => Some(tier),
        }
    }

    /// The required guarantees.
    pub fn required(&self, by_default: impl FnOnce() -> Requirements) -> Requirements {
        self.require.clone().unwrap_or_else(by_default)
    }

    /// Chooses the sandbox for a single game or check, for which the friendly guarantees suffice.
    /// House bots need no sandbox.
    ///
    /// # Errors
    /// The tier does not work on this machine, or a required guarantee is missing.
    pub fn choose(
        &self,
        resources: &Resources,
        has_submissions: bool,
        observer: &dyn Observer,
    ) -> Result<Arc<Sandbox>, Error> {
        if !has_submissions {
            return Ok(Sandbox::open(resources));
        }
        let require = self.required(Requirements::friendly);
        choose(self.tier(None), &require, resources, observer)
    }
}

/// Chooses the sandbox of a run.
///
/// # Errors
/// The tier does not work on this machine, or a required guarantee is missing.
pub fn choose(
    wanted: Option<Tier>,
    require: &Requirements,
    resources: &Resources,
    observer: &dyn Observer,
) -> Result<Arc<Sandbox>, Error> {
    let sandbox = pitmaster_bots::probe::choose(wanted, resources).map_err(|unavailable| {
        Error::MissingGuarantee(format!(
            "{unavailable}; leave --isolation out, or see `pitmaster doctor`"
        ))
    })?;
    let isolation = sandbox.isolation();
    if let Some(fault) = unmet(isolation, &applicable(require, resources), || {
        pitmaster_bots::probe::examine(Tier::Full, resources).is_ok()
    }) {
        return Err(Error::MissingGuarantee(fault));
    }
    if isolation.tier == Tier::Bare {
        observer.note(&bare(sandbox.weaker()));
    }
    Ok(Arc::new(sandbox))
}

/// Warning for every run without isolation.
fn bare(weaker: Option<&str>) -> String {
    let why = weaker.map_or(String::new(), |why| {
        format!("\nportable does not work here: {why}; see `pitmaster doctor`")
    });
    format!(
        "warning: bots are not contained (bare): they run with your rights; play only programs you \
         trust{why}"
    )
}

/// Leaves out guarantees that the tournament's own settings waive.
pub(crate) fn applicable(require: &Requirements, resources: &Resources) -> Requirements {
    let applies = |required: &&Requirement| match required.promise {
        Promise::Turn => !resources.pondering,
        Promise::Cpu => resources.cpu.is_some(),
        _ => true,
    };
    Requirements(require.0.iter().filter(applies).copied().collect())
}

/// Lists required guarantees that are missing, one per line, with advice on providing them or
/// accepting the lack.
pub(crate) fn unmet(
    isolation: &Isolation,
    require: &Requirements,
    full: impl FnOnce() -> bool,
) -> Option<String> {
    let unmet = isolation.missing(require);
    if unmet.is_empty() {
        return None;
    }
    let mut text = format!("nothing is played: {isolation} isolation lacks what is required\n");
    for Requirement { promise, .. } in &unmet {
        let kept = isolation.promises.get(promise);
        let (level, how) = (isolation.level(*promise), kept.map_or("", |kept| &kept.how));
        let _ = writeln!(text, "  {promise:<7} {}: {level} ({how})", promise.about());
    }
    for (better, promises) in improvements(isolation, &unmet, full()) {
        let _ = writeln!(text, "better for {}: {better}", promises.join(", "));
    }
    let _ = write!(
        text,
        "to play all the same: --require {}; `pitmaster doctor` tells all that is promised",
        accepting(isolation, require)
    );
    Some(text)
}

/// Improvements with the guarantees that they affect.
fn improvements(
    isolation: &Isolation,
    unmet: &[Requirement],
    full: bool,
) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for Requirement { promise, .. } in unmet {
        let Some(better) = pitmaster_bots::probe::improvement(*promise, isolation, full) else {
            continue;
        };
        match all.iter_mut().find(|(known, _)| *known == better) {
            Some((_, promises)) => promises.push(promise.name()),
            None => all.push((better, vec![promise.name()])),
        }
    }
    all
}

/// The requirements reduced to the existing guarantees.
fn accepting(isolation: &Isolation, require: &Requirements) -> String {
    let enough = |required: &Requirement| match isolation.level(required.promise) {
        Level::Enforced => Some(*required),
        Level::Limited => Some(Requirement { limited_will_do: true, ..*required }),
        Level::Detected | Level::Absent => None,
    };
    let accepted = Requirements(require.0.iter().filter_map(enough).collect());
    match accepted.to_string() {
        words if words.is_empty() => "''".into(),
        words if words == Requirements::friendly().to_string() => "friendly".into(),
        words => words,
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Kept;

    use super::*;

    /// Isolation with all guarantees except these.
    fn isolation(tier: Tier, others: &[(Promise, Level, &str)]) -> Isolation {
        let kept = |level, how: &str| Kept { level, how: how.into() };
        let all = Promise::ALL.iter().map(|&promise| (promise, kept(Level::Enforced, "kept")));
        let others = others.iter().map(|&(promise, level, how)| (promise, kept(level, how)));
        Isolation { tier, cgroup: false, promises: all.chain(others).collect() }
    }

    fn told(isolation: &Isolation, require: &Requirements) -> String {
        unmet(isolation, require, || false).unwrap_or_default()
    }

    #[test]
    fn what_is_missing_is_told_with_what_would_keep_it_and_what_accepts_it() {
        let weak = isolation(
            Tier::Portable,
            &[
                (Promise::Mem, Level::Limited, "RLIMIT_DATA for each process"),
                (Promise::Net, Level::Absent, "the probe succeeded with udp"),
                (Promise::Turn, Level::Detected, "a spinning probe got 9 ms"),
            ],
        );
        insta::assert_snapshot!(told(&weak, &"wall,mem,net,turn,read".parse().unwrap()), @"
        nothing is played: portable isolation lacks what is required
          mem     a bot takes no more memory than it is given: limited (RLIMIT_DATA for each process)
          net     a bot reaches no network: absent (the probe succeeded with udp)
          turn    a bot does not compute on its opponent's time: detected (a spinning probe got 9 ms)
        better for mem: a control group: systemd-run --user --scope -p Delegate=yes pitmaster …
        better for net: a newer kernel: Linux 6.12 and later refuse more
        better for turn: a machine with less load
        to play all the same: --require wall,mem~,read; `pitmaster doctor` tells all that is promised
        ");
        assert_eq!(told(&weak, &"wall,mem~,read".parse().unwrap()), "");
    }

    #[test]
    fn what_bare_accepts_has_a_name() {
        let lacks = |promise| (promise, Level::Absent, "");
        let mut others: Vec<_> = Promise::ALL.iter().copied().map(lacks).collect();
        others.push((Promise::Wall, Level::Enforced, ""));
        others.push((Promise::Out, Level::Enforced, ""));
        others.push((Promise::Procs, Level::Limited, ""));
        let bare = isolation(Tier::Bare, &others);
        let official = Requirements::official();
        assert_eq!(told(&bare, &Requirements::friendly()), "");
        assert_eq!(accepting(&bare, &official), "wall,procs~,out");
        assert_eq!(accepting(&bare, &"wall,out,procs".parse().unwrap()), "friendly");
        assert_eq!(accepting(&bare, &"net".parse().unwrap()), "''");
    }

    #[test]
    fn what_is_accepted_is_enough() {
        let weak = isolation(Tier::Full, &[(Promise::Mem, Level::Limited, "")]);
        let require = "mem,net".parse().unwrap();
        let words = accepting(&weak, &require);
        assert_eq!(told(&weak, &words.parse().unwrap()), "", "{words}");
    }

    #[test]
    fn what_a_tournament_gives_away_is_not_required() {
        let official = Requirements::official();
        let lax = Resources { pondering: true, cpu: None, ..Resources::default() };
        assert_eq!(applicable(&official, &Resources::default()), official);
        let words = applicable(&official, &lax).to_string();
        assert_eq!(words, "wall,mem~,procs,out,fsize,net,read,write,signal,fds");
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let tier = |tier, by_file| IsolationOptions { tier, require: None }.tier(by_file);
        assert_eq!(tier(WantedTier::AsFile, Some(Tier::Full)), Some(Tier::Full));
        assert_eq!(tier(WantedTier::Auto, Some(Tier::Full)), None);
        assert_eq!(tier(WantedTier::Tier(Tier::Bare), None), Some(Tier::Bare));
    }
}
