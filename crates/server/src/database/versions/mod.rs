//! Versions of bots, with the state transitions that `season` allows.

mod row;

pub(super) use row::hash_of;
pub use row::{NewVersion, Received, Step, Upload, Version, Via};

use std::collections::HashSet;

use pitmaster_core::BotHash;
use pitmaster_core::i18n::{Message, said};
use pitmaster_season::course::{
    CourseId, EntryId, Guarded, PersonId, Quota, Utc, VersionEvent, VersionId, VersionState,
};
use rusqlite::named_params;
use serde_json::json;

use super::audit::NewAuditEntry;
use super::bots::Bot;
use super::columns::{Stored, Text, instant, maybe_message, text};
use super::connection::{Tx, View};
use super::error::Done;
use super::game_requests;
use super::jobs::{self, JobKind};
use super::notes::notify_group;
use super::secret::random;
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// Reason why a version is ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Text that a person typed; empty for none.
    Typed(String),
    /// Message of the server.
    Known(Message),
}

impl From<&str> for Reason {
    fn from(text: &str) -> Self {
        Self::Typed(text.to_owned())
    }
}

impl From<Message> for Reason {
    fn from(message: Message) -> Self {
        Self::Known(message)
    }
}

impl Reason {
    /// The message, if there is one.
    fn message(self) -> Result<Option<Message>, Refusal> {
        let typed = match self {
            Self::Known(message) => return Ok(Some(message)),
            Self::Typed(text) => field::optional_line("reason", &text, 500)?,
        };
        Ok((!typed.is_empty()).then(|| said!("{}", typed)))
    }
}

/// Applies an event to a version: checks that the transition is allowed, writes the new state and
/// its step, and notifies the group. Cancels the jobs of an ended version. Returns the new state.
pub(super) fn apply_event(
    tx: &Tx<'_>,
    version: &Version,
    event: VersionEvent,
    why: Option<&Message>,
    at: Utc,
) -> Done<VersionState> {
    let state = version.state.after(event)?;
    let set = (Text(version.id), state.name(), why.map(Stored));
    tx.execute("UPDATE version SET state = ?2, why = ?3 WHERE id = ?1", set)?;
    write_step(tx, version.id, state, why, at)?;
    let is_over = !state.is_in_work() && !state.has_passed();
    if is_over {
        jobs::cancel_of(tx, version.id, at)?;
        game_requests::cancel_of(tx, version.id)?;
    }
    let data = json!({
        "version": version.id.to_string(), "bot": version.name, "number": version.number,
        "state": state.name(), "why": why,
    });
    notify_group(tx, version.group, "version", &data, at)?;
    Ok(state)
}

fn write_step(
    tx: &Tx<'_>,
    id: VersionId,
    state: VersionState,
    why: Option<&Message>,
    at: Utc,
) -> Done<()> {
    tx.execute(
        "INSERT INTO version_step
         SELECT ?1, coalesce(max(n), 0) + 1, ?3, ?2, ?4 FROM version_step WHERE version = ?1",
        (Text(id), state.name(), at.0, why.map(Stored)),
    )?;
    Ok(())
}

/// Activates a version, replacing the active one of its bot.
pub(super) fn activate(tx: &Tx<'_>, version: &Version, at: Utc) -> Done<VersionState> {
    let select = Version::select("version.bot = ?1 AND version.state = 'active'");
    if let Some(active) = tx.one(&select, (Text(version.bot),), Version::read)? {
        let is_newer = version.number > active.number;
        let event = if is_newer { VersionEvent::Replaced } else { VersionEvent::SetAside };
        apply_event(tx, &active, event, None, at)?;
    }
    apply_event(tx, version, VersionEvent::Chosen, None, at)
}

/// Reactivates the newest earlier version that passed, in place of a withdrawn one. If there is
/// none, the bot has no active version.
fn reactivate_earlier(tx: &Tx<'_>, taken_back: &Version, at: Utc) -> Done<()> {
    let earlier = Version::of_bot(tx, taken_back.bot)?.into_iter();
    let mut earlier = earlier.filter(|version| version.number < taken_back.number);
    let can_play = |version: &Version| version.state.has_passed();
    earlier.find(can_play).map_or(Ok(()), |version| activate(tx, &version, at).map(drop))
}

/// Finds the older version of the bot with the same files as a new one.
pub(super) fn same_files(view: &View<'_>, new: &Version, hash: &BotHash) -> Done<Option<Version>> {
    let select = Version::select(
        "version.bot = ?1 AND version.hash = ?2 AND version.number < ?3 ORDER BY number DESC",
    );
    let twins = view.all(&select, (Text(new.bot), hash.as_str(), new.number), Version::read)?;
    Ok(twins.into_iter().find(Version::stands_for_its_files))
}

/// Supersedes waiting versions of a bot by a newer one, unless a deadline is between them: the
/// older one may be the one that counts.
fn supersede(tx: &Tx<'_>, bot: &Bot, began: Utc, at: Utc) -> Done<()> {
    let select = Version::select(
        "version.bot = ?1 AND version.state = 'received'
         AND NOT EXISTS (SELECT 1 FROM job WHERE job.version = version.id AND job.state = 'leased')
         AND NOT EXISTS (
             SELECT 1 FROM deadline WHERE deadline.course = ?2 AND removed IS NULL
             AND version.began < at + grace_ms AND at + grace_ms <= ?3)",
    );
    let waiting = tx.all(&select, (Text(bot.id), Text(bot.course.id), began.0), Version::read)?;
    for version in waiting {
        apply_event(tx, &version, VersionEvent::Replaced, None, at)?;
    }
    Ok(())
}

impl NewVersion {
    /// Finds the version that already exists for this request: one with its key, or one of the bot
    /// with the same bytes.
    fn existing(&self, view: &View<'_>) -> Done<Option<Version>> {
        if let Some(key) = &self.key {
            let select = Version::select("version.bot = ?1 AND version.request_key = ?2");
            let found = view.one(&select, (Text(self.bot), key), Version::read)?;
            if found.as_ref().is_some_and(|version| version.upload != self.upload) {
                let why = "this Idempotency-Key came with other bytes before; use a new one";
                return Err(Refusal::Conflict(why).into());
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        let select =
            Version::select("version.bot = ?1 AND version.upload = ?2 ORDER BY number DESC");
        let same = view.all(&select, (Text(self.bot), self.upload.0), Version::read)?;
        Ok(same.into_iter().find(Version::stands_for_its_files))
    }

    fn insert(
        &self,
        tx: &Tx<'_>,
        note: &str,
        by: Option<PersonId>,
        at: Utc,
    ) -> Done<(VersionId, u32)> {
        let id = VersionId::of(random()?);
        let sql = "SELECT coalesce(max(number), 0) + 1 FROM version WHERE bot = ?1";
        let number: u32 = tx.value(sql, (Text(self.bot),))?;
        tx.execute(
            "INSERT INTO version (id, bot, number, upload, bytes, file_name, began, received, uploaded_by,
                                  via, note, request_key, state)
             VALUES (:id, :bot, :number, :upload, :bytes, :file_name, :began, :received, :by, :via, :note,
                     :key, 'received')",
            named_params! {
                ":id": Text(id),
                ":bot": Text(self.bot),
                ":number": number,
                ":upload": self.upload.0,
                ":bytes": i64::try_from(self.bytes).unwrap_or(i64::MAX),
                ":file_name": self.file_name,
                ":began": self.began.0,
                ":received": at.0,
                ":by": by.map(Text),
                ":via": self.via.name(),
                ":note": note,
                ":key": self.key,
            },
        )?;
        write_step(tx, id, VersionState::Received, None, at)?;
        jobs::add(tx, JobKind::Build, id, at)?;
        Ok((id, number))
    }
}

/// Refuses a request beyond a group's quotas.
pub(super) fn require_quota(quotas: &[Quota], past: &[i64], now: Utc) -> Done<()> {
    let past: Vec<Utc> = past.iter().map(|at| Utc(*at)).collect();
    match Quota::wait(quotas, &past, now) {
        Some(wait) => Err(Refusal::Quota { wait }.into()),
        None => Ok(()),
    }
}

/// Refuses an upload beyond a group's quotas. A refused archive was never built, so it counts only
/// as an attempt.
fn require_uploads(view: &View<'_>, bot: &Bot, quotas: &[Quota], now: Utc) -> Done<()> {
    let past = |condition: &str| -> Done<Vec<i64>> {
        let sql = format!(
            "SELECT received FROM version JOIN bot ON bot.id = version.bot
             WHERE bot.grp = ?1 AND {condition}"
        );
        view.all(&sql, (Text(bot.group),), |row| row.get(0))
    };
    require_quota(quotas, &past("version.state <> 'refused'")?, now)?;
    let attempts: Vec<Quota> = quotas.iter().map(|quota| quota.of_attempts()).collect();
    require_quota(&attempts, &past("TRUE")?, now)
}

impl Database {
    /// Adds a version whose bytes are stored. It is committed, with the job that examines it,
    /// before this returns. The same bytes for the same bot return the older version.
    ///
    /// # Errors
    /// The bot does not exist, the note is invalid, or the group exceeds its quota.
    pub fn receive_version(
        &self,
        act: Act,
        new: NewVersion,
        quotas: Vec<Quota>,
    ) -> Answer<Received> {
        self.act(act, move |tx| {
            let bot = Bot::require(tx, new.bot)?;
            let note = field::optional_line("note", &new.note, 500)?;
            if new.began > act.at {
                return Err(Refusal::Conflict("an upload cannot end before it begins").into());
            }
            let entry = |version| {
                NewAuditEntry::new(AuditAction::Upload, Target::Version(version), bot.course.id)
            };
            if let Some(same) = new.existing(tx)? {
                let entry = entry(same.id).after(json!({"again": true}));
                return Ok((Received::Again(same.id, same.number), entry));
            }
            require_uploads(tx, &bot, &quotas, act.at)?;
            supersede(tx, &bot, new.began, act.at)?;
            let (id, number) = new.insert(tx, &note, act.by.person(), act.at)?;
            let data = json!({
                "version": id.to_string(), "bot": bot.name, "number": number,
                "state": VersionState::Received.name(), "why": null,
            });
            notify_group(tx, bot.group, "version", &data, act.at)?;
            let entry =
                entry(id).after(json!({"number": number, "upload": new.upload.to_string()}));
            Ok((Received::New(id, number), entry))
        })
    }

    /// Activates a version, replacing the active one. `for_good` pins it, so that newer versions do
    /// not replace it.
    ///
    /// # Errors
    /// The version does not exist, its bot is retired, or its state does not allow it.
    pub fn choose_version(&self, act: Act, id: VersionId, for_good: bool) -> Answer<()> {
        self.act(act, move |tx| {
            let version = Version::require(tx, id)?;
            Bot::require(tx, version.bot)?;
            if version.state != VersionState::Active {
                activate(tx, &version, act.at)?;
            }
            let pinned = for_good.then_some(Text(id));
            tx.execute("UPDATE bot SET pinned = ?2 WHERE id = ?1", (Text(version.bot), pinned))?;
            let entry = NewAuditEntry::new(
                AuditAction::ChooseVersion,
                Target::Version(id),
                version.course.id,
            );
            let entry = entry.before(version.state.name());
            Ok(((), entry.after(json!({"for_good": for_good}))))
        })
    }

    /// Suspends an active version.
    ///
    /// # Errors
    /// The version does not exist, or it is not active.
    pub fn suspend_version(&self, act: Act, id: VersionId, why: impl Into<Reason>) -> Answer<()> {
        self.end_version(act, id, VersionEvent::Suspended, AuditAction::SuspendVersion, why.into())
    }

    /// Withdraws a version.
    ///
    /// # Errors
    /// The version does not exist, or its state does not allow it.
    pub fn withdraw_version(&self, act: Act, id: VersionId, why: impl Into<Reason>) -> Answer<()> {
        self.end_version(act, id, VersionEvent::Withdrawn, AuditAction::WithdrawVersion, why.into())
    }

    fn end_version(
        &self,
        act: Act,
        id: VersionId,
        event: VersionEvent,
        deed: AuditAction,
        why: Reason,
    ) -> Answer<()> {
        self.act(act, move |tx| {
            let why = why.message()?;
            let version = Version::require(tx, id)?;
            let state = apply_event(tx, &version, event, why.as_ref(), act.at)?;
            // A withdrawn version must not remain pinned.
            let unpin = "UPDATE bot SET pinned = NULL WHERE id = ?1 AND pinned = ?2";
            if event == VersionEvent::Withdrawn {
                tx.execute(unpin, (Text(version.bot), Text(id)))?;
                if version.state == VersionState::Active {
                    reactivate_earlier(tx, &version, act.at)?;
                }
            }
            let entry = NewAuditEntry::new(deed, Target::Version(id), version.course.id);
            Ok(((), entry.before(version.state.name()).after(state.name())))
        })
    }

    /// Immediately retries the examination of a version whose job failed or is delayed because of a
    /// fault of the server.
    ///
    /// # Errors
    /// The version does not exist, or it has no such job.
    pub fn retry_version(&self, act: Act, id: VersionId) -> Answer<()> {
        self.act(act, move |tx| {
            let version = Version::require(tx, id)?;
            let kind = match version.state {
                VersionState::Received | VersionState::Staged => JobKind::Build,
                VersionState::Built => JobKind::Validate,
                _ => return Err(Refusal::Conflict("this version is not being examined").into()),
            };
            let entry = NewAuditEntry::new(
                AuditAction::RetryVersion,
                Target::Version(id),
                version.course.id,
            );
            let wake = "UPDATE job SET not_before = 0
                        WHERE version = ?1 AND state = 'waiting' AND not_before > ?2";
            if tx.execute(wake, (Text(id), act.at.0))? > 0 {
                return Ok(((), entry));
            }
            let goes_on = "SELECT 1 FROM job WHERE version = ?1 AND state IN ('waiting', 'leased')";
            if tx.is_there(goes_on, (Text(id),))? {
                return Err(Refusal::Conflict("this version is being examined already").into());
            }
            jobs::add(tx, kind, id, act.at)?;
            Ok(((), entry))
        })
    }

    /// Whether a version of any bot has these bytes.
    pub fn has_upload(&self, upload: Upload) -> Answer<bool> {
        self.read(move |view| view.is_there("SELECT 1 FROM version WHERE upload = ?1", (upload.0,)))
    }

    /// All uploads that versions refer to.
    pub fn uploads(&self) -> Answer<HashSet<Upload>> {
        self.read(|view| {
            let all = view.all("SELECT DISTINCT upload FROM version", (), |row| row.get(0))?;
            Ok(all.into_iter().map(Upload).collect())
        })
    }

    /// Looks up a version of a bot by its number.
    pub fn version_numbered(&self, bot: EntryId, number: u32) -> Answer<Guarded<Version>> {
        self.read(move |view| {
            let select = Version::select("version.bot = ?1 AND version.number = ?2");
            view.one(&select, (Text(bot), number), Version::read).map(Guarded::new)
        })
    }

    /// Looks up a version.
    pub fn version(&self, id: VersionId) -> Answer<Guarded<Version>> {
        self.read(move |view| Version::find(view, id).map(Guarded::new))
    }

    /// Versions of a bot, newest first.
    pub fn versions(&self, bot: EntryId) -> Answer<Vec<Guarded<Version>>> {
        self.read(move |view| {
            let versions = Version::of_bot(view, bot)?;
            Ok(versions.into_iter().map(|version| Guarded::new(Some(version))).collect())
        })
    }

    /// Versions of a bot with these files, newest first.
    pub fn versions_of_files(&self, bot: EntryId, hash: BotHash) -> Answer<Vec<Guarded<Version>>> {
        self.read(move |view| {
            let select =
                Version::select("version.bot = ?1 AND version.hash = ?2 ORDER BY number DESC");
            let versions = view.all(&select, (Text(bot), hash.as_str()), Version::read)?;
            Ok(versions.into_iter().map(|version| Guarded::new(Some(version))).collect())
        })
    }

    /// Active versions of a course by name, which the ladder pairs.
    pub fn active_versions(&self, course: CourseId) -> Answer<Vec<Version>> {
        self.read(move |view| {
            let select =
                Version::select("bot.course = ?1 AND version.state = 'active' ORDER BY bot.name");
            view.all(&select, (Text(course),), Version::read)
        })
    }

    /// Versions of a course that were active at an instant, by name.
    pub fn active_versions_at(&self, course: CourseId, at: Utc) -> Answer<Vec<Version>> {
        self.read(move |view| {
            let select = Version::select(
                "bot.course = ?1 AND 'active' = (
                    SELECT step.state FROM version_step AS step
                    WHERE step.version = version.id AND step.at <= ?2 ORDER BY step.n DESC LIMIT 1
                 ) ORDER BY bot.name",
            );
            view.all(&select, (Text(course), at.0), Version::read)
        })
    }

    /// States of a version, oldest first.
    pub fn steps(&self, id: VersionId) -> Answer<Vec<Step>> {
        self.read(move |view| {
            view.all(
                "SELECT * FROM version_step WHERE version = ?1 ORDER BY n",
                (Text(id),),
                |row| {
                    Ok(Step {
                        at: instant(row, "at")?,
                        state: text(row, "state")?,
                        why: maybe_message(row, "why")?,
                    })
                },
            )
        })
    }
}
