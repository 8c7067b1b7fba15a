//! Live feed of a course: changes of tables, running games, the queue, and the reader's own group.
//!
//! An event contains the data that programs need; a page reloads itself. The position of a reader
//! contains a hash of each watched item, and an event is sent for each item whose hash differs. So
//! the server stores nothing for readers that reconnect, and restarts do not matter.
//!
//! The reader's identity and permissions are checked again after each change of the database, so a
//! feed never reveals more than its page would.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::str::FromStr;

use axum::response::Response;
use pitmaster_core::i18n::said;
use pitmaster_season::course::{Action, Actor, Facts, Utc, may};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep_until};

use super::super::app::App;
use super::super::ladder_games::running_row;
use super::super::problem::{Kind, Problem};
use super::{FeedRequest, Form, Source, follow};
use crate::database::{
    Course, Examinations, Ladder, OwnState, OwnVersion, SessionSecret, TokenSecret,
};

/// Minimum interval between two evaluations of a reader. Changes in between are combined.
const MIN_INTERVAL: Duration = Duration::from_secs(2);

/// Maximum number of ladders that a reader may watch.
pub(in super::super) const MAX_LADDERS: usize = 16;

/// Query parameters of a feed.
#[derive(Debug, Default, Deserialize)]
pub(in super::super) struct StreamQuery {
    /// Topics to watch.
    watch: Option<String>,
    /// Position to resume after.
    pub after: Option<String>,
}

/// Topics that a reader watches, such as `ladder:main,queue,mine`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Topics {
    /// Slugs of ladders.
    ladders: Vec<String>,
    queue: bool,
    mine: bool,
}

impl FromStr for Topics {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let mut topics = Self::default();
        for word in text.split(',') {
            match (word, word.strip_prefix("ladder:")) {
                (_, Some(name)) => topics.ladders.push(name.to_owned()),
                ("queue", None) => topics.queue = true,
                ("mine", None) => topics.mine = true,
                _ => return Err(malformed()),
            }
        }
        if topics.ladders.len() > MAX_LADDERS { Err(malformed()) } else { Ok(topics) }
    }
}

fn malformed() -> Problem {
    let why = said!(
        "Say what to watch: watch= with one or more of ladder:NAME, queue and mine, commas in between."
    );
    Problem::new(Kind::Malformed).because(why)
}

impl StreamQuery {
    /// Parses the topics.
    pub(in super::super) fn topics(&self) -> Result<Topics, Problem> {
        self.watch.as_deref().unwrap_or_default().parse()
    }
}

/// Reader of a feed, by its credentials.
#[derive(Debug)]
pub(in super::super) enum FeedCredentials {
    /// Session of a browser, or a guest, with the slug of the course.
    Browser(Option<SessionSecret>, String),
    /// Token, with its course.
    Program(TokenSecret),
}

/// Authenticated reader, with the stored state of the watched topics.
#[derive(Debug)]
struct ReaderState {
    actor: Actor,
    ladders: Vec<Ladder>,
    queue: Option<Examinations>,
    own: Option<OwnState>,
}

impl FeedCredentials {
    /// Authenticates the reader and looks up the course.
    async fn authenticate(&self, app: &App) -> Result<(Actor, Course), Problem> {
        let (database, now) = (app.database(), app.now());
        match self {
            Self::Browser(secret, course) => {
                let session = match secret.clone() {
                    Some(secret) => database.session_without_use(secret, now).await?,
                    None => None,
                };
                let actor = session.map_or_else(Actor::guest, |(_, _, actor)| actor);
                let course = database.course_at(course).await?.open(&actor, Action::ViewResults)?;
                Ok((actor, course))
            }
            Self::Program(secret) => {
                let token = database.token(secret.clone(), now).await?;
                let token = token.ok_or_else(|| Problem::new(Kind::LogIn))?;
                // The scopes are checked for the topics, not for the course.
                let reader = Actor { scopes: None, ..token.actor.clone() };
                let course = database.course(token.token.facts.course).await?;
                Ok((token.actor, course.open(&reader, Action::ViewResults)?))
            }
        }
    }

    async fn load_state(&self, app: &App, topics: &Topics) -> Result<ReaderState, Problem> {
        let (actor, course) = self.authenticate(app).await?;
        let mut ladders = Vec::new();
        for name in &topics.ladders {
            let ladder = app.database().ladder_at(course.facts.id, name).await?;
            ladders.push(ladder.open(&actor, Action::ViewResults)?);
        }
        let facts = Facts { course: Some(&course.facts), ..Facts::default() };
        may(&actor, Action::ViewResults, &facts)?;
        let queue = if topics.queue { Some(app.examinations().await?) } else { None };
        let own = if topics.mine { Some(own(app, &actor, &course).await?) } else { None };
        Ok(ReaderState { actor, ladders, queue, own })
    }
}

/// State of an actor's group.
///
/// # Errors
/// Nobody is logged in.
pub(in super::super) async fn own(
    app: &App,
    actor: &Actor,
    course: &Course,
) -> Result<OwnState, Problem> {
    let person = actor.person.ok_or_else(|| Problem::new(Kind::LogIn))?;
    let member = actor.memberships.iter().find(|member| member.course == course.facts.id);
    let group = match member.and_then(|member| member.group) {
        Some(group) => app.database().group(group).await?.open(actor, Action::ViewEvidence).ok(),
        None => None,
    };
    Ok(app.database().own_state(person, group.map(|group| group.id)).await?)
}

/// Watched item in its current state.
#[derive(Debug)]
struct Item {
    /// Name of the event.
    event: &'static str,
    /// Hash of the item.
    hash_value: u64,
    data: String,
}

impl Item {
    /// Creates an item whose hash covers its data and `rest`.
    fn of(event: &'static str, data: &Value, rest: &str) -> Self {
        let data = data.to_string();
        // The hasher is the same in every process of the same program, so that a restart changes
        // nothing.
        let mut hasher = DefaultHasher::new();
        (&data, rest).hash(&mut hasher);
        Self { event, hash_value: hasher.finish(), data }
    }
}

/// Watched items in the order of a position: two items per ladder, then the queue, then the
/// reader's group.
fn items(
    app: &App,
    (actor, now): (&Actor, Utc),
    ladders: &[Ladder],
    queue: Option<&Examinations>,
    own: Option<&OwnState>,
) -> Vec<Item> {
    let of_ladder = |ladder: &Ladder| [table(app, (actor, now), ladder), running(app, ladder)];
    let ladders = ladders.iter().flat_map(of_ladder);
    ladders.chain(queue.map(|queue| waiting(app, queue))).chain(own.map(mine)).collect()
}

/// Table that the reader sees: the frozen one while the public table is frozen.
fn table(app: &App, (actor, now): (&Actor, Utc), ladder: &Ladder) -> Item {
    let table = ladder.table(app.standings(), actor, now);
    let data = json!({
        "ladder": ladder.slug,
        "revision": table.as_ref().map(|table| table.revision),
        "games": table.as_ref().map(|table| table.games),
    });
    Item::of("ladder", &data, "")
}

fn running(app: &App, ladder: &Ladder) -> Item {
    let games = app.live().of_ladder(ladder.id);
    let games: Vec<_> = games.iter().map(running_row).collect();
    Item::of("running", &json!({"ladder": ladder.slug, "games": games}), "")
}

fn waiting(app: &App, queue: &Examinations) -> Item {
    let playing = app.standings().playing();
    let data = json!({
        "waiting": queue.waiting,
        "usual_seconds": queue.usual.map(|usual| usual.as_secs_f64()),
        "final": playing.map(|now| json!({"done": now.done, "games": now.games})),
    });
    Item::of("queue", &data, "")
}

fn mine(own: &OwnState) -> Item {
    let version = |version: &OwnVersion| {
        json!({
            "id": version.id.to_string(),
            "bot": version.bot,
            "number": version.number,
            "state": version.state.name(),
            "is_checked": version.is_checked,
        })
    };
    let versions: Vec<_> = own.versions.iter().map(version).collect();
    let data = json!({"versions": versions, "last_note": own.last_note, "unread": own.unread});
    Item::of("mine", &data, &own.rest)
}

/// Hashes that a reader has for each item; `None` for items that it has not received yet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Position(Vec<Option<u64>>);

impl Position {
    /// Parses a reader's position; the beginning if it does not match the topics.
    fn after(named: Option<&str>, topics: &Topics) -> Self {
        let length =
            2 * topics.ladders.len() + usize::from(topics.queue) + usize::from(topics.mine);
        let parse = |part: &str| u64::from_str_radix(part, 16).ok();
        let known: Vec<_> = named.unwrap_or_default().split('-').map(parse).collect();
        Self(if known.len() == length { known } else { vec![None; length] })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |hash: &Option<u64>| hash.map(|it| format!("{it:x}")).unwrap_or_default();
        f.write_str(&self.0.iter().map(digits).collect::<Vec<_>>().join("-"))
    }
}

/// URL of the feed that a page follows, with a position from before the page was rendered.
pub(in super::super) fn address(
    app: &App,
    (actor, now, course): (&Actor, Utc, &Course),
    ladders: &[Ladder],
    queue: Option<&Examinations>,
    own: Option<&OwnState>,
) -> String {
    let ladders = &ladders[..ladders.len().min(MAX_LADDERS)];
    let names = ladders.iter().map(|ladder| format!("ladder:{}", ladder.slug));
    let others = [queue.map(|_| "queue"), own.map(|_| "mine")].into_iter().flatten();
    let topics: Vec<_> = names.chain(others.map(str::to_owned)).collect();
    let items = items(app, (actor, now), ladders, queue, own);
    let position = Position(items.iter().map(|item| Some(item.hash_value)).collect());
    format!("/c/{}/stream?watch={}&after={position}", course.slug, topics.join(","))
}

/// Signals that something may have changed.
#[derive(Debug)]
struct Signals {
    database: watch::Receiver<u64>,
    standings: watch::Receiver<u64>,
    games: watch::Receiver<u64>,
    /// Whether running games are watched.
    has_games: bool,
}

impl Signals {
    fn of(app: &App, topics: &Topics) -> Self {
        Self {
            database: app.database().changes(),
            standings: app.standings().changes(),
            games: app.live().changes(),
            has_games: !topics.ladders.is_empty(),
        }
    }

    /// Waits for a change. Leaves the database's signal unread, for [`Self::is_stale`].
    async fn changed(&mut self) {
        let mut database = self.database.clone();
        tokio::select! {
            _ = database.changed() => {}
            _ = self.standings.changed() => {}
            _ = self.games.changed(), if self.has_games => {}
        }
    }

    /// Whether the database has changed since the last call.
    fn is_stale(&mut self) -> bool {
        // A closed database counts as changed: its queries report that it is closed.
        let is_stale = self.database.has_changed().unwrap_or(true);
        self.database.borrow_and_update();
        is_stale
    }
}

/// Opens the feed of a reader's topics.
pub(in super::super) async fn open(
    app: &App,
    credentials: FeedCredentials,
    topics: Topics,
    request: FeedRequest<'_>,
) -> Result<Response, Problem> {
    // Subscribed before anything is read, so that no change is missed.
    let signals = Signals::of(app, &topics);
    let state = Some(credentials.load_state(app, &topics).await?);
    let watcher = Watcher {
        app: app.clone(),
        known: Position::after(request.after, &topics),
        credentials,
        topics,
        form: request.form,
        state,
        signals,
        last_evaluation: None,
        may_have_changed: true,
        is_done: false,
    };
    follow(app, watcher, request)
}

/// Source of a course's feed for one reader.
struct Watcher {
    app: App,
    credentials: FeedCredentials,
    topics: Topics,
    form: Form,
    known: Position,
    /// State of the topics; `None` if the database has changed since.
    state: Option<ReaderState>,
    signals: Signals,
    /// Time of the last evaluation.
    last_evaluation: Option<Instant>,
    /// Whether something may have changed since.
    may_have_changed: bool,
    is_done: bool,
}

impl Watcher {
    /// Waits until something may have changed, and formats the events of all changes.
    async fn evaluate(&mut self) -> Result<String, Problem> {
        if let Some(last_evaluation) = self.last_evaluation {
            sleep_until(last_evaluation + MIN_INTERVAL).await;
        }
        if !self.may_have_changed {
            self.signals.changed().await;
            self.may_have_changed = true;
        }
        if self.signals.is_stale() {
            self.state = None;
        }
        let state = match self.state.take() {
            Some(state) => state,
            None => self.credentials.load_state(&self.app, &self.topics).await?,
        };
        let (reader, own) = ((&state.actor, self.app.now()), state.own.as_ref());
        let items = items(&self.app, reader, &state.ladders, state.queue.as_ref(), own);
        self.state = Some(state);
        self.last_evaluation = Some(Instant::now());
        self.may_have_changed = false;
        Ok(self.write(&items))
    }

    fn write(&mut self, items: &[Item]) -> String {
        let mut text = String::new();
        for (at, item) in items.iter().enumerate() {
            if self.known.0[at] != Some(item.hash_value) {
                self.known.0[at] = Some(item.hash_value);
                text += &self.form.write(item.event, Some(&self.known), &item.data);
            }
        }
        text
    }
}

impl Source for Watcher {
    async fn next(&mut self) -> Option<String> {
        let hub = self.app.live().clone();
        while !self.is_done {
            let events = tokio::select! {
                biased;
                () = hub.stopping() => None,
                events = self.evaluate() => Some(events),
            };
            match events {
                Some(Ok(text)) if text.is_empty() => {}
                Some(Ok(text)) => return Some(text),
                // The feed ends. The reader reconnects, and gets the error as a response.
                Some(Err(_)) => self.is_done = true,
                None => {
                    self.is_done = true;
                    return Some(self.form.closing_event());
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_parsed() {
        let topics = |text: &str| text.parse::<Topics>().ok();
        let all = topics("ladder:main,mine,queue,ladder:open").unwrap();
        assert_eq!((all.ladders.len(), all.queue, all.mine), (2, true, true));
        for wrong in ["", "main", "ladder", "queue,", "Queue", "game:main.0"] {
            assert_eq!(topics(wrong), None, "{wrong}");
        }
        let many = |count: usize| vec!["ladder:x"; count].join(",");
        assert!(topics(&many(MAX_LADDERS)).is_some() && topics(&many(MAX_LADDERS + 1)).is_none());
    }

    #[test]
    fn a_position_is_of_its_topics() {
        let topics: Topics = "ladder:main,queue".parse().unwrap();
        let beginning = Position(vec![None; 3]);
        for other in [None, Some(""), Some("1-2"), Some("1-2-3-4"), Some("1:2")] {
            assert_eq!(Position::after(other, &topics), beginning, "{other:?}");
        }
        let position = Position(vec![Some(u64::MAX), None, Some(0)]);
        assert_eq!(position.to_string(), "ffffffffffffffff--0");
        assert_eq!(Position::after(Some("ffffffffffffffff--0"), &topics), position);
        assert_eq!(Position::after(Some("x-+-"), &topics), beginning);
    }

    #[test]
    fn equal_data_has_equal_hashes() {
        let item =
            |count: u32, rest| Item::of("queue", &json!({"waiting": count}), rest).hash_value;
        assert_eq!(item(1, ""), item(1, ""));
        assert_ne!(item(1, ""), item(2, ""));
        assert_ne!(item(1, ""), item(1, "x"));
    }
}
