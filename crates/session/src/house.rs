//! House bots as entrants.

use std::path::Path;

use pitmaster_bots::house::{TableFileError, check_player};
use pitmaster_bots::submission::{Naming, Options, PlayerCommand};
use pitmaster_core::BotName;
use pitmaster_players::{self as players, PREFIX, PlayerError, PlayerSpec};
use pitmaster_runner::{Entrant, Start};
use pitmaster_store::{BotState, KnownBot};

use crate::game::NamedGame;

/// A house bot that takes part.
#[derive(Debug, Clone)]
pub struct HouseBot {
    /// The player as requested.
    asked: PlayerSpec,
    /// The player as it plays, with the settings from the game's own file.
    player: PlayerSpec,
    /// Whether it runs without a process of its own.
    in_process: bool,
}

/// Returns the house bot's name if `bot` is `house:NAME` and not a path.
pub fn name_in(bot: &Path) -> Option<&str> {
    bot.to_str()?.strip_prefix(PREFIX)
}

/// Parses a house bot's name and options, without the prefix.
///
/// # Errors
/// No such player exists, or it has no such option.
pub fn player(name: &str) -> Result<PlayerSpec, String> {
    name.parse().map_err(|fault: PlayerError| fault.to_string())
}

impl HouseBot {
    /// Parses a house bot's name and options, without the prefix.
    ///
    /// # Errors
    /// No such player exists, or it has no such option.
    pub fn named(name: &str, in_process: bool) -> Result<Self, String> {
        let asked = player(name)?;
        Ok(Self { player: asked.clone(), asked, in_process })
    }

    /// The name as requested, for display.
    pub fn shown(&self) -> String {
        format!("{PREFIX}{}", self.asked)
    }

    /// The full name, which determines how the bot plays.
    pub fn full(&self) -> String {
        format!("{PREFIX}{}", self.player)
    }

    /// The name for tables: the requested name or, if that is too long, a unique abbreviation.
    pub fn name(&self) -> BotName {
        let shown = self.shown();
        if shown.len() <= BotName::MAX {
            BotName::tamed(&shown)
        } else {
            PlayerCommand::house_name(&self.player)
        }
    }

    /// Applies the settings for house bots from the game's own file.
    ///
    /// # Errors
    /// The reason why the bot cannot play the game.
    pub fn apply_game(&mut self, asked: &NamedGame) -> Result<(), String> {
        let game = asked.game.spec().parse().expect("a game writes its own name as it reads it");
        if let Some(file) = &asked.player {
            let player = players::by_file(&game, file, &self.asked);
            self.player = player.map_err(|fault| fault.to_string())?;
        }
        if self.in_process && self.takes_cores() {
            return Err(
                "in process a house bot has the one core of its lane; leave threads out".into()
            );
        }
        check_player(&game, &self.player).map_err(|fault| fault.to_string())
    }

    /// Returns whether the bot reads an endgame table, which exists on this machine only.
    pub(crate) fn has_table(&self) -> bool {
        self.player.tables().is_some()
    }

    /// Lets the bot run without a process of its own.
    pub(crate) fn set_in_process(&mut self) {
        self.in_process = true;
    }

    /// Returns whether the bot computes on more cores than that of its lane.
    pub(crate) fn takes_cores(&self) -> bool {
        self.player.threads() > 1
    }

    /// The command that starts the bot.
    ///
    /// # Errors
    /// Its endgame table cannot be used.
    pub(crate) fn command(
        &self,
        naming: Naming,
        options: &Options,
    ) -> Result<PlayerCommand, TableFileError> {
        let name = Some(naming.name.unwrap_or_else(|| self.name()));
        PlayerCommand::house(&self.player, Naming { name, ..naming }, options)
    }

    /// The bot as an entrant of the runner.
    pub(crate) fn entrant(&self, command: PlayerCommand) -> Entrant {
        let entrant = Entrant::process(command);
        if self.in_process {
            Entrant { start: Start::InProcess(self.player.clone()), ..entrant }
        } else {
            entrant
        }
    }

    /// The bot as a bot known to the store.
    pub(crate) fn known(&self, command: &PlayerCommand) -> KnownBot {
        KnownBot {
            id: command.id.clone(),
            display: command.display.clone(),
            path: self.full(),
            dialect: command.dialect,
            build: serde_json::json!({ "players": players::VERSION }),
            state: BotState::Active,
        }
    }
}
