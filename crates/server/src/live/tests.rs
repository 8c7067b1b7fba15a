//! Readers get every ply once and in order, whatever the lane, the server or the reader does.

use std::task::Poll;

use pitmaster_core::{
    BotHash, BotId, BySide, Ending, Limits, Ply, Record, RefereeFault, Score, Seed, Side,
};

use super::slots::{MAX_GUESTS, MAX_PER_SESSION, MAX_TOTAL};
use super::*;

const LADDER: LadderId = LadderId::of([1; 12]);

/// Legal sequence of moves of coloured Awale.
const MOVES: [&str; 3] = ["1B", "2R", "3TR"];

fn key(pair: u32) -> GameKey {
    let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"files") };
    GameKey {
        rules: "coloured-awale,both_40=off@1".into(),
        limits: Limits::default(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot("a.one"), bot("b.one")),
        opening: String::new(),
        pair,
    }
}

fn plies() -> Vec<Ply> {
    let ply = |(n, text): (usize, &&str)| Ply {
        by: Some(Side::BOTH[n % 2]),
        text: (**text).into(),
        wall: Duration::from_micros(1500),
        cpu: Duration::from_micros(1200),
        waiting: Duration::ZERO,
    };
    MOVES.iter().enumerate().map(ply).collect()
}

fn record(pair: u32) -> Record {
    let (clause, score) = ("49+".into(), Score::new(50, 30));
    let ending = Ending::Rules { clause, winner: Some(Side::One), score };
    Record { plies: plies(), ..Record::unplayed(key(pair), Seed(1), ending) }
}

fn begin_game(hub: &Hub, pair: u32) -> Arc<LiveGame> {
    hub.begin((LADDER, "main"), &key(pair), &[key(pair).id()], Utc(1000))
}

/// Event that is available now; `None` if the reader waits.
async fn now(reader: &mut Reader) -> Option<Event> {
    let mut next = std::pin::pin!(reader.next());
    let polled = std::future::poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await;
    match polled {
        Poll::Ready(event) => Some(event.expect("it is not at its end")),
        Poll::Pending => None,
    }
}

/// Moves of an event.
fn moves(event: Option<Event>) -> Vec<(u64, String)> {
    let Some(Event::Plies(plies)) = event else { panic!("no plies: {event:?}") };
    let read = |text: &String| {
        let ply: serde_json::Value = serde_json::from_str(text).unwrap();
        (ply["n"].as_u64().unwrap(), ply["text"].as_str().unwrap().to_owned())
    };
    plies.iter().map(read).collect()
}

fn expected(from: usize, to: usize) -> Vec<(u64, String)> {
    (from..to).map(|at| (at as u64 + 1, MOVES[at].to_owned())).collect()
}

#[tokio::test]
async fn plies_between_two_frames_are_one_event() {
    let hub = Hub::default();
    let game = begin_game(&hub, 1);
    let mut reader = hub.reader(Arc::clone(&game), None);
    assert_eq!(now(&mut reader).await, Some(Event::Game));
    for length in 1..=2 {
        game.watch(&plies()[..length]);
        assert_eq!(now(&mut reader).await, None, "nothing comes before the frame");
    }
    hub.publish();
    assert_eq!(moves(now(&mut reader).await), expected(0, 2));
    assert_eq!(reader.position(), Position { attempt: 1000, plies: 2 });
    assert_eq!(now(&mut reader).await, None);
    game.end(&plies());
    hub.publish();
    assert_eq!(moves(now(&mut reader).await), expected(2, 3));
    assert_eq!(now(&mut reader).await, Some(Event::Ended));
    assert_eq!(now(&mut reader).await, None, "the result waits until it is stored");
    hub.over(&record(1));
    hub.publish();
    let outcome = Outcome::of(&record(1));
    assert_eq!(now(&mut reader).await, Some(Event::Over(Some(outcome))));
    assert_eq!(reader.next().await, None);
    assert!(hub.get(game.id()).is_none(), "the store has it");
}

#[tokio::test]
async fn a_reconnecting_reader_gets_every_ply_once() {
    let hub = Hub::default();
    let game = begin_game(&hub, 1);
    game.watch(&plies());
    hub.publish();
    for has in 0..=3 {
        let after = Position { attempt: 1000, plies: has };
        assert_eq!(after.to_string().parse(), Ok(after));
        let mut reader = hub.reader(Arc::clone(&game), Some(after));
        if has < 3 {
            assert_eq!(moves(now(&mut reader).await), expected(has, 3));
        }
        assert_eq!(now(&mut reader).await, None);
    }
    // A position beyond the game or of another attempt: the reader starts from the beginning.
    for after in [Position { attempt: 1000, plies: 4 }, Position { attempt: 999, plies: 1 }] {
        let mut reader = hub.reader(Arc::clone(&game), Some(after));
        assert_eq!(now(&mut reader).await, Some(Event::Game));
        assert_eq!(moves(now(&mut reader).await), expected(0, 3));
    }
    for text in ["", "1000", "x:1", "1:-1", "1:2:3", "99999999999999999999:1"] {
        assert_eq!(text.parse::<Position>(), Err(()), "{text}");
    }
}

#[tokio::test]
async fn a_lane_never_waits_and_delivers_missed_plies_later() {
    let hub = Hub::default();
    let game = begin_game(&hub, 1);
    let mut reader = hub.reader(Arc::clone(&game), None);
    now(&mut reader).await;
    {
        let _taken = game.block();
        // With a blocking lock, this would never return.
        game.watch(&plies()[..1]);
    }
    hub.publish();
    assert_eq!(now(&mut reader).await, None);
    game.watch(&plies()[..2]);
    hub.publish();
    assert_eq!(moves(now(&mut reader).await), expected(0, 2));
}

#[tokio::test]
async fn a_replayed_game_is_another_attempt() {
    let hub = Hub::default();
    let first = begin_game(&hub, 1);
    first.watch(&plies()[..2]);
    hub.publish();
    let mut reader = hub.reader(Arc::clone(&first), None);
    assert_eq!(now(&mut reader).await, Some(Event::Game));
    now(&mut reader).await;
    let second = begin_game(&hub, 1);
    assert!(second.attempt() > first.attempt());
    assert_eq!(now(&mut reader).await, Some(Event::Over(None)));
    let mut reader = hub.reader(Arc::clone(&second), Some(reader.position()));
    assert_eq!(now(&mut reader).await, Some(Event::Game));
    // The end of the first attempt does not end the second one.
    hub.publish();
    assert!(hub.get(second.id()).is_some());
    let fault = RefereeFault::System { error: "no memory".into() };
    second.end(&plies()[..1]);
    hub.over(&Record {
        plies: plies(),
        ..Record::unplayed(key(2), Seed(1), Ending::RefereeError { fault })
    });
    hub.void(second.id());
    hub.publish();
    assert_eq!(moves(now(&mut reader).await), expected(0, 1));
    assert_eq!(now(&mut reader).await, Some(Event::Over(None)));
}

#[tokio::test]
async fn readers_are_notified_when_the_server_stops() {
    let hub = Hub::default();
    let game = begin_game(&hub, 1);
    let mut reader = hub.reader(Arc::clone(&game), None);
    now(&mut reader).await;
    let waits = tokio::spawn(async move { (reader.next().await, reader.next().await) });
    tokio::task::yield_now().await;
    hub.stop();
    assert_eq!(waits.await.unwrap(), (Some(Event::ServerStopping), None));
    let mut late = hub.reader(game, None);
    assert_eq!(late.next().await, Some(Event::ServerStopping));
    hub.stopping().await;
}

#[test]
fn running_games_of_a_ladder_are_listed() {
    let hub = Hub::default();
    let [one, two] = [1, 2].map(|pair| begin_game(&hub, pair));
    hub.begin((LadderId::of([2; 12]), "other"), &key(3), &[], Utc(1));
    let ids = || hub.of_ladder(LADDER).iter().map(|game| game.id().clone()).collect::<Vec<_>>();
    assert_eq!(ids().len(), 2);
    one.end(&plies());
    hub.publish();
    assert_eq!(ids(), [two.id().clone()]);
    assert!(hub.get(one.id()).is_some(), "it waits for the other game of its pair");
}

#[tokio::test]
async fn slots_are_limited_per_session_and_in_total() {
    let hub = Hub::default();
    let session = |n: usize| FeedKey::Session(n.to_string());
    let mut first: Vec<_> = (0..MAX_PER_SESSION).map(|_| hub.slot(session(0)).unwrap()).collect();
    assert_eq!(hub.slot(session(0)).err(), Some(TooMany));
    assert!(hub.slot(FeedKey::Token("0".into())).is_ok());
    drop(first.pop());
    first.push(hub.slot(session(0)).unwrap());
    let guests: Vec<_> = (0..MAX_GUESTS).map(|_| hub.slot(FeedKey::Guest).unwrap()).collect();
    assert_eq!(hub.slot(FeedKey::Guest).err(), Some(TooMany));
    let others = MAX_TOTAL - first.len() - guests.len();
    let others: Vec<_> = (1..=others).map(|n| hub.slot(session(n)).unwrap()).collect();
    assert_eq!(hub.readers(), MAX_TOTAL);
    let one_more = hub.slot(session(MAX_TOTAL)).unwrap();
    assert_eq!(hub.readers(), MAX_TOTAL);
    first[0].lost().await;
    drop((first, guests, others, one_more));
    assert_eq!(hub.readers(), 0);
}

/// Benchmark of a lane's cost per ply: `cargo test -- --ignored cost --nocapture`.
#[test]
#[ignore = "a measurement"]
fn cost_of_a_ply() {
    let hub = Hub::default();
    let game = begin_game(&hub, 1);
    let all: Vec<Ply> = std::iter::repeat_with(|| plies()[0].clone()).take(100_000).collect();
    let began = std::time::Instant::now();
    for length in 1..=all.len() {
        game.watch(&all[..length]);
    }
    println!("{} ns a ply", began.elapsed().as_nanos() / all.len() as u128);
}
