//! API tokens: a secret with scopes, for one course.

use std::time::Duration;

use pitmaster_season::course::{
    Actor, CourseId, Facts, Guarded, Object, PersonId, Scope, TokenId, Utc,
};
use rusqlite::{Row, named_params};

use super::audit::NewAuditEntry;
use super::columns::{Text, instant, maybe_instant, text};
use super::connection::View;
use super::courses::Course;
use super::error::Done;
use super::groups::memberships;
use super::people::Person;
use super::secret::random;
use super::{
    Act, Answer, AuditAction, Database, DatabaseError, Refusal, Target, TokenSecret, field,
};

/// Maximum number of a person's tokens that are neither revoked nor expired.
const MAX_TOKENS: u32 = 20;

/// Resolution of the last use of a token.
const LAST_USE_RESOLUTION: Duration = Duration::from_mins(1);

/// Data of a new token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Owner.
    pub person: PersonId,
    /// Course that the token gives access to.
    pub course: CourseId,
    /// Purpose, in the owner's words.
    pub name: String,
    /// Scopes.
    pub scopes: Vec<Scope>,
    /// Expiration time, at the latest the end of the course.
    pub expires: Utc,
}

/// Token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Id, to revoke the token. It gives no access.
    pub id: TokenId,
    /// Data of the token.
    pub facts: NewToken,
    /// Creation time.
    pub made: Utc,
    /// Last use, to a minute.
    pub seen: Option<Utc>,
    /// Time of the revocation.
    pub revoked: Option<Utc>,
}

impl Object for Token {
    fn facts(&self) -> Facts<'_> {
        Facts { person: Some(self.facts.person), ..Facts::default() }
    }
}

/// Authenticated token with its owner and permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenActor {
    /// The token.
    pub token: Token,
    /// Owner.
    pub person: Person,
    /// Actor of the token: limited to its course, and never an administrator.
    pub actor: Actor,
}

impl Token {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            facts: NewToken {
                person: text(row, "person")?,
                course: text(row, "course")?,
                name: row.get("name")?,
                scopes: text::<Scopes>(row, "scopes")?.0,
                expires: instant(row, "expires")?,
            },
            made: instant(row, "made")?,
            seen: maybe_instant(row, "seen")?,
            revoked: maybe_instant(row, "revoked")?,
        })
    }

    fn actor(self, view: &View<'_>) -> Done<Option<TokenActor>> {
        let person = Person::find(view, self.facts.person)?;
        let Some(person) = person.filter(|person| person.erased.is_none()) else { return Ok(None) };
        let mut memberships = memberships(view, person.id)?;
        memberships.retain(|member| member.course == self.facts.course);
        let scopes = Some(self.facts.scopes.clone());
        let actor = Actor { person: Some(person.id), is_admin: false, memberships, scopes };
        Ok(Some(TokenActor { token: self, person, actor }))
    }
}

/// Scopes in a column: their names, separated by blanks.
#[derive(Debug)]
struct Scopes(Vec<Scope>);

impl std::str::FromStr for Scopes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(' ').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl std::fmt::Display for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.0.iter().map(|scope| scope.name()).collect();
        f.write_str(&names.join(" "))
    }
}

impl NewToken {
    /// Normalizes the data: sorted unique scopes, and an expiration within the course.
    fn checked(mut self, view: &View<'_>, now: Utc) -> Done<Self> {
        self.name = field::line("name", &self.name, 100)?;
        self.scopes.sort_unstable();
        self.scopes.dedup();
        if self.scopes.is_empty() {
            return Err(Refusal::Conflict("a token needs a scope").into());
        }
        Person::require(view, self.person)?;
        self.expires = self.expires.min(Course::require(view, self.course)?.settings.closes);
        if self.expires <= now {
            return Err(Refusal::Conflict("the token would have expired already").into());
        }
        let sql = "SELECT count(*) FROM token
                   WHERE person = ?1 AND revoked IS NULL AND expires > ?2";
        if view.value::<u32>(sql, (Text(self.person), now.0))? >= MAX_TOKENS {
            return Err(Refusal::TooMany { what: "tokens of a person", limit: MAX_TOKENS }.into());
        }
        Ok(self)
    }
}

impl Database {
    /// Creates a token. Its secret is returned here and never again.
    ///
    /// # Errors
    /// The person or course does not exist, the person has the maximum number of tokens, or the
    /// token would have no scope or be expired.
    pub fn create_token(&self, act: Act, token: NewToken) -> Answer<(TokenId, TokenSecret)> {
        self.act(act, move |tx| {
            let token = token.checked(tx, act.at)?;
            let (id, secret) = (TokenId::of(random()?), TokenSecret::new()?);
            let scopes = Scopes(token.scopes);
            tx.execute(
                "INSERT INTO token VALUES (:id, :hash, :person, :course, :name, :scopes, :made,
                                           NULL, :expires, NULL)",
                named_params! {
                    ":id": Text(id),
                    ":hash": secret.hash(),
                    ":person": Text(token.person),
                    ":course": Text(token.course),
                    ":name": token.name,
                    ":scopes": Text(&scopes),
                    ":made": act.at.0,
                    ":expires": token.expires.0,
                },
            )?;
            let entry =
                NewAuditEntry::new(AuditAction::CreateToken, Target::Token(id), token.course);
            Ok(((id, secret), entry.after(scopes.to_string())))
        })
    }

    /// Looks up the token of a secret with its permissions; `None` if it is unknown, revoked or
    /// expired. Records the use of the token.
    ///
    /// # Errors
    /// The database fails.
    /// The database fails.
    pub async fn token(
        &self,
        secret: TokenSecret,
        now: Utc,
    ) -> Result<Option<TokenActor>, DatabaseError> {
        let found = self.read(move |view| {
            let sql = "SELECT * FROM token
                       WHERE hash = ?1 AND revoked IS NULL AND expires > ?2";
            match view.one(sql, (secret.hash(), now.0), Token::read)? {
                Some(token) => token.actor(view),
                None => Ok(None),
            }
        });
        let found = found.await?;
        if let Some(TokenActor { token, .. }) = &found
            && token.seen.is_none_or(|seen| now.since(seen) >= LAST_USE_RESOLUTION)
        {
            let id = token.id;
            // Not awaited: a crash loses at most the last use of the token.
            drop(self.write_unaudited(move |tx| {
                tx.execute("UPDATE token SET seen = ?2 WHERE id = ?1", (Text(id), now.0))
            }));
        }
        Ok(found)
    }

    /// All tokens of a person, newest first.
    pub fn tokens(&self, person: PersonId) -> Answer<Vec<Token>> {
        self.read(move |view| {
            let sql = "SELECT * FROM token WHERE person = ?1 ORDER BY made DESC, id";
            view.all(sql, (Text(person),), Token::read)
        })
    }

    /// Looks up a token by its id, to revoke it.
    pub fn token_with_id(&self, id: TokenId) -> Answer<Guarded<Token>> {
        self.read(move |view| {
            let sql = "SELECT * FROM token WHERE id = ?1";
            view.one(sql, (Text(id),), Token::read).map(Guarded::new)
        })
    }

    /// Revokes a token.
    ///
    /// # Errors
    /// The token does not exist, or it is already revoked.
    pub fn revoke_token(&self, act: Act, id: TokenId) -> Answer<()> {
        self.act(act, move |tx| {
            let sql = "SELECT course FROM token WHERE id = ?1 AND revoked IS NULL";
            let course = tx.one(sql, (Text(id),), |row| text(row, "course"))?;
            let course: CourseId = course.ok_or(Refusal::Absent("token"))?;
            tx.execute("UPDATE token SET revoked = ?2 WHERE id = ?1", (Text(id), act.at.0))?;
            Ok(((), NewAuditEntry::new(AuditAction::RevokeToken, Target::Token(id), course)))
        })
    }
}
