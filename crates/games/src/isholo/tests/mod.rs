//! Comparison of the rules with positions worked out by hand and with a slow reference.

mod properties;
mod scenes;
mod texts;

use pitmaster_core::{BySide, Side};

use super::hole::Hole;
use super::position::Position;
use super::{Isholo, Kind};
use crate::holes::Holes;
use crate::{MoveList, Rules};

/// A player's seeds out of `a1:2 b4:1`.
fn holes(text: &str) -> Holes {
    text.split_ascii_whitespace().fold(Holes::NONE, |holes, part| {
        let (hole, seeds) = part.split_once(':').expect(part);
        let place = Hole::read(hole).expect(part).place();
        holes + Holes::only(place, seeds.parse().expect(part))
    })
}

/// A player's seeds as text, in the game's order.
fn shown(position: &Position, owner: Side) -> String {
    let filled = Hole::ALL.iter().filter(|hole| position.seeds(owner, **hole) > 0);
    let parts: Vec<_> =
        filled.map(|hole| format!("{hole}:{}", position.seeds(owner, *hole))).collect();
    parts.join(" ")
}

/// Position with player 1 to move.
fn scene(kind: Kind, one: &str, two: &str) -> Position {
    Position::new(kind, BySide::new(holes(one), holes(two)), Side::One)
}

/// All moves and templates as texts, in their order.
fn listed(kind: Kind, position: &Position) -> Vec<String> {
    let (rules, mut list) = (Isholo { kind }, MoveList::default());
    rules.moves(position, &mut list);
    let moves = list.moves.iter().map(|mv| rules.move_text(position, mv));
    let templates = list.templates.iter().map(|template| rules.template_text(position, template));
    moves.chain(templates).collect()
}

fn is_legal(kind: Kind, position: &Position, text: &str) -> bool {
    let rules = Isholo { kind };
    rules.parse_move(position, text).is_ok_and(|mv| rules.is_legal(position, &mv))
}

/// The position after a legal move.
fn after(kind: Kind, position: &Position, text: &str) -> Position {
    assert!(is_legal(kind, position, text), "{text}");
    let rules = Isholo { kind };
    let (mut position, mv) = (position.clone(), rules.parse_move(position, text).expect("a move"));
    rules.play(&mut position, &mv, &mut ());
    position
}
