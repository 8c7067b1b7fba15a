//! Description of captures, their conditions and consequences.

use super::words::{counted, first_turns, joined, seeds, with_numbers};
use crate::two_row::check::facts::{across, basic, claims, closing, en_passant, gives_away};
use crate::two_row::params::{
    CaptDir, CaptRturn, CaptSide, CaptType, ChildType, Class, CrossCapt, GrandSlam, Mlaps, Params,
    PickExtra, Presowcapt, SowDirect, SowRule, XcPickOwn,
};

pub(super) fn sentences(p: &Params) -> Vec<String> {
    if matches!(p.game_class, Class::Diffusion | Class::DiffusionV2) || closing(p) {
        return Vec::new();
    }
    let mut said = kinds(p);
    if said.is_empty() {
        said.push(nothing(p).into());
    }
    said.extend(numbers(p));
    said.extend(limits(p));
    said.extend(chain(p));
    said.extend(extras(p));
    said.extend(afterwards(p));
    said
}

/// Sentence about last seeds that capture nothing.
fn nothing(p: &Params) -> &'static str {
    if p.child_type == ChildType::Weg {
        "Seeds are captured out of wegs."
    } else if p.presowcapt != Presowcapt::None || p.game_class == Class::BearOff {
        "Nothing else is captured."
    } else {
        "Nothing is captured."
    }
}

/// The captures that the last seed makes.
fn kinds(p: &Params) -> Vec<String> {
    let mut said = Vec::new();
    if p.capt_type != CaptType::None {
        said.push(kind(p));
    }
    if across(p) && stands_alone(p.capt_type) {
        said.push("It takes the place of a capture across.".into());
    }
    if !stands_alone(p.capt_type) {
        if across(p) {
            said.push(crossing(p));
        } else if let Some(number) = criteria(p) {
            said.push(format!(
                "If the hole of the last seed then holds {number}, they are captured."
            ));
        }
    }
    said
}

/// The capture that replaces others. Rules for single laps are described there.
fn kind(p: &Params) -> String {
    let about = p.capt_type.about();
    match about.split_once("; without laps ") {
        Some((first, _)) if p.mlaps != Mlaps::Off => format!("{first}."),
        Some((first, rest)) => format!("{first}; {rest}"),
        None => about.to_owned(),
    }
}

/// The capture across, and its chain if there are chains.
fn crossing(p: &Params) -> String {
    let about = p.crosscapt.about();
    match about.split_once(';') {
        Some((once, _)) if p.multicapt == 0 => format!("{once}."),
        _ => about.to_owned(),
    }
}

/// Whether that kind excludes other captures.
fn stands_alone(kind: CaptType) -> bool {
    !matches!(
        kind,
        CaptType::None
            | CaptType::PassStoreCapt
            | CaptType::EndOppStoreCapt
            | CaptType::SandwichCapt
    )
}

/// Numbers of seeds that can be captured, unless described already.
fn numbers(p: &Params) -> Option<String> {
    let number = criteria(p)?;
    let by_number = !stands_alone(p.capt_type) && !across(p);
    if en_passant(p) || p.pickextra == PickExtra::PickOppBasic || p.presowcapt != Presowcapt::None {
        return Some(format!("A number of seeds to capture means {number}{}.", tested(p)));
    }
    (!by_number).then(|| format!("There must be {number}{}.", tested(p)))
}

/// Conditions on the number of seeds.
fn criteria(p: &Params) -> Option<String> {
    let mut asked = Vec::new();
    if p.evens {
        asked.push("an even number of seeds".to_owned());
    }
    if p.capt_min != 0 {
        asked.push(format!("at least {}", seeds(p.capt_min)));
    }
    if p.capt_max != 0 {
        asked.push(format!("at most {}", seeds(p.capt_max)));
    }
    if !p.capt_on.is_empty() {
        asked.push(format!("exactly {} seeds", joined(&p.capt_on, "or")));
    }
    (!asked.is_empty()).then(|| joined(&asked, "and"))
}

/// Hole whose number is tested, if it is not that of the last seed.
fn tested(p: &Params) -> &'static str {
    match p.capt_type {
        CaptType::Next if p.mlaps != Mlaps::Off => {
            " (in the hole of the last seed for the first capture)"
        }
        CaptType::Next => " (in the hole that is captured)",
        CaptType::PullAcross => " (in the hole across)",
        CaptType::None if across(p) => " (in the hole across)",
        _ => "",
    }
}

/// Conditions under which no captures are made.
fn limits(p: &Params) -> Vec<String> {
    let mut said = Vec::new();
    if p.capt_side != CaptSide::Both {
        said.push(side(p));
    }
    if p.moveunlock {
        said.push("A hole is captured only after it was moved once in the round.".into());
    }
    if p.nosinglecapt {
        said.push("A sowing of a single seed captures nothing and makes no child.".into());
    }
    if p.nocaptmoves != 0 {
        let turns = first_turns(p.nocaptmoves);
        said.push(format!("There are no captures in {turns} of a round."));
    }
    if !matches!(p.grandslam, GrandSlam::Legal | GrandSlam::NotLegal) {
        said.push(p.grandslam.about().into());
    }
    said
}

fn side(p: &Params) -> String {
    let crossing = across(p) && !stands_alone(p.capt_type);
    match p.capt_side {
        CaptSide::OppSide if crossing => "The hole captured across is on the opponent's side, so \
             that the last seed is on the mover's."
            .into(),
        CaptSide::OwnSide if crossing => {
            "The hole captured across is on the mover's side, so that the last seed is on the \
             opponent's."
                .into()
        }
        side => side.about().into(),
    }
}

/// Continuation of captures to other holes.
fn chain(p: &Params) -> Vec<String> {
    let mut said = Vec::new();
    match p.multicapt {
        0 => {}
        limit if limit < 0 => said.push(
            "After a capture the following hole is tried in the same way, and so on until one \
             fails."
                .to_owned(),
        ),
        limit => said.push(format!(
            "After a capture the following hole is tried in the same way, and so on until one \
             fails, {} at most.",
            counted(limit.into(), "capture")
        )),
    }
    if p.multicapt != 0 {
        said.push(match fixed_direction(p) {
            Some(way) => format!("A chain goes {way}, whichever way was sown."),
            None => p.capt_dir.about().to_owned(),
        });
    } else if p.capt_type == CaptType::Next {
        said.push(match fixed_direction(p) {
            Some(way) => format!("The hole after it is meant {way}, whichever way was sown."),
            None => next(p.capt_dir).to_owned(),
        });
    }
    said
}

/// Fixed meaning of "back", against `sow_direct`, if moves can also be sown the other way.
fn fixed_direction(p: &Params) -> Option<&'static str> {
    let both_ways = !p.udir_holes.is_empty() || p.sow_rule == SowRule::ChangeDirLap;
    match p.sow_direct {
        _ if !both_ways || p.capt_dir != CaptDir::OppSow => None,
        SowDirect::Cw => Some("counter-clockwise"),
        SowDirect::Ccw => Some("clockwise"),
        _ => None,
    }
}

/// Hole that `NEXT` means.
fn next(direction: CaptDir) -> &'static str {
    match direction {
        CaptDir::OppSow => "The hole after it is meant against the direction of sowing.",
        CaptDir::Sow => "The hole after it is meant in the direction of sowing.",
        CaptDir::Both => "The hole after it is meant in both directions.",
    }
}

/// Seeds taken in addition to a capture.
fn extras(p: &Params) -> Vec<String> {
    let mut said = Vec::new();
    if p.xcpickown != XcPickOwn::Leave && p.crosscapt != CrossCapt::None {
        said.push(p.xcpickown.about().to_owned());
    }
    if p.xc_sown {
        said.push(
            "This needs a single last seed on the mover's side; if no seed came to the opponent's \
             side in that move, the mover moves again instead."
                .into(),
        );
    }
    if p.pickextra != PickExtra::None {
        said.push(with_numbers(p.pickextra.about(), p));
    }
    said
}

/// Destination of captured seeds, and the player who moves next.
fn afterwards(p: &Params) -> Vec<String> {
    let mut said = Vec::new();
    if gives_away(p) {
        said.push(
            "Captured seeds are not kept: before the turn ends the mover puts them all into a hole \
             on the opponent's side."
                .to_owned(),
        );
    } else if p.stores && takes(p) {
        said.push("Captured seeds go to the mover's store.".into());
    } else if !p.stores && claims(p) {
        said.push(
            "Captured seeds go to the mover's first child; a player without a child captures \
             nothing."
                .into(),
        );
    }
    if p.capt_rturn != CaptRturn::NoRepeat {
        said.push(p.capt_rturn.about().into());
    }
    said
}

/// Whether the mover ever takes seeds.
fn takes(p: &Params) -> bool {
    p.capt_type != CaptType::None
        || across(p)
        || basic(p)
        || p.presowcapt != Presowcapt::None
        || p.child_type == ChildType::Weg
}
