//! Tests of message formats and of the validation of received messages.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use pitmaster_core::{BotHash, BotId, BySide, Dialect, Limits, Seed};
use pitmaster_runner::Stopping;
use proptest::prelude::*;

use super::*;

fn bot(name: &str, tools: &[&str]) -> BotEntry {
    BotEntry {
        id: BotId { name: name.parse().unwrap(), hash: BotHash::of(name.as_bytes()) },
        display: Untrusted::new(name),
        dialect: Dialect::default(),
        lenient: false,
        tools: tools.iter().map(|&tool| tool.to_owned()).collect(),
        body: Body::Bundle,
    }
}

fn manifest() -> RunManifest {
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
    Job { contest: manifest().contest(), attempt: 1, bots: bots.to_vec(), games, practice: None }
}

#[test]
fn long_messages_are_compressed() {
    let short = job(&[0, 1], vec![game(1, false)]);
    assert!(encode(&short).starts_with(b"{"));
    assert_eq!(decode(&encode(&short)), Ok(short));
    let long = job(&[0, 1], (0..4000).map(|pair| game(pair, pair % 2 == 0)).collect());
    let (compressed, plain) = (encode(&long), serde_json::to_vec(&long).unwrap());
    assert!(compressed.len() < plain.len() / 4, "{} of {}", compressed.len(), plain.len());
    assert_eq!(decode(&compressed), Ok(long));
    assert_eq!(decode(&encode(&Broadcast::Announce)), Ok(Broadcast::Announce));
}

#[test]
fn a_message_that_decompresses_beyond_the_limit_is_refused() {
    let mut bomb = ZlibEncoder::new(Vec::new(), Compression::best());
    let megabyte = vec![b' '; 1 << 20];
    (0..65).for_each(|_| bomb.write_all(&megabyte).unwrap());
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 100_000);
    let reason = decode::<Job>(&bomb).unwrap_err();
    assert!(reason.contains("longer than"), "{reason}");
    let short = encode(&"x".repeat(1 << 21));
    assert!(decode::<String>(&short).is_ok() && decode_short::<String>(&short).is_err());
}

#[test]
fn a_job_id_covers_all_fields() {
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
fn a_class_does_not_depend_on_the_order_of_tools() {
    assert_eq!(class_of(["java", "python3"]), class_of(["python3", "java", "java"]));
    assert_ne!(class_of(["java"]), class_of(["java", "python3"]));
    assert_eq!(class_of([]), "any");
    let manifest = manifest();
    assert_eq!(manifest.class(&[0, 2]), class_of(["python3"]));
    assert_eq!(manifest.class(&[0, 1]), class_of(["java", "javac", "python3"]));
}

/// Manifest with this number of bots, each with a different tool.
fn manifest_with_rare_tools(bots: usize) -> RunManifest {
    let name = |number: usize| format!("b{number}");
    let bots = (0..bots).map(|number| bot(&name(number), &[&name(number)])).collect();
    RunManifest { bots, ..manifest() }
}

#[test]
fn bots_with_rare_tools_share_queues() {
    let mut manifest = manifest_with_rare_tools(3_000);
    assert_eq!(manifest.validate().unwrap_err(), "3000 different sets of tools");
    manifest.bots.extend([bot("p", &["python3"]), bot("q", &["python3"]), bot("r", &[])]);
    manifest.merge_rare_tool_sets();
    assert_eq!(manifest.validate(), Ok(()));
    assert!(manifest.classes().len() <= 64 * 65 / 2, "{}", manifest.classes().len());
    // A tool set of several bots keeps its own queue.
    let tools = |at: usize| manifest.bots[at].tools.len();
    assert_eq!((tools(3_000), tools(3_001)), (1, 1));
    assert!((0..3_000).all(|at| manifest.bots[at].tools.contains(&format!("b{at}"))));
    let few = manifest_with_rare_tools(64);
    let mut shared = few.clone();
    shared.merge_rare_tool_sets();
    assert_eq!((shared, few.validate()), (few, Ok(())));
}

#[test]
fn manifests_out_of_bounds_are_refused() {
    for patience_s in [0, 3601, u64::MAX] {
        let manifest = RunManifest { patience_s, ..manifest() };
        assert_eq!(manifest.validate().unwrap_err(), format!("a patience of {patience_s} s"));
    }
    let mut long = manifest();
    long.bots[0].tools = vec!["x".repeat(300)];
    assert!(long.validate().is_err());
    let mut many = manifest();
    many.bots[0].tools = (0..5_000).map(|tool| tool.to_string()).collect();
    assert_eq!(many.validate().unwrap_err(), "5002 tools");
    let house = |player: &str| {
        let mut manifest = manifest();
        manifest.bots[0].body = Body::House { player: player.into(), in_process: false };
        manifest.validate()
    };
    assert_eq!(house("expert,nodes=100"), Ok(()));
    let error = house("expert,nodes=100,tables=/etc/passwd").unwrap_err();
    assert_eq!(error, "a house bot with an endgame table");
}

#[test]
fn workers_out_of_bounds_are_refused() {
    let info = WorkerInfo {
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
        worker: info.clone(),
        missing: Vec::new(),
        isolation,
    };
    assert_eq!(ready.validate(), Ok(()));
    let with = |worker: WorkerInfo| Ready { worker, ..ready.clone() }.validate();
    assert!(with(WorkerInfo { lanes: u32::MAX, ..info.clone() }).is_err());
    assert!(with(WorkerInfo { lanes: 0, ..info.clone() }).is_err());
    assert!(with(WorkerInfo { cores: u32::MAX, ..info.clone() }).is_err());
    assert!(with(WorkerInfo { host: "x".repeat(5_000), ..info }).is_err());
}

#[test]
fn a_swapped_game_has_the_bots_on_the_other_sides() {
    let (manifest, job) = (manifest(), job(&[2, 0], vec![game(3, false), game(3, true)]));
    let names = |at: usize| {
        let key = manifest.key(&job, &job.games[at]);
        key.bots.map(|bot| bot.name.to_string())
    };
    assert_eq!(names(0), BySide::new("c".to_owned(), "a".to_owned()));
    assert_eq!(names(1), names(0).swapped());
    let key = manifest.key(&job, &job.games[0]);
    assert_eq!((key.pair, key.opening.as_str(), key.rules.as_str()), (3, "3", "kalah@1"));
}

#[test]
fn jobs_with_unknown_bots_or_a_wrong_size_are_refused() {
    let manifest = manifest();
    let games = || vec![game(1, false)];
    assert_eq!(manifest.validate_job(&job(&[0, 1], games())), Ok(()));
    assert_eq!(manifest.validate_job(&job(&[2], Vec::new())), Ok(()));
    for wrong in [
        job(&[0, 3], games()),
        job(&[0], games()),
        job(&[0, 1, 2], games()),
        job(&[], Vec::new()),
        job(&[0, 1], Vec::new()),
        job(&[0, 1], (0..5000).map(|pair| game(pair, false)).collect()),
    ] {
        assert!(
            manifest.validate_job(&wrong).is_err(),
            "{:?}, {} games",
            wrong.bots,
            wrong.games.len()
        );
    }
}

#[test]
fn a_practice_job_has_its_own_manifest() {
    let server = RunManifest { practice: true, bots: Vec::new(), ..manifest() };
    let with = |task, bots: &[usize], games| {
        let practice = Some(Box::new(PracticeJob { manifest: manifest(), task }));
        Job { practice, ..job(bots, games) }
    };
    let games = || vec![game(1, false)];
    let play = with(PracticeTask::Play, &[0, 1], games());
    assert_eq!(server.validate_job(&play), Ok(()));
    assert_eq!(decode(&encode(&play)), Ok(play.clone()));
    for task in [PracticeTask::Build, PracticeTask::Check] {
        let examine = with(task, &[2], Vec::new());
        assert_eq!(server.validate_job(&examine), Ok(()));
        assert!(examine.is_examination() && !play.is_examination());
        assert!(server.validate_job(&with(task, &[0, 1], games())).is_err());
    }
    assert_eq!(play.manifest(&server), &manifest());
    // Neither kind of contest accepts jobs of the other.
    assert!(
        manifest().validate_job(&play).is_err()
            && server.validate_job(&job(&[0, 1], games())).is_err()
    );
    assert!(server.validate_job(&with(PracticeTask::Play, &[2], Vec::new())).is_err());
    assert!(server.validate_job(&with(PracticeTask::Play, &[0, 3], games())).is_err());
    let mut nested = play;
    nested.practice.as_mut().unwrap().manifest.practice = true;
    assert!(server.validate_job(&nested).is_err());
}

#[test]
fn each_worker_has_its_own_practice_queues() {
    let [one, other] = ["a", "b"].map(|digit| digit.repeat(64));
    assert_ne!(class_of_lanes(&one), class_of_lanes(&other));
    assert_ne!(class_of_lanes(&one), class_of_builds(&one));
    assert!(is_worker_class(&class_of_lanes(&one)) && is_worker_class(&class_of_builds(&one)));
    assert!(!is_worker_class(&class_of([])) && !is_worker_class(&class_of(["java"])));
}

#[test]
fn messages_keep_their_json_names() {
    let claim = Claim { job: "j".into(), delivery: 1 };
    let result = |content| Outcome { claim: claim.clone(), content };
    let with = |content| format!(r#"{{"claim":{{"job":"j","delivery":1}},"what":{content}}}"#);
    let passed = TrialOutcome::Passed { took_ns: 5 };
    let fault = Fault::IllegalMove;
    let unfit = TrialOutcome::Unfit { fault: fault.clone(), reason: "r".into() };
    let expected = format!(r#"{{"unfit":{{"fault":{},"why":"r"}}}}"#, json(&fault));
    assert_eq!(json(&unfit), expected);
    for (content, expected) in [
        (Content::Trial(passed), r#"{"tried":{"passed":{"took_ns":5}}}"#),
        (Content::Pairs(Vec::new()), r#"{"pairs":[]}"#),
        (Content::Returned, r#""back""#),
        (Content::Failed { reason: "r".into() }, r#"{"unable":{"why":"r"}}"#),
        (Content::DeliveriesExhausted, r#""given-up""#),
        (Content::Report("r".into()), r#"{"report":"r"}"#),
        (Content::MissingTools(Vec::new()), r#"{"lacks":[]}"#),
        (Content::Object("o".into()), r#"{"object":"o"}"#),
    ] {
        assert_eq!(json(&result(content)), with(expected));
    }
    for (broadcast, expected) in [
        (Broadcast::Announce, r#""who""#),
        (Broadcast::Halt("c".into()), r#"{"halt":"c"}"#),
        (Broadcast::ContestEnded("c".into()), r#"{"over":"c"}"#),
        (Broadcast::CancelJob("j".into()), r#"{"forget":"j"}"#),
    ] {
        assert_eq!(json(&broadcast), expected);
    }
    let (contest, coordinator) = ("c".into(), "i".into());
    for (reply, expected) in [
        (
            Reply::Welcome { contest, coordinator },
            r#"{"welcome":{"contest":"c","coordinator":"i"}}"#,
        ),
        (Reply::Admitted, r#""go""#),
        (Reply::Refused { reason: "r".into() }, r#"{"refused":{"why":"r"}}"#),
    ] {
        assert_eq!(json(&reply), expected);
    }
    let heartbeat = Heartbeat {
        sequence: 1,
        contest: "c".into(),
        claims: vec![claim],
        games: 2,
        draining: false,
        gone: true,
    };
    let expected = r#"{"sequence":1,"contest":"c","held":[{"job":"j","delivery":1}],"games":2,"draining":false,"gone":true}"#;
    assert_eq!(json(&heartbeat), expected);
    let job = PracticeJob { manifest: manifest(), task: PracticeTask::Play };
    assert!(json(&job).starts_with(r#"{"card":{"version":3,"#), "{}", json(&job));
}

fn json(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap()
}

proptest! {
    #[test]
    fn decoding_never_panics(mut bytes in prop::collection::vec(any::<u8>(), 0..300), compressed: bool) {
        if compressed {
            bytes.insert(0, 0x78);
        }
        let _ = decode::<Outcome>(&bytes);
        let _ = decode::<RunManifest>(&bytes);
        let _ = decode::<Heartbeat>(&bytes);
    }
}
