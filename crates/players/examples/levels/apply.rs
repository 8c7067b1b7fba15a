//! Copies tuned settings into the games of the catalogue.

use std::fs;
use std::path::Path;

use super::Outcome;

/// Games of the catalogue.
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/src/two_row/catalogue/games");

/// Replaces the settings of each game that has a file in the folder.
pub(crate) fn apply(folder: &Path) -> Outcome<()> {
    for entry in fs::read_dir(folder)? {
        let tuned = entry?.path();
        let game = Path::new(GAMES).join(tuned.file_name().ok_or("a folder without files")?);
        if game.exists() {
            let text = replaced(&fs::read_to_string(&game)?, &fs::read_to_string(&tuned)?)?;
            fs::write(game, text)?;
        } else {
            println!("set by hand: {}", tuned.display());
        }
    }
    Ok(())
}

/// Text of a game file with these settings, placed before its evaluation.
fn replaced(game: &str, tuned: &str) -> Outcome<String> {
    let name = |line: &str| line.split(" = ").next().unwrap_or_default().to_owned();
    let settings: Vec<_> = tuned.lines().filter(|line| !line.starts_with('#')).collect();
    let names: Vec<_> = settings.iter().map(|line| name(line)).collect();
    let mut lines: Vec<_> = game.lines().filter(|line| !names.contains(&name(line))).collect();
    let section = lines.iter().position(|line| *line == "[player]").ok_or("no [player]")?;
    let scorer = lines[section..].iter().position(|line| line.starts_with("scorer."));
    let at = scorer.map_or(lines.len(), |scorer| section + scorer);
    lines.splice(at..at, settings);
    Ok(lines.join("\n") + "\n")
}
