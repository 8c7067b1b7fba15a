//! Games that a group asks for: the form on its page, and a page for each request.

use std::borrow::Borrow;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{Redirect, Response};
use pitmaster_core::i18n::{Lang, said};
use pitmaster_core::{BotName, BySide, Side};
use pitmaster_season::course::{Action, Actor, GroupId, Guarded, Quota, Utc, VersionId};
use pitmaster_store::{ListedGame, WinDrawLoss};
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::ladder_games::{LadderGames, request_at};
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::games::{List, by_side_and_in_all};
use super::{Head, Visit};
use crate::database::{
    Bot, Course, GameRequest, GameRequestState, Ladder, LadderState, NewGameRequest, Opponent,
    Version,
};
use crate::kgp::OPEN_LADDER;

/// Quotas of a group, in pairs.
pub(in super::super) const QUOTAS: [Quota; 1] = [Quota::ASKED_PAIRS_A_DAY];

/// Number of requests on the group's page.
const MAX_REQUESTS: u32 = 10;

/// Choices for a request, and the requests so far.
#[derive(Debug)]
pub(super) struct AskSection {
    /// Requests, newest first.
    pub(super) requests: Vec<GameRequest>,
    /// The group's versions that can play; none if it cannot ask for games.
    pub(super) own: Vec<Version>,
    /// Versions of other groups that play and allow it.
    pub(super) others: Vec<Version>,
    /// Ladders, each with its house bots.
    pub(super) ladders: Vec<(Ladder, Vec<String>)>,
    /// Number of pairs that the group may still request today.
    pub(super) left: u32,
}

impl AskSection {
    /// Names of the house bots of all ladders.
    pub(super) fn houses(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.ladders.iter().flat_map(|(_, houses)| houses).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether anything can be requested.
    pub(super) fn can_ask(&self) -> bool {
        !self.own.is_empty() && !self.ladders.is_empty()
    }

    /// Section of a group with these bots and their versions.
    pub(super) async fn of(
        app: &App,
        visit: &Visit,
        group: GroupId,
        bots: &[(Bot, Vec<Version>, bool)],
    ) -> Result<Self, Problem> {
        let actor = &visit.client.actor;
        let requests = app.database().game_requests_of(group, MAX_REQUESTS).await?.into_iter();
        let requests = requests.filter_map(|it| it.open(actor, Action::ViewEvidence).ok());
        let mut section = Self {
            requests: requests.collect(),
            own: Vec::new(),
            others: Vec::new(),
            ladders: Vec::new(),
            left: 0,
        };
        if !visit.may_with(Action::AskForGames, &[group]) {
            return Ok(section);
        }
        let versions = bots.iter().flat_map(|(_, versions, _)| versions);
        section.own = versions.filter(|version| version.state.has_passed()).cloned().collect();
        section.others = others(app, visit, group).await?;
        section.ladders = ladders(app, actor, &visit.course).await?;
        let since = Utc(visit.client.now.0 - Quota::ASKED_PAIRS_A_DAY.window.as_millis() as i64);
        let asked = app.database().requested_pairs(group, since).await?;
        section.left = Quota::ASKED_PAIRS_A_DAY.limit.saturating_sub(asked);
        Ok(section)
    }
}

/// Active versions of other groups that allow it.
async fn others(app: &App, visit: &Visit, group: GroupId) -> Result<Vec<Version>, Problem> {
    let course = visit.course.facts.id;
    let (active, bots) = (app.database().active_versions(course), app.database().bots(course));
    let bots = bots.await?.into_iter();
    let bots: Vec<_> =
        bots.filter_map(|bot| bot.open(&visit.client.actor, Action::ViewResults).ok()).collect();
    let allows = |version: &Version| {
        bots.iter().any(|bot| bot.id == version.bot && bot.plays_people && bot.group != group)
    };
    Ok(active.await?.into_iter().filter(allows).collect())
}

/// Ladders on which requests are played, with their house bots.
async fn ladders(
    app: &App,
    actor: &Actor,
    course: &Course,
) -> Result<Vec<(Ladder, Vec<String>)>, Problem> {
    let all = app.database().ladders(course.facts.id).await?.into_iter();
    // A token without the scope to read still needs a ladder.
    let reader = Actor { scopes: None, ..actor.clone() };
    let seen = all.filter_map(|it| it.open(&reader, Action::ViewResults).ok());
    // Versions do not play on the open ladder.
    let open = seen.filter(|it| it.slug != OPEN_LADDER && it.state != LadderState::Closed);
    let with_houses = open.map(|ladder| {
        let table = app.standings().of(ladder.id);
        let rows = table.iter().flat_map(|table| &table.rows);
        let houses = rows.filter(|row| row.version.is_none()).map(|row| row.name.to_string());
        let houses = houses.collect();
        (ladder, houses)
    });
    Ok(with_houses.collect())
}

/// Data of a new request, as a form or the API has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct AskForm {
    /// Id of the group's version.
    pub version: String,
    /// Id of a version, or name of a house bot.
    pub opponent: String,
    /// Number of pairs.
    pub pairs: u32,
    /// Slug of the ladder; the course's first one if it is missing or empty.
    #[serde(default)]
    pub ladder: String,
}

impl AskForm {
    /// Checks the request of an actor in a course.
    pub(in super::super) async fn checked(
        self,
        app: &App,
        actor: &Actor,
        course: &Course,
    ) -> Result<NewGameRequest, Problem> {
        let version = match self.version.parse::<VersionId>() {
            Ok(id) => app.database().version(id).await?,
            Err(_) => Guarded::new(None),
        };
        let version = version.open(actor, Action::AskForGames)?;
        let mut ladders = ladders(app, actor, course).await?.into_iter();
        let is_it = |(ladder, _): &(Ladder, Vec<String>)| {
            self.ladder.is_empty() || ladder.slug == self.ladder
        };
        let (ladder, houses) = ladders.find(is_it).ok_or_else(|| {
            Problem::new(Kind::Refused).because(said!("There is no such ladder to play on."))
        })?;
        let opponent = opponent(&self.opponent, &houses)?;
        Ok(NewGameRequest { ladder: ladder.id, version: version.id, opponent, pairs: self.pairs })
    }
}

/// Parses an opponent: the id of a version, or the name of a house bot of the ladder.
fn opponent(text: &str, houses: &[String]) -> Result<Opponent, Problem> {
    if let Ok(version) = text.parse::<VersionId>() {
        return Ok(Opponent::Version(version));
    }
    let house = BotName::of_house(text);
    if houses.iter().any(|known| known == house.as_str()) {
        return Ok(Opponent::House(house));
    }
    Err(Problem::new(Kind::Refused).because(said!(
        "The opponent is the id of a version, or a house bot of the ladder: {}.",
        houses.join(", ")
    )))
}

/// Requests games.
pub(in super::super) async fn ask(
    State(app): State<App>,
    visit: Visit,
    Form(form): Form<AskForm>,
) -> Result<Redirect, Problem> {
    let act = visit.client.act_in(visit.course.facts.id)?;
    let (person, _) = visit.client.logged_in()?;
    let request = form.checked(&app, &visit.client.actor, &visit.course).await?;
    let id = app.database().request_games(act, person.id, request, QUOTAS.to_vec()).await?;
    Ok(Redirect::to(&visit.address(&format!("/asks/{id}"))))
}

/// Cancels the unplayed games of a request.
pub(in super::super) async fn cancel(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let actor = &visit.client.actor;
    let request = request_at(&app, actor, &visit.course, &id, Action::AskForGames).await?;
    let act = visit.client.act_in(visit.course.facts.id)?;
    app.database().cancel_game_request(act, request.id).await?;
    Ok(Redirect::to(&visit.address(&format!("/asks/{id}"))))
}

/// Games of a request, each with the side of the group's version.
pub(in super::super) async fn played(
    app: &App,
    actor: &Actor,
    course: &Course,
    request: &GameRequest,
) -> Result<Vec<(ListedGame, Option<Side>)>, Problem> {
    let version = app.database().version(request.facts.version);
    let games = LadderGames::of_request(app, actor, course, request).await?;
    let games = games.of_round(request).await?;
    let own = version.await?.open(actor, Action::ViewEvidence)?.hash;
    let side = |game: &ListedGame| {
        let bots = &game.outcome.key.bots;
        Side::BOTH.into_iter().find(|side| Some(&bots[*side].hash) == own.as_ref())
    };
    let with_side = |game| {
        let side = side(&game);
        (game, side)
    };
    Ok(games.into_iter().map(with_side).collect())
}

/// Name of a state.
pub(super) fn state_name(
    state: impl Borrow<GameRequestState>,
    lang: impl Borrow<Lang>,
) -> &'static str {
    let lang = *lang.borrow();
    match state.borrow() {
        GameRequestState::Waiting => lang.text("being played"),
        GameRequestState::Done => lang.text("all games were played"),
        GameRequestState::Canceled => lang.text("canceled"),
    }
}

#[derive(Template)]
#[template(path = "ask.html")]
struct AskPage {
    layout: Layout,
    head: Head,
    request: GameRequest,
    /// Results of the group's version by side.
    results: BySide<WinDrawLoss>,
    list: List,
    can_cancel: bool,
}

impl AskPage {
    fn results(&self) -> [(&'static str, WinDrawLoss); 3] {
        by_side_and_in_all(self.results, self.layout.lang)
    }

    fn bot(&self) -> String {
        self.request.bots[0].to_string()
    }

    fn is_waiting(&self) -> bool {
        self.request.state == GameRequestState::Waiting
    }
}

/// Shows a request with its games.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let actor = &visit.client.actor;
    let request = request_at(&app, actor, &visit.course, &id, Action::ViewEvidence).await?;
    let games = played(&app, actor, &visit.course, &request).await?;
    let mut results = BySide::<WinDrawLoss>::default();
    for (game, side) in &games {
        if let Some(side) = *side {
            results[side].add(game.mark(side));
        }
    }
    let page = AskPage {
        can_cancel: visit.may_with(Action::AskForGames, &[request.group]),
        list: List::of_request(&request, &visit, games),
        results,
        layout: visit.client.layout(&app),
        head: visit.head(),
        request,
    };
    Ok(page::render(&page))
}
