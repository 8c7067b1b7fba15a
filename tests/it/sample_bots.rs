//! The sample bots hold together.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::scratch::Scratch;

/// Files that bots of one language share. A bot is handed in as a folder, so each has its own
/// copy; a rule mended in one of them only would be a bug that nobody sees.
const COPIED: [&str; 9] = [
    "attack.py",
    "awale.h",
    "awale.hpp",
    "Awale.java",
    "Dice.java",
    "awale.js",
    "awale.py",
    "awale.rs",
    "build_attack.py",
];

/// Games that are played differently: repeated turns, captures of all kinds, laps, choices and
/// layouts.
const GAMES: [&str; 9] = [
    "kalah",
    "kalah-empty",
    "oware",
    "congkak",
    "bao",
    "isholo-1",
    "isholo-2a",
    "isholo-2b",
    "isholo-3",
];

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).expect("the bots are there");
    entries.map(|entry| entry.expect("readable").path()).filter(|path| path.is_dir()).collect()
}

#[test]
fn copies_of_a_file_are_the_same() {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots");
    let all = [folders(&bots), folders(&bots.join("hostile"))].concat();
    let mut copies: HashMap<&str, Vec<(PathBuf, Vec<u8>)>> = HashMap::new();
    for path in all.iter().flat_map(|bot| COPIED.map(|name| (name, bot.join(name)))) {
        if let (name, Ok(bytes)) = (path.0, fs::read(&path.1)) {
            copies.entry(name).or_default().push((path.1, bytes));
        }
    }
    for name in COPIED {
        let [(first, bytes), others @ ..] = &copies[name][..] else { panic!("no {name}") };
        assert!(!others.is_empty(), "{name} has no copy and need not be listed");
        for (other, copy) in others {
            assert!(copy == bytes, "{} differs from {}", other.display(), first.display());
        }
    }
}

/// The other languages play them in `.ci/full`.
#[test]
fn they_play_games_that_they_do_not_know() {
    let scratch = Scratch::new();
    let [random, greedy] = ["bots/random-python", "bots/greedy-python"];
    for game in GAMES {
        for [one, two] in [[random, greedy], [greedy, random]] {
            let args =
                format!("{one} {two} --game {game} --show nothing --per-move 1m --per-game 10m");
            let ran = scratch.run(&format!("play {args}")).done();
            let ended = ["by the rules (", "limit of plies was reached"];
            assert!(ended.iter().any(|end| ran.stdout.contains(end)), "{game}\n{}", ran.all());
        }
    }
}
