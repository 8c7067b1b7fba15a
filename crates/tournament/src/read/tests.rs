//! Tests of whole files: valid, invalid, and arbitrary text.

use std::fmt::Write as _;

use pitmaster_games::{GameSpec, SpecError, SpecErrors};
use proptest::prelude::*;

use super::format::is_for;
use super::{check, check_with, read};
use crate::{FormatKind, KEYS, Key, OpeningSource, Tournament};

const SMALLEST: &str = "version = 1\ngame = \"coloured-awale\"\nbots.include = [\"bots/*\"]\n";

fn faults(text: &str) -> String {
    let faults = read(text).expect_err("a file with faults");
    faults.iter().map(|fault| format!("{fault}\n")).collect()
}

fn right(text: &str) -> Tournament {
    read(text).unwrap_or_else(|faults| panic!("{faults:#?}\n{text}"))
}

/// Tournament as text, without locations.
fn shown(tournament: &Tournament) -> String {
    tournament.to_toml()
}

/// The smallest file of a kind of format.
fn smallest(kind: &str) -> String {
    let against = if is_for("against", kind) { "format.against = [\"old\"]\n" } else { "" };
    format!("{SMALLEST}format.kind = \"{kind}\"\n{against}")
}

#[test]
fn the_defaults_listed_are_those_that_count() {
    for kind in FormatKind::NAMES {
        let mut text = smallest(kind);
        let written = ["include", "kind"];
        for Key { section, name, default, .. } in
            KEYS.iter().filter(|key| !written.contains(&key.name))
        {
            let dot = if section.is_empty() { "" } else { "." };
            let is_here = *section != "format" || is_for(name, kind);
            // They differ for a Swiss tournament.
            let is_other = kind == "swiss" && *name == "tie_breaks";
            if let Some(default) = default.filter(|_| is_here && !is_other) {
                let _ = writeln!(text, "{section}{dot}{name} = {default}");
            }
        }
        assert_eq!(shown(&right(&text)), shown(&right(&smallest(kind))));
    }
}

#[test]
fn stages_are_written_as_they_were_read() {
    let stages = r#"
[format]
points = { win = 2.0, draw = 1.0, loss = 0.0 }
tie_breaks = ["buchholz", "wins"]

[[stage]]
name = "first of all"
kind = "sanity"
against = ["random"]
pass = 0.75
pairs = 5

[[stage]]
kind = "round-robin"
groups = 4
pairs = 10
seeding = "drawn"
advance = 2

[[stage]]
kind = "swiss"
rounds = 3
pairs = 4
seeding = "rating"
advance = 8

[[stage]]
kind = "ladder"
games = 500
precision = 30.0
look_ahead = 20
seeding = "rating"
advance = 4

[[stage]]
name = "the final"
kind = "knockout"
third_place = false
extra = 3
pairs = 7
seeding = "rating"
"#;
    let text = format!("{SMALLEST}{stages}");
    let written = right(&text).to_toml();
    assert_eq!(right(&written).to_toml(), written);
    assert!(written.contains(&stages[stages.find("[[stage]]").expect("a stage")..]), "{written}");
}

#[test]
fn a_test_is_written_as_it_was_read() {
    let test = r#"
[format]
kind = "sprt"
against = ["old"]
elo0 = -5.0
elo1 = 0.0
alpha = 0.1
beta = 0.2
model = "normalised"
games = 4000
look_ahead = 32
"#;
    let written = right(&format!("{SMALLEST}{test}")).to_toml();
    assert!(written.contains(test), "{written}");
}

#[test]
fn what_makes_no_sense_in_stages_is_told() {
    let stages = r#"
[format]
kind = "swiss"

[[stage]]
kind = "gauntlet"
rounds = 3

[[stage]]
kind = "sprt"
against = ["a", "b"]
elo0 = 5
elo1 = 5

[[stage]]
kind = "cup"
advance = 3
"#;
    insta::assert_snapshot!(faults(&format!("{SMALLEST}{stages}")), @r#"
    6:8: format.kind: here are several stages; write it in the [[stage]] it is meant for
    8:1: stage.against: it is missing; write against = ["random"], the names of bots
    8:1: stage.advance: it is missing; write advance = 4, or how many go on to the next stage
    10:10: stage.rounds: gauntlet has no such key, only swiss; leave it out
    12:1: stage.elo1: the bounds of a test are two numbers from -1000 to 1000, the lower one first, not 5 and 5
    12:1: stage.kind: sprt is a test of two bots and cannot be one of several stages
    14:17: stage.against: a test has one bot that is to be beaten
    18:1: stage.advance: nothing follows this stage; leave it out
    19:8: stage.kind: "cup" cannot stand here; write "round-robin" or "gauntlet" or "swiss" or "knockout" or "ladder" or "sprt" or "sanity" or "milestones" or "practice"
    "#);
}

#[test]
fn a_file_in_full_is_written_as_it_was_read() {
    let text = r#"version = 1
title = 'Contest "2026"'
seed = 42

[game]
name = "coloured-awale"
both_40 = "off"

[clock]
per_move = "3s"
first_move = "6s"
start_up = "20s"
per_game = "off"
plies = 400
margin = "5ms"
bank = "1m"
increment = "100ms"
starved_replays = 5

[format]
kind = "round-robin"
pairs = 90
points = { win = 3, draw = 1.5, loss = 0 }
tie_breaks = ["wins", "direct"]

[openings]
plies = 4
count = 50

[bots]
include = ["bots/*"]
exclude = ["bots/hostile", "*.bak"]
absent = "forfeit"

[[bot]]
path = "house:random"
name = "random"
display = "Random é"
anchor = 1000.0

[[bot]]
path = "old/x"

[sandbox]
isolation = "full"
require = ["net", "mem~"]
memory = "1GiB"
threads = 8
file_size = "1MiB"
output = "8KiB"
stderr = "1536KiB"
cpu = "off"
idle_cpu_turn = "5ms"
idle_cpu_game = "off"
scratch = "64MiB"
processes = "allowed"
pondering = "allowed"

[store]
durability = "full"
"#;
    assert_eq!(right(text).to_toml(), text);
}

#[test]
fn a_badly_broken_file_is_found_wrong_in_one_pass() {
    insta::assert_snapshot!(faults(r#"
title = 7
sed = 3
[game]
name = "coloured-awle"
[clock]
per_move = 1
per_mov = "1s"
first_move = "5 seconds"
plies = 0
increment = "1s"
[format]
kind = "roundrobin"
pairs = 1_000_001
points = { win = 0, draw = 0.5, los = 1 }
tie_breaks = ["direct", "median", "direct"]
[bots]
include = "bots/*"
exclude = ["***"]
absent = "leave"
[[bot]]
name = "Big Bot"
[[bot]]
path = ""
anchor = inf
[[bot]]
path = "a"
name = "same"
[[bot]]
path = "b"
name = "same"
[store]
durability = "very"
[sandbox]
isolation = "docker"
require = ["net", "mem!", "friendly", 7]
memory = "1G"
threads = 0
output = "64MiB"
cpu = "60"
scratch = 0
processes = true
disk = "1GiB"
"#), @r#"
    1:1: version: it is missing; write version = 1 before all sections
    2:9: title: 7 cannot stand here; write a text in quotes
    3:1: sed: there is no such key; did you mean seed?
    5:8: game.name: there is no game "coloured-awle"; did you mean coloured-awale?
    7:12: clock.per_move: 1 cannot stand here; write a duration from "1ms" to "24h", such as "1.5s", or "off"
    8:1: clock.per_mov: there is no such key; did you mean per_move?
    9:14: clock.first_move: "5 seconds" cannot stand here; write a duration from "1ms" to "24h", such as "1.5s", or "off"
    10:9: clock.plies: 0 cannot stand here; write a whole number from 1 to 1000000 or "off"
    11:13: clock.increment: there is no bank to add to; write bank = "60s" or leave it out
    13:8: format.kind: "roundrobin" cannot stand here; write "round-robin"
    14:9: format.pairs: 1000001 cannot stand here; write a whole number from 1 to 1000000
    15:10: format.points: a win (0.00), a draw (0.50) and a loss (0.00) must be worth less in this order, and a win more than a loss; write { win = 1, draw = 0.5, loss = 0 }
    15:33: format.points.los: there is no such key; did you mean loss?
    16:25: format.tie_breaks: "median" cannot stand here; write "direct" or "buchholz" or "buchholz-cut-1" or "sonneborn-berger" or "wins"
    16:35: format.tie_breaks: "direct" stands here twice; once is enough
    18:11: bots.include: "bots/*" cannot stand here; write a list in [ ]
    19:12: bots.exclude: "***" is no pattern: wildcards are either regular `*` or recursive `**`; write it like "bots/*"
    20:10: bots.absent: "leave" cannot stand here; write "leave-out" or "forfeit"
    21:1: bot.path: it is missing; write path = "bots/…"
    22:8: bot.name: a bot's name is 1 to 40 of the characters a-z 0-9 . _ - and starts with a letter or digit, not "Big Bot"; "big-bot" would do
    24:8: bot.path: "" cannot stand here; write a text that is not empty
    25:10: bot.anchor: inf cannot stand here; write a number from -10000 to 10000
    31:8: bot.name: "same" is the bot of line 28 already; choose another
    33:14: store.durability: "very" cannot stand here; write "normal" or "full"
    35:13: sandbox.isolation: "docker" cannot stand here; write "auto" or "bare" or "portable" or "full"
    36:19: sandbox.require: "mem!" is no promise; there are wall, cpu, mem, procs, threads, out, fsize, disk, net, read, meta, write, signal, turn, fds, covert
    36:39: sandbox.require: 7 cannot stand here; write a text in quotes
    37:10: sandbox.memory: "1G" cannot stand here; write a size with its unit, from "16MiB" to "1TiB"
    38:11: sandbox.threads: 0 cannot stand here; write a whole number from 1 to 10000
    39:10: sandbox.output: "64MiB" cannot stand here; write a size with its unit, from "4KiB" to "4MiB"
    40:7: sandbox.cpu: "60" cannot stand here; write a duration from "1ms" to "24h", such as "1.5s", or "off"
    41:11: sandbox.scratch: 0 cannot stand here; write a size with its unit, from "0" to "1TiB"
    42:13: sandbox.processes: true cannot stand here; write "forbidden" or "allowed"
    43:1: sandbox.disk: there is no such key; [sandbox] has isolation, require, memory, threads, file_size, output, stderr, cpu, idle_cpu_turn, idle_cpu_game, scratch, processes, pondering
    "#);
}

#[test]
fn options_of_the_game_are_judged_each_in_its_place() {
    insta::assert_snapshot!(faults(r#"
version = 2
[game]
name = "coloured-awale"
both_40 = "perhaps"
bth_40 = true
seeds = [1, 2]
deep = [{ seeds = 1 }]
[bots]
include = ["bots/*"]
"#), @r#"
2:11: version: 2 cannot stand here; write version = 1, or use a newer Pitmaster if the file was made for one
5:11: game.both_40: both_40 is score, draw or off, not "perhaps"
6:1: game.bth_40: coloured-awale has no option "bth_40"; did you mean both_40?
7:1: game.seeds: coloured-awale has no option "seeds"; it has both_40
8:9: game.deep: a section cannot stand here; write a text, a number, true, false or a list of such
"#);
    insta::assert_snapshot!(faults(
        &SMALLEST.replace("awale", "awale,both_40=perhaps,x=1")
    ), @r#"
2:8: game.both_40: both_40 is score, draw or off, not "perhaps"
2:8: game.x: coloured-awale has no option "x"; it has both_40
"#);
}

#[test]
fn a_file_is_read_by_whoever_can_and_judged_in_its_place() {
    let text =
        SMALLEST.replace("\"coloured-awale\"", "{ name = \"./my.toml\", both_40 = \"off\" }");
    insta::assert_snapshot!(faults(&text), @r#"2:17: game.name: "./my.toml" is a file; one can be named on the command line and in tournament files only"#);
    let mut named = Vec::new();
    let reading = check_with(&text, &mut |spec| {
        named.push(spec.to_string());
        Ok(GameSpec { name: "coloured-awale".into(), ..spec.clone() })
    });
    assert_eq!(named, ["./my.toml,both_40=off"]);
    let tournament = reading.tournament.expect("nothing is wrong");
    assert_eq!(tournament.game.spec(), "coloured-awale,both_40=off");
    let unreadable = check_with(&text, &mut |_| {
        let fault = |text: &str| SpecError::File(text.into());
        Err(SpecErrors(vec![fault("my.toml:1:1: no"), fault("my.toml:2:1: neither")]))
    });
    let places: Vec<_> = unreadable.faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        places,
        ["2:17: game.name: my.toml:1:1: no", "2:17: game.name: my.toml:2:1: neither"]
    );
}

#[test]
fn openings_are_random_or_a_file() {
    let source = |text: &str| right(&format!("openings = {text}\n{SMALLEST}")).openings.source;
    let random = OpeningSource::Random { plies: 4, count: None };
    assert_eq!(source("{ plies = 4 }"), random);
    assert_eq!(source("{ file = \"book.txt\" }"), OpeningSource::File("book.txt".into()));
    assert_eq!(right(SMALLEST).openings.source, OpeningSource::None);
    let wrong = |text: &str| faults(&format!("openings = {text}\n{SMALLEST}"));
    let faults = [
        wrong("{}"),
        wrong("{ count = 4 }"),
        wrong("{ plies = 0, count = 20000 }"),
        wrong("{ file = \"book.txt\", plies = 4, count = 3 }"),
        wrong("{ plies = 4, length = 3 }\nclock.plies = 4"),
    ];
    insta::assert_snapshot!(faults.concat(), @r#"
    1:12: openings: nothing says which; write plies = 4, or file = "openings.txt"
    1:12: openings: nothing says which; write plies = 4, or file = "openings.txt"
    1:22: openings.plies: 0 cannot stand here; write a whole number from 1 to 100
    1:33: openings.count: 20000 cannot stand here; write a whole number from 1 to 10000
    1:41: openings.plies: it is for random openings, and here is a file; leave one of them out
    1:52: openings.count: it is for random openings, and here is a file; leave one of them out
    1:22: openings.plies: nothing is left to be played, as clock.plies is 4
    1:25: openings.length: there is no such key; [openings] has plies, count, file
    "#);
}

#[test]
fn what_is_no_toml_is_told_with_the_rest() {
    insta::assert_snapshot!(faults(r#"version = 1
[game
name = "coloured-awale"
[clock]
per_move = 1s
plies = 3
plies = 4
plis = 4
"unclosed = 5
"#), @r#"
2:6: not TOML: unclosed table, expected `]`
5:12: not TOML: string values must be quoted, expected literal string
7:1: not TOML: duplicate key
8:1: clock.plis: there is no such key; did you mean plies?
9:14: not TOML: key with no value, expected `=`
"#);
    assert!(faults(&SMALLEST.replace("\"bots/*\"", "")).starts_with("1:1: bots: no bots"));
    insta::assert_snapshot!(faults("\u{0}"), @"1:2: not TOML: key with no value, expected `=`");
    insta::assert_snapshot!(faults(""), @r#"
1:1: version: it is missing; write version = 1 before all sections
1:1: game: it is missing; write a section [game] with name = "coloured-awale"
1:1: bots: no bots take part; write [bots] include = ["bots/*"] or some [[bot]]
"#);
}

#[test]
fn every_game_comes_to_an_end() {
    let clock = |clock: &str| format!("{SMALLEST}[clock]\n{clock}");
    let endless = clock("per_move = \"off\"\nper_game = \"off\"\n");
    insta::assert_snapshot!(faults(&endless), @"4:1: clock: nothing ends a game whose bot never moves; set per_move, per_game or bank");
    insta::assert_snapshot!(faults(&clock("plies = \"off\"\nper_game = \"off\"\n")), @"4:1: clock: nothing ends a game that goes in circles; set plies or per_game");
    let bank = right(&clock("per_move=\"off\"\nper_game=\"off\"\nplies=\"off\"\nbank=\"60s\"\n"));
    assert_eq!(bank.limits.first_move, None);
}

#[test]
fn a_first_move_has_no_less_time_than_others_unless_written() {
    let first = |clock: &str| {
        right(&format!("{SMALLEST}[clock]\n{clock}")).limits.first_move.expect("a limit").as_secs()
    };
    assert_eq!(first("per_move = \"2s\""), 5);
    assert_eq!(first("per_move = \"20s\""), 20);
    assert_eq!(first("per_move = \"20s\"\nfirst_move = \"6s\""), 6);
}

#[test]
fn cpu_time_that_is_not_written_is_what_the_clock_leaves() {
    let cpu = |rest: &str| right(&format!("{SMALLEST}{rest}")).limits.resources.cpu;
    let seconds = |seconds| Some(std::time::Duration::from_secs(seconds));
    assert_eq!(cpu(""), seconds(300));
    assert_eq!(cpu("[clock]\nper_game = \"1h\"\nplies = \"off\""), seconds(3640));
    assert_eq!(cpu("[clock]\nper_game = \"1h\"\n[sandbox]\ncpu = \"9s\""), seconds(9));
    assert_eq!(cpu("[sandbox]\ncpu = \"off\""), None);
}

#[test]
fn requirements_have_names_and_add_up() {
    let require =
        |words: &str| right(&format!("{SMALLEST}[sandbox]\nrequire = {words}")).require.to_string();
    assert_eq!(require("[]"), "");
    assert_eq!(require("[\"friendly\", \"net\", \"procs\"]"), "wall,out,procs,net");
    assert_eq!(right(SMALLEST).require, pitmaster_core::Requirements::official());
}

#[test]
fn points_are_exact_and_in_order() {
    let points = |points: &str| format!("{SMALLEST}[format]\npoints = {points}\n");
    let football = right(&points("{ win = 3, draw = 1, loss = -0.25 }"));
    assert!(football.to_toml().contains("points = { win = 3, draw = 1, loss = -0.25 }\n"));
    for wrong in
        ["{ draw = 0.333 }", "{ win = nan }", "{ win = 0 }", "{ draw = 2 }", "{ loss = 1 }"]
    {
        assert!(faults(&points(wrong)).contains("format.points"), "{wrong}");
    }
}

#[test]
fn bots_can_be_judged_although_the_rest_is_wrong() {
    let text = "seed = -1\n[bots]\ninclude = [\"a\",\n  \"b\"]\n[[bot]]\npath = \"c\"\n";
    let bots = check(text).bots;
    let places: Vec<_> = bots.include.iter().map(|p| format!("{} {}", p.value, p.place)).collect();
    assert_eq!(places, ["a 3:12", "b 4:3"]);
    assert_eq!(bots.entries[0].place.to_string(), "5:1");
    assert_eq!(bots.entries[0].path.place.to_string(), "6:8");
}

#[test]
fn files_of_windows_editors_are_read() {
    let text = format!("\u{feff}{}", SMALLEST.replace('\n', "\r\n"));
    assert_eq!(shown(&right(&text)), shown(&right(SMALLEST)));
    let wrong = format!("\u{feff}{}", SMALLEST.replace("game", "gamme").replace('\n', "\r\n"));
    assert!(faults(&wrong).starts_with("1:1: game: it is missing"), "{}", faults(&wrong));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = check(&text);
    }

    /// Pieces of valid files in any order, which reach more edge cases than arbitrary text.
    #[test]
    fn any_pieces_are_read_or_refused(
        pieces in proptest::collection::vec(prop::sample::select(PIECES), 0..30)
    ) {
        let text = pieces.concat();
        let reading = check(&text);
        prop_assert_eq!(reading.tournament.is_none(), !reading.faults.is_empty());
        if let Some(tournament) = reading.tournament {
            prop_assert_eq!(shown(&right(&tournament.to_toml())), shown(&tournament));
        }
    }
}

const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "=",
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    "\"",
    "\"",
    ".",
    "é",
    "\u{feff}",
    "version = 1\n",
    "version",
    "game = \"coloured-awale\"\n",
    "[game]\n",
    "name",
    "both_40",
    "[bots]\n",
    "include = [\"bots/*\"]\n",
    "[[bot]]\n",
    "path = \"x\"\n",
    "anchor = 1e3\n",
    "[clock]\n",
    "per_move = \"1s\"\n",
    "bank = \"1h\"\n",
    "increment = \"1s\"\n",
    "plies = \"off\"\n",
    "off",
    "1",
    "-",
    "inf",
    "[format]\n",
    "points = {win = 2}\n",
    "tie_breaks",
    "[format.points]\n",
    "draw = 0.5\n",
    "[sandbox]\n",
    "isolation = \"bare\"\n",
    "require = [\"net\", \"official\"]\n",
    "memory = \"32MiB\"\n",
    "cpu = \"off\"\n",
    "pondering = \"allowed\"\n",
    "1979-05-27",
    "true",
    "#",
    "\\u0000",
];
