//! Description of sowing.

use super::words::{direction, first_turns, joined, with_numbers};
use crate::two_row::check::facts::{across, basic, chooses_way, claims, closing, in_rounds};
use crate::two_row::params::{
    CaptType, ChildType, Class, CrossCapt, MlapCont, Mlaps, Params, PlayLocs, Presowcapt,
    SowDirect, SowRule, SowStores,
};

pub(super) fn sentences(p: &Params) -> Vec<String> {
    if matches!(p.game_class, Class::Diffusion | Class::DiffusionV2) {
        return vec![p.game_class.about().into()];
    }
    let mut said = Vec::new();
    if p.game_class != Class::Mancala {
        said.push(p.game_class.about().into());
    }
    said.push(way(p));
    said.extend(start_hole(p));
    if p.sow_stores != SowStores::Neither {
        said.push(p.sow_stores.about().into());
    }
    if p.blocks && in_rounds(p) {
        said.push("Closed holes are passed over.".into());
    }
    if p.sow_rule != SowRule::None {
        said.push(with_numbers(p.sow_rule.about(), p));
    }
    said.extend(after_lap_capture(p).map(str::to_owned));
    if closing(p) && p.nocaptmoves != 0 {
        said.push(format!("No hole is closed in {} of a round.", first_turns(p.nocaptmoves)));
    }
    if p.presowcapt != Presowcapt::None {
        said.push(p.presowcapt.about().into());
    }
    said.extend(laps(p));
    said
}

fn way(p: &Params) -> String {
    let set = match p.sow_direct {
        SowDirect::Cw | SowDirect::Ccw => format!("Sowing goes {}.", direction(p.sow_direct)),
        _ => p.sow_direct.about().into(),
    };
    if !chooses_way(p) || p.udir_holes.is_empty() {
        return set;
    }
    if p.udir_holes.len() >= usize::try_from(p.holes).unwrap_or(0) {
        return format!("The mover chooses the direction of every sowing{}.", but_stores(p));
    }
    let mut places: Vec<_> = p.udir_holes.iter().map(|hole| hole + 1).collect();
    places.sort_unstable();
    let noun = if places.len() == 1 { "hole" } else { "holes" };
    format!(
        "{set} For {noun} {}, counted from each player's left, the mover chooses the direction.",
        joined(&places, "and")
    )
}

/// Use of the fixed direction if the mover chooses the direction of every hole.
fn but_stores(p: &Params) -> String {
    let set = direction(p.sow_direct);
    if p.play_locs != PlayLocs::BoardOnly {
        format!("; a store is sown {set}")
    } else if p.child_type == ChildType::Ram {
        format!("; rams are counted {set}")
    } else {
        String::new()
    }
}

/// Treatment of the hole that was moved.
fn start_hole(p: &Params) -> Option<String> {
    if p.skip_start {
        let hole = if p.mlaps == Mlaps::Off { "that was moved" } else { "where a lap began" };
        return Some(format!("The hole {hole} is passed over."));
    }
    if !p.sow_start {
        return None;
    }
    let single = if p.move_one { " A single seed moves on and leaves none." } else { "" };
    let lap = if p.mlaps == Mlaps::Off { "" } else { " (in the first lap only)" };
    Some(format!("One seed stays in the hole that was moved{lap}.{single}"))
}

fn laps(p: &Params) -> Vec<String> {
    if p.mlaps == Mlaps::Off {
        return Vec::new();
    }
    let mut said = vec![p.mlaps.about().to_owned()];
    if p.mlap_cont != MlapCont::None {
        said.push(with_numbers(p.mlap_cont.about(), p));
    }
    if stops_at_numbers(p) {
        said.push("Laps stop where the last hole can be captured.".into());
    }
    if claims(p) {
        said.push("Laps also stop at a child, and where one is made.".into());
    }
    if leaves_stores(p) {
        said.push("A store with seeds is sown on like a hole.".into());
    }
    said.push("A sowing of more than 75 laps ends the game.".into());
    said
}

/// Continuation of a lap that ended in a capture.
fn after_lap_capture(p: &Params) -> Option<&'static str> {
    match (p.sow_rule, p.capt_type, p.crosscapt) {
        _ if p.mlaps != Mlaps::Lapper => None,
        (SowRule::LapCapt | SowRule::LapCaptOppGets, CaptType::Next | CaptType::TwoOut, _) => {
            Some("A lap that ends in a hole with seeds goes on from there, captured or not.")
        }
        (SowRule::LapCapt | SowRule::LapCaptOppGets, _, CrossCapt::OneZeros) => {
            Some("After a capture the next lap begins with the last seed.")
        }
        (SowRule::LapCapt | SowRule::LapCaptOppGets, ..) => {
            Some("After a capture the next lap begins with the hole that follows.")
        }
        _ => None,
    }
}

/// Whether a last hole that can be captured ends the laps.
fn stops_at_numbers(p: &Params) -> bool {
    let by_rule =
        matches!(p.sow_rule, SowRule::LapCapt | SowRule::LapCaptOppGets | SowRule::LapCaptSeeds);
    !by_rule
        && match p.capt_type {
            CaptType::MatchOpp | CaptType::SandwichCapt => true,
            CaptType::None => basic(p) && !across(p),
            _ => false,
        }
}

/// Whether a lap can continue from a store.
fn leaves_stores(p: &Params) -> bool {
    !matches!(p.sow_stores, SowStores::Neither | SowStores::Own | SowStores::Both)
        && !matches!(p.mlap_cont, MlapCont::StopStore | MlapCont::NotFromStore)
}
