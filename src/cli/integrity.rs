//! `pitmaster verify`: whether results are what was written, and what was played by the rules.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::Record;
use pitmaster_games::Game;
use pitmaster_referee::{replay, rules_of};
use pitmaster_store::{Attempt, AttemptState, Reader, StoreError};

use super::progress::bar;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster verify results/cup                  exit code 1 says that something is wrong
  pitmaster void results/cup --damaged          takes out what is damaged, to be played again
  pitmaster replay results/cup 4a5a             one game, move by move

The file is looked through, the record of every game is compared with its checksum, and every game
is played again by the rules: each move, and the end. Checksums guard against disks and copies, not
against somebody who changes a record and its checksum.";

/// Checks that results are what was written, and that every game was played by the rules
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The results' folder of a tournament
    results: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let folder = shown_path(&args.results);
    let reader = Reader::open(&args.results)?;
    sound(&reader)?;
    let damaged = reader.damaged()?;
    if !damaged.is_empty() {
        let lines = damaged
            .iter()
            .map(|damage| format!("game {}: its record is not what was written", damage.game));
        let what_to_do = format!(
            "put a copy of {folder}/tournament.db back, or take these records out with \
             `pitmaster void {folder} --damaged` and play their games again"
        );
        return Err(findings(&lines.chain([what_to_do]).collect::<Vec<_>>()));
    }
    let (games, differences) = play_again(&reader)?;
    if !differences.is_empty() {
        return Err(findings(&differences));
    }
    let games = if games == 1 { "1 game is".to_owned() } else { format!("{games} games are") };
    writeln!(out, "{folder}: {games} as written, and by the rules")?;
    Ok(Exit::Done)
}

/// A file that is damaged is a finding here.
fn sound(reader: &Reader) -> Result<(), Failure> {
    match reader.check() {
        Err(error @ StoreError::Damaged { .. }) => Err(findings(&[error.to_string()])),
        checked => Ok(checked?),
    }
}

fn findings(lines: &[String]) -> Failure {
    Failure { exit: Exit::Findings, message: lines.join("\n") }
}

/// Rules by their ids, as far as there were games of them.
type Known = BTreeMap<String, Result<Arc<dyn Game>, String>>;

/// How many games there are that were played by the rules, void ones left out; and what is not so.
fn play_again(reader: &Reader) -> Result<(u64, Vec<String>), Failure> {
    let counts = reader.counts()?;
    let bar = bar(false, counts.valid + counts.surplus, "{bar:30} {pos}/{len} games played again");
    let (mut games, mut differences, mut known) = (0, Vec::new(), Known::new());
    reader.for_each_attempt(|Attempt { record, state, .. }| -> Result<(), StoreError> {
        if !matches!(state, AttemptState::Void { .. }) {
            games += 1;
            let game = record.id();
            let found = differences_of(&record, &mut known);
            differences.extend(found.into_iter().map(|what| format!("game {game}: {what}")));
            bar.inc(1);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok((games, differences))
}

fn differences_of(record: &Record, known: &mut Known) -> Vec<String> {
    let rules = &record.key.rules;
    if !known.contains_key(rules) {
        known.insert(rules.clone(), rules_of(record));
    }
    match &known[rules] {
        Ok(game) => replay(record, &**game).differences,
        Err(why) => vec![why.clone()],
    }
}
