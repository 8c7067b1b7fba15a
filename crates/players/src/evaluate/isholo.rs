//! Evaluation of Isholo.

use pitmaster_games::isholo::{Isholo, Kind};
use pitmaster_games::two_row::file;
use pitmaster_games::{GameSpec, SpecErrors};

use super::{Judged, Lead};

impl Judged for Isholo {
    type Judge = Lead;

    fn judge(&self) -> Lead {
        Lead
    }

    /// Weights the quantity that decides a game: seeds, or in game 3 the occupied holes.
    fn preset(&self, _: &GameSpec) -> Result<file::Player, SpecErrors> {
        let (mm_depth, random_moves) = match self.kind {
            Kind::One => ([2, 2, 3, 4], [56, 46, 19, 0]),
            Kind::TwoA => ([1, 2, 3, 4], [34, 34, 19, 0]),
            Kind::TwoB => ([1, 2, 3, 4], [8, 25, 15, 0]),
            // Not tuned: the search is slow.
            Kind::Three => ([1, 2, 3, 4], [0, 0, 0, 0]),
        };
        let ai_params = file::AiParams { mm_depth, random_moves, ..file::AiParams::default() };
        let (mx_seeds_m, mx_empties_m) = if self.kind == Kind::Three { (0, -4) } else { (4, 0) };
        let scorer = file::Scorer {
            mx_seeds_m,
            mx_empties_m,
            mx_easy_rand_a: 20,
            ..file::Scorer::default()
        };
        let algorithm = file::Algorithm::Negamax;
        Ok(file::Player { algorithm, ai_params, scorer, ..file::Player::default() })
    }
}
