//! Random ids and secrets. The database stores only hashes of secrets.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE32_DNSSEC;
use rusqlite::ToSql;
use rusqlite::types::ToSqlOutput;

use super::{DatabaseError, Refusal};

/// Random bytes from the system.
pub(super) fn random<const N: usize>() -> Result<[u8; N], DatabaseError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| DatabaseError::Bug)?;
    Ok(bytes)
}

/// Hash of a secret. Secrets are too long to guess, so the hash needs neither salt nor cost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SecretHash([u8; 32]);

impl SecretHash {
    pub(super) fn of(secret: &str) -> Self {
        Self(*blake3::hash(secret.as_bytes()).as_bytes())
    }
}

impl ToSql for SecretHash {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.as_slice().into())
    }
}

/// Declares types of secrets for different uses. `{:?}` does not show them.
macro_rules! secrets {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Returns the secret, to give it to its owner.
            pub fn reveal(&self) -> &str {
                &self.0
            }

            pub(super) fn hash(&self) -> SecretHash {
                SecretHash::of(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    )*};
}

secrets! {
    /// Session secret: 256 bits, the value of the session cookie.
    SessionSecret;
    /// Token secret: `pm_` and 256 bits.
    TokenSecret;
    /// Invitation code: 128 bits in groups of five characters, meant for typing.
    InviteCode;
}

const TOKEN_PREFIX: &str = "pm_";

/// Number of base-32 characters of 256 bits.
const LONG: usize = 52;

impl SessionSecret {
    pub(super) fn new() -> Result<Self, DatabaseError> {
        Ok(Self(BASE32_DNSSEC.encode(&random::<32>()?)))
    }
}

impl TokenSecret {
    pub(super) fn new() -> Result<Self, DatabaseError> {
        Ok(Self(format!("{TOKEN_PREFIX}{}", BASE32_DNSSEC.encode(&random::<32>()?))))
    }
}

/// Error of a malformed secret. It omits the text, which may be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a secret of this kind")]
pub struct SecretError;

impl FromStr for SessionSecret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        if is_long(text) { Ok(Self(text.into())) } else { Err(SecretError) }
    }
}

impl FromStr for TokenSecret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let is_one = text.strip_prefix(TOKEN_PREFIX).is_some_and(is_long);
        if is_one { Ok(Self(text.into())) } else { Err(SecretError) }
    }
}

fn is_long(text: &str) -> bool {
    text.len() == LONG && BASE32_DNSSEC.decode(text.as_bytes()).is_ok_and(|it| it.len() == 32)
}

/// Digits of Crockford's base 32, which avoids similar characters.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Number of base-32 characters of 128 bits.
const CODE: usize = 26;

impl InviteCode {
    pub(super) fn new() -> Result<Self, DatabaseError> {
        let digits = random::<CODE>()?.map(|byte| char::from(DIGITS[usize::from(byte) % 32]));
        let groups: Vec<String> = digits.chunks(5).map(|group| group.iter().collect()).collect();
        Ok(Self(groups.join("-")))
    }

    /// Parses a typed code: in either case, with or without dashes and blanks, and with letters
    /// that resemble digits.
    ///
    /// # Errors
    /// The text cannot be a code.
    pub fn typed(text: &str) -> Result<Self, Refusal> {
        let digit = |c: char| match c.to_ascii_uppercase() {
            'O' => Some('0'),
            'I' | 'L' => Some('1'),
            c => DIGITS.contains(&u8::try_from(c).ok()?).then_some(c),
        };
        let typed = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        let digits: Option<Vec<char>> = typed.map(digit).collect();
        let digits = digits.filter(|digits| digits.len() == CODE).ok_or(Refusal::UnknownInvite)?;
        let groups: Vec<String> = digits.chunks(5).map(|group| group.iter().collect()).collect();
        Ok(Self(groups.join("-")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_random_long_and_never_shown() {
        let (one, two) = (TokenSecret::new().expect("random"), TokenSecret::new().expect("random"));
        assert_ne!(one, two);
        assert_eq!(one.reveal().len(), 55);
        assert_eq!(one.reveal().parse().as_ref(), Ok(&one));
        assert_eq!(format!("{one:?}"), "TokenSecret(…)");
        let session = SessionSecret::new().expect("random");
        assert_eq!(session.reveal().parse().as_ref(), Ok(&session));
        assert!(session.reveal().parse::<TokenSecret>().is_err());
        for text in ["", "pm_", &"0".repeat(51), &"0".repeat(53), &"z".repeat(52)] {
            assert_eq!(text.parse::<SessionSecret>(), Err(SecretError), "{text}");
        }
    }

    #[test]
    fn codes_are_parsed_leniently() {
        let code = InviteCode::new().expect("random");
        assert_eq!(code.reveal().len(), CODE + 5);
        let typed = code.reveal().to_lowercase().replace('-', " ").replace('0', "o");
        assert_eq!(InviteCode::typed(&typed.replace('1', "l")).as_ref(), Ok(&code));
        for text in ["", "ABCDE", "UUUUU-UUUUU-UUUUU-UUUUU-UUUUU-U", &"é".repeat(26)] {
            assert_eq!(InviteCode::typed(text), Err(Refusal::UnknownInvite), "{text}");
        }
    }
}
