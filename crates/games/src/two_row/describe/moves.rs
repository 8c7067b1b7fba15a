//! Description of the holes that may be moved.

use super::words::{seeds, with_numbers};
use crate::two_row::check::facts::territory;
use crate::two_row::params::{AllowRule, Class, GrandSlam, Params, PlayLocs, Prescribed};

pub(super) fn sentences(p: &Params) -> Vec<String> {
    let mut said = vec![turn(p)];
    if p.play_locs != PlayLocs::BoardOnly {
        said.push(with_numbers(p.play_locs.about(), p));
    }
    if p.allow_rule != AllowRule::None {
        said.push(with_numbers(p.allow_rule.about(), p));
    }
    if p.mustshare {
        said.push(share(p).into());
    }
    if p.grandslam == GrandSlam::NotLegal {
        said.push(p.grandslam.about().into());
    }
    if p.mustpass {
        said.push("A player without a move passes.".into());
    }
    if p.prescribed != Prescribed::None {
        said.push(with_numbers(p.prescribed.about(), p));
    }
    said
}

/// The common move.
fn turn(p: &Params) -> String {
    let which = if p.no_sides {
        "any hole of the board"
    } else if territory(p) {
        "a hole that the player owns"
    } else {
        "a hole of the own side"
    };
    let least = if p.min_move > 1 {
        format!(" with at least {}", seeds(p.min_move))
    } else {
        String::new()
    };
    let all = if p.sow_start { "the seeds" } else { "all seeds" };
    let closed = if p.blocks { " Closed holes cannot be moved." } else { "" };
    let sown = if diffuses(p) { "spread them" } else { "sow them, one by one, along the board" };
    format!("In turn the players take {all} of {which}{least} and {sown}.{closed}")
}

fn diffuses(p: &Params) -> bool {
    matches!(p.game_class, Class::Diffusion | Class::DiffusionV2)
}

fn share(p: &Params) -> &'static str {
    if p.mustpass {
        "If the opponent has no seeds, a move must leave some there, if one can."
    } else {
        "If the opponent has no seeds, a move must leave some there."
    }
}
