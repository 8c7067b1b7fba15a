//! Steps of a move as a flat list of integers, for a page that adds up seeds and knows no rules.
//!
//! The list is a sequence of operations. Spots are the holes from 0, then the stores of player 1
//! and of player 2, then the seeds out of play:
//! - `0, from, kind, n`: lifts `n` seeds into the hand.
//! - `1, to, stride, n, kind`: sows `n` seeds, one each into `to`, `to + stride`, …, around the
//!   holes.
//! - `2, from, to, kind, n`: captures seeds; `3, from, to, kind, n`: moves seeds without capturing.
//! - `4, hole`: begins a new lap there.

use pitmaster_core::Side;
use pitmaster_games::{Contents, Spot, Step};

const LIFT: i32 = 0;
const SOW: i32 = 1;
const CAPTURE: i32 = 2;
const SWEEP: i32 = 3;
const LAP: i32 = 4;

/// A board that follows steps. Spots and kinds are the numbers described above.
#[derive(Debug)]
pub(super) struct Follower {
    kinds: i32,
    holes: i32,
    /// Seeds of each hole by kind, of each store, and out of play. Negative if a board was
    /// described wrongly.
    seeds: Vec<i32>,
}

/// Consecutive sowings with a constant stride.
#[derive(Debug, Clone, Copy)]
struct Run {
    from: i32,
    last: i32,
    stride: i32,
    seeds: i32,
    kind: i32,
}

impl Run {
    fn say(self, numbers: &mut Vec<i32>) {
        numbers.extend([SOW, self.from, self.stride, self.seeds, self.kind]);
    }
}

impl Follower {
    /// Board with seeds of this many kinds.
    pub(super) fn new(contents: &Contents, kinds: usize) -> Self {
        let holes = contents.seeds.len() / kinds;
        let seeds = vec![0; (holes + 3) * kinds];
        // Board sizes fit into `i32`.
        let small = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let mut follower = Self { kinds: small(kinds), holes: small(holes), seeds };
        follower.set(contents);
        follower
    }

    /// Sets the board to these contents.
    pub(super) fn set(&mut self, contents: &Contents) {
        self.seeds.fill(0);
        for (there, seeds) in self.seeds.iter_mut().zip(&contents.seeds) {
            *there = i32::from(*seeds);
        }
        for side in Side::BOTH {
            *self.of(self.spot(Spot::Store(side)), 0) = i32::from(contents.stores[side]);
        }
    }

    /// Whether the board has these contents, except for seeds out of play.
    pub(super) fn agrees(&self, contents: &Contents) -> bool {
        let holes = &self.seeds[..contents.seeds.len()];
        let has =
            |side: Side| self.all(self.spot(Spot::Store(side))) == i32::from(contents.stores[side]);
        holes.iter().copied().eq(contents.seeds.iter().map(|seeds| i32::from(*seeds)))
            && Side::BOTH.into_iter().all(has)
    }

    /// Follows the steps of a move, and encodes them in numbers.
    pub(super) fn follow(&mut self, steps: &[Step]) -> Vec<i32> {
        let mut numbers = Vec::new();
        let mut run: Option<Run> = None;
        for (place, step) in steps.iter().enumerate() {
            if let Step::Sow { to, kind } = *step {
                run = Some(self.sow(run, self.spot(to), kind.into(), &mut numbers));
                continue;
            }
            if let Some(run) = run.take() {
                run.say(&mut numbers);
            }
            match *step {
                Step::Lift { from, seeds } => self.lift(from, seeds, &steps[place..], &mut numbers),
                Step::Capture { from, seeds, to } => {
                    self.carry(CAPTURE, [from, to], seeds, &mut numbers);
                }
                Step::Sweep { from, seeds, to } => {
                    self.carry(SWEEP, [from, to], seeds, &mut numbers);
                }
                Step::Lap { from } => numbers.extend([LAP, self.spot(from)]),
                Step::Sow { .. } => {}
            }
        }
        if let Some(run) = run {
            run.say(&mut numbers);
        }
        numbers
    }

    fn spot(&self, spot: Spot) -> i32 {
        match spot {
            Spot::Hole(hole) => hole.into(),
            Spot::Store(Side::One) => self.holes,
            Spot::Store(Side::Two) => self.holes + 1,
            Spot::Away => self.holes + 2,
        }
    }

    /// The seeds of a kind in a spot.
    fn of(&mut self, spot: i32, kind: i32) -> &mut i32 {
        &mut self.seeds[(spot * self.kinds + kind) as usize]
    }

    /// The seeds of a spot, by kind.
    fn by_kind(&self, spot: i32) -> &[i32] {
        &self.seeds[(spot * self.kinds) as usize..][..self.kinds as usize]
    }

    /// Number of all seeds of a spot.
    fn all(&self, spot: i32) -> i32 {
        self.by_kind(spot).iter().sum()
    }

    /// Sows a seed, in the current run if it continues, or else in a new one.
    fn sow(&mut self, run: Option<Run>, to: i32, kind: i32, numbers: &mut Vec<i32>) -> Run {
        *self.of(to, kind) += 1;
        let new = Run { from: to, last: to, stride: 0, seeds: 1, kind };
        let Some(run) = run else { return new };
        let stride = self.stride(run.last, to);
        let fits = run.seeds == 1 || run.stride == stride;
        if fits && run.kind == kind && run.last.max(to) < self.holes {
            return Run { last: to, stride, seeds: run.seeds + 1, ..run };
        }
        run.say(numbers);
        new
    }

    /// Signed distance between two holes around the board, in the shorter direction.
    fn stride(&self, from: i32, to: i32) -> i32 {
        match (to - from).rem_euclid(self.holes) {
            far if far > self.holes / 2 => far - self.holes,
            near => near,
        }
    }

    /// Lifts seeds: all of the hole, or those of the kinds that are sown next.
    fn lift(&mut self, from: Spot, seeds: u16, next: &[Step], numbers: &mut Vec<i32>) {
        let spot = self.spot(from);
        let of_kinds = if self.all(spot) == i32::from(seeds) {
            self.by_kind(spot).to_vec()
        } else {
            self.sown_next(next, seeds)
        };
        for (kind, seeds) in (0..).zip(of_kinds).filter(|(_, seeds)| *seeds > 0) {
            *self.of(spot, kind) -= seeds;
            numbers.extend([LIFT, spot, kind, seeds]);
        }
    }

    /// Kinds of the seeds that are sown next.
    fn sown_next(&self, steps: &[Step], seeds: u16) -> Vec<i32> {
        let mut of_kinds = vec![0; self.kinds as usize];
        let sown = steps.iter().filter_map(|step| match step {
            Step::Sow { kind, .. } => Some(usize::from(*kind)),
            _ => None,
        });
        sown.take(usize::from(seeds)).for_each(|kind| of_kinds[kind] += 1);
        of_kinds
    }

    /// Moves seeds from one spot to another, lower kinds first.
    fn carry(&mut self, what: i32, between: [Spot; 2], seeds: u16, numbers: &mut Vec<i32>) {
        let [from, to] = between.map(|spot| self.spot(spot));
        let mut left = i32::from(seeds);
        for kind in 0..self.kinds {
            let seeds = left.min(*self.of(from, kind));
            if seeds > 0 {
                left -= seeds;
                *self.of(from, kind) -= seeds;
                *self.of(to, kind) += seeds;
                numbers.extend([what, from, to, kind, seeds]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use pitmaster_games as games;

    use super::*;

    #[test]
    fn a_sowing_is_a_few_numbers() {
        let game = games::find(&"coloured-awale".parse().unwrap()).unwrap();
        let mut table = game.begin();
        let mut follower = Follower::new(&table.contents(), 3);
        let mut said = |text: &str| {
            let steps = table.play_watched(text).unwrap();
            let numbers = follower.follow(&steps.0);
            assert!(follower.agrees(&table.contents()), "{text}");
            format!("{text}: {numbers:?}")
        };
        let said: Vec<_> = ["1R", "2B", "3TR", "4TB"].into_iter().map(&mut said).collect();
        insta::assert_snapshot!(said.join("\n"), @"
        1R: [0, 0, 0, 2, 1, 1, 1, 2, 0]
        2B: [0, 1, 1, 2, 1, 2, 2, 2, 1]
        3TR: [0, 2, 0, 3, 0, 2, 2, 2, 1, 3, 1, 2, 2, 1, 5, 1, 3, 0]
        4TB: [0, 3, 1, 2, 0, 3, 2, 3, 1, 4, 2, 3, 2, 1, 10, 2, 2, 1]
        ");
    }

    /// Steps add up to the engine's board in every game, except for layouts, swaps and chance.
    #[test]
    fn steps_add_up() {
        let mut followed = 0;
        for name in games::names() {
            // One game requires options.
            let Ok(game) = games::find(&name.parse().unwrap()) else { continue };
            followed += 1;
            let shape = game.shape();
            let mut rng = Seed(7).stream(name);
            let mut table = game.begin();
            let mut follower = Follower::new(&table.contents(), shape.kinds.len());
            for _ in 0..60 {
                let mut text = String::new();
                table.list_moves(&mut text);
                let moves: Vec<_> =
                    text.split_whitespace().filter(|text| !text.contains('*')).collect();
                let Some(mv) = moves.first() else { break };
                let steps = table.play_watched(mv).unwrap();
                follower.follow(&steps.0);
                if mv.contains('=') || *mv == "swap" {
                    follower.set(&table.contents());
                }
                assert!(follower.agrees(&table.contents()), "{name} {mv} {}", table.board());
                if table.turn() == games::Turn::Chance {
                    table.draw(&mut rng);
                    follower.set(&table.contents());
                }
            }
        }
        assert!(followed > 140, "{followed}");
    }
}
