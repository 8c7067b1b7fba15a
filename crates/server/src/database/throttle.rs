//! Login throttle: failed attempts by account, whether or not the account exists.
//!
//! The counts are in the database, so that a restart does not reset them. An attempt counts as
//! failed when it begins and is forgiven when it succeeds, so that concurrent attempts cannot
//! exceed the limit.

use std::time::Duration;

use pitmaster_season::course::Utc;
use rusqlite::named_params;

use super::connection::Tx;
use super::error::Done;

/// Number of failed attempts without a delay.
pub const FREE_ATTEMPTS: u32 = 5;

/// Maximum delay between attempts.
pub const LONGEST_BLOCK: Duration = Duration::from_mins(15);

/// Time after which failed attempts expire.
const EXPIRY: Duration = Duration::from_hours(24);

/// Key of an account: hash of its login, so that a passphrase typed into the wrong field is not
/// stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AccountKey([u8; 32]);

impl AccountKey {
    pub(super) fn of(login: &str) -> Self {
        Self(*blake3::hash(login.trim().to_lowercase().as_bytes()).as_bytes())
    }
}

/// Delay after this many consecutive failures: 1 s after the fifth, doubling each time.
fn delay(failures: u32) -> Duration {
    let Some(beyond) = failures.checked_sub(FREE_ATTEMPTS) else { return Duration::ZERO };
    // 2^10 s exceed the maximum.
    Duration::from_secs(1 << beyond.min(10)).min(LONGEST_BLOCK)
}

/// Counts an attempt. Returns the number of failures including this one, or the end of the block.
pub(super) fn begin_attempt(tx: &Tx<'_>, account: AccountKey, now: Utc) -> Done<Result<u32, Utc>> {
    let sql = "SELECT failures, last, blocked_until FROM login_try WHERE account = ?1";
    let known = tx.one(sql, (account.0,), |row| {
        Ok((row.get::<_, u32>(0)?, Utc(row.get(1)?), Utc(row.get(2)?)))
    })?;
    let (failures, last, until) = known.unwrap_or((0, now, now));
    if until > now {
        return Ok(Err(until));
    }
    let failures = if now.since(last) > EXPIRY { 1 } else { failures.saturating_add(1) };
    tx.execute(
        "INSERT INTO login_try VALUES (:account, :failures, :last, :until)
         ON CONFLICT (account) DO UPDATE
             SET failures = :failures, last = :last, blocked_until = :until",
        named_params! {
            ":account": account.0,
            ":failures": failures,
            ":last": now.0,
            ":until": now.plus(delay(failures)).0,
        },
    )?;
    Ok(Ok(failures))
}

/// Resets the attempts of an account after a success.
pub(super) fn reset_attempts(tx: &Tx<'_>, account: AccountKey) -> Done<()> {
    tx.execute("DELETE FROM login_try WHERE account = ?1", (account.0,)).map(drop)
}

/// Uncounts an attempt that could not be verified.
pub(super) fn uncount_attempt(tx: &Tx<'_>, account: AccountKey) -> Done<()> {
    let sql = "UPDATE login_try SET failures = max(failures - 1, 0), blocked_until = last
               WHERE account = ?1";
    tx.execute(sql, (account.0,)).map(drop)
}

/// Removes expired attempts.
pub(super) fn tidy(tx: &Tx<'_>, now: Utc) -> Done<usize> {
    tx.execute("DELETE FROM login_try WHERE last < ?1", (now.minus(EXPIRY).0,))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_a_quarter_of_an_hour() {
        let seconds = |failures| delay(failures).as_secs();
        assert_eq!(
            (0..=16).map(seconds).collect::<Vec<_>>(),
            [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
        );
        assert_eq!(seconds(u32::MAX), 900);
    }

    #[test]
    fn one_account_has_one_key() {
        assert_eq!(AccountKey::of(" Eva "), AccountKey::of("eva"));
        assert_ne!(AccountKey::of("eva"), AccountKey::of("eve"));
    }
}
