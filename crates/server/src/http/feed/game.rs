//! Live feed of a game: event by event while it runs, or all events at once if it is stored.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use pitmaster_core::{GameKey, Record, Side};
use pitmaster_report::LiveReplay;
use pitmaster_season::course::{Action, Actor};
use serde_json::json;

use super::super::app::App;
use super::super::ladder_games::{Game, RunningGame};
use super::super::problem::Problem;
use super::{FeedRequest, Form, Source, follow};
use crate::database::Course;
use crate::live::{Event, LiveGame, Outcome, Position, Reader};

/// Opens the feed of a game by its name in URLs.
pub(in super::super) async fn open(
    app: &App,
    actor: &Actor,
    course: &Course,
    name: &str,
    request: FeedRequest<'_>,
) -> Result<Response, Problem> {
    let form = request.form;
    let writer = Writer { form, page: format!("/c/{}/games/{name}", course.slug) };
    let Some(running) = RunningGame::find(app, actor, course, name).await? else {
        let game = Game::find(app, actor, course, name, Action::ViewResults).await?;
        return Ok(form.response(Body::from(writer.stored(&game))));
    };
    running_game(app, running.game, writer, request)
}

/// Opens the feed of a person's game, with the URL of its page.
pub(in super::super) fn of_person(
    app: &App,
    game: Arc<LiveGame>,
    page: String,
    request: FeedRequest<'_>,
) -> Result<Response, Problem> {
    let writer = Writer { form: request.form, page };
    running_game(app, game, writer, request)
}

fn running_game(
    app: &App,
    game: Arc<LiveGame>,
    writer: Writer,
    request: FeedRequest<'_>,
) -> Result<Response, Problem> {
    let after = request.after.and_then(|after| after.parse().ok());
    let reader = app.live().reader(game, after);
    follow(app, Running { reader, writer }, request)
}

/// Source of a running game.
struct Running {
    reader: Reader,
    writer: Writer,
}

impl Source for Running {
    async fn next(&mut self) -> Option<String> {
        let event = self.reader.next().await?;
        Some(self.writer.event(self.reader.game(), &event, self.reader.position()))
    }
}

/// Formatter of a game's events.
#[derive(Debug)]
struct Writer {
    form: Form,
    /// URL path of the game's page.
    page: String,
}

impl Writer {
    fn event(&self, game: &LiveGame, event: &Event, at: Position) -> String {
        match event {
            Event::Game => self.game(game.slug(), game.key(), game.other(), at),
            Event::Plies(plies) => self.plies(plies, at),
            Event::Ended => self.form.write("ended", Some(&at), "{}"),
            Event::Over(outcome) => self.over(outcome.as_ref(), at),
            Event::ServerStopping => self.form.closing_event(),
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
        self.form.write("game", Some(&at), &data.to_string())
    }

    fn plies(&self, plies: &[String], at: Position) -> String {
        self.form.write("plies", Some(&at), &format!("{{\"plies\":[{}]}}", plies.join(",")))
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
        self.form.write("over", Some(&at), &data.to_string())
    }

    /// All events of a stored game.
    fn stored(&self, game: &Game) -> String {
        let record = game.record();
        let at = |plies| Position { attempt: game.file.started_at, plies };
        let plies = written(record);
        let mut text = self.form.preamble();
        text += &self.game(&game.ladder.slug, &record.key, None, at(0));
        if !plies.is_empty() {
            text += &self.plies(&plies, at(plies.len()));
        }
        text + &self.over(Some(&Outcome::of(record)), at(plies.len()))
    }
}

/// Plies of a record as JSON, without the changes of the board if this program does not have the
/// rules.
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
    use std::time::{Duration, Instant};

    use axum::body::Bytes;
    use pitmaster_core::{BotHash, BotId, BySide, Limits, Ply};
    use pitmaster_season::course::{LadderId, Utc};
    use tokio::sync::mpsc;
    use tokio::time::timeout;

    use super::super::super::listen::ConnectionCloser;
    use super::super::{Feed, pump};
    use super::*;
    use crate::live::{FeedKey, Hub};

    /// Longer than anything takes on a busy machine.
    const TIMEOUT: Duration = Duration::from_secs(30);

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

    /// Feed of a game, with the receiving end of a connection that has room for one event.
    fn feed(
        hub: &Hub,
        send_timeout: Duration,
    ) -> (Feed<Running>, mpsc::Sender<Bytes>, mpsc::Receiver<Bytes>) {
        let game = hub.get(&key().id()).unwrap();
        let writer = Writer { form: Form::Events, page: String::new() };
        let (reader, slot) = (hub.reader(game, None), hub.slot(FeedKey::Guest).unwrap());
        let (frames, receiver) = mpsc::channel(1);
        let source = Running { reader, writer };
        (
            Feed { source, slot, form: Form::Events, hub: hub.clone(), send_timeout },
            frames,
            receiver,
        )
    }

    fn hub_with_game() -> Hub {
        let hub = Hub::default();
        hub.begin((LadderId::of([1; 12]), "main"), &key(), &[], Utc(1));
        hub
    }

    fn advance(hub: &Hub, length: usize) {
        hub.get(&key().id()).unwrap().watch(&plies()[..length]);
        hub.publish();
    }

    #[tokio::test]
    async fn a_reader_that_takes_nothing_is_closed_and_others_go_on() {
        let hub = hub_with_game();
        let (slow, frames, unread) = feed(&hub, Duration::from_millis(100));
        let (other, other_frames, mut read) = feed(&hub, TIMEOUT);
        let closer = ConnectionCloser::default();
        let slow = tokio::spawn(pump(slow, frames, closer.clone()));
        let other = tokio::spawn(pump(other, other_frames, ConnectionCloser::default()));
        for length in 1..=3 {
            advance(&hub, length);
            while let Ok(Some(bytes)) = timeout(Duration::from_millis(20), read.recv()).await {
                assert!(!bytes.is_empty());
            }
        }
        timeout(TIMEOUT, slow).await.expect("it is given up").unwrap();
        timeout(TIMEOUT, closer.requested()).await.expect("its connection is closed");
        assert_eq!(hub.readers(), 1);
        // The number of buffered events is bounded.
        assert_eq!(unread.len(), 1);
        drop(read);
        timeout(TIMEOUT, other).await.expect("its reader has left").unwrap();
        assert_eq!(hub.readers(), 0);
    }

    #[tokio::test]
    async fn a_reader_that_takes_nothing_does_not_delay_a_stop() {
        let hub = hub_with_game();
        let (feed, frames, _unread) = feed(&hub, TIMEOUT);
        let closer = ConnectionCloser::default();
        let pumped = tokio::spawn(pump(feed, frames, closer.clone()));
        advance(&hub, 3);
        tokio::time::sleep(Duration::from_millis(50)).await;
        let started = Instant::now();
        hub.stop();
        timeout(TIMEOUT, closer.requested()).await.expect("its connection is closed");
        assert!(started.elapsed() < TIMEOUT / 2, "{:?}", started.elapsed());
        pumped.await.unwrap();
    }
}
