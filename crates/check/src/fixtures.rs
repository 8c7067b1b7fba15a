//! Test fixtures: fabricated games.

use std::sync::Arc;
use std::time::Duration;

use pitmaster_bots::Usage;
use pitmaster_core::{
    At, BotHash, BotId, BotName, BySide, Dialect, Ending, Evidence, Fault, GameKey, Limits, Ply,
    Record, Score, Seed, Side, Untrusted,
};
use pitmaster_games::{self as games, DynGame};

use super::diagnose::Case;
use super::harness::Met;
use super::interrupt::Interrupt;
use super::log::{Late, Log};
use super::source_language::Language;
use super::subject::Settings;

pub(super) fn game() -> Arc<dyn DynGame> {
    games::find(&"coloured-awale".parse().unwrap()).unwrap()
}

/// A game with these moves that a side forfeited by this line.
pub(super) fn forfeited(side: Side, moves: &[&str], fault: Fault, line: &[u8]) -> Met {
    let bot = BotId { name: BotName::tamed("x"), hash: BotHash::of(b"x") };
    let key = GameKey {
        rules: game().id(),
        limits: Limits::default(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot.clone(), bot),
        opening: String::new(),
        pair: 1,
    };
    let ending = Ending::Forfeit { by: side, fault, score: Score::default() };
    let mut record = Record::unplayed(key, Seed(1), ending);
    let sides = Side::BOTH.into_iter().cycle();
    let plies = moves.iter().zip(sides);
    record.plies =
        plies.map(|(text, by)| Ply::new(Some(by), *text, Duration::from_millis(3))).collect();
    record.evidence[side] =
        Some(Evidence { line: Some(Untrusted::new(line)), at: At::START, ..Evidence::default() });
    Met { side, record, log: Log::default() }
}

/// Game in which a side was late, with this much CPU time in ms.
pub(super) fn late(moves: &[&str], cpu_ms: u64, part: &str, afterwards: Option<&str>) -> Met {
    let wall = Duration::from_secs(1);
    let fault = Fault::MoveLate { limit: wall, took: wall, waited: Duration::ZERO };
    let mut met = forfeited(Side::One, moves, fault, b"");
    let used = Usage { cpu: Duration::from_millis(cpu_ms), waiting: Duration::ZERO };
    met.log.late = Some(Late { wall, used, part: Untrusted::new(part), later: None });
    met.log.afterwards.extend(afterwards.map(Untrusted::new));
    met
}

/// Settings that are equal for all bots at this game.
pub(super) fn settings(game: Arc<dyn DynGame>) -> Settings {
    Settings {
        game,
        limits: Limits::default(),
        seed: Seed(1),
        games: 20,
        audit: false,
        quick: false,
        interrupt: Interrupt::default(),
    }
}

pub(super) fn case<'a>(met: &'a Met, game: &'a dyn DynGame, dialect: Dialect) -> Case<'a> {
    Case { met, game, dialect, language: Some(Language::C) }
}
