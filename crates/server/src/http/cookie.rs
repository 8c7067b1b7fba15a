//! Session cookie.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::database::SessionSecret;

/// Transport on which browsers send the cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// TLS only, terminated by a proxy. The prefix of the name restricts the cookie to this host
    /// and to secure connections.
    Tls,
    /// Plain HTTP, for a server on the user's own machine.
    Plain,
}

impl Transport {
    fn name(self) -> &'static str {
        match self {
            Self::Tls => "__Host-session",
            Self::Plain => "session",
        }
    }

    /// Reads the secret from a request's cookie.
    pub(super) fn read(self, headers: &HeaderMap) -> Option<SessionSecret> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut cookies =
            lines.flat_map(|line| line.split(';')).filter_map(|it| it.split_once('='));
        let (_, value) = cookies.find(|(name, _)| name.trim() == self.name())?;
        value.trim().parse().ok()
    }

    /// `Set-Cookie` header with a secret.
    pub(super) fn give(self, secret: &SessionSecret) -> HeaderValue {
        self.header(secret.reveal(), "")
    }

    /// `Set-Cookie` header that removes the cookie.
    pub(super) fn take(self) -> HeaderValue {
        self.header("", "; Max-Age=0")
    }

    /// The server ends sessions. The cookie lasts as long as the longest of them.
    fn header(self, value: &str, more: &str) -> HeaderValue {
        let age = if more.is_empty() { "; Max-Age=2592000" } else { more };
        let secure = if self == Self::Tls { "; Secure" } else { "" };
        let name = self.name();
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}");
        let mut header = HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""));
        header.set_sensitive(true);
        header
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> SessionSecret {
        "0".repeat(52).parse().unwrap()
    }

    fn read(transport: Transport, cookies: &str) -> Option<SessionSecret> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        transport.read(&headers)
    }

    #[test]
    fn cookies_round_trip() {
        for transport in [Transport::Tls, Transport::Plain] {
            let given = transport.give(&secret());
            let pair = given.to_str().unwrap().split(';').next().unwrap();
            assert_eq!(read(transport, &format!("a=b; {pair}; c")), Some(secret()));
        }
        assert_eq!(read(Transport::Tls, &format!("session={}", "0".repeat(52))), None);
        for cookies in ["", "session", "session=", "session=x", "=;=", "session=\"\""] {
            assert_eq!(read(Transport::Plain, cookies), None, "{cookies}");
        }
    }

    #[test]
    fn its_flags_keep_it_from_scripts_and_other_sites() {
        insta::assert_snapshot!(Transport::Tls.give(&secret()).to_str().unwrap(), @"__Host-session=0000000000000000000000000000000000000000000000000000; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000");
        insta::assert_snapshot!(Transport::Plain.take().to_str().unwrap(), @"session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    }
}
