//! `pitmaster push`: checks a bot at home, hands it in to a practice server, and waits for the verdict.

use std::env;
use std::io::Write;
use std::path::PathBuf;
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

The check is that of `pitmaster check --quick`; a finding of level must is not sent. The same files
again are the same version.

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
    /// Bot on the server, as GROUP.NAME [default: the only one of your group]
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Wait until it was built and validated
    #[arg(long)]
    wait: bool,
    /// Send it without a check at home
    #[arg(long)]
    no_check: bool,
    /// Game of the check, as a name or a file
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// Time limit per move of the check
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "1s")]
    per_move: Duration,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    isolation: IsolationFlags,
    #[command(flatten)]
    lang: LangFlag,
}

/// Time between two looks at a version.
const LOOK: Duration = Duration::from_secs(1);

/// How long a server may be away while its verdict is waited for.
const AWAY: Duration = Duration::from_mins(5);

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let remote = remote(args.to.as_deref())?;
    // Before the check, which takes longer: whoever cannot hand in need not wait for it.
    let (course, bot) = target(&remote.identity()?, args.bot.as_deref())?;
    let named = game::find(&args.game, &Watcher::people())?;
    let archive = practice::pack(&args.path, &named)?;
    if !args.no_check {
        let (cores, isolation) = (&args.cores, &args.isolation);
        match check::quick(&args.path, named, args.per_move, cores, isolation, lang, out)? {
            Exit::Done => {}
            found => {
                say(&said!("not sent: correct what must be corrected, or give --no-check").to(lang));
                return Ok(found);
            }
        }
    }
    let version = send(&remote, &course, &bot, archive, lang)?;
    let page = Untrusted::new(format!("{}{}", remote.address(), version.page)).shown(300);
    let (name, number) = (Untrusted::new(version.bot.clone()).shown(100), version.number);
    writeln!(out, "{}", said!("handed in: {}, version {}: {}", name, number, page).to(lang))?;
    if args.wait { verdict(&remote, version, lang, out) } else { Ok(Exit::Done) }
}

/// The server and its token: from the environment, or from a login.
fn remote(to: Option<&str>) -> Result<Remote, Failure> {
    if let Ok(token) = env::var("PITMASTER_TOKEN") {
        let url =
            to.ok_or_else(|| Failure::wrong("PITMASTER_TOKEN is set; name the server with --to"))?;
        return Ok(Remote::new(url, &token)?);
    }
    let credentials = Credentials::read(&login::file()?)?;
    let Some((url, token)) = credentials.token(to) else {
        let url = to.unwrap_or("https://…");
        return Err(Failure::wrong(format!(
            "no token is known; run `pitmaster login {url}` first"
        )));
    };
    Ok(Remote::new(url, token)?)
}

/// Course and bot to hand in for.
fn target(identity: &Identity, wanted: Option<&str>) -> Result<(String, String), Failure> {
    let course = identity.course_slug.clone();
    let course =
        course.ok_or_else(|| Failure::wrong("the token's course is not there any more"))?;
    let bots = &identity.bots;
    let shown = Untrusted::new(bots.join(", ")).shown(500);
    match (wanted, bots.as_slice()) {
        (Some(wanted), _) if bots.iter().any(|bot| bot == wanted) => Ok((course, wanted.into())),
        (None, [only]) => Ok((course, only.clone())),
        (_, []) => Err(Failure::wrong(
            "your group has no bot on the server; add one on the page of your group",
        )),
        (Some(wanted), _) => Err(Failure::wrong(format!(
            "your group has no bot {wanted} on the server; it has {shown}"
        ))),
        (None, _) => Err(Failure::wrong(format!("name the bot with --bot; there are {shown}"))),
    }
}

/// Sends an archive, and again if the connection broke: with the same key it is the same version.
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
        }
    }

    #[test]
    fn the_bot_is_the_only_one_or_named() {
        let found = |bots: &[&str], wanted| target(&identity(bots), wanted).map(|(_, bot)| bot);
        assert_eq!(found(&["g.a"], None).as_deref(), Ok("g.a"));
        assert_eq!(found(&["g.a", "g.b"], Some("g.b")).as_deref(), Ok("g.b"));
        let told = |bots: &[&str], wanted| found(bots, wanted).unwrap_err().message;
        assert_eq!(told(&["g.a", "g.b"], None), "name the bot with --bot; there are g.a, g.b");
        assert!(told(&[], None).contains("add one on the page of your group"));
        assert!(told(&["g.a"], Some("g.x")).contains("it has g.a"));
    }
}
