//! Passphrases: strength rules and hashing.

use std::cell::RefCell;
use std::fmt;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use zxcvbn::{Score, zxcvbn};

use super::secret::random;
use super::{Answer, DatabaseError};
use crate::database::pool::Pool;

/// Minimum number of characters.
const MIN: usize = 8;

/// Maximum number of characters. More would only make hashing slower.
const MAX: usize = 256;

/// Passphrase as it was typed. `{:?}` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Passphrase(String);

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(…)")
    }
}

impl Passphrase {
    /// Wraps a passphrase of any strength, such as one typed to log in.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Checks that a passphrase may be set: long enough, not common, and not derived from its
    /// owner's login and name (`known`).
    ///
    /// # Errors
    /// The passphrase is too weak.
    pub fn check(&self, known: &[&str]) -> Result<(), WeakPassphrase> {
        match self.0.chars().count() {
            length if length < MIN => Err(WeakPassphrase::Short),
            length if length > MAX => Err(WeakPassphrase::Long),
            _ if zxcvbn(&self.0, known).score() < Score::Two => Err(WeakPassphrase::Common),
            _ => Ok(()),
        }
    }

    /// Bytes to hash, truncated so that verification takes bounded time.
    fn bytes(&self) -> &[u8] {
        let end = self.0.char_indices().nth(MAX).map_or(self.0.len(), |(end, _)| end);
        &self.0.as_bytes()[..end]
    }
}

/// Reason why a passphrase is too weak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassphrase {
    /// Fewer than eight characters.
    #[error("the passphrase has fewer than {MIN} characters; make it longer")]
    Short,
    /// More than 256 characters.
    #[error("the passphrase has more than {MAX} characters; make it shorter")]
    Long,
    /// Guessable with fewer than a million attempts: common passphrases, words, dates, repetitions,
    /// keyboard rows.
    #[error(
        "the passphrase is among those that are tried first; use a few words that do not belong together"
    )]
    Common,
}

/// Cost of a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashCost {
    /// Argon2id with 19 MiB and two passes, as OWASP recommends.
    Recommended,
    /// The minimum, for tests.
    Least,
}

impl HashCost {
    fn argon2(self) -> Argon2<'static> {
        let params = match self {
            Self::Recommended => Params::default(),
            Self::Least => Params::new(Params::MIN_M_COST, 1, 1, None).unwrap_or_default(),
        };
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
    }
}

/// Number of hasher threads.
const THREADS: usize = 4;

/// Capacity of the queue of passphrases. Four cores hash that many in two seconds.
const QUEUE_CAPACITY: usize = 128;

/// Pool of hasher threads. A hash takes 19 MiB and tens of milliseconds.
#[derive(Debug)]
pub(super) struct Hashers {
    pool: Pool<Hasher>,
    /// Hash to verify against where there is no account, so that it takes as long as for one.
    dummy_hash: String,
}

impl Hashers {
    pub(super) fn start(cost: HashCost) -> Result<Self, DatabaseError> {
        let dummy_hash = Hasher::new(cost).hash(&random::<32>()?)?;
        let own = std::iter::repeat_n((), THREADS).map(|()| Hasher::new(cost));
        let pool =
            Pool::start("passphrases", QUEUE_CAPACITY, own).map_err(|_| DatabaseError::Bug)?;
        Ok(Self { pool, dummy_hash })
    }

    /// Hashes a passphrase. Returns a PHC string.
    pub(super) fn hash(&self, passphrase: Passphrase) -> Result<Answer<String>, DatabaseError> {
        self.pool.run_or_refuse(move |hasher| hasher.hash(passphrase.bytes()))
    }

    /// Verifies a passphrase against a hash. Takes as long if there is no hash.
    pub(super) fn verify(
        &self,
        passphrase: Passphrase,
        phc: Option<String>,
    ) -> Result<Answer<bool>, DatabaseError> {
        let is_somebody = phc.is_some();
        let phc = phc.unwrap_or_else(|| self.dummy_hash.clone());
        self.pool.run_or_refuse(move |hasher| {
            let is_it = hasher.is_hash_of(&phc, passphrase.bytes()).unwrap_or(false);
            Ok(is_it && is_somebody)
        })
    }
}

#[cfg(test)]
impl Hashers {
    /// Occupies all threads and the whole queue until it is released.
    pub(super) fn occupy(&self) -> Occupied {
        use std::sync::mpsc::channel;
        use std::sync::{Arc, Mutex, PoisonError};

        let (held, end) = channel::<()>();
        let (begun, begins) = channel();
        let end = Arc::new(Mutex::new(end));
        let hold = || {
            let (begun, end) = (begun.clone(), end.clone());
            self.pool.run_or_refuse(move |_| {
                let _ = begun.send(());
                // Receives an error when the sender is dropped.
                let _ = end.lock().unwrap_or_else(PoisonError::into_inner).recv();
                Ok(())
            })
        };
        let mut holds: Vec<_> = (0..THREADS).map(|_| hold().expect("there is room")).collect();
        begins.iter().take(THREADS).for_each(drop);
        holds.extend((0..QUEUE_CAPACITY).map(|_| hold().expect("there is room")));
        Occupied { held, holds }
    }
}

/// Guard that occupies all hasher threads.
#[cfg(test)]
pub(super) struct Occupied {
    held: std::sync::mpsc::Sender<()>,
    holds: Vec<Answer<()>>,
}

#[cfg(test)]
impl Occupied {
    /// Waits until the queue is empty: until then, other operations would still be refused.
    pub(super) fn release(self) {
        drop(self.held);
        self.holds.into_iter().for_each(|hold| hold.wait().expect("it ends"));
    }
}

/// Hasher with reusable memory. If each hash allocated its own, the allocator would retain several
/// times as much memory per thread.
struct Hasher {
    argon2: Argon2<'static>,
    memory: RefCell<Vec<Block>>,
}

impl Hasher {
    fn new(cost: HashCost) -> Self {
        Self { argon2: cost.argon2(), memory: RefCell::default() }
    }

    fn hash(&self, passphrase: &[u8]) -> Result<String, DatabaseError> {
        let salt = random::<16>()?;
        self.phc(passphrase, &salt).map(|hash| hash.to_string()).ok_or(DatabaseError::Bug)
    }

    fn phc(&self, passphrase: &[u8], salt: &[u8]) -> Option<PasswordHash> {
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        self.fill(&self.argon2, passphrase, salt, &mut output)?;
        Some(PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(self.argon2.params()).ok()?,
            salt: Some(Salt::new(salt).ok()?),
            hash: Some(Output::new(&output).ok()?),
        })
    }

    /// Whether a PHC string is the hash of a passphrase; `None` if it is malformed.
    fn is_hash_of(&self, phc: &str, passphrase: &[u8]) -> Option<bool> {
        let hash = PasswordHash::new(phc).ok()?;
        let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
        let version = Version::try_from(hash.version?).ok()?;
        let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash).ok()?);
        let expected = hash.hash?;
        let mut output = vec![0; expected.len()];
        self.fill(&argon2, passphrase, &hash.salt?, &mut output)?;
        // `Output` compares in constant time.
        Some(Output::new(&output).ok()? == expected)
    }

    fn fill(
        &self,
        argon2: &Argon2<'_>,
        passphrase: &[u8],
        salt: &[u8],
        output: &mut [u8],
    ) -> Option<()> {
        let mut memory = self.memory.borrow_mut();
        let blocks = argon2.params().block_count();
        if memory.len() < blocks {
            memory.resize(blocks, Block::new());
        }
        argon2.hash_password_into_with_memory(passphrase, salt, output, &mut memory[..blocks]).ok()
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hasher")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), WeakPassphrase> {
        Passphrase::new(text).check(&["eva.lu", "Eva Lu Ator"])
    }

    #[test]
    fn short_and_common_passphrases_are_refused() {
        assert_eq!(check("xkq7vp2"), Err(WeakPassphrase::Short));
        // Characters count, not bytes.
        assert_eq!(check("éàüñçößœ"), Ok(()));
        assert_eq!(check(&"x7 ".repeat(86)), Err(WeakPassphrase::Long));
        let common = [
            "password",
            "12345678",
            "qwertyuiop",
            "iloveyou",
            "football1",
            "P@ssw0rd",
            "aaaaaaaaaa",
            "abcdefgh",
            "starwars",
            "trustno1",
            "eva.lu11",
            "Eva Lu Ator",
            "19991231",
        ];
        for text in common {
            assert_eq!(check(text), Err(WeakPassphrase::Common), "{text}");
        }
        for text in ["correct horse battery", "trente-deux graines", "mPk2.vTq9w"] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn a_hash_has_the_recommended_cost_and_a_salt_of_its_own() {
        let hasher = Hasher::new(HashCost::Recommended);
        let (one, two) = (hasher.hash(b"a"), hasher.hash(b"a"));
        let one = one.expect("hashes");
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(Ok(one), two);
    }

    /// Compares with the crate's own functions, which allocate memory each time.
    #[test]
    fn hashes_are_those_of_argon2id() {
        let argon2 = HashCost::Least.argon2();
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        argon2.hash_password_into(b"correct horse", b"sixteen bytes ok", &mut output).unwrap();
        let hasher = Hasher::new(HashCost::Least);
        // Reused memory must not change the result.
        for _ in 0..2 {
            let hash = hasher.phc(b"correct horse", b"sixteen bytes ok").unwrap();
            assert_eq!(hash.hash.unwrap().as_bytes(), output);
        }
        let larger = Hasher::new(HashCost::Recommended).hash(b"correct horse").unwrap();
        assert_eq!(hasher.is_hash_of(&larger, b"correct horse"), Some(true));
        assert_eq!(hasher.is_hash_of(&larger, b"correct horsE"), Some(false));
        let phc = hasher.phc(b"correct horse", b"sixteen bytes ok").unwrap().to_string();
        assert_eq!(hasher.is_hash_of(&phc, b"correct horse"), Some(true));
        assert_eq!(hasher.is_hash_of("no hash", b"correct horse"), None);
    }

    #[test]
    fn only_the_passphrase_of_a_hash_is_verified() {
        let hashers = Hashers::start(HashCost::Least).expect("starts");
        let passphrase = || Passphrase::new("correct horse");
        let phc = hashers.hash(passphrase()).expect("has room").wait().expect("hashes");
        let verify = |passphrase, phc| {
            hashers.verify(passphrase, phc).expect("has room").wait().expect("verifies")
        };
        assert!(verify(passphrase(), Some(phc.clone())));
        assert!(!verify(Passphrase::new("correct horsE"), Some(phc)));
        assert!(!verify(passphrase(), None));
        assert!(!verify(passphrase(), Some("no hash".into())));
    }

    #[test]
    fn debug_output_hides_passphrases() {
        assert_eq!(format!("{:?}", Passphrase::new("secret")), "Passphrase(…)");
    }
}
