//! Slow model of most of the engine: plain vectors, a circle of cells rebuilt for every step, and
//! rules in the order of their texts. From the engine it uses only the parameters, the move
//! notation, and the number of seeds below which nothing can change.

mod capture;
mod end;
mod moves;
mod sow;

use crate::two_row::Way;
use crate::two_row::params::{
    AllowRule, Class, Goal, Params, SowDirect, SowRule, SowStores, StartPattern, Unclaimed,
};

/// Winner. `None` for a tie.
type Won = Option<usize>;

/// Ending of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Won(Won),
    /// The limit of laps was reached: the winner is not modeled.
    Endless,
}

/// A game: holes, then the stores of player 0 and 1 behind them.
#[derive(Debug, Clone)]
pub(super) struct Model {
    p: Params,
    h: usize,
    pub(super) cells: Vec<i32>,
    unlocked: Vec<bool>,
    pub(super) mover: usize,
    turns: i32,
    repeats: i32,
    forbidden: bool,
    pub(super) end: Option<End>,
}

/// A move in progress.
#[expect(clippy::struct_excessive_bools, reason = "a move can be several of these at once")]
#[derive(Debug, Clone)]
struct Sown {
    me: usize,
    ccw: bool,
    start: usize,
    hand: i32,
    end: usize,
    at: usize,
    next: usize,
    first: bool,
    captured: bool,
    repeat: bool,
    endless: bool,
    before: Vec<i32>,
}

/// Whether the model supports the parameters.
pub(super) fn knows(p: &Params) -> bool {
    let usual = Params::default();
    p.game_class == Class::Mancala
        && matches!(p.goal, Goal::MaxSeeds | Goal::Deprive | Goal::Clear)
        && (p.rounds, p.prescribed, p.play_locs)
            == (usual.rounds, usual.prescribed, usual.play_locs)
        && (p.child_type, p.child_locs) == (usual.child_type, usual.child_locs)
        && p.sow_direct != SowDirect::PlayAltDir
        && p.unclaimed != Unclaimed::UnfedPlayer
        && matches!(p.sow_rule, SowRule::None | SowRule::NoSowOppNs | SowRule::ChangeDirLap)
        && !matches!(
            p.allow_rule,
            AllowRule::FirstTurnOnlyRightTwo
                | AllowRule::Right2FirstThenAllTwo
                | AllowRule::RightHalf1stOpe
                | AllowRule::TwoOnlyAllRight
        )
        && p.sow_direct != SowDirect::Split
        && !matches!(p.start_pattern, StartPattern::MoveRandom | StartPattern::MoveRightmost)
}

impl Model {
    pub(super) fn new(p: &Params, seeds: &[u16], stores: [u16; 2], mover: usize) -> Self {
        let h = p.holes as usize;
        let mut cells: Vec<_> = seeds[..2 * h].iter().map(|&seeds| i32::from(seeds)).collect();
        cells.extend(stores.map(i32::from));
        let locks = p.moveunlock || p.allow_rule == AllowRule::MoveAllHolesFirst;
        Self {
            h,
            cells,
            unlocked: vec![!locks; 2 * h],
            mover,
            turns: 0,
            repeats: 0,
            forbidden: p.nocaptmoves > 0,
            end: None,
            p: p.clone(),
        }
    }

    fn is_store(&self, cell: usize) -> bool {
        cell >= 2 * self.h
    }

    fn own(&self, who: usize, cell: usize) -> bool {
        !self.is_store(cell) && (cell >= self.h) == (who == 1)
    }

    fn side(&self, who: usize) -> Vec<usize> {
        (0..2 * self.h).filter(|&hole| self.own(who, hole)).collect()
    }

    fn seeds_of(&self, who: usize) -> i32 {
        self.side(who).iter().map(|&hole| self.cells[hole]).sum()
    }

    fn across(&self, hole: usize) -> usize {
        2 * self.h - 1 - hole
    }

    fn circle(&self, me: usize) -> Vec<usize> {
        let sown = |store| match self.p.sow_stores {
            SowStores::Neither => false,
            SowStores::Own | SowStores::OwnNr => store == me,
            _ => true,
        };
        let mut circle: Vec<_> = (0..self.h).collect();
        circle.extend(sown(0).then_some(2 * self.h));
        circle.extend(self.h..2 * self.h);
        circle.extend(sown(1).then_some(2 * self.h + 1));
        circle
    }

    fn step(&self, me: usize, ccw: bool, cell: usize) -> usize {
        let circle = self.circle(me);
        let at = circle.iter().position(|&one| one == cell).expect("a cell of the circle");
        let by = if ccw { 1 } else { circle.len() - 1 };
        circle[(at + by) % circle.len()]
    }

    /// Next hole when looking ahead. With `skip_start`, player 0's store is skipped if stores are
    /// sown into.
    fn ahead(&self, s: &Sown, ccw: bool, cell: usize) -> usize {
        let next = self.step(s.me, ccw, cell);
        let passes = self.p.skip_start && self.p.sow_stores != SowStores::Neither;
        if passes && next == 2 * self.h { self.step(s.me, ccw, next) } else { next }
    }

    fn names_direction(&self, hole: usize) -> bool {
        self.p.udir_holes.iter().any(|&one| one as usize == hole % self.h)
    }

    fn direction(&self, hole: usize, way: Option<Way>) -> bool {
        let column = hole % self.h;
        let chosen = self.names_direction(hole);
        let west_half = column < self.h / 2;
        match self.p.sow_direct {
            _ if chosen && way.is_some() => way == Some(Way::Ccw),
            SowDirect::Cw => false,
            SowDirect::ToCenter => west_half,
            SowDirect::EvenOddDir => self.cells[hole] % 2 == 1,
            _ => true,
        }
    }
}
