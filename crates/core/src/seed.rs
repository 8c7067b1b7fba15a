//! Reproducible randomness: every choice uses a stream keyed by its purpose.

use std::fmt;
use std::str::FromStr;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Seed of a tournament, or one derived from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// Derives the seed for one purpose: the first eight bytes of BLAKE3(seed, purpose).
    #[must_use]
    pub fn derive(self, purpose: &str) -> Self {
        let hash = self.hash(purpose);
        let mut first = [0; 8];
        first.copy_from_slice(&hash.as_bytes()[..8]);
        // 53 bits, so that a double represents it exactly.
        Self(u64::from_le_bytes(first) >> 11)
    }

    /// Random number stream for one purpose. ChaCha8 is a published cipher, so the stream is the
    /// same on every machine and in every release.
    pub fn stream(self, purpose: &str) -> ChaCha8Rng {
        ChaCha8Rng::from_seed(*self.hash(purpose).as_bytes())
    }

    fn hash(self, purpose: &str) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0.to_le_bytes());
        hasher.update(purpose.as_bytes());
        hasher.finalize()
    }
}

/// Commitment to a secret seed: its hash, which can be published before the tournament. It does not
/// reveal the seed, and no other seed has the same one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeedCommitment(String);

impl SeedCommitment {
    /// Length in hexadecimal digits.
    const DIGITS: usize = 64;

    /// The commitment to a seed: BLAKE3 of a line that names its purpose and of the seed in decimal
    /// digits.
    pub fn of(seed: Seed) -> Self {
        let text = format!("pitmaster seed commitment 1\n{}\n", seed.0);
        Self(blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// The hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SeedCommitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for SeedCommitment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_hash = text.len() == Self::DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit());
        let wrong = || format!("a seed's commitment is {} hexadecimal digits", Self::DIGITS);
        if is_hash { Ok(Self(text.to_ascii_lowercase())) } else { Err(wrong()) }
    }
}

impl TryFrom<String> for SeedCommitment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<SeedCommitment> for String {
    fn from(commitment: SeedCommitment) -> Self {
        commitment.0
    }
}

/// Uniformly distributed number below `bound`. Implemented here because library implementations may
/// change between releases.
pub fn below(rng: &mut dyn Rng, bound: u64) -> u64 {
    let reject = (u64::MAX - bound + 1) % bound;
    loop {
        let number = rng.next_u64();
        if number <= u64::MAX - reject {
            return number % bound;
        }
    }
}

/// Fisher–Yates shuffle, on a stream that must stay the same between releases.
pub fn shuffle<T>(items: &mut [T], rng: &mut dyn Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commitment_is_pinned_because_teachers_publish_it() {
        let commitment = SeedCommitment::of(Seed(42));
        insta::assert_snapshot!(commitment, @"f768d347ff6bc115b60e9ef5b44d66f33022b12bea63a5c8e7dd76ad1dbf652a");
        assert_eq!(commitment.as_str().to_uppercase().parse(), Ok(commitment.clone()));
        assert_ne!(SeedCommitment::of(Seed(43)), commitment);
        assert!("42".parse::<SeedCommitment>().is_err());
    }

    #[test]
    fn streams_differ_by_purpose_and_repeat_by_seed() {
        let first = |seed: u64, purpose: &str| Seed(seed).stream(purpose).next_u64();
        assert_eq!(first(1, "a"), first(1, "a"));
        assert_ne!(first(1, "a"), first(1, "b"));
        assert_ne!(first(1, "a"), first(2, "a"));
    }

    #[test]
    fn a_shuffle_is_pinned() {
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        shuffle(&mut items, &mut Seed(1).stream("shuffle"));
        assert_eq!(items, [5, 1, 7, 6, 3, 2, 4, 0]);
        items.sort_unstable();
        assert_eq!(items, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut rng = Seed(3).stream("below");
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[below(&mut rng, 5) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 120), "{seen:?}");
    }
}
