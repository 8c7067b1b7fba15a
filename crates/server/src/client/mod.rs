//! Client of the API, for `pitmaster join`, `login`, `push` and `lost`.
//!
//! Each request has its own connection, over TLS with the system's root certificates. Plain HTTP is
//! accepted only for a server on the same machine, because a token is a secret.

mod connection;
mod credentials;
mod remote;

pub use credentials::{Credentials, CredentialsError};
pub use remote::{Identity, NewAccount, Plays, Remote, RemoteVersion};

use std::time::Duration;

/// Timeout of a request, including its body.
const REQUEST: Duration = Duration::from_mins(2);

/// Reason why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The text is not the URL of a server.
    #[error("{0:?} is not the address of a server; write it as https://bots.example.org")]
    Address(String),
    /// The token would be sent unencrypted.
    #[error(
        "{0} is not encrypted, and others on the way could read your token; use https, or http for \
         a server on this machine"
    )]
    Plain(String),
    /// The text does not have the form of a token.
    #[error("this is not a token: one begins with pm_ and is made on the page of your account")]
    Token,
    /// The server cannot be reached.
    #[error("cannot reach {address}: {error}; check the address and your network")]
    Unreachable {
        /// URL of the server.
        address: String,
        /// The system's error message.
        error: String,
    },
    /// The server refused.
    #[error("{}", refusal_text(*status, title, detail.as_deref(), *wait))]
    Refused {
        /// Status of the response.
        status: u16,
        /// Title of the error.
        title: String,
        /// Cause, and what to do.
        detail: Option<String>,
        /// Seconds until a retry may succeed.
        wait: Option<u64>,
    },
    /// The response is not that of a practice server.
    #[error("{0} does not answer as a practice server does; check the address")]
    Foreign(String),
}

impl ClientError {
    /// Whether the same request may succeed later.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Refused { status, .. } => matches!(status, 429 | 500..=599),
            _ => false,
        }
    }
}

fn refusal_text(status: u16, title: &str, detail: Option<&str>, wait: Option<u64>) -> String {
    let detail = detail.map(|detail| format!(" {detail}")).unwrap_or_default();
    let wait = wait.map(|wait| format!(" (try again in {wait} s)")).unwrap_or_default();
    let advice = match status {
        401 => " Make a token on the page of your account, and run `pitmaster login` again.",
        _ => "",
    };
    format!("the server refuses: {title}{detail}{advice}{wait}")
}
