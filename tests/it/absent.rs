//! Bots that cannot play are named before the first game, and ranked as the file demands.

use serde_json::Value;

use crate::contest::{PATIENT, tournament};
use crate::scratch::{Ran, Scratch};

const CANNOT: [&str; 5] =
    ["crlf-after-shebang", "does-not-build", "missing-tool", "not-executable", "windows-program"];

/// Two working bots and five that cannot play.
fn field(absent: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first");
    for bot in CANNOT {
        scratch.sample(&format!("hostile/{bot}"));
    }
    let bots = format!("include = ['own/*']\nabsent = '{absent}'");
    scratch.write("cup.toml", tournament(PATIENT, 1, &bots));
    scratch
}

/// Messages about bots that cannot play, sorted by name.
fn named(ran: &Ran) -> String {
    let mut lines: Vec<_> =
        ran.stderr.lines().filter(|line| line.contains("cannot play")).collect();
    lines.sort_unstable();
    lines.join("\n")
}

#[test]
fn who_cannot_play_is_named_before_the_first_game_and_left_out() {
    let scratch = field("leave-out");
    let ran = scratch.run("run cup.toml").done();
    insta::assert_snapshot!(named(&ran), @"
    cup.toml:14:12: crlf-after-shebang cannot play (left out): it would not start: its first line ends with CR LF; save it with Unix line ends; run was `./bot.py {n}` in [scratch]/own/crlf-after-shebang
    cup.toml:14:12: does-not-build cannot play (left out): it did not build: `cc -o bot bot.c` exited with code 1
    cup.toml:14:12: missing-tool cannot play (left out): it needs pitmaster-no-such-tool, which is not on this machine's PATH; install it
    cup.toml:14:12: not-executable cannot play (left out): it would not start: it is not executable; chmod +x it; run was `./bot.sh {n}` in [scratch]/own/not-executable
    cup.toml:14:12: windows-program cannot play (left out): it would not start: a Windows program; build it for Linux; run was `./bot.exe {n}` in [scratch]/own/windows-program
    ");
    let (before, _) = ran.stderr.split_once("cup: 2 bots, 2 games").expect("the plan");
    assert_eq!(before.matches("cannot play").count(), 5, "{}", ran.stderr);
    let mut bots = scratch.column("results/cup/leaderboard.csv", "bot");
    bots.sort();
    let mut named = [&["dice", "first"][..], &CANNOT].concat();
    named.sort_unstable();
    assert_eq!(bots, named);
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
}

#[test]
fn who_was_left_out_stands_everywhere_with_the_reason() {
    let scratch = field("leave-out");
    let ran = scratch.run("run cup.toml --json").done();
    let events: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told = events.iter().filter(|event| event["event"] == "left-out");
    let told: Vec<_> = told.map(|event| event["bot"].as_str().expect("a name")).collect();
    assert_eq!(told, CANNOT);
    assert_eq!(events[0]["event"], "started", "those who read events begin with it");
    // Below those who have a rank, in the file, on the terminal and in every other table.
    let file = scratch.column("results/cup/leaderboard.csv", "bot");
    assert_eq!(file[2..], CANNOT);
    let reasons = scratch.column("results/cup/leaderboard.csv", "left_out");
    insta::assert_snapshot!(reasons[2..].join("\n"), @"
    it would not start: its first line ends with CR LF; save it with Unix line ends
    it did not build: `cc -o bot bot.c` exited with code 1
    it needs pitmaster-no-such-tool, which is not on this machine's PATH; install it
    it would not start: it is not executable; chmod +x it
    it would not start: a Windows program; build it for Linux
    ");
    let games = scratch.column("results/cup/leaderboard.csv", "games");
    assert_eq!(games, ["2", "2", "0", "0", "0", "0", "0"]);
    let table = scratch.run("standings results/cup").done().stdout;
    let below: Vec<_> = table
        .lines()
        .filter(|line| line.starts_with('-') || line.contains(" was left out: "))
        .collect();
    insta::assert_snapshot!(below.join("\n"), @"
    -  crlf-after-shebang
    -  does-not-build
    -  missing-tool
    -  not-executable
    -  windows-program
    crlf-after-shebang was left out: it would not start: its first line ends with CR LF; save it with Unix line ends
    does-not-build was left out: it did not build: `cc -o bot bot.c` exited with code 1
    missing-tool was left out: it needs pitmaster-no-such-tool, which is not on this machine's PATH; install it
    not-executable was left out: it would not start: it is not executable; chmod +x it
    windows-program was left out: it would not start: a Windows program; build it for Linux
    ");
    for other in ["--by opponent", "--superiority", "--workers"] {
        let table = scratch.run(&format!("standings results/cup {other}")).done().stdout;
        assert!(
            CANNOT.iter().all(|bot| table.contains(&format!("{bot} was left out: "))),
            "{table}"
        );
    }
    let page = scratch.read("results/cup/report.html");
    assert!(page.contains("it did not build: `cc -o bot bot.c` exited with code 1"));
    assert!(page.contains("2, and 5 left out"));
    assert!(page.contains(&format!("Left out, and so without games: {}.", CANNOT.join(", "))));
    let database = rusqlite::Connection::open(scratch.path("results/cup/tournament.db"));
    let sql = "SELECT group_concat(name) FROM v_bots WHERE state = 'left-out' AND reason <> ''";
    let names: String =
        database.expect("opens").query_row(sql, (), |row| row.get(0)).expect("a view");
    assert_eq!(names, CANNOT.join(","));
}

#[test]
fn everybody_may_know_who_was_left_out_but_not_why() {
    let scratch = field("leave-out");
    scratch.run("run cup.toml -q").done();
    scratch.run("report results/cup --public --out public.html").done();
    let page = scratch.read("public.html");
    assert!(page.contains("2, and 5 left out"));
    for secret in CANNOT.iter().chain(&["bot.c", "CR LF", "no-such-tool"]) {
        assert!(!page.contains(secret), "{secret}");
    }
    assert!(page.contains("left out: it cannot play"));
}

#[test]
fn who_was_left_out_and_mended_is_left_out_no_more() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").sample("hostile/does-not-build");
    scratch.write("cup.toml", tournament(PATIENT, 1, "include = ['own/*']"));
    scratch.run("run cup.toml -q").done();
    let bots = |scratch: &Scratch| scratch.column("results/cup/leaderboard.csv", "left_out");
    assert_eq!(bots(&scratch).iter().filter(|reason| !reason.is_empty()).count(), 1);
    std::fs::remove_dir_all(scratch.path("own/does-not-build")).expect("can be removed");
    scratch.fast("does-not-build", "last");
    scratch.run("run cup.toml -q").done();
    assert_eq!(bots(&scratch), ["", "", ""]);
}

#[test]
fn who_cannot_play_forfeits_unplayed_if_the_file_says_so() {
    let scratch = field("forfeit");
    scratch.run("run cup.toml --lanes 2").done();
    let endings = scratch.column("results/cup/games.csv", "ending");
    let count = |name: &str| endings.iter().filter(|ending| *ending == name).count();
    // Each of the five meets both good bots, and each other.
    assert_eq!(endings.len(), 42);
    assert_eq!(count("both-forfeited"), 20);
    assert_eq!(count("would-not-start"), 12);
    assert_eq!(count("did-not-build"), 8);
    let before = scratch.timeless("results/cup");
    let again = scratch.start("run cup.toml --lanes 2").end(&scratch);
    assert_eq!(again.code, Some(0), "{}", again.all());
    assert_eq!(scratch.timeless("results/cup"), before);
    assert_eq!(scratch.attempts("results/cup", "valid"), 42);
    assert_eq!(scratch.attempts("results/cup", "surplus"), 0, "{}", again.all());
}

#[test]
fn forfeits_of_an_absent_bot_neither_suspend_it_nor_break_a_streak() {
    let scratch = Scratch::new();
    scratch.fast("cheat", "illegal").fast("dice", "random").sample("hostile/missing-tool");
    let bots = "include = ['own/*']\nabsent = 'forfeit'";
    scratch.write("cup.toml", tournament(PATIENT, 8, bots));
    let first = scratch.run("run cup.toml").done();
    assert!(first.stderr.contains("cheat is suspended"), "{}", first.stderr);
    let before = scratch.timeless("results/cup");
    let again = scratch.run("run cup.toml").done();
    assert!(!again.stderr.contains("missing-tool is suspended"), "{}", again.stderr);
    assert_eq!(scratch.timeless("results/cup"), before);
    assert_eq!(scratch.attempts("results/cup", "valid"), 48);
}

#[test]
fn a_bot_that_was_mended_plays_the_games_it_forfeited() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("late", "last");
    let manifest = scratch.read("own/late/bot.toml");
    // What is missing is missing on the machine: the bot stays the same.
    scratch.write("own/late/bot.toml", format!("{manifest}needs = ['pitmaster-test-tool']\n"));
    let bots = "include = ['own/*']\nabsent = 'forfeit'";
    scratch.write("cup.toml", tournament(PATIENT, 1, bots));
    scratch.run("run cup.toml -q").done();
    let forfeits = |scratch: &Scratch| {
        let losers = scratch.column("results/cup/games.csv", "forfeited_by");
        losers.iter().filter(|loser| *loser == "late").count()
    };
    assert_eq!(forfeits(&scratch), 4);
    scratch.tool("pitmaster-test-tool");
    let mut command = scratch.command("run cup.toml -q");
    let path = std::env::var("PATH").expect("a PATH");
    command.env("PATH", format!("{}:{path}", scratch.path("tools").display()));
    scratch.ran(command.output().expect("the binary starts")).done();
    assert_eq!(forfeits(&scratch), 0);
    assert_eq!(scratch.attempts("results/cup", "void"), 4);
    assert_eq!(scratch.attempts("results/cup", "valid"), 6);
}

/// Three folders without a program, one with an error in its manifest, and a working bot twice.
fn class(absent: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("last", "last");
    for bot in ["ana", "bob", "cid"] {
        scratch.write(&format!("own/{bot}/report.txt"), format!("by {bot}"));
    }
    scratch.sample("hostile/does-not-build");
    let bots = format!("include = ['own/*']\nabsent = '{absent}'");
    let bots = format!("{bots}\n[[bot]]\npath = 'house:greedy'\nanchor = 1500\n");
    scratch.write("cup.toml", tournament(PATIENT, 2, &bots));
    scratch
}

#[test]
fn who_cannot_play_for_the_same_reason_is_named_once() {
    let scratch = class("leave-out");
    let ran = scratch.run("run cup.toml").done();
    insta::assert_snapshot!(named(&ran), @"
    cup.toml:14:12: 3 bots cannot play (left out): ana, bob, cid
    cup.toml:14:12: does-not-build cannot play (left out): it did not build: `cc -o bot bot.c` exited with code 1
    ");
    assert_eq!(ran.stderr.matches("nothing here is a program").count(), 1, "{}", ran.stderr);
}

#[test]
fn a_strict_run_ends_with_findings_if_a_bot_cannot_play() {
    for (absent, were) in [("leave-out", "were left out"), ("forfeit", "forfeit all games")] {
        let scratch = class(absent);
        let line = format!("4 of 8 bots did not play and {were}: ana, bob, cid, does-not-build");
        let ran = scratch.run("run cup.toml").done();
        assert!(ran.stderr.contains(&line), "{}", ran.stderr);
        let strict = scratch.run("run cup.toml --strict -q");
        assert_eq!(strict.code, Some(1), "{}", strict.all());
        assert!(strict.stderr.contains(&format!("error: {line}")), "{}", strict.stderr);
    }
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first");
    scratch.write("cup.toml", tournament(PATIENT, 1, "include = ['own/*']"));
    scratch.run("run cup.toml --strict").done();
}

#[test]
fn the_absent_change_no_rating_and_have_no_distinct_games() {
    let ratings = |absent: &str| {
        let scratch = class(absent);
        scratch.run("run cup.toml -q").done();
        let file = "results/cup/leaderboard.csv";
        let [bots, elo, low, distinct, hash] = ["bot", "elo", "elo_low", "distinct", "hash"]
            .map(|column| scratch.column(file, column));
        let rows = bots.into_iter().zip(elo).zip(low).zip(distinct).zip(hash);
        let mut rows: Vec<_> = rows.collect();
        rows.sort();
        rows
    };
    let (left_out, forfeited) = (ratings("leave-out"), ratings("forfeit"));
    let is_absent = |bot: &str| ["ana", "bob", "cid", "does-not-build"].contains(&bot);
    for (with, without) in forfeited.iter().zip(&left_out) {
        let ((((bot, elo), _), distinct), hash) = with;
        if is_absent(bot) {
            assert_eq!((elo.as_str(), distinct.as_str()), ("", "0"), "{bot}");
        } else {
            assert_eq!(with, without, "{bot}");
        }
        let alike = forfeited.iter().filter(|(_, other)| other == hash).count();
        assert_eq!(alike, 1, "{bot} has a hash of its own");
    }
}

#[test]
fn a_run_says_in_which_dialect_a_bot_answers() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first");
    // It exits at whatever is no first line of arena.
    scratch.write("own/other/bot.sh", "read line\n[ \"$line\" = START ] || exit 1\necho 1R\n");
    let manifest = "name = 'other'\nrun = ['sh', 'bot.sh']\ndialect = 'pitmaster'\n";
    scratch.write("own/other/bot.toml", manifest);
    scratch.write("cup.toml", tournament(PATIENT, 1, "include = ['own/*']"));
    let ran = scratch.run("run cup.toml").done();
    let line = ran.stderr.lines().find(|line| line.contains("other failed its trial"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.stderr));
    let cause = "it answers in arena: write dialect = \"arena\" in its bot.toml";
    assert!(line.contains("it exited with code 1") && line.contains(cause), "{line}");
}

/// A bot whose build fails with cargo's message for a missing network.
fn offline(scratch: &Scratch, name: &str) {
    let says = "echo \"error: failed to download from https://index.crates.io/: $0\"; exit 101\n";
    scratch.write(&format!("own/{name}/build.sh"), says);
    scratch.write(&format!("own/{name}/why.txt"), name);
    let manifest = "build = ['sh', 'build.sh']\nrun = ['./bot']\ndialect = 'arena'\n";
    scratch.write(&format!("own/{name}/bot.toml"), manifest);
}

#[test]
fn a_build_that_lacks_the_network_says_so() {
    let scratch = Scratch::new();
    offline(&scratch, "ana");
    let alone = scratch.run("check own/ana --quick");
    assert!(alone.stdout.contains("builds have no network: run `cargo vendor`"), "{}", alone.all());
    offline(&scratch, "bob");
    scratch.write("own/cid/report.txt", "nothing to play");
    let several = scratch.run("check own/ana own/bob own/cid --quick --csv bots.csv");
    // What a finding announces follows it.
    assert!(
        several.stdout.contains("write a bot.toml:\n            build = "),
        "{}",
        several.all()
    );
    let reasons = scratch.column("bots.csv", "reason");
    assert!(reasons[0].contains("exited with code 101; builds have no network: "), "{reasons:?}");
    assert!(reasons[2].contains("nothing here is a program"), "{reasons:?}");
    scratch.fast("dice", "random").fast("first", "first");
    scratch.write("cup.toml", tournament(PATIENT, 1, "include = ['own/*']"));
    let ran = scratch.run("run cup.toml").done();
    assert!(ran.stderr.contains("2 bots cannot play (left out): ana, bob\n"), "{}", ran.stderr);
    let cause = "it needs the network, and builds have none; run `cargo vendor`";
    assert_eq!(ran.stderr.matches(cause).count(), 1, "{}", ran.stderr);
}
