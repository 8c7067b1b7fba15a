//! Random parameters accepted by the check.

use std::fmt;

use pitmaster_core::Seed;
use proptest::prelude::*;

use crate::two_row::catalogue::ENTRIES;
use crate::two_row::check::check;
use crate::two_row::params::{Parameter, Params, Value};

/// Parameters of a game.
#[derive(Clone)]
pub(super) struct Game {
    pub(super) params: Params,
    pub(super) seed: Seed,
}

impl fmt::Debug for Game {
    /// The parameters that are not the default, as options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Params::default();
        for parameter in Params::ALL {
            let value = parameter.get(&self.params);
            if value != parameter.get(&usual) {
                write!(f, "{}={value},", parameter.name)?;
            }
        }
        write!(f, " seed {}", self.seed.0)
    }
}

pub(super) fn any_game() -> impl Strategy<Value = Game> {
    (any_params(), any::<u64>()).prop_map(|(params, seed)| Game { params, seed: Seed(seed) })
}

/// Small board or game of the catalogue after this many random changes; changes rejected by the
/// check are skipped.
fn any_params() -> impl Strategy<Value = Params> {
    let change = || (0..Params::ALL.len(), any_value());
    prop_oneof![
        (small_board(), prop::collection::vec(change(), 0..90)),
        (any_known(), prop::collection::vec(change(), 0..8)),
    ]
    .prop_map(|(start, changes)| {
        changes.iter().fold(start, |params, (at, value)| changed(params, &Params::ALL[*at], value))
    })
}

fn small_board() -> impl Strategy<Value = Params> {
    (2..=9_i32, 1..=6_i32, any::<bool>()).prop_map(|(holes, nbr_start, stores)| Params {
        holes,
        nbr_start,
        stores,
        ..Params::default()
    })
}

fn any_known() -> impl Strategy<Value = Params> {
    (0..ENTRIES.len()).prop_map(|at| ENTRIES[at].file().params)
}

fn changed(params: Params, parameter: &Parameter, value: &Value) -> Params {
    let mut other = params.clone();
    if parameter.set(&mut other, value) && is_small(&other) && is_playable(&other) {
        other
    } else {
        params
    }
}

fn is_playable(params: &Params) -> bool {
    !check(params).iter().any(|finding| finding.severity.is_fatal())
}

/// Larger boards are slower without testing more.
fn is_small(params: &Params) -> bool {
    params.holes <= 12 && params.nbr_start <= 30
}

/// Any value. Enums, flags, small numbers and lists are read from numbers.
fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (-1..=17_i64).prop_map(Value::Number),
        1 => (0..=40_i64).prop_map(Value::Number),
        1 => prop::collection::btree_set(0..12_i64, 0..5)
            .prop_map(|list| Value::List(list.into_iter().collect())),
    ]
}
