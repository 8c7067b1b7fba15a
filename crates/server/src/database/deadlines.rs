//! Deadlines and the versions that are frozen at them.

use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_season::course::{
    Candidate, CourseFacts, CourseId, Deadline, DeadlineId, Facts, FreezePolicy, Frozen, GroupId,
    Guarded, LadderId, Object, Utc, VersionId,
};
use rusqlite::{Row, named_params};
use serde_json::{Map, Value, json};

use super::audit::NewAuditEntry;
use super::bots::Bot;
use super::columns::{Text, instant, maybe, maybe_instant, text};
use super::connection::{Tx, View};
use super::courses::{COURSE_FACTS, Course, course_facts};
use super::error::Done;
use super::groups::Group;
use super::notes::notify_group;
use super::secret::random;
use super::versions::Version;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// Settings of a deadline, chosen by a teacher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadlineSettings {
    /// Name, unique in the course.
    pub name: String,
    /// Instant of the deadline, and policy that selects the version that counts.
    pub rule: Deadline,
    /// Penalty for late submissions, in the words of the grading scheme; may be empty.
    pub late_rule: String,
    /// Ladder that the deadline belongs to.
    pub ladder: Option<LadderId>,
}

/// A deadline of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadlineRow {
    /// Id of the deadline.
    pub id: DeadlineId,
    /// Course of the deadline.
    pub course: CourseFacts,
    /// Settings of the deadline.
    pub settings: DeadlineSettings,
    /// Name of the final that is shown.
    pub shown_final: Option<String>,
    /// Time of the removal.
    pub removed: Option<Utc>,
}

impl Object for DeadlineRow {
    fn facts(&self) -> Facts<'_> {
        let is_deleted = self.removed.is_some();
        Facts { course: Some(&self.course), is_deleted, ..Facts::default() }
    }
}

/// Decision about a group at a deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenVersion {
    /// The group.
    pub group: GroupId,
    /// Version with the hash of its files; `None` if the group has no version that was in time and
    /// passed.
    pub version: Option<(VersionId, BotHash)>,
    /// Time of the decision.
    pub taken_at: Utc,
}

fn policy(row: &Row<'_>) -> rusqlite::Result<FreezePolicy> {
    let name: String = row.get("policy")?;
    let found = FreezePolicy::ALL.into_iter().find(|policy| policy.name() == name);
    found.ok_or_else(|| rusqlite::Error::InvalidColumnType(0, name, rusqlite::types::Type::Text))
}

impl DeadlineRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            course: course_facts(row)?,
            settings: DeadlineSettings {
                name: row.get("name")?,
                rule: Deadline {
                    at: instant(row, "at")?,
                    grace: Duration::from_millis(row.get::<_, i64>("grace_ms")?.unsigned_abs()),
                    policy: policy(row)?,
                },
                late_rule: row.get("late_rule")?,
                ladder: maybe(row, "ladder")?,
            },
            shown_final: row.get("final")?,
            removed: maybe_instant(row, "removed")?,
        })
    }

    fn select(condition: &str) -> String {
        format!(
            "SELECT deadline.*, {COURSE_FACTS} FROM deadline
             JOIN course ON course.id = deadline.course WHERE {condition}"
        )
    }

    fn find(view: &View<'_>, id: DeadlineId) -> Done<Option<Self>> {
        view.one(&Self::select("deadline.id = ?1"), (Text(id),), Self::read)
    }

    fn require(view: &View<'_>, id: DeadlineId) -> Done<Self> {
        let found = Self::find(view, id)?.filter(|deadline| deadline.removed.is_none());
        Ok(found.ok_or(Refusal::Absent("deadline"))?)
    }

    /// Refuses changes of a deadline with frozen versions.
    fn require_open(&self, view: &View<'_>) -> Done<()> {
        if view.is_there("SELECT 1 FROM frozen WHERE deadline = ?1", (Text(self.id),))? {
            return Err(Refusal::Conflict("versions are frozen at this deadline already").into());
        }
        Ok(())
    }
}

impl DeadlineSettings {
    fn write(self, tx: &Tx<'_>, id: DeadlineId, course: CourseId) -> Done<Value> {
        let name = field::line("name", &self.name, 100)?;
        let late_rule = field::optional_line("rule", &self.late_rule, 500)?;
        let taken = "SELECT 1 FROM deadline WHERE course = ?1 AND name = ?2 AND id <> ?3";
        if tx.is_there(taken, (Text(course), &name, Text(id)))? {
            return Err(Refusal::Exists("name").into());
        }
        let grace = i64::try_from(self.rule.grace.as_millis()).unwrap_or(i64::MAX);
        tx.execute(
            "UPDATE deadline SET name = :name, at = :at, grace_ms = :grace, late_rule = :late_rule,
                 policy = :policy, ladder = :ladder
             WHERE id = :id",
            named_params! {
                ":id": Text(id),
                ":name": name,
                ":at": self.rule.at.0,
                ":grace": grace,
                ":late_rule": late_rule,
                ":policy": self.rule.policy.name(),
                ":ladder": self.ladder.map(Text),
            },
        )?;
        Ok(Self { name, late_rule, ..self }.logged())
    }

    fn logged(&self) -> Value {
        let Deadline { at, grace, policy } = self.rule;
        json!({
            "name": self.name, "at": at, "grace_ms": grace.as_millis() as u64,
            "policy": policy.name(), "late_rule": self.late_rule,
            "ladder": self.ladder.map(|ladder| ladder.to_string()),
        })
    }
}

/// Versions of a bot, as candidates for a deadline.
fn candidates(view: &View<'_>, bot: &Bot) -> Done<Vec<(Version, Candidate)>> {
    let versions = Version::of_bot(view, bot.id)?;
    let candidate = |version: Version| {
        let (number, began, state) = (version.number, version.began, version.state);
        let is_chosen = bot.pinned == Some(version.id);
        (version, Candidate { number, began, state, is_chosen })
    };
    Ok(versions.into_iter().map(candidate).collect())
}

/// Decision about a group at this moment.
enum Decision {
    /// A version that was in time is still being examined.
    Waits,
    /// No version was in time and passed.
    Nothing,
    /// This version counts.
    Version(Box<Version>),
}

/// Decides which version of a group counts, if that is possible yet.
fn decide(view: &View<'_>, deadline: &Deadline, group: GroupId, now: Utc) -> Done<Decision> {
    let Some(bot) = Bot::ranked(view, group)? else { return Ok(Decision::Nothing) };
    let (versions, candidates): (Vec<_>, Vec<_>) = candidates(view, &bot)?.into_iter().unzip();
    match deadline.freeze(&candidates, now) {
        Frozen::TooEarly => Err(Refusal::Conflict("the deadline has not passed").into()),
        Frozen::WaitsFor(_) => Ok(Decision::Waits),
        Frozen::Nothing => Ok(Decision::Nothing),
        Frozen::Version(number) => {
            let frozen = versions.into_iter().find(|version| version.number == number);
            Ok(frozen.map_or(Decision::Nothing, |version| Decision::Version(version.into())))
        }
    }
}

/// Writes the frozen version of a group, and notifies the group.
fn freeze_group(
    tx: &Tx<'_>,
    deadline: &DeadlineRow,
    group: GroupId,
    version: Option<&Version>,
    now: Utc,
) -> Done<()> {
    tx.execute(
        "INSERT INTO frozen VALUES (:deadline, :course, :grp, :version, :hash, :now)
         ON CONFLICT (deadline, grp)
             DO UPDATE SET version = :version, hash = :hash, taken_at = :now",
        named_params! {
            ":deadline": Text(deadline.id),
            ":course": Text(deadline.course.id),
            ":grp": Text(group),
            ":version": version.map(|version| Text(version.id)),
            ":hash": version.map(|version| version.hash.as_ref().map_or("", BotHash::as_str)),
            ":now": now.0,
        },
    )?;
    let data = json!({
        "deadline": deadline.id.to_string(),
        "version": version.map(|version| version.id.to_string()),
        "number": version.map(|version| version.number),
    });
    notify_group(tx, group, "frozen", &data, now)
}

impl Database {
    /// Creates a deadline.
    ///
    /// # Errors
    /// The course or ladder does not exist, the name is taken, or a text is invalid.
    pub fn add_deadline(
        &self,
        act: Act,
        course: CourseId,
        settings: DeadlineSettings,
    ) -> Answer<DeadlineId> {
        self.act(act, move |tx| {
            Course::require(tx, course)?;
            let id = DeadlineId::of(random()?);
            // Placeholder for the name, unique until the settings are written.
            let row = (Text(id), Text(course), id.to_string(), act.at.0);
            tx.execute(
                "INSERT INTO deadline VALUES (?1, ?2, ?3, 0, 0, '', 'chosen', NULL, NULL, ?4, NULL)",
                row,
            )?;
            let logged = settings.write(tx, id, course)?;
            Ok((id, NewAuditEntry::new(AuditAction::AddDeadline, Target::Deadline(id), course).after(logged)))
        })
    }

    /// Changes a deadline without frozen versions.
    ///
    /// # Errors
    /// The deadline does not exist or has frozen versions, the name is taken, or a text is invalid.
    pub fn edit_deadline(
        &self,
        act: Act,
        id: DeadlineId,
        settings: DeadlineSettings,
    ) -> Answer<()> {
        self.act(act, move |tx| {
            let old = DeadlineRow::require(tx, id)?;
            old.require_open(tx)?;
            let logged = settings.write(tx, id, old.course.id)?;
            let entry =
                NewAuditEntry::new(AuditAction::EditDeadline, Target::Deadline(id), old.course.id);
            Ok(((), entry.before(old.settings.logged()).after(logged)))
        })
    }

    /// Removes a deadline without frozen versions. Its name becomes free.
    ///
    /// # Errors
    /// The deadline does not exist, or it has frozen versions.
    pub fn remove_deadline(&self, act: Act, id: DeadlineId) -> Answer<()> {
        self.act(act, move |tx| {
            let old = DeadlineRow::require(tx, id)?;
            old.require_open(tx)?;
            let set = (Text(id), act.at.0, format!("{} ({id})", old.settings.name));
            tx.execute("UPDATE deadline SET removed = ?2, name = ?3 WHERE id = ?1", set)?;
            let entry = NewAuditEntry::new(
                AuditAction::RemoveDeadline,
                Target::Deadline(id),
                old.course.id,
            );
            Ok(((), entry.before(old.settings.logged())))
        })
    }

    /// Freezes the version that counts at a deadline, for every group for which that is decided and
    /// not frozen yet. Returns the groups with a version that is still being examined. Call it
    /// again when one of these versions changes.
    ///
    /// # Errors
    /// The deadline does not exist, or it has not passed.
    pub fn freeze(&self, act: Act, id: DeadlineId) -> Answer<Vec<GroupId>> {
        self.act(act, move |tx| {
            let deadline = DeadlineRow::require(tx, id)?;
            if act.at < deadline.settings.rule.end() {
                return Err(Refusal::Conflict("the deadline has not passed").into());
            }
            let open = "SELECT id FROM grp WHERE course = ?1 AND removed IS NULL AND NOT EXISTS
                            (SELECT 1 FROM frozen WHERE deadline = ?2 AND frozen.grp = grp.id)
                        ORDER BY slug";
            let course = deadline.course.id;
            let open = tx.all(open, (Text(course), Text(id)), |row| text(row, "id"))?;
            let (mut waiting, mut logged) = (Vec::new(), Map::new());
            for group in open {
                let version = match decide(tx, &deadline.settings.rule, group, act.at)? {
                    Decision::Waits => {
                        waiting.push(group);
                        continue;
                    }
                    Decision::Nothing => None,
                    Decision::Version(version) => Some(version),
                };
                freeze_group(tx, &deadline, group, version.as_deref(), act.at)?;
                let version = version.map(|version| version.id.to_string());
                logged.insert(group.to_string(), json!(version));
            }
            let entry = NewAuditEntry::new(AuditAction::Freeze, Target::Deadline(id), course);
            Ok((waiting, entry.after(logged)))
        })
    }

    /// Replaces the frozen version of a group, after a dispute.
    ///
    /// # Errors
    /// Nothing is frozen for the group, or the version is not a passed version of the group.
    pub fn refreeze(
        &self,
        act: Act,
        id: DeadlineId,
        group: GroupId,
        version: Option<VersionId>,
        why: &str,
    ) -> Answer<()> {
        let why = why.to_owned();
        self.act(act, move |tx| {
            let why = field::line("reason", &why, 500)?;
            let deadline = DeadlineRow::require(tx, id)?;
            Group::require_in(tx, group, deadline.course.id)?;
            let version = version.map(|version| Version::require(tx, version)).transpose()?;
            let fits = |version: &Version| version.group == group && version.may_be_frozen();
            if version.as_ref().is_some_and(|it| !fits(it)) {
                return Err(Refusal::Conflict("this is no version of the group that passed").into());
            }
            let sql = "SELECT version FROM frozen WHERE deadline = ?1 AND grp = ?2";
            let old =
                tx.one(sql, (Text(id), Text(group)), |row| row.get::<_, Option<String>>(0))?;
            let old = old.ok_or(Refusal::Absent("frozen version"))?;
            freeze_group(tx, &deadline, group, version.as_ref(), act.at)?;
            let new = version.map(|version| version.id.to_string());
            let entry =
                NewAuditEntry::new(AuditAction::Refreeze, Target::Deadline(id), deadline.course.id);
            let entry = entry.before(json!({"group": group.to_string(), "version": old}));
            Ok(((), entry.after(json!({"version": new, "why": why}))))
        })
    }

    /// Logs that the tournament file of a final was written.
    ///
    /// # Errors
    /// The deadline does not exist.
    pub(crate) fn log_final(&self, act: Act, id: DeadlineId, name: String) -> Answer<()> {
        self.act(act, move |tx| {
            let deadline = DeadlineRow::require(tx, id)?;
            let entry = NewAuditEntry::new(
                AuditAction::WriteFinal,
                Target::Deadline(id),
                deadline.course.id,
            );
            Ok(((), entry.after(name)))
        })
    }

    /// Sets the final that is shown for a deadline, or none.
    ///
    /// # Errors
    /// The deadline does not exist, or the name is invalid.
    pub fn show_final(&self, act: Act, id: DeadlineId, folder: Option<String>) -> Answer<()> {
        self.act(act, move |tx| {
            let deadline = DeadlineRow::require(tx, id)?;
            if let Some(folder) = &folder {
                // Names of further finals have a number after a `_`.
                field::slug("final", &folder.replace('_', "-"))?;
            }
            tx.execute("UPDATE deadline SET final = ?2 WHERE id = ?1", (Text(id), &folder))?;
            let entry = NewAuditEntry::new(
                AuditAction::ShowFinal,
                Target::Deadline(id),
                deadline.course.id,
            );
            Ok(((), entry.before(deadline.shown_final).after(folder)))
        })
    }

    /// Looks up a deadline.
    pub fn deadline(&self, id: DeadlineId) -> Answer<Guarded<DeadlineRow>> {
        self.read(move |view| DeadlineRow::find(view, id).map(Guarded::new))
    }

    /// Deadlines of a course, in chronological order.
    pub fn deadlines(&self, course: CourseId) -> Answer<Vec<Guarded<DeadlineRow>>> {
        self.read(move |view| {
            let select = DeadlineRow::select(
                "deadline.course = ?1 AND removed IS NULL ORDER BY at + grace_ms, name",
            );
            let rows = view.all(&select, (Text(course),), DeadlineRow::read)?;
            Ok(rows.into_iter().map(|row| Guarded::new(Some(row))).collect())
        })
    }

    /// Frozen versions of a deadline, by group.
    pub fn frozen(&self, id: DeadlineId) -> Answer<Vec<FrozenVersion>> {
        self.read(move |view| {
            let sql = "SELECT frozen.* FROM frozen
                       JOIN grp ON grp.id = frozen.grp WHERE deadline = ?1 ORDER BY grp.slug";
            view.all(sql, (Text(id),), |row| {
                let hash = row.get::<_, Option<String>>("hash")?;
                let hash = hash.map(|hash| super::versions::hash_of(&hash));
                Ok(FrozenVersion {
                    group: text(row, "grp")?,
                    version: maybe(row, "version")?.zip(hash),
                    taken_at: instant(row, "taken_at")?,
                })
            })
        })
    }
}
