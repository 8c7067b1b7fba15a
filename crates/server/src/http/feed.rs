//! Live feeds: a running game as server-sent events for pages, or as lines of JSON for programs.

use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderName};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use pitmaster_core::i18n::said;
use pitmaster_core::{GameKey, Record, Side};
use pitmaster_report::LiveReplay;
use pitmaster_season::course::{Action, Actor};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::app::App;
use super::ladder_games::{Game, RunningGame};
use super::listen::HangUp;
use super::problem::Problem;
use crate::database::Course;
use crate::live::{Event, FeedKey, Hub, LiveGame, Outcome, Place, Position, Reader};

/// Time after which something is sent, so that proxies keep the connection.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Time that a reader has to take an event before its connection is closed.
const SLOW: Duration = Duration::from_secs(10);

/// Time after which a feed ends, so that its reader asks again, and is asked who it is.
const LONGEST: Duration = Duration::from_mins(10);

/// The same for what a reader has not taken when the server stops.
const STOPPING: Duration = Duration::from_secs(1);

/// Pause before a reader whose connection was lost comes back.
const RETRY: Duration = Duration::from_secs(2);

/// Events that wait for a reader, beside those that the system keeps for it.
const WAITING: usize = 4;

/// What a proxy is told: an event that waits in a buffer is late.
const NO_BUFFER: (HeaderName, &str) = (HeaderName::from_static("x-accel-buffering"), "no");

/// Form of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Server-sent events.
    Events,
    /// A line of JSON for each event.
    Lines,
}

/// What the address of a feed says behind its question mark.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Asked {
    /// Position after which to go on.
    pub after: Option<String>,
}

/// A feed that somebody asks for.
#[derive(Debug)]
pub(super) struct Wanted<'w> {
    /// Name of the game in addresses.
    pub name: &'w str,
    /// What the reader has.
    pub after: Option<&'w str>,
    pub form: Form,
    /// Whose it is.
    pub key: FeedKey,
    /// Ends the connection.
    pub hang_up: HangUp,
}

/// The feed of a game: as it goes on, or all of it at once if it is stored.
pub(super) async fn open(
    app: &App,
    actor: &Actor,
    course: &Course,
    wanted: Wanted<'_>,
) -> Result<Response, Problem> {
    let Wanted { name, form, .. } = wanted;
    let writer = Writer { form, page: format!("/c/{}/games/{name}", course.slug) };
    let Some(running) = RunningGame::find(app, actor, course, name).await? else {
        let game = Game::find(app, actor, course, name, Action::ViewResults).await?;
        return Ok(writer.answer(Body::from(writer.stored(&game))));
    };
    follow(app, running.game, writer, wanted)
}

/// The feed of a game of a person, whose page has this address.
pub(super) fn of_person(
    app: &App,
    game: Arc<LiveGame>,
    page: String,
    wanted: Wanted<'_>,
) -> Result<Response, Problem> {
    let writer = Writer { form: wanted.form, page };
    follow(app, game, writer, wanted)
}

/// The feed of a game as it goes on.
fn follow(
    app: &App,
    game: Arc<LiveGame>,
    writer: Writer,
    wanted: Wanted<'_>,
) -> Result<Response, Problem> {
    let place = app.live().place(wanted.key).map_err(|_| too_many())?;
    let after = wanted.after.and_then(|after| after.parse().ok());
    let reader = app.live().reader(game, after);
    let (frames, taken) = mpsc::channel(WAITING);
    let answer = writer.answer(Body::new(Frames(taken)));
    let (hub, hang_up) = (app.live().clone(), wanted.hang_up);
    let feed = Feed { reader, place, writer, hub, slow: SLOW };
    tokio::spawn(pump(feed, frames, hang_up));
    Ok(answer)
}

fn too_many() -> Problem {
    let why = said!("Too many live games are open; close one of them.");
    Problem::too_many(RETRY).because(why)
}

/// A feed that is open.
struct Feed {
    reader: Reader,
    place: Place,
    writer: Writer,
    hub: Hub,
    /// Time that its reader has to take an event.
    slow: Duration,
}

/// Hands events over until the game or the server is at its end, or nobody takes them.
async fn pump(mut feed: Feed, frames: mpsc::Sender<Bytes>, hang_up: HangUp) {
    let mut begun = feed.writer.begun();
    let mut longest = pin!(sleep(LONGEST));
    loop {
        let event = tokio::select! {
            () = frames.closed() => return,
            () = feed.place.lost() => return,
            () = &mut longest => return,
            event = timeout(HEARTBEAT, feed.reader.next()) => event,
        };
        let text = match event {
            Ok(Some(event)) => {
                feed.writer.event(feed.reader.game(), &event, feed.reader.position())
            }
            Ok(None) => return,
            Err(_) => feed.writer.heartbeat(),
        };
        let bytes = Bytes::from(std::mem::take(&mut begun) + &text);
        let overdue = async {
            feed.hub.stopping().await;
            sleep(STOPPING).await;
        };
        let is_taken = tokio::select! {
            sent = timeout(feed.slow, frames.send(bytes)) => sent.is_ok(),
            () = overdue => false,
        };
        if !is_taken {
            hang_up.now();
            return;
        }
    }
}

/// Body of an answer whose parts come one after another.
struct Frames(mpsc::Receiver<Bytes>);

impl hyper::body::Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Writes events in a form.
#[derive(Debug)]
struct Writer {
    form: Form,
    /// Address of the game's page.
    page: String,
}

impl Writer {
    fn answer(&self, body: Body) -> Response {
        let kind = match self.form {
            Form::Events => "text/event-stream",
            Form::Lines => "application/x-ndjson",
        };
        ([(header::CONTENT_TYPE, kind), NO_BUFFER], body).into_response()
    }

    /// What a feed begins with.
    fn begun(&self) -> String {
        match self.form {
            Form::Events => format!("retry: {}\n\n", RETRY.as_millis()),
            Form::Lines => String::new(),
        }
    }

    fn heartbeat(&self) -> String {
        match self.form {
            Form::Events => ":\n\n".into(),
            Form::Lines => "\n".into(),
        }
    }

    fn event(&self, game: &LiveGame, event: &Event, at: Position) -> String {
        match event {
            Event::Game => self.game(game.slug(), game.key(), game.other(), at),
            Event::Plies(plies) => self.plies(plies, at),
            Event::Ended => self.write("ended", Some(at), "{}"),
            Event::Over(outcome) => self.over(outcome.as_ref(), at),
            Event::Bye => self.write("bye", None, "{}"),
        }
    }

    fn game(
        &self,
        ladder: &str,
        key: &GameKey,
        other: Option<&pitmaster_core::GameId>,
        at: Position,
    ) -> String {
        let limit = key.limits.per_move.map(|limit| limit.as_secs_f64() * 1000.0);
        let data = json!({
            "game": Game::name(ladder, &key.id()),
            "ladder": ladder,
            "rules": key.rules,
            "bots": [key.bots.one.name.as_str(), key.bots.two.name.as_str()],
            "pair": key.pair,
            "opening": key.opening,
            "opening_plies": key.opening_plies(),
            "move_limit_ms": limit,
            "other": other.map(|id| Game::name(ladder, id)),
        });
        self.write("game", Some(at), &data.to_string())
    }

    fn plies(&self, plies: &[String], at: Position) -> String {
        self.write("plies", Some(at), &format!("{{\"plies\":[{}]}}", plies.join(",")))
    }

    fn over(&self, outcome: Option<&Outcome>, at: Position) -> String {
        let data = match outcome {
            None => json!({"is_void": true}),
            Some(Outcome { winner, score, ending }) => json!({
                "is_void": false,
                "winner": winner.map(Side::number),
                "score": [score.one, score.two],
                "ending": ending,
                "page": self.page,
            }),
        };
        self.write("over", Some(at), &data.to_string())
    }

    /// An event whose data is JSON, in which no line ends.
    fn write(&self, name: &str, id: Option<Position>, data: &str) -> String {
        match (self.form, id) {
            (Form::Events, Some(id)) => format!("event: {name}\nid: {id}\ndata: {data}\n\n"),
            (Form::Events, None) => format!("event: {name}\ndata: {data}\n\n"),
            (Form::Lines, id) => {
                let id = id.map_or(Value::Null, |id| id.to_string().into());
                format!("{{\"event\":\"{name}\",\"id\":{id},\"data\":{data}}}\n")
            }
        }
    }

    /// All events of a game that is stored.
    fn stored(&self, game: &Game) -> String {
        let record = game.record();
        let at = |plies| Position { attempt: game.file.started_at, plies };
        let plies = written(record);
        let mut text = self.begun();
        text += &self.game(&game.ladder.slug, &record.key, None, at(0));
        if !plies.is_empty() {
            text += &self.plies(&plies, at(plies.len()));
        }
        text + &self.over(Some(&Outcome::of(record)), at(plies.len()))
    }
}

/// The plies of a record as JSON: without what happened to the seeds if this program does not have
/// the rules.
fn written(record: &Record) -> Vec<String> {
    let mut board = LiveReplay::begin(&record.key).ok();
    let plies = (1..).zip(&record.plies);
    let written = plies.map(|(n, ply)| {
        let shown = board.as_mut().and_then(|board| board.ply(ply));
        shown.unwrap_or_else(|| {
            let (wall, cpu) = (ply.wall.as_micros() as u64, ply.cpu.as_micros() as u64);
            let by = ply.by.map(Side::number);
            json!({"n": n, "by": by, "text": ply.text, "wall_us": wall, "cpu_us": cpu}).to_string()
        })
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use pitmaster_core::{BotHash, BotId, BySide, Limits, Ply};
    use pitmaster_season::course::{LadderId, Utc};

    use super::*;

    /// Longer than anything takes on a busy machine.
    const LONG: Duration = Duration::from_secs(30);

    fn key() -> GameKey {
        let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"files") };
        GameKey {
            rules: "coloured-awale,both_40=off@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots: BySide::new(bot("a.one"), bot("b.one")),
            opening: String::new(),
            pair: 1,
        }
    }

    fn plies() -> Vec<Ply> {
        let ply = |(n, text): (usize, &str)| Ply {
            by: Some(Side::BOTH[n % 2]),
            text: text.into(),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            waiting: Duration::ZERO,
        };
        ["1B", "2R", "3TR"].into_iter().enumerate().map(ply).collect()
    }

    /// A feed of a game, and the end that a connection would read, which has room for one event.
    fn feed(hub: &Hub, slow: Duration) -> (Feed, mpsc::Sender<Bytes>, mpsc::Receiver<Bytes>) {
        let game = hub.get(&key().id()).unwrap();
        let writer = Writer { form: Form::Events, page: String::new() };
        let (reader, place) = (hub.reader(game, None), hub.place(FeedKey::Guest).unwrap());
        let (frames, taken) = mpsc::channel(1);
        (Feed { reader, place, writer, hub: hub.clone(), slow }, frames, taken)
    }

    fn begun() -> Hub {
        let hub = Hub::default();
        hub.begin((LadderId::of([1; 12]), "main"), &key(), &[], Utc(1));
        hub
    }

    fn go_on(hub: &Hub, length: usize) {
        hub.get(&key().id()).unwrap().watch(&plies()[..length]);
        hub.publish();
    }

    #[tokio::test]
    async fn a_reader_that_takes_nothing_is_closed_and_others_go_on() {
        let hub = begun();
        let (slow, frames, unread) = feed(&hub, Duration::from_millis(100));
        let (other, other_frames, mut read) = feed(&hub, LONG);
        let hang_up = HangUp::default();
        let slow = tokio::spawn(pump(slow, frames, hang_up.clone()));
        let other = tokio::spawn(pump(other, other_frames, HangUp::default()));
        for length in 1..=3 {
            go_on(&hub, length);
            while let Ok(Some(bytes)) = timeout(Duration::from_millis(20), read.recv()).await {
                assert!(!bytes.is_empty());
            }
        }
        timeout(LONG, slow).await.expect("it is given up").unwrap();
        timeout(LONG, hang_up.wanted()).await.expect("its connection is closed");
        assert_eq!(hub.readers(), 1);
        // What it has not taken is bounded.
        assert_eq!(unread.len(), 1);
        drop(read);
        timeout(LONG, other).await.expect("its reader has left").unwrap();
        assert_eq!(hub.readers(), 0);
    }

    #[tokio::test]
    async fn a_reader_that_takes_nothing_does_not_delay_a_stop() {
        let hub = begun();
        let (feed, frames, _unread) = feed(&hub, LONG);
        let hang_up = HangUp::default();
        let pumped = tokio::spawn(pump(feed, frames, hang_up.clone()));
        go_on(&hub, 3);
        tokio::time::sleep(Duration::from_millis(50)).await;
        let told = Instant::now();
        hub.stop();
        timeout(LONG, hang_up.wanted()).await.expect("its connection is closed");
        assert!(told.elapsed() < LONG / 2, "{:?}", told.elapsed());
        pumped.await.unwrap();
    }
}
