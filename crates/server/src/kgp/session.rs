//! Connection of a KGP client: moves bytes, orders and time to and from the protocol.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::sync::mpsc;
use std::time::Duration;

use pitmaster_core::At;
use pitmaster_season::course::Utc;
use pitmaster_session::practice::KgpTurn;
use pitmaster_session::practice::kgp::{Connection, Event};
use tokio::time::{Instant, sleep_until, timeout};

use super::auth::{self, Refused};
use super::lobby::{Lobby, LobbyEntry, Order};
use crate::database::Database;
use crate::http::Log;

/// Timeout for the client to receive a line.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Time after a goodbye for which the connection still reads, so that the client receives the
/// reason.
pub(super) const LINGER: Duration = Duration::from_secs(1);

/// Input from a client.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// Bytes of a stream.
    Bytes(Vec<u8>),
    /// A text message.
    Message(Vec<u8>),
    /// A message beyond the size limit.
    TooLong,
    /// A binary message.
    Binary,
    /// A control frame.
    Control,
    /// The connection is closed or broken.
    Closed,
}

/// Connection to a client. Dropping the future of `receive` loses no input.
pub(crate) trait Transport: Send {
    /// Waits for input.
    fn receive(&mut self) -> impl Future<Output = Incoming> + Send;

    /// Sends a line with its terminator.
    fn send(&mut self, line: String) -> impl Future<Output = io::Result<()>> + Send;

    /// Closes the connection after the client could receive everything that was sent.
    fn close(&mut self) -> impl Future<Output = ()> + Send;
}

/// State of the server that a connection needs.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) lobby: Lobby,
    pub(crate) database: Database,
    pub(crate) now: fn() -> Utc,
    pub(crate) log: Log,
}

/// Serves a client until one side ends the connection.
pub(crate) async fn serve(context: Context, mut transport: impl Transport) {
    let mut session = Session::new(context);
    let mut stop = session.context.lobby.stopping();
    loop {
        if !session.settle(&mut transport).await {
            break;
        }
        let timeout = session.connection.next_timeout().map(|at| session.instant(at));
        tokio::select! {
            incoming = transport.receive() => session.receive(incoming),
            order = order(&mut session.entry) => session.execute(order),
            () = until(timeout) => {}
            _ = stop.wait_for(|is_stopping| *is_stopping) => session.connection.stop(),
        }
        let now = session.now();
        session.connection.timeout(now);
    }
    let _ = timeout(SEND_TIMEOUT, transport.close()).await;
}

/// Waits for the next order; forever before the client is authenticated.
async fn order(entry: &mut Option<LobbyEntry>) -> Order {
    let next = match entry {
        Some(entry) => entry.orders.recv().await,
        None => None,
    };
    match next {
        Some(order) => order,
        None => std::future::pending().await,
    }
}

async fn until(instant: Option<Instant>) {
    match instant {
        // An event exactly at a limit is in time.
        Some(instant) => sleep_until(instant + Duration::from_millis(1)).await,
        None => std::future::pending().await,
    }
}

struct Session {
    context: Context,
    connection: Connection,
    began: Instant,
    entry: Option<LobbyEntry>,
    /// Turn of the client.
    turn: Option<KgpTurn>,
    /// Waiting pings.
    checks: VecDeque<mpsc::Sender<()>>,
}

impl Session {
    fn new(context: Context) -> Self {
        let (connection, began) = (Connection::new(At::START), Instant::now());
        Self { context, connection, began, entry: None, turn: None, checks: VecDeque::new() }
    }

    fn now(&self) -> At {
        At::START + self.began.elapsed()
    }

    fn instant(&self, at: At) -> Instant {
        self.began + at.since(At::START)
    }

    /// Sends pending output and handles pending events. Returns whether the connection continues.
    async fn settle(&mut self, transport: &mut impl Transport) -> bool {
        loop {
            while let Some(line) = self.connection.next_line() {
                if !matches!(timeout(SEND_TIMEOUT, transport.send(line)).await, Ok(Ok(()))) {
                    return false;
                }
            }
            let Some(event) = self.connection.next_event() else {
                return !self.connection.has_ended();
            };
            self.handle(event).await;
        }
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Freeplay(hello) => self.join_lobby(hello.token.as_deref()).await,
            Event::Alive => {
                // The receiver may have given up.
                for check in self.checks.drain(..) {
                    let _ = check.send(());
                }
            }
            Event::Turn { pit, comment } => {
                if let Some(turn) = self.turn.take() {
                    turn.answer(pit, comment.as_deref());
                }
            }
            Event::Forget(token) => {
                let Context { database, now, .. } = &self.context;
                if let Err(error) = auth::revoke(database, &token, now()).await {
                    (self.context.log)(&format!("KGP: a token was not revoked: {error}"));
                }
            }
            Event::Ended(_) => (self.entry, self.turn) = (None, None),
        }
    }

    async fn join_lobby(&mut self, token: Option<&str>) {
        let Context { database, lobby, now, .. } = &self.context;
        let entrant = match auth::authenticate(database, token, now()).await {
            Ok(entrant) => entrant,
            Err(refused) => {
                if refused == Refused::Server {
                    (self.context.log)("KGP: the database did not answer for a client");
                }
                return self.connection.refuse(&refused.to_string());
            }
        };
        self.entry = lobby.join(entrant);
        if self.entry.is_some() {
            let now = self.now();
            self.connection.accept(now);
        } else {
            self.connection.refuse("the token has two connections already; close one");
        }
    }

    fn receive(&mut self, incoming: Incoming) {
        let now = self.now();
        match incoming {
            Incoming::Bytes(bytes) => self.connection.bytes(&bytes, now),
            Incoming::Message(text) => self.connection.message(&text, now),
            Incoming::TooLong => self.connection.too_long(),
            Incoming::Binary => self.connection.binary(),
            Incoming::Control => self.connection.control_frame(now),
            Incoming::Closed => self.connection.closed(),
        }
    }

    fn execute(&mut self, order: Order) {
        let now = self.now();
        match order {
            Order::Check(check) => {
                self.checks.push_back(check);
                self.connection.check(now);
            }
            Order::Begin(facts) => self.connection.begin_game(facts),
            Order::Ask(turn) => {
                self.connection.ask(&turn.board, now);
                self.turn = Some(turn);
            }
            Order::EndGame => {
                self.connection.end_game();
                self.turn = None;
            }
        }
    }
}
