//! Frozen versions of a deadline, for the staff, which may replace one after a dispute.

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{Redirect, Response};
use pitmaster_season::course::{Action, GroupId, Utc, VersionId};
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::{Head, Visit};
use crate::database::{DeadlineRow, FrozenVersion, Group, Version};

/// Frozen versions of a deadline.
#[derive(Template)]
#[template(path = "frozen.html")]
struct FrozenPage {
    layout: Layout,
    head: Head,
    deadline: DeadlineRow,
    rows: Vec<FrozenRow>,
    can_freeze: bool,
    /// Group whose version is replaced, with the versions to choose from.
    chosen: Option<(Group, Vec<Version>)>,
}

/// Frozen version of a group.
#[derive(Debug)]
struct FrozenRow {
    group: Group,
    /// The version; `None` if the group had none in time.
    version: Option<Version>,
    taken_at: Utc,
}

impl FrozenPage {
    /// Whether this is the version that is frozen for the chosen group.
    fn is_frozen(&self, version: &Version) -> bool {
        self.rows.iter().any(|row| row.version.as_ref().is_some_and(|it| it.id == version.id))
    }
}

impl FrozenRow {
    async fn of(app: &App, visit: &Visit, frozen: FrozenVersion) -> Result<Self, Problem> {
        let (database, actor) = (app.database(), &visit.client.actor);
        let version = match frozen.version {
            Some((id, _)) => Some(database.version(id).await?.open(actor, Action::ViewPeople)?),
            None => None,
        };
        let group = database.group(frozen.group).await?.open(actor, Action::ViewPeople)?;
        Ok(Self { group, version, taken_at: frozen.taken_at })
    }
}

/// Versions of a group that count at deadlines: the deadline's name, and the version if there is one.
pub(super) async fn of_group(
    app: &App,
    visit: &Visit,
    group: GroupId,
) -> Result<Vec<(String, Option<Version>)>, Problem> {
    let (database, actor) = (app.database(), &visit.client.actor);
    let mut frozen = Vec::new();
    for deadline in database.deadlines(visit.course.facts.id).await? {
        let Ok(deadline) = deadline.open(actor, Action::ViewResults) else { continue };
        let mut all = database.frozen(deadline.id).await?.into_iter();
        let Some(own) = all.find(|frozen| frozen.group == group) else { continue };
        let version = match own.version {
            Some((id, _)) => database.version(id).await?.open(actor, Action::ViewEvidence).ok(),
            None => None,
        };
        frozen.push((deadline.settings.name, version));
    }
    Ok(frozen)
}

/// Group to choose another version for.
#[derive(Deserialize)]
pub(in super::super) struct FrozenQuery {
    #[serde(default)]
    group: String,
}

/// Shows the frozen versions of a deadline.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
    Query(FrozenQuery { group }): Query<FrozenQuery>,
) -> Result<Response, Problem> {
    visit.staff(Action::ViewPeople)?;
    let deadline = visit.deadline(&app, &id, Action::ViewPeople).await?;
    let mut rows = Vec::new();
    for frozen in app.database().frozen(deadline.id).await? {
        rows.push(FrozenRow::of(&app, &visit, frozen).await?);
    }
    let chosen = match rows.iter().find(|row| row.group.slug == group) {
        Some(row) => Some((row.group.clone(), passed_versions(&app, &visit, row.group.id).await?)),
        None if group.is_empty() => None,
        None => return Err(Problem::new(Kind::NotFound)),
    };
    let can_freeze = visit.may(Action::Freeze);
    let (layout, head) = (visit.client.layout(&app), visit.head());
    Ok(page::render(&FrozenPage { layout, head, deadline, rows, can_freeze, chosen }))
}

/// Versions of a group that may be frozen.
async fn passed_versions(
    app: &App,
    visit: &Visit,
    group: GroupId,
) -> Result<Vec<Version>, Problem> {
    let (database, actor) = (app.database(), &visit.client.actor);
    let mut passed = Vec::new();
    for bot in database.bots(visit.course.facts.id).await? {
        let bot = bot.open(actor, Action::ViewPeople)?;
        if bot.group == group {
            for version in database.versions(bot.id).await? {
                let version = version.open(actor, Action::ViewPeople)?;
                passed.extend(Some(version).filter(Version::may_be_frozen));
            }
        }
    }
    Ok(passed)
}

/// Form data of another version.
#[derive(Deserialize)]
pub(in super::super) struct ReplacementForm {
    group: String,
    #[serde(default)]
    version: String,
    why: String,
}

/// Replaces the frozen version of a group.
pub(in super::super) async fn replace(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
    Form(ReplacementForm { group, version, why }): Form<ReplacementForm>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::Freeze)?;
    let deadline = visit.deadline(&app, &id, Action::Freeze).await?;
    let absent = || Problem::new(Kind::NotFound);
    let groups = app.database().groups(visit.course.facts.id).await?.into_iter();
    let mut groups = groups.filter_map(|it| it.open(&visit.client.actor, Action::Freeze).ok());
    let group = groups.find(|it| it.slug == group).ok_or_else(absent)?.id;
    let version: Option<VersionId> = match version.as_str() {
        "" => None,
        id => Some(id.parse().map_err(|_| absent())?),
    };
    app.database().refreeze(act, deadline.id, group, version, &why).await?;
    Ok(Redirect::to(&visit.address(&format!("/admin/deadlines/{}", deadline.id))))
}
