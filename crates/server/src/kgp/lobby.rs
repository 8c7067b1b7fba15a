//! Lobby: connected clients, and the orders to their connections.

use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pitmaster_core::BotName;
use pitmaster_season::course::{CourseId, TokenId};
use pitmaster_session::practice::KgpTurn;
use pitmaster_session::practice::kgp::{GameFacts, PONG};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc as channel, watch};

/// Maximum number of connections, over TCP and WebSocket together.
const MAX_CONNECTIONS: usize = 64;

/// Maximum number of connections of a token.
const MAX_PER_TOKEN: usize = 2;

/// Timeout for the answer to a `ping`, including the latency of the connection itself.
const PING_TIMEOUT: Duration = PONG.saturating_add(Duration::from_secs(5));

/// Player on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteEntrant {
    /// The course.
    pub course: CourseId,
    /// Name on the ladder, such as `group.name`.
    pub name: BotName,
    /// Slug of the group. Entrants of the same group are never paired.
    pub group: String,
    /// Token; `None` for a guest.
    pub token: Option<TokenId>,
}

/// Order to a connection.
#[derive(Debug)]
pub(crate) enum Order {
    /// Ping the client, and forward the answer.
    Check(mpsc::Sender<()>),
    /// Begin a game.
    Begin(GameFacts),
    /// Request a move.
    Ask(KgpTurn),
    /// End the game.
    EndGame,
}

/// Connected clients. Clones share the same state.
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
    /// Start of the wait; `None` while the client plays.
    waits: Option<Instant>,
}

/// Client that waits for a game.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    /// Number in the lobby.
    pub number: u64,
    /// Entrant.
    pub entrant: RemoteEntrant,
    /// Start of the wait.
    pub since: Instant,
    orders: channel::UnboundedSender<Order>,
}

impl Waiting {
    /// Sends an order to the client's connection. Returns whether the connection still exists.
    pub(crate) fn order(&self, order: Order) -> bool {
        self.orders.send(order).is_ok()
    }

    /// Pings the client, and returns whether it answers.
    pub(crate) fn is_alive(&self) -> bool {
        let (reply, alive) = mpsc::channel();
        self.order(Order::Check(reply)) && alive.recv_timeout(PING_TIMEOUT).is_ok()
    }
}

impl Default for Lobby {
    fn default() -> Self {
        Self(Arc::new(Shared {
            clients: Mutex::default(),
            places: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            stop: watch::Sender::new(false),
        }))
    }
}

/// Membership of a client in the lobby, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct LobbyEntry {
    number: u64,
    lobby: Lobby,
    pub(super) orders: channel::UnboundedReceiver<Order>,
}

impl Drop for LobbyEntry {
    fn drop(&mut self) {
        self.lobby.clients().all.retain(|client| client.number != self.number);
    }
}

impl Lobby {
    fn clients(&self) -> MutexGuard<'_, Clients> {
        self.0.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a slot for a connection; `None` if all are taken.
    pub(crate) fn slot(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.places).try_acquire_owned().ok()
    }

    /// Adds a client to the lobby; `None` if its token has the maximum number of connections.
    pub(super) fn join(&self, entrant: RemoteEntrant) -> Option<LobbyEntry> {
        let mut clients = self.clients();
        let is_same = |client: &&Client| client.entrant.token == entrant.token;
        if entrant.token.is_some() && clients.all.iter().filter(is_same).count() >= MAX_PER_TOKEN {
            return None;
        }
        let number = clients.next;
        clients.next += 1;
        let (sender, orders) = channel::unbounded_channel();
        clients.all.push(Client { number, entrant, orders: sender, waits: Some(Instant::now()) });
        Some(LobbyEntry { number, lobby: self.clone(), orders })
    }

    /// Waiting clients, longest wait first.
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

    /// Connected entrants.
    pub(crate) fn entrants(&self) -> Vec<RemoteEntrant> {
        self.clients().all.iter().map(|client| client.entrant.clone()).collect()
    }

    /// Marks a client as playing or waiting.
    pub(crate) fn set_playing(&self, number: u64, is_playing: bool) {
        let mut clients = self.clients();
        if let Some(client) = clients.all.iter_mut().find(|client| client.number == number) {
            client.waits = (!is_playing).then(Instant::now);
        }
    }

    /// Notifies clients that the server stops, which ends their connections.
    pub(crate) fn stop(&self) {
        self.0.stop.send_replace(true);
    }

    /// Becomes true when the server stops.
    pub(super) fn stopping(&self) -> watch::Receiver<bool> {
        self.0.stop.subscribe()
    }
}
