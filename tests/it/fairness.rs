//! Verification, the audit log, committed seeds and appeals, from outside.

use std::fs;

use rusqlite::Connection;

use crate::contest::{PATIENT, tournament};
use crate::scratch::Scratch;

const PLAY: &str = "match house:random house:greedy --pairs 5 --in-process --name cup -q";

fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.run(PLAY).done();
    scratch
}

fn change(scratch: &Scratch, sql: &str) {
    let database = Connection::open(scratch.path("results/cup/tournament.db")).expect("opens");
    let changed = database.execute(sql, ()).expect("is SQL");
    assert_eq!(changed, 1, "{sql}");
}

/// Findings of `verify` for modified results.
fn findings(scratch: &Scratch) -> String {
    let ran = scratch.run("verify results/cup");
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    ran.stderr
}

const DELETE: &str = "DELETE FROM attempts WHERE number = 4";
const DELETE_LAST: &str = "DELETE FROM attempts WHERE number = (SELECT max(number) FROM attempts)";
const CHANGE_RESULT: &str = "UPDATE attempts SET winner = 3 - winner,
    ending_facts = replace(replace(replace(ending_facts, '\"winner\":1', '\"winner\":x'),
        '\"winner\":2', '\"winner\":1'), '\"winner\":x', '\"winner\":2')
    WHERE number = (SELECT max(number) FROM attempts WHERE winner IS NOT NULL)";
const CHANGE_MOVE: &str = "UPDATE attempts SET moves = '1R' || substr(moves, instr(moves, ' '))
    WHERE number = (SELECT min(number) FROM attempts WHERE moves NOT LIKE '1R %')";

/// Checks that `verify` finds a change to the database, with and without recomputed checksums.
fn is_found(scratch: &Scratch, sql: &str) {
    let path = scratch.path("results/cup/tournament.db");
    let whole = fs::read(&path).expect("reads");
    for with_checksums in [false, true] {
        change(scratch, sql);
        if with_checksums {
            scratch.sum_up_anew("results/cup");
        }
        let found = findings(scratch);
        assert!(!found.is_empty(), "{sql}");
        for beside in ["tournament.db-wal", "tournament.db-shm"] {
            let _ = fs::remove_file(scratch.path(&format!("results/cup/{beside}")));
        }
        fs::write(&path, &whole).expect("writes");
        // The log is from after the copy.
        let log = scratch.read("results/cup/log.jsonl");
        let kept: Vec<_> = log.lines().take(2).collect();
        scratch.write("results/cup/log.jsonl", kept.join("\n") + "\n");
        scratch.run("verify results/cup").done();
        fs::write(&path, &whole).expect("writes");
        scratch.write("results/cup/log.jsonl", kept.join("\n") + "\n");
    }
}

#[test]
fn a_deleted_row_and_a_changed_result_or_move_are_found() {
    let scratch = played();
    for sql in [DELETE, DELETE_LAST, CHANGE_RESULT, CHANGE_MOVE] {
        is_found(&scratch, sql);
    }
}

#[test]
#[ignore = "slow: plays ten thousand games"]
fn one_change_among_ten_thousand_games_is_found() {
    let scratch = Scratch::new();
    scratch.run(&PLAY.replace("--pairs 5", "--pairs 5000")).done();
    for sql in [DELETE, CHANGE_RESULT, CHANGE_MOVE] {
        let copy = copy(&scratch);
        change(&copy, sql);
        copy.sum_up_anew("results/cup");
        let began = std::time::Instant::now();
        let found = findings(&copy);
        println!("{:?} for 10,000 games: {found}", began.elapsed());
        assert!(found.lines().all(|line| line.starts_with("error: ")), "{found}");
    }
    let intact = scratch.run("verify results/cup").done();
    assert!(intact.stdout.contains("10000 games verified: intact"), "{}", intact.all());
}

/// Another scratch folder with a copy of the results.
fn copy(scratch: &Scratch) -> Scratch {
    let copy = Scratch::new();
    for name in ["tournament.db", "log.jsonl"] {
        let bytes = fs::read(scratch.path(&format!("results/cup/{name}"))).expect("reads");
        copy.write(&format!("results/cup/{name}"), bytes);
    }
    copy
}

#[test]
fn deleted_rows_are_told_by_the_log_also_if_they_were_the_last() {
    let scratch = played();
    change(&scratch, DELETE_LAST);
    insta::assert_snapshot!(findings(&scratch), @"error: log.jsonl: it counts 10 records, but 9 are stored");
    change(&scratch, DELETE);
    insta::assert_snapshot!(findings(&scratch), @"
    error: 1 record was deleted from tournament.db
    error: log.jsonl: it counts 10 records, but 8 are stored
    ");
}

#[test]
fn the_log_has_every_deed_with_its_reason() {
    let scratch = played();
    scratch.run(PLAY).done();
    let games = scratch.read("results/cup/games.csv");
    let id = games.lines().nth(1).expect("a game").split(',').next().expect("an id").to_owned();
    let void = ["void", "results/cup", "--pair", &id, "--reason", "appeal of 3 May"];
    scratch.run_with(&void).done();
    scratch.run(PLAY).done();
    scratch.run("merge results/whole results/cup").done();
    let log = |folder: &str| {
        let told = scratch.run(&format!("log {folder}")).done().stdout;
        let line = |line: &str| {
            let (at, line) = line.split_at(20);
            assert!(at.ends_with('Z') && at.contains('T'), "{at}");
            line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ") + "\n"
        };
        told.lines().map(line).collect::<String>()
    };
    insta::assert_snapshot!(log("results/cup"), @"
    run-started 0 games
    run-ended complete; 10 games, digest [hash]
    run-resumed 10 games
    run-ended complete; 10 games, digest [hash]
    void pair of [id]; appeal of 3 May; 8 games, 2 void, digest [hash]
    run-resumed 8 games, 2 void
    run-ended complete; 10 games, 2 void, digest [hash]
    ");
    insta::assert_snapshot!(log("results/whole"), @"merge results/cup; 10 games, 2 void, digest [hash]");
}

#[test]
fn a_removed_line_of_the_log_is_noticed() {
    let scratch = played();
    scratch.run("verify results/cup").done();
    let whole = scratch.read("results/cup/log.jsonl");
    let lines: Vec<_> = whole.lines().collect();
    for removed in 0..lines.len() {
        let left: Vec<_> = (0..lines.len()).filter(|at| *at != removed).collect();
        let text: String = left.iter().map(|at| format!("{}\n", lines[*at])).collect();
        scratch.write("results/cup/log.jsonl", text);
        assert_eq!(scratch.run("log results/cup").code, Some(1), "line {removed}");
    }
    scratch.write("results/cup/log.jsonl", whole.replace("complete", "finished"));
    let ran = scratch.run("log results/cup");
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.stderr, @"error: line 3: the line before it was changed or removed");
    scratch.write("results/cup/log.jsonl", &whole).run("log results/cup").done();
}

#[test]
fn times_are_in_the_log_only() {
    let scratch = played();
    scratch.run(&PLAY.replace("cup", "again")).done();
    let digest = |name: &str| {
        let log = scratch.read(&format!("results/{name}/log.jsonl"));
        let (_, rest) = log.split_once("\"digest\":\"").expect("a digest");
        rest[..32].to_owned()
    };
    assert_eq!(digest("cup"), digest("again"));
    for name in crate::contest::TIMELESS {
        assert_eq!(
            scratch.read(&format!("results/cup/{name}")),
            scratch.read(&format!("results/again/{name}"))
        );
    }
}

#[test]
fn deterministic_bots_are_played_again_and_others_are_not_blamed() {
    let scratch = Scratch::new();
    scratch.fast("first", "first").fast("last", "last");
    // It plays by the time of day.
    scratch.bot(
        "moody",
        "pitmaster",
        "import sys, time\n\
         for line in sys.stdin:\n\
         \x20   word, _, rest = line.strip().partition(' ')\n\
         \x20   if word == 'pitmaster': print('ready moody', flush=True)\n\
         \x20   if word == 'newgame': print('ready', flush=True)\n\
         \x20   if word == 'moves': moves = rest.split()\n\
         \x20   if word == 'go': print('move', moves[time.time_ns() // 1000 % len(moves)], flush=True)\n\
         \x20   if word == 'quit': break\n",
    );
    let file = tournament(PATIENT, 3, "include = ['own/*']");
    scratch.write("cup.toml", file).run("run cup.toml -q").done();
    let ran = scratch.run("verify results/cup --replay 3").done();
    assert!(ran.stdout.contains("moody is not deterministic"), "{}", ran.all());
    assert!(ran.stdout.contains("6 as recorded, move by move"), "{}", ran.all());
    // Games in which somebody put other moves that are legal, too, are found.
    let database = Connection::open(scratch.path("results/cup/tournament.db")).expect("opens");
    let swapped = database
        .execute(
            "UPDATE attempts SET moves = o.moves, movers = o.movers, wall_ns = o.wall_ns,
                 cpu_ns = o.cpu_ns, waiting_ns = o.waiting_ns, ending = o.ending,
                 ending_facts = o.ending_facts, winner = o.winner, score1 = o.score1,
                 score2 = o.score2, plies = o.plies, fingerprint = o.fingerprint, seed = attempts.seed
             FROM (SELECT * FROM attempts WHERE bot1 = 'moody' LIMIT 1) AS o
             WHERE attempts.number = (SELECT min(number) FROM attempts
                                      WHERE bot1 IN ('first', 'last') AND bot2 IN ('first', 'last'))",
            (),
        )
        .expect("is SQL");
    assert_eq!(swapped, 1);
    let id: String = database
        .query_row(
            "SELECT game_id FROM attempts WHERE bot1 IN ('first', 'last')
                 AND bot2 IN ('first', 'last') ORDER BY number LIMIT 1",
            (),
            |row| row.get(0),
        )
        .expect("a game");
    drop(database);
    scratch.sum_up_anew("results/cup");
    let ran = scratch.run(&format!("verify results/cup --game {id}"));
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    assert!(ran.stderr.contains("played again, "), "{}", ran.all());
}

#[test]
fn a_committed_seed_is_checked_shown_and_told_with_grades() {
    let scratch = Scratch::new();
    let new = scratch.run("seed new").done().stdout;
    let seed = new.lines().next().and_then(|line| line.strip_prefix("seed = ")).expect("a seed");
    let hash = new.split('"').nth(1).expect("a hash").to_owned();
    scratch.run(&format!("seed check {hash} {seed}")).done();
    assert_eq!(scratch.run(&format!("seed check {hash} 1")).code, Some(1));
    assert_eq!(scratch.run("seed check abc 1").code, Some(2));
    let bots = "include = ['house:random', 'house:greedy']";
    let file = tournament(PATIENT, 2, bots);
    let with_seed = file.replace("seed = 7", &format!("seed = {seed}"));
    let wrong = file.replace("seed = 7", &format!("seed = 7\nseed_commitment = '{hash}'"));
    let ran = scratch.write("cup.toml", wrong).run("run cup.toml");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("it is not the hash of `seed`"), "{}", ran.all());
    scratch.write("cup.toml", with_seed);
    let flag = format!("run cup.toml --seed-commitment {hash}");
    let ran = scratch.run(&flag).done();
    assert!(ran.stdout.contains(&hash) && ran.stdout.contains(seed), "{}", ran.all());
    assert!(scratch.read("results/cup/report.html").contains(&hash));
    let other = scratch.run(&flag.replace(&hash, &"0".repeat(64)));
    assert_eq!(other.code, Some(2), "{}", other.all());
    let class = "key,id,name,email,group,file,hash,handed_in,late,state,why\n\
                 1,1,Ana,,,,,,,missing,\n";
    scratch.write("class/class.csv", class);
    let scheme = "maximum = 20\n[[part]]\nname = 'report'\npoints = 20\n";
    scratch.write("scheme.toml", scheme);
    scratch.run("grade results/cup --class class --scheme scheme.toml --into grades").done();
    assert!(scratch.read("grades/feedback/1.html").contains(&hash));
    assert!(scratch.run("log class").done().stdout.contains("  grade  results/cup, grades.csv "));
}

#[test]
fn an_appeal_from_end_to_end() {
    let scratch = Scratch::new();
    scratch.fast("ana", "first").fast("bo", "last");
    let file = tournament(PATIENT, 2, "include = ['own/*']");
    scratch.write("cup.toml", file).run("run cup.toml -q").done();
    let games = scratch.read("results/cup/games.csv");
    let id = games.lines().nth(1).expect("a game").split(',').next().expect("an id").to_owned();
    // What the student sends.
    scratch.run(&format!("export results/cup --game {id} -o lost.json")).done();
    let shown = scratch.run("replay lost.json").done().stdout;
    assert!(shown.starts_with("game [id]: coloured-awale"), "{shown}");
    let same = scratch.run(&format!("verify results/cup --game {id}")).done().stdout;
    assert!(same.contains("2 games played again: 2 as recorded"), "{same}");
    scratch.run(&format!("void results/cup --pair {id} --reason appeal")).done();
    scratch.run("run cup.toml -q").done();
    scratch.run("verify results/cup").done();
    let log = scratch.run("log results/cup").done().stdout;
    let deeds: Vec<_> = log.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    let expected = ["run-started", "run-ended", "verify", "void", "run-resumed", "run-ended"];
    assert_eq!(deeds[..6], expected);
}
