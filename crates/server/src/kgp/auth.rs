//! Authentication of KGP clients by token.

use pitmaster_core::BotName;
use pitmaster_season::course::{Action, CourseState, GroupId, Role, Scope, Utc};

use super::{OPEN_LADDER, RemoteEntrant};
use crate::database::{
    Act, By, Course, Database, DatabaseError, LadderState, TokenActor, TokenSecret,
};
use crate::player::server;

/// Prefix for the names of entrants without a group.
const STAFF: &str = "staff";

/// Reason why a client is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error(
        "the token is unknown, has expired or lacks the scope kgp; make one on your account's page"
    )]
    Token,
    #[error("this server has no place for guests; set auth:token to a token with the scope kgp")]
    NoGuests,
    #[error("the course is over or has no open ladder")]
    NoLadder,
    #[error("the server has a problem; try again later")]
    Server,
}

/// Returns the entrant of a token, or a guest.
pub(super) async fn authenticate(
    database: &Database,
    token: Option<&str>,
    now: Utc,
) -> Result<RemoteEntrant, Refused> {
    let found = match token {
        Some(token) => entrant(database, token, now).await,
        None => guest(database).await,
    };
    found.unwrap_or(Err(Refused::Server))
}

async fn entrant(
    database: &Database,
    token: &str,
    now: Utc,
) -> Result<Result<RemoteEntrant, Refused>, DatabaseError> {
    let Some(found) = kgp_token(database, token, now).await? else {
        return Ok(Err(Refused::Token));
    };
    let facts = &found.token.facts;
    let course = database.course(facts.course).await?;
    let Ok(course) = course.open(&server(), Action::ViewResults) else {
        return Ok(Err(Refused::Token));
    };
    let Some(member) = found.actor.memberships.first() else { return Ok(Err(Refused::Token)) };
    if !has_open_ladder(database, &course).await? {
        return Ok(Err(Refused::NoLadder));
    }
    let group = match (member.role, member.group) {
        (Role::Student, None) => return Ok(Err(Refused::Token)),
        (_, None) => STAFF.to_owned(),
        (_, Some(group)) => match slug_of(database, &course, group).await? {
            Some(slug) => slug,
            None => return Ok(Err(Refused::Token)),
        },
    };
    let name = BotName::tamed(&format!("{group}.{}", facts.name));
    Ok(Ok(RemoteEntrant { course: course.facts.id, name, group, token: Some(found.token.id) }))
}

/// Looks up a token with the scope for KGP.
async fn kgp_token(
    database: &Database,
    token: &str,
    now: Utc,
) -> Result<Option<TokenActor>, DatabaseError> {
    let Ok(secret) = token.parse::<TokenSecret>() else { return Ok(None) };
    let found = database.token(secret, now).await?;
    Ok(found.filter(|found| found.token.facts.scopes.contains(&Scope::Kgp)))
}

async fn slug_of(
    database: &Database,
    course: &Course,
    group: GroupId,
) -> Result<Option<String>, DatabaseError> {
    let groups = database.groups(course.facts.id).await?.into_iter();
    let mut groups = groups.filter_map(|row| row.open(&server(), Action::ViewResults).ok());
    Ok(groups.find(|row| row.id == group).map(|row| row.slug))
}

/// Guest of the newest course that allows guests to play.
async fn guest(database: &Database) -> Result<Result<RemoteEntrant, Refused>, DatabaseError> {
    let courses = database.courses().await?.into_iter();
    for course in courses.filter_map(|course| course.open(&server(), Action::ViewResults).ok()) {
        if course.settings.guests_play && has_open_ladder(database, &course).await? {
            let (name, group) = (BotName::tamed("guest"), String::new());
            let course = course.facts.id;
            return Ok(Ok(RemoteEntrant { course, name, group, token: None }));
        }
    }
    Ok(Err(Refused::NoGuests))
}

async fn has_open_ladder(database: &Database, course: &Course) -> Result<bool, DatabaseError> {
    let ladder = database.ladder_at(course.facts.id, OPEN_LADDER).await?;
    let ladder = ladder.open(&server(), Action::ViewResults);
    let is_open = ladder.is_ok_and(|ladder| ladder.state != LadderState::Closed);
    Ok(is_open && course.facts.state != CourseState::Closed)
}

/// Revokes a token on its owner's request. Anyone with the token may do that. The result does not
/// reveal whether the token existed.
pub(super) async fn revoke(
    database: &Database,
    token: &str,
    now: Utc,
) -> Result<(), DatabaseError> {
    let Some(found) = kgp_token(database, token, now).await? else { return Ok(()) };
    let act = Act { by: By::Person(found.person.id), at: now, address: None };
    match database.revoke_token(act, found.token.id).await {
        // Another request revoked it first.
        Err(DatabaseError::Refused(_)) => Ok(()),
        done => done,
    }
}
