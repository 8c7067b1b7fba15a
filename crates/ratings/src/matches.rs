//! Games grouped by the two bots that played them, with repetitions counted separately.

use std::cmp::Ordering;

use pitmaster_core::{BySide, Mark, Side};

use super::{Game, PairId};

/// Results from one bot's point of view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of wins.
    pub wins: u32,
    /// Number of draws.
    pub draws: u32,
    /// Number of losses to an opponent that won.
    pub losses: u32,
    /// Number of games forfeited by both, which count as lost for both.
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

/// Observation: pairs (or single games) of the same two bots with the same moves and results,
/// counted as one however often they were repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Observation {
    /// Index of its two bots in the list of matches.
    pub(super) meeting: u32,
    /// Number of repetitions.
    pub(super) times: u32,
    /// Number of distinct observations with the same results that it represents. More than 1 only
    /// if pairs are given as counts.
    pub(super) distinct: u32,
    /// Results of its games, counted once: two, or one if the pair is not finished.
    pub(super) by_side: [Tally; 2],
}

/// Games grouped by the two bots.
#[derive(Debug, Clone)]
pub struct Matches {
    /// Matches sorted by the two bots.
    list: Vec<Match>,
    /// Match indexes of each bot, ordered by opponent.
    of_bot: Vec<Vec<u32>>,
    /// Observations grouped by match, in the order of the list.
    observations: Vec<Observation>,
    distinct: Vec<bool>,
    /// Results of the lower bot in its distinct games, by side, for each of the list.
    distinct_by_side: Vec<[Tally; 2]>,
}

impl Tally {
    /// Number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.both_lost
    }

    /// Returns the tally from the opponent's view.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }

    /// Adds two tallies.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            both_lost: self.both_lost + other.both_lost,
        }
    }

    /// Counts one more game, with its result for the bot and for its opponent.
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
    /// Tally of all games, from the lower bot's view.
    pub fn tally(&self) -> Tally {
        self.by_side[0].plus(self.by_side[1])
    }
}

impl Matches {
    /// Groups games, given in the plan's order.
    pub fn new(games: &[Game]) -> Self {
        let mut matches = Self {
            list: Vec::new(),
            of_bot: Vec::new(),
            observations: Vec::new(),
            distinct: vec![false; games.len()],
            distinct_by_side: Vec::new(),
        };
        let key = |(lower, higher): (u32, u32)| u64::from(lower) << 32 | u64::from(higher);
        let mut order: Vec<_> =
            games.iter().zip(0_u32..).map(|(game, place)| (key(game.meeting()), place)).collect();
        order.sort_unstable();
        let mut played = Vec::new();
        for meeting in order.chunk_by(|a, b| a.0 == b.0) {
            played.clear();
            played.extend(meeting.iter().map(|&(_, place)| Played::new(games, place)));
            matches.add(games[meeting[0].1 as usize].meeting(), &mut played);
        }
        matches.of_bot = by_bot(&matches.list);
        matches
    }

    /// Makes matches from results that are already counted by the two bots, in their order. All
    /// games count as distinct.
    pub(super) fn tallied(meetings: impl IntoIterator<Item = ((u32, u32), [Tally; 2])>) -> Self {
        let of = |((lower, higher), by_side)| Match { lower, higher, by_side };
        let list: Vec<_> = meetings.into_iter().map(of).collect();
        let distinct_by_side = list.iter().map(|each| each.by_side).collect();
        let (of_bot, observations) = (by_bot(&list), Vec::new());
        Self { list, of_bot, observations, distinct: Vec::new(), distinct_by_side }
    }

    /// Makes matches from counts by the two bots, in their order: all games and the distinct ones by
    /// side, and observations.
    pub(super) fn counted(
        meetings: impl IntoIterator<Item = ((u32, u32), [Tally; 2], [Tally; 2])>,
        observations: Vec<Observation>,
    ) -> Self {
        let of =
            |((lower, higher), by_side, distinct)| (Match { lower, higher, by_side }, distinct);
        let (list, distinct_by_side): (Vec<_>, _) = meetings.into_iter().map(of).unzip();
        let of_bot = by_bot(&list);
        Self { list, of_bot, observations, distinct: Vec::new(), distinct_by_side }
    }

    /// Adds all games of two bots.
    fn add(&mut self, (lower, higher): (u32, u32), played: &mut [Played]) {
        played.sort_unstable_by_key(|game| (game.pair, game.identity.0, game.place));
        let meeting = self.list.len() as u32;
        self.list.push(Match { lower, higher, by_side: by_side(played) });
        let mut pairs: Vec<_> = played.chunk_by(|a, b| a.pair == b.pair).collect();
        let compare = |a: &&[Played], b: &&[Played]| identities(a).cmp(identities(b));
        pairs.sort_unstable_by(compare);
        let same = pairs.chunk_by(|a, b| compare(a, b) == Ordering::Equal);
        self.observations.extend(same.map(|same| Observation {
            meeting,
            times: same.len() as u32,
            distinct: 1,
            by_side: evidence(same[0]),
        }));
        played.sort_unstable_by_key(|game| (game.identity, game.place));
        let mut distinct = [Tally::default(); 2];
        for same in played.chunk_by(|a, b| a.identity == b.identity) {
            let Played { place, is_absence, identity: (side, _, marks), .. } = same[0];
            self.distinct[place as usize] = !is_absence;
            if !is_absence {
                distinct[side.index()].count(marks[side], marks[side.other()]);
            }
        }
        self.distinct_by_side.push(distinct);
    }

    /// Iterates over the matches, one for every two bots that met, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Match> {
        self.list.iter()
    }

    /// Opponents of a bot, by their numbers, with its results against them.
    pub fn of(&self, bot: u32) -> impl Iterator<Item = (u32, Tally)> {
        let places = self.of_bot.get(bot as usize).map_or(&[][..], Vec::as_slice);
        places.iter().map(move |&place| {
            let each = &self.list[place as usize];
            let tally = each.tally();
            if each.lower == bot { (each.higher, tally) } else { (each.lower, tally.turned()) }
        })
    }

    /// Results of `bot` against `opponent`.
    pub fn between(&self, bot: u32, opponent: u32) -> Tally {
        let key = (bot.min(opponent), bot.max(opponent));
        let place = self.list.binary_search_by_key(&key, |m| (m.lower, m.higher));
        let tally = place.map(|place| self.list[place].tally()).unwrap_or_default();
        if bot <= opponent { tally } else { tally.turned() }
    }

    /// Flags of the games, in the order given: whether it is the first game of the same bots on the
    /// same sides with these moves and this result. An unplayed game is not distinct.
    pub fn distinct(&self) -> &[bool] {
        &self.distinct
    }

    /// Results of the distinct games of each match, as [`Match::by_side`].
    pub(super) fn distinct_by_side(&self) -> impl Iterator<Item = [Tally; 2]> {
        self.distinct_by_side.iter().copied()
    }

    pub(super) fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// Observations of two bots, the lower number first.
    pub(super) fn observations_of(
        &self,
        meeting: (u32, u32),
    ) -> impl Iterator<Item = &Observation> {
        let place = self.list.binary_search_by_key(&meeting, |m| (m.lower, m.higher));
        let is_theirs = move |o: &&Observation| Ok(o.meeting as usize) == place;
        self.observations.iter().filter(is_theirs)
    }

    /// The two bots of an observation, the lower number first.
    pub(super) fn bots_of(&self, observation: &Observation) -> (usize, usize) {
        let Match { lower, higher, .. } = self.list[observation.meeting as usize];
        (lower as usize, higher as usize)
    }
}

fn by_bot(list: &[Match]) -> Vec<Vec<u32>> {
    let count = list.iter().map(|each| each.higher as usize + 1).max().unwrap_or(0);
    let mut of_bot = vec![Vec::new(); count];
    for (each, place) in list.iter().zip(0..) {
        of_bot[each.lower as usize].push(place);
        of_bot[each.higher as usize].push(place);
    }
    of_bot
}

/// A game among those of the same two bots.
#[derive(Debug, Clone, Copy)]
struct Played {
    pair: PairId,
    place: u32,
    /// Equal for games with the same moves and result: the side of the lower bot, the moves, and
    /// the result of each side.
    identity: (Side, u64, BySide<Mark>),
    /// Whether the game is unplayed, because a bot could not play.
    is_absence: bool,
}

impl Played {
    fn new(games: &[Game], place: u32) -> Self {
        let game = &games[place as usize];
        let identity = (game.side_of_lower(), game.fingerprint, game.marks);
        Self { pair: game.pair, place, identity, is_absence: game.is_absence() }
    }
}

fn identities(pair: &[Played]) -> impl Iterator<Item = (Side, u64, BySide<Mark>)> {
    pair.iter().map(|game| game.identity)
}

/// The results of games, as the lower bot sees them.
fn by_side(played: &[Played]) -> [Tally; 2] {
    let mut by_side = [Tally::default(); 2];
    for (side, _, marks) in identities(played) {
        by_side[side.index()].count(marks[side], marks[side.other()]);
    }
    by_side
}

/// The results of games that compare the two bots, as the lower bot sees them. Unplayed games count
/// as lost by both, which compares no bots.
fn evidence(played: &[Played]) -> [Tally; 2] {
    let mut by_side = [Tally::default(); 2];
    for game in played {
        let (side, _, marks) = game.identity;
        let marks = if game.is_absence { marks.map(|_| Mark::Loss) } else { marks };
        by_side[side.index()].count(marks[side], marks[side.other()]);
    }
    by_side
}

/// Test fixtures.
#[cfg(test)]
pub(super) mod fixtures {
    use super::*;

    /// Game of a pair with `one` as player 1 and its mark as `w`, `d`, `l` or `-` (both lost).
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

    /// Distinct games, each in its own pair.
    pub(crate) fn games(list: &[(u32, u32, char)]) -> Vec<Game> {
        let numbered = list.iter().zip(1..);
        numbered.map(|(&(one, two, mark), n)| game(one, two, mark, n, u64::from(n))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::{game, games};
    use super::*;

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
