//! Core speed, as a figure for comparing machines.

use std::time::{Duration, Instant};

use pitmaster_core::Seed;
use pitmaster_games::{self as games, Turn};
use pitmaster_runner::move_to;

/// Duration of the measurement.
const TIME: Duration = Duration::from_millis(200);

/// Plies of random coloured Awale per second, on one core.
pub(super) fn measure(core: usize) -> u64 {
    let measured = std::thread::spawn(move || {
        move_to(&[core]);
        plies_in(TIME)
    });
    let plies = measured.join().unwrap_or_default();
    plies * 1000 / TIME.as_millis() as u64
}

fn plies_in(time: Duration) -> u64 {
    let spec = "coloured-awale".parse().expect("a game's name");
    let game = games::find(&spec).expect("the first of all games");
    let (mut rng, began, mut plies) = (Seed(1).stream("speed"), Instant::now(), 0);
    while began.elapsed() < time {
        let mut table = game.begin();
        while let Turn::Player(_) = table.turn()
            && table.play_random(&mut rng).is_some()
        {
            plies += 1;
        }
    }
    plies
}
