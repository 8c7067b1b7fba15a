//! Practice server, as seen by a student's command line.

use axum::body::Bytes;
use axum::http::{Method, Request, header};
use http_body_util::Full;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

use super::ClientError;
use super::connection::{Address, Response};
use crate::database::TokenSecret;

/// Practice server with an API token.
#[derive(Debug)]
pub struct Remote {
    address: Address,
    /// `None` only while a token is requested.
    token: Option<TokenSecret>,
    runtime: Runtime,
}

/// Data of a new account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewAccount {
    /// Invitation code.
    pub code: String,
    /// Login; ignored if the code is for an account that has one.
    pub login: String,
    /// Passphrase.
    pub passphrase: String,
    /// Name of the person; `None` for the login.
    pub name: Option<String>,
}

/// Owner and properties of a token.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Identity {
    /// Name of the person.
    pub name: String,
    /// Slug of the course.
    pub course_slug: Option<String>,
    /// Scopes of the token.
    pub scopes: Vec<String>,
    /// Expiration time of the token.
    pub expires: String,
    /// Bots of the owner's group.
    pub bots: Vec<String>,
    /// Game of the course; `None` until the course has an open ladder.
    pub plays: Option<Plays>,
}

/// Game and time limit of a ladder of the course.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Plays {
    /// Game, in the syntax of `--game`.
    pub game: String,
    /// Time limit of a move, if there is one.
    pub per_move_ms: Option<u64>,
}

/// Version on the server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RemoteVersion {
    /// Id of the version.
    pub id: String,
    /// The bot.
    pub bot: String,
    /// Number of the version.
    pub number: u32,
    /// State of the version.
    pub state: String,
    /// Whether the state still changes by itself.
    pub is_in_work: bool,
    /// Whether it passed its validation games.
    pub has_passed: bool,
    /// Meaning of the state.
    pub sentence: String,
    /// Reason of the state.
    pub why: Option<String>,
    /// URL path of the version's page.
    pub page: String,
}

/// Response to a new account.
#[derive(Deserialize)]
struct Joined {
    token: String,
}

/// Response to a new bot.
#[derive(Deserialize)]
struct NewBot {
    bot: String,
}

/// Problem document (RFC 9457).
#[derive(Debug, Deserialize)]
struct Problem {
    title: String,
    detail: Option<String>,
}

impl Remote {
    /// Creates a client for a server and a token.
    ///
    /// # Errors
    /// The URL or the token is malformed, or the URL is not encrypted.
    pub fn new(address: &str, token: &str) -> Result<Self, ClientError> {
        let address = Address::parse(address)?;
        let token = token.trim().parse().map_err(|_| ClientError::Token)?;
        Self::at(address, Some(token))
    }

    /// Creates an account on a server. Returns a client with a token for it, and the token.
    ///
    /// # Errors
    /// The URL is malformed or not encrypted, or the server is unreachable or refuses.
    pub fn join(
        address: &str,
        account: &NewAccount,
        lang: &str,
    ) -> Result<(Self, String), ClientError> {
        let mut server = Self::at(Address::parse(address)?, None)?;
        let Joined { token } = server.post("/api/v1/join", account, lang)?;
        server.token = Some(token.parse().map_err(|_| server.foreign())?);
        Ok((server, token))
    }

    fn at(address: Address, token: Option<TokenSecret>) -> Result<Self, ClientError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ClientError::Unreachable {
            address: address.text.clone(),
            error: error.to_string(),
        })?;
        Ok(Self { address, token, runtime })
    }

    /// URL of the server, as it is shown and stored.
    pub fn address(&self) -> &str {
        &self.address.text
    }

    /// Owner and properties of the token.
    ///
    /// # Errors
    /// The server is unreachable or refuses.
    pub fn identity(&self) -> Result<Identity, ClientError> {
        self.ask(Method::GET, "/api/v1/me", &[], Bytes::new())
    }

    /// Adds a bot to the group of the token's owner, and returns its full name.
    ///
    /// # Errors
    /// The server is unreachable or refuses.
    pub fn add_bot(&self, course: &str, name: &str, lang: &str) -> Result<String, ClientError> {
        let path = format!("/api/v1/courses/{course}/bots");
        let NewBot { bot } = self.post(&path, &serde_json::json!({"name": name}), lang)?;
        Ok(bot)
    }

    /// Evidence of a game of the owner's group: the file for `pitmaster debug`, with the output of
    /// the group's own bot.
    ///
    /// # Errors
    /// The server is unreachable or refuses.
    pub fn evidence(&self, game: &str, lang: &str) -> Result<serde_json::Value, ClientError> {
        let path = format!("/api/v1/games/{game}/evidence");
        self.ask(Method::GET, &path, &[("accept-language", lang)], Bytes::new())
    }

    /// Uploads a version as a compressed archive. Requests with the same key return the same
    /// version.
    ///
    /// # Errors
    /// The server is unreachable or refuses.
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

    /// Fetches a version.
    ///
    /// # Errors
    /// The server is unreachable or refuses.
    pub fn version(&self, id: &str, lang: &str) -> Result<RemoteVersion, ClientError> {
        let path = format!("/api/v1/versions/{id}");
        self.ask(Method::GET, &path, &[("accept-language", lang)], Bytes::new())
    }

    fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        lang: &str,
    ) -> Result<T, ClientError> {
        let body = serde_json::to_vec(body).map_err(|_| self.foreign())?;
        let headers = [("content-type", "application/json"), ("accept-language", lang)];
        self.ask(Method::POST, path, &headers, body.into())
    }

    fn foreign(&self) -> ClientError {
        ClientError::Foreign(self.address.text.clone())
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
            .header(header::USER_AGENT, concat!("pitmaster/", env!("CARGO_PKG_VERSION")));
        if let Some(token) = &self.token {
            let bearer = format!("Bearer {}", token.reveal());
            request = request.header(header::AUTHORIZATION, bearer);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // Names of courses and bots are typed by people.
        let request = request.body(Full::new(body));
        let request = request.map_err(|_| ClientError::Address(path.to_owned()))?;
        let response = self.runtime.block_on(self.address.send(request))?;
        self.read(&response)
    }

    fn read<T: DeserializeOwned>(&self, response: &Response) -> Result<T, ClientError> {
        if response.status.is_success() {
            return serde_json::from_slice(&response.body).map_err(|_| self.foreign());
        }
        let wait = response.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let problem: Problem =
            serde_json::from_slice(&response.body).map_err(|_| self.foreign())?;
        // A terminal shows what a server sends.
        let safe = |text: String| pitmaster_core::Untrusted::new(text).shown(1000);
        Err(ClientError::Refused {
            status: response.status.as_u16(),
            title: safe(problem.title),
            detail: problem.detail.map(safe),
            wait: wait.and_then(|wait| wait.parse().ok()),
        })
    }
}
