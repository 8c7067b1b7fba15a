//! One hostile bot against a correct one, in one tier.

use std::fs::File;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::header::{Header, is_as_expected};
use super::room::{Canaries, follow, hand_in, left_behind};
use super::tiers::{Around, Tier};
use crate::contest::{PATIENT, tournament};
use crate::scratch::{Ran, Scratch};

/// Bots that do not make their first move.
const NEVER_BEGIN: [&str; 4] = ["hang", "no-flush", "partial-line", "slow-loris"];

/// Longer than any pair of games takes, even with hostile bots on slow machines.
const LONGEST: Duration = Duration::from_mins(4);

/// A bot, a tier, and the environment of the referee.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) bot: String,
    pub(super) tier: Tier,
    pub(super) around: Around,
}

/// Outcome of a case without failures.
#[derive(Debug)]
pub(super) enum Outcome {
    /// All expectations are met.
    AsExpected,
    /// The expectation does not apply here, with the reason.
    Skipped(String),
}

impl Case {
    /// Plays a pair of games.
    pub(super) fn play(&self) -> Result<Outcome, String> {
        let header = Header::of(&self.bot);
        let scratch = self.around.scratch();
        hand_in(&scratch, &self.bot);
        let endings = header.endings(&self.tier.name);
        let cup =
            tournament(&clock(&self.bot, &endings), 1, "include = ['own/*']\nabsent = 'forfeit'");
        scratch.write("cup.toml", cup);
        let canaries = Canaries::new(&scratch);
        self.around.hand_over(&scratch);
        let canaries = canaries.noted(&scratch);
        let played = self.run(&scratch);
        let complain = |what: String| {
            let Self { bot, tier, around } = self;
            format!("{bot} in {} under {around:?}: {what}\n{}", tier.name, played.ran.all())
        };
        played.wrong(&self.bot, &scratch, &endings).map_or(Ok(()), Err).map_err(complain)?;
        let told = attack_told(&scratch, &self.bot);
        let outcomes = header.outcomes(&self.tier.name);
        if !outcomes.is_empty() && !is_as_expected(told.as_deref(), &outcomes) {
            let excuse = header.promise.as_deref().and_then(|name| self.tier.does_not_keep(name));
            let what = format!("its attack {told:?}, expected {outcomes:?}");
            return excuse.map(Outcome::Skipped).ok_or_else(|| complain(what));
        }
        let harmed = told.is_some_and(|told| told.starts_with("succeeded"));
        let disturbed = if harmed { Vec::new() } else { canaries.disturbed(&scratch) };
        if disturbed.is_empty() {
            Ok(Outcome::AsExpected)
        } else {
            Err(complain(disturbed.join(", ")))
        }
    }

    fn run(&self, scratch: &Scratch) -> Played {
        // A careless parent leaves a descriptor open to all that it starts.
        let careless =
            File::open(scratch.path("cup.toml")).and_then(|file| Ok(rustix::io::dup(file)?));
        let args = format!("run cup.toml --lanes 1 --json {}", self.tier.args());
        let began = Instant::now();
        let mut run = crate::contest::Running::of(self.around.command(scratch, &args));
        let pid = run.pid();
        let health = follow(&mut run);
        let zombies = run.zombies();
        let ran = run.end_anyhow(scratch);
        drop(careless);
        let took = began.elapsed();
        let left = left_behind(pid, scratch);
        Played { ran, zombies, left, took, sick: health.wrong() }
    }
}

/// Observations of a run from outside.
#[derive(Debug)]
struct Played {
    ran: Ran,
    zombies: usize,
    left: Option<String>,
    took: Duration,
    sick: Option<String>,
}

impl Played {
    /// The first violated expectation.
    fn wrong(&self, bot: &str, scratch: &Scratch, expected: &[&str]) -> Option<String> {
        if let Some(wrong) = self.left.clone().or(self.sick.clone()) {
            return Some(wrong);
        }
        if self.ran.code != Some(0) || self.zombies > 0 {
            return Some(format!("{} zombies, exit {:?}", self.zombies, self.ran.code));
        }
        if self.took > LONGEST {
            return Some(format!("it took {:?}", self.took));
        }
        let losers = scratch.column("results/cup/games.csv", "forfeited_by");
        let endings = scratch.column("results/cup/games.csv", "ending");
        let ends_right = |(loser, ending): (&String, &String)| {
            let name = if loser.is_empty() { "none" } else { ending };
            expected.contains(&name) && (loser.is_empty() || loser == bot)
        };
        let right = losers.len() == 2 && losers.iter().zip(&endings).all(ends_right);
        (!right).then(|| format!("{losers:?} {endings:?}, expected {expected:?}"))
    }
}

/// Only limits that are to end the game are short.
fn clock(bot: &str, endings: &[&str]) -> String {
    let mut clock = PATIENT.to_owned();
    if endings.contains(&"start-late") {
        clock = clock.replace("start_up = '60s'", "start_up = '2s'");
    }
    if endings.contains(&"move-late") {
        clock = clock.replace("per_move = '20s'", "per_move = '2s'");
    }
    if NEVER_BEGIN.contains(&bot) {
        clock = clock.replace("first_move = '60s'", "first_move = '2s'");
    }
    clock
}

/// Report of a bot about its attack: with a move, which is stored, or on standard error before a
/// forfeit.
fn attack_told(scratch: &Scratch, bot: &str) -> Option<String> {
    let games = scratch.run("export results/cup --format jsonl").done().raw.stdout;
    let games = String::from_utf8(games).expect("UTF-8");
    let games = games.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut texts = Vec::new();
    games.for_each(|game: Value| collect_texts(&game, &mut texts));
    let lines = texts.iter().flat_map(|text| text.lines());
    let told = lines.filter_map(|line| line.split_once(&format!("attack: {bot} ")));
    // It may have been started anew for the second game. The longest text is the one that says
    // of most that it succeeded.
    told.map(|(_, told)| told.trim().to_owned()).max_by_key(String::len)
}

fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect_texts(value, texts)),
        Value::Object(values) => values.values().for_each(|value| collect_texts(value, texts)),
        _ => {}
    }
}
