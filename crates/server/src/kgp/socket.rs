//! KGP over WebSocket.

use std::io;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use pitmaster_session::practice::kgp::LINE_LIMIT;
use tokio::time::timeout;

use super::session::{Incoming, LINGER, Transport};

/// Client over WebSocket: each message is a line.
#[derive(Debug)]
pub(crate) struct WebSocketClient(pub(crate) WebSocket);

impl WebSocketClient {
    /// Sets the size limits of frames and messages before the upgrade.
    pub(crate) fn limited(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
        let most = LINE_LIMIT + "\r\n".len();
        upgrade.max_message_size(most).max_frame_size(most)
    }
}

impl Transport for WebSocketClient {
    async fn receive(&mut self) -> Incoming {
        match self.0.recv().await {
            Some(Ok(Message::Text(text))) => Incoming::Message(text.as_bytes().to_vec()),
            Some(Ok(Message::Binary(_))) => Incoming::Binary,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Incoming::Control,
            Some(Err(error)) if is_too_long(&error) => Incoming::TooLong,
            Some(Ok(Message::Close(_)) | Err(_)) | None => Incoming::Closed,
        }
    }

    async fn send(&mut self, line: String) -> io::Result<()> {
        self.0.send(Message::Text(line.into())).await.map_err(io::Error::other)
    }

    async fn close(&mut self) {
        let _ = self.0.send(Message::Close(None)).await;
        // As over TCP, closing a connection with unread bytes resets it.
        let drain = async { while matches!(self.0.recv().await, Some(Ok(_))) {} };
        let _ = timeout(LINGER, drain).await;
    }
}

/// Whether a message exceeded its limit. The error's type is not public.
fn is_too_long(error: &axum::Error) -> bool {
    error.to_string().contains("too long")
}
