//! Records for tests.

use std::time::Duration;

use pitmaster_core::{BotHash, BotId, BySide, Ending, GameKey, Limits, Ply, Record, Seed};
use pitmaster_games::{DynGame, GameSpec, Turn, find};

fn bot(name: &str) -> BotId {
    BotId { name: name.parse().expect("a valid name"), hash: BotHash::of(name.as_bytes()) }
}

/// Game of `alpha` against `be` with this many random plies: ended by its rules or at the limit of
/// plies.
pub fn random_game(plies: usize) -> Record {
    random_game_of(
        &*find(&GameSpec::plain("coloured-awale")).expect("a game of the catalogue"),
        plies,
    )
}

/// The same of another game; steps of chance count as plies.
pub(crate) fn random_game_of(game: &dyn DynGame, plies: usize) -> Record {
    let key = GameKey {
        rules: game.id(),
        limits: Limits { plies: Some(plies as u32), ..Limits::default() },
        stage: 1,
        round: 0,
        bots: BySide::new(bot("alpha"), bot("be")),
        opening: String::new(),
        pair: 1,
    };
    let seed = key.seed(Seed(1));
    let mut table = game.begin();
    let (mut rng, mut chance) = (seed.stream("random game"), seed.stream("chance"));
    let mut played = Vec::new();
    while !matches!(table.turn(), Turn::Over(_)) && played.len() < plies {
        let (by, text) = match table.turn() {
            Turn::Player(side) => (Some(side), table.play_random(&mut rng).expect("a legal move")),
            _ => (None, table.draw(&mut chance)),
        };
        let wall = Duration::from_micros(1500 + 700 * played.len() as u64);
        played.push(Ply { cpu: wall / 2, ..Ply::new(by, text, wall) });
    }
    let ending = match table.turn() {
        Turn::Over(end) => {
            Ending::Rules { clause: end.clause.into(), winner: end.winner, score: end.score }
        }
        _ => {
            let end = table.adjudicate();
            Ending::PlyLimit { winner: end.winner, score: end.score }
        }
    };
    Record {
        key,
        seed,
        plies: played,
        ending,
        duration: Duration::from_millis(20),
        evidence: BySide::default(),
        remarks: Vec::new(),
        wrong_claims: Vec::new(),
        skipped_lines: BySide::default(),
        stolen: BySide::default(),
    }
}
