//! Results that are damaged, lack their database, or are private.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::contest::TIMELESS;
use crate::scratch::Scratch;

const PLAY: &str = "match house:random house:greedy --pairs 3 --in-process --name cup -q";

fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.run(PLAY).done();
    scratch
}

/// Files of the results, without the database and its lock.
fn files(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(scratch.path("results/cup")).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let name = |path: &std::path::Path| path.file_name().expect("a name").display().to_string();
    let files = paths.filter(|path| path.is_file()).map(|path| (name(&path), path));
    let files =
        files.filter(|(name, _)| !name.starts_with("tournament.db") && name != "tournament.lock");
    files.map(|(name, path)| (name, fs::read(path).expect("reads"))).collect()
}

#[test]
fn a_database_that_is_gone_is_no_fresh_start_over_the_results() {
    let scratch = played();
    scratch.run(&PLAY.replace("cup", "other")).done();
    let path = scratch.path("results/cup/tournament.db");
    let whole = fs::read(&path).expect("reads");
    let before = files(&scratch);
    let mut told = Vec::new();
    for state in ["gone", "empty", "no database", "a folder"] {
        match state {
            "gone" => fs::remove_file(&path).expect("removes"),
            "empty" => fs::write(&path, "").expect("writes"),
            "no database" => fs::write(&path, "rank,bot\n".repeat(100)).expect("writes"),
            _ => fs::remove_file(&path).and_then(|()| fs::create_dir(&path)).expect("makes"),
        }
        for command in [PLAY, "merge results/cup results/other", "standings results/cup"] {
            let ran = scratch.run(command);
            assert_eq!(ran.code, Some(2), "{state}: {command}: {}", ran.all());
            told.push(ran.stderr);
        }
        assert_eq!(files(&scratch), before, "{state}");
    }
    insta::assert_snapshot!(told[..3].concat(), @"
    error: results/cup holds results (games.csv, moves.jsonl, leaderboard.csv, crosstable.csv, timing.csv, report.html, log.jsonl), but no tournament.db: put the database back from a copy; to play anew, choose another folder, or start beside it with --fresh
    error: results/cup holds results (games.csv, moves.jsonl, leaderboard.csv, crosstable.csv, timing.csv, report.html, log.jsonl), but no tournament.db: put the database back from a copy, or merge into another folder
    error: results/cup holds results (games.csv, moves.jsonl, leaderboard.csv, crosstable.csv, timing.csv, report.html, log.jsonl), but no tournament.db: put the database back from a copy; to play anew, choose another folder, or start beside it with --fresh
    ");
    // Beside it means beside it.
    scratch.run(&format!("{PLAY} --fresh")).done();
    assert_eq!(files(&scratch), before);
    assert!(scratch.path("results/cup-2/tournament.db").is_file());
    fs::remove_dir(&path).expect("removes");
    fs::write(&path, whole).expect("writes");
    scratch.run(PLAY).done();
}

#[test]
fn any_file_that_is_made_of_a_database_says_that_there_was_one() {
    let scratch = played();
    for name in ["tournament.db", "tournament.db-shm", "tournament.db-wal"] {
        let _ = fs::remove_file(scratch.path(&format!("results/cup/{name}")));
    }
    let all = files(&scratch);
    assert!(all.len() >= 7, "{:?}", all.keys());
    let only = |kept: &str| {
        for (name, bytes) in &all {
            let path = scratch.path(&format!("results/cup/{name}"));
            if name == kept {
                fs::write(path, bytes).expect("writes");
            } else {
                let _ = fs::remove_file(path);
            }
        }
    };
    // The tournament's file is what goes in.
    for name in all.keys().filter(|name| *name != "tournament.toml") {
        only(name);
        let ran = scratch.run(PLAY);
        assert!(ran.code == Some(2) && ran.stderr.contains(name), "{name}: {}", ran.all());
    }
    only("tournament.toml");
    scratch.run(PLAY).done();
}

#[test]
fn one_flipped_byte_in_a_move_never_becomes_other_results() {
    let scratch = played();
    scratch.run("verify results/cup").done();
    let kept = TIMELESS.map(|name| scratch.read(&format!("results/cup/{name}")));
    let path = scratch.path("results/cup/tournament.db");
    let mut bytes = fs::read(&path).expect("reads");
    let line: serde_json::Value =
        serde_json::from_str(kept[3].lines().next().expect("a game")).expect("JSON");
    let moves = line["moves"].as_array().expect("moves").iter();
    let moves: Vec<_> = moves.map(|text| text.as_str().expect("a move")).collect();
    let (moves, id) = (moves[..12].join(" "), line["id"].as_str().expect("an id"));
    let places = bytes.windows(moves.len()).enumerate();
    let places = places.filter(|(_, window)| *window == moves.as_bytes()).map(|(place, _)| place);
    let places: Vec<_> = places.collect();
    assert!(!places.is_empty());
    // Of a hole's number, so that it may be a legal move as well. What SQLite has moved elsewhere
    // may still lie where it was.
    for place in places {
        bytes[place] ^= 1;
    }
    fs::write(&path, bytes).expect("writes");
    for command in [
        "standings results/cup",
        &format!("replay results/cup {id}"),
        &format!("export results/cup --game {id}"),
        "export results/cup --format jsonl",
        "report results/cup",
        "merge results/whole results/cup",
        PLAY,
    ] {
        let ran = scratch.run(command);
        assert_eq!(ran.code, Some(2), "{command}: {}", ran.all());
        let told = format!("the record of game {id} is not what was written");
        assert!(String::from_utf8_lossy(&ran.raw.stderr).contains(&told), "{}", ran.stderr);
    }
    let ran = scratch.run("verify results/cup");
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    insta::assert_snapshot!(ran.stderr.replace(id, "GAME"), @"
    error: game [id]: the record does not match its checksum
    error: restore a copy of results/cup/tournament.db, or void these records with `pitmaster void results/cup --damaged` and replay their games
    ");
    assert_eq!(kept, TIMELESS.map(|name| scratch.read(&format!("results/cup/{name}"))));
    // What to do is said, and done.
    let ran = scratch.run("void results/cup --damaged --dry-run").done();
    assert!(ran.stdout.ends_with("would void 1 damaged record\n"), "{}", ran.stdout);
    scratch.run("void results/cup --damaged").done();
    assert_eq!(scratch.column("results/cup/games.csv", "id").len(), 5);
    let ran = scratch.run(&format!("replay results/cup {id}"));
    assert!(ran.code == Some(2) && ran.stderr.contains("is damaged"), "{}", ran.all());
    scratch.run(PLAY).done();
    assert_eq!(kept, TIMELESS.map(|name| scratch.read(&format!("results/cup/{name}"))));
    scratch.run("verify results/cup").done();
    let ran = scratch.run("void results/cup --damaged").done();
    assert_eq!(ran.stdout, "all records match their checksums\n");
}

#[test]
fn a_game_that_was_not_played_by_the_rules_is_a_finding() {
    let scratch = played();
    let path = scratch.path("results/cup/tournament.db");
    let database = rusqlite::Connection::open(path).expect("opens");
    let won = "UPDATE attempts SET ending_facts = json_set(ending_facts, '$.score[0]', 95)
               WHERE number = 1";
    assert_eq!(database.execute(won, ()), Ok(1));
    drop(database);
    // Somebody has thought of the checksum.
    scratch.sum_up_anew("results/cup");
    let ran = scratch.run("verify results/cup");
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    assert!(ran.stderr.contains(": the record has "), "{}", ran.stderr);
}

fn mode(scratch: &Scratch, name: &str) -> u32 {
    scratch.path(name).metadata().expect(name).permissions().mode() & 0o777
}

#[test]
fn new_results_are_their_owners_alone_unless_they_are_shared() {
    let scratch = played();
    scratch.write("usual/file", "");
    let usual = [mode(&scratch, "usual"), mode(&scratch, "usual/file")];
    assert_eq!(mode(&scratch, "results/cup"), 0o700);
    scratch.run("merge results/whole results/cup").done();
    assert_eq!(mode(&scratch, "results/whole"), 0o700);
    for name in files(&scratch).keys().map(String::as_str).chain(["tournament.db"]) {
        assert_eq!(mode(&scratch, &format!("results/cup/{name}")), 0o600, "{name}");
        assert_eq!(mode(&scratch, &format!("results/whole/{name}")), 0o600, "{name}");
    }
    for command in [
        format!("{} --shared", PLAY.replace("cup", "open")),
        "merge results/open-whole results/cup --shared".into(),
    ] {
        scratch.run(&command).done();
    }
    for folder in ["results/open", "results/open-whole"] {
        assert_eq!(mode(&scratch, folder), usual[0]);
        for name in files(&scratch).keys().map(String::as_str).chain(["tournament.db"]) {
            assert_eq!(mode(&scratch, &format!("{folder}/{name}")), usual[1], "{folder}/{name}");
        }
    }
}

#[test]
fn a_folder_that_is_there_keeps_its_readers() {
    let scratch = Scratch::new();
    scratch.write("results/cup/notes.txt", "of the teacher");
    let before = mode(&scratch, "results/cup");
    scratch.run(PLAY).done();
    assert_eq!(mode(&scratch, "results/cup"), before);
    assert_eq!(mode(&scratch, "results/cup/games.csv"), mode(&scratch, "results/cup/notes.txt"));
}

/// Bots run as a different user if root plays.
#[test]
fn bots_are_built_and_play_in_results_that_others_cannot_enter() {
    let scratch = Scratch::new();
    scratch.run("match bots/random-c bots/greedy-c --pairs 1 --name cup -q").done();
    assert_eq!(mode(&scratch, "results/cup"), 0o700);
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
    let endings = scratch.column("results/cup/games.csv", "ending");
    assert!(endings.iter().all(|ending| ending.starts_with("rules:")), "{endings:?}");
    scratch.run("play bots/random-c bots/greedy-c --show nothing").done();
    scratch.run("check bots/random-c --out own-results").done();
    for folder in ["results/play", "own-results/check"] {
        assert_eq!(mode(&scratch, folder), 0o700, "{folder}");
    }
}
