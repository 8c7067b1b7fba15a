//! Games that the ladders of a course have stored, read from their results folders while bots play.
//!
//! A game belongs to the groups of both bots, and what one of them wrote to the group of that side.
//! Nobody else gets to see a word of it: a record is redacted here, before a handler has it.

use std::path::PathBuf;
use std::sync::Arc;

use pitmaster_core::{BotName, BySide, GameId, GameKey, Record, Side};
use pitmaster_report::{GameFile, without_words};
use pitmaster_season::course::{Action, Actor, CourseFacts, Facts, GroupId, Guarded, Object, may};
use pitmaster_store::{Attempt, GamesOf, ListedGame, Reader, StoreError, WinDrawLoss};
use serde_json::{Value, json};

use super::app::App;
use super::problem::{Kind, Problem};
use crate::database::{Bot, Course, Ladder};
use crate::live::LiveGame;
use crate::player::ladder_folder;

/// A game that is being played, for programs.
pub(super) fn running_row(game: &Arc<LiveGame>) -> Value {
    let bots = &game.key().bots;
    json!({
        "id": Game::name(game.slug(), game.id()),
        "bots": [bots.one.name.as_str(), bots.two.name.as_str()],
        "plies": game.length(),
    })
}

/// Games on a page of a list.
pub(super) const A_PAGE: usize = 50;

/// The games of a ladder that somebody may see.
#[derive(Debug)]
pub(super) struct LadderGames {
    /// The ladder.
    pub ladder: Ladder,
    folder: PathBuf,
    app: App,
}

impl LadderGames {
    /// Games of the ladder with this name, for this action.
    pub(super) async fn of(
        app: &App,
        actor: &Actor,
        course: &Course,
        slug: &str,
        action: Action,
    ) -> Result<Self, Problem> {
        let ladder = app.database().ladder_at(course.facts.id, slug).await?.open(actor, action)?;
        let folder = ladder_folder(app.database().folder(), &course.slug, &ladder.slug);
        Ok(Self { ladder, folder, app: app.clone() })
    }

    /// Some of the games that count, the latest first, of those before the one with the number
    /// `after`: one more than fit on a page, if there are more.
    pub(super) async fn latest(
        &self,
        of: GamesOf,
        after: Option<u64>,
    ) -> Result<Vec<ListedGame>, Problem> {
        self.read(move |reader| reader.latest(&of, after, A_PAGE + 1)).await
    }

    /// Results of a bot against another one, by its side.
    pub(super) async fn results_against(
        &self,
        bot: BotName,
        opponent: BotName,
    ) -> Result<BySide<WinDrawLoss>, Problem> {
        self.read(move |reader| reader.results_against(&bot, &opponent)).await
    }

    async fn load(&self, id: GameId) -> Result<Option<Attempt>, Problem> {
        self.read(move |reader| reader.load(&id)).await
    }

    /// Reads the store. A ladder on which nothing was played yet has no games.
    async fn read<T: Default + Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let done = self.app.readers().read(&self.folder, read).await;
        done.map_err(|error| Problem::new(Kind::Internal).caused_by(error.to_string()))
    }
}

/// The name of a bot that plays, or played, on a ladder: one of the course, a house bot, or a remote
/// entrant.
pub(super) async fn known_bot(
    app: &App,
    actor: &Actor,
    ladder: &Ladder,
    name: &str,
) -> Result<BotName, Problem> {
    let Ok(name) = name.parse::<BotName>() else { return Err(absent(actor)) };
    let table = app.standings().of(ladder.id);
    // House bots, and remote entrants of an open ladder.
    let is_in_table = |table: &crate::standings::LadderTable| {
        table.rows.iter().any(|row| row.version.is_none() && row.name == name)
    };
    if !table.is_some_and(|table| is_in_table(&table)) {
        let bot = app.database().bot_named(ladder.course.id, name.clone()).await?;
        bot.open(actor, Action::ViewResults)?;
    }
    Ok(name)
}

/// The answer about what is not there.
fn absent(actor: &Actor) -> Problem {
    let nothing = Guarded::<Stored>::new(None).open(actor, Action::ViewResults);
    nothing.map_or_else(Problem::from, |_| Problem::new(Kind::NotFound))
}

/// A game of a ladder, as somebody may see it.
#[derive(Debug)]
pub(super) struct Game {
    /// The ladder.
    pub ladder: Ladder,
    /// When it was played, who played, and its record, without words that are not for the reader.
    pub file: GameFile,
    /// The sides whose words are for the reader.
    pub hears: BySide<bool>,
    /// The bot of the course that plays on a side; `None` for a house bot.
    pub bots: BySide<Option<Bot>>,
}

/// A game before permissions are asked for.
#[derive(Debug)]
struct Stored {
    attempt: Attempt,
    course: CourseFacts,
    /// The bot of the course on each side; `None` for a house bot.
    bots: BySide<Option<Bot>>,
    groups: Vec<GroupId>,
}

impl Object for Stored {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.course), groups: &self.groups, ..Facts::default() }
    }
}

impl Game {
    /// Name of a game in addresses, which has the ladder in it: ladders' names have no dots.
    pub(super) fn name(ladder: &str, id: &GameId) -> String {
        format!("{ladder}.{id}")
    }

    /// The game of a course with this name in addresses, for this action.
    pub(super) async fn find(
        app: &App,
        actor: &Actor,
        course: &Course,
        name: &str,
        action: Action,
    ) -> Result<Self, Problem> {
        let Some((slug, id)) = parsed(name) else { return Err(absent(actor)) };
        // Whether a token is for this is asked about the game, so that one that is absent is absent
        // to all tokens.
        let all = Actor { scopes: None, ..actor.clone() };
        let games = LadderGames::of(app, &all, course, slug, Action::ViewResults).await?;
        let Some(attempt) = games.load(id).await? else { return Err(absent(actor)) };
        let bots = bots_of(app, &all, &games.ladder, &attempt.record.key).await?;
        let course = games.ladder.course;
        let stored = Stored { attempt, course, groups: groups_of(&bots), bots };
        let stored = Guarded::new(Some(stored)).open(actor, action)?;
        Ok(Self::redacted(stored, games.ladder, actor))
    }

    fn redacted(stored: Stored, ladder: Ladder, actor: &Actor) -> Self {
        let Stored { attempt, course, bots, .. } = stored;
        let hears = BySide::from_fn(|side: Side| {
            let groups = bots[side].as_ref().map(|bot| std::slice::from_ref(&bot.group));
            let groups = groups.unwrap_or_default();
            let facts = Facts { course: Some(&course), groups, ..Facts::default() };
            may(actor, Action::ViewEvidence, &facts).is_ok()
        });
        let record = without_words(attempt.record, hears);
        let file = GameFile::new(record, attempt.dialects, attempt.started_at);
        Self { ladder, file, hears, bots }
    }

    /// The record, redacted.
    pub(super) fn record(&self) -> &Record {
        &self.file.record
    }

    /// Whether what a side wrote is for the reader.
    pub(super) fn has_evidence(&self) -> bool {
        self.hears.iter().any(|hears| *hears)
    }

    /// The game without anybody's words, for answers that are the same for all.
    pub(super) fn for_all(self) -> GameFile {
        let record = without_words(self.file.record, BySide::new(false, false));
        GameFile::new(record, self.file.dialects, self.file.started_at)
    }
}

/// Ladder and id of a game's name in addresses. One game has one address: an id is written in small
/// letters.
fn parsed(name: &str) -> Option<(&str, GameId)> {
    let (ladder, id) = name.split_once('.')?;
    let found = id.parse::<GameId>().ok()?;
    (found.as_str() == id).then_some((ladder, found))
}

/// The bot of the course on each side of a game; `None` for a house bot.
async fn bots_of(
    app: &App,
    actor: &Actor,
    ladder: &Ladder,
    key: &GameKey,
) -> Result<BySide<Option<Bot>>, Problem> {
    // Both are asked for before the first answer.
    let asked = Side::BOTH.map(|side| {
        let name = key.bots[side].name.clone();
        app.database().bot_named(ladder.course.id, name)
    });
    let mut bots = BySide::new(None, None);
    for (side, bot) in Side::BOTH.into_iter().zip(asked) {
        bots[side] = bot.await?.open(actor, Action::ViewResults).ok();
    }
    Ok(bots)
}

fn groups_of(bots: &BySide<Option<Bot>>) -> Vec<GroupId> {
    bots.iter().flatten().map(|bot: &Bot| bot.group).collect()
}

/// A game that is being played, or that waits for the other one of its pair, as somebody may see it.
#[derive(Debug)]
pub(super) struct RunningGame {
    /// The game.
    pub game: Arc<LiveGame>,
    /// The bot of the course that plays on a side; `None` for a house bot.
    pub bots: BySide<Option<Bot>>,
}

/// A running game before permissions are asked for.
#[derive(Debug)]
struct Unseen {
    running: RunningGame,
    course: CourseFacts,
    groups: Vec<GroupId>,
}

impl Object for Unseen {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.course), groups: &self.groups, ..Facts::default() }
    }
}

impl RunningGame {
    /// The running game of a course with this name in addresses; `None` if it is not running. It is
    /// seen by whoever would see it once it is stored.
    pub(super) async fn find(
        app: &App,
        actor: &Actor,
        course: &Course,
        name: &str,
    ) -> Result<Option<Self>, Problem> {
        let Some((slug, id)) = parsed(name) else { return Ok(None) };
        let Some(game) = app.live().get(&id) else { return Ok(None) };
        let all = Actor { scopes: None, ..actor.clone() };
        let action = Action::ViewResults;
        let ladder = app.database().ladder_at(course.facts.id, slug).await?.open(&all, action)?;
        if game.ladder() != ladder.id {
            return Ok(None);
        }
        let bots = bots_of(app, &all, &ladder, game.key()).await?;
        let (groups, running) = (groups_of(&bots), Self { game, bots });
        let unseen = Unseen { running, course: ladder.course, groups };
        Ok(Some(Guarded::new(Some(unseen)).open(actor, action)?.running))
    }
}
