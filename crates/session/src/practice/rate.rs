//! Ratings of a ladder's table.

use pitmaster_core::{BySide, Mark, Side};
use pitmaster_ratings::{Anchor, Game, Matches, Model, PairId, Ratings};

/// A game of a ladder, as its table needs it: at most 40 bytes, so that a semester fits in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedGame(Game);

impl RatedGame {
    /// A stored game between bots with these numbers; `None` if it is void.
    pub fn of(outcome: &pitmaster_store::Outcome, bots: BySide<u32>) -> Option<Self> {
        Game::between(&outcome.key, &outcome.ending, || outcome.fingerprint, bots).map(Self)
    }

    /// A game that was just played.
    pub fn played(record: &pitmaster_core::Record, bots: BySide<u32>) -> Option<Self> {
        Game::between(&record.key, &record.ending, || record.fingerprint(), bots).map(Self)
    }

    /// Numbers of the bots.
    pub fn bots(&self) -> BySide<u32> {
        self.0.bots
    }

    /// Result for a side.
    pub fn mark(&self, side: Side) -> Mark {
        self.0.marks[side]
    }

    /// Whether a side lost by a forfeit.
    pub fn has_forfeited(&self, side: Side) -> bool {
        self.0.faults[side].is_some()
    }

    /// Number of the pair among those of the two bots.
    pub fn pair(&self) -> u32 {
        let PairId { number, .. } = self.0.pair;
        number
    }

    /// Fingerprint that is equal for two games with the same moves.
    pub fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }
}

/// Record and rating of a bot.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rated {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by a forfeit of its own.
    pub forfeits: u64,
    /// Elo; `None` without a game that compares it.
    pub elo: Option<f64>,
    /// Half width of the 95 % interval; `None` if it is unbounded.
    pub within: Option<f64>,
}

/// Computes records and ratings of `bots` bots. Anchors, by number, keep their Elo.
pub fn rate(bots: usize, games: &[RatedGame], anchors: &[(u32, f64)]) -> Vec<Rated> {
    let games: Vec<Game> = games.iter().map(|game| game.0).collect();
    let anchors = anchors.iter().map(|&(bot, elo)| Anchor { bot, elo }).collect();
    let model = Model { anchors, ..Model::default() };
    let ratings = Ratings::fit(bots, &games, &Matches::new(&games), &model);
    let mut rated = vec![Rated::default(); bots];
    for game in &games {
        for side in Side::BOTH {
            let own = &mut rated[game.bots[side] as usize];
            match game.marks[side] {
                Mark::Win => own.wins += 1,
                Mark::Draw => own.draws += 1,
                Mark::Loss => own.losses += 1,
            }
            own.forfeits += u64::from(game.faults[side].is_some());
        }
    }
    for (own, bot) in rated.iter_mut().zip(0..) {
        let Some(rating) = ratings.of(bot) else { continue };
        own.elo = Some(rating.elo);
        own.within = rating.low.zip(rating.high).map(|(low, high)| (high - low) / 2.0);
    }
    rated
}
