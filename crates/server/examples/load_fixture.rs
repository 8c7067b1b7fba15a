//! Fixture of load tests: fills the folder of a practice server with groups that have an active
//! bot, students with sessions, and games on the ladder.
//!
//! ```sh
//! cargo run --release --features cluster,server --example load_fixture -- FOLDER BOT 300 100000
//! ```
//!
//! FOLDER is a course that was served once, so that it has a ladder, and that is not being served.
//! BOT is the folder of a bot, of which each group gets a numbered copy. The numbers are those of
//! groups and games. The program prints JSON with the session secrets and the names of games in
//! URLs. `scripts/serving/load.py` uses it.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_bots::submission::{Naming, TreeLimits, admit};
use pitmaster_core::{BotHash, BotId, BySide, Dialect, Ending, GameKey, Limits, Ply, Record, Seed};
use pitmaster_games::{DynGame, GameSpec, Turn, find};
use pitmaster_season::course::{
    Action, Actor, CourseId, GroupId, PersonId, Role, Utc, VersionEvent,
};
use pitmaster_server::database::{
    Act, By, Database, HashCost, JobKind, NewPerson, NewVersion, Outcome, Progress, Received,
    Upload, Via,
};
use pitmaster_server::player::ladder_folder;
use pitmaster_server::service::{LADDER, now};
use pitmaster_store::{Attempt, AttemptState, Store};
use pitmaster_tournament::{Batch, Decision, Durability, KeptDecision, Meeting, PlannedBot};
use rand::{Rng, RngExt as _};

type Done<T> = Result<T, Box<dyn Error>>;

/// Number of different games, which are stored repeatedly for different bots.
const DIFFERENT: usize = 2_000;

/// Number of students per group.
const STUDENTS: usize = 2;

/// Number of pairs per transaction.
const AT_ONCE: usize = 500;

/// Number of threads that wait for commits.
const THREADS: usize = 25;

/// Number of printed names of games.
const PRINTED: usize = 5_000;

const LEASE: Duration = Duration::from_mins(10);

fn main() -> Done<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, bot, groups, games] = &words[..] else {
        return Err("give FOLDER BOT GROUPS GAMES".into());
    };
    let (folder, bot) = (Path::new(folder), Path::new(bot));
    let database = Database::open(folder, HashCost::Least, now())?;
    let course = course(&database)?;
    let mut school = School { database, course, folder: folder.into(), sessions: Vec::new() };
    let bots = (1..=groups.parse()?).map(|number| school.group(number, bot));
    let bots = bots.collect::<Done<Vec<BotId>>>()?;
    let slug = pitmaster_server::service::slug_of(folder);
    let names = Games::of(&ladder_folder(folder, &slug, LADDER), bots)?.store(games.parse()?)?;
    let shown = serde_json::json!({"sessions": school.sessions, "games": names});
    println!("{shown}");
    Ok(())
}

fn course(database: &Database) -> Done<CourseId> {
    let all = Actor { is_admin: true, ..Actor::default() };
    let courses = database.courses().wait()?.into_iter();
    let mut seen = courses.filter_map(|course| course.open(&all, Action::ViewResults).ok());
    Ok(seen.next().ok_or("it has no course")?.facts.id)
}

fn act() -> Act {
    Act { by: By::Operator, at: now(), address: None }
}

struct School {
    database: Database,
    course: CourseId,
    folder: PathBuf,
    /// Session secrets.
    sessions: Vec<String>,
}

impl School {
    /// Creates a group with its students and its active bot.
    fn group(&mut self, number: u32, files: &Path) -> Done<BotId> {
        let slug = format!("load{number}");
        let group = self.database.add_group(act(), self.course, &slug, &slug).wait()?;
        for student in 1..=STUDENTS {
            let person = self.student(group, &format!("{slug}.{student}"))?;
            let secret = self.database.open_session(act(), person, None).wait()?;
            self.sessions.push(secret.reveal().to_owned());
        }
        let bot = self.database.add_bot(act(), group, "one").wait()?;
        let id = self.snapshot(&format!("{slug}.one"), files, number)?;
        let new = NewVersion {
            bot,
            upload: Upload(*blake3::hash(slug.as_bytes()).as_bytes()),
            bytes: 1,
            file_name: "bot.zip".into(),
            began: now(),
            via: Via::Web,
            note: String::new(),
            key: None,
        };
        match self.database.receive_version(act(), new, Vec::new()).wait()? {
            Received::New(..) => self.pass(id.hash.clone())?,
            Received::Again(..) => return Err("it was filled before".into()),
        }
        Ok(id)
    }

    fn student(&self, group: GroupId, login: &str) -> Done<PersonId> {
        let name = login.to_owned();
        let new = NewPerson { login: Some(name.clone()), name, ..NewPerson::default() };
        let person = self.database.add_person(act(), new).wait()?;
        let role = Role::Student;
        self.database.set_member(act(), person, self.course, role, Some(group)).wait()?;
        Ok(person)
    }

    /// Lets the last received version pass, with these files.
    fn pass(&self, hash: BotHash) -> Done<()> {
        let lease = |kind| -> Done<_> {
            let leased = self.database.lease_job("fixture", &[kind], LEASE, now()).wait()?;
            Ok(leased.ok_or("no job waits")?.0)
        };
        let done = |event| Outcome::Version(Progress { event, hash: None, why: None });
        let build = lease(JobKind::Build)?;
        let unpacked = Progress { event: VersionEvent::Unpacked, hash: Some(hash), why: None };
        self.database.advance(build, unpacked, now()).wait()?;
        self.database.finish_job(build, done(VersionEvent::Built), now()).wait()?;
        let validate = lease(JobKind::Validate)?;
        self.database.finish_job(validate, done(VersionEvent::Validated), now()).wait()?;
        let checked = Outcome::Checked(serde_json::json!({"findings": []}));
        self.database.finish_job(lease(JobKind::Check)?, checked, now()).wait()?;
        Ok(())
    }

    /// Copies a bot to the folder of snapshots, with a number that changes its hash.
    fn snapshot(&self, name: &str, files: &Path, number: u32) -> Done<BotId> {
        let copy = tempfile::tempdir()?;
        for entry in fs::read_dir(files)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::copy(entry.path(), copy.path().join(entry.file_name()))?;
            }
        }
        fs::write(copy.path().join("number.txt"), number.to_string())?;
        let limits = TreeLimits { bytes: 64 << 20, files: 2_000, depth: 32 };
        let naming = Naming { name: Some(name.parse()?), display: None };
        let bots = self.folder.join("bots");
        let admitted = admit(copy.path(), naming, &bots, "coloured-awale", limits);
        Ok(admitted.map_err(|error| format!("{name}: {error:?}"))?.id)
    }
}

/// Generator of a ladder's games.
struct Games {
    store: Store,
    rules: String,
    limits: Limits,
    /// House bots first, then the others from the weakest on.
    bots: Vec<PlannedBot>,
    house: usize,
    played: Vec<(Vec<Ply>, Ending)>,
    /// Number of pairs per pair of bots.
    met: HashMap<[usize; 2], u32>,
}

impl Games {
    fn of(folder: &Path, own: Vec<BotId>) -> Done<Self> {
        let store = Store::open(folder, Durability::Normal)?;
        let reader = store.reader()?;
        let facts = reader.facts()?.ok_or("serve the course once before")?;
        let house = reader.bots()?.into_iter().map(|known| known.id).collect::<Vec<_>>();
        let house = house.into_iter().filter(|id| id.name.as_str().starts_with("house"));
        let mut bots: Vec<BotId> = house.collect();
        let house = bots.len();
        bots.extend(own);
        let planned = |id| PlannedBot { id, dialect: Dialect::Pitmaster, anchor: None };
        let spec: GameSpec = "coloured-awale".parse().map_err(|error| format!("{error:?}"))?;
        let game = find(&spec).map_err(|error| format!("{error:?}"))?;
        let mut rng = Seed(1).stream("load fixture");
        let played = (0..DIFFERENT).map(|_| random_game(&*game, &mut rng)).collect();
        Ok(Self {
            store,
            rules: facts.rules,
            limits: facts.limits,
            bots: bots.into_iter().map(planned).collect(),
            house,
            played,
            met: HashMap::new(),
        })
    }

    /// Stores games in pairs, and returns the names of some of them.
    fn store(mut self, games: usize) -> Done<Vec<String>> {
        let mut rng = Seed(2).stream("load fixture");
        let (mut names, mut attempts, mut decisions) = (Vec::new(), Vec::new(), Vec::new());
        let pairs = games / 2;
        for number in 0..pairs {
            let (decision, records) = self.pair(&mut rng);
            decisions.push((number + 1, decision));
            for record in records {
                if number % pairs.div_ceil(PRINTED) == 0 {
                    names.push(format!("{LADDER}.{}", record.id()));
                }
                attempts.push(attempt(record, number));
            }
            if decisions.len() >= AT_ONCE || number + 1 == pairs {
                self.decide(&std::mem::take(&mut decisions))?;
                self.store.commit_together(std::mem::take(&mut attempts))?;
            }
        }
        Ok(names)
    }

    /// Stores decisions. Concurrent ones share a transaction.
    fn decide(&self, decisions: &[(usize, KeptDecision)]) -> Done<()> {
        std::thread::scope(|scope| {
            let put = |part: &[(usize, KeptDecision)]| {
                let mut all = part.iter();
                all.try_for_each(|(number, decision)| self.store.put_decision(*number, decision))
            };
            let parts = decisions.chunks(AT_ONCE.div_ceil(THREADS));
            let threads: Vec<_> = parts.map(|part| scope.spawn(move || put(part))).collect();
            let done = threads.into_iter().map(|thread| thread.join().expect("no panic"));
            Ok(done.collect::<Result<(), _>>()?)
        })
    }

    /// Random pair of bots of similar strength, occasionally with a house bot.
    fn pair(&mut self, rng: &mut dyn Rng) -> (KeptDecision, [Record; 2]) {
        let own = self.bots.len() - self.house;
        let one = self.house + rng.random_range(0..own);
        let other = if rng.random_bool(0.05) {
            rng.random_range(0..self.house)
        } else {
            let near = (one - self.house + 1 + rng.random_range(0..own.min(40) - 1)) % own;
            self.house + near
        };
        let met = self.met.entry([one.min(other), one.max(other)]).or_default();
        *met += 1;
        let (pair, pairs) = (*met, 1);
        let meetings = vec![Meeting { one, other: Some(other), first_pair: pair, pairs }];
        let batch = Batch { round: 0, meetings };
        let decision = KeptDecision::new(&Decision::Batch { stage: 1, batch }, &self.bots);
        (decision, [[one, other], [other, one]].map(|bots| self.game(bots, pair, rng)))
    }

    fn game(&self, bots: [usize; 2], pair: u32, rng: &mut dyn Rng) -> Record {
        let (plies, ending) = &self.played[rng.random_range(0..self.played.len())];
        let [one, two] = bots.map(|bot| self.bots[bot].id.clone());
        let key = GameKey {
            rules: self.rules.clone(),
            limits: self.limits.clone(),
            stage: 1,
            round: 0,
            bots: BySide::new(one, two),
            opening: String::new(),
            pair,
        };
        let duration = plies.iter().map(|ply| ply.wall).sum();
        let unplayed = Record::unplayed(key, Seed(u64::from(pair)), ending.clone());
        Record { plies: plies.clone(), duration, ..unplayed }
    }
}

fn attempt(record: Record, number: usize) -> Attempt {
    Attempt {
        state: AttemptState::of(&record),
        record,
        dialects: BySide::new(Dialect::Pitmaster, Dialect::Pitmaster),
        host: "fixture".into(),
        lane: 0,
        started_at: u64::try_from(Utc(now().0 - 86_400_000).0).unwrap_or_default() + number as u64,
        isolation: None,
    }
}

/// Game of random moves, with realistic times.
fn random_game(game: &dyn DynGame, rng: &mut dyn Rng) -> (Vec<Ply>, Ending) {
    let (mut table, mut plies) = (game.begin(), Vec::new());
    loop {
        let (by, text) = match table.turn() {
            Turn::Over(outcome) => {
                let (winner, score) = (outcome.winner, outcome.score);
                return (plies, Ending::Rules { clause: outcome.clause.into(), winner, score });
            }
            Turn::Chance => (None, table.draw(rng)),
            Turn::Player(side) => (Some(side), table.play_random(rng).expect("a player moves")),
        };
        let wall = Duration::from_nanos(rng.random_range(200_000..150_000_000));
        plies.push(Ply { by, text: text.into(), wall, cpu: wall / 2, waiting: Duration::ZERO });
    }
}
