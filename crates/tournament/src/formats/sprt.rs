//! SPRT format: tests whether one bot is stronger than another.

use std::collections::HashSet;

use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_core::{BotName, BySide, Mark, Side};
use pitmaster_ratings::{Game, Sprt, SprtRun, SprtVerdict};

use crate::format::{Batch, Bound, Expected};
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::write::{line, names, quoted};
use crate::{Format, Located, Next, Pairing};

/// Number of pairs before a test can end because of repetitions.
const MIN_PAIRS: u64 = 20;

/// Sequential test of two bots, until one hypothesis is accepted.
///
/// The look-ahead is a number of pairs, not of lanes, so the decision does not depend on how many
/// games are played at once. A pair with the same moves as an earlier one adds no evidence and is
/// not counted. If more than half of the pairs are repeats, the test ends undecided.
#[derive(Debug)]
pub struct SequentialTest {
    /// The tested bot and the reference bot.
    bots: [usize; 2],
    run: SprtRun,
    most: u64,
    look_ahead: u64,
    given: u64,
    /// First game of a pair, until the second arrives.
    half: Option<Game>,
    seen: HashSet<Moves>,
    results: u64,
    repeats: u64,
    end: Option<TestEnd>,
}

/// Identity of a pair: the moves and results of both games.
type Moves = [(BySide<u32>, u64, BySide<Mark>); 2];

/// End of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestEnd {
    /// One of the hypotheses was accepted.
    Decided(SprtVerdict),
    /// More than half of the pairs repeat earlier ones.
    Repeats,
    /// The maximum number of games was played.
    Exhausted,
}

impl SequentialTest {
    /// Creates a test of bots 0 and 1, of which `old` is the reference.
    pub(super) fn new(plan: &SprtPlan, old: usize) -> Self {
        Self {
            bots: [1 - old.min(1), old.min(1)],
            run: plan.sprt.start(),
            most: plan.games / 2,
            look_ahead: plan.look_ahead.into(),
            given: 0,
            half: None,
            seen: HashSet::new(),
            results: 0,
            repeats: 0,
            end: None,
        }
    }

    /// Hypotheses and error rates.
    pub fn sprt(&self) -> &Sprt {
        self.run.sprt()
    }

    /// State of the likelihood ratio.
    pub fn run(&self) -> &SprtRun {
        &self.run
    }

    /// Numbers of the tested bot and of the reference bot.
    pub fn bots(&self) -> [usize; 2] {
        self.bots
    }

    /// Number of pairs examined.
    pub fn pairs(&self) -> u64 {
        self.results
    }

    /// Number of pairs that repeat an earlier one.
    pub fn repeats(&self) -> u64 {
        self.repeats
    }

    /// End of the test; `None` while it is running.
    pub fn end(&self) -> Option<TestEnd> {
        self.end
    }

    fn add_pair(&mut self, games: [&Game; 2]) {
        self.results += 1;
        if self.seen.insert(games.map(Game::identity)) {
            let points = games.iter().map(|game| half_points(game, self.bots[0]));
            self.run.add_pair(points.sum());
        } else {
            self.repeats += 1;
        }
        self.end = match self.run.verdict() {
            Some(verdict) => Some(TestEnd::Decided(verdict)),
            None if self.results >= MIN_PAIRS && self.repeats * 2 > self.results => {
                Some(TestEnd::Repeats)
            }
            None if self.results >= self.most => Some(TestEnd::Exhausted),
            None => None,
        };
    }
}

/// Half points of a bot for a game. A game that both forfeited counts as a draw, because it
/// compares no strengths.
fn half_points(game: &Game, bot: usize) -> u8 {
    if !game.compares() {
        return 1;
    }
    let side = if game.bots.one as usize == bot { Side::One } else { Side::Two };
    match game.marks[side] {
        Mark::Win => 2,
        Mark::Draw => 1,
        Mark::Loss => 0,
    }
}

impl Format for SequentialTest {
    fn next(&mut self) -> Next {
        if self.end.is_some() || self.given >= self.most {
            return Next::Done;
        }
        if self.given >= self.results + self.look_ahead {
            return Next::Wait;
        }
        self.given += 1;
        let [a, b] = self.bots;
        // The first player alternates, so that an early stop within a pair favors no bot.
        let bots = if self.given % 2 == 1 { [a, b] } else { [b, a] };
        Next::Pairing(Pairing { stage: 1, round: 0, bots, pair: self.given as u32 })
    }

    fn expected(&self) -> Expected {
        match self.end {
            Some(_) => Expected::exactly(self.results),
            None => Expected { pairs: self.most, bound: Bound::AtMost },
        }
    }

    fn looks_at_results(&self) -> bool {
        true
    }

    fn on_result(&mut self, game: &Game) {
        if self.end.is_some() {
            return;
        }
        match self.half.take() {
            None => self.half = Some(*game),
            Some(first) => self.add_pair([&first, game]),
        }
    }

    fn counted(&self) -> Option<u64> {
        self.end.map(|_| self.results)
    }

    fn test(&self) -> Option<&SequentialTest> {
        Some(self)
    }
}

/// Settings of a sequential test.
#[derive(Debug, Clone, PartialEq)]
pub struct SprtPlan {
    /// Reference bot; the other one is tested.
    pub against: Option<Located<BotName>>,
    /// The hypotheses and error rates.
    pub sprt: Sprt,
    /// Maximum number of games.
    pub games: u64,
    /// Pairs scheduled ahead of results.
    pub look_ahead: u32,
}

impl SprtPlan {
    /// Default maximum number of games.
    pub const GAMES: u64 = 10_000;
    /// Default number of pairs scheduled ahead of results.
    pub const LOOK_AHEAD: u32 = 16;
}

impl Settings for SprtPlan {
    const KEYS: &'static [&'static str] =
        &["against", "games", "look_ahead", "elo0", "elo1", "alpha", "beta", "model"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        let usual = Sprt::default();
        let sprt = Sprt {
            elo0: keys.number("elo0", -1000.0, 1000.0, usual.elo0, diagnostics),
            elo1: keys.number("elo1", -1000.0, 1000.0, usual.elo1, diagnostics),
            alpha: keys.number("alpha", 0.0001, 0.49, usual.alpha, diagnostics),
            beta: keys.number("beta", 0.0001, 0.49, usual.beta, diagnostics),
            model: keys.word("model", diagnostics).unwrap_or(usual.model),
        };
        if let Err(error) = sprt.checked() {
            keys.fault("elo1", error.to_string(), diagnostics);
        }
        let mut against = keys.against(diagnostics);
        if against.len() > 1 {
            keys.fault_at(
                against[1].place,
                "against",
                "a test has one bot that is to be beaten",
                diagnostics,
            );
        }
        let against = (!against.is_empty()).then(|| against.swap_remove(0));
        if against.is_none() {
            let message = "it is missing; write against = [\"old\"], the name of the bot that is \
                           to be beaten";
            keys.missing("against", message, diagnostics);
        }
        let look_ahead = keys.look_ahead(diagnostics).unwrap_or(Self::LOOK_AHEAD);
        Self { against, sprt, games: keys.games(diagnostics), look_ahead }
    }
}

impl Kind for SprtPlan {
    fn write(&self, out: &mut String) {
        line(out, "against", &names(self.against.as_slice()));
        let Sprt { elo0, elo1, alpha, beta, model } = self.sprt;
        for (key, value) in [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)] {
            line(out, key, &format!("{value:?}"));
        }
        line(out, "model", &quoted(model.name()));
        line(out, "games", &self.games.to_string());
        line(out, "look_ahead", &self.look_ahead.to_string());
    }

    fn describe(&self, _: &str, _: usize) -> String {
        let (Sprt { elo0, elo1, .. }, games) = (&self.sprt, self.games);
        format!("sprt from {elo0} to {elo1} Elo, at most {games} games")
    }

    fn start(&self, stage: &Entrants<'_>, _: Vec<Batch>) -> Box<dyn Format> {
        let old = stage.places(self.against()).first().copied().unwrap_or(1);
        Box::new(SequentialTest::new(self, old))
    }

    fn against(&self) -> &[Located<BotName>] {
        self.against.as_slice()
    }

    fn misfit(&self, bots: usize) -> Option<String> {
        (bots != 2).then(|| format!("sprt is a test of two bots, and here are {bots}; name two"))
    }

    fn depends_on_results(&self) -> bool {
        true
    }

    fn can_be_followed(&self) -> bool {
        false
    }

    fn needs_advance(&self) -> bool {
        false
    }

    fn highest_pair(&self, _: u32) -> u32 {
        u32::try_from(self.games / 2).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use pitmaster_ratings::SprtModel;
    use rand::RngExt as _;

    use super::super::fixtures::play_by;
    use super::*;

    fn plan(games: u64) -> SprtPlan {
        let model = SprtModel::Logistic;
        let sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, model };
        SprtPlan { against: None, sprt, games, look_ahead: 8 }
    }

    /// Runs a test in which bot 0 wins with this probability.
    fn test(chance: f64, games: u64, old: usize) -> SequentialTest {
        let mut dice = Seed(1).stream("sprt");
        let played = play_by(SequentialTest::new(&plan(games), old), |game| {
            let (win, loss) = (Mark::Win, Mark::Loss);
            let zero_wins = dice.random_bool(chance);
            if zero_wins == (game.bots.one == 0) {
                BySide::new(win, loss)
            } else {
                BySide::new(loss, win)
            }
        });
        played.format
    }

    #[test]
    fn it_stops_when_it_is_decided() {
        let stronger = test(0.7, 100_000, 1);
        assert_eq!(stronger.end(), Some(TestEnd::Decided(SprtVerdict::AcceptedH1)));
        assert_eq!(stronger.counted(), Some(stronger.pairs()));
        assert!(stronger.pairs() < 200, "{}", stronger.pairs());
        let weaker = test(0.7, 100_000, 0);
        assert_eq!(weaker.end(), Some(TestEnd::Decided(SprtVerdict::AcceptedH0)));
    }

    #[test]
    fn it_stops_at_the_most_games() {
        let equal = test(0.53, 20, 1);
        assert_eq!((equal.end(), equal.pairs()), (Some(TestEnd::Exhausted), 10));
    }

    #[test]
    fn it_stops_when_pairs_only_repeat() {
        let mut format = SequentialTest::new(&plan(100_000), 1);
        let mut pairings = 0;
        while let Next::Pairing(pairing) = format.next() {
            pairings += 1;
            for mut game in super::super::fixtures::games(&pairing) {
                game.fingerprint = 7;
                format.on_result(&game);
            }
        }
        assert_eq!(format.end(), Some(TestEnd::Repeats));
        assert_eq!((format.pairs(), format.repeats()), (MIN_PAIRS, MIN_PAIRS - 2));
        assert_eq!(pairings, MIN_PAIRS);
    }

    #[test]
    fn it_waits_for_results_beyond_its_look_ahead() {
        let mut format = SequentialTest::new(&plan(100), 1);
        for _ in 0..8 {
            assert!(matches!(format.next(), Next::Pairing(_)));
        }
        assert_eq!(format.next(), Next::Wait);
    }
}
