//! Description of the board and its setup.

use super::words::{counted, seeds, with_numbers};
use crate::two_row::check::facts::{claims, east_west, total_seeds};
use crate::two_row::params::{Class, Params, StartPattern, SwapRule};

pub(super) fn sentences(p: &Params) -> Vec<String> {
    let mut said = vec![rows(p), stores(p), deal(p)];
    said.extend(pie(p));
    said
}

fn rows(p: &Params) -> String {
    let holes = counted(p.holes.into(), "hole");
    if east_west(p) {
        let (first, last) = (p.holes / 2 + 1, p.holes / 2 + p.holes);
        format!(
            "The board has two rows of {holes}, and each player sits at one end: the holes \
             {first} to {last} are player 1's side, the others player 2's."
        )
    } else {
        format!("Each of the two players has a row of {holes}.")
    }
}

fn stores(p: &Params) -> String {
    let diffuses = matches!(p.game_class, Class::Diffusion | Class::DiffusionV2);
    let text = if diffuses && p.stores {
        "Player 1's store shows the seeds that are out of play."
    } else if p.stores {
        "Each player has a store, at the right end of the own row."
    } else if claims(p) {
        "The board has no stores."
    } else {
        "The board shows no stores; captured seeds leave it."
    };
    text.into()
}

fn deal(p: &Params) -> String {
    let seeds = seeds(total_seeds(p));
    let pattern = with_numbers(p.start_pattern.about(), p);
    let pattern = pattern.trim_end_matches('.').replacen("In each row", "in each row", 1);
    if matches!(p.start_pattern, StartPattern::Random | StartPattern::RandomZeros) {
        format!("At the start there are {pattern}.")
    } else {
        format!("At the start: {pattern}; {seeds} altogether.")
    }
}

fn pie(p: &Params) -> Option<String> {
    let text = match p.swap {
        SwapRule::Never => "Nobody may take over the opponent's position.",
        SwapRule::Always => {
            "After the first move, the other player may take over the opponent's position instead \
             of moving."
        }
        SwapRule::Pattern if random(p) => {
            "At the first turn, each player may take over the opponent's position instead of \
             moving."
        }
        SwapRule::Pattern => return None,
    };
    Some(text.into())
}

fn random(p: &Params) -> bool {
    matches!(p.start_pattern, StartPattern::Random | StartPattern::RandomZeros)
}
