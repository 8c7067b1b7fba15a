//! The steps of a move as a flat list of whole numbers, for a page that adds seeds up and knows
//! no rules.
//!
//! One operation after another; spots are the holes from 0, then the stores of player 1 and of
//! player 2, then what is out of play:
//! - `0, from, kind, n`: so many seeds are lifted into the hand;
//! - `1, to, stride, n, kind`: so many are sown, one each into `to`, `to + stride`, …, around
//!   the holes;
//! - `2, from, to, kind, n`: captured; `3, from, to, kind, n`: moved without being captured;
//! - `4, hole`: a new lap begins there.

use crate::games::{Contents, Spot, Step};
use crate::record::Side;

const LIFT: i32 = 0;
const SOW: i32 = 1;
const CAPTURE: i32 = 2;
const SWEEP: i32 = 3;
const LAP: i32 = 4;

/// A board that follows steps.
#[derive(Debug)]
pub(super) struct Follower {
    kinds: usize,
    holes: usize,
    /// Of each hole by kind, of each store, and of what is out of play. A board can have been
    /// told wrongly of; then there are less than none.
    seeds: Vec<i64>,
}

/// Sowings that go on with the same distance from one to the next.
#[derive(Debug, Clone, Copy)]
struct Run {
    from: usize,
    last: usize,
    stride: i32,
    seeds: i32,
    kind: usize,
}

impl Follower {
    /// A board with seeds of so many kinds on it.
    pub(super) fn new(contents: &Contents, kinds: usize) -> Self {
        let holes = contents.seeds.len() / kinds;
        let mut follower = Self { kinds, holes, seeds: vec![0; (holes + 3) * kinds] };
        follower.set(contents);
        follower
    }

    /// Takes the board as it is.
    pub(super) fn set(&mut self, contents: &Contents) {
        self.seeds.fill(0);
        for (place, seeds) in contents.seeds.iter().enumerate() {
            self.seeds[place] = i64::from(*seeds);
        }
        for (side, seeds) in Side::BOTH.into_iter().zip(contents.stores.iter()) {
            let store = self.spot(Spot::Store(side));
            self.seeds[store * self.kinds] = i64::from(*seeds);
        }
    }

    /// Whether that is what lies there, out of play aside.
    pub(super) fn agrees(&self, contents: &Contents) -> bool {
        let there = contents.seeds.iter().map(|seeds| i64::from(*seeds));
        let stores = Side::BOTH.map(|side| self.all(self.spot(Spot::Store(side))));
        let [one, two] = stores;
        self.seeds[..self.holes * self.kinds].iter().copied().eq(there)
            && (one, two) == (contents.stores.one.into(), contents.stores.two.into())
    }

    /// Follows the steps of a move, and says them in numbers.
    pub(super) fn follow(&mut self, steps: &[Step]) -> Vec<i32> {
        let mut numbers = Vec::new();
        let mut run: Option<Run> = None;
        for (place, step) in steps.iter().enumerate() {
            if let Step::Sow { to, kind } = *step {
                run = Some(self.sow(run, self.spot(to), usize::from(kind), &mut numbers));
                continue;
            }
            self.say(run.take(), &mut numbers);
            match *step {
                Step::Lift { from, seeds } => self.lift(from, seeds, &steps[place..], &mut numbers),
                Step::Capture { from, seeds, to } => {
                    self.carry(CAPTURE, from, to, seeds, &mut numbers);
                }
                Step::Sweep { from, seeds, to } => {
                    self.carry(SWEEP, from, to, seeds, &mut numbers);
                }
                Step::Lap { from } => numbers.extend([LAP, self.spot(from) as i32]),
                Step::Sow { .. } => {}
            }
        }
        self.say(run, &mut numbers);
        numbers
    }

    fn spot(&self, spot: Spot) -> usize {
        match spot {
            Spot::Hole(hole) => usize::from(hole),
            Spot::Store(side) => self.holes + side.index(),
            Spot::Away => self.holes + 2,
        }
    }

    /// All seeds of a spot.
    fn all(&self, spot: usize) -> i64 {
        self.seeds[spot * self.kinds..][..self.kinds].iter().sum()
    }

    /// A seed more: of the run, if it goes on, or of a new one.
    fn sow(&mut self, run: Option<Run>, to: usize, kind: usize, numbers: &mut Vec<i32>) -> Run {
        self.seeds[to * self.kinds + kind] += 1;
        let stride = |run: &Run| self.stride(run.last, to);
        let goes_on = |run: &Run| {
            let fits = run.seeds == 1 || run.stride == stride(run);
            run.kind == kind && run.last.max(to) < self.holes && fits
        };
        match run {
            Some(run) if goes_on(&run) => {
                Run { last: to, stride: stride(&run), seeds: run.seeds + 1, ..run }
            }
            other => {
                self.say(other, numbers);
                Run { from: to, last: to, stride: 0, seeds: 1, kind }
            }
        }
    }

    /// From one hole to another around all of them, whichever way is shorter.
    fn stride(&self, from: usize, to: usize) -> i32 {
        let (holes, way) = (self.holes as i32, to as i32 - from as i32);
        match way.rem_euclid(holes) {
            far if far > holes / 2 => far - holes,
            near => near,
        }
    }

    #[expect(clippy::unused_self, reason = "it reads as the others do")]
    fn say(&self, run: Option<Run>, numbers: &mut Vec<i32>) {
        if let Some(Run { from, stride, seeds, kind, .. }) = run {
            numbers.extend([SOW, from as i32, stride, seeds, kind as i32]);
        }
    }

    /// Seeds are lifted: all that lie there, or those of the kinds that are sown next.
    fn lift(&mut self, from: Spot, seeds: u16, next: &[Step], numbers: &mut Vec<i32>) {
        let spot = self.spot(from);
        let of_kinds = if self.all(spot) == i64::from(seeds) {
            self.seeds[spot * self.kinds..][..self.kinds].to_vec()
        } else {
            sown_next(next, seeds, self.kinds)
        };
        for (kind, seeds) in of_kinds.into_iter().enumerate().filter(|(_, seeds)| *seeds > 0) {
            self.seeds[spot * self.kinds + kind] -= seeds;
            numbers.extend([LIFT, spot as i32, kind as i32, seeds as i32]);
        }
    }

    /// Seeds go from one spot to another, those of the first kinds first.
    fn carry(&mut self, what: i32, from: Spot, to: Spot, seeds: u16, numbers: &mut Vec<i32>) {
        let (from, to) = (self.spot(from), self.spot(to));
        let mut left = i64::from(seeds);
        for kind in 0..self.kinds {
            let seeds = left.min(self.seeds[from * self.kinds + kind]);
            if seeds > 0 {
                left -= seeds;
                self.seeds[from * self.kinds + kind] -= seeds;
                self.seeds[to * self.kinds + kind] += seeds;
                numbers.extend([what, from as i32, to as i32, kind as i32, seeds as i32]);
            }
        }
    }
}

/// Of what kinds so many seeds are that are sown from here on.
fn sown_next(steps: &[Step], seeds: u16, kinds: usize) -> Vec<i64> {
    let mut of_kinds = vec![0; kinds];
    let sown = steps.iter().filter_map(|step| match step {
        Step::Sow { kind, .. } => Some(usize::from(*kind)),
        _ => None,
    });
    sown.take(usize::from(seeds)).for_each(|kind| of_kinds[kind] += 1);
    of_kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::record::Seed;

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

    /// Steps add up to the engine's board in every game, but for layouts, swaps and chance.
    #[test]
    fn steps_add_up() {
        let mut followed = 0;
        for name in games::names() {
            // One needs options to be a game.
            let Ok(game) = games::find(&name.parse().unwrap()) else { continue };
            followed += 1;
            let shape = game.shape();
            let mut rng = Seed(7).stream(&name);
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
