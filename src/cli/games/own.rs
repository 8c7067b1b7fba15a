//! Descriptions of games with rules of their own instead of parameters.

use pitmaster_core::Limits;
use pitmaster_games::coloured_awale::ColouredAwale;
use pitmaster_games::isholo::Kind;

/// Game with rules of its own.
pub(super) struct Own {
    pub(super) name: &'static str,
    /// Holes on each side and seeds in each: `8×6`.
    pub(super) size: &'static str,
    pub(super) about: &'static str,
    /// Notes and options, one line each.
    pub(super) notes: Vec<String>,
}

/// All games with rules of their own.
pub(super) fn all() -> impl Iterator<Item = Own> {
    [coloured_awale()].into_iter().chain(Kind::ALL.map(isholo))
}

fn coloured_awale() -> Own {
    Own {
        name: ColouredAwale::NAME,
        size: "8×6",
        about: ColouredAwale::ABOUT,
        notes: ColouredAwale::OPTIONS.iter().map(|option| format!("option {option}")).collect(),
    }
}

fn isholo(kind: Kind) -> Own {
    let plies = Limits::default().plies.unwrap_or_default();
    let limit = format!("at the limit of plies ({plies} by default) {}", kind.settled());
    let notes = vec![kind.captures().into(), limit];
    Own { name: kind.name(), size: "16×2", about: kind.about(), notes }
}
