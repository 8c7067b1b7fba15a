//! Direct communication with bots, without a referee.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use pitmaster::games::{self, Turn};

/// The game without an option for forty seeds each, and with the option that continues it.
const FORTY: [&str; 2] = ["coloured-awale", "coloured-awale,both_40=off"];

/// Answers of a bot to these lines. Starts it as its manifest says, in its folder as built, as
/// player 1 if these are its arguments. Without a game its environment names none.
pub(crate) fn answers(built: &Path, args: &[&str], game: Option<&str>, lines: &str) -> String {
    let manifest = fs::read_to_string(built.join("bot.toml")).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let words = manifest["run"].as_array().expect("a list").iter();
    let words: Vec<_> =
        words.map(|word| word.as_str().expect("a text").replace("{J}", "A")).collect();
    let program = built.join(&words[0]);
    let program = if program.exists() { program } else { words[0].clone().into() };
    let mut command = Command::new(program);
    command.args(&words[1..]).args(args).current_dir(built).env_remove("PITMASTER_GAME");
    command.env("PITMASTER_MOVE_MS", "600000").env("PITMASTER_SEED", "1");
    command.envs(game.map(|game| ("PITMASTER_GAME", game)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut bot = command.spawn().expect("it starts");
    bot.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = bot.wait_with_output().expect("it ends");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success() && said.is_empty(), "{}: {said}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// After the last of these moves of player 2 both sides have forty seeds: a bot that keeps its own
/// board then plays no further move, unless the game's options continue the game. If no game is
/// named, a bot of the course plays the course's game, which continues.
pub(crate) fn ends_at_forty_each(bot: &str, built: &Path, args: &[&str], opponent: &str) {
    let lines = format!("START\n{}\n", opponent.replace(' ', "\n"));
    let [usual, on] = FORTY;
    let untold = if bot.starts_with("course-") { on } else { usual };
    for (game, told) in [(untold, None), (usual, Some(usual)), (on, Some(on))] {
        let said = answers(built, args, told, &lines);
        let is_claim = |line: &&str| line.starts_with("RESULT ");
        let mut own = said.lines().filter(|line| !is_claim(line));
        let mut table = games::find(&game.parse().expect("a game")).expect("it is there").begin();
        for theirs in opponent.split(' ') {
            let own = own.next().unwrap_or_else(|| panic!("{bot} is silent before {theirs}"));
            for text in [own, theirs] {
                table.play(text, &mut String::new()).unwrap_or_else(|why| panic!("{bot}: {why}"));
            }
        }
        let after: Vec<_> = own.collect();
        if game == usual {
            let is_over = matches!(table.turn(), Turn::Over(outcome) if outcome.clause == "40-40");
            assert!(is_over, "{bot}: another game than it was: {:?}", table.turn());
            assert!(after.is_empty(), "{bot}, told {told:?}, answers after the end: {after:?}");
        } else {
            assert_eq!(after.len(), 1, "{bot}, told {told:?}: {after:?}");
            table.play(after[0], &mut String::new()).expect("a legal move");
        }
    }
}
