//! `pitmaster perft` from outside.

use crate::scratch::Scratch;

fn nodes(args: &str) -> String {
    let ran = Scratch::new().run(&format!("perft {args}")).done();
    let line = ran.stdout.lines().find_map(|line| line.strip_prefix("nodes ")).expect("a count");
    line.trim().to_owned()
}

#[test]
fn the_count_is_the_same_on_any_number_of_threads() {
    let one = nodes("coloured-awale 4");
    assert_eq!(one, nodes("coloured-awale 4 --threads 2"));
    assert_eq!(one, nodes("coloured-awale 4 --threads 2 --divide"));
    assert_eq!(nodes("coloured-awale 0"), "1");
    assert_eq!(nodes("coloured-awale 1"), "32");
}

#[test]
fn what_is_wrong_is_told_with_what_would_be_right() {
    let scratch = Scratch::new();
    let wrong = |args: &[&str]| {
        let ran = scratch.run_with(args);
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        ran.stderr.lines().next().unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(wrong(&["perft", "chess", "3"]), @r#"error: there is no game "chess"; `pitmaster games` lists all"#);
    insta::assert_snapshot!(wrong(&["perft", "coloured-awale", "deep"]), @"error: invalid value 'deep' for '<DEPTH>': invalid digit found in string");
    insta::assert_snapshot!(wrong(&["perft", "coloured-awale", "4294967295"]), @"error: invalid value '4294967295' for '<DEPTH>': 4294967295 is not in 0..=100");
    insta::assert_snapshot!(wrong(&["perft", "coloured-awale", "3", "--position", "\u{1b}[2J"]), @"error: --position: a position is 16 holes (red.blue.transparent) with commas between, the scores and the side to move, like 2.2.2,…,2.2.2/0-0/1; `pitmaster games show` prints an example");
    insta::assert_snapshot!(wrong(&["perft", "coloured-awale", "3", "--threads", "0"]), @"error: invalid value '0' for '--threads <N>': 0 is not in 1..=1024");
}
