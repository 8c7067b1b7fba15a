//! Page of a running game, and its live feed.

use std::borrow::Borrow;
use std::time::Duration;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use pitmaster_core::i18n::{Fill, Lang};
use pitmaster_core::{BotName, GameKey, Ply, Side};
use pitmaster_report::{Following, live_data};

use super::super::super::app::App;
use super::super::super::asset;
use super::super::super::feed::{self, FeedRequest, Form, StreamQuery, last_event};
use super::super::super::ladder_games::{Game, RunningGame};
use super::super::super::listen::ConnectionCloser;
use super::super::super::page::{self, Layout};
use super::super::super::problem::Problem;
use super::games::instant;
use super::{Head, Visit};
use crate::database::Ladder;
use crate::live::{LiveGame, Position};

/// Row of a running game.
#[derive(Debug)]
pub(super) struct Row {
    /// Name of the game in URLs.
    pub name: String,
    /// URL path of the game's page.
    pub address: String,
    /// Bots by side.
    pub bots: [BotName; 2],
    /// Number of plies.
    pub plies: usize,
}

/// Running games of a ladder.
pub(super) fn running(app: &App, visit: &Visit, ladder: &Ladder) -> Vec<Row> {
    let games = app.live().of_ladder(ladder.id).into_iter();
    let row = |game: std::sync::Arc<LiveGame>| {
        let name = Game::name(&ladder.slug, game.id());
        let bots = &game.key().bots;
        Row {
            address: visit.address(&format!("/games/{name}")),
            name,
            bots: [bots.one.name.clone(), bots.two.name.clone()],
            plies: game.length(),
        }
    };
    games.map(row).collect()
}

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    layout: Layout,
    head: Head,
    /// URL path of the page.
    address: String,
    running: RunningGame,
    plies: Vec<Ply>,
    /// URL path of the other game of the pair.
    other: Option<String>,
    /// Data of the replay, escaped for a script element; `None` if this program does not have the
    /// rules of the game.
    data: Option<String>,
    script: &'static str,
}

impl LivePage {
    fn key(&self) -> &GameKey {
        self.running.game.key()
    }

    fn bot(&self, side: impl Borrow<Side>) -> &BotName {
        &self.key().bots[*side.borrow()].name
    }

    fn is_of_course(&self, side: impl Borrow<Side>) -> bool {
        self.running.bots[*side.borrow()].is_some()
    }

    fn ladder(&self) -> &str {
        self.running.game.slug()
    }

    fn when(&self) -> String {
        page::minute(instant(self.running.game.attempt()))
    }

    /// Plies with their numbers.
    fn plies(&self) -> impl Iterator<Item = (usize, &Ply)> {
        (1..).zip(&self.plies)
    }

    fn is_opening(&self, number: impl Borrow<usize>) -> bool {
        *number.borrow() <= self.key().opening_plies()
    }

    fn mover(&self, ply: &Ply) -> String {
        match ply.by {
            Some(side) => self.bot(side).to_string(),
            None => self.layout.t("chance").to_owned(),
        }
    }

    fn time(time: impl Borrow<Duration>, lang: impl Borrow<Lang>) -> String {
        if time.borrow().is_zero() {
            return String::new();
        }
        Fill::time(*time.borrow(), 3).to(*lang.borrow())
    }
}

/// Shows a running game. `goes_on` shows another game afterwards.
pub(super) fn page(
    app: &App,
    visit: &Visit,
    name: &str,
    running: RunningGame,
    goes_on: bool,
) -> Response {
    let game = &running.game;
    let (plies, address) = (game.plies(), visit.address(&format!("/games/{name}")));
    let after = Position { attempt: game.attempt(), plies: plies.len() }.to_string();
    let following = Following { stream: format!("{address}/stream"), after, goes_on };
    let other = game.other().map(|id| Game::name(game.slug(), id));
    let page = LivePage {
        layout: visit.client.layout(app),
        head: visit.head(),
        data: live_data(game.key(), &plies, &following, visit.client.lang).ok(),
        script: &asset::game_script().address,
        other: other.map(|name| visit.address(&format!("/games/{name}"))),
        plies,
        address,
        running,
    };
    page::render(&page)
}

/// Live feed of a game. A browser that reconnects sends the id of its last event.
pub(in super::super) async fn stream(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
    Query(asked): Query<StreamQuery>,
    headers: HeaderMap,
    closer: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let request = FeedRequest {
        after: last_event(&headers, asked.after.as_deref()),
        form: Form::Events,
        key: visit.client.feed_key(),
        closer: closer.map(|Extension(it)| it).unwrap_or_default(),
    };
    feed::open(&app, &visit.client.actor, &visit.course, &name, request).await
}
