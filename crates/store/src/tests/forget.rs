//! Removal of a person from a database.

use std::fs;

use super::*;

const WORDS: [&str; 3] = ["4200101", "Zoë Müller", "z@univ.example"];

fn forgetting() -> Forgetting {
    Forgetting {
        name: "4200101".parse().expect("a name"),
        pseudonym: "forgotten-1".parse().expect("a name"),
        words: WORDS.map(str::to_owned).to_vec(),
    }
}

/// Game with the person's names in every possible field.
fn telling(pair: u32) -> Record {
    let mut record = eventful();
    let name = Untrusted::new("by Zoë Müller <z@univ.example>, 4200101");
    record.key.bots.two = bot("4200101");
    record.key.pair = pair;
    let evidence = record.evidence.two.as_mut().expect("there is some");
    (evidence.line, evidence.stderr) = (Some(name.clone()), name.clone());
    record.remarks[0].text = name.clone();
    record.wrong_claims.push(Claim { ply: 2, by: Side::Two, text: name });
    let error = "/class/bots/4200101/bot.py".to_owned();
    let fault =
        Fault::WouldNotStart { why: pitmaster_core::StartFault::NotFound { program: error } };
    record.ending = Ending::Forfeit { by: Side::Two, fault, score: Score::new(1, 2) };
    record
}

/// Database with such games, also void and damaged ones, and one game of other bots.
fn told() -> tempfile::TempDir {
    let folder = folder();
    let store = open(&folder);
    for pair in 1..=3 {
        store.commit(attempt(telling(pair))).expect("commits");
    }
    let reason = "bot 4200101: Zoë Müller has appealed".to_owned();
    store.invalidate(vec![telling(2).id()], AttemptState::Void { reason }).expect("voids");
    store.commit(attempt(plain(9))).expect("commits");
    let known = |name: &str, display: &str| KnownBot {
        id: bot(name),
        display: Untrusted::new(display),
        path: format!("/class/bots/{name}"),
        dialect: Dialect::Pitmaster,
        build: serde_json::json!({"program": format!("/class/bots/{name}/bot")}),
        state: BotState::Active,
    };
    store.put_bots(vec![known("4200101", "Zoë Müller"), known("a", "A")]).expect("puts");
    store
        .put_meta("authors", &serde_json::json!([["4200101", ["Z. M."]], ["a", ["A"]]]))
        .expect("puts");
    store.put_meta("tournament", &"include = [\"class/bots/4200101\"]").expect("puts");
    drop(store);
    let tool = rusqlite::Connection::open(database_path(folder.path())).expect("opens");
    let damage = "UPDATE attempts SET moves = moves || ' x' WHERE pair = 3";
    assert_eq!(tool.execute(damage, ()), Ok(1));
    folder
}

#[test]
fn no_page_of_the_database_names_a_forgotten_person() {
    let folder = told();
    let order = ["a", "forgotten-1"].map(|name| name.parse().expect("a name"));
    assert_eq!(forgetting().apply(folder.path(), &order), Ok(3));
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("reads");
        for word in WORDS.iter().chain(&["Z. M."]) {
            let is_in = bytes.windows(word.len()).any(|part| part == word.as_bytes());
            assert!(!is_in, "{word} in {}", path.display());
        }
    }
}

#[test]
fn games_stay_under_the_pseudonym_and_those_of_others_as_they_are() {
    let folder = told();
    let before = Reader::open(folder.path()).expect("opens").load(&plain(9).id());
    forgetting().apply(folder.path(), &[]).expect("forgets");
    let reader = Reader::open(folder.path()).expect("opens");
    assert_eq!(reader.load(&plain(9).id()), before);
    let mut key = telling(1).key;
    key.bots.two.name = "forgotten-1".parse().expect("a name");
    let kept = reader.load(&key.id()).expect("reads").expect("is there").record;
    let then = telling(1);
    assert_eq!((&kept.plies, kept.ending.score()), (&then.plies, then.ending.score()));
    assert_eq!(kept.seed, then.seed);
    assert_eq!(kept.evidence.two.expect("is there").stderr, Untrusted::default());
    assert_eq!(kept.remarks, []);
    assert_eq!(kept.wrong_claims.len(), then.wrong_claims.len());
    // The damaged record is still damaged.
    assert_eq!(reader.damaged().expect("reads").len(), 1);
    let bots = reader.bots().expect("reads");
    assert_eq!(bots[0].id.name.as_str(), "forgotten-1");
    assert_eq!(bots[1].path, "/class/bots/a");
}
