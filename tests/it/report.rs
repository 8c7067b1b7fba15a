//! `pitmaster report` from outside: required and forbidden content of pages.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use serde_json::Value;

use crate::contest::patient;
use crate::scratch::Scratch;

/// Writes unique words to standard error and next to its moves, and plays illegal moves.
const TELLTALE: &str = r#"
import sys
moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster": print("ready", flush=True)
    elif word == "newgame": print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "go":
        print("WHISPER-OF-NAME", file=sys.stderr, flush=True)
        print("info value 1.5 REMARK-OF-NAME", flush=True)
        print("move 99TR # LINE-OF-NAME" if len(sys.argv) > 1 else "move " + moves[0], flush=True)
    elif word == "quit": break
"#;

/// A bot of an author with an accent that may forfeit.
fn telltale(scratch: &Scratch, name: &str, forfeits: bool) {
    let args = if forfeits { ", 'forfeit'" } else { "" };
    scratch.write(&format!("own/{name}/bot.py"), TELLTALE.replace("NAME", name)).write(
        &format!("own/{name}/bot.toml"),
        format!(
            "run = ['python3', 'bot.py'{args}]\ndialect = 'pitmaster'\n\
             display = 'Éloïse’s {name}'\nauthors = ['Zoé Ñandú of {name}', 'Ğül']\n"
        ),
    );
}

/// Three bots with much output, one of which forfeits.
fn played() -> Scratch {
    let scratch = Scratch::new();
    telltale(&scratch, "zoe-cheats", true);
    telltale(&scratch, "anatole", false);
    scratch.fast("dice", "random");
    scratch.write("cup.toml", patient(2).replace("seed = 7", "title = 'Coupe d’été'\nseed = 7"));
    scratch.run("run cup.toml -q").done();
    scratch
}

/// Content of the script with that id.
fn script<'p>(page: &'p str, id: &str) -> &'p str {
    let tag = page.split(&format!(" id=\"{id}\">")).nth(1);
    let inner = tag.unwrap_or_else(|| panic!("a script {id}")).split("</script>").next();
    inner.expect("it ends")
}

/// The same, decompressed.
fn unpacked(page: &str, id: &str) -> Value {
    let deflated = base64::engine::general_purpose::STANDARD.decode(script(page, id)).expect("64");
    let inflated = flate2::read::DeflateDecoder::new(&*deflated);
    serde_json::from_reader(inflated).expect("JSON")
}

/// All content of a page as one text, with packed data replaced by its unpacked form, because
/// packed data contains any short word by chance.
fn everything(page: &str) -> String {
    let tag = "<script type=\"text/plain\" id=\"";
    let ids: Vec<_> = page.split(tag).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(!ids.is_empty());
    ids.iter().fold(page.to_owned(), |all, id| {
        all.replacen(script(page, id), &unpacked(page, id).to_string(), 1)
    })
}

fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().expect("a head").iter().position(|head| head == name);
    let at = at.unwrap_or_else(|| panic!("a column {name}"));
    reader.records().map(|row| row.expect("a row")[at].to_owned()).collect()
}

#[test]
fn a_run_ends_with_a_page_of_all_its_games() {
    let scratch = played();
    let page = scratch.read("results/cup/report.html");
    assert!(page.contains("<title>Coupe d’été</title>"));
    assert!(page.contains("Éloïse’s anatole, by Zoé Ñandú of anatole, Ğül"), "authors");
    let csv = scratch.read("results/cup/games.csv");
    let index = unpacked(&page, "t1-index");
    assert_eq!(index["id"], Value::from(column(&csv, "id")));
    let scores: Vec<u64> = column(&csv, "score1").iter().map(|s| s.parse().unwrap()).collect();
    assert_eq!(index["s1"], Value::from(scores));
    let games = unpacked(&page, "t1-games-0");
    assert_eq!(games.as_array().map(Vec::len), Some(12));
    let all = games.to_string();
    for word in ["WHISPER-OF-zoe-cheats", "REMARK-OF-anatole", "LINE-OF-zoe-cheats"] {
        assert!(all.contains(word), "{word}");
    }
}

#[test]
fn an_illegal_move_says_why_wherever_it_is_shown() {
    let scratch = Scratch::new();
    scratch.fast("cheat", "illegal").fast("dice", "random");
    let limits = "--per-move 1m --per-game 10m";
    let ran = scratch.run(&format!("match own/cheat own/dice --pairs 1 --name cup {limits}"));
    let (as_1, as_2) = ("hole 2 is player 2's", "hole 1 is player 1's");
    let shown = ran.done();
    assert!(shown.stderr.contains("illegal move: hole "), "{}", shown.all());
    assert!(shown.stdout.contains("illegal move: hole "), "{}", shown.all());
    let mut detail = scratch.column("results/cup/games.csv", "detail");
    detail.sort_unstable();
    assert_eq!(detail, [as_2, as_1].map(|why| format!("illegal move: {why}")));
    let page = everything(&scratch.read("results/cup/report.html"));
    assert!(page.contains(as_1) && page.contains(as_2), "the page");
    let id = scratch.column("results/cup/games.csv", "id").remove(0);
    let replay = scratch.run(&format!("replay results/cup {id} --all")).done();
    assert!(replay.stdout.contains("forfeited: illegal move: hole "), "{}", replay.all());
}

#[test]
fn nothing_outside_is_named_by_the_page() {
    let scratch = played();
    let page = scratch.read("results/cup/report.html");
    for outside in ["http://", "https://", "src=\"", "@import", "url("] {
        let found: Vec<_> = page.match_indices(outside).map(|(at, _)| &page[at..]).collect();
        // The names of XML's languages are addresses that nobody asks.
        let found = found.iter().filter(|rest| !rest.starts_with("http://www.w3.org/"));
        let found: Vec<_> = found.map(|rest| rest.chars().take(80).collect::<String>()).collect();
        assert_eq!(found, Vec::<String>::new(), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_page_is_made_anew_as_it_was() {
    let scratch = played();
    let before = scratch.read("results/cup/report.html");
    let ran = scratch.run("report results/cup").done();
    assert_eq!(ran.stdout, "results/cup/report.html\n");
    assert_eq!(scratch.read("results/cup/report.html"), before);
}

#[test]
fn a_game_of_the_page_is_a_game_for_the_other_commands() {
    let scratch = played();
    let page = scratch.read("results/cup/report.html");
    let games = unpacked(&page, "t1-games-0");
    for game in games.as_array().expect("games") {
        // What the page's script puts back into the file.
        let mut file = game["file"].clone();
        let plies = game["plies"].as_array().expect("plies").iter().map(|ply| {
            let by = ply[0].as_u64().filter(|side| *side > 0);
            let nanos = |at: usize| ply[at].as_u64().expect("a time") * 1000;
            serde_json::json!({
                "by": by, "text": ply[1], "wall_ns": nanos(2), "cpu_ns": nanos(3), "waiting_ns": 0
            })
        });
        file["record"]["plies"] = plies.collect();
        scratch.write("game.json", file.to_string());
        let replayed = scratch.run("replay game.json --all");
        assert_eq!(replayed.code, Some(0), "{}\n{file}", replayed.all());
    }
}

#[test]
fn everybody_learns_no_author_and_no_word() {
    let scratch = played();
    scratch.write("spring.toml", patient(1).replace("seed = 7", "seed = 8"));
    scratch.run("run spring.toml -q").done();
    scratch.run("report results/cup results/spring --public --out public.html").done();
    // A folder whose name tells who met, as `match` makes them, of a tournament without a title.
    fs::rename(scratch.path("results/spring"), scratch.path("results/anatole-vs-dice")).unwrap();
    scratch.run("report results/anatole-vs-dice --public --out match.html").done();
    let page = scratch.read("match.html");
    assert!(page.contains("<title>coloured-awale</title>"));
    let all = everything(&scratch.read("public.html")) + &everything(&page);
    let folder = scratch.path("").canonicalize().unwrap().display().to_string();
    let hashes = column(&scratch.read("results/cup/leaderboard.csv"), "hash");
    let ids = column(&scratch.read("results/cup/games.csv"), "id");
    let names = ["zoe-cheats", "anatole", "dice", "Éloïse", "loïse", "Zoé", "Ñandú", "Ğül"];
    let words = ["WHISPER", "REMARK", "LINE-OF", "own/", "bot.py", "99TR", "/home", "/tmp"];
    let secrets = names.into_iter().chain(words).chain([&*folder]).map(str::to_owned);
    let shorter = hashes.iter().map(|hash| hash[..8].to_owned());
    for secret in secrets.chain(shorter).chain(ids) {
        assert!(!all.contains(&secret), "{secret}");
    }
    assert!(all.contains("value 1.5"), "what a bot thought of its position is a number");
}

#[test]
fn a_pseudonym_stays_for_a_semester() {
    let scratch = played();
    scratch.write("spring.toml", patient(1).replace("seed = 7", "seed = 8"));
    scratch.run("run spring.toml -q").done();
    let names = |folder: &str| {
        let ran = scratch.run(&format!("report {folder} --public --format text")).done();
        let rows = ran.stdout.lines().skip(2).take(3);
        let mut names: Vec<_> =
            rows.map(|row| row.split_whitespace().nth(1).unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let first = names("results/cup");
    assert_eq!(first, names("results/spring"));
    assert_eq!(first.len(), 3);
    fs::remove_file(scratch.path("results/pseudonyms.secret")).expect("it stands there");
    assert_ne!(names("results/cup"), first);
}

#[test]
fn an_author_gets_the_own_evidence_only() {
    let scratch = played();
    let ran = scratch.run("report results/cup --per-bot pages").done();
    assert_eq!(ran.stdout, "pages/anatole.html\npages/dice.html\npages/zoe-cheats.html\n");
    let page = |name: &str| everything(&scratch.read(&format!("pages/{name}.html")));
    let (cheat, other) = (page("zoe-cheats"), page("anatole"));
    for word in ["WHISPER-OF-zoe-cheats", "LINE-OF-zoe-cheats", "Zoé Ñandú of zoe-cheats"] {
        assert!(cheat.contains(word), "{word}");
        assert!(!other.contains(word), "{word}");
    }
    assert!(other.contains("REMARK-OF-anatole") && !cheat.contains("REMARK-OF-anatole"));
    // Everybody stands in the table, but only the own games are there.
    assert!(cheat.contains("anatole") && cheat.contains("dice"));
    let games = unpacked(&scratch.read("pages/dice.html"), "t1-index");
    let csv = scratch.read("results/cup/games.csv");
    let bots = column(&csv, "bot1").into_iter().zip(column(&csv, "bot2"));
    let own = bots.filter(|(one, two)| one == "dice" || two == "dice").count();
    assert_eq!(games["id"].as_array().map(Vec::len), Some(own));
}

#[test]
fn an_author_among_pseudonyms_finds_the_own_name() {
    let scratch = played();
    scratch.run("report results/cup --public --per-bot pages").done();
    let page = everything(&scratch.read("pages/anatole.html"));
    assert!(page.contains("anatole") && page.contains("REMARK-OF-anatole"));
    assert!(!page.contains("zoe-cheats") && !page.contains("dice"));
}

#[test]
fn the_page_of_a_bot_that_does_not_build_has_the_words_of_the_compiler() {
    let scratch = Scratch::new();
    scratch.write("own/broken/bot.c", "int main(void) { return undeclared_name; }\n");
    let bots = "bots/random-python bots/greedy-python own/broken house:random";
    scratch.run(&format!("match {bots} --pairs 1 --name cup"));
    let pages = scratch.run("report results/cup --per-bot pages").done().stdout;
    assert_eq!(pages, "pages/broken.html\npages/greedy-python.html\npages/random-python.html\n");
    let words = "undeclared_name";
    assert!(scratch.read("pages/broken.html").contains(words));
    assert!(!scratch.read("pages/greedy-python.html").contains(words));
    assert!(scratch.read("results/cup/report.html").contains(words), "the operator sees it");
    insta::assert_snapshot!(scratch.read("pages/index.csv"), @"
    bot,display,page
    broken,,broken.html
    greedy-python,greedy-python,greedy-python.html
    random-python,random-python,random-python.html
    ");
}

#[test]
fn pictures_are_files() {
    let scratch = played();
    let ran = scratch.run("report results/cup --svg pictures --lang fr").done();
    let names: Vec<_> = ran.stdout.lines().map(Path::new).collect();
    assert!(names.iter().any(|name| name.ends_with("elo.svg")), "{}", ran.stdout);
    assert!(names.iter().any(|name| name.ends_with("crosstable.svg")), "{}", ran.stdout);
    for name in &names {
        let svg = scratch.read(&name.display().to_string());
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{name:?}");
    }
    assert!(scratch.read("pictures/crosstable.svg").contains("Tableau croisé"));
}

#[test]
fn a_page_speaks_french() {
    let scratch = played();
    scratch.run("report results/cup --lang fr --out ici.html").done();
    let page = scratch.read("ici.html");
    assert!(page.contains("<html lang=\"fr\">"));
    for word in ["Classement", "Tableau croisé", "Parties", "ligne qui n'est pas un coup"] {
        assert!(page.contains(word), "{word}");
    }
    let mut french = scratch.command("report results/cup --out la.html");
    french.env("LC_ALL", "fr_FR.UTF-8");
    assert!(french.output().expect("runs").status.success());
    assert_eq!(scratch.read("la.html"), page);
}

#[test]
fn standings_for_a_chat_or_a_readme() {
    let scratch = played();
    let text = scratch.run("report results/cup --format text --lang fr").done().raw.stdout;
    insta::assert_snapshot!(String::from_utf8(text).unwrap(), @"
    Coupe d’été
    #  bot         parties  distinctes  V-N-D  points  % victoires    95 %    Elo          ±  forfaits
    1  anatole           8           6  8-0-0    8,00      100,0 %  61–100  >1961  -319 +869
    2  dice              8           7  4-0-4    4,00       50,0 %   20–80   1482       ±349
    3  zoe-cheats        8           5  0-0-8    0,00        0,0 %    0–43  <1056  -880 +328         8
    > ou < : il a gagné, ou perdu, toutes les parties qui borneraient son Elo ; la dispersion de tous les bots fixe la borne.
    L'Elo ne départage pas les rangs d'un groupe (95 %) : 1–2, 2–3.
    9 parties distinctes sur 12 ; une partie rejouée ne resserre aucun intervalle.
    Isolement : portable.
    ");
    let markdown = scratch.run("report results/cup results/cup --format markdown").done();
    let markdown = String::from_utf8(markdown.raw.stdout).unwrap();
    assert_eq!(markdown.matches("**Coupe d’été**").count(), 2);
    assert_eq!(markdown.matches("| 1 | ").count(), 2);
}

#[test]
fn what_cannot_be_told_is_said() {
    let scratch = played();
    fs::create_dir(scratch.path("empty")).unwrap();
    let told = |args: &str| scratch.run(&format!("report {args}")).all();
    insta::assert_snapshot!(told("empty"), @"
    exit 2
    --- stderr
    error: there are no results in empty; check the path, or play the tournament first
    ");
    insta::assert_snapshot!(told("results/cup --out nowhere/page.html"), @"
    exit 2
    --- stderr
    error: the folder nowhere does not exist; create it, or name another one with --out
    ");
    insta::assert_snapshot!(told("results/cup --lang klingon"), @r#"
    exit 2
    --- stderr
    error: invalid value 'klingon' for '--lang <LANG>': there is no "klingon"; a language is en or fr

    For more information, try '--help'.
    "#);
    insta::assert_snapshot!(told("results/cup --svg cup.toml"), @"
    exit 2
    --- stderr
    error: cannot create the folder cup.toml: File exists (os error 17); name another one
    ");
    scratch.write("results/pseudonyms.secret", "Éloïse");
    insta::assert_snapshot!(told("results/cup --public"), @"
    exit 2
    --- stderr
    error: [scratch]/results/pseudonyms.secret holds no secret of 64 hexadecimal digits; take the right file back from a copy, or delete it, and all pseudonyms will be new ones
    ");
    let mut blind = scratch.command("report results/cup --open");
    let blind = scratch.ran(blind.env("PATH", "/nowhere").output().expect("runs"));
    insta::assert_snapshot!(blind.all(), @"
    exit 3
    --- stdout
    results/cup/report.html
    --- stderr
    error: no browser could be started with xdg-open, open, wslview, x-www-browser; open [scratch]/results/cup/report.html yourself
    ");
}

#[test]
fn a_full_disk_leaves_the_page_that_was_there() {
    let scratch = played();
    let before = scratch.read("results/cup/report.html");
    // No file may grow beyond some kilobytes, as if the disk were full.
    let mut full = std::process::Command::new("sh");
    full.args(["-c", "ulimit -f 100; exec \"$0\" report results/cup --lang fr"]);
    full.arg(env!("CARGO_BIN_EXE_pitmaster")).current_dir(scratch.path(""));
    let ran = scratch.ran(full.output().expect("runs"));
    insta::assert_snapshot!(ran.all(), @"
    exit 4
    --- stderr
    error: results/cup/report.html: cannot write: File too large (os error 27); is the disk full?
    ");
    assert_eq!(scratch.read("results/cup/report.html"), before);
}

#[test]
fn what_a_hostile_bot_wrote_is_text() {
    let scratch = Scratch::new();
    scratch.fast("good", "random").sample("hostile/hostile-text");
    let title = "title = '</title><script>alert(1)</script>'\nseed = 7";
    scratch.write("cup.toml", patient(1).replace("seed = 7", title));
    scratch.run("run cup.toml -q").done();
    let page = scratch.read("results/cup/report.html");
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    assert!(!page.contains("<img") && !page.contains("<script>alert"));
    assert_eq!(page.matches("</title>").count(), page.matches("<title").count());
    let all = everything(&page);
    assert!(all.contains("onerror=alert(1)"), "it is shown, as text");
    for acting in ['\u{1b}', '\u{7}', '\u{202e}', '\u{2066}', '\0'] {
        assert!(!all.contains(acting), "{acting:?}");
    }
}
