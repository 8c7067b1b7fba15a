//! `pitmaster run`: a tournament from its file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::{Unfit, shown_path};
use pitmaster_core::BotName;
use pitmaster_tournament::{self as tournament, Fault, Part, Place, Tournament};

use super::before::Contest;
use super::bots;
use super::contest::{self, Flags};
use super::game::Asked;
use super::{Failure, Outcome, game, openings};

const EXAMPLES: &str = "\
Examples:
  pitmaster run tournaments/demo.toml                  results in results/demo
  pitmaster run contest.toml --lanes 4 --until 07:30   overnight
  pitmaster run contest.toml --part 2/5                the second of five machines
  pitmaster run contest.toml --json | my-dashboard     events for programs

Run again, it plays what is missing. A bot that was replaced, added or removed costs only its
own games. Ctrl-C ends after the running games, a second one at once; nothing finished is lost.";

/// Plays a tournament, or what is missing of it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tournament file (`pitmaster help tournament` lists its keys)
    file: PathBuf,
    /// Play only the K-th of N shares, into a folder of its own; `pitmaster merge` joins them
    #[arg(long, value_name = "K/N")]
    part: Option<Part>,
    #[command(flatten)]
    flags: Flags,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    far: super::far::FarFlags,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let mut contest = read(&args.file)?;
    if let Some(part) = args.part {
        take_part(&mut contest, part)?;
    }
    #[cfg(feature = "cluster")]
    if let Some(server) = &args.far.cluster {
        return super::far::play(contest, server, &args.far, &args.flags, out);
    }
    contest::play(contest, &args.flags, out)
}

/// Makes a contest of one share of it.
fn take_part(contest: &mut Contest, part: Part) -> Result<(), Failure> {
    if contest.tournament.format.depends_on_results() {
        return Err(Failure::wrong(format!(
            "{} cannot be played in shares: who meets whom depends on results that the other \
             shares would have; round-robin and gauntlet in one stage can",
            shown_path(contest.path.as_deref().unwrap_or(Path::new("")))
        )));
    }
    contest.tournament.share = Some(part);
    contest.name = format!("{}-{}-of-{}", contest.name, part.number, part.of);
    Ok(())
}

/// Reads a tournament file and finds its bots; all that is wrong is told at once.
pub(super) fn read(path: &Path) -> Result<Contest, Failure> {
    let file = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let mut player = None;
    let mut reading = tournament::check_with(&file, &mut |spec| {
        let described = game::read(spec, base)?;
        player = Some(described.player);
        Ok(described.spec)
    });
    let (mut found, missing) = bots::find(&reading.bots, base);
    let mut faults = std::mem::take(&mut reading.faults);
    faults.extend(missing);
    if let Some(tournament) = &mut reading.tournament {
        let asked = Asked { game: tournament.game.clone(), player };
        faults.extend(bots::seat_house_bots(&mut found, &asked));
        faults.extend(openings::read(tournament, base));
    }
    match reading.tournament {
        Some(tournament) if faults.is_empty() => {
            game::warn(&*tournament.game);
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let (name, path) = (BotName::tamed(&name).to_string(), Some(path.to_owned()));
            Ok(Contest { path, file, tournament, name, found })
        }
        _ => {
            faults.extend(bots::inspect(&found).into_iter().map(bot_fault));
            Err(listed(path, faults))
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let path = shown_path(path);
    Failure::wrong(match error.kind() {
        io::ErrorKind::InvalidData => {
            format!("{path} is no text in UTF-8; a tournament file is TOML, see tournaments/")
        }
        _ => format!("cannot read {path}: {error}; check the path"),
    })
}

fn bot_fault((place, unfit): (Place, Unfit)) -> Fault {
    Fault { place, key: "bots".into(), message: unfit.to_string() }
}

fn listed(path: &Path, mut faults: Vec<Fault>) -> Failure {
    faults.sort_by_key(|fault| fault.place);
    let path = shown_path(path);
    let lines: Vec<_> = faults.iter().map(|fault| format!("{path}:{fault}")).collect();
    Failure::wrong(lines.join("\n"))
}

/// The same for a tournament that was made from a command line.
pub(super) fn written(
    mut tournament: Tournament,
    asked: &Asked,
    name: String,
) -> Result<Contest, Failure> {
    let (mut found, mut faults) = bots::find(&tournament.bots, Path::new(""));
    faults.extend(bots::seat_house_bots(&mut found, asked));
    faults.extend(openings::read(&mut tournament, Path::new("")));
    if faults.is_empty() {
        Ok(Contest { path: None, file: tournament.to_toml(), tournament, name, found })
    } else {
        let lines: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
        Err(Failure::wrong(lines.join("\n")))
    }
}
