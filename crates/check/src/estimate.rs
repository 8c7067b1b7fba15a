//! Estimate of an examination: the number of moves a bot is asked for, and the duration.

use std::time::Duration;

use pitmaster_core::Dialect;
use pitmaster_games::{DynGame, Turn};

use super::scenario::Scene;
use super::subject::Settings;

/// How long the long game may last.
pub(super) const LONG_GAME: Duration = Duration::from_secs(20);

/// How long a series may last: then it is shorter than was asked for.
pub(super) const SERIES: Duration = Duration::from_secs(120);

/// How long it is tried to come to positions that few games reach.
pub(super) const RARE: Duration = Duration::from_secs(120);

/// A quick examination begins no scene later than this, so that it ends within half a minute.
pub(super) const QUICK: Duration = Duration::from_secs(20);

/// For everything but moves: starts, waits, slow opponents.
const BESIDES: Duration = Duration::from_secs(5);

/// How many random games show how long a game is.
const SAMPLE: u32 = 20;

/// How many moves the bot makes in one of the games of a scene that are broken off.
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

/// How long an examination takes of a bot that takes so long for a move.
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

/// How many moves of a random game are one player's, on average.
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
        assert!(took(2000) > Duration::from_secs(240), "{:?}", took(2000));
    }
}
