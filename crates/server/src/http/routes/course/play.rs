//! Games of people against bots: the form that begins a game, its page, and its moves.
//!
//! Moves are submitted by forms, so that a page works without a script. Only its owner sees a game.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form, Json};
use pitmaster_core::i18n::{Fill, Lang, Message, said};
use pitmaster_core::{BotName, GameKey, Ply, Side};
use pitmaster_report::{Following, analyzed_game_data, game_data, live_data};
use pitmaster_season::course::{Action, CourseFacts, CourseId, Facts, Guarded, Object};
use pitmaster_session::practice::{BoardView, HOUSE_BOTS, HoleView, LayoutChoice, game_names};
use serde::Deserialize;
use serde_json::json;

use super::super::super::app::App;
use super::super::super::asset;
use super::super::super::feed::{self, FeedRequest, StreamQuery};
use super::super::super::ladder_games::Game;
use super::super::super::listen::ConnectionCloser;
use super::super::super::outcome::outcome;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::version::quoted;
use super::{Head, Visit};
use crate::live::Position;
use crate::play::{
    Evaluation, GameSettings, HostedGame, MoveError, Offer, Owner, Snapshot, StartError, message,
};

/// Time limits of the bot per move, in milliseconds.
const CLOCKS: [u64; 4] = [200, 1000, 2000, 5000];

/// Default time limit of the form.
const DEFAULT_CLOCK: u64 = 1000;

/// Label of a time limit.
fn clock_text(millis: u64) -> String {
    if millis < 1000 { format!("{millis} ms") } else { format!("{} s", millis / 1000) }
}

/// Time for which the response to a form waits for the bot's move, which a page without a script
/// needs.
const BOT_MOVE_WAIT: Duration = Duration::from_secs(6);

/// Maximum length of a shown move, in characters.
const MAX_LINE: usize = 400;

/// Query parameters of the form, such as the position to continue from.
#[derive(Debug, Default, Clone, Deserialize)]
pub(in super::super) struct FormQuery {
    /// Name of a ladder game, or id of a game of the person.
    #[serde(default)]
    from: String,
    /// Number of plies to replay.
    #[serde(default)]
    ply: String,
    /// Preselected bot.
    #[serde(default)]
    bot: String,
    /// Preselected game.
    #[serde(default)]
    game: String,
}

/// Position to continue from.
#[derive(Debug, Default, Clone)]
struct Opening {
    /// Game with its options; `None` for any.
    game: Option<String>,
    steps: String,
    plies: usize,
    /// Bots of the original game.
    bots: Vec<String>,
}

impl Opening {
    fn of(key: &GameKey, plies: &[Ply], wanted: &str) -> Self {
        let most = wanted.trim().parse().unwrap_or(plies.len()).min(plies.len());
        let steps: Vec<_> = plies[..most].iter().map(|ply| &*ply.text).collect();
        // The version of the rules is not part of a game's name.
        let game = key.rules.split('@').next().unwrap_or_default().to_owned();
        let bots = key.bots.iter().map(|bot| bot.name.to_string()).collect();
        Self { game: Some(game), steps: steps.join(" "), plies: most, bots }
    }

    /// Looks up the requested position in a game that the client may see.
    async fn find(app: &App, visit: &Visit, from: &FormQuery) -> Result<Self, Problem> {
        if from.from.is_empty() {
            return Ok(Self::default());
        }
        if !from.from.contains('.') {
            let snapshot = visit.hosted(app, &from.from)?.snapshot();
            return Ok(Self::of(snapshot.game.key(), &snapshot.plies, &from.ply));
        }
        let actor = &visit.client.actor;
        let game = Game::find(app, actor, &visit.course, &from.from, Action::ViewResults).await?;
        Ok(Self::of(&game.record().key, &game.record().plies, &from.ply))
    }
}

#[derive(Template)]
#[template(path = "play.html")]
struct FormPage {
    layout: Layout,
    head: Head,
    begin: FormQuery,
    opening: Opening,
    /// Games, those of the ladders first.
    games: Vec<String>,
    offers: Vec<Offer>,
    /// Whether the bots of the course can be played against.
    plays_here: bool,
    running: Vec<Arc<HostedGame>>,
}

impl FormPage {
    fn is_bot(&self, bot: &str) -> bool {
        if !self.begin.bot.is_empty() {
            return self.begin.bot == bot;
        }
        let plain = |name: &str| BotName::tamed(name).to_string();
        self.opening.bots.iter().any(|known| *known == plain(bot))
    }

    fn is_game(&self, game: &str) -> bool {
        self.begin.game == game
    }

    fn house() -> Vec<String> {
        HOUSE_BOTS.iter().map(|name| format!("house:{name}")).collect()
    }

    fn clock(clock: impl Borrow<u64>) -> String {
        clock_text(*clock.borrow())
    }
}

/// Shows the form that begins a game.
pub(in super::super) async fn form(
    State(app): State<App>,
    visit: Visit,
    Query(begin): Query<FormQuery>,
) -> Result<Response, Problem> {
    visit.may_play()?;
    let opening = Opening::find(&app, &visit, &begin).await?;
    let mut offers = app.people().offers(visit.course.facts.id, visit.group());
    let mut games: Vec<String> = offers.iter().map(|offer| offer.game.clone()).collect();
    if let Some(game) = &opening.game {
        offers.retain(|offer| offer.game == *game);
    }
    for ladder in app.database().ladders(visit.course.facts.id).await? {
        let Ok(ladder) = ladder.open(&visit.client.actor, Action::ViewResults) else { continue };
        games.extend(app.standings().rules(ladder.id).map(|rules| rules.game));
    }
    let owner = visit.owner();
    let mut running = app.people().of(owner, visit.course.facts.id);
    running.retain(|hosted| hosted.is_running());
    games.sort_unstable();
    games.dedup();
    let others: Vec<_> = game_names().map(str::to_owned).filter(|it| !games.contains(it)).collect();
    games.extend(others);
    let layout = visit.client.layout(&app);
    let head = visit.head();
    let plays_here = app.plays_here();
    let form = FormPage { layout, head, begin, opening, games, offers, plays_here, running };
    Ok(page::render(&form))
}

/// Form data of a new game.
#[derive(Debug, Deserialize)]
pub(in super::super) struct GameForm {
    bot: String,
    #[serde(default)]
    game: String,
    side: u8,
    clock: u64,
    #[serde(default)]
    from: String,
    #[serde(default)]
    ply: String,
}

/// Begins a game, and redirects to its page.
pub(in super::super) async fn begin(
    State(app): State<App>,
    visit: Visit,
    Form(new): Form<GameForm>,
) -> Result<Redirect, Problem> {
    visit.may_play()?;
    let refused = |message| Problem::new(Kind::Refused).because(message);
    if !CLOCKS.contains(&new.clock) {
        return Err(refused(said!("Choose one of the times of the form.")));
    }
    let person = match new.side {
        1 => Side::One,
        2 => Side::Two,
        _ => return Err(refused(said!("There are two sides, 1 and 2."))),
    };
    let begin = FormQuery { from: new.from, ply: new.ply, ..FormQuery::default() };
    let opening = Opening::find(&app, &visit, &begin).await?;
    let wanted = GameSettings {
        group: visit.group(),
        bot: page::typed(&new.bot),
        game: opening.game.unwrap_or_else(|| page::typed(&new.game)),
        person,
        per_move: Duration::from_millis(new.clock),
        opening: opening.steps,
    };
    let (owner, people, now) = (visit.who(), app.people().clone(), visit.client.now);
    // Blocking, because the bot is looked up on the disk.
    let begun = tokio::task::spawn_blocking(move || people.begin(owner, wanted, now)).await;
    let begun = begun.map_err(|error| Problem::new(Kind::Internal).caused_by(error.to_string()))?;
    let hosted = begun.map_err(|not_begun| {
        let kind = match not_begun {
            StartError::Refused(_) => Kind::Refused,
            StartError::TooMany => Kind::Conflict,
            StartError::Full => Kind::Unavailable,
        };
        Problem::new(kind).because(message(&not_begun))
    })?;
    hosted.settled(0, BOT_MOVE_WAIT).await;
    Ok(Redirect::to(&visit.address(&format!("/play/{}", hosted.id()))))
}

#[derive(Template)]
#[template(path = "play_game.html")]
struct GamePage {
    layout: Layout,
    head: Head,
    hosted: Arc<HostedGame>,
    now: Snapshot,
    view: BoardView,
    /// Data of the replay, escaped for a script element.
    data: Option<String>,
    script: &'static str,
}

impl GamePage {
    fn key(&self) -> &GameKey {
        self.now.game.key()
    }

    fn person(&self) -> Side {
        self.now.game.person()
    }

    fn bot(&self, side: impl Borrow<Side>) -> &BotName {
        &self.key().bots[*side.borrow()].name
    }

    fn at(&self, rest: &str) -> String {
        self.head.at(&format!("/play/{}{rest}", self.hosted.id()))
    }

    /// Sentence with the winner and the reason; `None` while the game is running.
    fn outcome(&self) -> Option<String> {
        let record = self.now.record.as_ref()?;
        Some(outcome(record).to(self.layout.lang))
    }

    /// Sentence about the ending; `None` while the game is running.
    fn ending(&self) -> Option<String> {
        let record = self.now.record.as_ref()?;
        if self.now.has_left {
            return Some(said!("the game was given up").to(self.layout.lang));
        }
        Some(quoted(&record.ending.describe().to(self.layout.lang), MAX_LINE))
    }

    fn score(&self) -> String {
        let score = match &self.now.record {
            Some(record) => record.ending.score(),
            None => self.view.score,
        };
        format!("{}\u{2009}:\u{2009}{}", score.one, score.two)
    }

    /// Id of the game for continuing it.
    fn from(&self) -> &str {
        self.hosted.id()
    }

    fn last_ply(&self) -> usize {
        self.now.plies.len()
    }

    fn clock(&self) -> String {
        clock_text(self.key().limits.per_move.unwrap_or_default().as_millis() as u64)
    }

    /// Name of the game, without the version of its rules.
    fn game(&self) -> &str {
        self.key().rules.split('@').next().unwrap_or_default()
    }

    /// Number of the next ply.
    fn next(&self) -> usize {
        self.now.plies.len() + 1
    }

    /// Plies with their numbers.
    fn plies(&self) -> impl Iterator<Item = (usize, &Ply)> {
        (1..).zip(&self.now.plies)
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

    /// Holes of a layout that the person fills.
    fn holes(&self) -> &[(usize, String)] {
        self.view.layouts.first().map(|layout| &*layout.holes).unwrap_or_default()
    }

    /// Maximum number of seeds in a layout.
    fn most(&self) -> u16 {
        self.view.layouts.iter().map(|layout| layout.seeds).max().unwrap_or_default()
    }

    /// Label of a hole.
    fn hole(hole: &HoleView) -> String {
        if hole.kinds.is_empty() {
            hole.seeds.to_string()
        } else {
            format!("{} ({})", hole.seeds, hole.kinds)
        }
    }

    fn number(hole: impl Borrow<Option<usize>>) -> String {
        hole.borrow().map_or_else(String::new, |hole| hole.to_string())
    }
}

/// Shows a game.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let hosted = visit.hosted(&app, &id)?;
    let (now, lang) = (hosted.snapshot(), visit.client.lang);
    let mut view = now.game.view(&now.plies);
    if !now.is_turn {
        (view.moves, view.layouts) = (Vec::new(), Vec::new());
    }
    let data = match &now.record {
        Some(record) => match &now.evaluation {
            Evaluation::Done(found) => analyzed_game_data(record, found, lang),
            _ => game_data(record, lang),
        },
        None => {
            let after = Position { attempt: now.live.attempt(), plies: now.plies.len() };
            let stream = visit.address(&format!("/play/{}/stream", hosted.id()));
            let following = Following { stream, after: after.to_string(), goes_on: false };
            live_data(now.game.key(), &now.plies, &following, lang)
        }
    };
    let page = GamePage {
        layout: visit.client.layout(&app),
        head: visit.head(),
        hosted,
        now,
        view,
        data: data.ok(),
        script: &asset::game_script().address,
    };
    Ok(page::render(&page))
}

/// Live feed of a game.
pub(in super::super) async fn stream(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
    Query(asked): Query<StreamQuery>,
    headers: HeaderMap,
    closer: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let hosted = visit.hosted(&app, &id)?;
    let request = FeedRequest {
        after: feed::last_event(&headers, asked.after.as_deref()),
        form: feed::Form::Events,
        key: visit.client.feed_key(),
        closer: closer.map(|Extension(it)| it).unwrap_or_default(),
    };
    let page = visit.address(&format!("/play/{}", hosted.id()));
    feed::of_person(&app, hosted.snapshot().live, page, request)
}

/// Prefix of form fields with the seeds of a layout.
const SEEDS_PREFIX: &str = "at.";

/// Move of a form: a text, or a template completed with seeds.
fn sent_move(fields: &HashMap<String, String>) -> Option<String> {
    let text = fields.get("move")?;
    let mut seeds: Vec<(&str, u16)> = Vec::new();
    for (name, value) in fields {
        if let Some(label) = name.strip_prefix(SEEDS_PREFIX) {
            seeds.push((label, value.trim().parse().unwrap_or(0)));
        }
    }
    seeds.sort_unstable();
    Some(LayoutChoice::filled(text, seeds.into_iter()))
}

/// Plays a move. The form contains the number of the ply, so that repeated submissions have no
/// further effect.
pub(in super::super) async fn play(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
    headers: HeaderMap,
    Form(fields): Form<HashMap<String, String>>,
) -> Result<Response, Problem> {
    let hosted = visit.hosted(&app, &id)?;
    let ply = fields.get("ply").and_then(|ply| ply.trim().parse::<usize>().ok());
    let malformed = || Problem::new(Kind::Malformed);
    let (ply, text) = (ply.ok_or_else(malformed)?, sent_move(&fields).ok_or_else(malformed)?);
    hosted.play(ply, &text).map_err(|why| move_error(&hosted, why))?;
    let is_script = headers.get(header::ACCEPT).is_some_and(|it| it == "application/json");
    if is_script {
        return Ok(Json(json!({ "ply": ply })).into_response());
    }
    hosted.settled(ply, BOT_MOVE_WAIT).await;
    Ok(visit.back_to_game(&hosted).into_response())
}

/// Form data of a takeback.
#[derive(Debug, Deserialize)]
pub(in super::super) struct TakeBackForm {
    ply: Option<usize>,
}

/// Takes back the person's last move.
pub(in super::super) async fn take_back(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
    Form(back): Form<TakeBackForm>,
) -> Result<Redirect, Problem> {
    let hosted = visit.hosted(&app, &id)?;
    hosted.take_back(back.ply).map_err(|why| move_error(&hosted, why))?;
    hosted.settled(0, BOT_MOVE_WAIT).await;
    Ok(visit.back_to_game(&hosted))
}

/// Resigns a game.
pub(in super::super) async fn leave(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let hosted = visit.hosted(&app, &id)?;
    hosted.leave();
    hosted.settled(usize::MAX, BOT_MOVE_WAIT).await;
    Ok(visit.back_to_game(&hosted))
}

/// Evaluates a finished game by `house:expert`.
pub(in super::super) async fn evaluate(
    State(app): State<App>,
    visit: Visit,
    Path((_, id)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let hosted = visit.hosted(&app, &id)?;
    if hosted.is_running() {
        return Err(move_error(&hosted, MoveError::Elsewhere));
    }
    if !app.people().evaluate(&hosted) {
        let why =
            said!("Another game is being evaluated, or a final is being played; try again later.");
        return Err(Problem::new(Kind::Unavailable).because(why));
    }
    Ok(visit.back_to_game(&hosted))
}

/// Error response for a move that has no effect.
fn move_error(hosted: &HostedGame, why: MoveError) -> Problem {
    match why {
        MoveError::Illegal(why) => Problem::new(Kind::Refused).because(why),
        MoveError::Elsewhere => {
            let now = hosted.snapshot();
            let position = now.game.view(&now.plies).position;
            Problem::new(Kind::Conflict).because(at_another_place(now.plies.len(), position))
        }
    }
}

fn at_another_place(plies: usize, position: String) -> Message {
    said!(
        "The game is at another place: {} plies were played, and the position is {}.",
        plies,
        position
    )
}

/// Game of a person before the permission check.
struct Unchecked {
    hosted: Arc<HostedGame>,
    course: CourseFacts,
}

impl Object for Unchecked {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.course), ..Facts::default() }
    }
}

/// Course, for the permission to play.
struct PlayPermission(CourseFacts);

impl Object for PlayPermission {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.0), ..Facts::default() }
    }
}

impl Visit {
    /// Owner of the games that the client plays.
    fn owner(&self) -> Owner {
        self.client.person.as_ref().map_or(Owner::Guest, |(person, _)| Owner::Person(person.id))
    }

    fn who(&self) -> (Owner, CourseId) {
        (self.owner(), self.course.facts.id)
    }

    /// Checks whether the client may play in this course.
    fn may_play(&self) -> Result<(), Problem> {
        let room = Guarded::new(Some(PlayPermission(self.course.facts)));
        room.open(&self.client.actor, Action::Play)?;
        Ok(())
    }

    /// Looks up the client's own game by its id. A game of another person is treated as absent.
    fn hosted(&self, app: &App, id: &str) -> Result<Arc<HostedGame>, Problem> {
        let found = app.people().get(self.who(), id);
        let course = self.course.facts;
        let unseen = Guarded::new(found.map(|hosted| Unchecked { hosted, course }));
        Ok(unseen.open(&self.client.actor, Action::Play)?.hosted)
    }

    fn back_to_game(&self, hosted: &HostedGame) -> Redirect {
        Redirect::to(&self.address(&format!("/play/{}", hosted.id())))
    }
}
