//! Connection errors, with advice.

use std::error::Error;
use std::io;

use async_nats::{Client, ConnectError, ConnectErrorKind};
use pitmaster_core::Untrusted;

/// Oldest server version with all required features.
const MIN_VERSION: (u32, u32) = (2, 9);

/// Reason why no usable server can be reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// The address is invalid.
    #[error(
        "invalid server address; write nats://HOST:4222 or tls://HOST:4222, or several servers of one cluster separated by commas"
    )]
    Address,
    /// Two different logins were given.
    #[error("two different logins were given; give one, in the address or by a flag")]
    TwoLogins,
    /// The content of the credentials file is invalid.
    #[error("the credentials file has no user credentials; use the output of `nsc generate creds`")]
    Credentials,
    /// No server can be reached at the address.
    #[error(
        "no server answers at {at}: {error}; check that nats-server is running there and no firewall blocks it"
    )]
    Unreachable {
        /// The server addresses.
        at: String,
        /// The system's error message.
        error: String,
    },
    /// The host name cannot be resolved.
    #[error("unknown host in {at}: {error}; check the spelling")]
    UnknownHost {
        /// The server addresses.
        at: String,
        /// The system's error message.
        error: String,
    },
    /// The server refused the login.
    #[error(
        "{at} refused the login; check the user and the password, the token, or the credentials file"
    )]
    Login {
        /// The server addresses.
        at: String,
    },
    /// A certificate is not trusted, or a certificate file cannot be used.
    #[error(
        "TLS with {at} failed: {error}; use a server name in its certificate and give its authority with --tls-ca; if it requires a client certificate, give --tls-cert and --tls-key"
    )]
    Trust {
        /// The server addresses.
        at: String,
        /// The error.
        error: String,
    },
    /// TLS is required, and the server does not support it.
    #[error(
        "{at} does not support TLS; give the server a certificate, or use nats:// without --tls flags if everybody on the network may read the messages"
    )]
    NoTls {
        /// The server addresses.
        at: String,
    },
    /// The server requires no login.
    #[error(
        "{at} lets in anybody without a login, so every client could join, stop or flood a tournament; give the server a login (`authorization {{ token: … }}`) and use --token-file, or accept it with --open"
    )]
    Open {
        /// The server addresses.
        at: String,
    },
    /// The server version is not supported.
    #[error("{at} runs nats-server {version}; install 2.9 or newer there")]
    TooOld {
        /// The server addresses.
        at: String,
        /// The server's version.
        version: String,
    },
    /// The server has no JetStream, or not for this login.
    #[error(
        "{at} has no JetStream for this login{error}; start nats-server with -js or `jetstream {{}}` in its configuration, and enable it for the login's account"
    )]
    NoJetStream {
        /// The server addresses.
        at: String,
        /// The server's message, after a colon.
        error: String,
    },
    /// Any other error.
    #[error("cannot connect to {at}: {error}")]
    Other {
        /// The server addresses.
        at: String,
        /// The error.
        error: String,
    },
}

impl AccessError {
    /// Converts a connection error by its innermost cause, because its kind is too general.
    pub(super) fn of(at: &str, error: &ConnectError) -> Self {
        let at = at.to_owned();
        let causes: Vec<String> = causes_of(error).map(ToString::to_string).collect();
        // The text may come from a server that is not trusted.
        let message = Untrusted::new(causes.last().cloned().unwrap_or_default()).shown(300);
        let mentions = |word: &str| causes.iter().any(|cause| cause.contains(word));
        match error.kind() {
            ConnectErrorKind::Authentication => Self::Credentials,
            ConnectErrorKind::AuthorizationViolation => Self::Login { at },
            ConnectErrorKind::ServerParse => Self::Address,
            ConnectErrorKind::Dns => Self::UnknownHost { at, error: message },
            ConnectErrorKind::TimedOut => Self::Unreachable { at, error: "timed out".into() },
            _ if mentions("InvalidContentType") => Self::NoTls { at },
            ConnectErrorKind::Tls => Self::Trust { at, error: message },
            _ if mentions("certificate") || mentions("fatal alert") => {
                Self::Trust { at, error: message }
            }
            ConnectErrorKind::Io if is_unreachable(error) => {
                Self::Unreachable { at, error: message }
            }
            _ => Self::Other { at, error: message },
        }
    }
}

/// An error and its causes, innermost last.
fn causes_of(error: &ConnectError) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |&error| error.source())
}

fn is_unreachable(error: &ConnectError) -> bool {
    const KINDS: [io::ErrorKind; 5] = [
        io::ErrorKind::ConnectionRefused,
        io::ErrorKind::ConnectionReset,
        io::ErrorKind::HostUnreachable,
        io::ErrorKind::NetworkUnreachable,
        io::ErrorKind::TimedOut,
    ];
    let mut all = causes_of(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    all.any(|cause| KINDS.contains(&cause.kind()))
}

/// Checks that a server supports the required operations for this login.
pub(super) async fn check_server(client: &Client, at: &str) -> Result<(), AccessError> {
    let at = at.to_owned();
    let info = client.server_info();
    if parse_version(&info.version).is_none_or(|version| version < MIN_VERSION) {
        let version = Untrusted::new(info.version).shown(40);
        return Err(AccessError::TooOld { at, version });
    }
    if !info.jetstream {
        return Err(AccessError::NoJetStream { at, error: String::new() });
    }
    // The account of this login may lack JetStream although the server has it. Only the error is
    // parsed, because the rest of the reply differs between versions.
    let answer = client.request("$JS.API.INFO", "".into()).await;
    let answer = answer.map_err(|error| error.to_string()).and_then(|answer| {
        let answer: ApiReply =
            serde_json::from_slice(&answer.payload).map_err(|e| e.to_string())?;
        answer.error.map_or(Ok(()), |error| Err(error.description))
    });
    answer.map_err(|error| {
        let error = format!(": {}", Untrusted::new(error).shown(300));
        AccessError::NoJetStream { at, error }
    })
}

#[derive(serde::Deserialize)]
struct ApiReply {
    error: Option<ApiError>,
}

#[derive(serde::Deserialize)]
struct ApiError {
    #[serde(default)]
    description: String,
}

fn parse_version(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}
