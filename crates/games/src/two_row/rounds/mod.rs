//! Transition between rounds: the starting player, the layout, and who may change it. The rules of
//! the goal decide who wins a round; this module does not know them.

mod fills;
pub(super) mod limits;
pub(super) mod tally;
mod territory;
#[cfg(test)]
mod tests;

use pitmaster_core::{Side, below};
use rand::Rng;

use super::layouts;
use super::moves::{Layout, Move};
use super::params::{Params, RoundFill, RoundStarter, StartPattern};
use super::position::{Phase, Position};
use super::sides::{Aim, aim, tallied};
use super::start::{self, is_random};

pub(super) use fills::close_empty;
pub(super) use tally::CanMove;

/// Draws the chance step after a round or for a deal.
pub(super) fn draw(params: &Params, position: &Position, rng: &mut dyn Rng) -> Move {
    if contested(params, position) {
        return Move::Round(Some(Side::BOTH[below(rng, 2) as usize]));
    }
    if deals(params, position) {
        Move::Deal(start::draw_deal(params, rng))
    } else {
        Move::Round(None)
    }
}

/// Whether chance can draw this step next.
pub(super) fn can_be_drawn(params: &Params, position: &Position, step: &Move) -> bool {
    let contested = contested(params, position);
    let deals = !contested && deals(params, position);
    match step {
        Move::Round(lot) => {
            matches!(position.phase, Phase::RoundOver(_)) && !deals && lot.is_some() == contested
        }
        Move::Deal(layout) => deals && start::can_be_dealt(params, layout),
        _ => false,
    }
}

/// Makes a step that [`draw`] can return. In [`Phase::Opening`] the caller must make the opening
/// (for `MOVE_RIGHTMOST` at once) and end it with [`after_opening`].
pub(super) fn play(
    params: &Params,
    position: &Position,
    step: &Move,
    can_move: CanMove<'_>,
) -> Position {
    match (step, position.phase) {
        (Move::Deal(layout), Phase::RoundOver(_)) => {
            let round = next_round(params, position, None, can_move);
            deal(params, round, layout, can_move)
        }
        (Move::Deal(layout), _) => deal(params, position.clone(), layout, can_move),
        (Move::Round(contested), _) => next_round(params, position, *contested, can_move),
        _ => position.clone(),
    }
}

/// Whether chance decides the owner of a hole in the next round.
pub(super) fn contested(params: &Params, position: &Position) -> bool {
    matches!(position.phase, Phase::RoundOver(_)) && territory::contested(params, position)
}

/// Whether chance deals the next seeds.
fn deals(params: &Params, position: &Position) -> bool {
    let anew = aim(params) == Aim::Territory || tallied(params);
    match position.phase {
        Phase::Deal => true,
        Phase::RoundOver(_) => anew && is_random(params),
        _ => false,
    }
}

/// Puts dealt seeds on the board and returns the next phase.
fn deal(params: &Params, mut round: Position, layout: &Layout, can_move: CanMove<'_>) -> Position {
    start::put_deal(&mut round, layout);
    opened(params, round, can_move)
}

/// The round after the finished one.
pub(super) fn next_round(
    params: &Params,
    before: &Position,
    contested: Option<Side>,
    can_move: CanMove<'_>,
) -> Position {
    let Phase::RoundOver(winner) = before.phase else { return before.clone() };
    let starter = starter(params, before, winner);
    if params.round_fill == RoundFill::LoserOnly {
        return after_refill(params, before, winner, starter);
    }
    let mut round = Position {
        round: before.round + 1,
        tally: before.tally,
        last: before.last,
        directions: before.directions,
        ..start::fresh(params, starter)
    };
    if aim(params) == Aim::Seeds && !tallied(params) {
        fills::fill(params, before, winner, &mut round);
        round.phase = layouts::after_fill(params, &round, winner);
        return round;
    }
    round.side = if tallied(params) { before.starter.other() } else { round.starter.other() };
    start::lay_out(params, &mut round);
    if aim(params) == Aim::Territory {
        territory::share(params, before, contested, &mut round);
    }
    if is_random(params) {
        return Position { phase: Phase::Deal, ..round };
    }
    opened(params, round, can_move)
}

/// The same board with the loser's row refilled, for a new round.
fn after_refill(
    params: &Params,
    before: &Position,
    winner: Option<Side>,
    starter: Side,
) -> Position {
    let counted = start::fresh(params, starter);
    let mut round = Position {
        side: starter,
        starter,
        moves: counted.moves,
        turns: counted.turns,
        repeats: counted.repeats,
        round: before.round + 1,
        bearing_off: counted.bearing_off,
        directions: counted.directions,
        ..before.clone()
    };
    fills::refill_loser(params, &mut round, winner.map_or(Side::Two, Side::other));
    round.phase = layouts::after_fill(params, &round, winner);
    round
}

/// Phase of a round after its seeds are dealt. An opening is moved by the player for whom its
/// pattern is laid out.
fn opened(params: &Params, mut round: Position, can_move: CanMove<'_>) -> Position {
    match start::opening(params) {
        Some(phase) => Position { phase, ..round },
        None => {
            round.side = round.starter;
            begin(params, round, can_move)
        }
    }
}

/// Begins play after the opening of a pattern: `MOVE_RANDOM` gives the turn to the opponent even if
/// it granted another one, and in tallied games and later rounds the starter moves, regardless of
/// who made the opening.
pub(super) fn after_opening(
    params: &Params,
    mut round: Position,
    can_move: CanMove<'_>,
) -> Position {
    if round.round > 1 || tallied(params) {
        round.side = round.starter;
    } else if params.start_pattern == StartPattern::MoveRandom {
        round.side = round.starter.other();
    }
    begin(params, round, can_move)
}

/// Phase before the first turn of a round. If the starter of a territory round cannot move, a
/// completely new game begins.
fn begin(params: &Params, mut round: Position, can_move: CanMove<'_>) -> Position {
    round.phase = Phase::Move;
    if round.round == 1 {
        round.phase = start::first_turn(params, round.side);
        return round;
    }
    if aim(params) == Aim::Territory && !can_move(&round) {
        return Position { last: round.last, ..start::deal(params, round.starter) };
    }
    round.phase = layouts::after_fill(params, &round, None);
    round
}

/// Player who starts the next round.
fn starter(params: &Params, before: &Position, winner: Option<Side>) -> Side {
    let tied = winner.is_none();
    match params.round_starter {
        _ if tied && tallied(params) => before.starter.other(),
        RoundStarter::Alternate => before.starter.other(),
        RoundStarter::Loser => winner.unwrap_or(before.side).other(),
        RoundStarter::Winner => winner.unwrap_or(before.side),
        RoundStarter::LastMover => before.last.map_or(before.side, |last| last.side),
    }
}
