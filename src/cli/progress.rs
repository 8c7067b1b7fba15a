//! Live progress of a run, for people and programs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pitmaster_core::{BotId, BotName, Fault, Isolation, Promise, Record, Side, json_line};
use pitmaster_ratings::{Anchor, Game, Ranking, Roster, SprtVerdict, Tallies};
use pitmaster_runner::{Event, Place};
use pitmaster_store::Outcome;
use pitmaster_tournament::{SequentialTest, TestEnd};
use serde_json::{Value, json};

use super::game_text;
use super::pace::Pace;

/// Minimum interval between fits of the standings.
const REFIT: Duration = Duration::from_secs(1);

/// Interval between progress lines without a terminal.
const LINE: Duration = Duration::from_secs(10);

/// Number of bots in the live standings.
const SHOWN: usize = 8;

/// Output mode of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Progress on standard error: a bar on a terminal, otherwise lines.
    People,
    /// No output.
    Quiet,
    /// Events on standard output, one per line, in addition to the progress for people.
    Json,
}

/// Progress display of a run.
#[derive(Debug)]
pub(super) struct Progress {
    mode: Mode,
    bar: ProgressBar,
    live: Live,
    games: u64,
    done: u64,
    forfeits: u64,
    began: Instant,
    pace: Pace,
    last_line: Instant,
    /// Forfeits that were already reported, by bot and kind.
    reported: HashSet<(BotName, &'static str)>,
    repeats: Repeats,
    /// State of the sequential test; empty if there is none.
    test: String,
}

impl Progress {
    /// Progress of a tournament of these bots, in plan order.
    pub(super) fn new(mode: Mode, bots: &[BotId], ranking: Ranking, anchors: Vec<Anchor>) -> Self {
        let people = mode != Mode::Quiet && io::stderr().is_terminal();
        let target = if people {
            ProgressDrawTarget::stderr_with_hz(8)
        } else {
            ProgressDrawTarget::hidden()
        };
        let now = Instant::now();
        Self {
            mode,
            bar: ProgressBar::with_draw_target(None, target).with_style(style()),
            live: Live::new(bots, ranking, anchors),
            games: 0,
            done: 0,
            forfeits: 0,
            began: now,
            pace: Pace::from(0),
            last_line: now,
            reported: HashSet::new(),
            repeats: Repeats::default(),
            test: String::new(),
        }
    }

    /// Adds a stored game, which is not replayed.
    pub(super) fn known(&mut self, outcome: &Outcome) {
        self.live.add_stored(outcome);
    }

    /// Handles an event.
    pub(super) fn handle(&mut self, event: &Event<'_>) {
        if self.mode == Mode::Json {
            self.say_json(event);
        }
        match event {
            Event::Started { games, known, .. } => {
                (self.games, self.done) = (*games, *known);
                self.bar.set_length(*games);
                self.bar.set_position(*known);
                self.pace = Pace::from(*known);
            }
            Event::Game { record, place } => self.game(record, *place),
            // Already reported when the bot was prepared.
            Event::LeftOut { .. } => {}
            Event::Void { fault, .. } => self.say(&format!("a game is void and replayed: {fault}")),
            Event::Starved { record, replay, of, .. } => {
                for (bot, fault) in starved(record) {
                    self.say(&format!(
                        "game {} is void because {bot} was {fault}; replay {replay} of {of}",
                        record.id()
                    ));
                }
            }
            Event::Suspended { bot, after } => self.say(&format!(
                "{bot} is suspended: it lost {after} games in a row without a legal move; its \
                 remaining games are not played and count as forfeits"
            )),
            Event::SetAside { bot } => self.say(&format!(
                "{bot} is set aside: the referee failed three times with it; its games stay pending"
            )),
            Event::Superseded { .. } => self.done = self.done.saturating_sub(1),
            Event::Test { test } => self.test = test_line(test),
            Event::Note { text } => self.say(text),
            Event::Stopping { why } => self.say(&format!("stopping: {why}")),
        }
    }

    fn game(&mut self, record: &Record, place: Option<&Place>) {
        self.done += 1;
        self.live.add(record);
        for side in Side::BOTH {
            if let Some(fault) = record.ending.fault_of(side) {
                self.forfeits += 1;
                let bot = &record.key.bots[side].name;
                if place.is_some() && self.reported.insert((bot.clone(), fault.name())) {
                    let fault = game_text::fault(record, side);
                    self.say(&format!("{bot} forfeited game {}: {fault}", record.id()));
                }
            }
        }
        if let Some([a, b]) = self.repeats.add(record) {
            self.say(&format!("{a} and {b} repeat their games; more pairs add no information"));
        }
        // Results can require more games than expected.
        self.games = self.games.max(self.done);
        self.bar.set_length(self.games);
        self.bar.set_position(self.done);
        self.bar.set_prefix(self.pace.text(self.done, self.games));
        if let Some(standings) = self.live.refit() {
            let lines = [self.test.clone(), standings].join("\n");
            self.bar.set_message(format!("{} forfeits\n{}", self.forfeits, lines.trim_start()));
        }
        self.line();
    }

    /// Prints a line at intervals if there is no terminal.
    fn line(&mut self) {
        if self.mode == Mode::Quiet || !self.bar.is_hidden() || self.last_line.elapsed() < LINE {
            return;
        }
        self.last_line = Instant::now();
        let leader = self.live.leader().to_owned();
        let leader = if self.test.is_empty() { leader } else { self.test.clone() };
        self.say(&format!(
            "{} of {} games, {} forfeits, {}; {leader}",
            self.done,
            self.games,
            self.forfeits,
            self.pace.text(self.done, self.games),
        ));
    }

    /// Prints a line for people, above the bar.
    pub(super) fn say(&self, text: &str) {
        match self.mode {
            Mode::Quiet => {}
            _ if self.bar.is_hidden() => say(text),
            _ => self.bar.println(text),
        }
    }

    /// Removes the bar and returns the elapsed time.
    pub(super) fn finish(self) -> Duration {
        self.bar.finish_and_clear();
        self.began.elapsed()
    }

    /// Prints an event as one line. Every line has `event`; docs/formats.md lists the fields.
    fn say_json(&self, event: &Event<'_>) {
        let value = match event {
            Event::Started { games, known, lanes, isolation } => json!({
                "event": "started",
                "version": EVENTS_VERSION,
                "games": games,
                "known": known,
                "lanes": lanes,
                "isolation": isolation_json(isolation),
            }),
            Event::Game { record, place } => self.game_json(record, *place),
            Event::LeftOut { bot, why } => json!({"event": "left-out", "bot": bot, "why": why}),
            Event::Void { fault, place } => {
                let fault = fault.to_string();
                json!({"event": "void", "lane": place.lane, "worker": worker(place), "fault": fault})
            }
            Event::Starved { record, place, replay, of } => json!({
                "event": "starved",
                "id": record.id(),
                "bots": starved(record).map(|(bot, _)| bot).collect::<Vec<_>>(),
                "waited_s": starved(record).filter_map(|(_, fault)| fault.waited())
                    .map(|waited| waited.as_secs_f64()).collect::<Vec<_>>(),
                "replay": replay,
                "of": of,
                "lane": place.lane,
                "worker": worker(place),
            }),
            Event::Suspended { bot, after } => {
                json!({"event": "suspended", "bot": bot, "after": after})
            }
            Event::SetAside { bot } => json!({"event": "set-aside", "bot": bot}),
            Event::Superseded { id } => json!({"event": "superseded", "id": id}),
            Event::Test { test } => test_json(test),
            Event::Note { text } => json!({"event": "note", "text": text}),
            Event::Stopping { why } => json!({"event": "stopping", "why": why}),
        };
        say_json(&value);
    }

    fn game_json(&self, record: &Record, place: Option<&Place>) -> Value {
        let bots = record.key.bots.as_ref().map(|bot| bot.name.as_str());
        json!({
            "event": "game",
            "id": record.id(),
            "bots": bots,
            "winner": record.ending.winner(),
            "score": record.ending.score(),
            "ending": record.ending.name(),
            "forfeited_by": Side::BOTH.into_iter().filter(|&side| record.ending.fault_of(side).is_some())
                .collect::<Vec<_>>(),
            "plies": record.plies.len(),
            "duration_s": record.duration.as_secs_f64(),
            "lane": place.map(|place| place.lane),
            "worker": place.and_then(worker),
            "done": self.done + 1,
            "games": self.games,
        })
    }
}

/// Starved bots with their faults.
fn starved(record: &Record) -> impl Iterator<Item = (&BotName, &Fault)> {
    let fault = |side| {
        let fault = record.ending.fault_of(side).filter(|fault| fault.is_starvation())?;
        Some((&record.key.bots[side].name, fault))
    };
    Side::BOTH.into_iter().filter_map(fault)
}

/// Name of the machine that played, unless it was this one.
fn worker(place: &Place) -> Option<&str> {
    place.machine.as_ref().map(|machine| machine.name.as_str())
}

/// State of a sequential test in one line.
fn test_line(test: &SequentialTest) -> String {
    let (lower, upper) = test.run().bounds();
    format!(
        "log-likelihood ratio {:.2}, bounds {lower:.2} (not stronger) and {upper:.2} (stronger), \
         after {} pairs, {} of them repeats",
        test.run().ratio(),
        test.pairs(),
        test.repeats(),
    )
}

fn test_json(test: &SequentialTest) -> Value {
    let (lower, upper) = test.run().bounds();
    json!({
        "event": "test",
        "pairs": test.pairs(),
        "repeats": test.repeats(),
        "ratio": test.run().ratio(),
        "lower": lower,
        "upper": upper,
        "end": test.end().map(end_name),
    })
}

/// Name of a test's end in events.
fn end_name(end: TestEnd) -> &'static str {
    match end {
        TestEnd::Decided(SprtVerdict::AcceptedH0) => "accepted-h0",
        TestEnd::Decided(SprtVerdict::AcceptedH1) => "accepted-h1",
        TestEnd::Repeats => "repeats",
        TestEnd::Exhausted => "exhausted",
    }
}

/// Level of every guarantee. The database stores how each one is enforced.
fn isolation_json(isolation: &Isolation) -> Value {
    let levels: BTreeMap<_, _> =
        Promise::ALL.iter().map(|&promise| (promise, isolation.level(promise))).collect();
    json!({"tier": isolation.tier, "cgroup": isolation.cgroup, "promises": levels})
}

/// Version of the event format, incremented when a field changes its meaning or is removed.
const EVENTS_VERSION: u32 = 1;

/// Number of repeated games in a row after which two bots are reported.
const REPEATS: u32 = 4;

/// Number of games remembered per two bots. Deterministic bots repeat their first games once the
/// openings recur.
const REMEMBERED: usize = 16;

/// Detects bots that keep repeating the same games, as deterministic bots do.
#[derive(Debug, Default)]
struct Repeats(HashMap<[BotName; 2], Meeting>);

/// Games of two bots so far.
#[derive(Debug)]
enum Meeting {
    /// Fingerprints of the first games, and the number of repeats in a row.
    Open { first: Vec<u64>, repeated: u32 },
    /// Already reported.
    Reported,
}

impl Meeting {
    /// Adds a game by its fingerprint and returns whether to report the bots.
    fn repeats(&mut self, fingerprint: u64) -> bool {
        let Self::Open { first, repeated } = self else { return false };
        if first.contains(&fingerprint) {
            *repeated += 1;
        } else {
            *repeated = 0;
            if first.len() < REMEMBERED {
                first.push(fingerprint);
            }
        }
        let must_report = *repeated == REPEATS;
        if must_report {
            *self = Self::Reported;
        }
        must_report
    }
}

impl Repeats {
    /// Adds a game and returns its bots if they must be reported.
    fn add(&mut self, record: &Record) -> Option<[BotName; 2]> {
        let [one, two] = record.key.bots.as_ref().map(|bot| bot.name.clone()).into();
        let sides_in_order = one < two;
        let meeting = if sides_in_order { [one, two] } else { [two, one] };
        let fingerprint = record.fingerprint() ^ u64::from(sides_in_order);
        if record.plies.is_empty() {
            return None;
        }
        let open = || Meeting::Open { first: Vec::new(), repeated: 0 };
        let repeats = self.0.entry(meeting.clone()).or_insert_with(open).repeats(fingerprint);
        repeats.then_some(meeting)
    }
}

/// Progress bar of known length, hidden if quiet or without a terminal.
pub(super) fn bar(quiet: bool, length: u64, template: &str) -> ProgressBar {
    let target = if quiet || !io::stderr().is_terminal() {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr_with_hz(8)
    };
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

/// Progress bar over a known number of steps.
#[derive(Debug)]
pub(super) struct Steps(ProgressBar);

impl Steps {
    /// Progress bar with this number of steps.
    pub(super) fn new(steps: usize) -> Self {
        Self(bar(false, steps as u64, "{bar:30} {pos}/{len} · {msg}"))
    }

    /// Moves to a step and shows the current activity.
    pub(super) fn reach(&self, step: usize, now: &str) {
        self.0.set_position(step as u64);
        self.0.set_message(now.to_owned());
    }

    /// Shows the current activity within the same step.
    pub(super) fn say_now(&self, now: &str) {
        self.0.set_message(now.to_owned());
    }

    /// Prints a line for people, above the bar.
    pub(super) fn line(&self, text: &str) {
        if self.0.is_hidden() { say(text) } else { self.0.println(text) }
    }

    /// Removes the bar.
    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// Prints a line for people. Errors are ignored, so that the run survives its reader.
pub(super) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints a line for programs. Errors are ignored, so that the run survives its reader.
pub(super) fn say_json(value: &Value) {
    let mut out = io::stdout().lock();
    let line = json_line(value).unwrap_or_default();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn style() -> ProgressStyle {
    let template = "{bar:30} {pos}/{len} games · {prefix} · {msg}";
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    style.progress_chars("━╸─")
}

/// Live standings.
#[derive(Debug)]
struct Live {
    roster: Roster,
    ranking: Ranking,
    /// Bots whose Elo is given.
    anchors: Vec<Anchor>,
    tallies: Tallies,
    fitted: Option<Instant>,
    leader: String,
    /// Duration of the last fit. Large tournaments are fitted less often.
    cost: Duration,
}

impl Live {
    fn new(bots: &[BotId], ranking: Ranking, anchors: Vec<Anchor>) -> Self {
        Self {
            roster: Roster::new(bots.iter().cloned()),
            ranking,
            anchors,
            tallies: Tallies::default(),
            fitted: None,
            leader: String::new(),
            cost: Duration::ZERO,
        }
    }

    fn add(&mut self, record: &Record) {
        if let Some(game) = Game::of(record, &self.roster) {
            self.tallies.add(&game);
        }
    }

    fn add_stored(&mut self, Outcome { key, ending, fingerprint, .. }: &Outcome) {
        let bots = self.roster.numbers(&key.bots);
        if let Some(game) = bots.and_then(|bots| Game::between(key, ending, || *fingerprint, bots))
        {
            self.tallies.add(&game);
        }
    }

    /// Top of the standings, if a new fit is due.
    fn refit(&mut self) -> Option<String> {
        let pause = REFIT.max(self.cost * 20);
        if self.fitted.is_some_and(|fitted| fitted.elapsed() < pause) {
            return None;
        }
        let began = Instant::now();
        let text = self.fit();
        self.fitted = Some(Instant::now());
        self.cost = began.elapsed();
        Some(text)
    }

    fn fit(&mut self) -> String {
        let standings = self.tallies.standings(self.roster.len(), &self.ranking, &self.anchors);
        let lines: Vec<String> = standings
            .rows
            .iter()
            .take(SHOWN)
            .map(|row| {
                let elo = row.elo.map_or_else(String::new, |elo| format!("  Elo {:.0}", elo.elo));
                let (rank, name) = (row.rank, self.roster.name(row.bot));
                format!(
                    "{rank:>4}. {name:<24} {:>8} points in {} games{elo}",
                    row.points, row.games
                )
            })
            .collect();
        self.leader = lines.first().map(|line| squeezed(line)).unwrap_or_default();
        lines.join("\n")
    }

    fn leader(&mut self) -> &str {
        self.fit();
        &self.leader
    }
}

fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats_reported(fingerprints: impl IntoIterator<Item = u64>) -> Vec<usize> {
        let mut meeting = Meeting::Open { first: Vec::new(), repeated: 0 };
        let games = fingerprints.into_iter().enumerate();
        games.filter(|(_, game)| meeting.repeats(*game)).map(|(number, _)| number).collect()
    }

    #[test]
    fn bots_that_repeat_themselves_are_told_of_once() {
        assert_eq!(repeats_reported([1, 2].repeat(50)), [5]);
        assert_eq!(repeats_reported([1, 2, 1, 2, 1, 3, 1, 2, 1, 2]), [9]);
        assert!(repeats_reported(0..1000).is_empty());
        // A list of openings that recurs.
        assert_eq!(repeats_reported((0..100).chain(0..100)), [103]);
    }

    #[test]
    fn what_is_remembered_of_a_meeting_is_bounded() {
        let mut meeting = Meeting::Open { first: Vec::new(), repeated: 0 };
        assert!((0..1000).all(|game| !meeting.repeats(game)));
        assert!(matches!(&meeting, Meeting::Open { first, .. } if first.len() == REMEMBERED));
        assert!((0..REPEATS).any(|game| meeting.repeats(game.into())));
        assert!(matches!(meeting, Meeting::Reported));
    }
}
