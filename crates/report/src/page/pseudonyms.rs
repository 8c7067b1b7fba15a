//! Pseudonyms of bots, derived from a secret and stable as long as it is kept, such as for a
//! semester.

use std::fmt;
use std::str::FromStr;

use pitmaster_core::{BotHash, BotId, BotName};

/// Secret from which pseudonyms are derived. Without it, a pseudonym cannot be resolved, even by
/// trying all names.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// Memorable words, followed by digits that distinguish bots.
const WORDS: [&str; 64] = [
    "acacia", "agave", "alder", "almond", "aloe", "apple", "apricot", "arum", "ash", "aspen",
    "aster", "balsam", "bamboo", "banana", "banyan", "baobab", "basil", "bay", "beech", "birch",
    "cacao", "cactus", "camphor", "carob", "cedar", "cherry", "clover", "coffee", "coral", "cork",
    "cotton", "cypress", "dahlia", "date", "ebony", "elder", "elm", "fern", "fig", "flax",
    "ginger", "hazel", "hibiscus", "holly", "iris", "iroko", "ivy", "jasmine", "juniper", "kapok",
    "kola", "larch", "laurel", "lemon", "lilac", "linden", "lotus", "mahogany", "mango", "maple",
    "marula", "mimosa", "myrtle", "neem",
];

impl Secret {
    /// A secret made of 32 unpredictable bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Pseudonym of a bot, the same for all its versions.
    pub fn bot(&self, bot: &BotId) -> BotId {
        let hash = BotHash::of(self.hash("version", bot.hash.as_str()).as_bytes());
        BotId { name: self.pseudonym(&bot.name), hash }
    }

    /// A word and six digits, one of 64 million pseudonyms.
    fn pseudonym(&self, name: &BotName) -> BotName {
        let hash = self.hash("bot", name.as_str());
        let [word, digits @ ..] = *hash.as_bytes().first_chunk::<9>().expect("a hash has 32 bytes");
        let digits = u64::from_le_bytes(digits) % 1_000_000;
        BotName::tamed(&format!("{}-{digits:06}", WORDS[usize::from(word) % WORDS.len()]))
    }

    fn hash(&self, what: &str, text: &str) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(what.as_bytes());
        hasher.update(b" ");
        hasher.update(text.as_bytes());
        hasher.finalize()
    }
}

/// Parses a secret file: 64 hexadecimal digits.
impl FromStr for Secret {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let hash = blake3::Hash::from_hex(text.trim()).map_err(drop)?;
        Ok(Self(*hash.as_bytes()))
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

/// Hides the secret, so that it is never printed by accident.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_name_has_one_pseudonym_under_a_secret() {
        let secret = Secret::new([7; 32]);
        let eloise = "eloise".parse().unwrap();
        insta::assert_snapshot!(secret.pseudonym(&eloise), @"kapok-920248");
        assert_ne!(secret.pseudonym(&eloise), Secret::new([8; 32]).pseudonym(&eloise));
        let names = (0..300).map(|n: u32| secret.pseudonym(&n.to_string().parse().unwrap()));
        let names: HashSet<_> = names.collect();
        assert_eq!(names.len(), 300);
    }

    #[test]
    fn a_secret_is_read_as_it_was_written_and_not_shown() {
        let secret = Secret::new([0xab; 32]);
        assert_eq!(secret.to_string().parse(), Ok(secret.clone()));
        assert_eq!("ab".parse::<Secret>(), Err(()));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
