//! Accept loop with limits: how many connections, how soon the first byte, how long a head may take,
//! and how slowly an answer may be read.
//!
//! A connection that says nothing, or says it slowly, would otherwise hold a place for ever: axum's
//! own loop has none of these limits.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::net::sockopt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;
use tower::ServiceExt as _;

use super::pace::{Pace, Paced};

/// Limits of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections at once; more wait in the system's queue.
    pub connections: usize,
    /// Time to the first byte of a connection.
    pub first_byte: Duration,
    /// Time of a request's head, and between two requests of a connection.
    pub head: Duration,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// How slowly a client may take an answer.
    pub pace: Pace,
    /// How long a client may take nothing of what was sent to it.
    pub deaf: Duration,
    /// Time that running requests have to end when the server stops.
    pub stop: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 2048,
            first_byte: Duration::from_secs(5),
            head: Duration::from_secs(5),
            head_bytes: 16 * 1024,
            pace: Pace { a_second: 4096, behind: Duration::from_secs(20) },
            deaf: Duration::from_secs(12),
            stop: Duration::from_mins(1),
        }
    }
}

/// Bytes of an answer that the system keeps for a client. By itself it keeps megabytes, which an
/// answer would disappear in at once: then nobody sees that its client does not read. One that is
/// 50 ms away still gets 2 MB a second.
const SEND_BUFFER: usize = 128 * 1024;

/// Pause after the system refused a connection, such as for lack of descriptors.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);

/// Ends the connection of a request from within its answer: for a client that does not read it.
#[derive(Debug, Clone, Default)]
pub(super) struct HangUp(Arc<Notify>);

impl HangUp {
    /// Ends the connection.
    pub(super) fn now(&self) {
        self.0.notify_one();
    }

    /// Waits until it is to end.
    pub(super) async fn wanted(&self) {
        self.0.notified().await;
    }
}

/// Serves until `stop` is true or its sender is gone. Then idle connections close, and running
/// requests have until the limit to end.
/// A system that refuses a connection, such as for lack of descriptors, is asked again after a moment.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    mut stop: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    limit_buffers(&listener, limits);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            _ = stop.wait_for(|is_stopping| *is_stopping) => break,
        };
        let Ok((stream, peer, place)) = accepted else {
            tokio::time::sleep(AFTER_REFUSAL).await;
            continue;
        };
        let connection = connection(stream, peer, router.clone(), limits, stop.clone());
        tokio::spawn(async move {
            connection.await;
            drop(place);
        });
    }
    // New connections are refused from here on.
    drop(listener);
    // Each connection holds a place until it has ended.
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    let _ = timeout(limits.stop, places.acquire_many(all)).await;
}

/// Limits what the system keeps of answers, and for how long when a client takes nothing more: also
/// after the connection was closed here. Connections inherit it.
fn limit_buffers(listener: &TcpListener, limits: ConnectionLimits) {
    // Without it everything works as well, and more memory is taken.
    let _ = sockopt::set_socket_send_buffer_size(listener, SEND_BUFFER);
    #[cfg(target_os = "linux")]
    {
        let time = u32::try_from(limits.deaf.as_millis()).unwrap_or(u32::MAX);
        let _ = sockopt::set_tcp_user_timeout(listener, time);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

/// Serves the requests of a connection until it closes. What goes wrong on it concerns its client
/// only.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: ConnectionLimits,
    mut stop: watch::Receiver<bool>,
) {
    // Hyper's limit of a head begins with its first byte.
    let Ok(Ok(1)) = timeout(limits.first_byte, stream.peek(&mut [0])).await else { return };
    let _ = stream.set_nodelay(true);
    let hang_up = HangUp::default();
    let wanted = hang_up.clone();
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(hang_up.clone());
        let response = router.clone().oneshot(request);
        async move { response.await.map_err(|never: Infallible| never) }
    });
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(limits.head_bytes)
        .serve_connection(TokioIo::new(Paced::new(stream, limits.pace)), service)
        .with_upgrades();
    let mut http = std::pin::pin!(http);
    tokio::select! {
        _ = &mut http => {}
        () = wanted.wanted() => {}
        () = stopped(&mut stop) => {
            http.as_mut().graceful_shutdown();
            tokio::select! {
                _ = &mut http => {}
                () = wanted.wanted() => {}
            }
        }
    }
}

/// Waits until the server stops, or whoever could tell is gone.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|is_stopping| *is_stopping).await;
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::Extension;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::task::JoinHandle;

    use super::*;

    const LIMITS: ConnectionLimits = ConnectionLimits {
        connections: 2,
        first_byte: Duration::from_millis(200),
        head: Duration::from_millis(200),
        head_bytes: 16 * 1024,
        pace: Pace { a_second: 1 << 20, behind: Duration::from_millis(300) },
        deaf: Duration::from_millis(300),
        stop: Duration::from_secs(10),
    };
    /// Bytes of the answer `/long`, more than the system keeps.
    const MUCH: usize = 4 << 20;
    /// Longer than any answer takes on a busy machine.
    const LONG: Duration = Duration::from_secs(30);

    struct Server {
        address: SocketAddr,
        stop: watch::Sender<bool>,
        task: JoinHandle<()>,
    }

    async fn server(limits: ConnectionLimits) -> Server {
        let router =
            Router::new()
                .route("/", get(|| async { "hello" }))
                .route(
                    "/hang-up",
                    get(|Extension(hang_up): Extension<HangUp>| async move {
                        hang_up.now();
                        std::future::pending::<&'static str>().await
                    }),
                )
                .route("/long", get(|| async { "x".repeat(MUCH) }))
                .route(
                    "/slow",
                    get(|| async {
                        tokio::time::sleep(Duration::from_millis(300)).await;
                        "done"
                    }),
                )
                .route(
                    "/peer",
                    get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move {
                        peer.ip().to_string()
                    }),
                );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopping) = watch::channel(false);
        let task = tokio::spawn(serve(listener, router, limits, stopping));
        Server { address, stop, task }
    }

    impl Server {
        async fn connect(&self) -> TcpStream {
            TcpStream::connect(self.address).await.unwrap()
        }

        /// What comes back until the connection closes.
        async fn ask(&self, request: &str) -> String {
            let mut stream = self.connect().await;
            stream.write_all(request.as_bytes()).await.unwrap();
            rest(&mut stream).await
        }
    }

    async fn rest(stream: &mut TcpStream) -> String {
        let mut answer = Vec::new();
        // A connection that is closed with unread bytes is reset.
        let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.expect("it closes");
        String::from_utf8(answer).unwrap()
    }

    fn get_and_close(path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    }

    #[tokio::test]
    async fn requests_are_answered_with_the_address_of_the_client_at_hand() {
        let server = server(LIMITS).await;
        let answer = server.ask(&get_and_close("/peer")).await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("127.0.0.1"), "{answer}");
    }

    #[tokio::test]
    async fn silent_and_slow_connections_are_closed() {
        let server = server(LIMITS).await;
        for begin in ["", "G", "GET / HTTP/1.1\r\nHost: x\r\n"] {
            let begun = Instant::now();
            let answer = server.ask(begin).await;
            assert!(!answer.contains("200"), "{begin:?}: {answer}");
            assert!(begun.elapsed() >= LIMITS.head, "{begin:?}");
        }
        // One that was served and says nothing more is closed too.
        let kept = server.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
        assert!(kept.ends_with("hello"), "{kept}");
    }

    #[tokio::test]
    async fn an_answer_can_end_its_connection() {
        let server = server(LIMITS).await;
        assert_eq!(server.ask(&get_and_close("/hang-up")).await, "");
        // Others are not affected.
        assert!(server.ask(&get_and_close("/")).await.ends_with("hello"));
    }

    #[tokio::test]
    async fn a_long_head_is_refused() {
        let server = server(LIMITS).await;
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(20_000));
        let answer = server.ask(&long).await;
        assert!(!answer.contains("200 OK"), "{answer}");
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_its_answer_is_closed() {
        let limits = ConnectionLimits { connections: 1, head: LONG, first_byte: LONG, ..LIMITS };
        let server = server(limits).await;
        let mut silent = server.connect().await;
        silent.write_all(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        // Its place is free after a while, for one that reads all of it.
        let answer = server.ask(&get_and_close("/long")).await;
        assert!(answer.len() > MUCH, "{}", answer.len());
        let mut rest = Vec::new();
        let _ = timeout(LONG, silent.read_to_end(&mut rest)).await.expect("it is closed");
        assert!(rest.len() < MUCH, "{}", rest.len());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn connections_inherit_the_limits_of_buffers() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        limit_buffers(&listener, LIMITS);
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        assert_eq!(sockopt::tcp_user_timeout(&stream).unwrap(), 300);
        // Linux doubles it for its own needs.
        assert_eq!(sockopt::socket_send_buffer_size(&stream).unwrap(), 2 * SEND_BUFFER);
    }

    #[tokio::test]
    async fn more_connections_wait_for_a_place() {
        let limits = ConnectionLimits { first_byte: LONG, head: LONG, ..LIMITS };
        let server = server(limits).await;
        let silent = [server.connect().await, server.connect().await];
        let mut third = server.connect().await;
        third.write_all(get_and_close("/").as_bytes()).await.unwrap();
        let early = timeout(Duration::from_millis(300), third.read_u8()).await;
        assert!(early.is_err(), "it was served while all places were taken");
        drop(silent);
        assert!(rest(&mut third).await.ends_with("hello"));
    }

    #[tokio::test]
    async fn stopping_ends_idle_connections_and_lets_requests_finish() {
        let limits = ConnectionLimits { head: LONG, first_byte: LONG, ..LIMITS };
        let server = server(limits).await;
        let mut idle = server.connect().await;
        idle.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        assert!(idle.read_u8().await.is_ok());
        let mut slow = server.connect().await;
        slow.write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        // The request is on its way once its first byte was read.
        tokio::time::sleep(Duration::from_millis(100)).await;
        server.stop.send(true).unwrap();
        assert!(rest(&mut slow).await.ends_with("done"));
        rest(&mut idle).await;
        timeout(LONG, server.task).await.expect("it ends").unwrap();
        assert!(TcpStream::connect(server.address).await.is_err());
    }
}
