//! Reference results of other programs for the outcomes of two bots.

use serde::Deserialize;

use super::{Outcomes, Sprt, SprtModel};

/// `tests/golden/stats/two_bots.json`.
#[derive(Deserialize)]
pub(super) struct Golden {
    pub(super) differences: Vec<GoldenDifference>,
    pub(super) ratios: Vec<GoldenRatio>,
    pub(super) estimates: Vec<GoldenEstimate>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GoldenDifference {
    pub(super) program: String,
    pub(super) outcomes: Vec<u64>,
    pub(super) score: Option<f64>,
    pub(super) elo: Option<f64>,
    pub(super) elo_half_width: Option<f64>,
    pub(super) normalised: Option<f64>,
    pub(super) normalised_half_width: Option<f64>,
    pub(super) superiority: Option<f64>,
    pub(super) superiority_percent: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GoldenRatio {
    pub(super) program: String,
    model: SprtModel,
    elo0: f64,
    elo1: f64,
    pub(super) outcomes: Vec<u64>,
    pub(super) ratio: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct GoldenEstimate {
    model: SprtModel,
    elo0: f64,
    elo1: f64,
    pub(super) outcomes: Vec<u64>,
    pub(super) bounds: [f64; 2],
    pub(super) elo: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) superiority: f64,
    pub(super) ratio: f64,
}

impl Golden {
    pub(super) fn read() -> Self {
        let text = include_str!("../../../tests/golden/stats/two_bots.json");
        serde_json::from_str(text).unwrap()
    }
}

impl GoldenRatio {
    pub(super) fn sprt(&self) -> Sprt {
        Sprt { elo0: self.elo0, elo1: self.elo1, alpha: 0.05, beta: 0.05, model: self.model }
    }
}

impl GoldenEstimate {
    pub(super) fn sprt(&self) -> Sprt {
        Sprt { elo0: self.elo0, elo1: self.elo1, alpha: 0.05, beta: 0.05, model: self.model }
    }
}

/// Three or five counts, from the worst outcome to the best.
pub(super) fn outcomes(counts: &[u64]) -> Outcomes {
    match counts.len() {
        3 => Outcomes::Games(counts.try_into().unwrap()),
        5 => Outcomes::Pairs(counts.try_into().unwrap()),
        _ => panic!("{counts:?}"),
    }
}
