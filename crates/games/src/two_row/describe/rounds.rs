//! Description of play in rounds.

use super::words::{counted, with_numbers};
use crate::two_row::check::facts::{in_rounds, tally, territory};
use crate::two_row::params::{Goal, Params, RoundFill, Rounds};

pub(super) fn sentences(p: &Params) -> Vec<String> {
    if !in_rounds(p) {
        return Vec::new();
    }
    let mut said = vec![played(p)];
    said.push(fill(p));
    if p.blocks {
        said.push("Holes that were not filled are closed for the round.".into());
    }
    if p.goal == Goal::MaxSeeds {
        said.push(need(p));
    }
    said.push(p.round_starter.about().into());
    said
}

fn played(p: &Params) -> String {
    match p.rounds {
        Rounds::NoMoves => "The game is played in rounds.".into(),
        rounds => format!("The game is played in rounds. {}", with_numbers(rounds.about(), p)),
    }
}

/// Setup of the next round.
fn fill(p: &Params) -> String {
    match p.round_fill {
        _ if tally(p) => "Every round is dealt afresh.".into(),
        RoundFill::NotApplicable if territory(p) => "Each player owns as many holes as the own \
             seeds fill, with a half hole rounded up, and all holes are dealt as at the start."
            .into(),
        RoundFill::NotApplicable => with_numbers(RoundFill::OutsideFill.about(), p),
        fill => with_numbers(fill.about(), p),
    }
}

/// Requirement for another round.
fn need(p: &Params) -> String {
    let holes = counted(p.goal_param.max(1).into(), "hole");
    match p.round_fill {
        RoundFill::EvenFill => {
            "A player who has too few seeds for a move has lost the game.".into()
        }
        RoundFill::UMove => {
            "A player who has too few seeds for one in each hole and a move has lost the game."
                .into()
        }
        _ => format!("A player who has too few seeds to fill {holes} has lost the game."),
    }
}
