//! Game page: moves, replay, and evidence for the group of a bot.

use std::borrow::Borrow;
use std::time::Duration;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use pitmaster_core::i18n::{Fill, Lang, said};
use pitmaster_core::{BotName, BySide, Ply, Record, Remark, Score, Side};
use pitmaster_report::{ShownEvidence, game_data, shown_evidence};
use pitmaster_season::course::Action;

use super::super::super::app::App;
use super::super::super::asset;
use super::super::super::ladder_games::{Game, RunningGame};
use super::super::super::outcome::outcome;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::games::instant;
use super::version::{is_shown, quoted};
use super::{Head, Visit, live};

/// Maximum length of a shown move or remark, in characters.
const MAX_LINE: usize = 400;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    layout: Layout,
    head: Head,
    /// Name of the game in URLs.
    name: String,
    game: Game,
    /// Data of the replay, escaped for a script element; `None` if this program does not have the
    /// rules of the game.
    data: Option<String>,
    script: &'static str,
    /// Headings with evidence.
    evidence: Vec<(String, ShownEvidence)>,
    /// Number of the version by side, if the reader may see it.
    versions: BySide<Option<u32>>,
}

impl GamePage {
    fn record(&self) -> &Record {
        self.game.record()
    }

    fn bot(&self, side: impl Borrow<Side>) -> &BotName {
        &self.record().key.bots[*side.borrow()].name
    }

    fn is_of_course(&self, side: impl Borrow<Side>) -> bool {
        self.game.bots[*side.borrow()].is_some()
    }

    fn version(&self, side: impl Borrow<Side>) -> Option<u32> {
        self.versions[*side.borrow()]
    }

    /// Sentence with the winner and the reason.
    fn outcome(&self) -> String {
        outcome(self.record()).to(self.layout.lang)
    }

    fn score(&self) -> String {
        let Score { one, two } = self.record().ending.score();
        format!("{one}\u{2009}:\u{2009}{two}")
    }

    fn ending(&self) -> String {
        // The sentence may contain a file name of the bot.
        quoted(&self.record().ending.describe().to(self.layout.lang), MAX_LINE)
    }

    fn when(&self) -> String {
        page::minute(instant(self.game.file.started_at))
    }

    /// Plies with their numbers.
    fn plies(&self) -> impl Iterator<Item = (usize, &Ply)> {
        (1..).zip(&self.record().plies)
    }

    fn is_opening(&self, number: impl Borrow<usize>) -> bool {
        *number.borrow() <= self.record().key.opening_plies()
    }

    fn mover(&self, ply: &Ply) -> String {
        match ply.by {
            Some(side) => self.bot(side).to_string(),
            None => self.layout.t("chance").to_owned(),
        }
    }

    /// Remarks on a ply. The last ply also gets the later ones.
    fn remarks(&self, number: impl Borrow<usize>) -> impl Iterator<Item = String> {
        let (number, last) = (*number.borrow(), self.record().plies.len());
        let is_of = move |remark: &&Remark| (remark.ply as usize).clamp(1, last.max(1)) == number;
        let all = self.record().remarks.iter().filter(is_of);
        all.map(|remark| remark.text.shown(MAX_LINE)).collect::<Vec<_>>().into_iter()
    }

    /// Shell commands that ask the reader's own bot about its moves. The server does not know the
    /// local folder of the bot.
    fn commands(&self) -> Vec<String> {
        let own = Side::BOTH.into_iter().filter(|side| self.game.sees_output[*side]);
        let own = own.filter(|side| self.game.bots[*side].is_some());
        own.map(|side| format!("pitmaster debug my-bot lost.json --side {}", side.number()))
            .collect()
    }

    /// Text of a bot, escaped and truncated.
    fn shown(text: &str) -> String {
        quoted(text, MAX_LINE)
    }

    fn time(time: impl Borrow<Duration>, lang: impl Borrow<Lang>) -> String {
        if time.borrow().is_zero() {
            return String::new();
        }
        Fill::time(*time.borrow(), 3).to(*lang.borrow())
    }

    /// Name of the game for continuing it against a bot.
    fn from(&self) -> &str {
        &self.name
    }

    fn last_ply(&self) -> usize {
        self.record().plies.len()
    }

    fn at(&self, rest: &str) -> String {
        self.head.at(&format!("/games/{}{rest}", self.name))
    }
}

/// Numbers of the versions that played, if the reader may see them. Of several versions with the
/// same files, the first one is shown.
async fn versions(app: &App, visit: &Visit, game: &Game) -> Result<BySide<Option<u32>>, Problem> {
    // Both queries are submitted before the first result is awaited.
    let asked = Side::BOTH.map(|side| {
        let bot = game.bots[side].as_ref()?;
        let hash = game.record().key.bots[side].hash.clone();
        Some(app.database().versions_of_files(bot.id, hash))
    });
    let actor = &visit.client.actor;
    let mut numbers = BySide::new(None, None);
    for (side, found) in Side::BOTH.into_iter().zip(asked) {
        let Some(found) = found else { continue };
        let found = found.await?.into_iter();
        let seen = found.filter_map(|version| version.open(actor, Action::ViewResults).ok());
        let seen = seen.filter(|version| is_shown(actor, version));
        numbers[side] = seen.map(|version| version.number).min();
    }
    Ok(numbers)
}

/// Shows a game.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (actor, lang) = (&visit.client.actor, visit.client.lang);
    if let Some(running) = RunningGame::find(&app, actor, &visit.course, &name).await? {
        return Ok(live::page(&app, &visit, &name, running, false));
    }
    let game = Game::find(&app, actor, &visit.course, &name, Action::ViewResults).await?;
    let record = game.record();
    let heading = |side: Side| said!("Evidence against {}", record.key.bots[side].name.as_str());
    let against = |side| Some((heading(side).to(lang), shown_evidence(record, side, lang)?));
    let evidence = Side::BOTH.into_iter().filter_map(against).collect();
    let page = GamePage {
        versions: versions(&app, &visit, &game).await?,
        layout: visit.client.layout(&app),
        head: visit.head(),
        data: game_data(record, lang).ok(),
        script: &asset::game_script().address,
        evidence,
        name,
        game,
    };
    Ok(page::render(&page))
}

/// Downloads a game as a file for `pitmaster debug`, with the output of the reader's own bot.
pub(in super::super) async fn file(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let actor = &visit.client.actor;
    let game = Game::find(&app, actor, &visit.course, &name, Action::ViewEvidence).await?;
    file_of(&game)
}

/// Response with a game as a file.
pub(in super::super) fn file_of(game: &Game) -> Result<Response, Problem> {
    let mut text = Vec::new();
    let failed = |error: std::io::Error| Problem::new(Kind::Internal).caused_by(error.to_string());
    game.file.write(&mut text).map_err(failed)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static("attachment; filename=\"lost.json\""),
        ),
    ];
    Ok((headers, text).into_response())
}
