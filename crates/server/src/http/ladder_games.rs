//! Stored games of a course's ladders, read from their results folders while bots play.
//!
//! A game belongs to the groups of both bots, and the output of a bot belongs to its group. Records
//! are redacted here, before a handler gets them, so that nobody else sees that output.

use std::path::PathBuf;
use std::sync::Arc;

use pitmaster_core::{BotName, BySide, GameId, GameKey, Record, Side};
use pitmaster_report::{GameFile, without_words};
use pitmaster_season::course::{
    Action, Actor, AskId, CourseFacts, Facts, GroupId, Guarded, Object, may,
};
use pitmaster_store::{Attempt, GamesOf, ListedGame, Reader, StoreError, WinDrawLoss};
use serde_json::{Value, json};

use super::app::App;
use super::problem::{Kind, Problem};
use crate::database::{Bot, Course, GameRequest, Ladder};
use crate::live::LiveGame;
use crate::player::{ladder_folder, requested_folder};

/// Row of a running game in the API.
pub(super) fn running_row(game: &Arc<LiveGame>) -> Value {
    let bots = &game.key().bots;
    json!({
        "id": Game::name(game.slug(), game.id()),
        "bots": [bots.one.name.as_str(), bots.two.name.as_str()],
        "plies": game.length(),
    })
}

/// Number of games per page of a list.
pub(super) const PAGE_SIZE: usize = 50;

/// Games of a ladder that the client may see.
#[derive(Debug)]
pub(super) struct LadderGames {
    /// The ladder.
    pub ladder: Ladder,
    folder: PathBuf,
    app: App,
}

impl LadderGames {
    /// Looks up a ladder by its slug, with permission for an action.
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

    /// Games of a request that the client may see.
    pub(super) async fn of_request(
        app: &App,
        actor: &Actor,
        course: &Course,
        request: &GameRequest,
    ) -> Result<Self, Problem> {
        let slug = &request.ladder_slug;
        let ladder = app.database().ladder_at(course.facts.id, slug).await?;
        let ladder = ladder.open(actor, Action::ViewResults)?;
        let folder = requested_folder(app.database().folder(), &course.slug, slug);
        Ok(Self { ladder, folder, app: app.clone() })
    }

    /// All games of a request that count, latest first.
    pub(super) async fn of_round(&self, request: &GameRequest) -> Result<Vec<ListedGame>, Problem> {
        // A pair of which one game was replayed may have been begun again.
        let most = 4 * request.facts.pairs as usize;
        let of = GamesOf::Round(request.number);
        self.read(move |reader| reader.latest(&of, None, most)).await
    }

    /// Games that count, latest first, from those before the number `after`. Returns one more than
    /// fit on a page if there are more.
    pub(super) async fn latest(
        &self,
        of: GamesOf,
        after: Option<u64>,
    ) -> Result<Vec<ListedGame>, Problem> {
        self.read(move |reader| reader.latest(&of, after, PAGE_SIZE + 1)).await
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

    /// Reads the store. A ladder without a store has no games.
    async fn read<T: Default + Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let done = self.app.readers().read(&self.folder, read).await;
        done.map_err(|error| Problem::new(Kind::Internal).caused_by(error.to_string()))
    }
}

/// Parses the name of a bot of the course, a house bot, or a remote entrant. Other names are not
/// found.
pub(super) async fn known_bot(
    app: &App,
    actor: &Actor,
    ladder: &Ladder,
    name: &str,
) -> Result<BotName, Problem> {
    let Ok(name) = name.parse::<BotName>() else { return Err(not_found(actor)) };
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

/// Looks up a request of a course by its id, with permission for an action. A malformed id is
/// treated as absent.
pub(super) async fn request_at(
    app: &App,
    actor: &Actor,
    course: &Course,
    id: &str,
    action: Action,
) -> Result<GameRequest, Problem> {
    let found = match id.parse::<AskId>() {
        Ok(known) if known.to_string() == id => app.database().game_request(known).await?,
        _ => Guarded::new(None),
    };
    let request = found.open(actor, action)?;
    if request.course.id != course.facts.id {
        return Err(not_found(actor));
    }
    Ok(request)
}

/// Error for an absent game.
fn not_found(actor: &Actor) -> Problem {
    let nothing = Guarded::<Stored>::new(None).open(actor, Action::ViewResults);
    nothing.map_or_else(Problem::from, |_| Problem::new(Kind::NotFound))
}

/// Game of a ladder, redacted for the client.
#[derive(Debug)]
pub(super) struct Game {
    /// The ladder.
    pub ladder: Ladder,
    /// Request of the game, if a group asked for it.
    pub request: Option<GameRequest>,
    /// Record with its metadata, without output that the client may not see.
    pub file: GameFile,
    /// Sides whose output the client may see.
    pub sees_output: BySide<bool>,
    /// Bot of the course by side; `None` for a house bot.
    pub bots: BySide<Option<Bot>>,
}

/// Stored game before the permission check.
#[derive(Debug)]
struct Stored {
    attempt: Attempt,
    course: CourseFacts,
    /// Bot of the course by side; `None` for a house bot.
    bots: BySide<Option<Bot>>,
    groups: Vec<GroupId>,
}

impl Object for Stored {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.course), groups: &self.groups, ..Facts::default() }
    }
}

impl Game {
    /// Name of a game in URLs: the ladder or the id of the request, and the game's id, separated by a
    /// dot. Slugs of ladders have no dots.
    pub(super) fn name(ladder: &str, id: &GameId) -> String {
        format!("{ladder}.{id}")
    }

    /// Name of a game of a request in URLs.
    pub(super) fn name_in(request: &GameRequest, id: &GameId) -> String {
        Self::name(&request.id.to_string(), id)
    }

    /// Looks up a game of a course by its name, with permission for an action.
    pub(super) async fn find(
        app: &App,
        actor: &Actor,
        course: &Course,
        name: &str,
        action: Action,
    ) -> Result<Self, Problem> {
        let Some((slug, id)) = parsed(name) else { return Err(not_found(actor)) };
        // The scope of a token is checked for the game, so that an absent game is absent for all
        // tokens.
        let all = Actor { scopes: None, ..actor.clone() };
        // Games of a request are for its group and the staff.
        let request = request_at(app, &all, course, slug, Action::ViewEvidence).await.ok();
        let games = match &request {
            Some(request) => LadderGames::of_request(app, &all, course, request).await?,
            None => LadderGames::of(app, &all, course, slug, Action::ViewResults).await?,
        };
        let is_of_it = |attempt: &Attempt| {
            request.as_ref().is_none_or(|request| attempt.record.key.round == request.number)
        };
        let found = games.load(id).await?.filter(is_of_it);
        let Some(attempt) = found else { return Err(not_found(actor)) };
        let bots = bots_of(app, &all, &games.ladder, &attempt.record.key).await?;
        let course = games.ladder.course;
        let stored = Stored { attempt, course, groups: groups_of(&bots), bots };
        let stored = Guarded::new(Some(stored)).open(actor, action)?;
        Ok(Self { request, ..Self::redacted(stored, games.ladder, actor) })
    }

    fn redacted(stored: Stored, ladder: Ladder, actor: &Actor) -> Self {
        let Stored { attempt, course, bots, .. } = stored;
        let sees_output = BySide::from_fn(|side: Side| {
            let groups = bots[side].as_ref().map(|bot| std::slice::from_ref(&bot.group));
            let groups = groups.unwrap_or_default();
            let facts = Facts { course: Some(&course), groups, ..Facts::default() };
            may(actor, Action::ViewEvidence, &facts).is_ok()
        });
        let record = without_words(attempt.record, sees_output);
        let file = GameFile::new(record, attempt.dialects, attempt.started_at);
        Self { ladder, request: None, file, sees_output, bots }
    }

    /// Redacted record.
    pub(super) fn record(&self) -> &Record {
        &self.file.record
    }

    /// Whether the client may see the output of a side.
    pub(super) fn has_evidence(&self) -> bool {
        self.sees_output.iter().any(|sees_output| *sees_output)
    }

    /// Game without any output of bots, for responses that do not depend on the client.
    pub(super) fn for_all(self) -> GameFile {
        let record = without_words(self.file.record, BySide::new(false, false));
        GameFile::new(record, self.file.dialects, self.file.started_at)
    }
}

/// Parses the name of a game in URLs. Ids must be in lower case, so that a game has only one URL.
fn parsed(name: &str) -> Option<(&str, GameId)> {
    let (ladder, id) = name.split_once('.')?;
    let found = id.parse::<GameId>().ok()?;
    (found.as_str() == id).then_some((ladder, found))
}

/// Bot of the course on each side of a game; `None` for a house bot.
async fn bots_of(
    app: &App,
    actor: &Actor,
    ladder: &Ladder,
    key: &GameKey,
) -> Result<BySide<Option<Bot>>, Problem> {
    // Both queries are submitted before the first result is awaited.
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

/// Running game, or ended game that waits for the other one of its pair, as the client may see it.
#[derive(Debug)]
pub(super) struct RunningGame {
    /// The game.
    pub game: Arc<LiveGame>,
    /// Bot of the course by side; `None` for a house bot.
    pub bots: BySide<Option<Bot>>,
}

/// Running game before the permission check.
#[derive(Debug)]
struct Unchecked {
    running: RunningGame,
    course: CourseFacts,
    groups: Vec<GroupId>,
}

impl Object for Unchecked {
    fn facts(&self) -> Facts<'_> {
        Facts { course: Some(&self.course), groups: &self.groups, ..Facts::default() }
    }
}

impl RunningGame {
    /// Looks up a running game of a course by its name; `None` if it is not running. Requires the
    /// permission that the stored game will require.
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
        let unseen = Unchecked { running, course: ladder.course, groups };
        Ok(Some(Guarded::new(Some(unseen)).open(actor, action)?.running))
    }
}
