//! Description of claimed holes.

use super::words::with_numbers;
use crate::two_row::check::facts::claims;
use crate::two_row::params::{ChildLocs, ChildRule, ChildType, Params};

pub(super) fn sentences(p: &Params) -> Vec<String> {
    match p.child_type {
        ChildType::None => return Vec::new(),
        ChildType::Ram => return vec![p.child_type.about().into()],
        _ => {}
    }
    let mut said = vec![made(p)];
    if p.child_rule != ChildRule::None && p.child_locs != ChildLocs::FixedOneRight {
        said.push(p.child_rule.about().into());
    }
    if p.child_locs != ChildLocs::Anywhere {
        said.push(p.child_locs.about().into());
    }
    if claims(p) {
        said.push(kept(p).into());
    }
    said
}

fn made(p: &Params) -> String {
    if p.child_locs != ChildLocs::FixedOneRight {
        return with_numbers(p.child_type.about(), p);
    }
    let text = match p.child_type {
        ChildType::Weg => {
            "There are wegs; a last seed that falls into the opponent's takes two seeds out of it."
        }
        ChildType::OneChild => "There is one child for each player.",
        ChildType::Bull => "There are bulls.",
        ChildType::Qur => "There are qurs.",
        _ => "There are children.",
    };
    text.into()
}

fn kept(p: &Params) -> &'static str {
    if p.child_type == ChildType::Weg {
        "A weg is sown into, but not moved; its seeds count for its owner."
    } else {
        "A child is sown into, but neither moved nor captured; its seeds count for its owner."
    }
}
