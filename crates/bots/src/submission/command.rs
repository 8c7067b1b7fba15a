//! Player command: program, arguments, environment and working directory of a bot.
//!
//! Must not depend on how processes are started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use pitmaster_core::{BotHash, BotId, BotName, Dialect, Limits, Seed, Side, Untrusted};
use pitmaster_players::{self as players, PREFIX, PlayerSpec};
use pitmaster_sandbox::{ReadGrant, Sandbox, SandboxProfile, this_program};

use super::argv::{Facts, Placeholder, Word};
use super::build::Options;
use super::manifest::Manifest;
use super::prepare::Naming;
use crate::house::{self, NamedTable, TableFileError};
use crate::toolchain::Tools;

/// A bot that can be started any number of times.
#[derive(Debug, Clone)]
pub struct PlayerCommand {
    /// The bot's identity.
    pub id: BotId,
    /// Its display name.
    pub display: Untrusted,
    /// Its dialect.
    pub dialect: Dialect,
    /// Whether blank lines, `OK`, `#…` and `info…` before a move are skipped.
    pub lenient: bool,
    /// The file to execute: absolute, links followed.
    pub program: PathBuf,
    /// The program's `argv[0]`: the path under which it was found. Python uses it to find its
    /// virtual environment, and rustup and busybox to choose the program.
    pub arg0: OsString,
    /// The bot's own folder, used as its working directory.
    pub folder: PathBuf,
    /// Its sandbox profile.
    pub cage: Arc<SandboxProfile>,
    /// Everything that it reads besides the system's folders, links followed: its own folder and
    /// the installation folder of its interpreter.
    pub reads: Vec<ReadGrant>,
    pub(super) words: Vec<Word>,
    pub(super) tools: Tools,
}

/// Environment of every bot: one thread, unbuffered output, and the same hash seeds in every run.
///
/// `JAVA_TOOL_OPTIONS` is not included, because Java reports it on stderr at every start.
const EVERYWHERE: [(&str, &str); 10] = [
    ("LANG", "C.UTF-8"),
    ("PYTHONUNBUFFERED", "1"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONHASHSEED", "0"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("MKL_NUM_THREADS", "1"),
    ("RAYON_NUM_THREADS", "1"),
    ("GOMAXPROCS", "1"),
    ("MALLOC_ARENA_MAX", "1"),
];

/// Facts about the game in every bot's environment, independent of its arguments.
const FACTS: [(&str, Placeholder); 4] = [
    ("PITMASTER_PLAYER", Placeholder::Number),
    ("PITMASTER_SEED", Placeholder::Seed),
    ("PITMASTER_MOVE_MS", Placeholder::MoveMs),
    ("PITMASTER_GAME_MS", Placeholder::GameMs),
];

/// The hash of a house bot: its name with options, the version of the players, and the content of
/// its endgame table.
fn house_hash(player: &PlayerSpec, table: Option<&NamedTable>) -> BotHash {
    let mut hashed = format!("{PREFIX}{player}@{}", players::VERSION);
    if let Some(NamedTable { checksum, .. }) = table {
        hashed.push('#');
        hashed.push_str(checksum);
    }
    BotHash::of(hashed.as_bytes())
}

impl PlayerCommand {
    /// A house bot, which runs this program. Its hash covers everything that determines how it
    /// plays, so a changed player is another bot.
    ///
    /// # Errors
    /// Its endgame table cannot be used.
    pub fn house(
        player: &PlayerSpec,
        naming: Naming,
        options: &Options,
    ) -> Result<Self, TableFileError> {
        let shown = format!("{PREFIX}{player}");
        let table = NamedTable::of(player)?;
        let name = naming.name.unwrap_or_else(|| Self::house_name(player));
        let id = BotId { name, hash: house_hash(player, table.as_ref()) };
        let (mut player, mut reads) = (player.clone(), vec![ReadGrant::this_program()]);
        if let Some(table) = table {
            player = table.named_by(&player)?;
            reads.push(table.path.into_grant());
        }
        Ok(Self {
            id,
            display: naming.display.unwrap_or_else(|| Untrusted::new(&*shown)),
            dialect: Dialect::Pitmaster,
            lenient: false,
            program: this_program(),
            arg0: house::ARG0.into(),
            folder: "/".into(),
            cage: SandboxProfile::new(&options.sandbox, reads.clone()),
            reads,
            words: ["bot".to_owned(), player.to_string()].map(Word::literal).into(),
            tools: options.tools.clone(),
        })
    }

    /// Default name of a house bot: its specification, or a prefix of it with a hash if it is too
    /// long.
    pub fn house_name(player: &PlayerSpec) -> BotName {
        const DIGITS: usize = 8;
        let shown = format!("{PREFIX}{player}");
        if shown.chars().count() <= BotName::MAX {
            return BotName::tamed(&shown);
        }
        let head: String = shown.chars().take(BotName::MAX - DIGITS - 1).collect();
        BotName::tamed(&format!("{head}-{}", &house_hash(player, None).as_str()[..DIGITS]))
    }

    /// The same program with the dialect of a manifest.
    pub(super) fn with_manifest(&self, manifest: &Manifest) -> Self {
        let Manifest { args, dialect, lenient, .. } = manifest;
        Self { words: args.clone(), dialect: *dialect, lenient: *lenient, ..self.clone() }
    }

    /// The same bot in another sandbox.
    #[must_use]
    pub fn in_sandbox(&self, sandbox: &Arc<Sandbox>) -> Self {
        Self { cage: SandboxProfile::new(sandbox, self.reads.clone()), ..self.clone() }
    }

    /// The arguments as they appear in a manifest.
    pub fn shown_words(&self) -> Vec<String> {
        self.words.iter().map(Word::text).collect()
    }

    /// The arguments after the program's name, with placeholders filled in. A missing limit is 0.
    pub fn args(&self, side: Side, seed: Seed, limits: &Limits) -> Vec<OsString> {
        let facts = Facts::new(side, seed, limits);
        self.words.iter().map(|word| word.filled(&facts).into()).collect()
    }

    /// The complete environment; only PATH is inherited from the referee. `game` is the game's name
    /// with its options, which bare-move dialects do not transmit.
    pub fn environment(
        &self,
        side: Side,
        seed: Seed,
        limits: &Limits,
        game: &str,
    ) -> Vec<(OsString, OsString)> {
        let facts = Facts::new(side, seed, limits);
        let own: [(OsString, OsString); 3] = [
            ("PATH".into(), self.tools.path().into()),
            ("HOME".into(), self.folder.clone().into()),
            ("TMPDIR".into(), self.folder.clone().into()),
        ];
        let everywhere = EVERYWHERE.map(|(name, value)| (name.into(), value.into()));
        let fact_variables =
            FACTS.map(|(name, placeholder)| (name.into(), placeholder.text(&facts).into()));
        let game_variable = [("PITMASTER_GAME".into(), game.into())];
        own.into_iter().chain(everywhere).chain(game_variable).chain(fact_variables).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use pitmaster_core::Resources;
    use pitmaster_games::{AnyRules, GameSpec, look_up};
    use pitmaster_players::EndgameTable;

    use super::*;

    fn command() -> PlayerCommand {
        let id = BotId { name: BotName::tamed("x"), hash: BotHash::of(b"") };
        PlayerCommand {
            id,
            display: Untrusted::new("x"),
            dialect: Dialect::Course,
            lenient: false,
            program: "/usr/bin/prog".into(),
            arg0: "prog".into(),
            folder: "/store/work".into(),
            reads: Vec::new(),
            words: ["-x", "Joueur{J}", "{seed}"].map(|word| Word::parse(word).unwrap()).to_vec(),
            cage: SandboxProfile::open(),
            tools: Tools::on("/usr/bin:/bin"),
        }
    }

    #[test]
    fn arguments_are_filled_for_each_side() {
        let args = |side| command().args(side, Seed(9), &Limits::default());
        assert_eq!(args(Side::One), ["-x", "JoueurA", "9"]);
        assert_eq!(args(Side::Two), ["-x", "JoueurB", "9"]);
    }

    #[test]
    fn the_environment_is_this_and_nothing_else() {
        let limits = Limits { per_game: None, ..Limits::default() };
        let game = "coloured-awale,both_40=off";
        let environment = command().environment(Side::Two, Seed(9), &limits, game);
        let lines: Vec<_> = environment
            .iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        PATH=/usr/bin:/bin
        HOME=/store/work
        TMPDIR=/store/work
        LANG=C.UTF-8
        PYTHONUNBUFFERED=1
        PYTHONDONTWRITEBYTECODE=1
        PYTHONHASHSEED=0
        OMP_NUM_THREADS=1
        OPENBLAS_NUM_THREADS=1
        MKL_NUM_THREADS=1
        RAYON_NUM_THREADS=1
        GOMAXPROCS=1
        MALLOC_ARENA_MAX=1
        PITMASTER_GAME=coloured-awale,both_40=off
        PITMASTER_PLAYER=2
        PITMASTER_SEED=9
        PITMASTER_MOVE_MS=1000
        PITMASTER_GAME_MS=0
        ");
    }

    #[test]
    fn a_house_bot_is_this_program() {
        let options = Options::with(Tools::on("/usr/bin"), &Sandbox::open(&Resources::default()));
        let house = |text: &str| {
            let player = text.parse().unwrap();
            PlayerCommand::house(&player, Naming::default(), &options).unwrap()
        };
        let bot = house("greedy");
        assert_eq!(bot.id.name.as_str(), "house-greedy");
        assert_eq!(bot.display, Untrusted::new("house:greedy"));
        assert_eq!(bot.args(Side::One, Seed(1), &Limits::default()), ["bot", "greedy"]);
        assert_eq!(bot.reads, [ReadGrant::this_program()]);
        let here = std::env::current_exe().unwrap().canonicalize().unwrap();
        assert_eq!(bot.program.canonicalize().unwrap(), here);
        assert_eq!(house("greedy").id, bot.id);
        assert_ne!(house("random").id.hash, bot.id.hash);
        let name = Some(BotName::tamed("other"));
        let naming = Naming { name, display: Some(Untrusted::new("Other")) };
        let other = PlayerCommand::house(&"greedy".parse().unwrap(), naming, &options).unwrap();
        assert_eq!(other.id.hash, bot.id.hash);
        assert_eq!((other.id.name.as_str(), other.display), ("other", Untrusted::new("Other")));
    }

    #[test]
    fn a_house_bot_with_another_table_is_another_bot() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("kalah.table");
        let options = Options::with(Tools::on("/usr/bin"), &Sandbox::open(&Resources::default()));
        let player = format!("expert,tables={}", path.display()).parse().unwrap();
        let bot = || PlayerCommand::house(&player, Naming::default(), &options);
        assert!(bot().is_err(), "there is no table");
        let write = |most| {
            let game = GameSpec::plain("kalah");
            let AnyRules::TwoRow(rules) = look_up(&game).unwrap().rules else { panic!("two rows") };
            let table = EndgameTable::build(&rules, most, |_| {}).unwrap();
            table.write(&mut File::create(&path).unwrap()).unwrap();
        };
        write(2);
        let first = bot().unwrap();
        assert_eq!(first.reads, [ReadGrant::this_program(), ReadGrant::trusted(path.clone())]);
        assert_eq!(bot().unwrap().id, first.id);
        write(3);
        let second = bot().unwrap();
        assert_eq!(second.id.name, first.id.name);
        assert_ne!(second.id.hash, first.id.hash);
    }
}
