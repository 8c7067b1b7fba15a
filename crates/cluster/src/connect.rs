//! Server connection: the address, this client's credentials, and the verification of the server.
//! Secrets are never displayed.
//!
//! Must not depend on what is sent.

mod fault;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;

use async_nats::{Client, ConnectOptions, ServerAddr};

pub use self::fault::AccessError;

/// Credentials of a client.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Login {
    /// No credentials.
    #[default]
    Nobody,
    /// A user with a password.
    Password {
        /// The user's name.
        user: String,
        /// The password.
        password: String,
    },
    /// A token.
    Token(String),
    /// Text of a credentials file (`.creds`: a signed name and its key).
    Credentials(String),
}

/// Shows only the kind, because the rest is secret.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "Nobody",
            Self::Password { .. } => "Password",
            Self::Token(_) => "Token",
            Self::Credentials(_) => "Credentials",
        })
    }
}

/// TLS settings. If any is set, the connection is always encrypted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tls {
    /// Certificates of authorities that vouch for the server, in place of those that the system
    /// trusts.
    pub authority: Option<PathBuf>,
    /// The client's certificate and its key.
    pub own: Option<(PathBuf, PathBuf)>,
}

/// Server address and login.
#[derive(Debug, Clone)]
pub struct Access {
    /// One server, or several of one cluster; without logins.
    servers: Vec<ServerAddr>,
    login: Login,
    tls: Tls,
    /// Accept a server that requires no login.
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
            access.log_in_as(login_in(&server))?;
            access.servers.push(bare(&server)?);
        }
        Ok(access)
    }

    /// Sets whether to accept a server that lets in clients with neither a login nor a certificate.
    #[must_use]
    pub fn accepting_open(self, open: bool) -> Self {
        Self { open, ..self }
    }

    fn log_in_as(&mut self, login: Login) -> Result<(), AccessError> {
        if login != Login::Nobody && login != self.login {
            if self.login != Login::Nobody {
                return Err(AccessError::TwoLogins);
            }
            self.login = login;
        }
        Ok(())
    }

    /// The addresses, safe to print.
    pub fn shown(&self) -> String {
        let shown = |server: &ServerAddr| server.as_url_str().trim_end_matches('/').to_owned();
        self.servers.iter().map(shown).collect::<Vec<_>>().join(",")
    }

    /// Returns whether the connection is encrypted, whatever the server says.
    pub fn requires_tls(&self) -> bool {
        self.tls != Tls::default() || self.servers.iter().any(ServerAddr::tls_required)
    }

    /// Returns whether a password or a token would be readable in transit: unencrypted, and not on
    /// this machine alone. (With a credentials file nothing secret is sent.)
    pub fn is_readable(&self) -> bool {
        let is_here = |server: &ServerAddr| {
            let ip = server.host().parse::<std::net::IpAddr>();
            server.host() == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
        };
        let is_sent = matches!(self.login, Login::Password { .. } | Login::Token(_));
        is_sent && !self.requires_tls() && !self.servers.iter().all(is_here)
    }

    /// Connects under a name that the server's client lists show. A connection that breaks later is
    /// restored automatically.
    ///
    /// # Errors
    /// The reason why no usable server can be reached, and what to do.
    pub async fn connect(&self, name: &str) -> Result<Client, AccessError> {
        let connecting = self.options(name)?.connect(self.servers.clone());
        let client = connecting.await.map_err(|error| AccessError::of(&self.shown(), &error))?;
        fault::check_server(&client, &self.shown()).await?;
        if !self.open && self.lets_in_anybody(&client).await {
            return Err(AccessError::Open { at: self.shown() });
        }
        Ok(client)
    }

    /// Returns whether the server lets in a client without credentials. Its own statement does not
    /// suffice: a server may have logins and still admit a client without one.
    async fn lets_in_anybody(&self, client: &Client) -> bool {
        if self.login == Login::Nobody && self.tls.own.is_none() {
            return true;
        }
        let tls = Tls { own: None, ..self.tls.clone() };
        let anybody = Self { login: Login::Nobody, tls, open: true, ..self.clone() };
        let Ok(options) = anybody.options("anybody") else { return false };
        match options.connect(self.servers.clone()).await {
            Ok(_) => true,
            Err(error) if is_refusal(&error) => false,
            // Not found out: by what it says of itself.
            Err(_) => !client.server_info().auth_required && self.tls.own.is_none(),
        }
    }

    fn options(&self, name: &str) -> Result<ConnectOptions, AccessError> {
        // Only the servers that were named: what one server tells of others is not trusted.
        let mut options = ConnectOptions::new().name(name).ignore_discovered_servers();
        options = options.require_tls(self.requires_tls());
        if let Some(authority) = &self.tls.authority {
            options = options.add_root_certificates(authority.clone());
        }
        if let Some((certificate, key)) = &self.tls.own {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(match self.login.clone() {
            Login::Nobody => options,
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

/// The login in an address. A name without a password is a token.
fn login_in(server: &ServerAddr) -> Login {
    match (server.username().map(decoded), server.password().map(decoded)) {
        (None, _) => Login::Nobody,
        (Some(token), None) => Login::Token(token),
        (Some(user), Some(password)) => Login::Password { user, password },
    }
}

/// The address without its login.
fn bare(server: &ServerAddr) -> Result<ServerAddr, AccessError> {
    let (scheme, host, port) = (server.scheme(), server.host(), server.port());
    let bracketed = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    format!("{scheme}://{bracketed}:{port}").parse().map_err(|_| AccessError::Address)
}

/// A percent-decoded part of an address: `%40` becomes `@` and so on.
fn decoded(part: &str) -> String {
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
