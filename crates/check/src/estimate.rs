//! Estimate of an examination: the number of moves a bot is asked for, and the duration.

use std::time::Duration;

use pitmaster_core::Dialect;
use pitmaster_games::{DynGame, Turn};

use super::scenario::Scene;
use super::subject::Settings;

/// Time limit of the long game.
pub(super) const LONG_GAME: Duration = Duration::from_secs(20);

/// Time limit of a series; a series that would exceed it has fewer games than requested.
pub(super) const SERIES: Duration = Duration::from_mins(2);

/// Time limit for reaching positions that few games reach.
pub(super) const RARE: Duration = Duration::from_mins(2);

/// Time after which a quick examination begins no scene, so that it ends within half a minute.
pub(super) const QUICK: Duration = Duration::from_secs(20);

/// Time for everything except moves: starts, waits, slow opponents.
const BESIDES: Duration = Duration::from_secs(5);

/// Number of random games from which the length of a game is estimated.
const SAMPLE: u32 = 20;

/// Number of moves that the bot makes in a scene's game that ends early.
pub(super) fn moves_of(scene: Scene, quick: bool) -> u32 {
    match scene {
        Scene::Start => 1,
        // The first move of a bot without a handshake has a limit of its own.
        Scene::Patience | Scene::TightClock | Scene::Audit if quick => 2,
        _ if quick => 1,
        Scene::SuddenEnd => 2,
        Scene::EarlyEnd => 3,
        Scene::Patience => 10,
        _ => 6,
    }
}

/// Duration of an examination of a bot with this time per move.
pub fn duration(settings: &Settings, dialect: Dialect, per_move: Duration) -> Duration {
    let game = per_move * own_moves(&*settings.game);
    let scene = |&scene: &Scene| {
        let short = per_move * moves_of(scene, settings.quick);
        match scene {
            Scene::SecondGame if !dialect.has_handshake() => Duration::ZERO,
            Scene::SecondGame => 2 * short,
            // Half a line may be taken for a move.
            Scene::SuddenEnd => 2 * short + per_move,
            _ if settings.quick => short,
            Scene::Games => 4 * game,
            Scene::LongGame => LONG_GAME.min(8 * game),
            Scene::TightClock | Scene::Audit => game,
            Scene::Series => (game * settings.games).min(SERIES.max(game)),
            Scene::Rare => (game * 8).min(RARE.max(game)),
            _ => short,
        }
    };
    let scenes: Vec<_> = settings.scenes().iter().map(scene).collect();
    let all = BESIDES + scenes.iter().sum::<Duration>();
    let longest = scenes.into_iter().max().unwrap_or_default();
    if settings.quick { all.min(QUICK + longest) } else { all }
}

/// Mean number of one player's moves in a random game.
fn own_moves(game: &dyn DynGame) -> u32 {
    /// Longer than any game that people play.
    const MOST: usize = 1000;
    let mut rng = pitmaster_core::Seed(1).stream("length of a game");
    let mut plies = 0;
    for _ in 0..SAMPLE {
        let mut table = game.begin();
        let step = || match table.turn() {
            Turn::Chance => Some(table.draw(&mut rng)),
            _ => table.play_random(&mut rng),
        };
        plies += std::iter::from_fn(step).take(MOST).count();
    }
    (plies as u32).div_ceil(2 * SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{game, settings};
    use super::*;

    #[test]
    fn a_quick_examination_of_a_slow_bot_takes_less_than_half_a_minute() {
        let mut settings = settings(game());
        settings.quick = true;
        for dialect in Dialect::ALL {
            let took = duration(&settings, dialect, Duration::from_secs(2));
            assert!(took < Duration::from_secs(30), "{dialect}: {took:?}");
        }
    }

    #[test]
    fn a_bot_that_answers_at_once_takes_seconds_and_a_slow_one_minutes() {
        let settings = settings(game());
        let took = |millis| duration(&settings, Dialect::Arena, Duration::from_millis(millis));
        assert!(took(0) < Duration::from_secs(10), "{:?}", took(0));
        assert!(took(2000) > Duration::from_mins(4), "{:?}", took(2000));
    }
}
