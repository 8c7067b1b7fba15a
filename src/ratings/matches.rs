//! Games gathered by the two bots that played them, and what was only played again.

use std::cmp::Ordering;

use super::Game;
use crate::record::Mark;

/// Results counted from one bot's point of view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost, to an opponent that won.
    pub losses: u32,
    /// Forfeited by both: lost too, but won by nobody.
    pub both_lost: u32,
}

/// All games of two bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The bot with the lower number.
    pub lower: u32,
    /// The bot with the higher number.
    pub higher: u32,
    /// Results of the lower bot, by the side on which it played (0: player 1).
    pub by_side: [Tally; 2],
}

/// Pairs (or single games) of the same two bots with the same moves and results: one
/// observation, however often it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Observation {
    /// Its games: a range of [`Matches::order`].
    games: (u32, u32),
    /// How often it was made.
    pub(super) times: u32,
}

/// Games, gathered.
#[derive(Debug, Clone)]
pub struct Matches {
    /// Sorted by the two bots.
    list: Vec<Match>,
    /// Places in the list of games, so that pairs stand together.
    order: Vec<u32>,
    observations: Vec<Observation>,
    distinct: Vec<bool>,
}

impl Tally {
    /// All games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.both_lost
    }

    /// The same games, seen by the opponent.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            both_lost: self.both_lost + other.both_lost,
        }
    }

    /// Counts one more game, with what it was worth to the bot and to its opponent.
    pub fn count(&mut self, own: Mark, opponents: Mark) {
        let counter = match (own, opponents) {
            (Mark::Win, _) => &mut self.wins,
            (Mark::Draw, _) => &mut self.draws,
            (Mark::Loss, Mark::Loss) => &mut self.both_lost,
            (Mark::Loss, _) => &mut self.losses,
        };
        *counter += 1;
    }
}

impl Match {
    /// All games, as the lower bot sees them.
    pub fn tally(&self) -> Tally {
        self.by_side[0].plus(self.by_side[1])
    }

    fn new((lower, higher): (u32, u32), games: &[Game], places: &[u32]) -> Self {
        let mut by_side = [Tally::default(); 2];
        for game in places.iter().map(|&place| &games[place as usize]) {
            let side = game.side_of_lower();
            by_side[side.index()].count(game.marks[side], game.marks[side.other()]);
        }
        Self { lower, higher, by_side }
    }
}

impl Matches {
    /// Gathers games, given in the plan's order.
    pub fn new(games: &[Game]) -> Self {
        let mut order: Vec<u32> = (0..games.len() as u32).collect();
        order.sort_unstable_by_key(|&place| {
            let game = &games[place as usize];
            (game.meeting(), game.pair, game.side_of_lower(), place)
        });
        let same_bots =
            |a: &u32, b: &u32| games[*a as usize].meeting() == games[*b as usize].meeting();
        let list = order
            .chunk_by(same_bots)
            .map(|places| Match::new(games[places[0] as usize].meeting(), games, places))
            .collect();
        let observations = observe(games, &order);
        Self { list, order, observations, distinct: distinct(games) }
    }

    /// One for every two bots that met, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Match> {
        self.list.iter()
    }

    /// What `bot` did against `opponent`.
    pub fn between(&self, bot: u32, opponent: u32) -> Tally {
        let key = (bot.min(opponent), bot.max(opponent));
        let place = self.list.binary_search_by_key(&key, |m| (m.lower, m.higher));
        let tally = place.map(|place| self.list[place].tally()).unwrap_or_default();
        if bot <= opponent { tally } else { tally.turned() }
    }

    /// For every game, in the order given, whether no earlier game of the same bots on the
    /// same sides had the same moves and result.
    pub fn distinct(&self) -> &[bool] {
        &self.distinct
    }

    pub(super) fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// The games of an observation: two, or one where a pair is not finished.
    pub(super) fn games_of<'a>(
        &'a self,
        observation: &Observation,
        games: &'a [Game],
    ) -> impl Iterator<Item = &'a Game> + Clone {
        let (from, to) = observation.games;
        self.order[from as usize..to as usize].iter().map(|&place| &games[place as usize])
    }
}

/// The observations in `order`, each once, with how often it was made.
fn observe(games: &[Game], order: &[u32]) -> Vec<Observation> {
    let game = |place: &u32| &games[*place as usize];
    let same_pair =
        |a: &u32, b: &u32| (game(a).meeting(), game(a).pair) == (game(b).meeting(), game(b).pair);
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for pair in order.chunk_by(same_pair) {
        let from = pairs.last().map_or(0, |&(_, to)| to);
        pairs.push((from, from + pair.len() as u32));
    }
    let identities = |&(from, to): &(u32, u32)| {
        order[from as usize..to as usize].iter().map(|place| game(place).identity())
    };
    let compare = |a: &(u32, u32), b: &(u32, u32)| identities(a).cmp(identities(b));
    pairs.sort_unstable_by(|a, b| compare(a, b).then(a.cmp(b)));
    pairs
        .chunk_by(|a, b| compare(a, b) == Ordering::Equal)
        .map(|same| Observation { games: same[0], times: same.len() as u32 })
        .collect()
}

fn distinct(games: &[Game]) -> Vec<bool> {
    let mut order: Vec<u32> = (0..games.len() as u32).collect();
    order.sort_unstable_by_key(|&place| (games[place as usize].identity(), place));
    let mut distinct = vec![false; games.len()];
    let same = |a: &u32, b: &u32| games[*a as usize].identity() == games[*b as usize].identity();
    for places in order.chunk_by(same) {
        distinct[places[0] as usize] = true;
    }
    distinct
}

/// Games made up for tests.
#[cfg(test)]
pub(super) mod made_up {
    use super::super::PairId;
    use super::*;
    use crate::record::BySide;

    /// A game of a pair: `one` as player 1, its mark as `w`, `d`, `l` or `-` (both lost).
    pub(crate) fn game(one: u32, two: u32, mark: char, pair: u32, fingerprint: u64) -> Game {
        let marks = match mark {
            'w' => BySide::new(Mark::Win, Mark::Loss),
            'd' => BySide::new(Mark::Draw, Mark::Draw),
            'l' => BySide::new(Mark::Loss, Mark::Win),
            _ => BySide::new(Mark::Loss, Mark::Loss),
        };
        let faults = BySide::new((mark == '-').then_some(0), (mark == '-').then_some(0));
        let pair = PairId { stage: 1, round: 0, number: pair };
        Game { fingerprint, bots: BySide::new(one, two), pair, marks, faults }
    }

    /// Games that are all different, each a pair of its own.
    pub(crate) fn games(list: &[(u32, u32, char)]) -> Vec<Game> {
        let numbered = list.iter().zip(1..);
        numbered.map(|(&(one, two, mark), n)| game(one, two, mark, n, u64::from(n))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::made_up::{game, games};
    use super::*;
    use crate::record::Side;

    #[test]
    fn both_bots_see_the_same_match() {
        let games = games(&[(0, 1, 'w'), (1, 0, 'w'), (1, 0, 'd'), (0, 1, '-'), (2, 0, 'w')]);
        let matches = Matches::new(&games);
        let seen = matches.between(0, 1);
        assert_eq!(seen, Tally { wins: 1, draws: 1, losses: 1, both_lost: 1 });
        assert_eq!(matches.between(1, 0), seen.turned());
        assert_eq!(matches.between(1, 2).games(), 0);
        assert_eq!(matches.iter().count(), 2);
        let sides = matches.iter().next().unwrap().by_side;
        assert_eq!(sides[Side::Two.index()], Tally { draws: 1, losses: 1, ..Tally::default() });
    }

    #[test]
    fn a_pair_played_again_is_one_observation() {
        let pair = |number, first, second| {
            [game(0, 1, 'w', number, first), game(1, 0, 'l', number, second)]
        };
        let games = [pair(1, 7, 8), pair(2, 7, 8), pair(3, 7, 9)].concat();
        let matches = Matches::new(&games);
        let times: Vec<_> = matches.observations().iter().map(|o| o.times).collect();
        assert_eq!(times, [2, 1]);
        assert_eq!(matches.distinct(), [true, true, false, false, false, true]);
    }

    #[test]
    fn half_a_pair_is_a_single_game() {
        let games = [game(0, 1, 'w', 1, 7), game(1, 0, 'l', 1, 8), game(0, 1, 'w', 2, 7)];
        let matches = Matches::new(&games);
        assert_eq!(matches.observations().len(), 2);
        assert_eq!(matches.distinct(), [true, true, false]);
    }

    #[test]
    fn the_same_moves_with_another_result_are_another_game() {
        let games = [game(0, 1, 'w', 1, 7), game(0, 1, 'l', 2, 7)];
        assert_eq!(Matches::new(&games).distinct(), [true, true]);
    }
}
