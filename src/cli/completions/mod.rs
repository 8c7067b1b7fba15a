//! `pitmaster completions`: shell completion of commands, flags, games, house bots and results.
//!
//! The shell runs the program at every Tab, so the script contains no flags.

mod bash;

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use clap::builder::ValueParser;
use clap::{Arg, Command, ValueHint};
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{Elvish, Fish, Powershell, Shells, Zsh};
use pitmaster_games::two_row::catalogue as two_row;
use pitmaster_players::{Algorithm, PREFIX};
use pitmaster_store::database_path;

use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster completions bash > ~/.local/share/bash-completion/completions/pitmaster
  pitmaster completions zsh > ~/.zfunc/_pitmaster         with fpath+=(~/.zfunc) before compinit
  pitmaster completions fish > ~/.config/fish/completions/pitmaster.fish

The script asks pitmaster itself at every Tab: for commands and flags, for the names of games and
house bots, and for folders with results.";

/// Variable by which the script asks for candidates.
const VARIABLE: &str = "PITMASTER_COMPLETE";

/// Shells with completion.
const SHELLS: Shells<'static> = Shells(&[&bash::Bash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Prints a script that completes commands, flags, games, house bots and results in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Shell
    #[arg(value_parser = shells())]
    shell: String,
}

fn shells() -> ValueParser {
    clap::builder::PossibleValuesParser::new(SHELLS.names().collect::<Vec<_>>()).into()
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let shell = SHELLS.completer(&args.shell).ok_or_else(|| Failure::wrong("unknown shell"))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "pitmaster", "pitmaster", "pitmaster", &mut script)?;
    out.write_all(&script)?;
    Ok(Exit::Done)
}

/// Prints candidates and exits if a shell requests them. Otherwise returns.
pub(super) fn complete(program: fn() -> Command) {
    CompleteEnv::with_factory(|| with_values(program())).var(VARIABLE).shells(SHELLS).complete();
}

/// The command with the values of its arguments.
fn with_values(command: Command) -> Command {
    command.mut_args(complete_argument).mut_subcommands(with_values)
}

/// Adds the values of an argument, determined by its value name.
fn complete_argument(argument: Arg) -> Arg {
    let names = argument.get_value_names().unwrap_or_default();
    let name = names
        .first()
        .map_or_else(|| argument.get_id().as_str().to_uppercase(), ToString::to_string);
    let completer = match name.as_str() {
        "GAME" => ArgValueCompleter::new(games),
        "BOT" | "ONE" | "TWO" => ArgValueCompleter::new(bots),
        "PLAYER A" | "PLAYER B" => ArgValueCompleter::new(house_bots),
        "SPEC" => ArgValueCompleter::new(players),
        "RESULTS" | "RESULTS|CLASS" | "RESULTS|FILE" | "SHARE" | "SOURCE" => {
            ArgValueCompleter::new(results)
        }
        _ => match argument.get_value_hint() {
            ValueHint::AnyPath => ArgValueCompleter::new(paths),
            _ => return argument,
        },
    };
    argument.add(completer)
}

/// Candidates that begin with a text.
fn beginning<T: AsRef<str>>(
    current: &OsStr,
    all: impl IntoIterator<Item = T>,
) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let fitting = all.into_iter().filter(|text| text.as_ref().starts_with(current));
    fitting.map(|text| CompletionCandidate::new(text.as_ref())).collect()
}

/// Games, variants after a game's name with two colons, and game files.
fn games(current: &OsStr) -> Vec<CompletionCandidate> {
    let name = current.to_str().and_then(|text| text.split_once("::")).map(|(name, _)| name);
    if let Some(entry) = name.and_then(two_row::find) {
        let variants = entry.file().variants.into_iter();
        return beginning(current, variants.map(|it| format!("{}::{}", entry.slug, it.name)));
    }
    let mut found = beginning(current, pitmaster_games::names());
    if current.to_string_lossy().contains(['.', '/']) {
        found.extend(without_control(PathCompleter::file().complete(current)));
    }
    found
}

/// House bots, with their prefix.
fn house_bots(current: &OsStr) -> Vec<CompletionCandidate> {
    beginning(current, Algorithm::ALL.iter().map(|it| format!("{PREFIX}{}", it.name())))
}

/// House bots without their prefix.
fn players(current: &OsStr) -> Vec<CompletionCandidate> {
    beginning(current, Algorithm::ALL.iter().map(|it| it.name().to_owned()))
}

/// House bots and paths.
fn bots(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = house_bots(current);
    found.extend(paths(current));
    found
}

/// Results folders in `results/`, and paths.
fn results(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = without_control(beginning(current, stored(Path::new("results"))));
    for path in paths(current) {
        let known = found.iter().any(|it| is_same(it, &path));
        if !known {
            found.push(path);
        }
    }
    found
}

/// Paths of files and folders.
fn paths(current: &OsStr) -> Vec<CompletionCandidate> {
    without_control(PathCompleter::any().complete(current))
}

/// Candidates without control characters, which shells use as separators.
fn without_control(mut found: Vec<CompletionCandidate>) -> Vec<CompletionCandidate> {
    found.retain(|it| !it.get_value().to_string_lossy().contains(char::is_control));
    found
}

/// Whether both are the same path, ignoring the final slash of a folder.
fn is_same(one: &CompletionCandidate, path: &CompletionCandidate) -> bool {
    Path::new(one.get_value()) == Path::new(path.get_value())
}

/// Names of the subfolders that contain a tournament.
fn stored(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let folders = entries.map(|entry| entry.path()).filter(|path| database_path(path).exists());
    let mut names: Vec<_> = folders.filter_map(|path| path.to_str().map(str::to_owned)).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Cli;
    use super::*;

    fn texts(found: &[CompletionCandidate]) -> Vec<String> {
        found.iter().map(|it| it.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn games_and_variants_are_completed() {
        assert_eq!(texts(&games("coloured".as_ref())), ["coloured-awale"]);
        assert!(texts(&games("kal".as_ref())).contains(&"kalah".to_owned()));
        let variants = texts(&games("kalah::".as_ref()));
        assert!(variants.contains(&"kalah::6x6".to_owned()), "{variants:?}");
    }

    #[test]
    fn house_bots_are_completed_with_their_prefix() {
        assert_eq!(texts(&house_bots("house:gr".as_ref())), ["house:greedy"]);
        assert_eq!(texts(&players("gr".as_ref())), ["greedy"]);
        assert!(texts(&bots("hou".as_ref())).len() > 3);
    }

    #[test]
    fn results_are_the_folders_with_a_database() {
        let folder = tempfile::tempdir().unwrap();
        for (name, has_database) in [("cup", true), ("notes", false), ("demo", true)] {
            let made = folder.path().join(name);
            std::fs::create_dir(&made).unwrap();
            if has_database {
                std::fs::write(database_path(&made), "").unwrap();
            }
        }
        let names = stored(folder.path());
        let ends: Vec<_> = names.iter().filter_map(|name| name.rsplit('/').next()).collect();
        assert_eq!(ends, ["cup", "demo"]);
    }

    /// Renaming a value must not silently lose its completion.
    #[test]
    fn the_commands_have_values() {
        fn count(command: &Command) -> usize {
            let own = command.get_arguments().filter(|it| it.get::<ArgValueCompleter>().is_some());
            own.count() + command.get_subcommands().map(count).sum::<usize>()
        }
        let command = with_values(Cli::command());
        let of = |name| count(command.find_subcommand(name).unwrap());
        let counts =
            ["match", "play", "standings", "report", "games", "bot", "void", "run"].map(of);
        assert_eq!(counts, [3, 4, 2, 4, 2, 2, 1, 8]);
    }

    #[test]
    fn every_shell_gets_a_script_that_asks_the_program() {
        for shell in SHELLS.names() {
            let mut out = Vec::new();
            run(&Args { shell: shell.to_owned() }, &mut out).unwrap();
            let script = String::from_utf8(out).unwrap();
            assert!(script.contains(VARIABLE) && script.contains("pitmaster"), "{shell}: {script}");
        }
    }
}
