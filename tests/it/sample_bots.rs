//! Consistency of the sample bots.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::by_hand::ends_at_forty_each;
use crate::hostile::is_at_hand;
use crate::scratch::Scratch;

/// Files that bots of one language share. A bot is submitted as a folder, so each has its own copy;
/// a fix in only one of them would be a hidden bug.
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

/// Games with different mechanics: repeated turns, captures of all kinds, laps, choices and
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

/// Moves of player 2 against each way of playing, until both have forty seeds. The same seed gives
/// the same game in every language.
const TO_FORTY: [(&str, &str); 4] = [
    (
        "cautious",
        "8TB 14B 6TR 12TB 14TB 10R 10TR 10TB 16R 2TB 16TB 6B 4B 2B 2R 4TB 16TB 12B 4R 2B 16B 8R \
         10R 14R 14R 12R 16R 14R 16B 12B 8R 6R 2B 10R 12R 4B 6B 14TR 2TB 4TR 16TB 12TB 8TR 2TB \
         14TR 4TB 10TB 10B 8B 16TB 14B 10B 16B 12B 4B 6B 8B 2B 10B 12B 8B 14B 12B 14B 4B 12TB",
    ),
    ("course", "16TR 6B 2B 6TB 14R 8TB 8TB 14TB 10TB 4B 12TB 4R 2B 4TR"),
    ("greedy", "12TR 16B 16TR 6B 14TB 8TB 6TR 2TB 4TB 10R 2TR 4R 10TB 4TR 16TR"),
    (
        "random",
        "16TR 6B 4TB 2R 14TB 14R 2B 10TB 16B 14TB 2R 12TB 4B 10TR 16TR 6R 8B 8TB 10R 10TB 8R 6TB \
         12B 4R 14TB 6R 2TB 4B 6R 12TR 4TB 12TR",
    ),
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

/// `.ci/full` plays the other languages.
#[test]
fn they_play_games_that_they_do_not_know() {
    let scratch = Scratch::new();
    let [random, greedy] = ["bots/random-python", "bots/greedy-python"];
    for game in GAMES {
        for [one, two] in [[random, greedy], [greedy, random]] {
            let args =
                format!("{one} {two} --game {game} --show nothing --per-move 1m --per-game 10m");
            let ran = scratch.run(&format!("play {args}")).done();
            let ended = ["by the rules (", "ply limit reached"];
            assert!(ended.iter().any(|end| ran.stdout.contains(end)), "{game}\n{}", ran.all());
        }
    }
}

/// Copies a bot and builds it as its manifest says.
fn build(scratch: &Scratch, bot: &Path) -> PathBuf {
    let name = bot.file_name().and_then(|name| name.to_str()).expect("UTF-8");
    for file in fs::read_dir(bot).expect("a bot").flatten().filter(|file| file.path().is_file()) {
        let file_name = file.file_name().into_string().expect("UTF-8");
        scratch.write(&format!("own/{name}/{file_name}"), fs::read(file.path()).expect("reads"));
    }
    let manifest: toml::Table =
        scratch.read(&format!("own/{name}/bot.toml")).parse().expect("TOML");
    let built = scratch.path(&format!("own/{name}"));
    if let Some(words) = manifest.get("build").and_then(toml::Value::as_array) {
        let words: Vec<_> = words.iter().map(|word| word.as_str().expect("a text")).collect();
        let output = Command::new(words[0]).args(&words[1..]).current_dir(&built).output();
        let output = output.expect("the compiler starts");
        assert!(output.status.success(), "{name}: {output:?}");
    }
    built
}

#[test]
fn forty_each_is_the_end_for_all_that_keep_a_board() {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots");
    let (scratch, mut tried) = (Scratch::new(), 0);
    for bot in folders(&bots).into_iter().filter(|bot| bot.join("bot.toml").is_file()) {
        let name = bot.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        let (style, _) = name.split_once('-').expect("a way of playing and a language");
        let (_, opponent) = TO_FORTY.iter().find(|(known, _)| *known == style).expect(style);
        if !is_at_hand("bots", name) {
            continue;
        }
        // The course's argument stands in the manifest.
        let args: &[&str] = if style == "course" { &[] } else { &["1"] };
        ends_at_forty_each(name, &build(&scratch, &bot), args, opponent);
        tried += 1;
    }
    assert!(tried >= 3, "bots in Python need no more than Python: {tried}");
}
