//! Workshop: takes snapshots of versions and builds them, in the sandbox and for the game of a
//! ladder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pitmaster_bots::submission::{
    self, Naming, Options, PrepareError, Prepared, Snapshot, TreeLimits, Unfit,
};
use pitmaster_check::{Language, Report, Settings, Subject};
use pitmaster_core::i18n::Message;
use pitmaster_core::{BotHash, BotId, BotName};
use pitmaster_games::DynGame;
use pitmaster_runner::Entrant;
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{KnownBot, Readers, make_folder};

use super::opponent::Opponent;
use crate::{Error, NamedGame, bot_arg, check, dialect_trial, game, lineup};

/// Time limits of an upload's build: of one command, and of all.
const BUILD_TIME: Duration = Duration::from_mins(1);
const BUILD_TOTAL: Duration = Duration::from_mins(2);

/// Size limits of an upload's files.
pub(super) const LIMITS: TreeLimits = TreeLimits { bytes: 64 << 20, files: 2_000, depth: 32 };

/// A version that can play.
#[derive(Debug, Clone)]
pub struct PracticeBot {
    /// The bot as the lanes need it.
    pub entrant: Entrant,
    /// The bot as a ladder's store records it.
    pub known: KnownBot,
    /// Its language, if it is known.
    pub language: Option<Language>,
}

impl PracticeBot {
    /// Name and hash.
    pub fn id(&self) -> &BotId {
        &self.entrant.id
    }
}

/// Where versions are built, and the conditions under which they play.
#[derive(Debug, Clone)]
pub struct Workshop {
    bots: PathBuf,
    game: Arc<dyn DynGame>,
    options: Options,
}

impl Workshop {
    /// A workshop that keeps snapshots in a folder.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub(super) fn new(
        bots: &Path,
        game: Arc<dyn DynGame>,
        sandbox: &Arc<Sandbox>,
    ) -> Result<Self, Error> {
        let made = make_folder(bots, Readers::Owner);
        made.map_err(|error| Error::stopped(format!("cannot create {}: {error}", bots.display())))?;
        let options = Options {
            limits: LIMITS,
            build_time: BUILD_TIME,
            build_total: BUILD_TOTAL,
            ..Options::of_this_machine(sandbox)
        };
        Ok(Self { bots: bots.to_owned(), game, options })
    }

    /// Takes the snapshot of a version's files and returns their hash. Nothing is built. The inner
    /// error is the reason why the files are refused, for their author.
    ///
    /// # Errors
    /// The snapshot cannot be written.
    pub fn admit(&self, files: &Path, name: &BotName) -> Result<Result<BotHash, Message>, Error> {
        let game = game::name_of(&*self.game);
        let naming = naming(name);
        match submission::admit(files, naming, &self.bots, &game, self.options.limits) {
            Ok(admitted) => {
                let hash = admitted.id.hash;
                sync_tree(&self.bots.join(hash.as_str())).and_then(|()| sync(&self.bots)).map_err(
                    |error| {
                        Error::stopped(format!("cannot write {}: {error}", self.bots.display()))
                    },
                )?;
                Ok(Ok(hash))
            }
            Err(PrepareError::Bot(unfit)) => Ok(Err(told(&unfit, files))),
            Err(PrepareError::Store(fault)) => Err(Error::stopped(fault)),
        }
    }

    /// Builds a version from its snapshot, unless it is built already. The inner error is the reason
    /// why it cannot play, for its author.
    ///
    /// # Errors
    /// The snapshot is missing or cannot be used.
    pub fn build(
        &self,
        hash: &BotHash,
        name: &BotName,
    ) -> Result<Result<PracticeBot, Message>, Error> {
        let Some(snapshot) = Snapshot::kept(hash, &self.bots, self.options.limits) else {
            let hash = hash.as_str();
            return Err(Error::stopped(format!(
                "{} has no unchanged files of version {hash}; hand them in again",
                self.bots.display()
            )));
        };
        let src = snapshot.src();
        match dialect_trial::prepare(&src, naming(name), &self.bots, &self.game, &self.options) {
            Ok((prepared, _)) => Ok(Ok(practice_bot(prepared))),
            Err(PrepareError::Bot(unfit)) => Ok(Err(told(&unfit, &src))),
            Err(PrepareError::Store(fault)) => Err(Error::stopped(fault)),
        }
    }

    /// A house bot.
    ///
    /// # Errors
    /// It cannot play the game.
    pub(super) fn house(&self, name: &str) -> Result<Entrant, Error> {
        let asked = NamedGame { game: Arc::clone(&self.game), player: None };
        bot_arg::house_bot(name, &asked, false, &self.options).map_err(Error::invalid)
    }

    /// One of the house bots against which people play, for a game of the catalogue.
    ///
    /// # Errors
    /// There is no such game, or the bot cannot play it.
    pub fn house_opponent(&self, name: &str, game: &str) -> Result<Opponent, String> {
        Opponent::house(name, game, &self.options)
    }

    /// A version as the opponent of a person, for the game of the ladder.
    pub fn opponent(&self, bot: &PracticeBot) -> Opponent {
        Opponent { entrant: bot.entrant.clone(), game: Arc::clone(&self.game) }
    }

    /// Examines a version on this thread, as `check` does.
    pub fn examine(&self, bot: &PracticeBot, settings: &Settings) -> Report {
        let (entrant, language) = (bot.entrant.clone(), bot.language);
        check::examine_apart(&Subject { entrant, audited: None, language }, settings, &|_| {})
    }

    /// Path of the build log of a version, which its owners may read. There is none if it needed no
    /// build.
    pub fn build_log(bots: &Path, hash: &BotHash) -> Option<PathBuf> {
        let is_plain = hash.as_str().bytes().all(|byte| byte.is_ascii_hexdigit());
        let log = bots.join(hash.as_str()).join("build.log");
        Some(log).filter(|log| is_plain && log.is_file())
    }
}

/// Waits until a file or folder is on the disk.
fn sync(path: &Path) -> io::Result<()> {
    fs::File::open(path)?.sync_all()
}

/// Waits until a folder and everything in it is on the disk: what the database says is there must be
/// there after a power cut too.
fn sync_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            sync_tree(&entry.path())?;
        } else if kind.is_file() {
            sync(&entry.path())?;
        }
    }
    sync(folder)
}

fn naming(name: &BotName) -> Naming {
    Naming { name: Some(name.clone()), display: None }
}

fn practice_bot(prepared: Prepared) -> PracticeBot {
    let path = format!("bots/{}", prepared.snapshot.hash.as_str());
    let known = lineup::known(path, &prepared);
    let language = Language::of(&prepared.manifest);
    PracticeBot { entrant: Entrant::process(prepared.command), known, language }
}

/// The reason without the server's own paths: a student knows the files by their own names.
fn told(unfit: &Unfit, files: &Path) -> Message {
    let folder = files.to_string_lossy();
    let inside = format!("{folder}/");
    unfit.cause().with_texts(&|text| text.replace(&inside, "").replace(&*folder, "."))
}
