//! `pitmaster push`: checks a bot locally, submits it to a practice server, and waits for the
//! verdict.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_games::GameSpec;
use pitmaster_server::client::{ClientError, Credentials, Identity, Remote, RemoteVersion};
use pitmaster_session::{game, practice};
use pitmaster_tournament::parse_duration;

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::lang::LangFlag;
use super::progress::say;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, check, login};

const EXAMPLES: &str = "\
Examples:
  pitmaster push mine                        check it, then hand it in
  pitmaster push mine --wait                 and wait until it was built and validated
  pitmaster push mine --bot g1.sower --to https://bots.example.org
  PITMASTER_TOKEN=pm_… pitmaster push . --to https://bots.example.org --wait --no-check

The check is that of `pitmaster check --quick`, at the game and the clock of the course's ladder; a
finding of level must is not sent. The same files again are the same version.

Exit codes: 0 handed in (with --wait: valid), 1 findings at home, or refused with --wait, 2 invalid
command or refused by the server, 3 a guarantee is missing on this machine, 4 the server cannot be
reached or takes nothing now, 5 internal error, 130 interrupted.";

/// Hands in a bot to a practice server
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Bot: a folder with a bot.toml, or a single file
    #[arg(value_name = "BOT")]
    path: PathBuf,
    /// Address of the server [default: that of the last login]
    #[arg(long, value_name = "URL")]
    to: Option<String>,
    /// Bot on the server, as GROUP.NAME [default: the only one of your group, or a first one with
    /// the name of this one]
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Wait until it was built and validated
    #[arg(long)]
    wait: bool,
    /// Send it without a check at home
    #[arg(long)]
    no_check: bool,
    /// Game of the check, as a name or a file [default: the ladder's]
    #[arg(long, value_name = "GAME")]
    game: Option<GameSpec>,
    /// Time limit per move of the check [default: the ladder's]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    per_move: Option<Duration>,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    isolation: IsolationFlags,
    #[command(flatten)]
    lang: LangFlag,
}

/// Default game of the check if the server does not specify one.
const GAME: &str = "coloured-awale";

/// Default time limit of a move if the server does not specify one.
const PER_MOVE: Duration = Duration::from_secs(1);

/// Polling interval for the state of a version.
const LOOK: Duration = Duration::from_secs(1);

/// Maximum time that a server may be unreachable while its verdict is pending.
const AWAY: Duration = Duration::from_mins(5);

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let remote = remote(args.to.as_deref(), None)?;
    // Before the slower check, so that a user without permission does not wait for it.
    let identity = remote.identity()?;
    let (course, target) = target(&identity, args.bot.as_deref())?;
    let named = game::find(&args.game(&identity)?, &Watcher::people())?;
    let archive = practice::pack(&args.path, &named)?;
    if !args.no_check {
        let (per_move, cores, isolation) = (args.per_move(&identity), &args.cores, &args.isolation);
        match check::quick(&args.path, named, per_move, cores, isolation, lang, out)? {
            Exit::Done => {}
            found => {
                say(&said!("not sent: correct what must be corrected, or give --no-check").to(lang));
                return Ok(found);
            }
        }
    }
    let bot = match target {
        Target::Bot(bot) => bot,
        Target::First => remote.add_bot(&course, &first_name(&args.path), lang.code())?,
    };
    let version = send(&remote, &course, &bot, archive, lang)?;
    let page = Untrusted::new(format!("{}{}", remote.address(), version.page)).shown(300);
    let (name, number) = (Untrusted::new(version.bot.clone()).shown(100), version.number);
    writeln!(out, "{}", said!("handed in: {}, version {}: {}", name, number, page).to(lang))?;
    if args.wait { verdict(&remote, version, lang, out) } else { Ok(Exit::Done) }
}

/// The server and its token: from the environment, or from a login. A token from the environment is
/// sent only to the server of `--to`, because the address of a page may be malicious.
pub(super) fn remote(to: Option<&str>, of_page: Option<&str>) -> Result<Remote, Failure> {
    if let Ok(token) = env::var("PITMASTER_TOKEN") {
        let url =
            to.ok_or_else(|| Failure::wrong("PITMASTER_TOKEN is set; name the server with --to"))?;
        return Ok(Remote::new(url, &token)?);
    }
    let to = to.or(of_page);
    let credentials = Credentials::read(&login::file()?)?;
    let Some((url, token)) = credentials.token(to) else {
        let url = to.unwrap_or("https://…");
        return Err(Failure::wrong(format!(
            "no token is known; run `pitmaster login {url}` first"
        )));
    };
    Ok(Remote::new(url, token)?)
}

impl Args {
    /// Game of the check.
    fn game(&self, identity: &Identity) -> Result<GameSpec, Failure> {
        let of_ladder = identity.plays.as_ref().map(|plays| plays.game.as_str());
        match &self.game {
            Some(game) => Ok(game.clone()),
            // Parsed, because the server's answer is untrusted.
            None => of_ladder.unwrap_or(GAME).parse().map_err(Failure::wrong),
        }
    }

    /// Time limit per move of the check.
    fn per_move(&self, identity: &Identity) -> Duration {
        let of_ladder = identity.plays.as_ref().and_then(|plays| plays.per_move_ms);
        self.per_move.or(of_ladder.map(Duration::from_millis)).unwrap_or(PER_MOVE)
    }
}

/// Bot on the server to submit for.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// An existing bot.
    Bot(String),
    /// A bot that is created by the submission, because the group has none.
    First,
}

/// Name of the first bot of a group: that of its folder or file, made valid.
fn first_name(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let stem = stem.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = stem.chars().map(plain).take(20).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "bot".to_owned() } else { name.to_owned() }
}

/// Course and bot to submit for.
fn target(identity: &Identity, wanted: Option<&str>) -> Result<(String, Target), Failure> {
    let course = identity.course_slug.clone();
    let course =
        course.ok_or_else(|| Failure::wrong("the token's course is not there any more"))?;
    let bots = &identity.bots;
    let shown = Untrusted::new(bots.join(", ")).shown(500);
    match (wanted, bots.as_slice()) {
        (Some(wanted), _) if bots.iter().any(|bot| bot == wanted) => {
            Ok((course, Target::Bot(wanted.into())))
        }
        (None, [only]) => Ok((course, Target::Bot(only.clone()))),
        (None, []) => Ok((course, Target::First)),
        (Some(wanted), []) => Err(Failure::wrong(format!(
            "your group has no bot {wanted} on the server; add it on the page of your group, or leave \
             --bot out"
        ))),
        (Some(wanted), _) => Err(Failure::wrong(format!(
            "your group has no bot {wanted} on the server; it has {shown}"
        ))),
        (None, _) => Err(Failure::wrong(format!("name the bot with --bot; there are {shown}"))),
    }
}

/// Sends an archive, and retries after a connection error. The same key identifies the same
/// version.
fn send(
    remote: &Remote,
    course: &str,
    bot: &str,
    archive: Vec<u8>,
    lang: Lang,
) -> Result<RemoteVersion, Failure> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let key = format!("push-{}-{}", since_1970.as_nanos(), std::process::id());
    for pause in [1, 3] {
        match remote.hand_in(course, bot, archive.clone(), &key, lang.code()) {
            Err(ClientError::Unreachable { .. }) => sleep(Duration::from_secs(pause)),
            done => return Ok(done?),
        }
    }
    Ok(remote.hand_in(course, bot, archive, &key, lang.code())?)
}

/// Waits until the server has examined a version.
fn verdict(
    remote: &Remote,
    mut version: RemoteVersion,
    lang: Lang,
    out: &mut dyn Write,
) -> Outcome {
    let (mut seen, mut told) = (Instant::now(), String::new());
    loop {
        if version.state != told {
            told.clone_from(&version.state);
            say(&Untrusted::new(version.sentence.clone()).shown(500));
        }
        if !version.is_in_work {
            break;
        }
        sleep(LOOK);
        match remote.version(&version.id, lang.code()) {
            Ok(found) => (version, seen) = (found, Instant::now()),
            Err(error) if error.is_temporary() && seen.elapsed() < AWAY => {}
            Err(error) => return Err(error.into()),
        }
    }
    if let Some(why) = &version.why {
        writeln!(out, "{}", Untrusted::new(why.clone()).shown_lines(4000))?;
    }
    Ok(if version.has_passed { Exit::Done } else { Exit::Findings })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(bots: &[&str]) -> Identity {
        Identity {
            name: "Ada".into(),
            course_slug: Some("awale".into()),
            scopes: Vec::new(),
            expires: String::new(),
            bots: bots.iter().map(|bot| (*bot).to_owned()).collect(),
            plays: None,
        }
    }

    #[test]
    fn the_bot_is_the_only_one_or_named() {
        let found = |bots: &[&str], wanted| target(&identity(bots), wanted).map(|(_, bot)| bot);
        assert_eq!(found(&["g.a"], None), Ok(Target::Bot("g.a".into())));
        assert_eq!(found(&["g.a", "g.b"], Some("g.b")), Ok(Target::Bot("g.b".into())));
        assert_eq!(found(&[], None), Ok(Target::First));
        let told = |bots: &[&str], wanted| found(bots, wanted).unwrap_err().message;
        assert_eq!(told(&["g.a", "g.b"], None), "name the bot with --bot; there are g.a, g.b");
        assert!(told(&[], Some("g.x")).contains("add it on the page of your group"));
        assert!(told(&["g.a"], Some("g.x")).contains("it has g.a"));
    }

    #[test]
    fn a_first_bot_is_called_as_its_folder() {
        for (path, name) in [
            ("/nowhere/My Bot (2)", "my-bot--2"),
            ("/nowhere/sower.py", "sower"),
            ("/nowhere/été", "t"),
            ("/", "bot"),
        ] {
            assert_eq!(first_name(Path::new(path)), name);
        }
    }
}
