//! Accept loop with limits: number of connections, time to the first byte, time and size of a
//! request's head, and pace at which a response is read.
//!
//! Otherwise, a silent or slow connection would occupy a slot forever: axum's own loop has none of
//! these limits.

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
    /// Maximum number of connections; more wait in the system's backlog.
    pub connections: usize,
    /// Timeout for the first byte of a connection.
    pub first_byte: Duration,
    /// Timeout for a request's head, and between two requests of a connection.
    pub head: Duration,
    /// Maximum size of a request's head, in bytes.
    pub head_bytes: usize,
    /// Minimum pace at which a client must read a response.
    pub pace: Pace,
    /// Time after which a client is dead if it acknowledges no data.
    pub ack_timeout: Duration,
    /// Grace period of running requests when the server stops.
    pub stop: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 2048,
            first_byte: Duration::from_secs(5),
            head: Duration::from_secs(5),
            head_bytes: 16 * 1024,
            pace: Pace { per_second: 4096, behind: Duration::from_secs(20) },
            ack_timeout: Duration::from_secs(12),
            stop: Duration::from_mins(1),
        }
    }
}

/// Send buffer of a connection, in bytes. The system's default is megabytes, which would absorb a
/// whole response and hide that the client does not read. With this size, a client at a distance of
/// 50 ms still gets 2 MB a second.
const SEND_BUFFER: usize = 128 * 1024;

/// Delay after the system refused a connection, such as for lack of file descriptors.
const REFUSAL_DELAY: Duration = Duration::from_millis(100);

/// Handle to close the connection of a request from its response, for a client that does not read
/// it.
#[derive(Debug, Clone, Default)]
pub(super) struct ConnectionCloser(Arc<Notify>);

impl ConnectionCloser {
    /// Closes the connection.
    pub(super) fn now(&self) {
        self.0.notify_one();
    }

    /// Waits until the connection is to be closed.
    pub(super) async fn requested(&self) {
        self.0.notified().await;
    }
}

/// Serves until `stop` is true or its sender is dropped. Then it closes idle connections, and waits
/// for running requests up to the limit. After a refusal by the system, such as for lack of file
/// descriptors, it retries with a delay.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    mut stop: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(limits.connections));
    limit_buffers(&listener, limits);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &permits) => accepted,
            _ = stop.wait_for(|is_stopping| *is_stopping) => break,
        };
        let Ok((stream, peer, permit)) = accepted else {
            tokio::time::sleep(REFUSAL_DELAY).await;
            continue;
        };
        let connection = connection(stream, peer, router.clone(), limits, stop.clone());
        tokio::spawn(async move {
            connection.await;
            drop(permit);
        });
    }
    // From here on, new connections are refused.
    drop(listener);
    // Each connection holds a permit until it ends.
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    let _ = timeout(limits.stop, permits.acquire_many(all)).await;
}

/// Limits the send buffer, and the time for which the system keeps unacknowledged data, also after
/// a connection is closed. Connections inherit both from the listener.
fn limit_buffers(listener: &TcpListener, limits: ConnectionLimits) {
    // Optional: without them everything works, but takes more memory.
    let _ = sockopt::set_socket_send_buffer_size(listener, SEND_BUFFER);
    #[cfg(target_os = "linux")]
    {
        let time = u32::try_from(limits.ack_timeout.as_millis()).unwrap_or(u32::MAX);
        let _ = sockopt::set_tcp_user_timeout(listener, time);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, permit))
}

/// Serves the requests of a connection until it closes. Its errors concern only its client, and are
/// ignored.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: ConnectionLimits,
    mut stop: watch::Receiver<bool>,
) {
    // Hyper's timeout of a head begins with its first byte.
    let Ok(Ok(1)) = timeout(limits.first_byte, stream.peek(&mut [0])).await else { return };
    let _ = stream.set_nodelay(true);
    let closer = ConnectionCloser::default();
    let requested = closer.clone();
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(closer.clone());
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
        () = requested.requested() => {}
        () = stopped(&mut stop) => {
            http.as_mut().graceful_shutdown();
            tokio::select! {
                _ = &mut http => {}
                () = requested.requested() => {}
            }
        }
    }
}

/// Waits until the server stops, or the sender is dropped.
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
        pace: Pace { per_second: 1 << 20, behind: Duration::from_millis(300) },
        ack_timeout: Duration::from_millis(300),
        stop: Duration::from_secs(10),
    };
    /// Size of the response `/long` in bytes, larger than the system's buffers.
    const LONG_BODY: usize = 4 << 20;
    /// Longer than any response takes on a busy machine.
    const TIMEOUT: Duration = Duration::from_secs(30);

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
                    get(|Extension(closer): Extension<ConnectionCloser>| async move {
                        closer.now();
                        std::future::pending::<&'static str>().await
                    }),
                )
                .route("/long", get(|| async { "x".repeat(LONG_BODY) }))
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

        /// Everything that is received until the connection closes.
        async fn ask(&self, request: &str) -> String {
            let mut stream = self.connect().await;
            stream.write_all(request.as_bytes()).await.unwrap();
            rest(&mut stream).await
        }
    }

    async fn rest(stream: &mut TcpStream) -> String {
        let mut response = Vec::new();
        // Closing a connection with unread bytes resets it.
        let _ = timeout(TIMEOUT, stream.read_to_end(&mut response)).await.expect("it closes");
        String::from_utf8(response).unwrap()
    }

    fn get_and_close(path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    }

    #[tokio::test]
    async fn handlers_get_the_peer_address() {
        let server = server(LIMITS).await;
        let response = server.ask(&get_and_close("/peer")).await;
        assert!(
            response.starts_with("HTTP/1.1 200") && response.ends_with("127.0.0.1"),
            "{response}"
        );
    }

    #[tokio::test]
    async fn silent_and_slow_connections_are_closed() {
        let server = server(LIMITS).await;
        for begin in ["", "G", "GET / HTTP/1.1\r\nHost: x\r\n"] {
            let begun = Instant::now();
            let response = server.ask(begin).await;
            assert!(!response.contains("200"), "{begin:?}: {response}");
            assert!(begun.elapsed() >= LIMITS.head, "{begin:?}");
        }
        // An idle connection is also closed after it was served.
        let kept = server.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
        assert!(kept.ends_with("hello"), "{kept}");
    }

    #[tokio::test]
    async fn a_response_can_close_its_connection() {
        let server = server(LIMITS).await;
        assert_eq!(server.ask(&get_and_close("/hang-up")).await, "");
        // Others are not affected.
        assert!(server.ask(&get_and_close("/")).await.ends_with("hello"));
    }

    #[tokio::test]
    async fn a_long_head_is_refused() {
        let server = server(LIMITS).await;
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(20_000));
        let response = server.ask(&long).await;
        assert!(!response.contains("200 OK"), "{response}");
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_its_answer_is_closed() {
        let limits =
            ConnectionLimits { connections: 1, head: TIMEOUT, first_byte: TIMEOUT, ..LIMITS };
        let server = server(limits).await;
        let mut silent = server.connect().await;
        silent.write_all(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        // Its slot becomes free, for a client that reads everything.
        let response = server.ask(&get_and_close("/long")).await;
        assert!(response.len() > LONG_BODY, "{}", response.len());
        let mut rest = Vec::new();
        let _ = timeout(TIMEOUT, silent.read_to_end(&mut rest)).await.expect("it is closed");
        assert!(rest.len() < LONG_BODY, "{}", rest.len());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn connections_inherit_the_limits_of_buffers() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        limit_buffers(&listener, LIMITS);
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        assert_eq!(sockopt::tcp_user_timeout(&stream).unwrap(), 300);
        // Linux doubles the size for its own overhead.
        assert_eq!(sockopt::socket_send_buffer_size(&stream).unwrap(), 2 * SEND_BUFFER);
    }

    #[tokio::test]
    async fn excess_connections_wait() {
        let limits = ConnectionLimits { first_byte: TIMEOUT, head: TIMEOUT, ..LIMITS };
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
        let limits = ConnectionLimits { head: TIMEOUT, first_byte: TIMEOUT, ..LIMITS };
        let server = server(limits).await;
        let mut idle = server.connect().await;
        idle.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        assert!(idle.read_u8().await.is_ok());
        let mut slow = server.connect().await;
        slow.write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        // The request is running once its first byte was read.
        tokio::time::sleep(Duration::from_millis(100)).await;
        server.stop.send(true).unwrap();
        assert!(rest(&mut slow).await.ends_with("done"));
        rest(&mut idle).await;
        timeout(TIMEOUT, server.task).await.expect("it ends").unwrap();
        assert!(TcpStream::connect(server.address).await.is_err());
    }
}
