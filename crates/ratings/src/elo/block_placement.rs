//! Placement of whole blocks relative to each other, where games have only wins or only losses.
//!
//! The largest block of a group is its core. The others are peeled off, outermost first: a block is
//! outside if it won (or lost) every game against all remaining ones. Then they are put back,
//! innermost first. Each gets the strength at which its wins against all placed blocks have a
//! probability of one half (or its losses; if it has both, the strength at which both are equally
//! likely). The ends of the interval are where that probability is 2.5 %. A repeated game counts
//! once.

use std::cmp::Reverse;

use super::Bound;
use super::blocks::Blocks;
use super::cells::Cell;
use super::fit::Fit;
use super::model::Curve;
use crate::interval::TAIL;

/// Placement of all bots, in natural units.
#[derive(Debug)]
pub(super) struct Places {
    /// Strength of every bot: absolute in an anchored group, otherwise with a group mean of 0.
    pub(super) strength: Vec<f64>,
    /// Placement of every block.
    pub(super) blocks: Vec<Place>,
}

/// Uncertainty of a block's placement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) bound: Bound,
    /// Length of the interval downwards; `None`: unbounded.
    pub(super) below: Option<f64>,
    /// Length of the interval upwards; `None`: unbounded.
    pub(super) above: Option<f64>,
}

impl Place {
    /// Placement of a core: other blocks are placed relative to it.
    const CORE: Self = Self { bound: Bound::Both, below: Some(0.0), above: Some(0.0) };
}

/// Game between two blocks, which is never a draw.
#[derive(Debug, Clone, Copy)]
struct Duel {
    winner: usize,
    loser: usize,
    /// First-move advantage from the winner's view.
    edge: f64,
}

/// Blocks during placement.
pub(super) struct Placing<'a> {
    blocks: &'a Blocks,
    curve: Curve,
    /// Games of each block with other blocks.
    duels: Vec<Vec<Duel>>,
    /// Number of games within each block.
    inner: Vec<u32>,
    strength: Vec<f64>,
    placed: Vec<Option<Place>>,
}

impl<'a> Placing<'a> {
    pub(super) fn new(fit: &Fit, blocks: &'a Blocks, distinct: &[Cell], curve: Curve) -> Self {
        Self::of_strengths(fit.strength.clone(), fit.advantage, blocks, distinct, curve)
    }

    fn of_strengths(
        strength: Vec<f64>,
        advantage: f64,
        blocks: &'a Blocks,
        distinct: &[Cell],
        curve: Curve,
    ) -> Self {
        let count = blocks.members.len();
        let (duels, inner, placed) = (vec![Vec::new(); count], vec![0; count], vec![None; count]);
        let mut placing = Self { blocks, curve, duels, inner, strength, placed };
        for cell in distinct {
            placing.add(cell, advantage);
        }
        placing
    }

    /// Kind of bound that the games alone give for every bot. It depends on no strength.
    pub(super) fn bounds_of_bots(blocks: &Blocks, distinct: &[Cell]) -> Vec<Bound> {
        let (equal, without_draws) = (vec![0.0; blocks.of.len()], f64::NEG_INFINITY);
        let curve = Curve::Davidson(without_draws);
        let places = Placing::of_strengths(equal, 0.0, blocks, distinct, curve).places();
        blocks.of.iter().map(|&block| places.blocks[block].bound).collect()
    }

    /// Places every block.
    pub(super) fn places(mut self) -> Places {
        let mut of_group = vec![Vec::new(); self.blocks.groups as usize];
        for (block, members) in self.blocks.members.iter().enumerate() {
            if let Some(group) = self.blocks.group[members[0]] {
                of_group[group as usize].push(block);
            }
        }
        for (group, blocks) in of_group.iter().enumerate() {
            self.place_group(blocks, self.blocks.is_anchored(group as u32));
        }
        let blocks = self.placed.iter().map(|place| place.unwrap_or(Place::CORE)).collect();
        Places { strength: self.strength, blocks }
    }

    fn add(&mut self, cell: &Cell, advantage: f64) {
        let Cell { one, two, wins, losses, .. } = *cell;
        let of = [one, two].map(|bot| self.blocks.of[bot]);
        if of[0] == of[1] {
            self.inner[of[0]] += cell.games() as u32;
            return;
        }
        let sides = [(one, two, advantage, wins), (two, one, -advantage, losses)];
        for (winner, loser, edge, times) in sides {
            for _ in 0..times as u32 {
                let duel = Duel { winner, loser, edge };
                for block in of {
                    self.duels[block].push(duel);
                }
            }
        }
    }

    fn place_group(&mut self, blocks: &[usize], anchored: bool) {
        let core = self.core(blocks);
        self.placed[core] = Some(Place::CORE);
        let rounds = self.peel(blocks, Some(core));
        loop {
            let next = self.next(blocks, &rounds);
            if next.is_empty() {
                break;
            }
            self.place(&next);
        }
        if anchored {
            return;
        }
        let is_alone = self.blocks.members[core].len() == 1;
        if is_alone && blocks.len() > 1 {
            self.placed[core] = Some(self.bounds(core, 0.0));
        }
        self.centre(blocks, if is_alone { None } else { Some(core) });
    }

    /// Core, relative to which other blocks are placed: an anchored block, else the one with most
    /// bots, then most games, then peeled off last.
    fn core(&self, blocks: &[usize]) -> usize {
        let rounds = self.peel(blocks, None);
        let worth = |&&block: &&usize| {
            let members = &self.blocks.members[block];
            let anchored = members.iter().any(|&bot| self.blocks.anchored[bot]);
            (anchored, members.len(), self.inner[block], rounds[block], Reverse(block))
        };
        *blocks.iter().max_by_key(worth).expect("a group has bots")
    }

    /// Round in which each block is peeled off, all except `kept`.
    fn peel(&self, blocks: &[usize], kept: Option<usize>) -> Vec<u32> {
        let mut rounds = vec![0; self.duels.len()];
        let mut left = vec![(0, 0); self.duels.len()];
        for &block in blocks {
            left[block] = self.score(block);
        }
        let is_outside = |left: &[(u32, u32)], block: usize| {
            Some(block) != kept && (left[block].0 == 0 || left[block].1 == 0)
        };
        let mut outside: Vec<_> =
            blocks.iter().copied().filter(|&block| is_outside(&left, block)).collect();
        for round in 1.. {
            for &block in &outside {
                rounds[block] = round;
            }
            let mut next = Vec::new();
            for &block in &outside {
                for duel in &self.duels[block] {
                    let (winner, loser) = self.blocks_of(duel);
                    let other = if winner == block { loser } else { winner };
                    let count = &mut left[other];
                    *(if winner == other { &mut count.0 } else { &mut count.1 }) -= 1;
                    if rounds[other] == 0 && is_outside(&left, other) {
                        next.push(other);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                break;
            }
            outside = next;
        }
        rounds
    }

    /// Numbers of wins and losses of a block against others.
    fn score(&self, block: usize) -> (u32, u32) {
        let won = self.duels[block].iter().filter(|duel| self.blocks_of(duel).0 == block).count();
        (won as u32, (self.duels[block].len() - won) as u32)
    }

    fn blocks_of(&self, duel: &Duel) -> (usize, usize) {
        (self.blocks.of[duel.winner], self.blocks.of[duel.loser])
    }

    /// Innermost of the blocks that met a placed one.
    fn next(&self, blocks: &[usize], rounds: &[u32]) -> Vec<usize> {
        let waiting = blocks.iter().copied().filter(|&block| self.placed[block].is_none());
        let mut touching: Vec<_> =
            waiting.filter(|&block| self.standing(block).next().is_some()).collect();
        let innermost = touching.iter().map(|&block| rounds[block]).max();
        touching.retain(|&block| Some(rounds[block]) == innermost);
        touching
    }

    /// Games of a block with placed ones.
    fn standing(&self, block: usize) -> impl Iterator<Item = &Duel> + Clone {
        self.duels[block].iter().filter(move |duel| {
            let (winner, loser) = self.blocks_of(duel);
            self.placed[if winner == block { loser } else { winner }].is_some()
        })
    }

    /// Places several blocks at once, so that none is placed relative to another of them.
    fn place(&mut self, blocks: &[usize]) {
        let shifts: Vec<_> = blocks.iter().map(|&block| self.shift(block)).collect();
        let places: Vec<_> =
            blocks.iter().zip(&shifts).map(|(&block, &shift)| self.bounds(block, shift)).collect();
        for ((&block, shift), place) in blocks.iter().zip(shifts).zip(places) {
            for &bot in &self.blocks.members[block] {
                self.strength[bot] += shift;
            }
            self.placed[block] = Some(place);
        }
    }

    /// Shift that moves a block to its place.
    fn shift(&self, block: usize) -> f64 {
        let half = 0.5_f64.ln();
        match (self.has_won(block), self.has_lost(block)) {
            (true, false) => rising_root(|shift| self.log_wins(block, shift) - half),
            (false, true) => rising_root(|shift| half - self.log_losses(block, shift)),
            _ => rising_root(|shift| self.log_wins(block, shift) - self.log_losses(block, shift)),
        }
    }

    /// Uncertainty of a block's placement at `shift`, from its games with placed blocks.
    fn bounds(&self, block: usize, shift: f64) -> Place {
        let tail = TAIL.ln();
        let below = self
            .has_won(block)
            .then(|| (shift - rising_root(|shift| self.log_wins(block, shift) - tail)).abs());
        let above = self
            .has_lost(block)
            .then(|| (rising_root(|shift| tail - self.log_losses(block, shift)) - shift).abs());
        let bound = match (below, above) {
            (Some(_), None) => Bound::Above,
            (None, Some(_)) => Bound::Below,
            _ => Bound::Both,
        };
        Place { bound, below, above }
    }

    fn has_won(&self, block: usize) -> bool {
        self.standing(block).any(|duel| self.blocks_of(duel).0 == block)
    }

    fn has_lost(&self, block: usize) -> bool {
        self.standing(block).any(|duel| self.blocks_of(duel).1 == block)
    }

    /// Logarithm of the probability that the block, moved by `shift`, wins every game that it won.
    fn log_wins(&self, block: usize, shift: f64) -> f64 {
        let won = self.standing(block).filter(|duel| self.blocks_of(duel).0 == block);
        won.map(|duel| self.log_chance(duel, shift)).sum()
    }

    /// Logarithm of the probability that the block, moved by `shift`, loses every game that it
    /// lost.
    fn log_losses(&self, block: usize, shift: f64) -> f64 {
        let lost = self.standing(block).filter(|duel| self.blocks_of(duel).1 == block);
        lost.map(|duel| self.log_chance(duel, -shift)).sum()
    }

    fn log_chance(&self, duel: &Duel, shift: f64) -> f64 {
        let difference = self.strength[duel.winner] - self.strength[duel.loser];
        self.curve.log_win(difference + duel.edge + shift)
    }

    /// Shifts a group so that the mean of its core (or of all its bots) is 0.
    fn centre(&mut self, blocks: &[usize], core: Option<usize>) {
        let members = |block: &usize| self.blocks.members[*block].iter().copied();
        let all: Vec<usize> = blocks.iter().flat_map(members).collect();
        let measured: Vec<usize> =
            core.map_or_else(|| all.clone(), |core| self.blocks.members[core].clone());
        let sum: f64 = measured.iter().map(|&bot| self.strength[bot]).sum();
        for bot in all {
            self.strength[bot] -= sum / measured.len() as f64;
        }
    }
}

/// Zero of a rising function, by bisection.
fn rising_root(function: impl Fn(f64) -> f64) -> f64 {
    const FARTHEST: f64 = 1e7;
    let (mut low, mut high) = (-1.0, 1.0);
    while function(low) > 0.0 && low > -FARTHEST {
        (low, high) = (low * 2.0, low);
    }
    while function(high) < 0.0 && high < FARTHEST {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        *(if function(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    f64::midpoint(low, high)
}
