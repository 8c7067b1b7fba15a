//! Tests of message round trips, and of which received messages are accepted.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use pitmaster_core::{BotHash, BotId, BySide, Dialect, Limits, Seed};
use pitmaster_runner::Stopping;
use proptest::prelude::*;

use super::*;

fn bot(name: &str, tools: &[&str]) -> CardBot {
    CardBot {
        id: BotId { name: name.parse().unwrap(), hash: BotHash::of(name.as_bytes()) },
        display: Untrusted::new(name),
        dialect: Dialect::default(),
        lenient: false,
        tools: tools.iter().map(|&tool| tool.to_owned()).collect(),
        body: Body::Bundle,
    }
}

fn card() -> RunManifest {
    RunManifest {
        version: VERSION,
        program: Build::own().to_string(),
        game: "kalah".into(),
        rules: "kalah@1".into(),
        limits: Limits::default(),
        seed: Seed(7),
        stopping: Stopping::Adaptive,
        tier: None,
        require: String::new(),
        patience_s: 30,
        generation: "1".into(),
        bots: vec![bot("a", &["python3"]), bot("b", &["java", "javac"]), bot("c", &[])],
        practice: false,
    }
}

fn game(pair: u32, swapped: bool) -> JobGame {
    JobGame { stage: 1, round: 0, pair, opening: "3".into(), swapped, ticket: "t".into() }
}

fn job(bots: &[usize], games: Vec<JobGame>) -> Job {
    Job { contest: card().contest(), attempt: 1, bots: bots.to_vec(), games, practice: None }
}

#[test]
fn short_messages_are_plain_and_long_ones_are_packed() {
    let short = job(&[0, 1], vec![game(1, false)]);
    assert!(encode(&short).starts_with(b"{"));
    assert_eq!(decode(&encode(&short)), Ok(short));
    let long = job(&[0, 1], (0..4000).map(|pair| game(pair, pair % 2 == 0)).collect());
    let (packed, plain) = (encode(&long), serde_json::to_vec(&long).unwrap());
    assert!(packed.len() < plain.len() / 4, "{} of {}", packed.len(), plain.len());
    assert_eq!(decode(&packed), Ok(long));
    assert_eq!(decode(&encode(&Broadcast::Who)), Ok(Broadcast::Who));
}

#[test]
fn what_unpacks_to_more_than_there_can_be_is_refused() {
    let mut bomb = ZlibEncoder::new(Vec::new(), Compression::best());
    let megabyte = vec![b' '; 1 << 20];
    (0..65).for_each(|_| bomb.write_all(&megabyte).unwrap());
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 100_000);
    let why = decode::<Job>(&bomb).unwrap_err();
    assert!(why.contains("longer than"), "{why}");
    let short = encode(&"x".repeat(1 << 21));
    assert!(decode::<String>(&short).is_ok() && decode_short::<String>(&short).is_err());
}

#[test]
fn an_id_is_the_hash_of_all_that_is_in_a_job() {
    let one = job(&[0, 1], vec![game(1, false)]);
    assert_eq!(id_of(&one), id_of(&one.clone()));
    for other in [
        Job { attempt: 2, ..one.clone() },
        Job { contest: String::new(), ..one.clone() },
        job(&[1, 0], vec![game(1, false)]),
        job(&[0, 1], vec![game(1, true)]),
        job(&[0, 1], vec![game(1, false), game(2, false)]),
    ] {
        assert_ne!(id_of(&one), id_of(&other), "{other:?}");
    }
}

#[test]
fn a_class_is_a_set_of_tools_in_any_order() {
    assert_eq!(class_of(["java", "python3"]), class_of(["python3", "java", "java"]));
    assert_ne!(class_of(["java"]), class_of(["java", "python3"]));
    assert_eq!(class_of([]), "any");
    let card = card();
    assert_eq!(card.class(&[0, 2]), class_of(["python3"]));
    assert_eq!(card.class(&[0, 1]), class_of(["java", "javac", "python3"]));
}

/// Manifest with this many bots, each with a tool of its own.
fn odd_card(bots: usize) -> RunManifest {
    let name = |number: usize| format!("b{number}");
    let bots = (0..bots).map(|number| bot(&name(number), &[&name(number)])).collect();
    RunManifest { bots, ..card() }
}

#[test]
fn many_bots_with_odd_tools_make_few_queues() {
    let mut card = odd_card(3_000);
    assert_eq!(card.check().unwrap_err(), "3000 different sets of tools");
    card.bots.extend([bot("p", &["python3"]), bot("q", &["python3"]), bot("r", &[])]);
    card.share_tools();
    assert_eq!(card.check(), Ok(()));
    assert!(card.classes().len() <= 64 * 65 / 2, "{}", card.classes().len());
    // What many need keeps its own queue.
    let tools = |at: usize| card.bots[at].tools.len();
    assert_eq!((tools(3_000), tools(3_001)), (1, 1));
    assert!((0..3_000).all(|at| card.bots[at].tools.contains(&format!("b{at}"))));
    let few = odd_card(64);
    let mut shared = few.clone();
    shared.share_tools();
    assert_eq!((shared, few.check()), (few, Ok(())));
}

#[test]
fn cards_beyond_all_bounds_are_refused() {
    for patience_s in [0, 3601, u64::MAX] {
        let card = RunManifest { patience_s, ..card() };
        assert_eq!(card.check().unwrap_err(), format!("a patience of {patience_s} s"));
    }
    let mut long = card();
    long.bots[0].tools = vec!["x".repeat(300)];
    assert!(long.check().is_err());
    let mut many = card();
    many.bots[0].tools = (0..5_000).map(|tool| tool.to_string()).collect();
    assert_eq!(many.check().unwrap_err(), "5002 tools");
    let house = |player: &str| {
        let mut card = card();
        card.bots[0].body = Body::House { player: player.into(), in_process: false };
        card.check()
    };
    assert_eq!(house("expert,nodes=100"), Ok(()));
    let fault = house("expert,nodes=100,tables=/etc/passwd").unwrap_err();
    assert_eq!(fault, "a house bot with an endgame table");
}

#[test]
fn workers_beyond_all_bounds_are_refused() {
    let about = About {
        instance: "i".into(),
        name: "pc".into(),
        host: "pc".into(),
        kernel: "6".into(),
        cores: 8,
        lanes: 7,
        speed: u64::MAX,
    };
    let isolation = Isolation {
        tier: pitmaster_core::Tier::Portable,
        cgroup: false,
        promises: std::collections::BTreeMap::new(),
    };
    let ready = Ready {
        contest: "c".into(),
        coordinator: "o".into(),
        sequence: 1,
        worker: about.clone(),
        missing: Vec::new(),
        isolation,
    };
    assert_eq!(ready.check(), Ok(()));
    let with = |worker: About| Ready { worker, ..ready.clone() }.check();
    assert!(with(About { lanes: u32::MAX, ..about.clone() }).is_err());
    assert!(with(About { lanes: 0, ..about.clone() }).is_err());
    assert!(with(About { cores: u32::MAX, ..about.clone() }).is_err());
    assert!(with(About { host: "x".repeat(5_000), ..about }).is_err());
}

#[test]
fn a_key_has_the_bots_of_the_job_on_the_sides_that_it_says() {
    let (card, job) = (card(), job(&[2, 0], vec![game(3, false), game(3, true)]));
    let names = |at: usize| {
        let key = card.key(&job, &job.games[at]);
        key.bots.map(|bot| bot.name.to_string())
    };
    assert_eq!(names(0), BySide::new("c".to_owned(), "a".to_owned()));
    assert_eq!(names(1), names(0).swapped());
    let key = card.key(&job, &job.games[0]);
    assert_eq!((key.pair, key.opening.as_str(), key.rules.as_str()), (3, "3", "kalah@1"));
}

#[test]
fn jobs_about_what_is_not_on_the_card_are_refused() {
    let card = card();
    let one = || vec![game(1, false)];
    assert_eq!(card.judge(&job(&[0, 1], one())), Ok(()));
    assert_eq!(card.judge(&job(&[2], Vec::new())), Ok(()));
    for wrong in [
        job(&[0, 3], one()),
        job(&[0], one()),
        job(&[0, 1, 2], one()),
        job(&[], Vec::new()),
        job(&[0, 1], Vec::new()),
        job(&[0, 1], (0..5000).map(|pair| game(pair, false)).collect()),
    ] {
        assert!(card.judge(&wrong).is_err(), "{:?}, {} games", wrong.bots, wrong.games.len());
    }
}

#[test]
fn a_job_of_a_practice_server_brings_its_bots_along() {
    let server = RunManifest { practice: true, bots: Vec::new(), ..card() };
    let with = |task, bots: &[usize], games| {
        let practice = Some(Box::new(PracticeJob { card: card(), task }));
        Job { practice, ..job(bots, games) }
    };
    let one = || vec![game(1, false)];
    let play = with(PracticeTask::Play, &[0, 1], one());
    assert_eq!(server.judge(&play), Ok(()));
    assert_eq!(decode(&encode(&play)), Ok(play.clone()));
    for task in [PracticeTask::Build, PracticeTask::Check] {
        let examine = with(task, &[2], Vec::new());
        assert_eq!(server.judge(&examine), Ok(()));
        assert!(examine.is_examination() && !play.is_examination());
        assert!(server.judge(&with(task, &[0, 1], one())).is_err());
    }
    assert_eq!(play.card(&server), &card());
    // Neither kind of contest takes jobs of the other one.
    assert!(card().judge(&play).is_err() && server.judge(&job(&[0, 1], one())).is_err());
    assert!(server.judge(&with(PracticeTask::Play, &[2], Vec::new())).is_err());
    assert!(server.judge(&with(PracticeTask::Play, &[0, 3], one())).is_err());
    let mut nested = play;
    nested.practice.as_mut().unwrap().card.practice = true;
    assert!(server.judge(&nested).is_err());
}

#[test]
fn each_worker_has_its_own_queues() {
    let [one, other] = ["a", "b"].map(|digit| digit.repeat(64));
    assert_ne!(class_of_lanes(&one), class_of_lanes(&other));
    assert_ne!(class_of_lanes(&one), class_of_builds(&one));
    assert!(is_of_worker(&class_of_lanes(&one)) && is_of_worker(&class_of_builds(&one)));
    assert!(!is_of_worker(&class_of([])) && !is_of_worker(&class_of(["java"])));
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(mut bytes in prop::collection::vec(any::<u8>(), 0..300), packed: bool) {
        if packed {
            bytes.insert(0, 0x78);
        }
        let _ = decode::<Outcome>(&bytes);
        let _ = decode::<RunManifest>(&bytes);
        let _ = decode::<Pulse>(&bytes);
    }
}
