//! API for programs: authenticated by a token instead of a session, with JSON instead of pages.

mod accounts;
mod asks;
mod games;
mod grades;
mod ladders;
mod openapi;
mod staff;
mod stream;
mod versions;

pub(super) use openapi::Doc;

use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::http::request::Parts;
use axum::routing::{MethodRouter, get, post, put};
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{Action, Actor, CourseId, Role, Scope, Utc};
use serde::Serialize;

use super::super::app::App;
use super::super::client::{Counted, by, peer};
use super::super::language::preferred;
use super::super::problem::{Kind, Problem};
use super::super::upload::body_limit;
use crate::database::{Act, TokenActor, TokenSecret};
use crate::kgp::OPEN_LADDER;
use crate::live::FeedKey;
use openapi::Content;

/// Route of the API with its documentation.
#[derive(Debug, Clone, Copy)]
pub(super) struct ApiRoute {
    /// Method.
    pub method: &'static str,
    /// Path with parameters in braces.
    pub path: &'static str,
    /// Handler.
    pub handler: fn() -> MethodRouter<App>,
    /// Documentation.
    pub doc: Doc,
}

/// Query parameters of a list of games: names, types and descriptions.
const GAMES: &[(&str, &str, &str)] = &[
    ("bot", "string", "Only games of this bot"),
    ("after", "integer", "Only games before this one: `next` of the page before"),
];

/// Query parameters of a game's stream.
const STREAM: &[(&str, &str, &str)] =
    &[("after", "string", "Only events after the one with this `id`")];

/// Query parameters of a course's stream.
const COURSE_STREAM: &[(&str, &str, &str)] = &[
    ("watch", "string", "What to watch: ladder:NAME, queue, mine, with commas in between"),
    ("after", "string", "Only what is different from the event with this `id`"),
];

/// Query parameters of the audit log.
const AUDIT: &[(&str, &str, &str)] =
    &[("after", "integer", "Only entries after this one: `next` of the page before")];

/// Query parameters of grades.
const GRADES: &[(&str, &str, &str)] =
    &[("final", "string", "Name of the final; without one, the one that is shown or the latest")];

/// Routes of the API. Only tokens give access.
pub(super) const ROUTES: &[ApiRoute] = &[
    ApiRoute {
        method: "GET",
        path: "/api/v1/me",
        handler: || get(me),
        doc: Doc::read("Whose the token is, and what it is for", None, Content::Schema("Me")),
    },
    ApiRoute {
        method: "POST",
        path: "/api/v1/join",
        handler: || post(accounts::join),
        doc: Doc {
            takes: Some(Content::Schema("Join")),
            is_public: true,
            conflicts: true,
            status: 201,
            ..Doc::read(
                "Makes an account with the code of an invitation, and a token for it",
                None,
                Content::Schema("Joined"),
            )
        },
    },
    ApiRoute {
        method: "POST",
        path: "/api/v1/courses/{course}/bots",
        handler: || post(accounts::add_bot),
        doc: Doc {
            takes: Some(Content::Schema("NewBot")),
            conflicts: true,
            status: 201,
            ..Doc::read("Adds a bot to the own group", Some(Scope::Upload), Content::Schema("Bot"))
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/openapi.json",
        handler: || get(|_: Counted| async { Json(openapi::document()) }),
        doc: Doc { is_public: true, ..Doc::read("This document", None, Content::AnyJson) },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/versions/{id}",
        handler: || get(versions::version),
        doc: Doc::read(
            "A version of the own group, and what has become of it",
            Some(Scope::Read),
            Content::Schema("Version"),
        ),
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/versions/{id}/log",
        handler: || get(versions::log),
        doc: Doc::read("The end of the build log of a version", Some(Scope::Read), Content::Text),
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/versions/{id}/check",
        handler: || get(versions::check),
        doc: Doc::read(
            "What the whole check of a version found",
            Some(Scope::Read),
            Content::Schema("Check"),
        ),
    },
    ApiRoute {
        method: "POST",
        path: "/api/v1/versions/{id}/activate",
        handler: || post(versions::activate),
        doc: Doc {
            takes: Some(Content::Schema("Choice")),
            conflicts: true,
            ..Doc::read(
                "Lets a version play in place of the one that does",
                Some(Scope::Upload),
                Content::Schema("Version"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/ladders/{ladder}",
        handler: || get(ladders::ladder),
        doc: Doc::read(
            "The latest table of a ladder of the token's course",
            Some(Scope::Read),
            Content::Schema("Ladder"),
        ),
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/ladders/{ladder}/games",
        handler: || get(games::list),
        doc: Doc {
            query: GAMES,
            ..Doc::read(
                "The games of a ladder, the latest first, at most 50, and those being played",
                Some(Scope::Read),
                Content::Schema("Games"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/games/{game}",
        handler: || get(games::game),
        doc: Doc::read(
            "The moves and times of a game, as `pitmaster export` writes them",
            Some(Scope::Read),
            Content::Schema("Game"),
        ),
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/games/{game}/stream",
        handler: || get(games::stream),
        doc: Doc {
            query: STREAM,
            ..Doc::read(
                "A game as it is played, or all of it if it is over: a line of JSON for each event, \
                 and an empty line after 15 seconds without one. Ends after ten minutes at the \
                 latest; go on with `after`",
                Some(Scope::Read),
                Content::Lines("GameEvent"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/games/{game}/evidence",
        handler: || get(games::evidence),
        doc: Doc::read(
            "A game of the own group for `pitmaster debug`, with what its bot wrote",
            Some(Scope::Read),
            Content::Schema("Game"),
        ),
    },
    ApiRoute {
        method: "POST",
        path: "/api/v1/asks",
        handler: || post(asks::ask),
        doc: Doc {
            takes: Some(Content::Schema("NewAsk")),
            conflicts: true,
            status: 201,
            ..Doc::read(
                "Asks for pairs of games of a version of the own group, which count nowhere",
                Some(Scope::Upload),
                Content::Schema("Ask"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/asks/{ask}",
        handler: || get(asks::asked),
        doc: Doc::read(
            "Games that the own group asked for, those that were played the latest first",
            Some(Scope::Read),
            Content::Schema("Ask"),
        ),
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/stream",
        handler: || get(stream::stream),
        doc: Doc {
            query: COURSE_STREAM,
            ..Doc::read(
                "What changes in the token's course: a line of JSON for each event, at most one of \
                 each kind in two seconds, and an empty line after 15 seconds without one. Begins \
                 with everything as it is. Ends after ten minutes at the latest; go on with `after`",
                Some(Scope::Read),
                Content::Lines("CourseEvent"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/courses/{course}/grades",
        handler: || get(grades::grades),
        doc: Doc {
            query: GRADES,
            conflicts: true,
            ..Doc::read(
                "The grades of everybody by a final, with their reasons",
                Some(Scope::Admin),
                Content::Schema("Grades"),
            )
        },
    },
    ApiRoute {
        method: "POST",
        path: "/api/v1/invites",
        handler: || post(staff::invite),
        doc: Doc {
            takes: Some(Content::Schema("NewInvite")),
            conflicts: true,
            status: 201,
            ..Doc::read(
                "Makes a code with which somebody joins the token's course",
                Some(Scope::Admin),
                Content::Schema("Invite"),
            )
        },
    },
    ApiRoute {
        method: "PUT",
        path: "/api/v1/groups",
        handler: || put(staff::put_group),
        doc: Doc {
            takes: Some(Content::Schema("PutGroup")),
            conflicts: true,
            ..Doc::read(
                "Makes a group or renames it, and moves students of the course into it",
                Some(Scope::Admin),
                Content::Schema("Group"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/deadlines",
        handler: || get(staff::deadlines),
        doc: Doc::read(
            "The deadlines of the token's course",
            Some(Scope::Read),
            Content::Schema("Deadlines"),
        ),
    },
    ApiRoute {
        method: "POST",
        path: "/api/v1/deadlines",
        handler: || post(staff::set_deadline),
        doc: Doc {
            takes: Some(Content::Schema("NewDeadline")),
            conflicts: true,
            status: 201,
            ..Doc::read("Sets a deadline", Some(Scope::Admin), Content::Schema("Deadline"))
        },
    },
    ApiRoute {
        method: "POST",
        path: "/api/v1/deadlines/{deadline}/freeze",
        handler: || post(staff::freeze),
        doc: Doc {
            conflicts: true,
            ..Doc::read(
                "Freezes what counts at a deadline that has passed; groups with a version in work wait",
                Some(Scope::Admin),
                Content::Schema("Frozen"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/audit",
        handler: || get(staff::audit),
        doc: Doc {
            query: AUDIT,
            ..Doc::read(
                "What was done in the token's course, the oldest first, at most 100 entries",
                Some(Scope::Admin),
                Content::Schema("Audit"),
            )
        },
    },
    ApiRoute {
        method: "GET",
        path: "/api/v1/queue",
        handler: || get(ladders::queue),
        doc: Doc::read(
            "How many versions wait to be examined, and how long it takes",
            Some(Scope::Read),
            Content::Schema("Queue"),
        ),
    },
];

/// Routes of the API with uploads, which have a longer timeout.
pub(super) const UPLOADS: &[ApiRoute] = &[ApiRoute {
    method: "POST",
    path: "/api/v1/courses/{course}/bots/{bot}/versions",
    handler: || post(versions::hand_in).layer(body_limit()),
    doc: Doc {
        takes: Some(Content::Upload),
        conflicts: true,
        is_upload: true,
        ..Doc::read(
            "Hands in a version; the same bytes again give the older version",
            Some(Scope::Upload),
            Content::Schema("Version"),
        )
    },
}];

/// Bearer token of a request. Cookies are never accepted here, so that no page of another site can
/// make a browser use the API.
#[derive(Debug)]
pub(super) struct Bearer {
    /// Token with its owner and permissions.
    found: TokenActor,
    /// Secret of the token.
    secret: TokenSecret,
    /// Arrival time of the request.
    now: Utc,
    /// IP address of the client.
    address: Option<IpAddr>,
    /// Language of the sentences in the response.
    lang: Lang,
}

impl Bearer {
    /// Owner of the client's live feeds.
    fn feed_key(&self) -> FeedKey {
        FeedKey::Token(self.found.token.id.to_string())
    }

    /// The course of the token.
    fn course(&self) -> CourseId {
        self.found.token.facts.course
    }

    /// The token's owner with all scopes, for additional data of a response.
    fn reader(&self) -> Actor {
        Actor { scopes: None, ..self.found.actor.clone() }
    }

    /// An act in the course of the token, for the audit log.
    fn act(&self) -> Act {
        Act { by: by(&self.found.actor, self.course()), at: self.now, address: self.address }
    }
}

impl axum::extract::FromRequestParts<App> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let now = app.now();
        let address = peer(parts);
        let sent = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret = sent.and_then(|sent| sent.strip_prefix("Bearer ")).unwrap_or_default();
        let found = match secret.parse::<TokenSecret>() {
            Ok(secret) => {
                let found = app.database().token(secret.clone(), now).await?;
                found.map(|found| (found, secret))
            }
            Err(_) => None,
        };
        let Some((found, secret)) = found else {
            // Guessing of tokens is limited like requests of guests.
            app.count_guest(address, now)?;
            return Err(Problem::new(Kind::LogIn));
        };
        app.count(found.person.id, now)?;
        Ok(Self { found, secret, now, address, lang: preferred(&parts.headers) })
    }
}

/// Owner and purpose of a token.
#[derive(Debug, Serialize)]
struct Me {
    person: String,
    name: String,
    course: String,
    course_slug: Option<String>,
    role: Option<&'static str>,
    group: Option<String>,
    token: String,
    scopes: Vec<&'static str>,
    expires: String,
    /// Bots of the group that are not retired.
    bots: Vec<String>,
    /// Game for a local check; `None` until the course has an open ladder.
    plays: Option<Plays>,
}

/// Game and time limit of the first ladder of a course.
#[derive(Debug, Serialize)]
struct Plays {
    ladder: String,
    game: String,
    per_move_ms: Option<u64>,
}

/// Game and time limit of a course.
async fn plays(app: &App, reader: &Actor, course: CourseId) -> Result<Option<Plays>, Problem> {
    let ladders = app.database().ladders(course).await?.into_iter();
    let seen = ladders.filter_map(|ladder| ladder.open(reader, Action::ViewResults).ok());
    // Versions do not play on the open ladder.
    let mut seen = seen.filter(|ladder| ladder.slug != OPEN_LADDER);
    Ok(seen.find_map(|ladder| {
        let rules = app.standings().rules(ladder.id)?;
        let per_move_ms = rules.per_move.map(|limit| limit.as_millis() as u64);
        Some(Plays { ladder: ladder.slug, game: rules.game, per_move_ms })
    }))
}

/// `GET /api/v1/me`: describes the token, whatever its scopes.
async fn me(State(app): State<App>, bearer: Bearer) -> Result<Json<Me>, Problem> {
    let (course, reader) = (bearer.course(), bearer.reader());
    let TokenActor { token, person, actor } = bearer.found;
    let membership = actor.memberships.first();
    let group = membership.and_then(|member| member.group);
    let all = app.database().bots(course).await?.into_iter();
    // A token without the scope to read still needs the names of the bots that it can upload.
    let open = all.filter_map(|bot| bot.open(&reader, Action::ViewResults).ok());
    let own = open.filter(|bot| Some(bot.group) == group && bot.retired.is_none());
    let bots = own.map(|bot| bot.name.to_string()).collect();
    let found = app.database().course(course).await?.open(&reader, Action::ViewResults).ok();
    let plays = plays(&app, &reader, course).await?;
    Ok(Json(Me {
        person: person.id.to_string(),
        name: person.known.name,
        course: course.to_string(),
        course_slug: found.map(|course| course.slug),
        role: membership.map(|member| Role::name(member.role)),
        group: group.map(|group| group.to_string()),
        token: token.facts.name,
        scopes: token.facts.scopes.iter().copied().map(Scope::name).collect(),
        expires: token.facts.expires.to_string(),
        bots,
        plays,
    }))
}
