//! Workshop: takes snapshots of versions and builds them, in the sandbox and for the game of a
//! ladder.
//!
//! Where workers build, snapshots are taken here, and what a worker reports is kept beside them.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pitmaster_bots::submission::{
    self, Naming, Options, PrepareError, Prepared, Snapshot, TreeLimits, Unfit,
};
use pitmaster_check::{Language, Report, Settings, Subject};
use pitmaster_core::i18n::Message;
use pitmaster_core::{BotHash, BotId, BotName, Limits, Seed};
use pitmaster_games::DynGame;
use pitmaster_runner::{Entrant, Start};
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{BotState, KnownBot, Readers, create_file, make_folder};

use super::opponent::Opponent;
use super::workers::{BuildReport, BuiltVersion, VersionOrder, Workers};
use crate::{Error, NamedGame, bot_arg, check, dialect_trial, game, lineup};

/// Time limits of an upload's build: of one command, and of all.
const BUILD_TIME: Duration = Duration::from_mins(1);
const BUILD_TOTAL: Duration = Duration::from_mins(2);

/// Size limits of an upload's files.
pub(crate) const LIMITS: TreeLimits = TreeLimits { bytes: 64 << 20, files: 2_000, depth: 32 };

/// Build log, beside a snapshot.
const LOG: &str = "build.log";

/// What a worker has reported of a version, beside its snapshot.
const REPORTED: &str = "worker.json";

/// A version that can play.
#[derive(Debug, Clone)]
pub struct PracticeBot {
    /// The bot as the lanes need it.
    pub entrant: Entrant,
    /// The bot as a ladder's store records it.
    pub known: KnownBot,
    /// Its language, if it is known.
    pub language: Option<Language>,
    /// Commands that it needs.
    pub tools: Vec<String>,
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
    /// Versions that answered in no dialect. Their trial takes up to a minute and is not repeated
    /// by this process.
    silent: Arc<Mutex<HashSet<BotHash>>>,
    /// Those who build and check, unless this process does.
    elsewhere: Option<Elsewhere>,
}

/// What others build and check for.
#[derive(Debug, Clone)]
pub(super) struct Elsewhere {
    pub(super) workers: Arc<dyn Workers>,
    pub(super) limits: Limits,
    pub(super) seed: Seed,
}

impl Workshop {
    /// A workshop that builds in this process and keeps snapshots in a folder.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub(super) fn here(
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
        let silent = Arc::default();
        Ok(Self { bots: bots.to_owned(), game, options, silent, elsewhere: None })
    }

    /// The same workshop, in which workers build and check, and this process only keeps snapshots.
    pub(super) fn with_workers(self, elsewhere: Option<Elsewhere>) -> Self {
        Self { elsewhere, ..self }
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
    /// why it cannot play, for its author. If workers build, this waits for them as long as `goes_on`
    /// says so.
    ///
    /// # Errors
    /// The snapshot is missing or cannot be used, or no worker could build it.
    pub fn build(
        &self,
        hash: &BotHash,
        name: &BotName,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Result<PracticeBot, Message>, Error> {
        let Some(snapshot) = Snapshot::kept(hash, &self.bots, self.options.limits) else {
            let hash = hash.as_str();
            return Err(Error::stopped(format!(
                "{} has no unchanged files of version {hash}; hand them in again",
                self.bots.display()
            )));
        };
        if let Some(elsewhere) = &self.elsewhere {
            return self.build_elsewhere(&snapshot, name, elsewhere, goes_on);
        }
        let src = snapshot.src();
        match self.prepare(&src, hash, name) {
            Ok(prepared) => Ok(Ok(practice_bot(prepared))),
            Err(PrepareError::Bot(unfit)) => Ok(Err(told(&unfit, &src))),
            Err(PrepareError::Store(fault)) => Err(Error::stopped(fault)),
        }
    }

    /// Builds a version and finds its dialect, unless it is known to answer in none.
    fn prepare(
        &self,
        src: &Path,
        hash: &BotHash,
        name: &BotName,
    ) -> Result<Prepared, PrepareError> {
        let silent = || self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        let (naming, options) = (naming(name), &self.options);
        if silent().contains(hash) {
            let game = game::name_of(&*self.game);
            return submission::prepare(src, naming, &self.bots, &game, options);
        }
        let (prepared, _) = dialect_trial::prepare(src, naming, &self.bots, &self.game, options)?;
        if prepared.guess.is_some() && !prepared.is_settled {
            silent().insert(hash.clone());
        }
        Ok(prepared)
    }

    /// Has a version built by a worker, unless one has reported it already.
    fn build_elsewhere(
        &self,
        snapshot: &Snapshot,
        name: &BotName,
        elsewhere: &Elsewhere,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Result<PracticeBot, Message>, Error> {
        let id = BotId { name: name.clone(), hash: snapshot.hash.clone() };
        let folder = self.bots.join(id.hash.as_str());
        if let Some(built) = reported(&folder) {
            return Ok(Ok(built_elsewhere(id, built, elsewhere)));
        }
        let tools = match self.tools_of(&snapshot.src(), name)? {
            Ok(tools) => tools,
            Err(why) => return Ok(Err(why)),
        };
        let order = self.order(&id, &tools, elsewhere);
        let report = elsewhere.workers.build(&order, goes_on)?.bounded();
        let BuildReport { built, log } = report.map_err(|what| {
            Error::stopped(format!("a worker's report on {name} is refused: it is of {what}"))
        })?;
        if let Some(log) = log {
            keep(&folder, LOG, log.as_bytes())?;
        }
        Ok(match built {
            Ok(built) => {
                let text = serde_json::to_vec(&built).expect("plain data");
                keep(&folder, REPORTED, &text)?;
                Ok(built_elsewhere(id, built, elsewhere))
            }
            Err(why) => Err(why),
        })
    }

    /// Commands that a version needs, by its manifest.
    fn tools_of(&self, src: &Path, name: &BotName) -> Result<Result<Vec<String>, Message>, Error> {
        let game = game::name_of(&*self.game);
        match submission::admit(src, naming(name), &self.bots, &game, self.options.limits) {
            Ok(admitted) => {
                Ok(Ok(admitted.manifest.tools().into_iter().map(str::to_owned).collect()))
            }
            Err(PrepareError::Bot(unfit)) => Ok(Err(told(&unfit, src))),
            Err(PrepareError::Store(fault)) => Err(Error::stopped(fault)),
        }
    }

    fn order<'a>(
        &'a self,
        id: &'a BotId,
        tools: &'a [String],
        elsewhere: &'a Elsewhere,
    ) -> VersionOrder<'a> {
        let Elsewhere { limits, seed, .. } = elsewhere;
        VersionOrder { id, tools, game: &self.game, limits, seed: *seed }
    }

    /// A house bot.
    ///
    /// # Errors
    /// It cannot play the game.
    pub(super) fn house(&self, name: &str) -> Result<Entrant, Error> {
        let asked = NamedGame { game: Arc::clone(&self.game), player: None };
        bot_arg::house_bot(name, &asked, self.elsewhere.is_some(), &self.options)
            .map_err(Error::invalid)
    }

    /// One of the house bots against which people play, for a game of the catalogue. If workers play
    /// everything else, it has no process: this one starts none.
    ///
    /// # Errors
    /// There is no such game, or the bot cannot play it.
    pub fn house_opponent(&self, name: &str, game: &str) -> Result<Opponent, String> {
        Opponent::house(name, game, self.elsewhere.is_some(), &self.options)
    }

    /// A version as the opponent of a person, for the game of the ladder.
    pub fn opponent(&self, bot: &PracticeBot) -> Opponent {
        Opponent { entrant: bot.entrant.clone(), game: Arc::clone(&self.game) }
    }

    /// Examines a version as `check` does, on this thread or by a worker.
    ///
    /// # Errors
    /// No worker has done it.
    pub fn examine(&self, bot: &PracticeBot, settings: &Settings) -> Result<Report, Error> {
        let Some(elsewhere) = &self.elsewhere else {
            let (entrant, language) = (bot.entrant.clone(), bot.language);
            let subject = Subject { entrant, audited: None, language };
            return Ok(check::examine_apart(&subject, settings, &|_| {}));
        };
        let goes_on = || !settings.interrupt.is_set();
        let order = self.order(bot.id(), &bot.tools, elsewhere);
        match elsewhere.workers.check(&order, &goes_on) {
            Ok(report) => serde_json::from_str(&report).map_err(|error| {
                let name = &bot.id().name;
                Error::stopped(format!("a worker's report on {name} is unreadable: {error}"))
            }),
            Err(_) if settings.interrupt.is_set() => {
                Ok(Report { interrupted: true, ..Report::default() })
            }
            Err(error) => Err(error),
        }
    }

    /// Path of the build log of a version, which its owners may read. There is none if it needed no
    /// build.
    pub fn build_log(bots: &Path, hash: &BotHash) -> Option<PathBuf> {
        let is_plain = hash.as_str().bytes().all(|byte| byte.is_ascii_hexdigit());
        let log = bots.join(hash.as_str()).join(LOG);
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
    let tools = prepared.manifest.tools().into_iter().map(str::to_owned).collect();
    PracticeBot { entrant: Entrant::process(prepared.command), known, language, tools }
}

/// What a worker has reported of a version.
fn reported(folder: &Path) -> Option<BuiltVersion> {
    serde_json::from_slice(&fs::read(folder.join(REPORTED)).ok()?).ok()
}

/// Writes a file beside a snapshot, whole or not at all.
fn keep(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let new = folder.join(format!("{name}.new"));
    let write = || {
        let mut file = create_file(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, folder.join(name))
    };
    write().map_err(|error| Error::stopped(format!("cannot write {}: {error}", new.display())))
}

/// A version that workers play, as one of them reported it.
fn built_elsewhere(id: BotId, built: BuiltVersion, elsewhere: &Elsewhere) -> PracticeBot {
    let BuiltVersion { dialect, lenient, display, language, versions, tools } = built;
    elsewhere.workers.learn(&id.hash, &tools);
    let known = KnownBot {
        id: id.clone(),
        display,
        path: format!("bots/{}", id.hash.as_str()),
        dialect,
        build: versions,
        state: BotState::Active,
    };
    let start = Start::Elsewhere;
    let entrant = Entrant { id, dialect, lenient, start, absent: None, anchor: None };
    PracticeBot { entrant, known, language, tools }
}

/// The reason without the server's own paths: a student knows the files by their own names.
fn told(unfit: &Unfit, files: &Path) -> Message {
    let folder = files.to_string_lossy();
    let inside = format!("{folder}/");
    unfit.cause().with_texts(&|text| text.replace(&inside, "").replace(&*folder, "."))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use pitmaster_core::i18n::said;
    use pitmaster_core::{Dialect, Resources, Untrusted};
    use pitmaster_runner::{Batch, Played};
    use pitmaster_store::KnownIsolation;

    use super::*;

    /// Workers that report what they are given to report, the last first.
    #[derive(Debug, Default)]
    struct Reporters {
        reports: Mutex<Vec<BuildReport>>,
        asked: Mutex<Vec<Vec<String>>>,
        learned: Mutex<Vec<Vec<String>>>,
    }

    impl Workers for Reporters {
        fn lanes(&self) -> usize {
            1
        }
        fn command(&self) -> String {
            String::new()
        }
        fn notes(&self) -> Vec<String> {
            Vec::new()
        }
        fn isolation(&self, _: u32) -> Option<KnownIsolation> {
            None
        }
        fn learn(&self, _: &BotHash, tools: &[String]) {
            self.learned.lock().unwrap().push(tools.to_vec());
        }
        fn build(
            &self,
            version: &VersionOrder<'_>,
            _: &dyn Fn() -> bool,
        ) -> Result<BuildReport, Error> {
            self.asked.lock().unwrap().push(version.tools.to_vec());
            let report = self.reports.lock().unwrap().pop();
            report.ok_or_else(|| Error::stopped("no worker is there"))
        }
        fn check(&self, _: &VersionOrder<'_>, _: &dyn Fn() -> bool) -> Result<String, Error> {
            Ok("{".into())
        }
        fn play(&self, _: &Batch, _: &dyn Fn() -> bool) -> Result<Vec<Played>, Error> {
            unreachable!("a workshop plays nothing")
        }
        fn end(&self) {}
    }

    fn workshop(folder: &Path, workers: &Arc<Reporters>) -> Workshop {
        let named = game::find(&"kalah".parse().unwrap(), &crate::Silent).unwrap();
        let sandbox = Sandbox::open(&Resources::default());
        let workers: Arc<dyn Workers> = Arc::clone(workers) as _;
        let elsewhere = Elsewhere { workers, limits: Limits::default(), seed: Seed(1) };
        let workshop = Workshop::here(&folder.join("bots"), named.game, &sandbox).unwrap();
        workshop.with_workers(Some(elsewhere))
    }

    fn built() -> BuiltVersion {
        BuiltVersion {
            dialect: Dialect::Arena,
            lenient: true,
            display: Untrusted::new("Mine"),
            language: Some(Language::Python),
            versions: serde_json::json!({"python3": "3.13"}),
            tools: vec!["python3".into()],
        }
    }

    #[test]
    fn what_a_worker_reports_is_kept_beside_the_snapshot() {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        fs::create_dir(&files).unwrap();
        fs::write(files.join("bot.toml"), "run = [\"python3\", \"bot.py\"]\n").unwrap();
        fs::write(files.join("bot.py"), "").unwrap();
        let log = || Some(Untrusted::new("flux capacitor missing\n"));
        let failed = BuildReport { built: Err(said!("{}", "no flux")), log: log() };
        let passed = BuildReport { built: Ok(built()), log: None };
        let workers = Arc::new(Reporters::default());
        let workshop = workshop(folder.path(), &workers);
        let name: BotName = "g1.mine".parse().unwrap();
        let hash = workshop.admit(&files, &name).unwrap().unwrap();
        let build = || workshop.build(&hash, &name, &|| true);
        // Without a worker nothing is known, and nobody is at fault.
        assert!(build().unwrap_err().to_string().contains("no worker is there"));
        workers.reports.lock().unwrap().extend([passed, failed]);
        assert_eq!(build().unwrap().unwrap_err().to_string(), "no flux");
        let log = Workshop::build_log(&folder.path().join("bots"), &hash).unwrap();
        assert_eq!(fs::read_to_string(log).unwrap(), "flux capacitor missing\n");
        // The next build passes, and its report is kept: no worker is asked a fourth time.
        for _ in 0..2 {
            let bot = build().unwrap().unwrap();
            assert!(matches!(bot.entrant.start, Start::Elsewhere));
            assert_eq!((bot.entrant.dialect, bot.entrant.lenient), (Dialect::Arena, true));
            assert_eq!((bot.language, bot.tools.len()), (Some(Language::Python), 1));
            assert_eq!(bot.known.build, serde_json::json!({"python3": "3.13"}));
            let settings = crate::check::settings(
                &NamedGame { game: Arc::clone(&workshop.game), player: None },
                Duration::from_secs(1),
                None,
                Duration::from_secs(1),
            );
            let unreadable = workshop.examine(&bot, &settings).unwrap_err().to_string();
            assert!(unreadable.contains("report on g1.mine is unreadable"), "{unreadable}");
        }
        let python = vec!["python3".to_owned()];
        assert_eq!(*workers.asked.lock().unwrap(), vec![python.clone(); 3]);
        assert_eq!(*workers.learned.lock().unwrap(), vec![python; 2]);
        assert!(!folder.path().join("bots").join(hash.as_str()).join("work").exists());
    }

    #[test]
    fn a_version_that_answers_in_no_dialect_is_tried_once() {
        let folder = tempfile::tempdir().unwrap();
        let named = game::find(&"coloured-awale".parse().unwrap(), &crate::Silent).unwrap();
        let sandbox = Sandbox::open(&Resources::default());
        let workshop = Workshop::here(&folder.path().join("bots"), named.game, &sandbox).unwrap();
        let admitted = |name: &str, text: &str| {
            let files = folder.path().join(name);
            fs::create_dir(&files).unwrap();
            fs::write(files.join("bot.py"), text).unwrap();
            let name: BotName = format!("g1.{name}").parse().unwrap();
            (workshop.admit(&files, &name).unwrap().unwrap(), name)
        };
        let found = |(hash, name): &(BotHash, BotName)| {
            workshop.build(hash, name, &|| true).unwrap().unwrap();
            Snapshot::kept(hash, &workshop.bots, LIMITS).unwrap().found().exists()
        };
        let is_silent =
            |(hash, _): &(BotHash, BotName)| workshop.silent.lock().unwrap().contains(hash);
        let mute = admitted("mute", "");
        assert!(!found(&mute) && is_silent(&mute));
        assert!(!found(&mute), "it can be built again");
        let answers = "import sys\nfor line in sys.stdin: print(sys.argv[1] + 'R', flush=True)\n";
        assert!(found(&admitted("speaks", answers)));
        let again = admitted("again", &format!("{answers}# The same.\n"));
        workshop.silent.lock().unwrap().insert(again.0.clone());
        assert!(!found(&again), "it is not tried");
    }
}
