//! Check of game files: errors with their locations, and notes on legacy values.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::diagnostics::{Lines, Location};
use pitmaster_games::two_row::check::{Finding, check as findings};
use pitmaster_games::two_row::file::{self, FileVersion, GameFile};
use pitmaster_games::two_row::params::Params;
use pitmaster_session::game;

use crate::cli::Exit;

/// Report on all files, and the exit code.
pub(super) fn check(files: &[PathBuf], age: Option<FileVersion>) -> (String, Exit) {
    let mut text = String::new();
    let right = files.iter().filter(|path| check_file(path, age, &mut text)).count();
    let exit = if right == files.len() { Exit::Done } else { Exit::Findings };
    if files.len() > 1 {
        let _ = writeln!(text, "{right} of {} files are valid", files.len());
    }
    (text, exit)
}

/// Checks a file. Returns whether it describes a playable game with all its variants.
fn check_file(path: &Path, age: Option<FileVersion>, out: &mut String) -> bool {
    let shown = shown_path(path);
    let text = match game::text(path) {
        Ok(text) => text,
        Err(why) => {
            let _ = writeln!(out, "{shown}: {why}");
            return false;
        }
    };
    match file::read(&text, age) {
        Ok(file) => check_game(&shown, &text, &file, out),
        Err(faults) => {
            for fault in faults {
                let _ = writeln!(out, "{shown}:{fault}");
            }
            false
        }
    }
}

fn check_game(path: &str, text: &str, file: &GameFile, out: &mut String) -> bool {
    for note in &file.notes {
        let _ = writeln!(out, "{path}: note: {note}");
    }
    let mut right = judge(path, text, "", &file.params, out);
    for variant in &file.variants {
        right &= judge(path, text, &variant.name, &variant.params, out);
    }
    if right {
        let _ = writeln!(out, "{path}: {}{}", file.name, with_variants(file.variants.len()));
    }
    right
}

fn with_variants(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", with 1 variant".into(),
        _ => format!(", with {count} variants"),
    }
}

/// Writes all findings about a game or a variant. Returns whether it can be played.
fn judge(path: &str, text: &str, variant: &str, params: &Params, out: &mut String) -> bool {
    let findings = findings(params);
    for finding in &findings {
        let place = place(text, variant, finding);
        let of = if variant.is_empty() { String::new() } else { format!("variant {variant}: ") };
        let _ = writeln!(out, "{path}:{place}: {of}{finding}");
    }
    !findings.iter().any(|finding| finding.severity.is_fatal())
}

/// Location of the finding's first parameter: in the variant, otherwise before all variants,
/// otherwise the start of the file.
fn place(text: &str, variant: &str, finding: &Finding) -> Location {
    let game = 0..word(text, "variants", 0..text.len()).unwrap_or(text.len());
    let within = |range: Range<usize>| {
        finding.parameters.iter().find_map(|name| word(text, name, range.clone()))
    };
    let of_variant = || {
        let from = word(text, variant, game.end..text.len())?;
        within(from..text.len())
    };
    let at = (!variant.is_empty()).then(of_variant).flatten().or_else(|| within(game.clone()));
    at.map_or(Location::START, |at| Lines::of(text).place(at))
}

/// Offset of a whole word.
fn word(text: &str, word: &str, within: Range<usize>) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let alone =
        |at: &usize| !text[..*at].ends_with(part) && !text[at + word.len()..].starts_with(part);
    text.match_indices(word).map(|(at, _)| at).filter(|at| within.contains(at)).find(alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Report on a file with this text, without its folder.
    fn checked(name: &str, text: &str, age: Option<FileVersion>) -> (String, Exit) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let (said, exit) = check(&[path], age);
        (said.replace(&format!("{}/", folder.path().display()), ""), exit)
    }

    #[test]
    fn a_right_file_is_named() {
        let text = "name = \"Mine\"\nholes = 6\nnbr_start = 4\nstores = true\nevens = true\n\
            [variants.Five]\nnbr_start = 5\n";
        assert_eq!(
            checked("a.toml", text, None),
            ("a.toml: Mine, with 1 variant\n".into(), Exit::Done)
        );
    }

    #[test]
    fn every_fault_has_its_place() {
        let text = "name = \"Mine\"\nholes = 99\nnbr_strat = 4\nmlaps = \"LAPER\"\nevens = 3.5\n";
        let (said, exit) = checked("a.toml", text, None);
        assert_eq!(exit, Exit::Findings);
        insta::assert_snapshot!(said, @r#"
        a.toml:1:1: nbr_start: is missing; write how many seeds each hole starts with
        a.toml:3:1: nbr_strat: there is no such key; did you mean nbr_start?
        a.toml:4:9: mlaps: "LAPER" cannot stand here (did you mean LAPPER?); it is OFF 0, LAPPER 1, LAPPER_NEXT 2
        a.toml:5:9: evens: 3.5 cannot stand here; it is true or false
        "#);
    }

    #[test]
    fn what_does_not_go_together_is_told_for_the_game_and_its_variants() {
        let text = "name = \"Mine\"\nholes = 6\nnbr_start = 4\nstores = true\nevens = true\n\
            sow_start = true\n\n[variants.Other]\nmin_move = 2\n\n[variants.Third]\nmin_move = 9\n";
        let (said, exit) = checked("a.toml", text, None);
        assert_eq!(exit, Exit::Findings);
        insta::assert_snapshot!(said, @"
        a.toml:6:1: error: with sow_start a single seed would stay where it is: set min_move to 2, or move_one to true (needs_moves)
        a.toml:12:1: variant Third: error: min_move 9 is out of range: set it from 1 to 5, and to no more than the 6 holes of a side (high_min_moves)
        ");
    }

    #[test]
    fn an_old_file_is_translated_by_its_age() {
        let text = r#"{"game_class": "Mancala", "game_constants": {"holes": 6, "nbr_start": 4},
            "game_info": {"name": "Old", "stores": true, "evens": true, "sow_rule": 4,
            "mlaps": 1, "sow_direct": 1}, "player": {}}"#;
        let said =
            [None, FileVersion::find("2025-09")].map(|age| checked("a.json", text, age).0).concat();
        insta::assert_snapshot!(said, @r#"
        a.json: note: game_info.sow_rule 4 is read as of today; in files of 2025-09 it is SOW_CAPT_ALL, and age = "2025-09" reads it so
        a.json: Old
        a.json: note: game_info.sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_SOWER
        a.json: Old
        "#);
    }

    #[test]
    fn files_that_are_none_are_told_with_the_others() {
        let (said, exit) = check(&["/nowhere/a.toml".into(), "/nowhere/b.json".into()], None);
        assert_eq!(exit, Exit::Findings);
        insta::assert_snapshot!(said, @"
        /nowhere/a.toml: it cannot be read (No such file or directory (os error 2)); check the path
        /nowhere/b.json: it cannot be read (No such file or directory (os error 2)); check the path
        0 of 2 files are valid
        ");
    }
}
