//! Entrant: a bot that takes part in a run.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pitmaster_bots::house::InProcess;
use pitmaster_bots::submission::{PlayerCommand, shown_path};
use pitmaster_bots::{self as bot, Contender, LaunchError};
use pitmaster_core::{BotId, Dialect, Fault, GameKey, Limits, RefereeFault, Seed, Side};
use pitmaster_players::PlayerSpec;
use pitmaster_sandbox::Launch;
use pitmaster_tournament::PlannedBot;

/// Makes a bot's command line for a game.
pub type MakeLaunch = dyn Fn(Side, Seed, &Limits, &str) -> Launch + Send + Sync;

/// A bot that takes part.
#[derive(Clone)]
pub struct Entrant {
    /// Identity of the bot.
    pub id: BotId,
    /// Dialect of the bot.
    pub dialect: Dialect,
    /// Whether its extra output is skipped.
    pub lenient: bool,
    /// Way of starting the bot.
    pub start: Start,
    /// Reason why it cannot play at all. Its games are unplayed forfeits.
    pub absent: Option<Fault>,
    /// Its Elo, if fixed in advance.
    pub anchor: Option<f64>,
}

/// Way of starting a bot.
#[derive(Clone)]
pub enum Start {
    /// As a process, with this command line.
    Process(Arc<MakeLaunch>),
    /// A house bot on the lane's own thread.
    InProcess(PlayerSpec),
    /// Started by the caller that drives the game, not by the runner.
    Elsewhere,
    /// A person, provided by the caller that drives the game.
    Person {
        /// Limit of each of the person's moves, in place of the game's limit.
        per_move: Duration,
    },
}

impl Entrant {
    /// An entrant that runs a prepared bot as a process.
    pub fn process(command: PlayerCommand) -> Self {
        Self {
            id: command.id.clone(),
            dialect: command.dialect,
            lenient: command.lenient,
            start: Start::Process(Arc::new(move |side, seed, limits, game| Launch {
                program: command.program.clone(),
                name: command.arg0.clone(),
                args: command.args(side, seed, limits),
                environment: command.environment(side, seed, limits, game),
                dir: command.folder.clone(),
                cage: Arc::clone(&command.cage),
            })),
            absent: None,
            anchor: None,
        }
    }

    /// Command and folder that start it as player 1, for display. `None` if it is not a local
    /// process.
    pub fn shown_command(&self) -> Option<String> {
        let Start::Process(launch) = &self.start else { return None };
        let Launch { name, args, dir, .. } = launch(Side::One, Seed(1), &Limits::default(), "");
        let words: Vec<_> = std::iter::once(&name).chain(&args).collect();
        let words: Vec<_> = words.into_iter().map(|word| shown_path(Path::new(word))).collect();
        Some(format!("`{}` in {}", words.join(" "), shown_path(&dir)))
    }

    /// The bot as the plan needs it.
    pub fn planned(&self) -> PlannedBot {
        PlannedBot { id: self.id.clone(), dialect: self.dialect, anchor: self.anchor }
    }

    /// Starts the bot for a game with that seed.
    ///
    /// # Errors
    /// The reason why there is no process, and the side at fault.
    pub fn start(
        &self,
        side: Side,
        seed: Seed,
        key: &GameKey,
    ) -> Result<Box<dyn Contender>, LaunchError> {
        match &self.start {
            Start::Process(launch) => bot::start(&launch(side, seed, &key.limits, key.game())),
            Start::InProcess(player) => Ok(Box::new(InProcess::new(player.clone()))),
            Start::Elsewhere | Start::Person { .. } => {
                let error = format!("nobody brought {} to the table", self.id.name);
                Err(LaunchError::Referee(RefereeFault::System { error }))
            }
        }
    }
}

impl std::fmt::Debug for Entrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, absent, .. } = self;
        let mut shown = f.debug_struct("Entrant");
        shown.field("id", id).field("absent", absent).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Start {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Process(_) => f.write_str("Process"),
            Self::Elsewhere => f.write_str("Elsewhere"),
            Self::Person { per_move } => f.debug_tuple("Person").field(per_move).finish(),
            Self::InProcess(player) => f.debug_tuple("InProcess").field(player).finish(),
        }
    }
}
