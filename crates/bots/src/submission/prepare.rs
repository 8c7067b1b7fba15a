//! Preparation of a submission: turns submitted files into a command that can be started.
//!
//! Must not depend on how bots play.

use std::io;
use std::path::{Path, PathBuf};

use pitmaster_core::{BotHash, BotId, BotName, StartFault, Untrusted};
use pitmaster_sandbox::SandboxProfile;

use super::argv::Program;
use super::beneath::{Folder, open_program};
use super::build::{Options, asking, build};
use super::command::PlayerCommand;
use super::detect::{Detected, Guess, Way, detect, only_program};
use super::diagnose::{Surroundings, preflight};
use super::executable_format::{Image, Interpreter};
use super::fault::{BotFault, PrepareError, SnapshotError, Unfit, Wrong, shown, shown_path};
use super::manifest::Manifest;
use super::snapshot::Snapshot;
use super::tree::{Tree, TreeLimits, head, unreadable};
use crate::toolchain::{Commands, Located};

/// A bot that can play.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The command that starts it.
    pub command: PlayerCommand,
    /// Its manifest.
    pub manifest: Manifest,
    /// The snapshot with its copy, its build and its log.
    pub snapshot: Snapshot,
    /// The detection result, if it has no manifest.
    pub guess: Option<Guess>,
    /// Whether its dialect is known, by its manifest or by a trial.
    pub is_settled: bool,
}

impl Prepared {
    /// The command that starts a bot without a manifest in this dialect.
    pub fn spoken_to(&self, way: &Way) -> PlayerCommand {
        let guess = self.guess.as_ref().map(|guess| guess.spoken_to(way));
        self.command.with_manifest(guess.as_ref().unwrap_or(&self.manifest))
    }

    /// Records in the snapshot that trials have confirmed this dialect.
    ///
    /// # Errors
    /// The snapshot cannot be written.
    pub fn settle(&mut self, way: &Way) -> Result<(), SnapshotError> {
        let Some(guess) = &self.guess else { return Ok(()) };
        let Manifest { args, dialect, .. } = guess.spoken_to(way);
        self.manifest = Manifest { args, dialect, ..self.manifest.clone() };
        self.command = self.command.with_manifest(&self.manifest);
        self.is_settled = true;
        let place = shown_path(&guess.place);
        let text = format!(
            "# Found without a bot.toml: {place}. A bot.toml with these lines says the same.\n{}",
            self.manifest.to_toml()
        );
        let read = Manifest::parse(text.as_bytes(), Path::new(Manifest::FILE));
        if read.is_ok_and(|read| read == self.manifest) {
            self.snapshot.write_found(text.as_bytes())?;
        }
        Ok(())
    }

    /// What an earlier trial has shown.
    fn recall(&mut self) {
        let Some(guess) = &self.guess else { return };
        let text = self.snapshot.read_found();
        let read = text.and_then(|text| Manifest::parse(&text, Path::new(Manifest::FILE)).ok());
        let Some(found) = read else { return };
        let is_same = |way: &&Way| {
            let manifest = guess.spoken_to(way);
            (manifest.args, manifest.dialect) == (found.args.clone(), found.dialect)
                && (manifest.folder, manifest.build) == (found.folder.clone(), found.build.clone())
        };
        if let Some(way) = guess.ways.iter().find(is_same) {
            let Manifest { args, dialect, .. } = guess.spoken_to(way);
            self.manifest = Manifest { args, dialect, ..self.manifest.clone() };
            self.command = self.command.with_manifest(&self.manifest);
            self.is_settled = true;
        }
    }
}

/// Names that a tournament assigns to a bot in place of the bot's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Naming {
    /// Replaces the manifest's name.
    pub name: Option<BotName>,
    /// Replaces the manifest's display name.
    pub display: Option<Untrusted>,
}

/// Reads a bot's manifest or detects how it runs, without copying or running anything. `game` is
/// the name of the game that it is to play, if it is known.
///
/// # Errors
/// All errors in its manifest, the reason why detection failed, or that it does not play the game.
pub fn inspect(
    path: &Path,
    game: Option<&str>,
    limits: TreeLimits,
) -> Result<Manifest, PrepareError> {
    let told = manifest_of(path, path, limits).map(|(manifest, _)| manifest);
    let told = told.and_then(|told| match game {
        Some(game) => playing(told, game),
        None => Ok(told),
    });
    told.map_err(|wrong| unfit(name_of(path), None, wrong))
}

/// Takes a bot's snapshot into `store` (the folder of all snapshots of a tournament), builds it
/// there and returns how to start it. `game` is the game's name without options.
///
/// # Errors
/// The bot's own fault, with as much of its identity as is known, or that the store cannot be used.
pub fn prepare(
    path: &Path,
    naming: Naming,
    store: &Path,
    game: &str,
    options: &Options,
) -> Result<Prepared, PrepareError> {
    let mut prepared = admit(path, naming, store, game, options.limits)?.build(options)?;
    prepared.recall();
    Ok(prepared)
}

/// Takes a bot's snapshot into `store` without building it. The remaining steps can be done here or
/// on other machines. `game` is the game's name without options.
///
/// # Errors
/// An error in the submission, that it does not play the game, or that the store cannot be used.
pub fn admit(
    path: &Path,
    naming: Naming,
    store: &Path,
    game: &str,
    limits: TreeLimits,
) -> Result<Admitted, PrepareError> {
    let early = naming.name.clone().unwrap_or_else(|| name_of(path));
    let manifest = manifest_of(path, path, limits);
    let (manifest, _) = manifest
        .map_err(|wrong| unfit(early.clone(), known(path, early, limits).as_ref(), wrong))?;
    let name = naming.name.or(manifest.name).unwrap_or_else(|| name_of(path));
    let snapshot = Snapshot::take(path, store, limits)
        .map_err(|wrong| unfit(name.clone(), known(path, name.clone(), limits).as_ref(), wrong))?;
    Admitted::of(path, name, naming.display, snapshot, game, limits)
}

/// Hash of a submission, without copying it; `None` if it cannot be read.
pub fn hash_of(path: &Path, limits: TreeLimits) -> Option<BotHash> {
    Tree::of(path, limits).and_then(|tree| tree.hash()).ok()
}

/// Identity of a submission that is not taken into the store; `None` if it cannot be read.
fn known(path: &Path, name: BotName, limits: TreeLimits) -> Option<BotId> {
    let hash = hash_of(path, limits)?;
    Some(BotId { name, hash })
}

/// A bot that may take part and is not built yet.
#[derive(Debug, Clone)]
pub struct Admitted {
    /// The bot's identity.
    pub id: BotId,
    /// Its display name.
    pub display: Untrusted,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its snapshot.
    pub snapshot: Snapshot,
    /// The detection result, if it has no manifest.
    pub guess: Option<Guess>,
    /// Its name in messages.
    shown_as: PathBuf,
}

impl Admitted {
    /// A bot that was admitted on another machine, read from its snapshot.
    ///
    /// # Errors
    /// An error in its manifest, or that it does not play the game.
    pub fn elsewhere(
        snapshot: Snapshot,
        name: BotName,
        display: Untrusted,
        game: &str,
        limits: TreeLimits,
    ) -> Result<Self, PrepareError> {
        let shown_as = PathBuf::from(name.as_str());
        Self::of(&shown_as, name, Some(display), snapshot, game, limits)
    }

    /// The manifest is read from the copy: that is the one the hash stands for.
    fn of(
        path: &Path,
        name: BotName,
        display: Option<Untrusted>,
        snapshot: Snapshot,
        game: &str,
        limits: TreeLimits,
    ) -> Result<Self, PrepareError> {
        let id = BotId { name, hash: snapshot.hash.clone() };
        let (manifest, guess) = manifest_of(&snapshot.src(), path, limits)
            .and_then(|(manifest, guess)| Ok((playing(manifest, game)?, guess)))
            .map_err(|wrong| unfit(id.name.clone(), Some(&id), wrong))?;
        let own = || manifest.display.clone().unwrap_or_else(|| Untrusted::new(id.name.as_str()));
        let display = display.unwrap_or_else(own);
        Ok(Self { id, display, manifest, snapshot, guess, shown_as: path.to_owned() })
    }

    /// Builds it and returns how to start it.
    ///
    /// # Errors
    /// The reason why it cannot be built or started here, or that the store cannot be used.
    pub fn build(self, options: &Options) -> Result<Prepared, PrepareError> {
        let (command, program) = self.ready(options).map_err(|wrong| {
            match unfit(self.id.name.clone(), Some(&self.id), wrong) {
                PrepareError::Bot(unfit) => {
                    let (ran, is_guessed) = (self.shown_run(&unfit), self.guess.is_some());
                    PrepareError::Bot(Box::new(Unfit { ran, is_guessed, ..*unfit }))
                }
                store @ PrepareError::Store(_) => store,
            }
        })?;
        let is_settled = self.guess.is_none();
        let manifest = Manifest { program, ..self.manifest };
        Ok(Prepared { command, manifest, snapshot: self.snapshot, guess: self.guess, is_settled })
    }

    /// What was to be run, where that would not start.
    fn shown_run(&self, unfit: &Unfit) -> Option<String> {
        let would_not_start = matches!(unfit.fault, BotFault::WouldNotStart(_));
        let folder: PathBuf = self.shown_as.iter().chain(&self.manifest.folder).collect();
        let words = shown(&self.manifest.shown_run());
        would_not_start.then(|| format!("`{words}` in {}", shown_path(&folder)))
    }

    /// The command, and the program as a manifest names it.
    fn ready(&self, options: &Options) -> Result<(PlayerCommand, Program), Wrong> {
        let Self { id, display, manifest, snapshot, shown_as, .. } = self;
        build(snapshot, manifest, options)?;
        let tools = &options.tools;
        let folder = folder_of(manifest, snapshot)?;
        let mut commands = Commands::new(tools, asking(snapshot, options));
        let program = resolve(shown_as, manifest, snapshot, &mut commands)?;
        let work = snapshot.work();
        let around = Surroundings { tools, own: &work, installed: &commands.installed };
        preflight(&program.file, around).map_err(BotFault::WouldNotStart)?;
        let reads = commands.reads(&snapshot.work_folder());
        let named = named_program(manifest, &program.file, &folder);
        let command = PlayerCommand {
            id: id.clone(),
            display: display.clone(),
            dialect: manifest.dialect,
            lenient: manifest.lenient,
            program: program.file,
            arg0: program.name.into(),
            folder,
            words: manifest.args.clone(),
            cage: SandboxProfile::new(&options.sandbox, reads.clone()),
            reads,
            tools: tools.with_first(&commands.ahead),
        };
        Ok((command, named))
    }
}

fn playing(manifest: Manifest, game: &str) -> Result<Manifest, Wrong> {
    if manifest.plays(game) {
        return Ok(manifest);
    }
    let plays = manifest.games.join(", ");
    Err(BotFault::OtherGame { game: game.to_owned(), plays }.into())
}

fn unfit(name: BotName, id: Option<&BotId>, wrong: Wrong) -> PrepareError {
    match wrong {
        Wrong::Bot(fault) => {
            let hash = id.map(|id| id.hash.clone());
            Box::new(Unfit { name, hash, ran: None, is_guessed: false, fault }).into()
        }
        Wrong::Store(fault) => fault.into(),
    }
}

/// The file to execute. The commands that it is run with are added to the others.
fn resolve(
    path: &Path,
    manifest: &Manifest,
    snapshot: &Snapshot,
    commands: &mut Commands,
) -> Result<Located, Wrong> {
    let program = match &manifest.program {
        Program::Command(name) => {
            commands.add(name).ok_or_else(|| BotFault::MissingTool { tool: shown(name) })?
        }
        Program::File(word) => inside(snapshot, &manifest.folder, word)?.into(),
        Program::OnlyOneIn(folder) => only_one_in(folder, path, manifest, snapshot)?.into(),
    };
    add_interpreter(&program.file, commands);
    for name in &manifest.needs {
        commands.add(name);
    }
    Ok(program)
}

/// The interpreter that the first line of a program names. What it names is looked up among the
/// machine's commands, and opens nothing else.
fn add_interpreter(program: &Path, commands: &mut Commands) {
    let Ok(file) = open_program(program) else { return };
    let Image::Script(shebang) = Image::of(&file) else { return };
    match shebang.interpreter() {
        Ok(Interpreter::Command(name)) => drop(commands.add(&name)),
        Ok(Interpreter::Path(path)) => commands.add_path(&path),
        // RefereeMessage before the bot is started.
        Err(_) => {}
    }
}

/// A program that a build has left, as a manifest would name it; any other as it was named.
fn named_program(manifest: &Manifest, file: &Path, folder: &Path) -> Program {
    let named = file.strip_prefix(folder).ok().and_then(Path::to_str);
    match (&manifest.program, named) {
        (Program::OnlyOneIn(_), Some(name)) => Program::File(format!("./{name}")),
        (program, _) => program.clone(),
    }
}

/// The folder that it runs in.
fn folder_of(manifest: &Manifest, snapshot: &Snapshot) -> Result<PathBuf, Wrong> {
    if manifest.folder.as_os_str().is_empty() {
        return Ok(snapshot.work());
    }
    inside(snapshot, &manifest.folder, ".").map_err(|_| {
        Wrong::file(&manifest.folder, "there is no such folder; correct `folder` in its bot.toml")
    })
}

fn only_one_in(
    place: &str,
    path: &Path,
    manifest: &Manifest,
    snapshot: &Snapshot,
) -> Result<PathBuf, Wrong> {
    let built = inside(snapshot, &manifest.folder, place)?;
    // What lies in a folder of the build's own cannot have been handed in.
    let handed_in = (place == ".").then(|| snapshot.src().join(&manifest.folder));
    let open = |path: PathBuf| Folder::open(&path).map_err(SnapshotError::at("open", &path));
    let handed_in = handed_in.map(open).transpose()?;
    let not_there = StartFault::NotFound { program: shown(place) };
    let folder = Folder::open(&built).map_err(|_| BotFault::WouldNotStart(not_there))?;
    let only = only_program(&folder, handed_in.as_ref(), place, manifest, path);
    Ok(built.join(only.map_err(|fault| BotFault::Files(vec![fault]))?))
}

/// A path of the bot's folder with links followed, provided that it is still inside. Nobody
/// but the referee can write to that folder.
#[expect(clippy::disallowed_methods, reason = "what is found is held against the folder")]
fn inside(snapshot: &Snapshot, folder: &Path, word: &str) -> Result<PathBuf, BotFault> {
    let work = snapshot.work();
    let found = work.join(folder).join(word);
    let not_there = || StartFault::NotFound { program: shown(word) };
    let program = found.canonicalize().map_err(|_| BotFault::WouldNotStart(not_there()))?;
    if !program.starts_with(&work) {
        let error = format!("{} is a link that leads outside the bot's folder", shown(word));
        return Err(BotFault::WouldNotStart(StartFault::Refused { error }));
    }
    Ok(program)
}

/// The manifest at a path, or the obvious one; `shown_as` is what faults call the bot.
fn manifest_of(
    path: &Path,
    shown_as: &Path,
    limits: TreeLimits,
) -> Result<(Manifest, Option<Guess>), Wrong> {
    if path.file_name().is_some_and(|name| name == Manifest::FILE) {
        return Err(Wrong::file(path, "this is a manifest; name the folder that it lies in"));
    }
    let name = Path::new(Manifest::FILE);
    // A single file is no folder, and has no manifest.
    if let Ok(folder) = Folder::open(path)
        && folder.has(name)
    {
        return Ok((read_manifest(&folder, &shown_as.join(name))?, None));
    }
    let tree = Tree::of(path, limits)?;
    match detect(&tree, shown_as).map_err(|fault| BotFault::Files(vec![fault]))? {
        Detected::Program(guess) => Ok((guess.manifest.clone(), Some(*guess))),
        Detected::ManifestIn(further) => {
            let folder = tree.root().folder(&further);
            let folder = folder.map_err(|error| unreadable(&path.join(&further), error))?;
            let manifest = read_manifest(&folder, &shown_as.join(&further).join(name))?;
            let folder = further.join(&manifest.folder);
            Ok((Manifest { folder, ..manifest }, None))
        }
    }
}

fn read_manifest(folder: &Folder, shown_as: &Path) -> Result<Manifest, Wrong> {
    let name = Path::new(Manifest::FILE);
    let bytes = match folder.file(name) {
        Ok(file) => head(file, Manifest::MAX_BYTES as u64 + 1),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
        Err(_) => {
            let what = "is not a file; a manifest is a few lines of text";
            return Err(Wrong::file(shown_as, what));
        }
    };
    let bytes = bytes.map_err(|error| unreadable(&folder.path().join(name), error))?;
    Manifest::parse(&bytes, shown_as).map_err(|faults| BotFault::Files(faults).into())
}

/// The name that a bot will have: from its manifest, or from its folder or file.
///
/// # Errors
/// An error in its manifest.
pub fn called(path: &Path) -> Result<BotName, PrepareError> {
    let manifest = inspect(path, None, TreeLimits::default())?;
    Ok(manifest.name.unwrap_or_else(|| name_of(path)))
}

/// The name of a bot by its folder or file.
#[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
pub fn name_of(path: &Path) -> BotName {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let named = if path.file_name().is_some() { path } else { &absolute };
    let part = if absolute.is_dir() { named.file_name() } else { named.file_stem() };
    BotName::tamed(&part.map_or(String::new(), |part| shown_path(Path::new(part))))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;
    use std::time::Duration;

    use pitmaster_core::Resources;
    use pitmaster_core::{Dialect, Exit, Limits, Seed, Side};
    use pitmaster_sandbox::Sandbox;

    use super::super::fault::BuildEnd;
    use super::*;
    use crate::toolchain::{Tools, script};

    /// A folder with a bot, a store, and a PATH of tools that are scripts.
    struct House {
        dir: tempfile::TempDir,
        options: Options,
    }

    impl House {
        fn new(manifest: &str) -> Self {
            let dir = tempfile::tempdir().unwrap();
            for folder in ["My Bot", "tools"] {
                fs::create_dir(dir.path().join(folder)).unwrap();
            }
            let path = format!("{}:/usr/bin:/bin", dir.path().join("tools").display());
            let house = Self {
                dir,
                options: Options::with(Tools::on(path), &Sandbox::open(&Resources::default())),
            };
            fs::write(house.bot().join("bot.toml"), manifest).unwrap();
            house
        }

        fn bot(&self) -> PathBuf {
            self.dir.path().join("My Bot")
        }

        fn prepare(&self) -> Result<Prepared, PrepareError> {
            let store = self.dir.path().join("results/bots");
            prepare(&self.bot(), Naming::default(), &store, "coloured-awale", &self.options)
        }

        fn fault(&self) -> BotFault {
            match self.prepare().expect_err("an unfit bot") {
                PrepareError::Bot(unfit) => unfit.fault,
                PrepareError::Store(fault) => panic!("{fault}"),
            }
        }
    }

    const SCRIPT: &str = "#!/bin/sh\necho \"$1 $PITMASTER_SEED ${SECRET-none}\"\n";

    /// Starts it as simply as can be, and reads what it says.
    fn output_of(command: &PlayerCommand, side: Side) -> String {
        let limits = Limits::default();
        // A program that was just written can be busy while another test forks.
        for _ in 0..100 {
            let output = Command::new(&command.program)
                .args(command.args(side, Seed(5), &limits))
                .env_clear()
                .envs(command.environment(side, Seed(5), &limits, "toy"))
                .current_dir(&command.folder)
                .output();
            match output {
                Ok(output) => return String::from_utf8(output.stdout).unwrap(),
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        panic!("{} would not start", command.program.display());
    }

    #[test]
    fn a_bot_with_a_manifest_is_built_and_runs_from_its_copy() {
        let house = House::new(
            "build = [['sh', 'make.sh'], ['./made']]\nrun = ['./made', '{J}']\ndialect = 'course'",
        );
        script(&house.bot().join("made.in"), SCRIPT);
        fs::write(house.bot().join("make.sh"), "mv made.in made; echo \"in $HOME\"").unwrap();
        let prepared = house.prepare().unwrap();
        let command = &prepared.command;
        assert_eq!((command.id.name.as_str(), command.dialect), ("my-bot", Dialect::Course));
        assert_eq!(command.display.as_bytes(), b"my-bot");
        fs::remove_dir_all(house.bot()).unwrap();
        assert_eq!(output_of(command, Side::Two), "B 5 none\n");
        let log = fs::read_to_string(prepared.snapshot.log()).unwrap();
        assert!(
            log.starts_with("$ sh make.sh\nin /") && log.ends_with("$ ./made\n  none\n"),
            "{log}"
        );
        assert!(fs::read_to_string(prepared.snapshot.versions()).unwrap().contains("\"sh\""));
        assert!(!prepared.snapshot.scratch_folder().path().exists());
    }

    #[test]
    fn a_build_is_done_once_and_again_when_it_failed() {
        let house = House::new("build = ['./build.sh']\nrun = ['./play']");
        script(&house.bot().join("play"), SCRIPT);
        let count = house.dir.path().join("count");
        let build = format!("#!/bin/sh\necho >> '{0}'; test -e '{0}.ready'\n", count.display());
        script(&house.bot().join("build.sh"), &build);
        let BotFault::DidNotBuild(failure) = house.fault() else { panic!("a failed build") };
        assert_eq!(failure.why, BuildEnd::Exited(Exit::Code(1)));
        fs::write(house.dir.path().join("count.ready"), "").unwrap();
        for _ in 0..3 {
            house.prepare().unwrap();
        }
        assert_eq!(fs::read_to_string(&count).unwrap(), "\n\n");
    }

    #[test]
    fn a_failed_build_is_told_with_the_end_of_its_log() {
        let house =
            House::new("build = ['sh', '-c', 'echo \"\\033[31mbad\"; kill -11 $$']\nrun = ['./x']");
        let text = house.fault().to_string();
        let (text, log) = text.split_once("\nthe whole log is ").unwrap();
        insta::assert_snapshot!(text, @r#"
        it did not build: `sh -c echo "\\033[31mbad"; kill -11 $$` was ended by signal 11 (SIGSEGV)
          | $ sh -c echo "\\033[31mbad"; kill -11 $$
          | \u{1b}[31mbad
        "#);
        assert!(Path::new(log).is_file(), "{log}");
    }

    #[test]
    fn builds_are_bounded() {
        let mut house = House::new("build = ['sh', '-c', 'sleep 600']\nrun = ['./x']");
        house.options.build_time = Duration::from_millis(30);
        let BotFault::DidNotBuild(failure) = house.fault() else { panic!("a failed build") };
        assert_eq!(failure.why, BuildEnd::TooSlow(Duration::from_millis(30)));
        let mut house =
            House::new("build = ['sh', '-c', 'while :; do echo aaaa; done']\nrun = ['./x']");
        house.options.build_output = 1000;
        let BotFault::DidNotBuild(failure) = house.fault() else { panic!("a failed build") };
        assert_eq!(failure.why, BuildEnd::TooMuchOutput(1000));
    }

    #[test]
    fn what_is_missing_is_named_before_anything_is_built() {
        let house =
            House::new("build = ['touch', 'built']\nrun = ['./x']\nneeds = ['no-such-tool']");
        assert_eq!(house.fault(), BotFault::MissingTool { tool: "no-such-tool".into() });
        let PrepareError::Bot(unfit) = house.prepare().unwrap_err() else { panic!("the bot's") };
        let hash = unfit.hash.unwrap();
        let kept = house.dir.path().join("results/bots").join(hash.as_str());
        assert!(kept.join("src").exists() && !kept.join("work").exists());
        assert_eq!(unfit.fault.as_forfeit(), pitmaster_core::Fault::DidNotBuild);
    }

    #[test]
    fn what_is_admitted_here_is_built_elsewhere() {
        let house =
            House::new("build = ['cp', 'made.in', 'made']\nrun = ['./made', '{n}']\nname = 'own'");
        script(&house.bot().join("made.in"), SCRIPT);
        let (limits, store) = (house.options.limits, house.dir.path().join("results/bots"));
        let admit = |game| admit(&house.bot(), Naming::default(), &store, game, limits);
        let admitted = admit("kalah").unwrap();
        assert_eq!((admitted.id.name.as_str(), admitted.display.as_bytes()), ("own", &b"own"[..]));
        assert_eq!(admitted.manifest.tools(), ["cp"]);
        assert!(!admitted.snapshot.work().exists());

        let elsewhere = |game| {
            let (name, display) = (BotName::tamed("other"), Untrusted::new("Other"));
            Admitted::elsewhere(admitted.snapshot.clone(), name, display, game, limits)
        };
        let command = elsewhere("kalah").unwrap().build(&house.options).unwrap().command;
        assert_eq!(
            (command.id.name.as_str(), command.display.as_bytes()),
            ("other", &b"Other"[..])
        );
        assert_eq!(command.id.hash, admitted.id.hash);
        assert_eq!(output_of(&command, Side::One), "1 5 none\n");

        fs::write(house.bot().join("bot.toml"), "run = ['sh']\ngames = ['kalah']").unwrap();
        let PrepareError::Bot(unfit) = admit("oware").unwrap_err() else { panic!("the bot's") };
        assert!(matches!(unfit.fault, BotFault::OtherGame { .. }) && unfit.hash.is_some());
    }

    #[test]
    fn another_game_is_told() {
        let house = House::new("run = ['sh']\ngames = ['kalah', 'oware']");
        let text = house.fault().to_string();
        assert!(text.starts_with("it plays kalah, oware and not coloured-awale"), "{text}");
    }

    #[test]
    fn a_program_that_would_not_start_is_told_before_it_is_started() {
        for (contents, fault) in [
            (&b"MZ"[..], StartFault::WindowsProgram),
            (b"#!/bin/sh\r\n", StartFault::CrlfAfterShebang),
            (b"echo 1R\n", StartFault::NotExecutable),
        ] {
            let house = House::new("run = ['./x']");
            fs::write(house.bot().join("x"), contents).unwrap();
            assert_eq!(house.fault(), BotFault::WouldNotStart(fault));
        }
        let house = House::new("run = ['./gone']");
        let program = "./gone".to_owned();
        assert_eq!(house.fault(), BotFault::WouldNotStart(StartFault::NotFound { program }));
    }

    #[test]
    fn a_build_cannot_lead_the_program_outside() {
        let house = House::new("build = ['ln', '-s', '/bin/sh', 'x']\nrun = ['./x']");
        let program = "./x".to_owned();
        assert_eq!(house.fault(), BotFault::WouldNotStart(StartFault::NotFound { program }));
        let prepared = House::new("build = ['ln', '-s', '/bin/sh', 'x']\nrun = ['sh', 'x']");
        let log = fs::read_to_string(prepared.prepare().unwrap().snapshot.log()).unwrap();
        let left_out = "-- left out: x: a link that leads out of the bot's folder\n";
        assert!(log.ends_with(left_out), "{log}");
    }

    #[test]
    fn an_interpreter_is_found_on_the_path_and_its_links_followed() {
        let house = House::new("run = ['lua', 'bot.lua', '{n}']");
        let [real, link] = ["real", "lua"].map(|name| house.dir.path().join("tools").join(name));
        script(&real, "#!/bin/sh\necho \"$1 $2\"\n");
        std::os::unix::fs::symlink("real", &link).unwrap();
        let command = house.prepare().unwrap().command;
        assert_eq!(command.program, real.canonicalize().unwrap());
        assert_eq!(command.arg0, link);
        let reads: Vec<_> = command.reads.iter().map(|grant| grant.path().to_owned()).collect();
        assert_eq!(reads, [command.folder.clone(), command.program.clone()]);
        assert_eq!(output_of(&command, Side::One), "bot.lua 1\n");
    }

    #[test]
    fn a_makefile_needs_no_manifest() {
        let house = House::new("");
        fs::remove_file(house.bot().join("bot.toml")).unwrap();
        fs::write(house.bot().join("Makefile"), "").unwrap();
        script(&house.bot().join("play.in"), SCRIPT);
        script(&house.dir.path().join("tools/make"), "#!/bin/sh\ncp play.in play\n");
        let command = house.prepare().unwrap().command;
        assert!(command.program.ends_with("work/play"));
        assert_eq!(output_of(&command, Side::One), "1 5 none\n");
    }

    #[test]
    fn a_file_is_named_without_its_ending_and_a_tournament_can_name_it() {
        let house = House::new("");
        let file = house.dir.path().join("Greedy 2.py");
        fs::write(&file, "").unwrap();
        script(&house.dir.path().join("tools/python3"), "#!/bin/sh\n");
        let store = house.dir.path().join("store");
        let prepare_as =
            |naming| prepare(&file, naming, &store, "kalah", &house.options).unwrap().command;
        assert_eq!(prepare_as(Naming::default()).id.name.as_str(), "greedy-2");
        let naming =
            Naming { name: Some(BotName::tamed("x")), display: Some(Untrusted::new("X!")) };
        let command = prepare_as(naming);
        assert_eq!((command.id.name.as_str(), command.display.as_bytes()), ("x", &b"X!"[..]));
    }

    #[test]
    fn a_hostile_bot_is_data() {
        let house = House::new(
            "display = '</script>'\nauthors = ['=HYPERLINK(\"x\")', \"\\u001b[2J\"]\nrun = ['./\u{202e}x\\', '</script>']",
        );
        let house_with = |run: &str| House::new(&format!("display = '</script>'\n{run}"));
        script(&house.bot().join("\u{202e}x\\"), SCRIPT);
        let prepared = house.prepare().unwrap();
        assert_eq!(output_of(&prepared.command, Side::One), "</script> 5 none\n");
        for (run, word) in [
            ("run = ['../../x']", "../../x leads outside"),
            ("run = ['sh', '../x']", "../x leads outside"),
            ("run = ['sh']\nbuild = ['cp', '../../secret', '.']", "../../secret leads outside"),
            ("run = ['/bin/sh']", "/bin/sh leads outside"),
        ] {
            let text = house_with(run).fault().to_string();
            assert!(text.contains(word), "{text}");
        }
        let house = House::new(
            "run = [\"./\\u001b[31m\\n</script>\"]\nbuild = ['sh', \"-c\", \"printf '\\\\033[2J\\\\377'; exit 1\"]",
        );
        let text = house.fault().to_string();
        assert!(text.contains("\\u{1b}[2J\\xff") && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn a_manifest_handed_in_alone_or_no_file_is_refused() {
        let house = House::new("run = ['sh']");
        let inspect =
            |path: &Path| inspect(path, None, TreeLimits::default()).map_err(|e| e.to_string());
        assert!(inspect(&house.bot()).is_ok());
        assert!(inspect(&house.bot().join("bot.toml")).unwrap_err().contains("name the folder"));
        fs::remove_file(house.bot().join("bot.toml")).unwrap();
        fs::create_dir(house.bot().join("bot.toml")).unwrap();
        assert!(inspect(&house.bot()).unwrap_err().contains("is not a file"));
        assert!(inspect(Path::new("/nowhere/x")).unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn two_at_once_build_once() {
        let house = House::new("build = ['./build.sh']\nrun = ['./play']");
        script(&house.bot().join("play"), SCRIPT);
        let count = house.dir.path().join("count");
        script(
            &house.bot().join("build.sh"),
            &format!("#!/bin/sh\necho >> '{}'\n", count.display()),
        );
        std::thread::scope(|scope| {
            let both = [(); 2].map(|()| scope.spawn(|| house.prepare().unwrap()));
            assert!(both.into_iter().all(|thread| thread.join().is_ok()));
        });
        assert_eq!(fs::read_to_string(&count).unwrap(), "\n");
    }
}
