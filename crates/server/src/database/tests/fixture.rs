//! Fixture: a small course, and shorthands for frequent operations.

use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_season::course::{
    Action, Actor, CourseId, EntryId, GroupId, Guarded, LadderId, Object, PersonId, Role, Utc,
    VersionEvent, VersionId, VersionState, Visibility,
};
use pitmaster_season::grading::{Points, Reason, ShownGrade};
use serde_json::json;

use super::super::*;

/// Start of the tests' time: 2026-11-20 22:59 UTC.
pub(super) const T0: Utc = Utc(1_795_215_540_000);

pub(super) const SECOND: Duration = Duration::from_secs(1);

pub(super) fn later(seconds: u64) -> Utc {
    T0.plus(Duration::from_secs(seconds))
}

pub(super) fn at(now: Utc) -> Act {
    Act { by: By::Operator, at: now, address: None }
}

pub(super) const NOW: Act = Act { by: By::Operator, at: T0, address: None };

pub(super) fn open(folder: &tempfile::TempDir) -> Database {
    Database::open(folder.path(), HashCost::Least, T0).expect("opens")
}

pub(super) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Opens a guarded object as an administrator; `None` if it is absent.
pub(super) fn seen<T: Object + std::fmt::Debug>(guarded: Guarded<T>) -> Option<T> {
    let admin = Actor { person: Some(PersonId::of([9; 12])), is_admin: true, ..Actor::default() };
    guarded.open(&admin, Action::ViewResults).ok()
}

/// Refusal of an operation, which must fail.
pub(super) fn refused<T: std::fmt::Debug>(result: Result<T, DatabaseError>) -> Refusal {
    match result {
        Err(DatabaseError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

pub(super) fn settings() -> CourseSettings {
    CourseSettings {
        title: "Jeux de semailles".into(),
        language: Lang::French,
        opens: T0,
        closes: later(100 * 86400),
        visibility: Visibility::Members,
        guests_play: false,
        other: json!({"practice": "200ms"}),
    }
}

/// Course with a teacher, a group of two students, and their bot.
pub(super) struct World {
    pub(super) db: Database,
    pub(super) course: CourseId,
    pub(super) teacher: PersonId,
    pub(super) eva: PersonId,
    pub(super) adam: PersonId,
    pub(super) group: GroupId,
    pub(super) bot: EntryId,
    pub(super) folder: tempfile::TempDir,
}

pub(super) fn person(name: &str) -> NewPerson {
    NewPerson { name: name.into(), login: Some(name.to_lowercase()), ..NewPerson::default() }
}

impl World {
    pub(super) fn new() -> Self {
        let folder = folder();
        let db = open(&folder);
        let course = db.create_course(NOW, "mancala-26", settings()).wait().expect("a course");
        let add = |name| db.add_person(NOW, person(name)).wait().expect("a person");
        let (teacher, eva, adam) = (add("Tea"), add("Eva"), add("Adam"));
        let group = db.add_group(NOW, course, "g1", "Group 1").wait().expect("a group");
        let join = |person, role, group| {
            db.set_member(NOW, person, course, role, group).wait().expect("joins");
        };
        join(teacher, Role::Teacher, None);
        join(eva, Role::Student, Some(group));
        join(adam, Role::Student, Some(group));
        let bot = db.add_bot(NOW, group, "sower").wait().expect("a bot");
        Self { db, course, teacher, eva, adam, group, bot, folder }
    }

    /// Closes the database and returns its folder.
    pub(super) fn into_folder(self) -> tempfile::TempDir {
        drop(self.db);
        self.folder
    }

    pub(super) fn student(&self, now: Utc) -> Act {
        Act { by: By::Member(self.eva, Role::Student), at: now, address: None }
    }

    pub(super) fn staff(&self, now: Utc) -> Act {
        let address = Some([192, 0, 2, 7].into());
        Act { by: By::Member(self.teacher, Role::Teacher), at: now, address }
    }

    /// Adds a ladder.
    pub(super) fn ladder(&self, slug: &str) -> LadderId {
        let added = self.db.add_ladder(NOW, self.course, slug, String::new(), json!({}));
        added.wait().expect("added")
    }

    /// Uploads a version with these bytes, which are received at once.
    pub(super) fn upload(&self, bytes: &str, now: Utc) -> VersionId {
        match self.receive(bytes, now).expect("received") {
            Received::New(id, _) => id,
            Received::Again(..) => panic!("{bytes} is a version already"),
        }
    }

    pub(super) fn receive(&self, bytes: &str, now: Utc) -> Result<Received, DatabaseError> {
        self.db.receive_version(self.student(now), new_version(self.bot, bytes, now), vec![]).wait()
    }

    pub(super) fn lease(&self, now: Utc) -> Option<(Lease, Job)> {
        let kinds = [JobKind::Build, JobKind::Validate, JobKind::Check];
        self.db.lease_job("w1", &kinds, 60 * SECOND, now).wait().expect("leases")
    }

    /// Leases the next job, which must be of this kind, and ends it with an event.
    pub(super) fn finish(&self, kind: JobKind, event: VersionEvent, now: Utc) {
        let (lease, job) = self.lease(now).expect("a job");
        assert_eq!(job.kind, kind);
        self.db.finish_job(lease, event_outcome(event), now).wait().expect("finishes");
    }

    /// Unpacks, builds and validates the next version in the queue.
    pub(super) fn examine(&self, files: &str, now: Utc) {
        let (lease, _) = self.lease(now).expect("a job");
        let hash = Some(BotHash::of(files.as_bytes()));
        let unpacked = Progress { event: VersionEvent::Unpacked, hash, why: None };
        assert_eq!(self.db.advance(lease, unpacked, now).wait(), Ok(None));
        self.db.finish_job(lease, event_outcome(VersionEvent::Built), now).wait().expect("built");
        self.finish(JobKind::Validate, VersionEvent::Validated, now);
        let (lease, job) = self.lease(now).expect("a job");
        assert_eq!(job.kind, JobKind::Check);
        self.db
            .finish_job(lease, Outcome::Checked(json!({"findings": []})), now)
            .wait()
            .expect("ok");
    }

    pub(super) fn state(&self, id: VersionId) -> VersionState {
        self.get(id).state
    }

    pub(super) fn get(&self, id: VersionId) -> Version {
        seen(self.db.version(id).wait().expect("reads")).expect("there")
    }

    /// Actions of the last entries of the audit log.
    pub(super) fn last_actions(&self, count: usize) -> Vec<String> {
        let lines = self.db.audit(None, 0, 10_000).wait().expect("reads");
        lines[lines.len() - count..].iter().map(|line| line.action.clone()).collect()
    }
}

pub(super) fn event_outcome(event: VersionEvent) -> Outcome {
    Outcome::Version(Progress { event, hash: None, why: None })
}

pub(super) fn new_version(bot: EntryId, bytes: &str, began: Utc) -> NewVersion {
    NewVersion {
        file_name: "bot.zip".into(),
        bot,
        upload: Upload(*blake3::hash(bytes.as_bytes()).as_bytes()),
        bytes: bytes.len() as u64,
        began,
        via: Via::Web,
        note: String::new(),
        key: None,
    }
}

/// Grade with one reason.
pub(super) fn shown_grade(points: f64) -> ShownGrade {
    let [points, maximum] = [points, 20.0].map(Points::from_number);
    let why = said!("decided by the teacher");
    let reasons = vec![Reason { what: "report".into(), points: Some(points), why }];
    ShownGrade { points, maximum, open: false, reasons }
}
