//! Refit: fit of all ratings from counts, on a separate thread.

use std::sync::Arc;

use pitmaster_ratings::{Anchor, Model, PairCounts, Ratings, Tie};

/// Input of a fit. It owns its data, so it can run on another thread.
#[derive(Debug, Clone)]
pub struct Refit {
    pub(super) players: usize,
    pub(super) counts: Arc<PairCounts>,
    pub(super) model: Model,
    /// Number of outcomes recorded before.
    pub(super) revision: u64,
}

/// Result of a fit, to be handed to [`Ladder::fitted`](super::Ladder::fitted).
#[derive(Debug, Clone)]
pub struct Fitted {
    pub(super) ratings: Ratings,
    pub(super) revision: u64,
}

impl Refit {
    pub(super) fn new(
        players: usize,
        counts: Arc<PairCounts>,
        (anchors, ties): (Vec<Anchor>, Vec<Tie>),
        revision: u64,
    ) -> Self {
        Self { players, counts, model: Model { anchors, ties, ..Model::default() }, revision }
    }

    /// Computes the ratings. As slow as the fit of a tournament.
    #[must_use]
    pub fn run(self) -> Fitted {
        let Self { players, counts, model, revision } = self;
        Fitted { ratings: Ratings::of_counts(players, &counts, &model), revision }
    }
}
