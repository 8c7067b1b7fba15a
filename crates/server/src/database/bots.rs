//! Bots of groups.

use pitmaster_core::i18n::said;
use pitmaster_core::{BotName, NameError};
use pitmaster_season::course::{
    CourseFacts, CourseId, EntryId, Facts, GroupId, Guarded, Object, Utc, VersionEvent, VersionId,
    VersionState,
};
use rusqlite::Row;
use serde_json::json;

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, maybe, maybe_instant, text};
use super::connection::{Tx, View};
use super::courses::{COURSE_FACTS, course_facts};
use super::error::Done;
use super::groups::Group;
use super::secret::random;
use super::versions::{Version, apply_event};
use super::{Act, Answer, AuditAction, Database, Refusal, Target};

/// Maximum number of a group's bots that are not retired.
pub const MAX_BOTS_PER_GROUP: u32 = 3;

/// Bot of a group. Its versions share its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot {
    /// Id of the bot.
    pub id: EntryId,
    /// Course of the bot.
    pub course: CourseFacts,
    /// Group of the bot.
    pub group: GroupId,
    /// Full name: the group's slug, a dot and the bot's own name.
    pub name: BotName,
    /// Whether it is the ranked bot of its group.
    pub is_ranked: bool,
    /// Whether people of other groups may play against it.
    pub plays_people: bool,
    /// Version that the group pinned.
    pub pinned: Option<VersionId>,
    /// Creation time.
    pub made: Utc,
    /// Time of the retirement.
    pub retired: Option<Utc>,
}

impl Object for Bot {
    fn facts(&self) -> Facts<'_> {
        Facts {
            course: Some(&self.course),
            groups: std::slice::from_ref(&self.group),
            ..Facts::default()
        }
    }
}

impl Bot {
    /// Whether the group pinned this version.
    pub fn has_chosen(&self, version: &Version) -> bool {
        self.pinned == Some(version.id)
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            course: course_facts(row)?,
            group: text(row, "grp")?,
            name: text(row, "name")?,
            is_ranked: row.get("ranked")?,
            plays_people: row.get("plays_people")?,
            pinned: maybe(row, "pinned")?,
            made: instant(row, "made")?,
            retired: maybe_instant(row, "retired")?,
        })
    }

    fn select(condition: &str) -> String {
        format!(
            "SELECT bot.*, {COURSE_FACTS} FROM bot JOIN course ON course.id = bot.course
             WHERE {condition}"
        )
    }

    fn find(view: &View<'_>, id: EntryId) -> Done<Option<Self>> {
        view.one(&Self::select("bot.id = ?1"), (Text(id),), Self::read)
    }

    /// Returns a bot that must exist and must not be retired.
    pub(super) fn require(view: &View<'_>, id: EntryId) -> Done<Self> {
        let found = Self::find(view, id)?.filter(|bot| bot.retired.is_none());
        Ok(found.ok_or(Refusal::Absent("bot"))?)
    }

    /// The ranked bot of a group.
    pub(super) fn ranked(view: &View<'_>, group: GroupId) -> Done<Option<Self>> {
        view.one(&Self::select("grp = ?1 AND ranked = 1"), (Text(group),), Self::read)
    }
}

/// Full name of a bot: the group's slug, a dot and the bot's own name.
fn name_in(group: &Group, name: &str) -> Result<BotName, Refusal> {
    let name: Result<BotName, NameError> = format!("{}.{name}", group.slug).parse();
    let why = |error: NameError| format!("does not fit: {error}");
    name.map_err(|error| Refusal::Invalid { what: "name", why: why(error) })
}

/// Refuses a taken name, or more than [`MAX_BOTS_PER_GROUP`] bots.
fn require_room(view: &View<'_>, group: &Group, name: &BotName) -> Done<()> {
    let taken = "SELECT 1 FROM bot WHERE course = ?1 AND name = ?2";
    if view.is_there(taken, (Text(group.course.id), name.as_str()))? {
        return Err(Refusal::Exists("name").into());
    }
    let count = "SELECT count(*) FROM bot WHERE grp = ?1 AND retired IS NULL";
    if view.value::<u32>(count, (Text(group.id),))? >= MAX_BOTS_PER_GROUP {
        return Err(Refusal::TooMany { what: "bots of a group", limit: MAX_BOTS_PER_GROUP }.into());
    }
    Ok(())
}

/// Stops all versions of a bot, before it is retired.
fn stop_versions(tx: &Tx<'_>, bot: EntryId, at: Utc) -> Done<()> {
    for version in Version::of_bot(tx, bot)? {
        let event = match version.state {
            VersionState::Active => VersionEvent::SetAside,
            state if state.is_in_work() => VersionEvent::Withdrawn,
            _ => continue,
        };
        apply_event(tx, &version, event, Some(&said!("the bot was retired")), at)?;
    }
    Ok(())
}

impl Database {
    /// Adds a bot to a group. The first bot of a group is ranked.
    ///
    /// # Errors
    /// The group does not exist or has the maximum number of bots, or the name is invalid or taken.
    pub fn add_bot(&self, act: Act, group: GroupId, name: &str) -> Answer<EntryId> {
        let name = name.to_owned();
        self.act(act, move |tx| {
            let group = Group::require(tx, group)?;
            let name = name_in(&group, &name)?;
            require_room(tx, &group, &name)?;
            let is_first = Bot::ranked(tx, group.id)?.is_none();
            let id = EntryId::of(random()?);
            let (course, name) = (group.course.id, name.as_str());
            let row = (Text(id), Text(course), Text(group.id), name, is_first, act.at.0);
            let columns = "id, course, grp, name, ranked, made";
            let insert = format!("INSERT INTO bot ({columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
            tx.execute(&insert, row)?;
            let entry = NewAuditEntry::new(AuditAction::AddBot, Target::Bot(id), course);
            Ok((id, entry.after(json!({"name": name, "group": group.id.to_string()}))))
        })
    }

    /// Makes a bot the ranked one of its group.
    ///
    /// # Errors
    /// The bot does not exist.
    pub fn rank_bot(&self, act: Act, id: EntryId) -> Answer<()> {
        self.act(act, move |tx| {
            let bot = Bot::require(tx, id)?;
            let before = Bot::ranked(tx, bot.group)?.map(|bot| bot.id.to_string());
            tx.execute("UPDATE bot SET ranked = 0 WHERE grp = ?1", (Text(bot.group),))?;
            tx.execute("UPDATE bot SET ranked = 1 WHERE id = ?1", (Text(id),))?;
            Ok((
                (),
                NewAuditEntry::new(AuditAction::RankBot, Target::Bot(id), bot.course.id)
                    .before(before),
            ))
        })
    }

    /// Lets people of other groups play against a bot, or prevents it.
    ///
    /// # Errors
    /// The bot does not exist.
    pub fn let_people_play(&self, act: Act, id: EntryId, plays_people: bool) -> Answer<()> {
        self.act(act, move |tx| {
            let bot = Bot::require(tx, id)?;
            let set = (Text(id), plays_people);
            tx.execute("UPDATE bot SET plays_people = ?2 WHERE id = ?1", set)?;
            let entry =
                NewAuditEntry::new(AuditAction::LetPeoplePlay, Target::Bot(id), bot.course.id);
            Ok(((), entry.before(bot.plays_people).after(json!(plays_people))))
        })
    }

    /// Retires a bot and stops its versions. Its games are kept, and its name remains taken.
    ///
    /// # Errors
    /// The bot does not exist.
    pub fn retire_bot(&self, act: Act, id: EntryId) -> Answer<()> {
        self.act(act, move |tx| {
            let bot = Bot::require(tx, id)?;
            stop_versions(tx, id, act.at)?;
            let set = (Text(id), act.at.0);
            tx.execute("UPDATE bot SET retired = ?2, ranked = 0 WHERE id = ?1", set)?;
            Ok(((), NewAuditEntry::new(AuditAction::RetireBot, Target::Bot(id), bot.course.id)))
        })
    }

    /// Unpins the version of a bot, so that its newest version plays again as soon as it is valid.
    ///
    /// # Errors
    /// The bot does not exist.
    pub fn unpin(&self, act: Act, id: EntryId) -> Answer<()> {
        self.act(act, move |tx| {
            let bot = Bot::require(tx, id)?;
            tx.execute("UPDATE bot SET pinned = NULL WHERE id = ?1", (Text(id),))?;
            let before = bot.pinned.map(|version| version.to_string());
            Ok((
                (),
                NewAuditEntry::new(AuditAction::PinVersion, Target::Bot(id), bot.course.id)
                    .before(before),
            ))
        })
    }

    /// Looks up a bot.
    pub fn bot(&self, id: EntryId) -> Answer<Guarded<Bot>> {
        self.read(move |view| Bot::find(view, id).map(Guarded::new))
    }

    /// Looks up a bot of a course by its full name.
    pub fn bot_named(&self, course: CourseId, name: BotName) -> Answer<Guarded<Bot>> {
        self.read(move |view| {
            let select = Bot::select("bot.course = ?1 AND name = ?2");
            view.one(&select, (Text(course), name.as_str()), Bot::read).map(Guarded::new)
        })
    }

    /// All bots of a course by name, including retired ones.
    pub fn bots(&self, course: CourseId) -> Answer<Vec<Guarded<Bot>>> {
        self.read(move |view| {
            let select = Bot::select("bot.course = ?1 ORDER BY name");
            let bots = view.all(&select, (Text(course),), Bot::read)?;
            Ok(bots.into_iter().map(|bot| Guarded::new(Some(bot))).collect())
        })
    }
}
