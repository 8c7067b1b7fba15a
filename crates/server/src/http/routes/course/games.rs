//! Lists of a ladder's games, and results of two bots against each other.

use std::borrow::Borrow;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_core::{BotName, BySide, Mark, Score, Side, ending_label};
use pitmaster_season::course::{Action, Utc};
use pitmaster_store::{GamesOf, ListedGame, WinDrawLoss};
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::ladder_games::{Game, LadderGames, PAGE_SIZE, known_bot};
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::{Head, Visit};
use crate::database::{GameRequest, Ladder};

/// Query parameters of a list.
#[derive(Debug, Default, Deserialize)]
pub(in super::super) struct ListQuery {
    /// Only games of this bot.
    bot: Option<String>,
    /// Only games before this one.
    after: Option<u64>,
}

/// Row of a list.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) game: ListedGame,
    /// URL path of the game's page.
    pub(super) address: String,
    /// Result for the bot of the list, or for both.
    pub(super) result: String,
    /// URL path of the results of the list's bot against the bot on a side.
    pub(super) versus: BySide<Option<String>>,
}

impl Row {
    pub(super) fn bot(&self, side: impl Borrow<Side>) -> &BotName {
        &self.game.outcome.key.bots[*side.borrow()].name
    }

    pub(super) fn versus(&self, side: impl Borrow<Side>) -> Option<&str> {
        self.versus[*side.borrow()].as_deref()
    }

    pub(super) fn has_won(&self, side: impl Borrow<Side>) -> bool {
        self.game.mark(*side.borrow()) == Some(Mark::Win)
    }

    pub(super) fn is_forfeit(&self) -> bool {
        let ending = &self.game.outcome.ending;
        Side::BOTH.into_iter().any(|side| ending.fault_of(side).is_some())
    }

    pub(super) fn ending(&self, lang: impl Borrow<Lang>) -> String {
        ending_label(&self.game.outcome.ending.name()).to(*lang.borrow())
    }

    pub(super) fn score(&self) -> String {
        let Score { one, two } = self.game.outcome.ending.score();
        format!("{one}\u{2009}:\u{2009}{two}")
    }

    pub(super) fn when(&self) -> String {
        page::minute(instant(self.game.started_at))
    }
}

/// Converts milliseconds to an instant.
pub(in super::super) fn instant(millis: u64) -> Utc {
    Utc(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// Result of a game for a side; without a side, for both.
fn result(game: &ListedGame, side: Option<Side>) -> pitmaster_core::i18n::Message {
    let ending = &game.outcome.ending;
    match (side.and_then(|side| ending.mark(side)), ending.winner()) {
        (Some(Mark::Win), _) => said!("win"),
        (Some(Mark::Loss), _) => said!("loss"),
        (None, Some(Side::One)) => said!("player 1 won"),
        (None, Some(Side::Two)) => said!("player 2 won"),
        (None, None) if ending.mark(Side::One) == Some(Mark::Loss) => said!("both lost"),
        _ => said!("draw"),
    }
}

/// Page of a list.
#[derive(Debug)]
pub(super) struct List {
    pub(super) rows: Vec<Row>,
    /// Query string of the next page; `None` on the last one.
    pub(super) next: Option<String>,
}

impl List {
    /// Page of a ladder's games, with their results for a bot.
    fn of(
        ladder: &Ladder,
        visit: &Visit,
        mut games: Vec<ListedGame>,
        bot: Option<&BotName>,
    ) -> Self {
        let has_more = games.len() > PAGE_SIZE;
        games.truncate(PAGE_SIZE);
        let next = games.last().filter(|_| has_more).map(|game| format!("?after={}", game.number));
        let row = |game: ListedGame| {
            let id = Game::name(&ladder.slug, &game.outcome.id);
            let bots = &game.outcome.key.bots;
            let side = Side::BOTH.into_iter().find(|side| Some(&bots[*side].name) == bot);
            let result = result(&game, side).to(visit.client.lang);
            let versus = BySide::from_fn(|side: Side| {
                let (bot, opponent) = (bot?, &bots[side].name);
                let rest = format!("/ladder/{}/versus/{bot}/{opponent}", ladder.slug);
                (bot != opponent).then(|| visit.address(&rest))
            });
            Row { address: visit.address(&format!("/games/{id}")), result, versus, game }
        };
        Self { rows: games.into_iter().map(row).collect(), next }
    }

    /// Games of a request, with their results for the group's version, whose side is given.
    pub(super) fn of_request(
        request: &GameRequest,
        visit: &Visit,
        games: Vec<(ListedGame, Option<Side>)>,
    ) -> Self {
        let row = |(game, side): (ListedGame, Option<Side>)| {
            let id = Game::name_in(request, &game.outcome.id);
            let result = result(&game, side).to(visit.client.lang);
            let address = visit.address(&format!("/games/{id}"));
            Row { address, result, versus: BySide::new(None, None), game }
        };
        Self { rows: games.into_iter().map(row).collect(), next: None }
    }
}

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    layout: Layout,
    head: Head,
    ladder: Ladder,
    /// Bot whose games are listed.
    bot: Option<BotName>,
    list: List,
}

/// Lists the games of a ladder, or those of one bot.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, slug)): Path<(String, String)>,
    Query(asked): Query<ListQuery>,
) -> Result<Response, Problem> {
    let games = visit.games(&app, &slug).await?;
    let bot = match &asked.bot {
        Some(name) => Some(known_bot(&app, &visit.client.actor, &games.ladder, name).await?),
        None => None,
    };
    let of = bot.clone().map_or(GamesOf::All, GamesOf::Bot);
    let found = games.latest(of, asked.after).await?;
    let mut list = List::of(&games.ladder, &visit, found, bot.as_ref());
    if let (Some(next), Some(bot)) = (&mut list.next, &bot) {
        *next = format!("{next}&bot={bot}");
    }
    let (layout, head) = (visit.client.layout(&app), visit.head());
    Ok(page::render(&GamesPage { layout, head, ladder: games.ladder, bot, list }))
}

/// Results by side and in total, with their headings.
pub(super) fn by_side_and_in_all(
    results: BySide<WinDrawLoss>,
    lang: Lang,
) -> [(&'static str, WinDrawLoss); 3] {
    let BySide { one, two } = results;
    let all = WinDrawLoss {
        wins: one.wins + two.wins,
        draws: one.draws + two.draws,
        losses: one.losses + two.losses,
    };
    [(lang.text("as player 1"), one), (lang.text("as player 2"), two), (lang.text("in all"), all)]
}

#[derive(Template)]
#[template(path = "versus.html")]
struct VersusPage {
    layout: Layout,
    head: Head,
    ladder: Ladder,
    /// Bot whose results are counted.
    bot: BotName,
    opponent: BotName,
    results: BySide<WinDrawLoss>,
    list: List,
}

impl VersusPage {
    fn bot(&self) -> &BotName {
        &self.bot
    }

    /// Results by side and in total.
    fn results(&self) -> [(&'static str, WinDrawLoss); 3] {
        by_side_and_in_all(self.results, self.layout.lang)
    }
}

/// Shows the results of two bots of a ladder against each other.
pub(in super::super) async fn versus(
    State(app): State<App>,
    visit: Visit,
    Path((_, slug, one, other)): Path<(String, String, String, String)>,
    Query(asked): Query<ListQuery>,
) -> Result<Response, Problem> {
    let games = visit.games(&app, &slug).await?;
    let actor = &visit.client.actor;
    let bot = known_bot(&app, actor, &games.ladder, &one).await?;
    let opponent = known_bot(&app, actor, &games.ladder, &other).await?;
    if bot == opponent {
        return Err(Problem::new(Kind::NotFound));
    }
    let results = games.results_against(bot.clone(), opponent.clone()).await?;
    let both = GamesOf::Both(bot.clone(), opponent.clone());
    let found = games.latest(both, asked.after).await?;
    let (layout, head) = (visit.client.layout(&app), visit.head());
    let list = List::of(&games.ladder, &visit, found, Some(&bot));
    let ladder = games.ladder;
    Ok(page::render(&VersusPage { layout, head, ladder, bot, opponent, results, list }))
}

impl Visit {
    /// Games of a ladder, by its slug.
    async fn games(&self, app: &App, slug: &str) -> Result<LadderGames, Problem> {
        LadderGames::of(app, &self.client.actor, &self.course, slug, Action::ViewResults).await
    }
}
