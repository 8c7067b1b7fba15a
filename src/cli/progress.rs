//! What people and programs see of a run while it goes on.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pitmaster_core::{BotId, BotName, Fault, Isolation, Promise, Record, Side, json_line};
use pitmaster_ratings::{Game, Ranking, Roster, SprtVerdict, Tallies};
use pitmaster_runner::{Event, Place};
use pitmaster_tournament::{SequentialTest, TestEnd};
use serde_json::{Value, json};

use super::pace::Pace;
use super::telling;

/// How often standings are fitted anew.
const REFIT: Duration = Duration::from_secs(1);

/// How often a line is written where there is no terminal.
const LINE: Duration = Duration::from_secs(10);

/// How many bots of the standings are shown live.
const SHOWN: usize = 8;

/// How a run is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// For people on standard error: a bar on a terminal, otherwise lines.
    People,
    /// Nothing.
    Quiet,
    /// For programs on standard output, one event a line; for people as well.
    Json,
}

/// Listens to a run.
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
    /// What was told already of who forfeits how.
    told: HashSet<(BotName, &'static str)>,
    repeats: Repeats,
    /// How a sequential test stands; empty: there is none.
    test: String,
}

impl Progress {
    /// For a tournament of these bots, in the order of the plan.
    pub(super) fn new(mode: Mode, bots: &[BotId], ranking: Ranking) -> Self {
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
            live: Live::new(bots, ranking),
            games: 0,
            done: 0,
            forfeits: 0,
            began: now,
            pace: Pace::from(0),
            last_line: now,
            told: HashSet::new(),
            repeats: Repeats::default(),
            test: String::new(),
        }
    }

    /// Games that count already and are not played again.
    pub(super) fn known(&mut self, record: &Record) {
        self.live.add(record);
    }

    /// Hears an event.
    pub(super) fn hear(&mut self, event: &Event<'_>) {
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
            // People were told when it was prepared.
            Event::LeftOut { .. } => {}
            Event::Void { fault, .. } => self.say(&format!("a game is void, played again: {fault}")),
            Event::Starved { record, replay, of, .. } => {
                for (bot, fault) in starved(record) {
                    self.say(&format!(
                        "game {} is void, {bot} was {fault}; replay {replay} of {of}",
                        record.id()
                    ));
                }
            }
            Event::Suspended { bot, after } => self.say(&format!(
                "{bot} is suspended: {after} games in a row lost without a legal move; the rest \
                 stand as forfeits, unplayed"
            )),
            Event::SetAside { bot } => self.say(&format!(
                "{bot} is set aside: the referee has failed three times with it; its games stay open"
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
                if place.is_some() && self.told.insert((bot.clone(), fault.name())) {
                    let fault = telling::fault(record, side);
                    self.say(&format!("{bot} forfeited game {}: {fault}", record.id()));
                }
            }
        }
        if let Some([a, b]) = self.repeats.hear(record) {
            self.say(&format!("{a} and {b} repeat their games: more pairs bring nothing new"));
        }
        // Results can ask for more games than were expected.
        self.games = self.games.max(self.done);
        self.bar.set_length(self.games);
        self.bar.set_position(self.done);
        self.bar.set_prefix(self.pace.told(self.done, self.games));
        if let Some(standings) = self.live.refit() {
            let lines = [self.test.clone(), standings].join("\n");
            self.bar.set_message(format!("{} forfeits\n{}", self.forfeits, lines.trim_start()));
        }
        self.line();
    }

    /// A line now and then, where there is no terminal.
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
            self.pace.told(self.done, self.games),
        ));
    }

    /// A line for people, above the bar.
    pub(super) fn say(&self, text: &str) {
        match self.mode {
            Mode::Quiet => {}
            _ if self.bar.is_hidden() => say(text),
            _ => self.bar.println(text),
        }
    }

    /// Ends the bar; how long it all took.
    pub(super) fn finish(self) -> Duration {
        self.bar.finish_and_clear();
        self.began.elapsed()
    }

    /// One event, one line. Every line has `event`; the fields stand in docs/formats.md.
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

/// Who was late for lack of a core, and how.
fn starved(record: &Record) -> impl Iterator<Item = (&BotName, &Fault)> {
    let fault = |side| {
        let fault = record.ending.fault_of(side).filter(|fault| fault.is_starvation())?;
        Some((&record.key.bots[side].name, fault))
    };
    Side::BOTH.into_iter().filter_map(fault)
}

/// The machine that played, where it was not this one.
fn worker(place: &Place) -> Option<&str> {
    place.machine.as_ref().map(|machine| machine.name.as_str())
}

/// How a sequential test stands, in a line.
fn test_line(test: &SequentialTest) -> String {
    let (lower, upper) = test.run().bounds();
    format!(
        "log-likelihood ratio {:.2}, from {lower:.2} (not stronger) to {upper:.2} (stronger), after {} \
         pairs, {} of them repeats",
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

/// The end of a test, for programs.
fn end_name(end: TestEnd) -> &'static str {
    match end {
        TestEnd::Decided(SprtVerdict::AcceptedH0) => "accepted-h0",
        TestEnd::Decided(SprtVerdict::AcceptedH1) => "accepted-h1",
        TestEnd::Repeats => "repeats",
        TestEnd::Exhausted => "exhausted",
    }
}

/// How far every promise is kept; by what stands in the database.
fn isolation_json(isolation: &Isolation) -> Value {
    let levels: BTreeMap<_, _> =
        Promise::ALL.iter().map(|&promise| (promise, isolation.level(promise))).collect();
    json!({"tier": isolation.tier, "cgroup": isolation.cgroup, "promises": levels})
}

/// The version of the events' form: counted up when a field changes its meaning or goes.
const EVENTS_VERSION: u32 = 1;

/// So many games in a row that repeat earlier ones show that two bots have nothing new.
const REPEATS: u32 = 4;

/// So many games of two bots are remembered. Bots without chance play the first ones again, be it
/// only when their openings come round again.
const REMEMBERED: usize = 16;

/// Finds bots that play the same games again and again, as those without chance do.
#[derive(Debug, Default)]
struct Repeats(HashMap<[BotName; 2], Meeting>);

/// The games of two bots so far.
#[derive(Debug)]
enum Meeting {
    /// The fingerprints of the first ones, and how many in a row were such.
    Open { first: Vec<u64>, repeated: u32 },
    /// All is told.
    Told,
}

impl Meeting {
    /// Hears a game by its fingerprint; whether it is time to tell.
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
        let tells = *repeated == REPEATS;
        if tells {
            *self = Self::Told;
        }
        tells
    }
}

impl Repeats {
    /// Hears a game; the two bots, when it is time to tell of them.
    fn hear(&mut self, record: &Record) -> Option<[BotName; 2]> {
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

/// A bar with an end in sight, for people on a terminal who want to hear of it.
pub(super) fn bar(quiet: bool, length: u64, template: &str) -> ProgressBar {
    let target = if quiet || !io::stderr().is_terminal() {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr_with_hz(8)
    };
    let style = ProgressStyle::with_template(template).expect("the template is right");
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

/// A known number of steps, for people on a terminal.
#[derive(Debug)]
pub(super) struct Steps(ProgressBar);

impl Steps {
    /// So many.
    pub(super) fn new(steps: usize) -> Self {
        Self(bar(false, steps as u64, "{bar:30} {pos}/{len} · {msg}"))
    }

    /// So many are done, and this is done now.
    pub(super) fn reach(&self, step: usize, now: &str) {
        self.0.set_position(step as u64);
        self.0.set_message(now.to_owned());
    }

    /// What is done now, in the same step.
    pub(super) fn say_now(&self, now: &str) {
        self.0.set_message(now.to_owned());
    }

    /// A line for people, above the bar.
    pub(super) fn line(&self, text: &str) {
        if self.0.is_hidden() { say(text) } else { self.0.println(text) }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// A line for people. Whoever reads them may go away: the run goes on.
pub(super) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A line for programs. Whoever reads them may go away: the run goes on.
pub(super) fn say_json(value: &Value) {
    let mut out = io::stdout().lock();
    let line = json_line(value).unwrap_or_default();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn style() -> ProgressStyle {
    let template = "{bar:30} {pos}/{len} games · {prefix} · {msg}";
    let style = ProgressStyle::with_template(template).expect("the template is right");
    style.progress_chars("━╸─")
}

/// Standings while games come in.
#[derive(Debug)]
struct Live {
    roster: Roster,
    ranking: Ranking,
    tallies: Tallies,
    fitted: Option<Instant>,
    leader: String,
    /// How long the last fit took: large tournaments are fitted less often.
    cost: Duration,
}

impl Live {
    fn new(bots: &[BotId], ranking: Ranking) -> Self {
        Self {
            roster: Roster::new(bots.iter().cloned()),
            ranking,
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

    /// The first bots, if it is time to fit them anew.
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
        let standings = self.tallies.standings(self.roster.len(), &self.ranking);
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

    fn told(fingerprints: impl IntoIterator<Item = u64>) -> Vec<usize> {
        let mut meeting = Meeting::Open { first: Vec::new(), repeated: 0 };
        let heard = fingerprints.into_iter().enumerate();
        heard.filter(|(_, game)| meeting.repeats(*game)).map(|(number, _)| number).collect()
    }

    #[test]
    fn bots_that_repeat_themselves_are_told_of_once() {
        assert_eq!(told([1, 2].repeat(50)), [5]);
        assert_eq!(told([1, 2, 1, 2, 1, 3, 1, 2, 1, 2]), [9]);
        assert!(told(0..1000).is_empty());
        // A list of openings that comes round again.
        assert_eq!(told((0..100).chain(0..100)), [103]);
    }

    #[test]
    fn what_is_remembered_of_a_meeting_is_bounded() {
        let mut meeting = Meeting::Open { first: Vec::new(), repeated: 0 };
        assert!((0..1000).all(|game| !meeting.repeats(game)));
        assert!(matches!(&meeting, Meeting::Open { first, .. } if first.len() == REMEMBERED));
        assert!((0..REPEATS).any(|game| meeting.repeats(game.into())));
        assert!(matches!(meeting, Meeting::Told));
    }
}
