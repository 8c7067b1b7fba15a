//! Summary of a group's state, from which changes are detected.

use pitmaster_season::course::{GroupId, PersonId, VersionId, VersionState};
use rusqlite::Row;
use serde::Serialize;

use super::columns::{Text, text};
use super::connection::View;
use super::error::Done;
use super::{Answer, Database};

/// Maximum number of versions in the summary.
const MAX_VERSIONS: u32 = 10;

/// Summary of a person's group and notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnState {
    /// Last versions of the group, newest first.
    pub versions: Vec<OwnVersion>,
    /// Number of the person's last note; 0 if there is none.
    pub last_note: i64,
    /// Number of unread notes.
    pub unread: u32,
    /// Everything else that pages show of the group, serialized to detect changes.
    pub rest: String,
}

/// Version of the group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnVersion {
    /// Id of the version.
    pub id: VersionId,
    /// Name of its bot.
    pub bot: String,
    /// Number of the version.
    pub number: u32,
    /// State of the version.
    pub state: VersionState,
    /// Whether the full check has ended.
    pub is_checked: bool,
}

/// State that changes without a new version: decisions about bots, states of older versions,
/// checks, and abandoned jobs.
#[derive(Debug, Serialize)]
struct Rest {
    bots: Option<String>,
    steps: u32,
    checked: u32,
    given_up: u32,
}

impl OwnVersion {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            bot: row.get("bot_name")?,
            number: row.get("number")?,
            state: text(row, "state")?,
            is_checked: row.get("is_checked")?,
        })
    }
}

fn versions(view: &View<'_>, group: GroupId) -> Done<Vec<OwnVersion>> {
    let sql = "SELECT version.id, version.number, version.state, bot.name AS bot_name,
                      version.check_report IS NOT NULL AS is_checked
               FROM version JOIN bot ON bot.id = version.bot WHERE bot.grp = ?1
               ORDER BY version.received DESC, version.number DESC LIMIT ?2";
    view.all(sql, (Text(group), MAX_VERSIONS), OwnVersion::read)
}

fn rest(view: &View<'_>, group: GroupId) -> Done<Rest> {
    let bots = "SELECT group_concat(id || ranked || coalesce(pinned, '') || coalesce(retired, ''))
                FROM (SELECT * FROM bot WHERE grp = ?1 ORDER BY id)";
    let count = |of: &str| {
        let sql = format!(
            "SELECT count(*) FROM bot JOIN version ON version.bot = bot.id {of} AND bot.grp = ?1"
        );
        view.value(&sql, (Text(group),))
    };
    Ok(Rest {
        bots: view.value(bots, (Text(group),))?,
        steps: count("JOIN version_step ON version_step.version = version.id WHERE true")?,
        checked: count("WHERE version.check_report IS NOT NULL")?,
        given_up: count("JOIN job ON job.version = version.id WHERE job.state = 'failed'")?,
    })
}

impl Database {
    /// Summary of a person's group; only the notes for a person without a group.
    pub fn own_state(&self, person: PersonId, group: Option<GroupId>) -> Answer<OwnState> {
        self.read(move |view| {
            let last = "SELECT coalesce(max(seq), 0) FROM note WHERE person = ?1";
            let unread = "SELECT count(*) FROM note WHERE person = ?1 AND seen IS NULL";
            let rest = group.map(|group| rest(view, group)).transpose()?;
            Ok(OwnState {
                versions: match group {
                    Some(group) => versions(view, group)?,
                    None => Vec::new(),
                },
                last_note: view.value(last, (Text(person),))?,
                unread: view.value(unread, (Text(person),))?,
                rest: serde_json::json!(rest).to_string(),
            })
        })
    }
}
