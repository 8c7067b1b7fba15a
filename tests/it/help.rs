//! `pitmaster help` and `games` from outside.

use std::io::Read as _;
use std::process::Stdio;

use crate::scratch::Scratch;

#[test]
fn every_topic_has_help() {
    let scratch = Scratch::new();
    for (topic, text) in [
        ("", "Commands:\n"),
        ("protocol", "## Dialect arena\n"),
        ("tournament", "[clock]\n  per_move "),
        ("perft", "Usage: pitmaster perft [OPTIONS] <GAME> <DEPTH>\n"),
        ("games", "pitmaster games show kalah"),
    ] {
        let ran = scratch.run(&format!("help {topic}")).done();
        assert!(ran.stdout.contains(text), "{topic}: {}", ran.stdout);
    }
    assert_eq!(scratch.run("help chess").code, Some(2));
}

#[test]
fn games_are_listed_and_shown() {
    let scratch = Scratch::new();
    assert!(scratch.run("games").done().stdout.starts_with("coloured-awale "));
    let shown = scratch.run("games show coloured-awale").done().stdout;
    assert!(shown.contains("legal moves  32, such as 1R\n"), "{shown}");
    assert_eq!(scratch.run("games show chess").code, Some(2));
}

/// A reader may stop early, as in `pitmaster help protocol | head -1`.
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let scratch = Scratch::new();
    let mut command = scratch.command("help protocol");
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("reads");
    assert_eq!((child.wait().expect("it ends").code(), said.as_str()), (Some(0), ""));
}
