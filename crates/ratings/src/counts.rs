//! Game counts, so that a fit does not have to read all games again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use pitmaster_core::{BySide, Mark, Side};

use super::matches::Observation;
use super::{Game, Matches, Tally};

/// Results of pairs of games, counted by the two bots: the input of a fit with random effects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairCounts(BTreeMap<(u32, u32), Counts>);

/// Counts of two bots, from the view of the one with the lower number, by the side on which it
/// played (0: player 1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    by_side: [Tally; 2],
    distinct_by_side: [Tally; 2],
    /// Number of distinct pairs of two games that compare the bots, by the results of the first and
    /// of the second game (0: win, 1: draw, 2: loss).
    pairs: [[u32; 3]; 3],
}

/// Side of the lower bot, fingerprint and marks: equal for games with the same moves and result.
type Identity = (Side, u64, BySide<Mark>);

/// Played pairs, for detecting repetitions.
///
/// ```
/// use pitmaster_core::{BySide, Mark};
/// use pitmaster_ratings::{Game, Model, PairId, PlayedPairs, Ratings};
///
/// let game = |one, two, fingerprint| Game {
///     fingerprint,
///     bots: BySide::new(one, two),
///     pair: PairId::default(),
///     marks: BySide::new(Mark::Win, Mark::Loss),
///     faults: BySide::default(),
/// };
/// let mut played = PlayedPairs::default();
/// assert!(played.add(&[game(0, 1, 7), game(1, 0, 8)]));
/// assert!(!played.add(&[game(0, 1, 7), game(1, 0, 8)]), "a repeat proves nothing");
/// let ratings = Ratings::of_counts(2, played.counts(), &Model::default());
/// assert!(ratings.of(0).is_some());
/// ```
#[derive(Debug, Clone, Default)]
pub struct PlayedPairs {
    counts: Arc<PairCounts>,
    seen: HashMap<(u32, u32), Seen>,
}

/// Games and pairs of two bots.
#[derive(Debug, Clone, Default)]
struct Seen {
    games: HashSet<Identity>,
    pairs: HashSet<[Option<Identity>; 2]>,
}

impl PlayedPairs {
    /// Counts a pair: its games, at most two. Returns whether it adds evidence: no earlier pair has
    /// the same moves and results, and one of its games compares the bots. Unplayed games are left
    /// out.
    ///
    /// # Panics
    /// Panics if the games are not of the same two bots.
    pub fn add(&mut self, games: &[Game]) -> bool {
        let Some(meeting) = games.first().map(Game::meeting) else { return false };
        assert!(games.iter().all(|game| game.meeting() == meeting), "games of one pair: {games:?}");
        let mut played: Vec<&Game> = games.iter().filter(|game| !game.is_absence()).collect();
        played.sort_by_key(|game| game.side_of_lower());
        let counts = Arc::make_mut(&mut self.counts).0.entry(meeting).or_default();
        let seen = self.seen.entry(meeting).or_default();
        for game in &played {
            count(&mut counts.by_side, game);
            if seen.games.insert(identity(game)) {
                count(&mut counts.distinct_by_side, game);
            }
        }
        let identities = [0, 1].map(|place| played.get(place).map(|game| identity(game)));
        let is_new = !played.is_empty() && seen.pairs.insert(identities);
        if let ([first, second], true) = (&played[..], is_new)
            && first.side_of_lower() != second.side_of_lower()
        {
            counts.pairs[result(first)][result(second)] += 1;
        }
        is_new
    }

    /// Counts of all pairs so far. Cloning is cheap until the next pair is added.
    pub fn counts(&self) -> &Arc<PairCounts> {
        &self.counts
    }
}

impl PairCounts {
    /// All results of a bot, including repeated games.
    pub fn tally(&self, bot: u32) -> Tally {
        let own = |(&(lower, higher), counts): (&(u32, u32), &Counts)| {
            let tally = counts.by_side[0].plus(counts.by_side[1]);
            let as_higher = (higher == bot).then(|| tally.turned());
            if lower == bot { Some(tally) } else { as_higher }
        };
        self.0.iter().filter_map(own).fold(Tally::default(), Tally::plus)
    }

    /// Matches of these games. Observations contain only pairs that compare the bots.
    pub(super) fn matches(&self) -> Matches {
        let list = self
            .0
            .iter()
            .map(|(&meeting, counts)| (meeting, counts.by_side, counts.distinct_by_side));
        let observations = self.0.values().zip(0..).flat_map(|(counts, meeting)| {
            let results = (0..3).flat_map(|first| (0..3).map(move |second| (first, second)));
            results.map(move |(first, second)| Observation {
                meeting,
                times: 1,
                distinct: counts.pairs[first][second],
                by_side: [single(first), single(second)],
            })
        });
        Matches::counted(list, observations.filter(|each| each.distinct > 0).collect())
    }
}

fn identity(game: &Game) -> Identity {
    (game.side_of_lower(), game.fingerprint, game.marks)
}

fn count(by_side: &mut [Tally; 2], game: &Game) {
    let side = game.side_of_lower();
    by_side[side.index()].count(game.marks[side], game.marks[side.other()]);
}

/// Index of the result for the lower bot, in a game that compares the two.
fn result(game: &Game) -> usize {
    match game.marks[game.side_of_lower()] {
        Mark::Win => 0,
        Mark::Draw => 1,
        Mark::Loss => 2,
    }
}

/// Tally of one game with this result.
fn single(result: usize) -> Tally {
    let [wins, draws, losses] = [0, 1, 2].map(|each| u32::from(each == result));
    Tally { wins, draws, losses, both_lost: 0 }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use rand::RngExt as _;

    use super::super::matches::fixtures::game;
    use super::super::{Model, Ratings};
    use super::*;

    /// Pairs of eight bots, some repeated, some unfinished, with forfeits of both and absences.
    fn pairs(count: u32) -> Vec<Vec<Game>> {
        let mut rng = Seed(11).stream("counts");
        let pair = |number: u32| {
            let one = rng.random_range(0..8);
            let two = (one + rng.random_range(1..8)) % 8;
            let moves: u64 = rng.random_range(0..40);
            let mark = |place: u64| ['w', 'd', 'l', 'w', '-'][(moves + place) as usize % 5];
            let games = [
                game(one, two, mark(0), number, moves),
                game(two, one, mark(1), number, moves + 100),
            ];
            games[..if moves == 3 { 1 } else { 2 }].to_vec()
        };
        (0..count).map(pair).collect()
    }

    #[test]
    fn counts_give_the_same_ratings_as_games() {
        let pairs = pairs(600);
        let games = pairs.concat();
        let model = Model::default();
        let mut played = PlayedPairs::default();
        let new = pairs.iter().filter(|pair| played.add(pair)).count();
        assert!((200..590).contains(&new), "{new}");
        let by_games = Ratings::fit(8, &games, &Matches::new(&games), &model);
        let by_counts = Ratings::of_counts(8, played.counts(), &model);
        for (one, other) in by_games.bots.iter().zip(&by_counts.bots) {
            let (one, other) = (one.unwrap(), other.unwrap());
            assert!((one.elo - other.elo).abs() < 1e-6, "{one:?} {other:?}");
            let [low, also] = [one, other].map(|rating| rating.low.unwrap());
            assert!((low - also).abs() < 1e-6, "{one:?} {other:?}");
        }
        assert!((by_games.draw_rate - by_counts.draw_rate).abs() < 1e-9);
    }

    #[test]
    fn repeats_are_told_from_news() {
        let mut played = PlayedPairs::default();
        let pair = |number, moves| [game(2, 5, 'w', number, moves), game(5, 2, 'd', number, moves)];
        assert!(played.add(&pair(1, 9)));
        let mut again = pair(2, 9);
        again.reverse();
        assert!(!played.add(&again));
        assert!(played.add(&pair(3, 8)));
        assert!(!played.add(&[game(2, 5, '-', 4, 1)]), "nothing was compared");
        assert_eq!(played.counts().tally(5), Tally { losses: 3, draws: 3, ..Tally::default() });
        assert_eq!(played.counts().tally(1), Tally::default());
    }
}
