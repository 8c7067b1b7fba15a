//! Identifiers of a course's people and objects: random and unguessable, with 96 bits.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE32_DNSSEC;

/// Number of bytes of an identifier.
const BYTES: usize = 12;

/// Error for a text that is not an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an identifier: it has 20 characters, digits and letters up to v")]
pub struct IdError;

/// Declares identifiers of different objects as different types.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; BYTES]);

        impl $name {
            /// The identifier with these bytes, which come from a secure random generator.
            pub const fn of(bytes: [u8; BYTES]) -> Self {
                Self(bytes)
            }

            /// Its bytes.
            pub const fn bytes(&self) -> &[u8; BYTES] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            /// Twenty characters in base 32 (RFC 4648, section 7), lower case.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&BASE32_DNSSEC.encode(&self.0))
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let bytes = BASE32_DNSSEC.decode(text.as_bytes()).map_err(|_| IdError)?;
                bytes.try_into().map(Self).map_err(|_| IdError)
            }
        }
    )*};
}

ids! {
    /// A course.
    CourseId;
    /// A person with an account.
    PersonId;
    /// A group of a course; a student who works alone is a group too.
    GroupId;
    /// A version of a bot.
    VersionId;
    /// A bot of a group: its versions in order.
    EntryId;
    /// A session of a person who is logged in.
    SessionId;
    /// A token for the API.
    TokenId;
    /// A deadline.
    DeadlineId;
    /// A ladder.
    LadderId;
    /// A job: processing of a version, or games to play.
    JobId;
    /// Games requested by a group.
    AskId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_read_as_it_is_written() {
        let id = GroupId::of([0, 1, 2, 3, 4, 5, 250, 251, 252, 253, 254, 255]);
        let text = id.to_string();
        assert_eq!(text.len(), 20);
        assert_eq!(text.parse(), Ok(id));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "0", "../../etc/passwd", "00000000000000000000000", "zzzzzzzzzzzzzzzzzzzz"]
        {
            assert_eq!(text.parse::<GroupId>(), Err(IdError), "{text}");
        }
    }
}
