//! Description of the goal, the end of play and the division of the remaining seeds.

use super::words::{seeds, with_numbers};
use crate::two_row::check::facts::{
    deprives, elimination, immobilizes, in_rounds, tally, territory, territory_seeds,
};
use crate::two_row::params::{EndCond, Goal, Params, PlayLocs, Rounds, Unclaimed};

pub(super) fn sentences(p: &Params) -> Vec<String> {
    let mut said = vec![goal(p)];
    if elimination(p) {
        said.extend(stuck(p));
        return said;
    }
    if p.end_cond != EndCond::None {
        said.push(with_numbers(p.end_cond.about(), p));
    }
    said.push(no_moves(p));
    said.push(rest("The seeds left on the board then", p.unclaimed, p));
    if !in_rounds(p) && !territory(p) {
        said.push("The player who then has more seeds wins; equal numbers are a tie.".into());
    }
    said.push(limit(p));
    said
}

fn goal(p: &Params) -> String {
    match p.goal {
        Goal::MaxSeeds if in_rounds(p) && p.rounds != Rounds::HalfSeeds => {
            "The player who wins rounds until the opponent cannot set up another wins the game."
                .into()
        }
        Goal::MaxSeeds if in_rounds(p) => {
            "The player who has more than half of the seeds wins a round, and the game when the \
             opponent cannot set up another."
                .into()
        }
        Goal::Territory => {
            let enough = seeds(territory_seeds(p));
            format!("{} It takes {enough}.", with_numbers(p.goal.about(), p))
        }
        goal => with_numbers(goal.about(), p),
    }
}

/// Endings that the goal leaves open if seeds do not count.
fn stuck(p: &Params) -> Vec<String> {
    let mut said = Vec::new();
    if deprives(p) {
        said.push("If both sides are empty, the player who moved wins.".to_owned());
        said.push("A player who has no move has lost too.".into());
    } else if !immobilizes(p) {
        said.push("If both sides are empty, the player who moved wins.".into());
    } else if p.play_locs != PlayLocs::BoardOnly {
        said.push("A player with seeds in the own store can still move.".into());
    }
    if !tally(p) {
        said.push("A game that a limit ends is a tie.".into());
    }
    said
}

fn no_moves(p: &Params) -> String {
    let when = match (p.mustpass, p.mustshare) {
        (true, _) => "neither player has a move",
        (false, true) => {
            "the player to move has no move, or cannot give an opponent without seeds any"
        }
        (false, false) => "the player to move has no move",
    };
    let what = if in_rounds(p) { "A round" } else { "Play" };
    format!("{what} ends when {when}.")
}

/// Sentence about the owner of the remaining seeds.
fn rest(which: &str, settled: Unclaimed, p: &Params) -> String {
    let settled =
        if p.no_sides && settled == Unclaimed::HoleOwner { Unclaimed::DontScore } else { settled };
    let to = match settled {
        Unclaimed::HoleOwner => "go to the owners of their holes",
        Unclaimed::DontScore => "count for nobody",
        Unclaimed::LastMover => "go to the player who moved last",
        Unclaimed::UnfedPlayer => "go to the player who could not be fed",
        Unclaimed::Divvied => "are halved, an odd one going to whom has less",
    };
    format!("{which} {to}.")
}

/// A game that a limit ends.
fn limit(p: &Params) -> String {
    rest("If a limit ends the game, the seeds left on the board", p.quitter, p)
}
