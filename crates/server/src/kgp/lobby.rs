//! Lobby: the clients that are connected, and what they are told to do.

use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pitmaster_core::BotName;
use pitmaster_season::course::{CourseId, TokenId};
use pitmaster_session::practice::KgpTurn;
use pitmaster_session::practice::kgp::{GameFacts, PONG};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc as channel, watch};

/// Connections at once, over TCP and WebSocket together.
const CONNECTIONS: usize = 64;

/// Connections of a token at once.
const OF_A_TOKEN: usize = 2;

/// Time to answer a `ping`, with what the connection itself needs.
const CHECK: Duration = PONG.saturating_add(Duration::from_secs(5));

/// Who plays on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteEntrant {
    /// The course.
    pub course: CourseId,
    /// The name on the ladder, such as `group.name`.
    pub name: BotName,
    /// The group's name in addresses. Those of the same group never meet.
    pub group: String,
    /// The token; `None` for a guest.
    pub token: Option<TokenId>,
}

/// What a connection is told to do.
#[derive(Debug)]
pub(crate) enum Order {
    /// Ask for a sign of life, and pass it on.
    Check(mpsc::Sender<()>),
    /// Begin a game.
    Begin(GameFacts),
    /// Ask for a move.
    Ask(KgpTurn),
    /// End the game.
    EndGame,
}

/// The clients that are connected. Clones share them.
#[derive(Debug, Clone)]
pub struct Lobby(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    clients: Mutex<Clients>,
    places: Arc<Semaphore>,
    stop: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Clients {
    next: u64,
    all: Vec<Client>,
}

#[derive(Debug)]
struct Client {
    number: u64,
    entrant: RemoteEntrant,
    orders: channel::UnboundedSender<Order>,
    /// Since when it waits; `None` while it plays.
    waits: Option<Instant>,
}

/// A client that waits for a game.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    /// Its number in the lobby.
    pub number: u64,
    /// Who it is.
    pub entrant: RemoteEntrant,
    /// Since when it waits.
    pub since: Instant,
    orders: channel::UnboundedSender<Order>,
}

impl Waiting {
    /// Tells the client's connection something. Returns whether it is still there.
    pub(crate) fn order(&self, order: Order) -> bool {
        self.orders.send(order).is_ok()
    }

    /// Whether the client is alive: asks it, and waits for its answer.
    pub(crate) fn is_alive(&self) -> bool {
        let (tell, alive) = mpsc::channel();
        self.order(Order::Check(tell)) && alive.recv_timeout(CHECK).is_ok()
    }
}

impl Default for Lobby {
    fn default() -> Self {
        Self(Arc::new(Shared {
            clients: Mutex::default(),
            places: Arc::new(Semaphore::new(CONNECTIONS)),
            stop: watch::Sender::new(false),
        }))
    }
}

/// A client's place in the lobby, which it leaves when this is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    number: u64,
    lobby: Lobby,
    pub(super) orders: channel::UnboundedReceiver<Order>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.lobby.clients().all.retain(|client| client.number != self.number);
    }
}

impl Lobby {
    fn clients(&self) -> MutexGuard<'_, Clients> {
        self.0.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection; `None` if all are taken.
    pub(crate) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.places).try_acquire_owned().ok()
    }

    /// Lets a client wait for games; `None` if its token has as many connections as it may.
    pub(super) fn join(&self, entrant: RemoteEntrant) -> Option<Seat> {
        let mut clients = self.clients();
        let is_same = |client: &&Client| client.entrant.token == entrant.token;
        if entrant.token.is_some() && clients.all.iter().filter(is_same).count() >= OF_A_TOKEN {
            return None;
        }
        let number = clients.next;
        clients.next += 1;
        let (sender, orders) = channel::unbounded_channel();
        clients.all.push(Client { number, entrant, orders: sender, waits: Some(Instant::now()) });
        Some(Seat { number, lobby: self.clone(), orders })
    }

    /// The clients that wait, those who have waited longest first.
    pub(crate) fn waiting(&self) -> Vec<Waiting> {
        let clients = self.clients();
        let waiting = |client: &Client| {
            let (number, entrant) = (client.number, client.entrant.clone());
            let orders = client.orders.clone();
            Some(Waiting { number, entrant, since: client.waits?, orders })
        };
        let mut all: Vec<_> = clients.all.iter().filter_map(waiting).collect();
        all.sort_by_key(|client| (client.since, client.number));
        all
    }

    /// Who is connected.
    pub(crate) fn entrants(&self) -> Vec<RemoteEntrant> {
        self.clients().all.iter().map(|client| client.entrant.clone()).collect()
    }

    /// A client plays, or waits again.
    pub(crate) fn set_playing(&self, number: u64, is_playing: bool) {
        let mut clients = self.clients();
        if let Some(client) = clients.all.iter_mut().find(|client| client.number == number) {
            client.waits = (!is_playing).then(Instant::now);
        }
    }

    /// The server stops: clients are told, and their connections end.
    pub(crate) fn stop(&self) {
        self.0.stop.send_replace(true);
    }

    /// Changes to true when the server stops.
    pub(super) fn stopping(&self) -> watch::Receiver<bool> {
        self.0.stop.subscribe()
    }
}
