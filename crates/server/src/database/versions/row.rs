//! Rows of versions.

use pitmaster_core::i18n::Message;
use pitmaster_core::{BotHash, BotName};
use pitmaster_season::course::{
    CourseFacts, EntryId, Facts, GroupId, Object, PersonId, Utc, VersionId, VersionState,
};
use rusqlite::Row;
use serde_json::Value;

use crate::database::Refusal;
use crate::database::columns::{Text, instant, maybe, maybe_json, maybe_message, text};
use crate::database::connection::View;
use crate::database::courses::{COURSE_FACTS, course_facts};
use crate::database::error::Done;

/// Channel of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Form in the browser.
    Web,
    /// `pitmaster push` or the API.
    Push,
    /// File, at the command line of the server.
    File,
}

impl Via {
    const ALL: [Self; 3] = [Self::Web, Self::Push, Self::File];

    /// Name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Push => "push",
            Self::File => "file",
        }
    }
}

impl std::str::FromStr for Via {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|via| via.name() == text);
        found.ok_or_else(|| format!("unknown way in {text:?}"))
    }
}

/// BLAKE3 hash of the bytes of an upload, which names its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Upload(pub [u8; 32]);

impl std::fmt::Display for Upload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Data of a new version, whose bytes are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVersion {
    /// The bot.
    pub bot: EntryId,
    /// Hash of the bytes that were sent.
    pub upload: Upload,
    /// Number of bytes.
    pub bytes: u64,
    /// Name of the file that was sent, without folders; may be empty.
    pub file_name: String,
    /// Arrival time of the first byte, which deadlines compare.
    pub began: Utc,
    /// Channel of the upload.
    pub via: Via,
    /// Note of the author; may be empty.
    pub note: String,
    /// Idempotency key: requests with the same key return the same version, whatever its state.
    pub key: Option<String>,
}

/// Result of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// A new version with this number, which waits to be examined.
    New(VersionId, u32),
    /// An existing version with the same bytes.
    Again(VersionId, u32),
}

/// A version of a bot.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// Id of the version.
    pub id: VersionId,
    /// Course of the version.
    pub course: CourseFacts,
    /// Group of the version.
    pub group: GroupId,
    /// Bot of the version.
    pub bot: EntryId,
    /// Full name of the bot.
    pub name: BotName,
    /// Number among the versions of the bot, from 1.
    pub number: u32,
    /// Hash of the upload.
    pub upload: Upload,
    /// Size of the upload.
    pub bytes: u64,
    /// Name of the file that was sent; may be empty.
    pub file_name: String,
    /// Hash of the files, once they are unpacked.
    pub hash: Option<BotHash>,
    /// Older version of the bot with the same files.
    pub same_as: Option<VersionId>,
    /// Arrival time of the first byte.
    pub began: Utc,
    /// Time at which all bytes were stored.
    pub received: Utc,
    /// Person who uploaded it.
    pub uploaded_by: Option<PersonId>,
    /// Channel of the upload.
    pub via: Via,
    /// Note of the author.
    pub note: String,
    /// State of the version.
    pub state: VersionState,
    /// Reason of the state, where it is not obvious.
    pub why: Option<Message>,
    /// Findings of the full check.
    pub check_report: Option<Value>,
}

impl Object for Version {
    fn facts(&self) -> Facts<'_> {
        Facts {
            course: Some(&self.course),
            groups: std::slice::from_ref(&self.group),
            ..Facts::default()
        }
    }
}

/// State transition of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Time of the transition.
    pub at: Utc,
    /// New state.
    pub state: VersionState,
    /// Reason.
    pub why: Option<Message>,
}

impl Version {
    /// Whether it may count at a deadline: it has passed and its files are kept.
    pub fn may_be_frozen(&self) -> bool {
        self.hash.is_some() && self.state.has_passed()
    }

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            course: course_facts(row)?,
            group: text(row, "grp")?,
            bot: text(row, "bot")?,
            name: text(row, "bot_name")?,
            number: row.get("number")?,
            upload: Upload(row.get("upload")?),
            bytes: row.get::<_, i64>("bytes")?.unsigned_abs(),
            file_name: row.get("file_name")?,
            hash: row.get::<_, Option<String>>("hash")?.map(|hash| hash_of(&hash)),
            same_as: maybe(row, "same_as")?,
            began: instant(row, "began")?,
            received: instant(row, "received")?,
            uploaded_by: maybe(row, "uploaded_by")?,
            via: text(row, "via")?,
            note: row.get("note")?,
            state: text(row, "state")?,
            why: maybe_message(row, "why")?,
            check_report: maybe_json(row, "check_report")?,
        })
    }

    pub(super) fn select(condition: &str) -> String {
        format!(
            "SELECT version.*, bot.grp, bot.name AS bot_name, {COURSE_FACTS}
             FROM version JOIN bot ON bot.id = version.bot JOIN course ON course.id = bot.course
             WHERE {condition}"
        )
    }

    pub(in super::super) fn find(view: &View<'_>, id: VersionId) -> Done<Option<Self>> {
        view.one(&Self::select("version.id = ?1"), (Text(id),), Self::read)
    }

    /// Returns a version that must exist.
    pub(in super::super) fn require(view: &View<'_>, id: VersionId) -> Done<Self> {
        Ok(Self::find(view, id)?.ok_or(Refusal::Absent("version"))?)
    }

    /// Versions of a bot, the newest first.
    pub(in super::super) fn of_bot(view: &View<'_>, bot: EntryId) -> Done<Vec<Self>> {
        let select = Self::select("version.bot = ?1 ORDER BY number DESC");
        view.all(&select, (Text(bot),), Self::read)
    }

    /// Whether the same files need no new examination: because of this version they are being
    /// examined, have been, or are suspended.
    pub(crate) fn stands_for_its_files(&self) -> bool {
        self.state.is_in_work() || self.state.has_passed() || self.state == VersionState::Suspended
    }
}

/// Versions store the digits of a hash that was computed elsewhere.
pub(in super::super) fn hash_of(digits: &str) -> BotHash {
    serde_json::from_value(Value::from(digits)).unwrap_or_else(|_| BotHash::unknown())
}
