//! Games that groups ask for. They count for nothing.

use pitmaster_season::course::{
    AskId, CourseFacts, Facts, GroupId, Guarded, Object, PersonId, Quota, Utc, VersionId,
};
use rusqlite::{Row, named_params};
use serde_json::json;

use super::audit::Line;
use super::columns::{Text, instant, text};
use super::connection::{Tx, View};
use super::courses::{COURSE_FACTS, course_facts};
use super::error::Done;
use super::jobs::{self, JobKind, NewJob};
use super::secret::random;
use super::versions::{Version, require_quota};
use super::{Act, Answer, Database, Deed, Refusal, Target, field};

/// Maximum number of pairs of one request.
const PAIRS: u32 = 100;

/// Whom a group asks to play against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opponent {
    /// A version of any group of the course.
    Version(VersionId),
    /// A house bot, as it is named everywhere.
    House(String),
}

/// State of a request for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskState {
    /// Games are to be played.
    Waiting,
    /// All were played.
    Done,
    /// It was canceled.
    Canceled,
}

impl AskState {
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

impl std::str::FromStr for AskState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| format!("unknown state of a request {text:?}"))
    }
}

/// Games that a group asks for. They count for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAsk {
    /// Version of the group.
    pub version: VersionId,
    /// Its opponent.
    pub opponent: Opponent,
    /// Number of pairs.
    pub pairs: u32,
}

/// Games that a group asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Its id.
    pub id: AskId,
    /// Its course.
    pub course: CourseFacts,
    /// The group.
    pub group: GroupId,
    /// Who asked.
    pub asked_by: PersonId,
    /// What was asked for.
    pub facts: NewAsk,
    /// When.
    pub made: Utc,
    /// Its state.
    pub state: AskState,
}

impl Object for Ask {
    fn facts(&self) -> Facts<'_> {
        Facts {
            course: Some(&self.course),
            groups: std::slice::from_ref(&self.group),
            ..Facts::default()
        }
    }
}

impl Ask {
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
            facts: NewAsk { version: text(row, "version")?, opponent, pairs: row.get("pairs")? },
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

/// The version of the request, if both sides can play.
fn players(view: &View<'_>, ask: &NewAsk) -> Done<Version> {
    let version = Version::require(view, ask.version)?;
    let mut playing = vec![version.state];
    if let Opponent::Version(opponent) = ask.opponent {
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

/// Refuses more pairs than a group may ask for, each of which counts as if it were alone.
fn require_pairs(
    view: &View<'_>,
    ask: &NewAsk,
    group: GroupId,
    quotas: &[Quota],
    now: Utc,
) -> Done<()> {
    if ask.pairs == 0 || ask.pairs > PAIRS {
        return Err(
            Refusal::TooMany { what: "pairs at once, and at least one", limit: PAIRS }.into()
        );
    }
    let sql = "SELECT made, pairs FROM ask WHERE grp = ?1 AND state <> 'canceled'";
    let past = view.all(sql, (Text(group),), |row| {
        Ok(vec![row.get::<_, i64>(0)?; row.get::<_, u32>(1)? as usize])
    })?;
    // All but the last of them were asked for already.
    let others = vec![now.0; ask.pairs as usize - 1];
    require_quota(quotas, &[past.concat(), others].concat(), now)
}

fn insert(tx: &Tx<'_>, person: PersonId, ask: &NewAsk, group: GroupId, at: Utc) -> Done<AskId> {
    let id = AskId::of(random()?);
    let (opponent, house) = match &ask.opponent {
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
            ":version": Text(ask.version),
            ":opponent": opponent,
            ":house": house,
            ":pairs": ask.pairs,
            ":made": at.0,
        },
    )?;
    Ok(id)
}

impl Database {
    /// Asks for games that do not count. One job a pair is added to the queue.
    ///
    /// # Errors
    /// There is no such version, one has not passed, or the group has asked too often.
    pub fn ask(
        &self,
        act: Act,
        person: PersonId,
        ask: NewAsk,
        quotas: Vec<Quota>,
    ) -> Answer<AskId> {
        self.act(act, move |tx| {
            let version = players(tx, &ask)?;
            require_pairs(tx, &ask, version.group, &quotas, act.at)?;
            let id = insert(tx, person, &ask, version.group, act.at)?;
            for pair in 1..=ask.pairs {
                let (kind, payload) = (JobKind::Asked, json!({"pair": pair}));
                let priority = kind.priority();
                let job = NewJob { kind, version: Some(version.id), payload, priority };
                jobs::add(tx, &job, Some(id), act.at)?;
            }
            let line = Line::new(Deed::Ask, Target::Ask(id), version.course.id);
            Ok((id, line.after(json!({"pairs": ask.pairs}))))
        })
    }

    /// Cancels games that were asked for and not played.
    ///
    /// # Errors
    /// There is no such request, or it is not waiting.
    pub fn cancel_ask(&self, act: Act, id: AskId) -> Answer<()> {
        self.act(act, move |tx| {
            let select = Ask::select("ask.id = ?1 AND ask.state = 'waiting'");
            let ask = tx.one(&select, (Text(id),), Ask::read)?;
            let ask = ask.ok_or(Refusal::Absent("request that waits"))?;
            tx.execute("UPDATE ask SET state = 'canceled' WHERE id = ?1", (Text(id),))?;
            jobs::cancel_asked(tx, id, act.at)?;
            Ok(((), Line::new(Deed::CancelAsk, Target::Ask(id), ask.course.id)))
        })
    }

    /// A request for games.
    pub fn asked(&self, id: AskId) -> Answer<Guarded<Ask>> {
        self.read(move |view| {
            let select = Ask::select("ask.id = ?1");
            view.one(&select, (Text(id),), Ask::read).map(Guarded::new)
        })
    }

    /// Games that a group asked for, the newest first.
    pub fn asks_of(&self, group: GroupId) -> Answer<Vec<Guarded<Ask>>> {
        self.read(move |view| {
            let select = Ask::select("ask.grp = ?1 ORDER BY ask.made DESC, ask.id");
            let asks = view.all(&select, (Text(group),), Ask::read)?;
            Ok(asks.into_iter().map(|ask| Guarded::new(Some(ask))).collect())
        })
    }
}
