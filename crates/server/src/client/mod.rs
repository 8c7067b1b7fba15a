//! Client of the API, for `pitmaster join`, `login`, `push` and `lost`.
//!
//! A request has a connection of its own, over TLS with the system's certificates. Plain HTTP is for
//! a server on the same machine: a token is a secret.

mod connection;
mod credentials;
mod remote;

pub use credentials::{Credentials, CredentialsError};
pub use remote::{Identity, NewAccount, Plays, Remote, RemoteVersion};

use std::time::Duration;

/// Time of a request, an upload included.
const REQUEST: Duration = Duration::from_mins(2);

/// Reason why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Not the address of a server.
    #[error("{0:?} is not the address of a server; write it as https://bots.example.org")]
    Address(String),
    /// A token would travel in the clear.
    #[error(
        "{0} is not encrypted, and others on the way could read your token; use https, or http for \
         a server on this machine"
    )]
    Plain(String),
    /// Not the form of a token.
    #[error("this is not a token: one begins with pm_ and is made on the page of your account")]
    Token,
    /// The server cannot be reached.
    #[error("cannot reach {address}: {error}; check the address and your network")]
    Unreachable {
        /// The server's address.
        address: String,
        /// The system's error message.
        error: String,
    },
    /// The server refused.
    #[error("{}", told(*status, title, detail.as_deref(), *wait))]
    Refused {
        /// Status of the answer.
        status: u16,
        /// What the server says.
        title: String,
        /// Why, and what to do.
        detail: Option<String>,
        /// Seconds until the next try.
        wait: Option<u64>,
    },
    /// The answer is not that of a practice server.
    #[error("{0} does not answer as a practice server does; check the address")]
    Foreign(String),
}

impl ClientError {
    /// Whether the same request may succeed a little later.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Refused { status, .. } => matches!(status, 429 | 500..=599),
            _ => false,
        }
    }
}

fn told(status: u16, title: &str, detail: Option<&str>, wait: Option<u64>) -> String {
    let detail = detail.map(|detail| format!(" {detail}")).unwrap_or_default();
    let wait = wait.map(|wait| format!(" (try again in {wait} s)")).unwrap_or_default();
    let advice = match status {
        401 => " Make a token on the page of your account, and run `pitmaster login` again.",
        _ => "",
    };
    format!("the server refuses: {title}{detail}{advice}{wait}")
}
