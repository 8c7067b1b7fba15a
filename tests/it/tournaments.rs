//! The ready tournament files are playable unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster::bots::submission::Manifest;
use pitmaster::tournament::{Tournament, check};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments")
}

/// Reads a ready file by its name, without faults.
fn ready(name: &str) -> Tournament {
    let text = fs::read_to_string(folder().join(name)).expect("the file is there");
    let reading = check(&text);
    assert_eq!(reading.faults, [], "{name}");
    reading.tournament.expect("a file without faults is a tournament")
}

/// The folders that match a pattern.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let pattern = folder().join(pattern);
    let paths = glob::glob(pattern.to_str().expect("UTF-8")).expect("a pattern");
    paths.map(|path| path.expect("a folder that can be read")).collect()
}

/// The manifests of all bots that a tournament names.
fn manifests(tournament: &Tournament) -> Vec<Manifest> {
    let include = tournament.bots.include.iter();
    let folders: Vec<_> = include.flat_map(|pattern| expand(&pattern.value)).collect();
    folders.iter().map(|folder| manifest(&folder.join("bot.toml"))).collect()
}

fn manifest(path: &Path) -> Manifest {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Manifest::parse(&bytes, path).expect("a right manifest")
}

#[test]
fn every_file_is_right_and_names_bots_that_exist() {
    let files: Vec<_> = fs::read_dir(folder()).expect("the folder").map(Result::unwrap).collect();
    assert!(files.len() >= 10);
    for file in files {
        let name = file.file_name().into_string().expect("UTF-8");
        let tournament = ready(&name);
        for pattern in &tournament.bots.include {
            assert!(!expand(&pattern.value).is_empty(), "{name}: {}", pattern.value);
        }
        assert!(manifests(&tournament).len() >= 2, "{name}");
        assert_ne!(tournament.title, "", "{name}");
    }
}

/// There is a file for each of the most popular games, with its name.
#[test]
fn a_game_has_a_file_of_its_name() {
    for game in ["kalah", "oware", "congkak", "isholo-1", "isholo-2a", "isholo-2b", "isholo-3"] {
        assert_eq!(ready(&format!("{game}.toml")).game.spec(), game);
    }
}

#[test]
fn the_demo_needs_nothing_but_rust() {
    let bots = manifests(&ready("demo.toml"));
    assert_eq!(bots.len(), 3);
    assert!(bots.iter().all(|bot| bot.tools() == ["rustc"]));
}

#[test]
fn the_contest_has_the_contests_limits() {
    let Tournament { game, limits, .. } = ready("contest.toml");
    assert_eq!(game.spec(), "coloured-awale");
    assert_eq!(limits.per_move, Some(Duration::from_secs(1)));
    assert_eq!(limits.first_move, Some(Duration::from_secs(5)));
    assert_eq!(limits.per_game, Some(Duration::from_secs(210)));
    assert_eq!(limits.plies, Some(400));
}

#[test]
fn the_course_has_more_time_and_no_end_at_forty_each() {
    let Tournament { game, limits, .. } = ready("course.toml");
    assert_eq!(game.spec(), "coloured-awale,both_40=off");
    assert_eq!(limits.per_move, Some(Duration::from_secs(3)));
    assert_eq!(limits.per_game, None);
    assert_eq!(limits.plies, Some(400));
}
