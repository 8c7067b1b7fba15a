//! Server connection: the address, this client's credentials, and the verification of the server.
//! Secrets are never displayed.
//!
//! Must not depend on what is sent.

mod error;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;

use async_nats::{Client, ConnectOptions, ServerAddr};

pub use self::error::AccessError;

/// Credentials of a client.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Login {
    /// No credentials.
    #[default]
    Anonymous,
    /// A user with a password.
    Password {
        /// The user's name.
        user: String,
        /// The password.
        password: String,
    },
    /// A token.
    Token(String),
    /// Text of a credentials file (`.creds`: a signed user name and its key).
    Credentials(String),
}

/// Shows only the kind, because the credentials are secret.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Anonymous => "Anonymous",
            Self::Password { .. } => "Password",
            Self::Token(_) => "Token",
            Self::Credentials(_) => "Credentials",
        })
    }
}

/// TLS settings. If any is set, the connection is always encrypted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tls {
    /// Certificate authorities trusted for the server, instead of those of the system.
    pub authority: Option<PathBuf>,
    /// Client certificate and its key.
    pub own: Option<(PathBuf, PathBuf)>,
}

/// Server address and login.
#[derive(Debug, Clone)]
pub struct Access {
    /// One server or the servers of one cluster, without logins.
    servers: Vec<ServerAddr>,
    login: Login,
    tls: Tls,
    /// Whether a server that requires no login is accepted.
    open: bool,
}

impl Access {
    /// Parses comma-separated addresses, `nats://host:port` or `tls://host:port`. They may contain
    /// a login: `nats://user:password@host`, `nats://token@host`.
    ///
    /// # Errors
    /// An error in the addresses, or two different logins.
    pub fn new(urls: &str, login: Login, tls: Tls) -> Result<Self, AccessError> {
        let mut access = Self { servers: Vec::new(), login, tls, open: false };
        for url in urls.split(',').map(str::trim) {
            let server: ServerAddr = url.parse().map_err(|_| AccessError::Address)?;
            if server.is_websocket() || server.host().is_empty() {
                return Err(AccessError::Address);
            }
            access.set_login(login_of(&server))?;
            access.servers.push(without_login(&server)?);
        }
        Ok(access)
    }

    /// Sets whether to accept a server that lets in clients with neither a login nor a certificate.
    #[must_use]
    pub fn accepting_open(self, open: bool) -> Self {
        Self { open, ..self }
    }

    fn set_login(&mut self, login: Login) -> Result<(), AccessError> {
        if login != Login::Anonymous && login != self.login {
            if self.login != Login::Anonymous {
                return Err(AccessError::TwoLogins);
            }
            self.login = login;
        }
        Ok(())
    }

    /// Addresses without logins, safe to print.
    pub fn shown(&self) -> String {
        let shown = |server: &ServerAddr| server.as_url_str().trim_end_matches('/').to_owned();
        self.servers.iter().map(shown).collect::<Vec<_>>().join(",")
    }

    /// Returns whether an unencrypted connection is refused.
    pub fn requires_tls(&self) -> bool {
        self.tls != Tls::default() || self.servers.iter().any(ServerAddr::tls_required)
    }

    /// Returns whether a password or a token would be sent unencrypted to another machine. With a
    /// credentials file, no secret is sent.
    pub fn is_readable(&self) -> bool {
        let is_here = |server: &ServerAddr| {
            let ip = server.host().parse::<std::net::IpAddr>();
            server.host() == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
        };
        let is_sent = matches!(self.login, Login::Password { .. } | Login::Token(_));
        is_sent && !self.requires_tls() && !self.servers.iter().all(is_here)
    }

    /// Connects with a client name for the server's monitoring. Reconnects automatically after
    /// connection losses.
    ///
    /// # Errors
    /// No usable server can be reached.
    pub async fn connect(&self, name: &str) -> Result<Client, AccessError> {
        let connecting = self.options(name)?.connect(self.servers.clone());
        let client = connecting.await.map_err(|error| AccessError::of(&self.shown(), &error))?;
        error::check_server(&client, &self.shown()).await?;
        if !self.open && self.accepts_anonymous(&client).await {
            return Err(AccessError::Open { at: self.shown() });
        }
        Ok(client)
    }

    /// Returns whether the server accepts a client without credentials. Its `auth_required` does not
    /// suffice, because a server may have logins and still accept anonymous clients.
    async fn accepts_anonymous(&self, client: &Client) -> bool {
        if self.login == Login::Anonymous && self.tls.own.is_none() {
            return true;
        }
        let tls = Tls { own: None, ..self.tls.clone() };
        let anonymous = Self { login: Login::Anonymous, tls, open: true, ..self.clone() };
        let Ok(options) = anonymous.options("anonymous") else { return false };
        match options.connect(self.servers.clone()).await {
            Ok(_) => true,
            Err(error) if is_refusal(&error) => false,
            // The attempt was inconclusive: relies on what the server reports.
            Err(_) => !client.server_info().auth_required && self.tls.own.is_none(),
        }
    }

    fn options(&self, name: &str) -> Result<ConnectOptions, AccessError> {
        // Only the given servers are trusted, not those that a server advertises.
        let mut options = ConnectOptions::new().name(name).ignore_discovered_servers();
        options = options.require_tls(self.requires_tls());
        if let Some(authority) = &self.tls.authority {
            options = options.add_root_certificates(authority.clone());
        }
        if let Some((certificate, key)) = &self.tls.own {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(match self.login.clone() {
            Login::Anonymous => options,
            Login::Password { user, password } => options.user_and_password(user, password),
            Login::Token(token) => options.token(token),
            Login::Credentials(text) => {
                options.credentials(&text).map_err(|_| AccessError::Credentials)?
            }
        })
    }
}

/// Returns whether the error means that the server requires credentials.
fn is_refusal(error: &async_nats::ConnectError) -> bool {
    use async_nats::ConnectErrorKind::{Authentication, AuthorizationViolation, Tls};
    matches!(error.kind(), Authentication | AuthorizationViolation | Tls)
}

/// Login in an address. A user name without a password is a token.
fn login_of(server: &ServerAddr) -> Login {
    match (server.username().map(percent_decode), server.password().map(percent_decode)) {
        (None, _) => Login::Anonymous,
        (Some(token), None) => Login::Token(token),
        (Some(user), Some(password)) => Login::Password { user, password },
    }
}

/// Removes the login from an address.
fn without_login(server: &ServerAddr) -> Result<ServerAddr, AccessError> {
    let (scheme, host, port) = (server.scheme(), server.host(), server.port());
    let bracketed = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    format!("{scheme}://{bracketed}:{port}").parse().map_err(|_| AccessError::Address)
}

/// Decodes percent-encoded characters, such as `%40` for `@`.
fn percent_decode(part: &str) -> String {
    let mut pieces = part.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let byte = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&piece.as_bytes()[2..]);
            }
            None => bytes.extend_from_slice(format!("%{piece}").as_bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
