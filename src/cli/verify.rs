//! `pitmaster verify`: checks stored games against their checksums, the rules and the log, and
//! replays a sample.

use std::io::{self, Write};
use std::path::PathBuf;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::{GameId, Side, Untrusted};
use pitmaster_session::{self as session, Again, AgainOutcome, Verified, VerifyOptions};

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, replay};

const EXAMPLES: &str = "\
Examples:
  pitmaster verify results/cup                  exit code 1 means that something is wrong
  pitmaster verify results/cup --replay 20      also play 20 pairs again
  pitmaster verify results/cup --game 4a5a      play a game and its pair again, as in an appeal
  pitmaster void results/cup --damaged          void damaged records, to replay their games
  pitmaster replay results/cup 4a5a             show one game, move by move

The database file is checked, the record of every game is compared with its checksum, and every
game is replayed by the rules: each move, and the ending. The log of the folder knows how many games
there are and which; a deleted record is found. Checksums detect faulty disks and copies, not
deliberate changes to a record, its checksum and the log.

--replay and --game play games again, with the bots as submitted, the same openings, seeds, limits
and isolation, and compare them move by move. A bot that makes other moves each time proves nothing
and is reported as such. A bot that carries something over from game to game may differ.";

/// Verifies that records are intact and that every game follows the rules
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder of a tournament
    results: PathBuf,
    /// Also play this number of pairs again, chosen by the tournament's seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    replay: u16,
    /// Also play this game and its pair again: its id or a prefix of it; can be repeated
    #[arg(long, value_name = "ID")]
    game: Vec<String>,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    isolation: IsolationFlags,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let games = args.game.iter().map(|id| Ok(replay::load(&args.results, id)?.record.id()));
    let verified = session::verify(
        &VerifyOptions {
            folder: args.results.clone(),
            pairs: args.replay.into(),
            games: games.collect::<Result<Vec<GameId>, Failure>>()?,
            isolation: args.isolation.options(),
            cores: args.cores.wish(None),
        },
        &Watcher::people(),
    )?;
    let folder = shown_path(&args.results);
    show_again(&verified.again, out)?;
    if verified.is_intact() {
        let games = match verified.games {
            1 => "1 game".to_owned(),
            games => format!("{games} games"),
        };
        writeln!(out, "{folder}: {games} verified: intact, and played by the rules")?;
        return Ok(Exit::Done);
    }
    Err(Failure { exit: Exit::Findings, message: findings(verified, &folder).join("\n") })
}

fn findings(verified: Verified, folder: &str) -> Vec<String> {
    let mut lines: Vec<_> = verified.damaged_file.iter().map(ToString::to_string).collect();
    let line = |game: &str| format!("game {game}: the record does not match its checksum");
    lines.extend(verified.damaged.iter().map(|damage| line(&damage.game)));
    if !verified.damaged.is_empty() {
        lines.push(format!(
            "restore a copy of {folder}/tournament.db, or void these records with `pitmaster void \
             {folder} --damaged` and replay their games"
        ));
    }
    lines.extend(verified.differences);
    lines.extend(verified.missing);
    lines.extend(verified.again.iter().filter_map(difference));
    lines
}

fn shown(text: &str) -> String {
    if text.is_empty() { "the end".to_owned() } else { Untrusted::new(text).shown(80) }
}

fn difference(again: &Again) -> Option<String> {
    let AgainOutcome::Differs { bot, ply, recorded, now } = &again.outcome else { return None };
    let (game, recorded, now) = (&again.game, shown(recorded), shown(now));
    Some(format!(
        "game {game}: played again, {bot} differs at ply {ply}: recorded {recorded}, now {now}"
    ))
}

/// Summarizes the replayed games.
fn show_again(again: &[Again], out: &mut dyn Write) -> io::Result<()> {
    if again.is_empty() {
        return Ok(());
    }
    let same = again.iter().filter(|game| game.outcome == AgainOutcome::Same).count();
    writeln!(out, "{} games played again: {same} as recorded, move by move", again.len())?;
    for Again { game, bots, outcome } in again {
        match outcome {
            AgainOutcome::Same | AgainOutcome::Differs { .. } => {}
            AgainOutcome::Unsteady { bot, ply } => writeln!(
                out,
                "  {game}: {bot} is not deterministic: it makes other moves from ply {ply}"
            )?,
            AgainOutcome::Impossible { why } => {
                let [one, two] = Side::BOTH.map(|side| &bots[side]);
                let why = Untrusted::new(why.as_str()).shown(200);
                writeln!(out, "  {game}: {one} against {two} cannot be played again: {why}")?;
            }
        }
    }
    Ok(())
}
