//! Requests of groups for friendly games, which count for nothing.

use pitmaster_season::course::{
    AskId, CourseFacts, Facts, GroupId, Guarded, Object, PersonId, Quota, Utc, VersionId,
};
use rusqlite::{Row, named_params};
use serde_json::json;

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, text};
use super::connection::{Tx, View};
use super::courses::{COURSE_FACTS, course_facts};
use super::error::Done;
use super::jobs::{self, JobKind, NewJob};
use super::secret::random;
use super::versions::{Version, require_quota};
use super::{Act, Answer, AuditAction, Database, Refusal, Target, field};

/// Maximum number of pairs in a request.
const MAX_PAIRS: u32 = 100;

/// Opponent in a request for games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opponent {
    /// A version of any group of the course.
    Version(VersionId),
    /// A house bot, by its name.
    House(String),
}

/// State of a request for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameRequestState {
    /// Games remain to be played.
    Waiting,
    /// All games were played.
    Done,
    /// The request was canceled.
    Canceled,
}

impl GameRequestState {
    const ALL: [Self; 3] = [Self::Waiting, Self::Done, Self::Canceled];

    /// Name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Canceled => "canceled",
        }
    }
}

impl std::str::FromStr for GameRequestState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| format!("unknown state of a request {text:?}"))
    }
}

/// Data of a new request for games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGameRequest {
    /// The group's own version.
    pub version: VersionId,
    /// Opponent.
    pub opponent: Opponent,
    /// Number of pairs.
    pub pairs: u32,
}

/// Request of a group for games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRequest {
    /// Id of the request.
    pub id: AskId,
    /// Course of the request.
    pub course: CourseFacts,
    /// Group that requested the games.
    pub group: GroupId,
    /// Person who requested the games.
    pub asked_by: PersonId,
    /// Requested games.
    pub facts: NewGameRequest,
    /// Creation time.
    pub made: Utc,
    /// State of the request.
    pub state: GameRequestState,
}

impl Object for GameRequest {
    fn facts(&self) -> Facts<'_> {
        Facts {
            course: Some(&self.course),
            groups: std::slice::from_ref(&self.group),
            ..Facts::default()
        }
    }
}

impl GameRequest {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let house: Option<String> = row.get("house")?;
        let opponent = match house {
            Some(house) => Opponent::House(house),
            None => Opponent::Version(text(row, "opponent")?),
        };
        Ok(Self {
            id: text(row, "id")?,
            course: course_facts(row)?,
            group: text(row, "grp")?,
            asked_by: text(row, "asked_by")?,
            facts: NewGameRequest {
                version: text(row, "version")?,
                opponent,
                pairs: row.get("pairs")?,
            },
            made: instant(row, "made")?,
            state: text(row, "state")?,
        })
    }

    fn select(condition: &str) -> String {
        format!(
            "SELECT ask.*, {COURSE_FACTS} FROM ask JOIN grp ON grp.id = ask.grp
             JOIN course ON course.id = grp.course WHERE {condition}"
        )
    }
}

/// Returns the requested version if both sides can play.
fn players(view: &View<'_>, request: &NewGameRequest) -> Done<Version> {
    let version = Version::require(view, request.version)?;
    let mut playing = vec![version.state];
    if let Opponent::Version(opponent) = request.opponent {
        let opponent = Version::require(view, opponent)?;
        if opponent.course.id != version.course.id {
            return Err(Refusal::Absent("version").into());
        }
        playing.push(opponent.state);
    }
    if playing.iter().all(|state| state.has_passed()) {
        return Ok(version);
    }
    Err(Refusal::Conflict("only versions that passed can play").into())
}

/// Refuses more pairs than the group's quota allows. Each pair counts as a request of its own.
fn require_pairs(
    view: &View<'_>,
    request: &NewGameRequest,
    group: GroupId,
    quotas: &[Quota],
    now: Utc,
) -> Done<()> {
    if request.pairs == 0 || request.pairs > MAX_PAIRS {
        return Err(
            Refusal::TooMany { what: "pairs at once, and at least one", limit: MAX_PAIRS }.into()
        );
    }
    let sql = "SELECT made, pairs FROM ask WHERE grp = ?1 AND state <> 'canceled'";
    let past = view.all(sql, (Text(group),), |row| {
        Ok(vec![row.get::<_, i64>(0)?; row.get::<_, u32>(1)? as usize])
    })?;
    // All pairs but the last count as earlier requests.
    let others = vec![now.0; request.pairs as usize - 1];
    require_quota(quotas, &[past.concat(), others].concat(), now)
}

fn insert(
    tx: &Tx<'_>,
    person: PersonId,
    request: &NewGameRequest,
    group: GroupId,
    at: Utc,
) -> Done<AskId> {
    let id = AskId::of(random()?);
    let (opponent, house) = match &request.opponent {
        Opponent::Version(version) => (Some(Text(*version)), None),
        Opponent::House(house) => (None, Some(field::line("house bot", house, 200)?)),
    };
    tx.execute(
        "INSERT INTO ask
         VALUES (:id, :by, :grp, :version, :opponent, :house, :pairs, :made, 'waiting')",
        named_params! {
            ":id": Text(id),
            ":by": Text(person),
            ":grp": Text(group),
            ":version": Text(request.version),
            ":opponent": opponent,
            ":house": house,
            ":pairs": request.pairs,
            ":made": at.0,
        },
    )?;
    Ok(id)
}

impl Database {
    /// Requests games that do not count, and adds one job per pair to the queue.
    ///
    /// # Errors
    /// A version does not exist or has not passed its validation, or the group exceeds its quota.
    pub fn request_games(
        &self,
        act: Act,
        person: PersonId,
        request: NewGameRequest,
        quotas: Vec<Quota>,
    ) -> Answer<AskId> {
        self.act(act, move |tx| {
            let version = players(tx, &request)?;
            require_pairs(tx, &request, version.group, &quotas, act.at)?;
            let id = insert(tx, person, &request, version.group, act.at)?;
            for pair in 1..=request.pairs {
                let (kind, payload) = (JobKind::Requested, json!({"pair": pair}));
                let priority = kind.priority();
                let job = NewJob { kind, version: Some(version.id), payload, priority };
                jobs::add(tx, &job, Some(id), act.at)?;
            }
            let entry = NewAuditEntry::new(
                AuditAction::GameRequest,
                Target::GameRequest(id),
                version.course.id,
            );
            Ok((id, entry.after(json!({"pairs": request.pairs}))))
        })
    }

    /// Cancels the unplayed games of a request.
    ///
    /// # Errors
    /// The request does not exist, or it is not waiting.
    pub fn cancel_game_request(&self, act: Act, id: AskId) -> Answer<()> {
        self.act(act, move |tx| {
            let select = GameRequest::select("ask.id = ?1 AND ask.state = 'waiting'");
            let request = tx.one(&select, (Text(id),), GameRequest::read)?;
            let request = request.ok_or(Refusal::Absent("request that waits"))?;
            tx.execute("UPDATE ask SET state = 'canceled' WHERE id = ?1", (Text(id),))?;
            jobs::cancel_game_request_jobs(tx, id, act.at)?;
            Ok((
                (),
                NewAuditEntry::new(
                    AuditAction::CancelGameRequest,
                    Target::GameRequest(id),
                    request.course.id,
                ),
            ))
        })
    }

    /// A request for games.
    pub fn game_request(&self, id: AskId) -> Answer<Guarded<GameRequest>> {
        self.read(move |view| {
            let select = GameRequest::select("ask.id = ?1");
            view.one(&select, (Text(id),), GameRequest::read).map(Guarded::new)
        })
    }

    /// Requests of a group, newest first.
    pub fn game_requests_of(&self, group: GroupId) -> Answer<Vec<Guarded<GameRequest>>> {
        self.read(move |view| {
            let select = GameRequest::select("ask.grp = ?1 ORDER BY ask.made DESC, ask.id");
            let requests = view.all(&select, (Text(group),), GameRequest::read)?;
            Ok(requests.into_iter().map(|request| Guarded::new(Some(request))).collect())
        })
    }
}
