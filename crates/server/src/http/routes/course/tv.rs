//! Display page for a public screen: the most even running games of a course, one after another.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use pitmaster_core::BotName;
use pitmaster_season::course::Action;

use super::super::super::app::App;
use super::super::super::ladder_games::{Game, RunningGame};
use super::super::super::page::{self, Layout};
use super::super::super::problem::Problem;
use super::ladder::View;
use super::{Head, Visit, live};
use crate::database::Ladder;
use crate::live::LiveGame;

#[derive(Template)]
#[template(path = "tv.html")]
struct WaitingPage {
    layout: Layout,
    head: Head,
    /// URL of the live feed.
    stream: String,
}

/// Shows the most even running game, or a placeholder if there is none.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
) -> Result<Response, Problem> {
    let ladders = app.database().ladders(visit.course.facts.id).await?.into_iter();
    let seen = ladders.filter_map(|it| it.open(&visit.client.actor, Action::ViewResults).ok());
    let ladders: Vec<_> = seen.collect();
    let stream = visit.stream(&app, &ladders, None, None);
    for game in by_evenness(&app, &visit, ladders) {
        let name = Game::name(game.slug(), game.id());
        // The game may have been stored in the meantime.
        let found = RunningGame::find(&app, &visit.client.actor, &visit.course, &name).await?;
        if let Some(running) = found {
            return Ok(live::page(&app, &visit, &name, running, true));
        }
    }
    let layout = visit.client.layout(&app);
    Ok(page::render(&WaitingPage { layout, head: visit.head(), stream }))
}

/// Running games of the ladders, most even first.
fn by_evenness(app: &App, visit: &Visit, ladders: Vec<Ladder>) -> Vec<Arc<LiveGame>> {
    let mut games = Vec::new();
    for ladder in ladders {
        let view = View::of(app, visit, ladder, usize::MAX);
        let rows = view.rows().iter();
        let elo: HashMap<_, _> =
            rows.filter_map(|row| Some((&row.name, row.rating?.elo))).collect();
        let running = app.live().of_ladder(view.ladder.id).into_iter();
        games.extend(running.map(|game| (rating_gap(&game, &elo), game)));
    }
    // Of equally even games, the latest comes first because it lasts longest.
    games.sort_by(|(one, a), (two, b)| {
        one.total_cmp(two).then_with(|| Reverse(a.attempt()).cmp(&Reverse(b.attempt())))
    });
    games.into_iter().map(|(_, game)| game).collect()
}

/// Difference of the bots' ratings, in Elo; infinite if a rating is missing.
fn rating_gap(game: &LiveGame, elo: &HashMap<&BotName, f64>) -> f64 {
    let bots = &game.key().bots;
    match (elo.get(&bots.one.name), elo.get(&bots.two.name)) {
        (Some(one), Some(two)) => (one - two).abs(),
        _ => f64::INFINITY,
    }
}
