//! Two-row engine: every game with two rows of holes that parameters can describe.
//!
//! [`params::Params`] describe a game; [`TwoRow::new`] compiles them once into a plan that the
//! moves follow. A [`Position`] is the same plain data for every game. A move passes these stages
//! in order: `move_filters`, `lift` and `direction`, `sow` (in `laps`), `capture` with `children`,
//! `end`; between rounds also `rounds`. The module `play` connects the stages.

mod board;
mod capture;
pub mod catalogue;
pub mod check;
mod children;
mod counts;
mod criteria;
pub mod describe;
mod direction;
mod end;
pub mod file;
mod laps;
mod layouts;
mod lift;
mod listing;
mod move_filters;
mod moves;
pub mod named;
#[cfg(test)]
mod pairs;
pub mod params;
mod plan;
mod play;
mod position;
mod position_text;
#[cfg(test)]
mod presets;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod rare;
mod refusal;
mod ring;
mod rounds;
mod rules;
#[cfg(test)]
mod rulings;
mod sides;
mod sow;
mod sowing;
mod start;
mod state_hash;
#[cfg(test)]
mod testing;
mod text;
mod trace;

use std::sync::Arc;

use params::Params;
use pitmaster_core::Side;
use plan::Plan;

pub use moves::{Layout, Move, Template, Way};
pub use position::{
    Clause, HoleSet, Inhibited, LastMove, MAX_BOARD, MAX_HOLES, Phase, Position, SEEDS, Tally,
};

/// Rules of a two-row game.
#[derive(Debug, Clone)]
pub struct TwoRow {
    plan: Arc<Plan>,
    start: Position,
}

impl TwoRow {
    /// Compiles the rules. The parameters must be those of a game that passes the check.
    pub fn new(params: Params) -> Self {
        let plan = Arc::new(Plan::new(params));
        let start = plan.begin(Side::One);
        Self { plan, start }
    }

    /// Parameters from which the rules were compiled.
    pub fn params(&self) -> &Params {
        &self.plan.params
    }
}
