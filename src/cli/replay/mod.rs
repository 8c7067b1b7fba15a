//! `pitmaster replay`: shows a recorded game move by move and checks it against the rules.

mod keys;

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::{GameId, Record, Side, Untrusted, json_text};
use pitmaster_referee::{Replay, replay as replayed, rules_of};
use pitmaster_report::GameFile;
use pitmaster_store::{Attempt, AttemptState, Reader, StoreError};

use super::style::Ink;
use super::{Exit, Failure, Outcome, export, game_text};

const EXAMPLES: &str = "\
Examples:
  pitmaster replay results/demo 4a5a5c8503702dce    games.csv lists the ids
  pitmaster replay results/demo 4a5a                a prefix of the id is enough
  pitmaster replay results/demo 4a5a --ply 12       the board after ply 12
  pitmaster replay results/demo 4a5a --json         the full record
  pitmaster replay lost.json                        a game written by `pitmaster export`

On a terminal, keys step through the game. --all or a pipe shows the whole game at once.

The game is replayed by the rules. Exit code 1 means that the record violates them.";

/// Shows a recorded game and checks it against the rules
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(super) struct Args {
    /// Results folder of a tournament, or a game written by `pitmaster export`
    #[arg(value_name = "RESULTS|FILE")]
    from: PathBuf,
    /// Id of the game or a prefix of it; not for files
    id: Option<String>,
    /// Print only the list of moves
    #[arg(long, group = "what")]
    moves: bool,
    /// Print only the board after ply N; 0 is the initial position
    #[arg(long, value_name = "N", group = "what")]
    ply: Option<usize>,
    /// Print the full record as JSON
    #[arg(long, group = "what")]
    json: bool,
    /// Print the whole game at once, even on a terminal
    #[arg(long, group = "what")]
    all: bool,
    /// Draw with ASCII only
    #[arg(long)]
    ascii: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let (record, state) = game(args)?;
    let record = &record;
    let replay = rules_of(record).map(|game| replayed(record, &*game));
    match args {
        Args { json: true, .. } => {
            writeln!(out, "{}", json_text(record).map_err(io::Error::from)?)?;
        }
        Args { moves: true, .. } => write_moves(record, out)?,
        Args { ply: Some(number), .. } => {
            let board = board_at(record, replay.as_ref().ok(), *number)?;
            write!(out, "{}", args.ink().show(board))?;
        }
        _ => show(record, &state, replay.as_ref().ok(), args, out)?,
    }
    judged(replay)
}

/// The game to show, and whether it counts.
fn game(args: &Args) -> Result<(Record, AttemptState), Failure> {
    match (&args.id, args.from.is_file()) {
        (None, true) => {
            let GameFile { record, .. } = export::read(&args.from)?;
            Ok((record, AttemptState::Valid))
        }
        (Some(id), false) => {
            let Attempt { record, state, .. } = load(&args.from, id)?;
            Ok((record, state))
        }
        (Some(_), true) => Err(Failure::wrong("a file holds a single game; leave the id out")),
        (None, false) => {
            // Reports missing results first.
            Reader::open(&args.from)?;
            Err(Failure::wrong("no game id given; add an id or a prefix of one from games.csv"))
        }
    }
}

fn judged(replay: Result<Replay, String>) -> Outcome {
    let Replay { differences, .. } = replay.map_err(Failure::wrong)?;
    if differences.is_empty() {
        return Ok(Exit::Done);
    }
    let lines = differences.iter().map(|what| format!("the record differs from the rules: {what}"));
    Err(Failure { exit: Exit::Findings, message: lines.collect::<Vec<_>>().join("\n") })
}

/// The valid attempt, or the last one.
pub(super) fn load(results: &Path, id: &str) -> Result<Attempt, Failure> {
    let reader = Reader::open(results)?;
    let id = find(&reader, results, id)?;
    let attempts = reader.attempts(&id)?;
    let valid = attempts.iter().position(|attempt| attempt.state == AttemptState::Valid);
    let at = valid.or(attempts.len().checked_sub(1));
    at.and_then(|at| attempts.into_iter().nth(at))
        .ok_or_else(|| Failure::wrong(format!("the record of game {id} is damaged and void")))
}

fn find(reader: &Reader, results: &Path, id: &str) -> Result<GameId, Failure> {
    const SHOWN: usize = 10;
    let mut found = reader.find(id, SHOWN + 1)?;
    if found.len() > 1 {
        let more = if found.len() > SHOWN { "\n  and more" } else { "" };
        let games = found.iter().take(SHOWN).map(|id| Ok(format!("\n  {}", summary(reader, id)?)));
        let games: String = games.collect::<Result<_, StoreError>>()?;
        return Err(Failure::wrong(format!(
            "several games start with {id:?}; give more of the id:{games}{more}"
        )));
    }
    found.pop().ok_or_else(|| {
        Failure::wrong(format!(
            "no game {id:?} in {}; games.csv there lists the ids",
            shown_path(results)
        ))
    })
}

/// Short description that distinguishes a game from others.
fn summary(reader: &Reader, id: &GameId) -> Result<String, StoreError> {
    let attempts = reader.attempts(id)?;
    let Some(Attempt { record, .. }) = attempts.last() else { return Ok(id.to_string()) };
    let [one, two] = Side::BOTH.map(|side| &record.key.bots[side].name);
    Ok(format!("{id}  {one} against {two}, pair {}, {}", record.key.pair, record.ending.name()))
}

fn shown(text: &str) -> String {
    const SHOWN: usize = 10_000;
    Untrusted::new(text).shown(SHOWN)
}

fn write_moves(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    // A record from a file is untrusted.
    record.moves().try_for_each(|text| writeln!(out, "{}", shown(text)))
}

impl Args {
    fn ink(&self) -> Ink {
        Ink::of_stdout(self.ascii)
    }

    fn wants_keys(&self) -> bool {
        !self.all && io::stdin().is_terminal() && io::stdout().is_terminal()
    }
}

/// The board after a ply; empty if the replay failed, which is reported at the end.
fn board_at<'r>(
    record: &Record,
    replay: Option<&'r Replay>,
    number: usize,
) -> Result<&'r str, Failure> {
    let plies = record.plies.len();
    if number > plies {
        return Err(Failure::wrong(format!(
            "the game has {plies} plies; --ply requires a number from 0 to {plies}"
        )));
    }
    Ok(replay.map_or("", |replay| board(replay, number)))
}

fn board(replay: &Replay, number: usize) -> &str {
    replay.boards.get(number).map_or("", String::as_str)
}

/// Shows the whole game, at once or step by step.
fn show(
    record: &Record,
    state: &AttemptState,
    replay: Option<&Replay>,
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (head, ink) = (head(record, state), args.ink());
    if args.wants_keys() {
        let page = |number| ink.show(&format!("{head}\n{}", page(record, replay, number))).into();
        return keys::step(record.plies.len(), page, out);
    }
    let details = game_text::times(record) + &game_text::evidence(record);
    write!(out, "{}", ink.show(&(head + &details)))?;
    for number in 0..=record.plies.len() {
        write!(out, "\n{}", ink.show(&page(record, replay, number)))?;
    }
    Ok(())
}

/// Identity and ending of the game.
fn head(record: &Record, state: &AttemptState) -> String {
    let Record { key, seed, .. } = record;
    let id = record.id();
    let rules = shown(&key.rules);
    let game = format!("game {id}: {rules}, pair {}, seed {}", key.pair, seed.0);
    let opening = (!key.opening.is_empty()).then(|| format!("opening {}", shown(&key.opening)));
    let state = match state {
        AttemptState::Valid => None,
        AttemptState::Void { reason } => Some(format!("void, does not count: {reason}")),
        AttemptState::Surplus { reason } => Some(format!("surplus, does not count: {reason}")),
    };
    let lines = [Some(game), opening, state, Some(game_text::ending(record))];
    lines.into_iter().flatten().map(|line| line + "\n").collect()
}

/// A ply with its remarks and the board after it. Ply 0 is the initial position.
fn page(record: &Record, replay: Option<&Replay>, number: usize) -> String {
    let mut text = String::new();
    if let Some(ply) = number.checked_sub(1).and_then(|at| record.plies.get(at)) {
        text.push_str(&game_text::ply(&record.key, number, ply));
        text.push_str(&game_text::remarks(&record.key, &record.remarks, number));
    }
    text + replay.map_or("", |replay| board(replay, number))
}

#[cfg(test)]
mod tests {
    use pitmaster_core::BySide;
    use pitmaster_referee::fixtures::random_game;
    use pitmaster_store::Store;
    use pitmaster_tournament::Durability;

    use super::*;

    /// Results folder with these records.
    fn results(records: Vec<Record>) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Durability::Normal).unwrap();
        for record in records {
            let attempt = Attempt {
                state: AttemptState::of(&record),
                record,
                dialects: BySide::default(),
                host: "here".into(),
                lane: 0,
                started_at: 0,
                isolation: None,
            };
            store.commit(attempt).unwrap();
        }
        folder
    }

    fn ask(folder: &tempfile::TempDir, id: &str) -> Args {
        let from = folder.path().to_owned();
        Args {
            from,
            id: Some(id.to_owned()),
            moves: false,
            ply: None,
            json: false,
            all: false,
            ascii: false,
        }
    }

    fn shown(args: &Args) -> (Outcome, String) {
        let mut out = Vec::new();
        let outcome = run(args, &mut out);
        (outcome, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_game_is_shown_move_by_move() {
        let record = random_game(2);
        let folder = results(vec![record.clone()]);
        let (outcome, text) = shown(&ask(&folder, &record.id().as_str()[..5].to_uppercase()));
        assert_eq!(outcome, Ok(Exit::Done));
        insta::assert_snapshot!(text, @"
        game 2cc4753902484ba6: coloured-awale@1, pair 1, seed 7239357280649548
        a draw at 0 to 0: ply limit reached; decided by score
        player 1  alpha (644a9bc5): 1 move in 1.5ms, longest 1.5ms, CPU 750.0µs
        player 2  be (c28c8b8f): 1 move in 2.2ms, longest 2.2ms, CPU 1.1ms

        hole             1    2    3    4    5    6    7    8
        owner           P1   P2   P1   P2   P1   P2   P1   P2
        R red            2    2    2    2    2    2    2    2
        B blue           2    2    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2

        R red            2    2    2    2    2    2    2    2
        B blue           2    2    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2
        owner           P2   P1   P2   P1   P2   P1   P2   P1
        hole            16   15   14   13   12   11   10    9

        player 1: 0   player 2: 0
        player 1 to move

          1  player 1  alpha  15B   1.5ms
        hole             1    2    3    4    5    6    7    8
        owner           P1   P2   P1   P2   P1   P2   P1   P2
        R red            2    2    2    2    2    2    2    2
        B blue           2    3    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2

        R red            2    2    2    2    2    2    2    2
        B blue           3    ·    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2
        owner           P2   P1   P2   P1   P2   P1   P2   P1
        hole            16   15   14   13   12   11   10    9

        player 1: 0   player 2: 0
        player 2 to move

          2  player 2  be     2R    2.2ms
        hole             1    2    3    4    5    6    7    8
        owner           P1   P2   P1   P2   P1   P2   P1   P2
        R red            2    ·    3    3    2    2    2    2
        B blue           2    3    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2

        R red            2    2    2    2    2    2    2    2
        B blue           3    ·    2    2    2    2    2    2
        T transparent    2    2    2    2    2    2    2    2
        owner           P2   P1   P2   P1   P2   P1   P2   P1
        hole            16   15   14   13   12   11   10    9

        player 1: 0   player 2: 0
        player 1 to move
        ");
    }

    #[test]
    fn one_board_or_the_moves_or_json() {
        let record = random_game(4);
        let folder = results(vec![record.clone()]);
        let args = || ask(&folder, record.id().as_str());
        let (_, moves) = shown(&Args { moves: true, ..args() });
        assert_eq!(moves.lines().collect::<Vec<_>>(), record.moves().collect::<Vec<_>>());
        let (_, json) = shown(&Args { json: true, ..args() });
        assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), record);
        let boards = [0, 4].map(|ply| shown(&Args { ply: Some(ply), ..args() }).1);
        assert!(
            boards[0].contains("player 1: 0   player 2: 0\nplayer 1 to move\n"),
            "{}",
            boards[0]
        );
        assert_ne!(boards[0], boards[1]);
        let (outcome, _) = shown(&Args { ply: Some(5), ..args() });
        insta::assert_snapshot!(outcome.unwrap_err().message, @"the game has 4 plies; --ply requires a number from 0 to 4");
    }

    #[test]
    fn a_difference_is_a_finding() {
        let mut record = random_game(4);
        record.plies[3].text = "1R".into();
        let folder = results(vec![record.clone()]);
        let (outcome, text) = shown(&ask(&folder, record.id().as_str()));
        let failure = outcome.unwrap_err();
        assert_eq!(failure.exit, Exit::Findings);
        insta::assert_snapshot!(failure.message, @r#"the record differs from the rules: ply 4, "1R": not a legal move here"#);
        assert!(text.contains("  4  player 2  be     1R"), "{text}");
    }

    #[test]
    fn other_rules_are_shown_without_boards_and_not_verified() {
        let mut record = random_game(4);
        record.key.rules = "coloured-awale@9".into();
        let folder = results(vec![record.clone()]);
        let (outcome, text) = shown(&ask(&folder, record.id().as_str()));
        assert_eq!(outcome.unwrap_err().exit, Exit::Wrong);
        assert!(text.contains("  4  player 2  be  ") && !text.contains("hole"), "{text}");
    }

    #[test]
    fn what_is_not_one_game_is_told() {
        let records = (1..=12).map(|pair| {
            let mut record = random_game(1);
            record.key.pair = pair;
            record
        });
        let folder = results(records.collect());
        let message = |id: &str| shown(&ask(&folder, id)).0.unwrap_err().message;
        insta::assert_snapshot!(message(""), @r#"
        several games start with ""; give more of the id:
          0ae34f9f7fec6c8e  alpha against be, pair 12, ply-limit
          284e9448f1caeb8f  alpha against be, pair 3, ply-limit
          627e8f560580c187  alpha against be, pair 7, ply-limit
          62e42438a2ec4780  alpha against be, pair 5, ply-limit
          6e616b8196908524  alpha against be, pair 10, ply-limit
          771679bced55a8b3  alpha against be, pair 1, ply-limit
          84f41b346ded7ff8  alpha against be, pair 6, ply-limit
          9bb0884ce93074ca  alpha against be, pair 8, ply-limit
          cd000d072883e37b  alpha against be, pair 4, ply-limit
          dc1bcea1b124d8a7  alpha against be, pair 2, ply-limit
          and more
        "#);
        let missing = message("zz'; DROP TABLE attempts; --\u{1b}");
        let missing = missing.replace(&folder.path().display().to_string(), "[folder]");
        insta::assert_snapshot!(missing, @r#"no game "zz'; DROP TABLE attempts; --\u{1b}" in [folder]; games.csv there lists the ids"#);
        let nowhere = Args { from: "/nowhere".into(), ..ask(&folder, "0") };
        insta::assert_snapshot!(shown(&nowhere).0.unwrap_err().message, @"there are no results in /nowhere; check the path, or play the tournament first");
    }
}
