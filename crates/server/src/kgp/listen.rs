//! KGP over TCP.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::session::{Context, Incoming, LINGER, Transport, serve};

/// Delay after the system refused a connection, such as for lack of file descriptors.
const REFUSAL_DELAY: Duration = Duration::from_millis(100);

/// Size of a read, in bytes.
const READ_SIZE: usize = 4096;

/// Reply to a client when all slots are taken.
const FULL_REPLY: &str =
    "2 error \"the server has no more places; try again later\"\r\ngoodbye\r\n";

/// Accepts clients for as long as it is polled.
pub(crate) async fn listen(listener: TcpListener, context: Context) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(REFUSAL_DELAY).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let client = TcpClient(stream);
        match context.lobby.slot() {
            Some(slot) => {
                let context = context.clone();
                tokio::spawn(async move {
                    serve(context, client).await;
                    drop(slot);
                });
            }
            // The reply fits into the socket buffer, so no wait is necessary.
            None => drop(client.0.try_write(FULL_REPLY.as_bytes())),
        }
    }
}

/// Client over TCP.
#[derive(Debug)]
struct TcpClient(TcpStream);

impl Transport for TcpClient {
    async fn receive(&mut self) -> Incoming {
        let mut bytes = vec![0; READ_SIZE];
        match self.0.read(&mut bytes).await {
            Ok(0) | Err(_) => Incoming::Closed,
            Ok(read) => {
                bytes.truncate(read);
                Incoming::Bytes(bytes)
            }
        }
    }

    async fn send(&mut self, line: String) -> io::Result<()> {
        self.0.write_all(line.as_bytes()).await
    }

    async fn close(&mut self) {
        let _ = self.0.shutdown().await;
        // Closing a connection with unread bytes resets it, which discards sent data.
        let mut rest = vec![0; READ_SIZE];
        let drain = async { while matches!(self.0.read(&mut rest).await, Ok(1..)) {} };
        let _ = timeout(LINGER, drain).await;
    }
}
