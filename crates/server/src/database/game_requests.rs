//! Requests of groups for games, which count for nothing.
//!
//! A request is played on a ladder. Its number there is the round of its games' keys, so the games
//! themselves tell which request they belong to, and how much of it was played.

use pitmaster_core::BotName;
use pitmaster_season::course::{
    AskId, CourseFacts, Facts, GroupId, Guarded, LadderId, Object, PersonId, Quota, Utc, VersionId,
    VersionState,
};
use rusqlite::{Row, named_params};
use serde_json::json;

use super::audit::NewAuditEntry;
use super::bots::Bot;
use super::columns::{Text, instant, maybe, text};
use super::connection::{Tx, View};
use super::courses::{COURSE_FACTS, course_facts};
use super::error::Done;
use super::ladders::{Ladder, LadderState};
use super::notes::notify_group;
use super::secret::random;
use super::versions::{Version, require_quota};
use super::{Act, Answer, AuditAction, Database, Refusal, Target};

/// Maximum number of pairs in a request.
const MAX_PAIRS: u32 = 100;

/// Opponent in a request for games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opponent {
    /// Another version of the group, or an active version of another group that allows it.
    Version(VersionId),
    /// A house bot of the ladder.
    House(BotName),
}

/// State of a request for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameRequestState {
    /// Games remain to be played.
    Waiting,
    /// All games were played.
    Done,
    /// The request was canceled, or a bot of it could not play.
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
    /// The ladder.
    pub ladder: LadderId,
    /// The group's own version.
    pub version: VersionId,
    /// Opponent.
    pub opponent: Opponent,
    /// Number of pairs.
    pub pairs: u32,
}

/// Bot of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedBot {
    /// Name.
    pub name: BotName,
    /// Number of the version; `None` for a house bot.
    pub version: Option<u32>,
}

impl std::fmt::Display for RequestedBot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.version {
            Some(number) => write!(f, "{} · {number}", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

/// Request of a group for games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRequest {
    /// Id of the request.
    pub id: AskId,
    /// Course of the request.
    pub course: CourseFacts,
    /// Number of the request on its ladder: the round of its games.
    pub number: u32,
    /// Group that requested the games.
    pub group: GroupId,
    /// Person who requested the games.
    pub asked_by: PersonId,
    /// Requested games.
    pub facts: NewGameRequest,
    /// Slug of the ladder.
    pub ladder_slug: String,
    /// The group's version and its opponent.
    pub bots: [RequestedBot; 2],
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
        let house: Option<BotName> = maybe(row, "house")?;
        let (opponent, other) = match house {
            Some(name) => (Opponent::House(name.clone()), RequestedBot { name, version: None }),
            None => {
                let name = text(row, "other_name")?;
                let version = row.get("other_number")?;
                (Opponent::Version(text(row, "opponent")?), RequestedBot { name, version })
            }
        };
        let own = RequestedBot { name: text(row, "own_name")?, version: row.get("own_number")? };
        Ok(Self {
            ladder_slug: row.get("ladder_slug")?,
            bots: [own, other],
            id: text(row, "id")?,
            course: course_facts(row)?,
            number: row.get("number")?,
            group: text(row, "grp")?,
            asked_by: text(row, "asked_by")?,
            facts: NewGameRequest {
                ladder: text(row, "ladder")?,
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
            "SELECT ask.*, ladder.slug AS ladder_slug,
                    own.number AS own_number, own_bot.name AS own_name,
                    other.number AS other_number, other_bot.name AS other_name, {COURSE_FACTS}
             FROM ask JOIN grp ON grp.id = ask.grp JOIN course ON course.id = grp.course
             JOIN ladder ON ladder.id = ask.ladder
             JOIN version AS own ON own.id = ask.version JOIN bot AS own_bot ON own_bot.id = own.bot
             LEFT JOIN version AS other ON other.id = ask.opponent
             LEFT JOIN bot AS other_bot ON other_bot.id = other.bot
             WHERE {condition}"
        )
    }
}

/// Returns the requested version if both sides can play.
fn players(view: &View<'_>, request: &NewGameRequest) -> Done<Version> {
    let version = Version::require(view, request.version)?;
    let ladder = Ladder::require(view, request.ladder)?;
    if ladder.course.id != version.course.id {
        return Err(Refusal::Absent("ladder").into());
    }
    if ladder.state == LadderState::Closed {
        return Err(Refusal::Conflict("this ladder is closed").into());
    }
    if !version.state.has_passed() {
        return Err(Refusal::Conflict("only versions that passed can play").into());
    }
    if let Opponent::Version(opponent) = request.opponent {
        require_opponent(view, &version, opponent)?;
    }
    Ok(version)
}

/// Refuses an opponent that the group of a version may not choose.
fn require_opponent(view: &View<'_>, version: &Version, opponent: VersionId) -> Done<()> {
    let opponent = Version::require(view, opponent)?;
    let is_own = opponent.group == version.group;
    // Other versions of other groups are not known to this one.
    if opponent.course.id != version.course.id
        || !(is_own || opponent.state == VersionState::Active)
    {
        return Err(Refusal::Absent("version").into());
    }
    if !is_own && !Bot::require(view, opponent.bot)?.plays_people {
        return Err(Refusal::Conflict("its group does not let others play against it").into());
    }
    if !opponent.state.has_passed() {
        return Err(Refusal::Conflict("only versions that passed can play").into());
    }
    if opponent.hash == version.hash {
        return Err(Refusal::Conflict("a version does not play against the same files").into());
    }
    Ok(())
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
    // All pairs but the last count as earlier requests.
    let others = vec![now.0; request.pairs as usize - 1];
    let past = |condition: &str| -> Done<Vec<i64>> {
        let sql = format!("SELECT made, pairs FROM ask WHERE grp = ?1 AND {condition}");
        let past = view.all(&sql, (Text(group),), |row| {
            Ok(vec![row.get::<_, i64>(0)?; row.get::<_, u32>(1)? as usize])
        })?;
        Ok([past.concat(), others.clone()].concat())
    };
    // A canceled request may have been played in part.
    let attempts: Vec<_> = quotas.iter().map(|quota| quota.of_attempts()).collect();
    require_quota(&attempts, &past("true")?, now)?;
    require_quota(quotas, &past("state <> 'canceled'")?, now)
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
        Opponent::House(house) => (None, Some(house.as_str())),
    };
    tx.execute(
        "INSERT INTO ask (id, asked_by, grp, ladder, number, version, opponent, house, pairs, made,
                          state)
         SELECT :id, :by, :grp, :ladder, max(coalesce(max(number), 0) + 1, :second), :version,
                :opponent, :house, :pairs, :made, 'waiting' FROM ask WHERE ladder = :ladder",
        named_params! {
            ":id": Text(id),
            ":by": Text(person),
            ":grp": Text(group),
            ":ladder": Text(request.ladder),
            ":version": Text(request.version),
            ":opponent": opponent,
            ":house": house,
            ":pairs": request.pairs,
            ":made": at.0,
            // The folder keeps the games of requests that a restored backup does not know, so their
            // numbers must not come again.
            ":second": at.0 / 1000,
        },
    )?;
    Ok(id)
}

fn set_state(tx: &Tx<'_>, id: AskId, state: GameRequestState) -> Done<()> {
    tx.execute("UPDATE ask SET state = ?2 WHERE id = ?1", (Text(id), state.name())).map(drop)
}

/// Returns a request with games to be played.
fn waiting(view: &View<'_>, id: AskId) -> Done<GameRequest> {
    let select = GameRequest::select("ask.id = ?1 AND ask.state = 'waiting'");
    let request = view.one(&select, (Text(id),), GameRequest::read)?;
    Ok(request.ok_or(Refusal::Absent("request that waits"))?)
}

/// Cancels the requests of a version that does not play any more.
pub(super) fn cancel_of(tx: &Tx<'_>, version: VersionId) -> Done<usize> {
    let sql = "UPDATE ask SET state = 'canceled'
               WHERE state = 'waiting' AND (version = ?1 OR opponent = ?1)";
    tx.execute(sql, (Text(version),))
}

impl Database {
    /// Requests games that do not count.
    ///
    /// # Errors
    /// The ladder or a version does not exist, the versions cannot play each other, or the group
    /// exceeds its quota.
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
            let request = waiting(tx, id)?;
            set_state(tx, id, GameRequestState::Canceled)?;
            let entry = NewAuditEntry::new(
                AuditAction::CancelGameRequest,
                Target::GameRequest(id),
                request.course.id,
            );
            Ok(((), entry))
        })
    }

    /// Ends a request whose games were played, or cannot be played, and notifies its group.
    ///
    /// # Errors
    /// The request does not exist, or it is not waiting.
    pub fn end_game_request(&self, id: AskId, state: GameRequestState, now: Utc) -> Answer<()> {
        self.write_unaudited(move |tx| {
            let request = waiting(tx, id)?;
            set_state(tx, id, state)?;
            let [own, other] = request.bots.map(|bot| bot.to_string());
            let data = json!({
                "request": id.to_string(), "bot": own, "opponent": other, "state": state.name(),
            });
            notify_group(tx, request.group, "games", &data, now)
        })
    }

    /// A request for games.
    pub fn game_request(&self, id: AskId) -> Answer<Guarded<GameRequest>> {
        self.read(move |view| {
            let select = GameRequest::select("ask.id = ?1");
            view.one(&select, (Text(id),), GameRequest::read).map(Guarded::new)
        })
    }

    /// Last requests of a group, newest first.
    pub fn game_requests_of(
        &self,
        group: GroupId,
        limit: u32,
    ) -> Answer<Vec<Guarded<GameRequest>>> {
        self.read(move |view| {
            let select = GameRequest::select(
                "ask.grp = ?1 ORDER BY ask.made DESC, ask.number DESC LIMIT ?2",
            );
            let requests = view.all(&select, (Text(group), limit), GameRequest::read)?;
            Ok(requests.into_iter().map(|request| Guarded::new(Some(request))).collect())
        })
    }

    /// Requests on a ladder with games to be played, oldest first.
    pub fn waiting_game_requests(&self, ladder: LadderId) -> Answer<Vec<GameRequest>> {
        self.read(move |view| {
            let select = GameRequest::select(
                "ask.ladder = ?1 AND ask.state = 'waiting' ORDER BY ask.number",
            );
            view.all(&select, (Text(ladder),), GameRequest::read)
        })
    }

    /// Number of pairs that a group has requested since an instant.
    pub fn requested_pairs(&self, group: GroupId, since: Utc) -> Answer<u32> {
        self.read(move |view| {
            let sql = "SELECT coalesce(sum(pairs), 0) FROM ask
                       WHERE grp = ?1 AND state <> 'canceled' AND made > ?2";
            view.value(sql, (Text(group), since.0))
        })
    }
}
