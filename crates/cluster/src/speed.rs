//! Benchmark of a core, for comparing machines.

use std::time::{Duration, Instant};

use pitmaster_core::Seed;
use pitmaster_games::{self as games, Turn};
use pitmaster_runner::move_to;

/// Duration of the measurement.
const DURATION: Duration = Duration::from_millis(200);

/// Number of random coloured-Awale plies per second on a core.
pub(super) fn measure(core: usize) -> u64 {
    let measurement = std::thread::spawn(move || {
        move_to(&[core]);
        count_plies(DURATION)
    });
    let plies = measurement.join().unwrap_or_default();
    plies * 1000 / DURATION.as_millis() as u64
}

fn count_plies(duration: Duration) -> u64 {
    let spec = "coloured-awale".parse().expect("a game's name");
    let game = games::find(&spec).expect("the first of all games");
    let (mut rng, start, mut plies) = (Seed(1).stream("speed"), Instant::now(), 0);
    while start.elapsed() < duration {
        let mut state = game.begin();
        while let Turn::Player(_) = state.turn()
            && state.play_random(&mut rng).is_some()
        {
            plies += 1;
        }
    }
    plies
}
