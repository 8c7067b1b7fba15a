//! Load generator: watches running games of a practice server with many readers, and prints the
//! latency of plies.
//!
//! ```sh
//! cargo run --release --features cluster,server --example feed_readers -- ADDRESS COURSE 1500 30 < SESSIONS
//! ```
//!
//! ADDRESS is `127.0.0.1:PORT`. It is followed by the slug of the course, the number of readers and
//! the duration in seconds. Standard input contains session secrets, one per line; each serves up
//! to four readers. A reader whose game is over continues with another one. The latency of a ply is
//! the time since the first reader received it. Plies that a reader receives on connecting do not
//! count.
//!
//! The program prints a line once all readers are connected, and JSON after the duration. Then it
//! measures again for the same duration with one more reader, which follows the feed of the course
//! without reading it. The final JSON contains the latencies of the other readers, and the time
//! from the first byte that the stalled reader did not take until the server closed its connection,
//! according to the system's table of connections (Linux). `scripts/serving/load.py` uses it.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, timeout};

/// Number of readers per session.
const READERS_PER_SESSION: usize = 4;

/// Number of new connections per second. A higher rate would measure the accept queue.
const CONNECTIONS_PER_SECOND: u32 = 300;

/// Timeout for all readers to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_mins(2);

/// Timeout for the server to close a stalled reader. The server promises less.
const CLOSE_TIMEOUT: Duration = Duration::from_mins(1);

/// Delay before a reader looks for another game, and polling interval of the list of games.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Observation of a reader.
enum Observation {
    /// The reader receives events.
    Watches,
    /// A ply with its latency.
    Ply(Duration),
    /// A feed that was refused, with the status of the response.
    Refused(String),
    /// A feed that ended before its game.
    Lost,
}

struct Shared {
    address: String,
    course: String,
    sessions: Vec<String>,
    /// Names of the running games.
    games: RwLock<Vec<String>>,
    /// Time at which the first reader received a ply, by name of the game, attempt and number.
    first: Mutex<HashMap<(String, String, usize), Instant>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, course, readers, seconds] = &words[..] else {
        return Err("give ADDRESS COURSE READERS SECONDS, and sessions as input".into());
    };
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let shared = Shared {
        address: address.clone(),
        course: course.clone(),
        sessions: input.lines().map(str::to_owned).collect(),
        games: RwLock::default(),
        first: Mutex::default(),
    };
    let (readers, seconds) = (readers.parse()?, Duration::from_secs(seconds.parse()?));
    // One of them is for the reader that takes nothing.
    if shared.sessions.len().saturating_sub(1) * READERS_PER_SESSION < readers {
        return Err(format!("{readers} readers need more sessions").into());
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(watch(
        Arc::new(shared),
        readers,
        seconds,
    ))
}

async fn watch(
    shared: Arc<Shared>,
    readers: usize,
    seconds: Duration,
) -> Result<(), Box<dyn Error>> {
    let (observations, mut seen) = unbounded_channel();
    tokio::spawn(list_games(Arc::clone(&shared)));
    let opening = Arc::clone(&shared);
    tokio::spawn(async move {
        for number in 0..readers {
            tokio::spawn(read(Arc::clone(&opening), number, observations.clone()));
            sleep(Duration::from_secs(1) / CONNECTIONS_PER_SECOND).await;
        }
    });
    let (mut watching, mut refused) = (0, BTreeSet::new());
    let all = async {
        while watching < readers {
            match seen.recv().await {
                Some(Observation::Watches) => watching += 1,
                Some(Observation::Refused(status)) => drop(refused.insert(status)),
                _ => {}
            }
        }
    };
    if timeout(CONNECT_TIMEOUT, all).await.is_err() {
        return Err(format!("only {watching} readers watch; refused: {refused:?}").into());
    }
    println!("all watch");
    let mut counted = Counted { refused, ..Counted::default() };
    let _ = timeout(seconds, counted.count(&mut seen)).await;
    println!("{}", counted.figures());
    let mut beside = Counted::default();
    let (closed, _) = tokio::join!(
        timeout(CLOSE_TIMEOUT, follow_without_reading(&shared)),
        timeout(seconds, beside.count(&mut seen)),
    );
    let mut found = beside.figures();
    found["closed_s"] = closed.ok().transpose()?.map(|time| time.as_secs_f64()).into();
    println!("{found}");
    Ok(())
}

/// Statistics of the readers over a period.
#[derive(Default)]
struct Counted {
    /// Latencies of plies.
    late: Vec<Duration>,
    lost: u32,
    refused: BTreeSet<String>,
}

impl Counted {
    /// Counts observations for as long as it is polled.
    async fn count(&mut self, seen: &mut UnboundedReceiver<Observation>) {
        while let Some(one) = seen.recv().await {
            match one {
                Observation::Ply(by) => self.late.push(by),
                Observation::Lost => self.lost += 1,
                Observation::Refused(status) => drop(self.refused.insert(status)),
                Observation::Watches => {}
            }
        }
    }

    fn figures(&mut self) -> serde_json::Value {
        let late = &mut self.late;
        late.sort_unstable();
        let ms = |percent: usize| {
            let at = (late.len() * percent / 100).min(late.len().saturating_sub(1));
            late.get(at).map(|late| late.as_secs_f64() * 1000.0)
        };
        serde_json::json!({
            "plies": late.len(), "p50_ms": ms(50), "p99_ms": ms(99), "most_ms": ms(100),
            "lost": self.lost, "refused": self.refused,
        })
    }
}

/// Follows the feed of the course without reading it. Returns the time from the first byte that the
/// system had to buffer until the server closed the connection.
async fn follow_without_reading(shared: &Shared) -> io::Result<Duration> {
    let address: SocketAddr = shared.address.parse().map_err(io::Error::other)?;
    let socket = TcpSocket::new_v4()?;
    // The smallest buffer that the system allows: nothing is buffered at this end.
    socket.set_recv_buffer_size(1)?;
    let mut stream = socket.connect(address).await?;
    let ends = (address.port(), stream.local_addr()?.port());
    let (page, session) = (front_page(shared).await?, shared.sessions.len() - 1);
    let feed = page.split_once("data-stream=\"").and_then(|(_, rest)| rest.split_once('"'));
    let (feed, _) = feed.ok_or_else(|| io::Error::other("the front page follows no feed"))?;
    // Without a position, so that there are events immediately.
    let (feed, _) =
        feed.split_once("&#38;").or_else(|| feed.split_once("&amp;")).unwrap_or((feed, ""));
    let cookie = &shared.sessions[session];
    let head = format!("GET {feed} HTTP/1.0\r\nCookie: session={cookie}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut kept = None;
    loop {
        match unsent(ends)? {
            None => {
                return kept
                    .map(|since: Instant| since.elapsed())
                    .ok_or_else(|| io::Error::other("it was closed at once"));
            }
            Some(0) => kept = None,
            Some(_) => _ = kept.get_or_insert_with(Instant::now),
        }
        sleep(POLL_INTERVAL / 5).await;
    }
}

/// Number of bytes that the system buffers for a connection of the server; `None` if the server has
/// closed it. `ends` contains the ports of both ends.
fn unsent(ends: (u16, u16)) -> io::Result<Option<u64>> {
    /// State of an established connection.
    const ESTABLISHED: &str = "01";
    let port = |address: &str| {
        let (_, port) = address.rsplit_once(':')?;
        u16::from_str_radix(port, 16).ok()
    };
    for line in std::fs::read_to_string("/proc/net/tcp")?.lines().skip(1) {
        let words: Vec<_> = line.split_whitespace().collect();
        if let [_, local, remote, ESTABLISHED, queues, ..] = words[..]
            && port(local).zip(port(remote)) == Some(ends)
        {
            let bytes = queues.split(':').next().unwrap_or_default();
            return u64::from_str_radix(bytes, 16).map(Some).map_err(io::Error::other);
        }
    }
    Ok(None)
}

/// Refreshes the list of running games.
async fn list_games(shared: Arc<Shared>) {
    loop {
        if let Ok(page) = front_page(&shared).await {
            let games: BTreeSet<_> = page.split("/games/").skip(1).filter_map(name).collect();
            *shared.games.write().unwrap_or_else(PoisonError::into_inner) =
                games.into_iter().collect();
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// Name of the game at the beginning of a text.
fn name(text: &str) -> Option<String> {
    text.split_once('"').map(|(name, _)| name.to_owned()).filter(|name| !name.contains('/'))
}

async fn front_page(shared: &Shared) -> io::Result<String> {
    let mut page = String::new();
    let path = format!("/c/{}", shared.course);
    send_request(shared, &path, 0).await?.read_to_string(&mut page).await?;
    Ok(page)
}

/// Sends a request. With this version of HTTP, the response ends with the connection and is not
/// chunked.
async fn send_request(
    shared: &Shared,
    path: &str,
    session: usize,
) -> io::Result<BufReader<TcpStream>> {
    let mut stream = TcpStream::connect(&shared.address).await?;
    let cookie = &shared.sessions[session];
    let head = format!("GET {path} HTTP/1.0\r\nCookie: session={cookie}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    Ok(BufReader::with_capacity(1024, stream))
}

/// Watches one game after another.
async fn read(shared: Arc<Shared>, number: usize, observations: UnboundedSender<Observation>) {
    let mut has_watched = false;
    loop {
        let game = {
            let games = shared.games.read().unwrap_or_else(PoisonError::into_inner);
            games.get(number % games.len().max(1)).cloned()
        };
        if let Some(game) = game
            && follow(&shared, number, &game, &observations, &mut has_watched).await.is_err()
        {
            let _ = observations.send(Observation::Lost);
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// Watches a game until its end.
async fn follow(
    shared: &Shared,
    number: usize,
    game: &str,
    observations: &UnboundedSender<Observation>,
    has_watched: &mut bool,
) -> io::Result<()> {
    let path = format!("/c/{}/games/{game}/stream", shared.course);
    let mut lines = send_request(shared, &path, number / READERS_PER_SESSION).await?.lines();
    let status = lines.next_line().await?.unwrap_or_default();
    if !status.contains(" 200") {
        let _ = observations.send(Observation::Refused(status));
        return Ok(());
    }
    let (mut event, mut has) = (String::new(), None);
    while let Some(line) = lines.next_line().await? {
        if let Some(name) = line.strip_prefix("event: ") {
            name.clone_into(&mut event);
        }
        let at = line.strip_prefix("id: ").and_then(|id| id.split_once(':'));
        let Some((attempt, plies)) = at else { continue };
        let plies: usize = plies.parse().map_err(io::Error::other)?;
        match event.as_str() {
            "plies" => {
                if let Some(before) = has {
                    report_latencies(shared, game, attempt, before + 1..=plies, observations);
                }
                has = Some(plies);
            }
            // The second event contains earlier plies, if there are any; otherwise the game has
            // just begun.
            "game" => {}
            _ => return Ok(()),
        }
        if !std::mem::replace(has_watched, true) {
            let _ = observations.send(Observation::Watches);
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// Reports the latencies of plies.
fn report_latencies(
    shared: &Shared,
    game: &str,
    attempt: &str,
    plies: std::ops::RangeInclusive<usize>,
    observations: &UnboundedSender<Observation>,
) {
    let now = Instant::now();
    let mut first = shared.first.lock().unwrap_or_else(PoisonError::into_inner);
    for ply in plies {
        let key = (game.to_owned(), attempt.to_owned(), ply);
        let _ = observations.send(Observation::Ply(now - *first.entry(key).or_insert(now)));
    }
}
