//! The practice server with the real binary: submissions play on the ladder, and a killed server
//! continues.

mod fixture;

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use pitmaster::core::i18n::Lang;
use pitmaster::season::course::{Action, Deadline, FreezePolicy, VersionId, VersionState};
use pitmaster::server::database::{DeadlineSettings, FinalState, JobKind};
use pitmaster::server::finals;
use pitmaster::server::service::now;
use pitmaster::store::Reader;

use crate::scratch::Scratch;

use self::fixture::location;
pub(crate) use self::fixture::{
    ASKED, Course, LADDER, PATIENCE, Server, admin, ask, be_patient, body_of, games_of, school,
    wait_for_asked, wait_for_games, wait_for_state, zipped,
};

#[test]
fn what_is_handed_in_plays_on_the_ladder_and_survives_kill_9() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bot = course.bot("g1");
    let token = course.token(bot);
    let good = course.hand_in(bot, "kit.zip", &zipped(&scratch, "kit", "first"));
    let [mute, flat] = ["g2", "g3"].map(|group| course.bot(group));
    let [mute_token, paper_token] = [mute, flat].map(|bot| course.token(bot));
    let silent = course.hand_in(mute, "bot.py", b"import sys; sys.exit(3)\n");
    let paper = course.hand_in(flat, "report.pdf", b"%PDF-1.7");
    drop(course);

    let server = Server::start(&scratch);
    let page = server.get("/login", "");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    let again = scratch.run("serve school --listen 127.0.0.1:0");
    assert_eq!(again.code, Some(4), "{}", again.all());
    assert!(again.stderr.contains("stop that server first"), "{}", again.all());
    wait_for_games(&scratch, "g1.sower", 3);
    server.kill();
    let games = games_of(&scratch, "g1.sower");

    let server = Server::start(&scratch);
    let games = wait_for_games(&scratch, "g1.sower", games);
    // What was in work when the server was killed begins again.
    wait_for_state(&server, &mute_token, silent, "failed-validation");
    wait_for_state(&server, &paper_token, paper, "refused");
    server.stop();
    assert!(games_of(&scratch, "g1.sower") >= games);
    let verified = scratch.run(&format!("verify {LADDER}"));
    assert_eq!(verified.code, Some(0), "{}", verified.all());

    let course = Course::open(&scratch);
    course.database.check().wait().expect("sound");
    assert_eq!(course.version(good).state, VersionState::Active);
    let silent = course.version(silent);
    assert_eq!(silent.state, VersionState::FailedValidation);
    let why = silent.why.expect("a reason");
    let french = why.to(Lang::French);
    assert!(french.contains("comme joueur 1 contre lui-même"), "{french}");
    let why = why.to_string();
    assert!(why.contains("as player 1 against itself"), "{why}");
    assert!(why.contains("`pitmaster check`"), "{why}");
    let paper = course.version(paper);
    assert_eq!(paper.state, VersionState::Refused);
    let why = paper.why.expect("a reason").to_string();
    assert!(why.contains("pack the folder of your bot"), "{why}");
    drop(course);

    // A better version comes by the API while the other one plays, and takes its place.
    let server = Server::start(&scratch);
    wait_for_games(&scratch, "g1.sower", games);
    let zip = zipped(&scratch, "kit", "second");
    let path = "/api/v1/courses/school/bots/g1.sower/versions";
    let answer = server.ask("POST", path, &token, &zip);
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    let id = location(&answer);
    let better: VersionId =
        id.rsplit('/').next().expect("an id").parse().expect("an id of a version");
    let began = Instant::now();
    loop {
        let document = server.get(&id, &token);
        let hash = document.split("\"hash\":\"").nth(1).and_then(|after| after.get(..32));
        let is_active = document.contains("\"state\":\"active\"");
        if is_active && hash.is_some_and(|hash| pairs_begun(&scratch, hash, 0) > 0) {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{document}");
        std::thread::sleep(Duration::from_millis(200));
    }
    wait_for_version(&server, &token, "g1.sower", 2);
    server.stop();
    let course = Course::open(&scratch);
    assert_eq!(course.version(good).state, VersionState::Replaced);
    let jobs = course.database.jobs_of(better).wait().expect("reads");
    let kinds: Vec<_> = jobs.iter().map(|job| job.kind).collect();
    assert_eq!(kinds, [JobKind::Build, JobKind::Validate, JobKind::Check]);
    let steps = course.database.steps(better).wait().expect("reads");
    let active = steps.iter().find(|step| step.state == VersionState::Active).expect("it plays");
    let hash = course.version(good).hash.expect("it was built");
    assert_eq!(pairs_begun(&scratch, hash.as_str(), active.at.0 + 1000), 0);
    assert_ne!(pairs_begun(&scratch, hash.as_str(), 0), 0);
}

/// Waits until the table of the ladder shows this version of a bot.
fn wait_for_version(server: &Server, token: &str, bot: &str, number: u64) {
    let began = Instant::now();
    loop {
        let table = body_of(&server.get("/api/v1/ladders/practice", token));
        let row = table["rows"].as_array().expect("rows").iter().find(|row| row["name"] == bot);
        if row.is_some_and(|row| row["version"] == number) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{table}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Number of pairs of a version whose games both began after an instant.
fn pairs_begun(scratch: &Scratch, hash: &str, after: i64) -> usize {
    let reader = Reader::open(&scratch.path(LADDER)).expect("opens");
    let mut pairs: HashMap<_, Vec<i64>> = HashMap::new();
    reader
        .for_each_valid(|attempt| {
            let key = &attempt.record.key;
            let mut names = [key.bots.one.clone(), key.bots.two.clone()];
            names.sort();
            if names.iter().any(|bot| bot.hash.as_str() == hash) {
                let began = pairs.entry((names, key.pair)).or_default();
                began.push(attempt.started_at.cast_signed());
            }
        })
        .expect("reads");
    pairs.values().filter(|began| began.iter().all(|at| *at > after)).count()
}

/// A bot that plays its first legal move after a while.
const SLOW: &str = "import sys, time
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word in ('pitmaster', 'newgame'):
        print('ready', flush=True)
    elif word == 'moves':
        moves = rest
    elif word == 'go':
        time.sleep(0.03)
        print('move', moves[0], flush=True)
";

/// The whole check of a slow bot takes minutes, and the server has one lane.
#[test]
fn a_newcomer_plays_before_it_is_checked() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bot = course.bot("g1");
    let token = course.token(bot);
    let version = course.hand_in(bot, "bot.py", SLOW.as_bytes());
    drop(course);
    let server = Server::start(&scratch);
    wait_for_state(&server, &token, version, "active");
    wait_for_games(&scratch, "g1.sower", 1);
    let document = body_of(&server.get(&format!("/api/v1/versions/{version}"), &token));
    assert_eq!(document["is_checked"], false, "{document}");
    server.stop();
}

/// Two versions of one bot play ten pairs against each other, which nothing of the ladder shows.
#[test]
fn games_that_a_group_asks_for_survive_kill_9() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bot = course.bot("g1");
    let token = course.token(bot);
    let old = course.hand_in(bot, "kit.zip", &zipped(&scratch, "kit", "old"));
    drop(course);
    let server = Server::start(&scratch);
    wait_for_state(&server, &token, old, "active");
    let zip = zipped(&scratch, "kit", "new");
    let answer = server.ask("POST", "/api/v1/courses/school/bots/g1.sower/versions", &token, &zip);
    let new = location(&answer).rsplit('/').next().expect("an id").parse().expect("an id");
    wait_for_state(&server, &token, new, "active");
    wait_for_state(&server, &token, old, "replaced");
    let address = ask(&server, &token, new, &old.to_string(), 10);
    let games = |document: &serde_json::Value| {
        let games = document["games"].as_array().unwrap_or_else(|| panic!("{document}")).iter();
        games.map(|game| game["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    let some = wait_for_asked(&server, &token, &address, |asked| !games(asked).is_empty());
    let before = games(&some);
    server.kill();

    let server = Server::start(&scratch);
    let done = wait_for_asked(&server, &token, &address, |asked| asked["state"] == "done");
    let all: HashSet<_> = games(&done).into_iter().collect();
    assert_eq!((all.len(), done["number"].as_u64()), (20, Some(2)));
    assert!(before.iter().all(|game| all.contains(game)), "a finished game was lost");
    for name in all.iter().take(2) {
        let evidence = server.get(&format!("/api/v1/games/{name}/evidence"), &token);
        assert!(evidence.starts_with("HTTP/1.1 200 "), "{evidence}");
    }
    server.stop();
    for folder in [LADDER, ASKED] {
        let verified = scratch.run(&format!("verify {folder}"));
        assert_eq!(verified.code, Some(0), "{}", verified.all());
    }
    let rounds = |folder: &str| {
        let mut rounds = HashSet::new();
        let reader = Reader::open(&scratch.path(folder)).expect("opens");
        let each = reader.for_each_valid(|attempt| _ = rounds.insert(attempt.record.key.round));
        each.expect("reads");
        rounds
    };
    assert_eq!(rounds(LADDER), [0].into());
    assert_eq!(rounds(ASKED).len(), 1);
    let (_, id) = before[0].split_once('.').expect("a name");
    let replayed = scratch.run(&format!("replay {ASKED} {id}")).done();
    assert!(replayed.stdout.contains("g1.sower"), "{}", replayed.all());
}

#[test]
fn a_final_is_what_run_plays_with_the_frozen_versions() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bots = ["g1", "g2"].map(|group| course.bot(group));
    let tokens = bots.map(|bot| course.token(bot));
    let versions =
        bots.map(|bot| course.hand_in(bot, "kit.zip", &zipped(&scratch, "kit", &bot.to_string())));
    drop(course);
    let early = scratch.run("course final school Project");
    assert_eq!(early.code, Some(2), "{}", early.all());
    assert!(early.stderr.contains("no deadline \"Project\"; the staff sets"), "{}", early.all());
    let server = Server::start(&scratch);
    for (token, version) in tokens.iter().zip(versions) {
        wait_for_state(&server, token, version, "active");
    }
    server.stop();
    let course = Course::open(&scratch);
    let rule = Deadline { at: now(), grace: Duration::ZERO, policy: FreezePolicy::NewestPassing };
    let (name, late_rule) = ("Project 1".to_owned(), String::new());
    let settings = DeadlineSettings { name, rule, late_rule, ladder: None };
    course.database.add_deadline(Course::act(), course.id(), settings).wait().expect("is set");
    let mut frozen = versions
        .map(|version| course.version(version).hash.expect("it was built").as_str().to_owned());
    frozen.sort();
    drop(course);

    let written = scratch
        .run_with(&[
            "course",
            "final",
            "school",
            "Project 1",
            "--pairs=1",
            "--per-move=30s",
            "--seed=7",
        ])
        .done();
    let command = written.stdout.lines().last().expect("a command").trim().to_owned();
    let command = command.strip_prefix("pitmaster ").expect("a command").to_owned();
    assert_eq!(command, "run school/finals/school/project-1.toml --out school/finals/school");
    scratch.run(&command).done();
    let file = "school/finals/school/project-1.toml";
    scratch.run(&format!("run {file} --out by-hand")).done();
    for promised in ["leaderboard.csv", "games.csv"] {
        let by_hand = scratch.read(&format!("by-hand/project-1/{promised}"));
        let from_page = scratch.read(&format!("school/finals/school/project-1/{promised}"));
        assert_eq!(by_hand, from_page, "{promised}");
    }
    let mut played: Vec<String> = Vec::new();
    let reader = Reader::open(&scratch.path("by-hand/project-1")).expect("opens");
    let each = reader.for_each_valid(|attempt| {
        let bots = &attempt.record.key.bots;
        let hashes =
            [&bots.one, &bots.two].map(|bot| (bot.name.as_str(), bot.hash.as_str().to_owned()));
        played.extend(hashes.into_iter().filter(|(name, _)| name.starts_with('g')).map(|it| it.1));
    });
    each.expect("reads");
    played.sort();
    played.dedup();
    assert_eq!(played, frozen);
    let wrong = scratch.run("course final school project-2");
    assert_eq!(wrong.code, Some(2), "{}", wrong.all());
    assert!(wrong.stderr.contains("it has \"Project 1\""), "{}", wrong.all());
    // Another final of the same deadline replaces nothing.
    let again = scratch.run("course final school project-1").done();
    assert!(again.stdout.contains("project-1_2.toml"), "{}", again.all());
    plays_it_too(&scratch, "project-1");
}

/// The server produces the same files of a final, even if it is stopped and killed meanwhile.
fn plays_it_too(scratch: &Scratch, name: &str) {
    let results = format!("school/finals/school/{name}");
    let by_hand = ["leaderboard.csv", "games.csv"].map(|file| {
        let text = scratch.read(&format!("{results}/{file}"));
        (file, text)
    });
    std::fs::remove_dir_all(scratch.path(&results)).expect("removes");
    let course = Course::open(scratch);
    let id = course.id();
    course.database.play_final(Course::act(), id, name).wait().expect("asked for");
    drop(course);
    // It begins by itself, and a killed server begins again where it was.
    let server = Server::start(scratch);
    server.wait_for_line(&format!("final {name}: the ladders wait"));
    server.kill();
    let server = Server::start(scratch);
    server.wait_for_line(&format!("final {name}: played: all games are stored"));
    // Then the ladder goes on.
    let games = games_of(scratch, "g1.sower");
    wait_for_games(scratch, "g1.sower", games);
    server.stop();
    for (file, text) in by_hand {
        assert_eq!(scratch.read(&format!("{results}/{file}")), text, "{file}");
    }
    let course = Course::open(scratch);
    let runs = course.database.final_runs(course.id()).wait().expect("reads");
    assert_eq!(runs.iter().map(|run| run.state).collect::<Vec<_>>(), [FinalState::Played]);
    let row = course.database.course(course.id()).wait().expect("reads");
    let row = row.open(&admin(), Action::ViewResults).expect("there");
    let folder = scratch.path("school");
    finals::publish(&folder, &row, name).expect("published");
    assert_eq!(finals::published(&folder, "school"), [name]);
    let page = finals::public_page(&folder, "school", name).expect("a page");
    let page = String::from_utf8(page).expect("UTF-8");
    assert!(!page.contains("g1.sower") && page.contains("greedy"), "pseudonyms");
    let again = course.database.play_final(Course::act(), course.id(), name).wait();
    again.expect("a final that is complete can be asked for again");
    course.database.stop_final(Course::act(), course.id(), name).wait().expect("stopped");
}

#[test]
fn what_is_no_course_is_told() {
    let scratch = Scratch::new();
    let ran = scratch.run("serve bots");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("it has no server.toml; `pitmaster new course bots`"),
        "{}",
        ran.all()
    );
    scratch.run("new course school").done();
    let open = scratch.run("serve school --listen 0.0.0.0:0");
    assert_eq!(open.code, Some(2));
    assert!(open.stderr.contains("--trust-bots"), "{}", open.all());
    let used = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
    let address = used.local_addr().expect("an address");
    let used = scratch.run(&format!("serve school --listen {address}"));
    assert_eq!(used.code, Some(4));
    assert!(used.stderr.contains("choose another with --listen"), "{}", used.all());
    let taken = scratch.run("new course school");
    assert_eq!(taken.code, Some(2));
    assert!(taken.stderr.contains("not empty"), "{}", taken.all());
}

#[test]
fn a_course_is_restored_from_a_backup() {
    let scratch = Scratch::new();
    scratch.run("new course school").done();
    let none = scratch.run("course restore school");
    assert_eq!(none.code, Some(2), "{}", none.all());
    let course = Course::open(&scratch);
    let backup = course.database.back_up(now()).wait().expect("a backup");
    drop(course);
    let codes = scratch.run("course invite school --group g1 --count 3").done();
    assert_eq!(codes.stdout.lines().count(), 3, "{}", codes.all());
    let listed = scratch.run("course restore school").done();
    let name = backup.file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(listed.stdout.lines().count(), 1);
    let restored = scratch.run(&format!("course restore school school/backups/{name}")).done();
    assert!(restored.stdout.contains("before-restore"), "{}", restored.all());
    let course = Course::open(&scratch);
    let found = course.database.course_at("school").wait().expect("reads");
    let found = found.open(&admin(), Action::ViewResults).expect("there").facts.id;
    // The group of the invitations came after the backup.
    assert!(course.database.groups(found).wait().expect("reads").is_empty());
}

#[test]
fn the_operator_lets_anybody_choose_a_new_passphrase() {
    let scratch = Scratch::new();
    scratch.run("new course school").done();
    let invited = scratch.run("course invite school --role teacher").done();
    let joined = |code: &str, passphrase: &str| {
        let server = Server::start(&scratch);
        let form = format!("code={}&login=grace&name=G&passphrase={passphrase}", code.trim());
        let status = server.form("/join", "", &form).status;
        let login = server.form("/login", "", &format!("login=grace&passphrase={passphrase}"));
        server.stop();
        (status, login.status)
    };
    let code = String::from_utf8(invited.raw.stdout).expect("text");
    assert_eq!(joined(&code, "correct+horse+battery"), (303, 303));
    let renewed = scratch.run("course invite school --login grace").done();
    assert!(renewed.stderr.contains("a new passphrase"), "{}", renewed.all());
    let code = String::from_utf8(renewed.raw.stdout).expect("text");
    assert_eq!(joined(&code, "staple+of+correct+horses"), (303, 303));
    let unknown = scratch.run("course invite school --login nobody");
    assert_eq!(unknown.code, Some(2), "{}", unknown.all());
    let several = scratch.run("course invite school --login grace --count 2");
    assert_eq!(several.code, Some(2), "{}", several.all());
}
