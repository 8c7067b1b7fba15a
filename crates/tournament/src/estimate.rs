//! Estimated duration of a tournament: worst case by its limits, and expected by a mean.

use std::time::Duration;

use pitmaster_core::{Limits, Resources};

/// Maximum duration of a game under its limits, including the start of both bots. [`Duration::MAX`]
/// if no limit bounds it.
pub fn worst_game(limits: &Limits) -> Duration {
    // Two bots each answer a greeting and a new game.
    let starts = times(limits.start_up, 4);
    let play = [by_game(limits), by_plies(limits), by_bank(limits)].into_iter().flatten().min();
    starts.saturating_add(play.unwrap_or(Duration::MAX))
}

fn by_game(limits: &Limits) -> Option<Duration> {
    limits.per_game
}

fn by_plies(limits: &Limits) -> Option<Duration> {
    let per_move = limits.per_move?.saturating_add(limits.margin);
    let first = limits.first_move.unwrap_or_default().saturating_add(limits.margin).max(per_move);
    let later = u64::from(limits.plies?).saturating_sub(2);
    Some(times(first, 2).saturating_add(times(per_move, later)))
}

fn by_bank(limits: &Limits) -> Option<Duration> {
    let bank = limits.bank?;
    let added = match limits.plies {
        Some(plies) => times(bank.increment, plies.into()),
        None if bank.increment.is_zero() => Duration::ZERO,
        None => return None,
    };
    let both = times(bank.initial.saturating_add(limits.margin), 2);
    Some(both.saturating_add(added))
}

/// Default CPU time of a bot in a game: the general default, or the thinking time under the clock
/// if that is more. So it stops only bots that compute on several cores or in the opponent's time.
pub fn fitting_cpu(limits: &Limits) -> Option<Duration> {
    let default = Resources::default().cpu?;
    let most = worst_game(limits);
    (most != Duration::MAX).then(|| most.max(default))
}

/// Maximum duration of this many games on this many lanes.
pub fn worst_duration(games: u64, limits: &Limits, lanes: usize) -> Duration {
    likely_duration(games, worst_game(limits), lanes)
}

/// Expected duration of this many games on this many lanes if one takes `mean`.
pub fn likely_duration(games: u64, mean: Duration, lanes: usize) -> Duration {
    times(mean, games.div_ceil(lanes.max(1) as u64))
}

fn times(duration: Duration, count: u64) -> Duration {
    let nanos = duration.as_nanos().saturating_mul(u128::from(count));
    u64::try_from(nanos).map_or(Duration::MAX, Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Bank;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn limits() -> Limits {
        Limits { start_up: Duration::ZERO, margin: Duration::ZERO, ..Limits::default() }
    }

    #[test]
    fn the_tightest_limit_bounds_a_game() {
        assert_eq!(worst_game(&limits()), SECOND * 210);
        let by_plies = Limits { per_game: None, ..limits() };
        assert_eq!(worst_game(&by_plies), SECOND * (2 * 5 + 398));
        let bank = Some(Bank { initial: SECOND * 60, increment: Duration::ZERO });
        assert_eq!(worst_game(&Limits { bank, ..limits() }), SECOND * 120);
        let increment = Some(Bank { initial: SECOND * 60, increment: SECOND });
        let by_bank = Limits { bank: increment, per_move: None, ..by_plies };
        assert_eq!(worst_game(&by_bank), SECOND * 520);
        assert_eq!(worst_game(&Limits { plies: None, ..by_bank }), Duration::MAX);
    }

    #[test]
    fn the_start_of_the_bots_counts() {
        assert_eq!(worst_game(&Limits::default()), SECOND * (40 + 210));
    }

    #[test]
    fn the_clock_leaves_no_less_cpu_time_than_wall_clock() {
        assert_eq!(fitting_cpu(&Limits::default()), Resources::default().cpu);
        let long = Limits { per_game: Some(SECOND * 3600), plies: None, ..limits() };
        assert_eq!(fitting_cpu(&long), Some(SECOND * 3600));
        assert_eq!(fitting_cpu(&Limits { per_game: None, ..long }), None);
    }

    #[test]
    fn lanes_share_the_games() {
        assert_eq!(worst_duration(5, &limits(), 2), SECOND * 630);
        assert_eq!(likely_duration(4, SECOND, 2), SECOND * 2);
        assert_eq!(likely_duration(u64::MAX, Duration::MAX, 0), Duration::MAX);
    }
}
