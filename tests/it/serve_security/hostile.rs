//! Hostile bots as submissions: SECURITY.md is kept, and they read, change or reach nothing of the
//! server.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pitmaster::store::Reader;
use rusqlite::{Connection, OpenFlags};

use super::{beneath, free_port};
use crate::hostile::all;
use crate::hostile::header::{Header, is_as_expected};
use crate::hostile::room::left_behind;
use crate::hostile::tiers::{Around, Tier, tiers};
use crate::scratch::Scratch;
use crate::serve::{Course, LADDER, PATIENCE, Server, school, zipped};

/// Some bots of each kind, for every run.
const SELECTION: [&str; 8] = [
    "build-reads-foreign-files",
    "build-signals-the-referee",
    "build-talks-to-others",
    "fork-bomb",
    "network",
    "reads-files",
    "signals-referee",
    "writes-files",
];

/// Secret words in the database, an upload and the sources of another group, which no bot may
/// learn.
const CANARIES: [&str; 3] = ["canary-in-the-database", "canary-in-an-upload", "canary-in-sources"];

/// Limit for all examinations, and for the games after them.
const LONGEST: Duration = Duration::from_mins(40);

/// Number of versions whose state is still going to change, read while the server runs.
pub(super) fn in_work(scratch: &Scratch) -> i64 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = Connection::open_with_flags(scratch.path("school/season.db"), flags);
    let database = database.expect("opens");
    database.busy_timeout(PATIENCE).expect("sets");
    let sql = "SELECT count(*) FROM version WHERE state IN ('received', 'staged', 'built')";
    database.query_row(sql, (), |row| row.get(0)).expect("counts")
}

/// Names of the bots with a playing version.
fn playing(scratch: &Scratch) -> Vec<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = Connection::open_with_flags(scratch.path("school/season.db"), flags);
    let database = database.expect("opens");
    database.busy_timeout(PATIENCE).expect("sets");
    let sql = "SELECT bot.name FROM version JOIN bot ON bot.id = version.bot
               WHERE version.state = 'active'";
    let mut select = database.prepare(sql).expect("a query");
    let names = select.query_map((), |row| row.get(0)).expect("rows");
    names.map(|name| name.expect("a name")).collect()
}

/// Output of bots in stored games, by their names on the ladder.
fn said(scratch: &Scratch) -> BTreeMap<String, Vec<String>> {
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Ok(reader) = Reader::open(&scratch.path(LADDER)) else { return said };
    let each = reader.for_each_valid(|attempt| {
        let record = &attempt.record;
        let bots = record.key.bots.clone().map(|bot| bot.name.as_str().to_owned());
        for bot in [&bots.one, &bots.two] {
            said.entry(bot.clone()).or_default();
        }
        let mut add = |bot: &String, text: &[u8]| {
            let text = String::from_utf8_lossy(text).into_owned();
            said.entry(bot.clone()).or_default().push(text);
        };
        for remark in &record.remarks {
            add(&bots[remark.by], remark.text.as_bytes());
        }
        for side in pitmaster::core::Side::BOTH {
            if let Some(evidence) = &record.evidence[side] {
                add(&bots[side], evidence.stderr.as_bytes());
            }
        }
    });
    each.expect("reads");
    said
}

/// A bot's report about its attack: the longest one, which lists the most successes.
fn report(texts: &[String], bot: &str) -> Option<String> {
    let mark = format!("attack: {bot} ");
    let lines = texts.iter().flat_map(|text| text.lines());
    let told = lines.filter_map(|line| line.split_once(&mark)).map(|(_, told)| told.trim());
    told.map(str::to_owned).max_by_key(String::len)
}

/// Content, mode and modification time of files that a bot must not change.
fn facts(scratch: &Scratch, folders: &[PathBuf]) -> BTreeMap<PathBuf, (Vec<u8>, u32, i64)> {
    let fixed = ["server.toml", "ladders/school.practice/tournament.toml"];
    let fixed = fixed.map(|name| scratch.path("school").join(name));
    let all = folders.iter().flat_map(|folder| beneath(folder)).chain(fixed);
    all.filter(|path| path.is_file())
        .map(|path| {
            let facts = fs::metadata(&path).expect("facts");
            let content = fs::read(&path).expect("reads");
            // The server writes this one anew when it starts.
            let is_rewritten = path.ends_with("tournament.toml");
            let time = if is_rewritten { 0 } else { facts.mtime() };
            (path, (content, facts.mode(), time))
        })
        .collect()
}

/// A course with a playing bot of another group, and everything needed to reach its server.
struct Ground {
    scratch: Scratch,
    port: u16,
    metrics: u16,
    other: String,
    upload: String,
    tier: Tier,
    /// Names of the submitted bots, keyed by their names on the ladder.
    bots: BTreeMap<String, String>,
}

impl Ground {
    fn new(tier: Tier) -> Self {
        let scratch = school();
        let (port, metrics) = (free_port(), free_port());
        // Attacks have their time, and nobody waits long for who says nothing.
        let file = scratch.read(&format!("{LADDER}/tournament.toml"));
        let file = file.replace("\"30s\"", "\"3s\"").replace("\"1m\"", "\"15s\"");
        scratch.write(&format!("{LADDER}/tournament.toml"), file);
        let settings = scratch.read("school/server.toml");
        scratch.write(
            "school/server.toml",
            format!("{settings}\nmetrics = \"127.0.0.1:{metrics}\"\n"),
        );
        let source = scratch.read("kit/think.py");
        scratch.write("kit/think.py", format!("# {}\n{source}", CANARIES[2]));
        let course = Course::open(&scratch);
        course
            .database
            .add_group(Course::act(), course.id(), "canary", CANARIES[0])
            .wait()
            .expect("a group");
        let bot = course.bot("good");
        let version = course.hand_in(bot, "kit.zip", &zipped(&scratch, "kit", CANARIES[1]));
        drop(course);
        let mut ground = Self {
            scratch,
            port,
            metrics,
            other: String::new(),
            upload: String::new(),
            tier,
            bots: BTreeMap::new(),
        };
        let server = ground.serve();
        ground.wait_until_examined(PATIENCE);
        server.stop();
        let course = Course::open(&ground.scratch);
        let version = course.version(version);
        let hash = version.hash.unwrap_or_else(|| panic!("it was not built: {:?}", version.why));
        hash.as_str().clone_into(&mut ground.other);
        ground.upload = version.upload.to_string();
        ground
    }

    fn serve(&self) -> Server {
        let tier = &self.tier.name;
        let flags =
            format!("--listen 127.0.0.1:{} --lanes 2 --isolation {tier} --share-cores", self.port);
        Server::start_with(&self.scratch, &flags)
    }

    fn wait_until_examined(&self, patience: Duration) {
        let began = Instant::now();
        while in_work(&self.scratch) > 0 {
            let left = in_work(&self.scratch);
            assert!(began.elapsed() < patience, "{left} are still in work");
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    /// Writes an attack against this server to a folder.
    fn attack(&self, folder: &str, files: &[(&str, &str)]) {
        let school = self.scratch.path("school").canonicalize().expect("it is there");
        let shared = [
            ("attack.py", include_str!("../../../bots/hostile/network/attack.py")),
            (
                "build_attack.py",
                include_str!("../../../bots/hostile/build-talks-to-others/build_attack.py"),
            ),
            ("server_attack.py", include_str!("attacks/server_attack.py")),
        ];
        for (name, text) in shared.iter().chain(files) {
            let text = text
                .replace("@SCHOOL@", &school.display().to_string())
                .replace("@PORT@", &self.port.to_string())
                .replace("@METRICS@", &self.metrics.to_string())
                .replace("@UPLOAD@", &self.upload)
                .replace("@OTHER@", &self.other);
            self.scratch.write(&format!("{folder}/{name}"), text);
        }
    }

    /// Submits bots of `bots/hostile`, and those against the server.
    fn hand_in(&mut self, bots: &[String]) {
        let manifest = "run = ['python3', 'bot.py']\ndialect = 'pitmaster'\n";
        let run = [("bot.toml", manifest), ("bot.py", include_str!("attacks/bot.py"))];
        self.attack("server-run", &run);
        let manifest = format!("build = ['python3', 'build.py']\n{manifest}");
        let build = [
            ("bot.toml", manifest.as_str()),
            ("build.py", include_str!("attacks/build.py")),
            ("bot.py", include_str!("attacks/built_bot.py")),
        ];
        self.attack("server-build", &build);
        let course = Course::open(&self.scratch);
        let hostile = bots.iter().map(|bot| (bot.clone(), format!("bots/hostile/{bot}")));
        let own = ["server-run", "server-build"].map(|name| (name.to_owned(), name.to_owned()));
        for (number, (name, folder)) in hostile.chain(own).enumerate() {
            let group = format!("h{number}");
            let bot = course.bot(&group);
            course.hand_in(bot, "bot.zip", &zipped(&self.scratch, &folder, &name));
            self.bots.insert(format!("{group}.sower"), name);
        }
    }

    /// Waits until each playing version has played a game.
    fn wait_for_games(&self, patience: Duration) -> BTreeMap<String, Vec<String>> {
        let began = Instant::now();
        loop {
            let said = said(&self.scratch);
            let playing = playing(&self.scratch);
            let waiting = playing.iter().filter(|name| !said.contains_key(*name)).count();
            if waiting == 0 || began.elapsed() > patience {
                println!("{} play, {waiting} of them without a game", playing.len());
                return said;
            }
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    /// Number of answers of the server, from its metrics.
    fn answers(&self) -> u64 {
        let mut server =
            std::net::TcpStream::connect(("127.0.0.1", self.metrics)).expect("connects");
        server.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").expect("sends");
        let mut text = String::new();
        server.read_to_string(&mut text).expect("an answer");
        let counts =
            text.lines().filter_map(|line| line.strip_prefix("pitmaster_responses_total{"));
        let counts = counts.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts.len(), 5, "{text}");
        counts.iter().sum::<f64>() as u64
    }

    /// Result of the same attack without protection, which proves that the test would detect it.
    fn unstopped(&self) -> String {
        let script = "import server_attack as it\nfrom attack import outcome\n\
                      print(outcome('unstopped', it.LOOKS))";
        let mut python = Command::new("python3");
        python.args(["-c", script]).current_dir(self.scratch.path("server-run"));
        let output = python.stdin(Stdio::null()).stderr(Stdio::null()).output().expect("python3");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// Submits bots, lets them play, and checks all promises.
fn attacked_by(bots: &[String], tier: Tier) {
    let began = Instant::now();
    let mut ground = Ground::new(tier);
    ground.hand_in(bots);
    let scratch = &ground.scratch;
    let folder = |name: &str| scratch.path("school").join(name);
    let untouched = [
        folder("uploads"),
        folder(&format!("bots/{}/src", ground.other)),
        folder(&format!("bots/{}/work", ground.other)),
    ];
    let before = facts(scratch, &untouched);
    assert!(before.len() >= 5, "{before:?}");
    let lines = |course: &Course| {
        course
            .database
            .audit(None, 0, 100_000)
            .wait()
            .expect("reads")
            .last()
            .map_or(0, |line| line.number)
    };
    let logged = lines(&Course::open(scratch));

    let server = ground.serve();
    let id = server.id();
    ground.wait_until_examined(LONGEST);
    let said = ground.wait_for_games(LONGEST);
    // Before anybody asks: no bot has reached a page.
    assert_eq!(ground.answers(), 0, "somebody has reached the pages");
    assert!(server.get("/readyz", "").starts_with("HTTP/1.1 200 "));
    let unstopped = ground.unstopped();
    for name in ["database", "uploads", "sources-of-others", "page", "metrics", "whatever-listens"]
    {
        assert!(unstopped.split_whitespace().any(|word| word == name), "{name}: {unstopped}");
    }
    server.stop();
    if let Some(left) = left_behind(id, scratch) {
        panic!("{left}");
    }

    let after = facts(scratch, &untouched);
    let changed: Vec<_> =
        after.iter().filter(|(path, now)| before.get(*path) != Some(now)).collect();
    assert!(
        changed.is_empty() && after.len() == before.len(),
        "{:?}",
        changed.iter().map(|it| it.0).collect::<Vec<_>>()
    );
    assert_eq!(beneath(&folder("staging")), Vec::<PathBuf>::new());
    let known = [
        "backups",
        "bots",
        "ladders",
        "season.db",
        "season.lock",
        "server.toml",
        "staging",
        "uploads",
    ];
    for entry in fs::read_dir(folder("")).expect("reads").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(known.contains(&&*name) || name.starts_with("season.db-"), "{name} was made");
    }
    let course = Course::open(scratch);
    course.database.check().wait().expect("sound");
    // What the server did by itself is no decision of anybody.
    let new = course.database.audit(None, logged, 100_000).wait().expect("reads");
    assert!(new.iter().all(|line| line.role == "server"), "{new:?}");
    assert_nothing_learned(&ground, &said);
    let wrong = unexpected(&ground, &said);
    println!("{} bots in {}: {:.0?}", ground.bots.len(), ground.tier.name, began.elapsed());
    assert!(wrong.is_empty(), "in {}:\n{}", ground.tier.name, wrong.join("\n"));
}

/// Checks that no canary is in the output of bots and builds.
fn assert_nothing_learned(ground: &Ground, said: &BTreeMap<String, Vec<String>>) {
    let own = |path: &Path| path.components().any(|part| part.as_os_str() == ground.other.as_str());
    let logs = beneath(&ground.scratch.path("school/bots")).into_iter();
    let logs = logs.filter(|path| path.is_file() && !own(path));
    for path in logs {
        let bytes = fs::read(&path).expect("reads");
        for canary in CANARIES {
            let found = bytes.windows(canary.len()).any(|window| window == canary.as_bytes());
            assert!(!found, "{canary} in {}", path.display());
        }
    }
    for (bot, texts) in said {
        for canary in CANARIES {
            assert!(!texts.iter().any(|text| text.contains(canary)), "{bot} has learned {canary}");
        }
    }
}

/// Attacks with another result than their bot's header says, and those without a report.
fn unexpected(ground: &Ground, said: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut told_of = 0;
    for (name, bot) in &ground.bots {
        let texts = said.get(name).map_or(&[][..], Vec::as_slice);
        let told = report(texts, bot);
        if bot.starts_with("server-") {
            if told.as_deref() != Some("refused") {
                wrong.push(format!("{bot}: {told:?}, expected that it plays and is refused"));
            }
            continue;
        }
        let header = Header::of(bot);
        let outcomes = header.outcomes(&ground.tier.name);
        // Whatever did not come to its first move on the ladder has nothing to tell.
        if outcomes.is_empty() || told.is_none() {
            continue;
        }
        told_of += 1;
        let excuse = header.promise.as_deref().and_then(|name| ground.tier.does_not_keep(name));
        if !is_as_expected(told.as_deref(), &outcomes) && excuse.is_none() {
            wrong.push(format!("{bot}: {told:?}, expected {outcomes:?}"));
        }
    }
    println!("{told_of} of {} bots told of their attack", ground.bots.len());
    wrong
}

/// Tiers in which bots of others may play on this machine.
fn real_tiers() -> Vec<Tier> {
    let (offered, lacking) = tiers(Around::NOTHING);
    for one in lacking {
        eprintln!("skipped: {one}");
    }
    offered.into_iter().filter(|tier| tier.name != "bare").collect()
}

#[test]
fn bots_and_builds_reach_nothing_of_the_server() {
    let Some(tier) = real_tiers().pop() else { return };
    attacked_by(&SELECTION.map(str::to_owned), tier);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn every_hostile_bot_is_handed_in_in_every_tier() {
    // What cannot be built or started here is refused, which is as good.
    let bots: Vec<_> = all().into_iter().collect();
    assert!(bots.len() >= 100, "{}", bots.len());
    for tier in real_tiers() {
        attacked_by(&bots, tier);
    }
}
