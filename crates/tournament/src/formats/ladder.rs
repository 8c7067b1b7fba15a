//! Ladder format: pairs the bots whose game is most informative about the order, given the current
//! ratings.

use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{Elo, Game, Matches, Model, Ratings};

use super::rounds::Past;
use super::{PairingRule, Rounds};
use crate::Format;
use crate::format::{Batch, Bound, Expected, Meeting};
use crate::information::{Knowledge, pair_information};
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::write::{line, maybe};

/// Ladder that runs until a budget of pairs is used up or every rating is precise enough.
///
/// The bot with the least certain rating comes next. It meets the opponent against whom a pair
/// reduces the variance of their difference most: one of about the same strength whose rating is
/// uncertain too. The information of a pair is counted when it is scheduled, so that a batch is
/// spread over the field.
#[derive(Debug, Clone)]
pub(super) struct Ladder {
    pub(super) bots: usize,
    /// Maximum number of pairs.
    pub(super) pairs: u64,
    /// Precision at which the ladder ends: the maximum length of each 95 % interval to each side,
    /// in Elo. `None`: only the budget ends it.
    pub(super) precision: Option<Elo>,
    /// Number of pairs scheduled ahead of results: two batches.
    pub(super) look_ahead: u32,
}

impl Ladder {
    fn batch(&self) -> u64 {
        u64::from(self.look_ahead / 2).max(1)
    }

    /// Whether every interval is small enough.
    fn is_known(&self, ratings: &Ratings) -> bool {
        let Some(precision) = self.precision else { return false };
        let is_close =
            |end: Option<Elo>, elo: Elo| end.is_some_and(|end| (end - elo).abs() <= precision);
        ratings.groups == 1
            && ratings.bots.iter().all(|rating| {
                rating.is_some_and(|r| is_close(r.low, r.elo) && is_close(r.high, r.elo))
            })
    }

    /// Knowledge after the games of these ratings, and after the scheduled pairs whose results are
    /// missing. Opponents count as known.
    fn knowledge(&self, batches: &[Batch], ratings: &Ratings) -> Knowledge {
        let model = Model::default();
        let elo = |bot: u32| ratings.of(bot).map_or(model.mean, |rating| rating.elo);
        let strength: Vec<f64> = (0..self.bots as u32).map(|bot| elo(bot) / model.scale).collect();
        let mut information = vec![1.0 / Knowledge::UNKNOWN; self.bots];
        let all = batches.iter().flat_map(|batch| &batch.meetings).filter_map(Meeting::bots);
        for [a, b] in all {
            let gained = pair_information(strength[a] - strength[b]);
            information[a] += gained;
            information[b] += gained;
        }
        let mut known = Knowledge::default();
        for (strength, information) in strength.into_iter().zip(information) {
            known.add(strength, information.recip());
        }
        known
    }

    fn meetings(&self, count: u64, batches: &[Batch], ratings: &Ratings) -> Vec<Meeting> {
        let mut known = self.knowledge(batches, ratings);
        let mut past = Past::of(self.bots, batches);
        let meeting = |_| {
            let [one, other] = past.beginner_first(known.next_pair(), true);
            let first_pair = past.add([one, other]);
            Meeting { one, other: Some(other), first_pair, pairs: 1 }
        };
        (0..count).map(meeting).collect()
    }
}

impl PairingRule for Ladder {
    fn pair(&self, batches: &[Batch], games: &[Game]) -> Option<Vec<Batch>> {
        let given: u64 = batches.iter().map(|batch| batch.meetings.len() as u64).sum();
        let left = self.pairs.saturating_sub(given).min(self.batch());
        if left == 0 || self.bots < 2 {
            return None;
        }
        let ratings = ratings(self.bots, games);
        if self.is_known(&ratings) {
            return None;
        }
        let meetings = self.meetings(left, batches, &ratings);
        Some(vec![Batch { round: 0, meetings }])
    }

    fn ahead(&self) -> usize {
        1
    }

    /// Tiers by Elo: a bot that is paired with equals scores about half of the points.
    fn tiers(&self, _batches: &[Batch], games: &[Game]) -> Vec<u32> {
        tiers_by_elo(self.bots, games)
    }

    fn expected(&self) -> Expected {
        let bound = if self.precision.is_some() { Bound::AtMost } else { Bound::Exact };
        Expected { pairs: self.pairs, bound }
    }
}

fn ratings(bots: usize, games: &[Game]) -> Ratings {
    Ratings::fit(bots, games, &Matches::new(games), &Model::default())
}

/// Number of bots with a higher Elo, for each bot.
pub(super) fn tiers_by_elo(bots: usize, games: &[Game]) -> Vec<u32> {
    let ratings = ratings(bots, games);
    let elo = |bot: usize| ratings.of(bot as u32).map_or(f64::NEG_INFINITY, |rating| rating.elo);
    let above = |bot: usize| (0..bots).filter(|&other| elo(other) > elo(bot)).count();
    (0..bots).map(|bot| above(bot) as u32).collect()
}

/// Settings of a ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderPlan {
    /// Maximum number of games.
    pub games: u64,
    /// Maximum half width of every interval at which the stage ends.
    pub precision: Option<Elo>,
    /// Pairs scheduled ahead of results; `None`: one for each bot.
    pub look_ahead: Option<u32>,
}

impl Settings for LadderPlan {
    const KEYS: &'static [&'static str] = &["seeding", "games", "precision", "look_ahead"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        Self {
            games: keys.games(diagnostics),
            precision: keys.maybe_number("precision", 1.0, 10_000.0, diagnostics),
            look_ahead: keys.look_ahead(diagnostics),
        }
    }
}

impl Kind for LadderPlan {
    fn write(&self, out: &mut String) {
        line(out, "games", &self.games.to_string());
        maybe(out, "precision", self.precision.map(|elo| format!("{elo:?}")));
        maybe(out, "look_ahead", self.look_ahead);
    }

    fn describe(&self, _: &str, _: usize) -> String {
        let games = self.games;
        match self.precision {
            None => format!("ladder, {games} games"),
            Some(elo) => format!("ladder until ±{elo} Elo, at most {games} games"),
        }
    }

    fn start(&self, stage: &Entrants<'_>, kept: Vec<Batch>) -> Box<dyn Format> {
        let bots = stage.count();
        let look_ahead = self.look_ahead.unwrap_or_else(|| (bots as u32).max(8));
        let (pairs, precision) = (self.games / 2, self.precision);
        Box::new(Rounds::new(Ladder { bots, pairs, precision, look_ahead }, bots, kept))
    }

    fn depends_on_results(&self) -> bool {
        true
    }

    fn pairs_by_results(&self) -> bool {
        true
    }

    fn is_seeded(&self) -> bool {
        true
    }

    fn highest_pair(&self, _: u32) -> u32 {
        u32::try_from(self.games / 2).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BySide, Mark, Seed};
    use rand::RngExt as _;

    use super::super::fixtures::{play, play_by};
    use super::super::rounds::Rounds;
    use super::*;

    fn ladder(bots: usize, pairs: u64, precision: Option<Elo>) -> Rounds<Ladder> {
        Rounds::new(Ladder { bots, pairs, precision, look_ahead: 16 }, bots, Vec::new())
    }

    #[test]
    fn at_first_everybody_plays() {
        let played = play(ladder(8, 8, None), 1);
        let shown: Vec<_> = played.pairings.iter().map(|p| p.bots).collect();
        assert_eq!(shown[..4], [[0, 1], [2, 3], [4, 5], [6, 7]]);
        assert_eq!(shown.len(), 8);
    }

    #[test]
    fn equals_meet_more_often_than_others() {
        // Two classes: within a class results are random, between classes the upper one always
        // wins.
        let mut dice = Seed(5).stream("ladder");
        let played = play_by(ladder(8, 400, None), |game| {
            let classes = game.bots.map(|bot| bot / 4);
            let one_wins = match classes.one.cmp(&classes.two) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal => dice.random_bool(0.5),
            };
            let (win, loss) = (Mark::Win, Mark::Loss);
            if one_wins { BySide::new(win, loss) } else { BySide::new(loss, win) }
        });
        let across = played.pairings.iter().filter(|p| p.bots[0] / 4 != p.bots[1] / 4).count();
        assert!(across < 80, "{across} of 400 across the classes, by chance 229");
    }

    #[test]
    fn it_ends_when_enough_is_known() {
        let played = play(ladder(4, 100_000, Some(60.0)), 7);
        assert!((50..2000).contains(&played.pairings.len()), "{}", played.pairings.len());
    }

    #[test]
    fn what_it_pairs_does_not_depend_on_later_results() {
        // The next pairs do not depend on the availability of the last batch's results.
        let one = play(ladder(6, 64, None), 3).pairings;
        let two = play(ladder(6, 80, None), 3).pairings;
        assert_eq!(one[..], two[..64]);
    }
}
