//! `pitmaster perft`: counts move sequences to verify and benchmark the rules.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use pitmaster_games::{DynGame, GameSpec};
use rayon::prelude::*;

use pitmaster_session::game;

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster perft coloured-awale 6
  pitmaster perft coloured-awale,both_40=off 7 --threads 4
  pitmaster perft coloured-awale 3 --divide    one count per first move

Only sequences of exactly this length count; a game that ends earlier contributes none. The count
does not depend on the number of threads.";

/// Counts the move sequences of a given length
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Game, as a name or a file, with options: kalah,seeds=5 or ./my-game.toml
    game: GameSpec,
    /// Number of moves per sequence
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Position to start from, as text [default: the initial position]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Also print the count of each first move
    #[arg(long)]
    divide: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let game = game::find(&args.game, &Watcher::people())?.game;
    let position = match &args.position {
        Some(text) => game.resume(text).map_err(wrong_position)?.position(),
        None => game.begin().position(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build();
    let pool = pool.map_err(|error| {
        Failure::stopped(format!("cannot start {} threads: {error}; try fewer", args.threads))
    })?;
    let began = Instant::now();
    let counted = pool.install(|| count(&*game, &position, args.depth));
    let took = began.elapsed();
    write(&counted, args.divide, took, out)?;
    Ok(Exit::Done)
}

fn wrong_position(fault: impl std::fmt::Display) -> Failure {
    Failure::wrong(format!("--position: {fault}; `pitmaster games show` prints an example"))
}

/// Result of a count.
#[derive(Debug, PartialEq, Eq)]
struct Counted {
    nodes: u64,
    /// Counts per first move, in the game's order; empty if there is none.
    first: Vec<(String, u64)>,
}

/// Subtree that one thread counts.
struct Branch {
    /// Index of its first move.
    first: usize,
    position: String,
    depth: u32,
}

/// Splits the tree after one ply, or after two if enough depth remains, and counts the branches on
/// the threads of the pool.
fn count(game: &dyn DynGame, position: &str, depth: u32) -> Counted {
    let Some(left) = depth.checked_sub(1) else {
        return Counted { nodes: leaves(game, position, 0), first: Vec::new() };
    };
    let children = children(game, position);
    let branches = children.iter().enumerate().map(|(first, (_, position))| Branch {
        first,
        position: position.clone(),
        depth: left,
    });
    let branches: Vec<_> = branches.flat_map(|branch| cut(game, branch)).collect();
    let counts: Vec<_> = branches
        .par_iter()
        .map(|branch| (branch.first, leaves(game, &branch.position, branch.depth)))
        .collect();
    let mut first: Vec<_> = children.into_iter().map(|(text, _)| (text, 0)).collect();
    for (branch, leaves) in counts {
        first[branch].1 += leaves;
    }
    Counted { nodes: first.iter().map(|(_, count)| count).sum(), first }
}

fn cut(game: &dyn DynGame, branch: Branch) -> Vec<Branch> {
    const WORTH_CUTTING: u32 = 2;
    if branch.depth < WORTH_CUTTING {
        return vec![branch];
    }
    let Branch { first, position, depth } = branch;
    let children = children(game, &position).into_iter();
    children.map(|(_, position)| Branch { first, position, depth: depth - 1 }).collect()
}

/// Every legal move with the resulting position. Templates are skipped.
fn children(game: &dyn DynGame, position: &str) -> Vec<(String, String)> {
    let resume = || game.resume(position).expect("a game reads the positions that it writes");
    let mut texts = String::new();
    resume().list_moves(&mut texts);
    let child = |text: &str| {
        let mut table = resume();
        let mut written = String::new();
        table.play(text, &mut written).ok().map(|()| (written, table.position()))
    };
    texts.split_ascii_whitespace().filter_map(child).collect()
}

fn leaves(game: &dyn DynGame, position: &str, depth: u32) -> u64 {
    game.perft(Some(position), depth).expect("a game reads the positions that it writes").leaves
}

fn write(counted: &Counted, divide: bool, took: Duration, out: &mut dyn Write) -> io::Result<()> {
    if divide {
        for (text, count) in &counted.first {
            writeln!(out, "{text} {count}")?;
        }
        writeln!(out)?;
    }
    let seconds = took.as_secs_f64();
    writeln!(out, "nodes         {}", counted.nodes)?;
    writeln!(out, "seconds       {seconds:.3}")?;
    let speed = counted.nodes as f64 / seconds.max(1e-9);
    writeln!(out, "nodes/second  {speed:.0}")
}

#[cfg(test)]
mod tests {
    use pitmaster_games::find;

    use super::*;

    fn game() -> std::sync::Arc<dyn DynGame> {
        find(&GameSpec::plain("coloured-awale")).unwrap()
    }

    /// Seven seeds from the end, so that many sequences are short.
    const NEAR_THE_END: &str = "0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,1.1.1,0.0.0,0.0.0,2.8.0,\
        0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0/48-35/1";

    #[test]
    fn cutting_the_tree_changes_no_count() {
        for position in [game().begin().position(), NEAR_THE_END.to_owned()] {
            for depth in 0..5 {
                let whole = game().perft(Some(&position), depth).unwrap().leaves;
                assert_eq!(count(&*game(), &position, depth).nodes, whole, "{position} {depth}");
            }
        }
    }

    #[test]
    fn templates_and_chance_are_not_followed() {
        let toy = pitmaster_games::game_of(pitmaster_games::toy::Toy);
        let mut table = toy.begin();
        let mut rng = pitmaster_core::Seed(1).stream("toy");
        for step in 0..4 {
            let position = table.position();
            for depth in 0..4 {
                let whole = toy.perft(Some(&position), depth).unwrap().leaves;
                assert_eq!(count(&*toy, &position, depth).nodes, whole, "{step} {depth}");
            }
            if table.turn() == pitmaster_games::Turn::Chance {
                table.draw(&mut rng);
            } else {
                table.play_random(&mut rng);
            }
        }
    }

    #[test]
    fn the_number_is_the_same_on_any_number_of_threads() {
        let start = game().begin().position();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| count(&*game(), &start, 4))
        };
        let one = on(1);
        assert_eq!(one, on(3));
        assert_eq!(one.first.len(), 32);
        assert_eq!(one.nodes, one.first.iter().map(|(_, count)| count).sum::<u64>());
    }

    #[test]
    fn what_is_printed() {
        let counted = Counted { nodes: 64, first: vec![("1R".into(), 31), ("1B".into(), 33)] };
        let mut out = Vec::new();
        write(&counted, true, Duration::from_millis(500), &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r"
        1R 31
        1B 33

        nodes         64
        seconds       0.500
        nodes/second  128
        ");
    }
}
