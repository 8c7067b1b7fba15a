//! Bot pages, and decisions of groups about their bots.

use askama::Template;
use axum::Form;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use pitmaster_season::course::Action;
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::super::super::upload::{self, Sender};
use super::version::is_shown;
use super::{Head, Visit, bot_at, version};
use crate::database::{Bot, Ladder, Received, Version, Via};
use crate::kgp::OPEN_LADDER;

#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage {
    layout: Layout,
    head: Head,
    bot: Bot,
    versions: Vec<Version>,
    /// Ladders with a list of the bot's games.
    ladders: Vec<Ladder>,
    is_own: bool,
    /// URL of the live feed; `None` for a bot of another group.
    stream: Option<String>,
}

/// Shows a bot with its versions.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let bot = visit.bot(&app, &name, Action::ViewResults).await?;
    let stream = visit.stream_of_own(&app, bot.group).await?;
    let ladders = app.database().ladders(visit.course.facts.id).await?.into_iter();
    let seen = ladders.filter_map(|it| it.open(&visit.client.actor, Action::ViewResults).ok());
    let page = BotPage {
        // Versions do not play on the open ladder.
        ladders: seen.filter(|ladder| ladder.slug != OPEN_LADDER).collect(),
        versions: versions(&app, &visit, &bot).await?,
        is_own: Some(bot.group) == visit.group(),
        stream,
        layout: visit.client.layout(&app),
        head: visit.head(),
        bot,
    };
    Ok(page::render(&page))
}

/// Versions of a bot that the client may see, newest first.
pub(super) async fn versions(app: &App, visit: &Visit, bot: &Bot) -> Result<Vec<Version>, Problem> {
    let all = app.database().versions(bot.id).await?.into_iter();
    let open = all.filter_map(|it| it.open(&visit.client.actor, Action::ViewResults).ok());
    Ok(open.filter(|version| is_shown(&visit.client.actor, version)).collect())
}

/// Form data of a bot.
#[derive(Deserialize)]
pub(in super::super) struct BotForm {
    name: String,
}

/// Adds a bot to the client's group.
pub(in super::super) async fn add(
    State(app): State<App>,
    visit: Visit,
    Form(BotForm { name }): Form<BotForm>,
) -> Result<Redirect, Problem> {
    let act = visit.client.act_in(visit.course.facts.id)?;
    let group = visit.group().ok_or_else(|| Problem::new(Kind::NotFound))?;
    let group = app.database().group(group).await?.open(&visit.client.actor, Action::Upload)?;
    app.database().add_bot(act, group.id, &name).await?;
    Ok(Redirect::to(&visit.address("/me")))
}

/// Makes a bot the ranked one of its group.
pub(in super::super) async fn rank(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let bot = visit.bot(&app, &name, Action::ChooseVersion).await?;
    app.database().rank_bot(visit.client.act_in(bot.course.id)?, bot.id).await?;
    Ok(Redirect::to(&visit.address("/me")))
}

/// Unpins the bot's version, so that its newest one plays.
pub(in super::super) async fn unpin(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let bot = visit.bot(&app, &name, Action::ChooseVersion).await?;
    app.database().unpin(visit.client.act_in(bot.course.id)?, bot.id).await?;
    Ok(Redirect::to(&visit.address("/me")))
}

/// Form data that allows people to play against a bot, or not.
#[derive(Deserialize)]
pub(in super::super) struct PeopleForm {
    play: Option<String>,
}

/// Lets people of other groups play against a bot, or prevents it.
pub(in super::super) async fn let_people_play(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
    Form(PeopleForm { play }): Form<PeopleForm>,
) -> Result<Redirect, Problem> {
    let bot = visit.bot(&app, &name, Action::ChooseVersion).await?;
    let act = visit.client.act_in(bot.course.id)?;
    app.database().let_people_play(act, bot.id, play.is_some()).await?;
    Ok(Redirect::to(&visit.address("/me")))
}

/// Form data of the confirmation to retire a bot.
#[derive(Deserialize)]
pub(in super::super) struct RetireForm {
    sure: Option<String>,
}

/// Confirmation page for retiring a bot.
#[derive(Template)]
#[template(path = "retire.html")]
struct RetirePage {
    layout: Layout,
    head: Head,
    bot: Bot,
}

/// Retires a bot. This cannot be undone, so the first request shows a confirmation page.
pub(in super::super) async fn retire(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
    Form(RetireForm { sure }): Form<RetireForm>,
) -> Result<Response, Problem> {
    let bot = visit.bot(&app, &name, Action::ChooseVersion).await?;
    let act = visit.client.act_in(bot.course.id)?;
    if bot.retired.is_none() && sure.is_none() {
        let (layout, head) = (visit.client.layout(&app), visit.head());
        return Ok(page::render(&RetirePage { layout, head, bot }));
    }
    app.database().retire_bot(act, bot.id).await?;
    Ok(Redirect::to(&visit.address("/me")).into_response())
}

/// Uploads a version from a form. The version is committed before the response.
pub(in super::super) async fn hand_in(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
    request: Request,
) -> Result<Redirect, Problem> {
    let bot = visit.bot(&app, &name, Action::Upload).await?;
    let (person, _) = visit.client.logged_in()?;
    let act = visit.client.act_in(bot.course.id)?;
    let sender = Sender { person: person.id, bot: bot.id, act, via: Via::Web };
    let received = upload::receive(&app, sender, None, request).await?;
    let (Received::New(_, number) | Received::Again(_, number)) = received;
    Ok(Redirect::to(&visit.address(&format!("/bots/{}/versions/{number}", bot.name))))
}

impl Visit {
    /// Looks up a bot by its name, with permission for an action. Actions that change something
    /// refuse retired bots.
    pub(super) async fn bot(&self, app: &App, name: &str, action: Action) -> Result<Bot, Problem> {
        bot_at(app, &self.client.actor, self.course.facts.id, name, action).await
    }
}
