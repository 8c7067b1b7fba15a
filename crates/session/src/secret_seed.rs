//! Secret seeds, to which a teacher commits by publishing their hash.

use pitmaster_core::Seed;

use crate::Error;

/// Draws a seed from the operating system, as large as a tournament file can hold.
///
/// # Errors
/// The system has no random numbers.
pub fn secret_seed() -> Result<Seed, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::Internal(format!("no random numbers: {error}")))?;
    Ok(Seed(u64::from_le_bytes(bytes) >> 1))
}
