//! Isholo compared with games that another program has played, and with counts.

#[path = "../../examples/replay_isholo/replay.rs"]
mod replay;

use std::fs::File;
use std::path::Path;

use pitmaster::games::find;
use replay::{Trace, follow};

use super::golden_two_row::replay::lines::lines;

const PERFT: &str = include_str!("../golden/isholo/perft.txt");

fn traces() -> Vec<Trace> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/isholo/games.jsonl.gz");
    let lines = lines(File::open(path).expect("golden file")).expect("lines");
    lines.iter().map(|line| serde_json::from_str(line).expect("a trace")).collect()
}

#[test]
fn whole_games() {
    let traces = traces();
    for (number, trace) in (1..).zip(&traces) {
        let followed = follow(trace);
        assert!(followed.is_ok(), "{number}: isholo-{}, {}", trace.game, followed.unwrap_err());
    }
    for game in ["1", "2a", "2b", "3"] {
        assert_eq!(traces.iter().filter(|trace| trace.game == game).count(), 8, "{game}");
    }
}

/// Error in a game after a change.
fn noticed(game: &str, change: impl Fn(&mut Trace)) -> String {
    let mut trace = traces().into_iter().find(|trace| trace.game == game).expect(game);
    follow(&trace).expect("as it was played");
    change(&mut trace);
    let fault = follow(&trace).expect_err("it was changed");
    format!("{}: {}", fault.ply, fault.what)
}

/// The comparison detects a trace that differs from the game.
#[test]
fn changed_traces_are_noticed() {
    for game in ["1", "2a", "2b", "3"] {
        let told = |change: fn(&mut Trace)| noticed(game, change);
        assert_eq!(told(|trace| trace.start = [[5; 16]; 2]), "0: start");
        assert_eq!(told(|trace| trace.moves[3].side = 1), "4: turn");
        assert_eq!(told(|trace| trace.moves[4].legal.truncate(3)), "5: legal moves");
        assert_eq!(told(|trace| trace.moves[4].legal.push("b9".into())), "5: legal moves");
        assert_eq!(told(|trace| trace.moves[5].text = "a9".into()), "6: move");
        assert_eq!(told(|trace| trace.moves[6].after[1][7] ^= 1), "7: board");
        assert_eq!(told(|trace| trace.score[0] += 1).split_once(' ').unwrap().1, "score");
        assert_eq!(told(|trace| trace.winner = None).split_once(' ').unwrap().1, "winner");
        assert_eq!(told(|trace| trace.end = "endless".into()).split_once(' ').unwrap().1, "end");
    }
}

#[test]
fn counts_of_sequences() {
    for line in PERFT.lines().filter(|line| !line.starts_with('#')) {
        let [name, depth, leaves] = line.split(' ').collect::<Vec<_>>().try_into().expect(line);
        let game = find(&name.parse().expect(name)).expect(name);
        let perft = game.perft(None, depth.parse().expect(line)).expect("the start");
        assert_eq!(perft.leaves.to_string(), leaves, "{line}");
    }
}
