//! Milestones format: every bot meets reference bots until a test decides whether it reaches a
//! required score against each.

use std::collections::HashMap;

use pitmaster_core::BotName;
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{Game, Milestone, distinct_pairs};

use super::{PairingRule, Rounds};
use crate::format::{Batch, Bound, Expected, Meeting};
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::write::{line, names};
use crate::{Format, Located};

/// Pairs of a meeting before the first look.
const FIRST: u32 = 8;
/// Pairs of a meeting between two looks.
const STEP: u32 = 4;
/// Number of pairs from which a meeting ends if more than half of them repeat earlier ones.
const MIN_PAIRS: u32 = 20;

/// Meetings of every bot with the reference bots. A meeting ends when its test is decided, when its
/// games only repeat, or at the maximum number of games.
#[derive(Debug, Clone)]
struct Milestones {
    /// Reference bots with their tests.
    others: Vec<(usize, Milestone)>,
    field: Vec<usize>,
    most_pairs: u32,
}

impl Milestones {
    /// Number of further pairs of a meeting after `given` ones. Zero at its end.
    fn more(&self, games: &[Game], bot: usize, test: (usize, Milestone), given: u32) -> u32 {
        let (other, milestone) = test;
        let wanted = if given == 0 { FIRST } else { STEP };
        let wanted = wanted.min(self.most_pairs.saturating_sub(given));
        if given == 0 {
            return wanted;
        }
        let pairs = distinct_pairs(games, bot as u32, other as u32);
        let repeats = given >= MIN_PAIRS && pairs.len() as u32 * 2 < given;
        let planned = self.most_pairs as usize;
        if repeats || milestone.judge_first(&pairs, planned).is_decided { 0 } else { wanted }
    }
}

impl PairingRule for Milestones {
    fn pair(&self, batches: &[Batch], games: &[Game]) -> Option<Vec<Batch>> {
        let mut given: HashMap<[usize; 2], u32> = HashMap::new();
        for meeting in batches.iter().flat_map(|batch| &batch.meetings) {
            if let Some([one, other]) = meeting.bots() {
                *given.entry([one.min(other), one.max(other)]).or_default() += meeting.pairs;
            }
        }
        let mut of_two: HashMap<[usize; 2], Vec<Game>> = HashMap::new();
        for game in games {
            let [one, other] = [game.bots.one as usize, game.bots.two as usize];
            of_two.entry([one.min(other), one.max(other)]).or_default().push(*game);
        }
        let meeting = |bot: usize, test: (usize, Milestone)| {
            let key = [bot.min(test.0), bot.max(test.0)];
            let given = given.get(&key).copied().unwrap_or(0);
            let games = of_two.get(&key).map_or(&[][..], Vec::as_slice);
            let pairs = self.more(games, bot, test, given);
            let next = Meeting { one: bot, other: Some(test.0), first_pair: given + 1, pairs };
            (pairs > 0).then_some(next)
        };
        let tests = |bot| self.others.iter().map(move |&test| (bot, test));
        let all = self.field.iter().flat_map(|&bot| tests(bot));
        let meetings: Vec<_> = all.filter_map(|(bot, test)| meeting(bot, test)).collect();
        (!meetings.is_empty()).then(|| vec![Batch { round: 0, meetings }])
    }

    fn expected(&self) -> Expected {
        let meetings = (self.others.len() * self.field.len()) as u64;
        Expected { pairs: meetings * u64::from(self.most_pairs), bound: Bound::AtMost }
    }
}

/// Settings of milestones.
#[derive(Debug, Clone, PartialEq)]
pub struct MilestonesPlan {
    /// Reference bots.
    pub against: Vec<Located<BotName>>,
    /// Expected score to reach: one for all of `against`, or one for each.
    pub lines: Vec<f64>,
    /// The test; its line does not count.
    pub test: Milestone,
}

impl MilestonesPlan {
    fn line_of(&self, number: usize) -> f64 {
        let line = self.lines.get(number).or_else(|| self.lines.first());
        line.copied().unwrap_or(self.test.line)
    }

    /// Maximum number of pairs of a meeting.
    pub fn most_pairs(&self) -> u32 {
        self.test.most_games / 2
    }
}

impl Settings for MilestonesPlan {
    const KEYS: &'static [&'static str] = &["against", "line", "error", "most_games"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        let default = Milestone::default();
        let against = keys.some_against(diagnostics);
        let lines = keys.numbers("line", 0.01, 0.99, diagnostics);
        if lines.len() > 1 && lines.len() != against.len() {
            let count = against.len();
            keys.fault(
                "line",
                format!("write one number, or {count}: one for each of against"),
                diagnostics,
            );
        }
        let most_games = i64::from(default.most_games);
        let test = Milestone {
            error: keys.number("error", 0.0001, 0.2, default.error, diagnostics),
            most_games: keys.integer("most_games", 2, 1_000_000, most_games, diagnostics) as u32,
            ..default
        };
        let lines = if lines.is_empty() { vec![default.line] } else { lines };
        Self { against, lines, test }
    }
}

impl Kind for MilestonesPlan {
    fn write(&self, out: &mut String) {
        line(out, "against", &names(&self.against));
        let lines: Vec<_> = self.lines.iter().map(|line| format!("{line:?}")).collect();
        line(out, "line", &format!("[{}]", lines.join(", ")));
        line(out, "error", &format!("{:?}", self.test.error));
        line(out, "most_games", &self.test.most_games.to_string());
    }

    fn describe(&self, _: &str, _: usize) -> String {
        format!("milestones, at most {} games each", self.test.most_games)
    }

    fn start(&self, stage: &Entrants<'_>, kept: Vec<Batch>) -> Box<dyn Format> {
        let places = stage.places(&self.against);
        let test =
            |(number, &place)| (place, Milestone { line: self.line_of(number), ..self.test });
        let others = places.iter().enumerate().map(test).collect();
        let bots = stage.count();
        let field = (0..bots).filter(|bot| !places.contains(bot)).collect();
        let rule = Milestones { others, field, most_pairs: self.most_pairs() };
        Box::new(Rounds::new(rule, bots, kept))
    }

    fn against(&self) -> &[Located<BotName>] {
        &self.against
    }

    fn depends_on_results(&self) -> bool {
        true
    }

    fn highest_pair(&self, _: u32) -> u32 {
        self.most_pairs()
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BySide, Mark, Seed};
    use pitmaster_ratings::MilestoneVerdict;
    use rand::RngExt as _;

    use super::super::fixtures::play_by;
    use super::*;

    fn rule(lines: &[f64], bots: usize) -> Milestones {
        let test = |(other, &line)| (other, Milestone { line, ..Milestone::default() });
        let others = lines.iter().enumerate().map(test).collect();
        Milestones { others, field: (lines.len()..bots).collect(), most_pairs: 200 }
    }

    /// Verdict on a bot with this expected score, and the number of games.
    fn played(chance: f64) -> (MilestoneVerdict, usize) {
        let mut dice = Seed(1).stream("milestones");
        let (win, loss) = (Mark::Win, Mark::Loss);
        let mut games = Vec::new();
        play_by(Rounds::new(rule(&[0.5], 2), 2, Vec::new()), |game| {
            let bot_wins = dice.random_bool(chance);
            let bot_is_one = game.bots.one == 1;
            let marks = if bot_wins == bot_is_one {
                BySide::new(win, loss)
            } else {
                BySide::new(loss, win)
            };
            games.push(Game { marks, ..*game });
            marks
        });
        let verdict = Milestone::default().judge_first(&distinct_pairs(&games, 1, 0), 200).verdict;
        (verdict, games.len())
    }

    #[test]
    fn a_meeting_ends_when_it_is_decided() {
        let (verdict, games) = played(0.9);
        assert_eq!(verdict, MilestoneVerdict::Reached);
        assert!(games < 100, "{games}");
        let (verdict, games) = played(0.1);
        assert_eq!(verdict, MilestoneVerdict::Missed);
        assert!(games < 100, "{games}");
    }

    #[test]
    fn each_meeting_ends_by_itself() {
        let mut met: HashMap<[u32; 2], u32> = HashMap::new();
        let mut dice = Seed(2).stream("milestones");
        play_by(Rounds::new(rule(&[0.5, 0.5], 4), 4, Vec::new()), |game| {
            let BySide { one, two } = game.bots;
            *met.entry([one.min(two), one.max(two)]).or_default() += 1;
            // Bot 2 always wins, bot 3 wins every other game.
            let strong = one == 2 || two == 2;
            let wins = strong || dice.random_bool(0.5);
            let bot_is_one = one > 1;
            if wins == bot_is_one {
                BySide::new(Mark::Win, Mark::Loss)
            } else {
                BySide::new(Mark::Loss, Mark::Win)
            }
        });
        assert_eq!(met.len(), 4, "the others do not meet each other: {met:?}");
        let strong = met[&[0, 2]];
        assert_eq!(strong, met[&[1, 2]]);
        assert!(strong < 100 && met[&[0, 3]] > strong && met[&[0, 3]] <= 400, "{met:?}");
    }

    #[test]
    fn games_that_only_repeat_end_a_meeting() {
        let mut games = 0;
        let mut format = Rounds::new(rule(&[0.5], 2), 2, Vec::new());
        while let crate::Next::Pairing(pairing) = format.next() {
            for (number, mut game) in
                super::super::fixtures::games(&pairing).into_iter().enumerate()
            {
                game.fingerprint = number as u64;
                games += 1;
                format.on_result(&game);
            }
        }
        assert_eq!(games, 40);
    }
}
