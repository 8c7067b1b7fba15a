//! `pitmaster new`: creates a bot or a contest from a template.

mod folder;
mod kits;

use std::io::Write;
use std::path::{Path, PathBuf};

use kits::{CONTEST, File, Form, GAME, KITS, Kit, NAME, NAME_LINE};
use pitmaster_core::BotName;
use pitmaster_core::diagnostics::hint;
use pitmaster_core::i18n::{Lang, Message, said};

use super::lang::LangFlag;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster new python my-bot                  a Python bot that plays coloured Awale
  pitmaster new rust bots/ada --name ada-1     also c, cpp, go, java and javascript
  pitmaster new python my-bot --game kalah     with the rules of another game
  pitmaster new c my-bot --no-rules            without rules, as an exercise
  pitmaster new contest my-contest             a contest folder for a teacher
  pitmaster new course my-school               a course for `pitmaster serve`

Bot templates have the same parts in every language: protocol, search, rules, a test and a README
that explains where to start. They are licensed under 0BSD: they are yours.";

/// Creates a bot in one of seven languages, a contest or a course, from a template
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Template: c, cpp, go, java, javascript, python, rust, contest or course
    #[arg(value_name = "LANGUAGE")]
    what: String,
    /// Folder to create
    folder: PathBuf,
    /// Name of the bot [default: the name of its folder]
    #[arg(long)]
    name: Option<String>,
    /// Game whose rules are included [default: coloured-awale]
    #[arg(long, conflicts_with = "no_rules")]
    game: Option<String>,
    /// Leave out the rules; the bot plays the first listed move, in any game
    #[arg(long)]
    no_rules: bool,
    #[command(flatten)]
    lang: LangFlag,
}

/// All templates as created by the command, with and without rules.
pub(super) fn all_kits() -> Vec<pitmaster_session::Kit> {
    let file = |file: File| (file.path.to_owned(), file.text.to_owned());
    let made = |kit: &'static Kit, form: Form<'_>| {
        let name = match form {
            Form::Rules(GAME) => kit.name.to_owned(),
            Form::Rules(game) => format!("{}-{game}", kit.name),
            Form::NoRules => format!("{}-no-rules", kit.name),
        };
        let files = kit.files(form)?.into_iter().map(file).collect();
        Some(pitmaster_session::Kit { name, files })
    };
    let all = |kit: &'static Kit| {
        let forms = kit.games().map(Form::Rules).chain([Form::NoRules]);
        forms.filter_map(move |form| made(kit, form))
    };
    KITS.iter().flat_map(all).collect()
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    if args.what == "contest" {
        return contest(args, out);
    }
    if args.what == "course" {
        return course(args, out);
    }
    let kit = kit(&args.what)?;
    let form = if args.no_rules {
        Form::NoRules
    } else {
        Form::Rules(args.game.as_deref().unwrap_or(GAME))
    };
    let files = kit.files(form).ok_or_else(|| unknown_game(kit, args.game.as_deref()))?;
    let name = args.name.as_deref().map(bot_name).transpose()?;
    let lang = args.lang.lang();
    folder::make(&args.folder, &named(&files, &args.folder, name.as_ref(), lang))?;
    let (what, next) = next_of_bot(kit, form, &shell_word(&args.folder));
    writeln!(out, "{}\n\n{}\n{next}", what.to(lang), lang.text("Next:"))?;
    writeln!(out, "{}", lang.text("Its README.md says what to change first."))?;
    Ok(Exit::Done)
}

fn contest(args: &Args, out: &mut dyn Write) -> Outcome {
    refuse_flags_of_bots(args, "contest.toml sets a contest's title and game")?;
    let lang = args.lang.lang();
    let text = |file: &File| (file.path, translated(file, lang));
    let files: Vec<_> = CONTEST.iter().map(text).collect();
    folder::make(&args.folder, &files)?;
    let folder = shell_word(&args.folder);
    let said = said!(
        "created {}: a contest of coloured Awale\n\n\
         Next:\n  \
         pitmaster new python {}/bots/first    or copy the bots handed in\n  \
         cd {}\n  \
         pitmaster check bots/*/                     find errors in the bots\n  \
         pitmaster run contest.toml                  play, or resume\n\n\
         Its README.md explains the rest.",
        &folder,
        &folder,
        &folder
    );
    writeln!(out, "{}", said.to(lang))?;
    Ok(Exit::Done)
}

fn refuse_flags_of_bots(args: &Args, instead: &str) -> Result<(), Failure> {
    if args.name.is_none() && args.game.is_none() && !args.no_rules {
        return Ok(());
    }
    Err(Failure::wrong(format!("--name, --game and --no-rules apply only to bots; {instead}")))
}

#[cfg(feature = "server")]
fn course(args: &Args, out: &mut dyn Write) -> Outcome {
    use pitmaster_server::service::{CONFIG_FILE, Config, LADDER, make_course, now, slug_of};

    refuse_flags_of_bots(
        args,
        "the pages of the server set a course's title, its ladder's \
        tournament.toml its game",
    )?;
    let (lang, slug) = (args.lang.lang(), slug_of(&args.folder));
    // Submissions are private, so a new folder is accessible to its owner only.
    if !args.folder.exists() {
        pitmaster_store::make_folder(&args.folder, pitmaster_store::Readers::Owner)?;
    }
    folder::make(&args.folder, &[(CONFIG_FILE, Config::template(&slug))])?;
    let code = make_course(&args.folder, &slug, &slug, lang, now())?;
    let folder = shell_word(&args.folder);
    let said = said!(
        "created {}: a course with a practice ladder\n\n\
         Next:\n  \
         pitmaster serve {}\n  \
         open http://127.0.0.1:8080/join and type this code, which is shown only here:\n\n    \
         {}\n\n\
         It makes you the teacher and administrator. Codes for students: pitmaster course invite\n\
         Results: pitmaster standings {}/ladders/{}.{}",
        &folder,
        &folder,
        code.reveal(),
        &folder,
        &slug,
        LADDER
    );
    writeln!(out, "{}", said.to(lang))?;
    Ok(Exit::Done)
}

#[cfg(not(feature = "server"))]
fn course(_: &Args, _: &mut dyn Write) -> Outcome {
    Err(Failure::wrong("this build has no server; build it with --features server"))
}

fn kit(name: &str) -> Result<&'static Kit, Failure> {
    let lower = name.to_ascii_lowercase();
    let found = KITS.iter().find(|kit| kit.name == lower || kit.also.contains(&&*lower));
    found.ok_or_else(|| {
        let known = KITS.iter().map(|kit| kit.name).chain(["contest", "course"]);
        let hint = hint("the templates are", name, known, None);
        Failure::wrong(format!("there is no template {name:?}; {hint}"))
    })
}

fn unknown_game(kit: &Kit, game: Option<&str>) -> Failure {
    let game = game.unwrap_or(GAME);
    let language = kit.language;
    let other = KITS.iter().find(|other| other.games().any(|known| known == game));
    let instead = match other {
        Some(other) => format!("the {} template has them", other.language),
        None => hint("its games are", game, kit.games(), None),
    };
    Failure::wrong(format!(
        "the {language} template has no rules for {game:?}; {instead}\n\
         a bot created with --no-rules plays any game"
    ))
}

fn bot_name(text: &str) -> Result<BotName, Failure> {
    text.parse().map_err(|fault: pitmaster_core::NameError| {
        Failure::wrong(format!("--name: {fault}; \"{}\" would do", BotName::tamed(text)))
    })
}

/// Fills in the folder's name in the commands of the README, and the bot's name in the manifest if
/// it differs.
fn named(
    files: &[File],
    folder: &Path,
    name: Option<&BotName>,
    lang: Lang,
) -> Vec<(&'static str, String)> {
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let folder = shell_word(absolute.file_name().unwrap_or_default().as_ref());
    let text = |file: &File| match (file.path, name) {
        ("README.md", _) => translated(file, lang).replace(NAME, &folder),
        ("bot.toml", Some(name)) => file.text.replace(NAME_LINE, &format!("name = \"{name}\"")),
        _ => file.text.to_owned(),
    };
    files.iter().map(|file| (file.path, text(file))).collect()
}

/// Text of a file; READMEs are translated.
fn translated(file: &File, lang: Lang) -> String {
    if file.path.ends_with("README.md") {
        pitmaster_core::i18n::page(file.text, lang)
    } else {
        file.text.to_owned()
    }
}

/// Created files, and the next commands to copy, one per line.
fn next_of_bot(kit: &Kit, form: Form<'_>, folder: &str) -> (Message, String) {
    let language = kit.language;
    let made = match form {
        Form::Rules(GAME) => {
            said!("created {}: a bot in {} that plays coloured Awale", folder, language)
        }
        Form::Rules(game) => said!("created {}: a bot in {} that plays {}", folder, language, game),
        Form::NoRules => said!("created {}: a bot in {} that knows no rules yet", folder, language),
    };
    let game = match form {
        Form::Rules(GAME) | Form::NoRules => String::new(),
        Form::Rules(game) => format!(" --game {game}"),
    };
    let test = match form {
        Form::NoRules => String::new(),
        Form::Rules(_) => format!("  (cd {folder} && {})\n", kit.test),
    };
    let next = format!(
        "  pitmaster check {folder}{game}\n  pitmaster play {folder} house:greedy{game}\n{test}"
    );
    (made, next)
}

/// Path quoted for a shell.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('-') {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
