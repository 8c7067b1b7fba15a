//! Opponents of people: house bots, and versions that play on a ladder.

use std::sync::Arc;

use pitmaster_bots::submission::Options;
use pitmaster_core::{BotHash, BotId, BotName, Dialect};
use pitmaster_games::{self as games, DynGame, GameSpec};
use pitmaster_runner::{Entrant, Start};

use crate::{NamedGame, bot_arg, house};

/// House bots against which people play, the weakest first. Options are fixed: some of them take
/// memory, time or files of the machine.
pub const HOUSE_BOTS: [&str; 6] =
    ["random", "greedy", "preset,level=1", "preset,level=3", "montecarlo_ts", "expert"];

/// Longest name of a game with its options, in bytes.
const LONGEST: usize = 200;

/// A bot against which a person plays, and the game.
#[derive(Debug, Clone)]
pub struct Opponent {
    /// The bot.
    pub entrant: Entrant,
    /// The game.
    pub game: Arc<dyn DynGame>,
}

impl Opponent {
    /// One of the [`HOUSE_BOTS`], for a game of the catalogue.
    pub(super) fn house(
        name: &str,
        game: &str,
        in_process: bool,
        options: &Options,
    ) -> Result<Self, String> {
        if !HOUSE_BOTS.contains(&name) {
            return Err(format!("people do not play against house:{name}"));
        }
        let game = named_game(game)?;
        let asked = NamedGame { game: Arc::clone(&game), player: None };
        Ok(Self { entrant: bot_arg::house_bot(name, &asked, in_process, options)?, game })
    }

    /// A house bot without a process of its own, for tests.
    ///
    /// # Errors
    /// There is no such bot or game, or it cannot play it.
    pub fn in_process(name: &str, game: &str) -> Result<Self, String> {
        let (player, game) = (house::player(name)?, named_game(game)?);
        let name = BotName::of_house(name);
        let entrant = Entrant {
            id: BotId { hash: BotHash::of(name.as_str().as_bytes()), name },
            dialect: Dialect::Pitmaster,
            lenient: false,
            start: Start::InProcess(player),
            absent: None,
            anchor: None,
        };
        Ok(Self { entrant, game })
    }
}

/// Names of all games of the catalogue.
pub fn game_names() -> impl Iterator<Item = &'static str> {
    games::names()
}

/// A game by its name and options. It is never the path of a file.
fn named_game(text: &str) -> Result<Arc<dyn DynGame>, String> {
    if text.len() > LONGEST {
        return Err("the name of the game is too long".into());
    }
    let spec: GameSpec = text.parse().map_err(|fault: games::SpecError| fault.to_string())?;
    games::find(&spec).map_err(|fault| fault.to_string())
}
