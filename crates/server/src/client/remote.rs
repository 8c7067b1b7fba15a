//! A practice server, as a program of a student sees it.

use axum::body::Bytes;
use axum::http::{Method, Request, header};
use http_body_util::Full;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;

use super::ClientError;
use super::connection::{Address, Answer};
use crate::database::TokenSecret;

/// A server with a token for it.
#[derive(Debug)]
pub struct Remote {
    address: Address,
    token: TokenSecret,
    runtime: Runtime,
}

/// Whose a token is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Identity {
    /// Name of the person.
    pub name: String,
    /// The course's name in addresses.
    pub course_slug: Option<String>,
    /// Scopes of the token.
    pub scopes: Vec<String>,
    /// When the token expires.
    pub expires: String,
    /// Bots of the person's group.
    pub bots: Vec<String>,
}

/// A version on the server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RemoteVersion {
    /// Its id.
    pub id: String,
    /// The bot.
    pub bot: String,
    /// Its number.
    pub number: u32,
    /// Its state.
    pub state: String,
    /// Whether the state still changes by itself.
    pub is_in_work: bool,
    /// Whether it passed its validation games.
    pub has_passed: bool,
    /// What the state means.
    pub sentence: String,
    /// Why it is in this state.
    pub why: Option<String>,
    /// Path of its page.
    pub page: String,
}

/// Error document of the server.
#[derive(Debug, Deserialize)]
struct Problem {
    title: String,
    detail: Option<String>,
}

impl Remote {
    /// A server, and a token for it.
    ///
    /// # Errors
    /// The address or the token is malformed, or the address is not encrypted.
    pub fn new(address: &str, token: &str) -> Result<Self, ClientError> {
        let address = Address::parse(address)?;
        let token = token.trim().parse().map_err(|_| ClientError::Token)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ClientError::Unreachable {
            address: address.text.clone(),
            error: error.to_string(),
        })?;
        Ok(Self { address, token, runtime })
    }

    /// Its address, as it is shown and stored.
    pub fn address(&self) -> &str {
        &self.address.text
    }

    /// Whose the token is.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn identity(&self) -> Result<Identity, ClientError> {
        self.ask(Method::GET, "/api/v1/me", &[], Bytes::new())
    }

    /// Hands in a version: a compressed archive. The same key gives the same version again.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn hand_in(
        &self,
        course: &str,
        bot: &str,
        archive: Vec<u8>,
        key: &str,
        lang: &str,
    ) -> Result<RemoteVersion, ClientError> {
        let path = format!("/api/v1/courses/{course}/bots/{bot}/versions");
        let headers = [
            ("content-type", "application/gzip"),
            ("idempotency-key", key),
            ("accept-language", lang),
        ];
        self.ask(Method::POST, &path, &headers, archive.into())
    }

    /// A version.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn version(&self, id: &str, lang: &str) -> Result<RemoteVersion, ClientError> {
        let path = format!("/api/v1/versions/{id}");
        self.ask(Method::GET, &path, &[("accept-language", lang)], Bytes::new())
    }

    fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Result<T, ClientError> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::USER_AGENT, concat!("pitmaster/", env!("CARGO_PKG_VERSION")))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token.reveal()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // Names of courses and bots come from people.
        let request = request.body(Full::new(body));
        let request = request.map_err(|_| ClientError::Address(path.to_owned()))?;
        let answer = self.runtime.block_on(self.address.send(request))?;
        self.read(&answer)
    }

    fn read<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, ClientError> {
        let foreign = || ClientError::Foreign(self.address.text.clone());
        if answer.status.is_success() {
            return serde_json::from_slice(&answer.body).map_err(|_| foreign());
        }
        let wait = answer.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let problem: Problem = serde_json::from_slice(&answer.body).map_err(|_| foreign())?;
        // What a server writes is shown on a terminal.
        let safe = |text: String| pitmaster_core::Untrusted::new(text).shown(1000);
        Err(ClientError::Refused {
            status: answer.status.as_u16(),
            title: safe(problem.title),
            detail: problem.detail.map(safe),
            wait: wait.and_then(|wait| wait.parse().ok()),
        })
    }
}
