//! One HTTP request over its own connection.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::{ClientError, REQUEST};

/// Maximum length of a response body.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// Base URL of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// Text that is shown and stored, without a trailing slash.
    pub text: String,
    host: String,
    port: u16,
    is_tls: bool,
}

/// Response.
#[derive(Debug)]
pub(super) struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

impl Address {
    /// Parses a base URL: a scheme, a host and an optional port.
    pub(super) fn parse(text: &str) -> Result<Self, ClientError> {
        let text = text.trim().trim_end_matches('/');
        let wrong = || ClientError::Address(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let authority = uri.authority().ok_or_else(wrong)?;
        let is_plain = uri.path().len() <= 1 && uri.query().is_none();
        let is_tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong()),
        };
        if !is_plain || authority.host().is_empty() || authority.as_str().contains('@') {
            return Err(wrong());
        }
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let port = authority.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        if !is_tls && !is_this_machine(&host) {
            return Err(ClientError::Plain(text.to_owned()));
        }
        Ok(Self { text: text.to_owned(), host, port, is_tls })
    }

    /// Sends a request for a path, and reads the response.
    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response, ClientError> {
        let done = tokio::time::timeout(REQUEST, self.exchange(request)).await;
        let done = done.unwrap_or_else(|_| Err("it does not answer in time".into()));
        done.map_err(|error| ClientError::Unreachable {
            address: self.text.clone(),
            error: error.to_string(),
        })
    }

    async fn exchange(&self, mut request: Request<Full<Bytes>>) -> Result<Response, BoxError> {
        let authority = self.text.split_once("://").map_or("", |(_, authority)| authority);
        request.headers_mut().insert(header::HOST, authority.parse()?);
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        if self.is_tls {
            let name = ServerName::try_from(self.host.clone())?;
            let connector = TlsConnector::from(Arc::new(tls()?));
            exchange_on(connector.connect(name, stream).await?, request).await
        } else {
            exchange_on(stream, request).await
        }
    }
}

fn is_this_machine(host: &str) -> bool {
    let is_loopback = host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    host == "localhost" || is_loopback
}

/// TLS configuration with the system's root certificates.
fn tls() -> Result<ClientConfig, BoxError> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    if added == 0 {
        return Err("this system has no certificates; install the package ca-certificates".into());
    }
    Ok(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

async fn exchange_on(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> Result<Response, BoxError> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // The task ends with the stream; its errors appear as errors of the request.
    let connection = tokio::spawn(connection);
    let response = sender.send_request(request).await?;
    let (head, body) = response.into_parts();
    let body = Limited::new(body, MAX_BODY).collect().await?.to_bytes();
    connection.abort();
    Ok(Response { status: head.status, headers: head.headers, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_token_is_never_sent_in_the_clear() {
        for (text, shown) in [
            ("https://bots.example.org", "https://bots.example.org"),
            (" https://bots.example.org:8443/ ", "https://bots.example.org:8443"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(Address::parse(text).unwrap().text, shown);
        }
        for text in ["", "bots.example.org", "ftp://x", "https://", "https://a/b", "https://u@a"] {
            assert!(matches!(Address::parse(text), Err(ClientError::Address(_))), "{text}");
        }
        for text in ["http://bots.example.org", "http://localhost.evil.example", "http://10.0.0.1"]
        {
            assert!(matches!(Address::parse(text), Err(ClientError::Plain(_))), "{text}");
        }
    }
}
