//! Message signatures that prove which worker sent a message.
//!
//! Every client of the server can read and publish any message. Therefore a worker is identified by
//! a public key, and its messages are accepted only with a signature of its private key. A signed
//! message starts with a header line: the public key and the signature, as hexadecimal digits.

use std::fmt::{self, Write as _};

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

/// Number of hexadecimal digits of a public key.
const KEY_DIGITS: usize = 64;

/// Length in bytes of the header line: a key, a space, a signature, a newline.
const HEADER_LEN: usize = KEY_DIGITS + 1 + 128 + 1;

/// Context string that separates these signatures from those of every other program and version.
const CONTEXT: &str = "pitmaster cluster 2026-11 message";

/// Key pair of this worker. The private key never leaves this process.
pub(super) struct Identity(SigningKey);

/// Omits the private key.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.instance())
    }
}

impl Identity {
    /// Generates a new key pair.
    ///
    /// # Errors
    /// The system has no randomness.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)?;
        Ok(Self(SigningKey::from_bytes(&secret)))
    }

    /// Instance of this worker: its public key.
    pub(super) fn instance(&self) -> String {
        hex(self.0.verifying_key().as_bytes())
    }

    /// Signs a message for a subject.
    pub(super) fn seal(&self, subject: &str, message: &[u8]) -> Vec<u8> {
        let signature = self.0.sign(&digest(subject, message));
        let line = format!("{} {}\n", self.instance(), hex(&signature.to_bytes()));
        [line.as_bytes(), message].concat()
    }
}

/// Verifies a message received on a subject. Returns the signer and the message.
///
/// # Errors
/// There is no signature, or it does not match this message on this subject.
pub(super) fn open<'m>(subject: &str, sealed: &'m [u8]) -> Result<(String, &'m [u8]), String> {
    let unsigned = || "it has no worker's signature".to_owned();
    let (line, message) = sealed.split_at_checked(HEADER_LEN).ok_or_else(unsigned)?;
    let (key, rest) = line.split_at(KEY_DIGITS);
    let signature = rest.strip_prefix(b" ").and_then(|rest| rest.strip_suffix(b"\n"));
    let signature = signature.and_then(bytes::<64>).ok_or_else(unsigned)?;
    let public = bytes::<32>(key).ok_or_else(unsigned)?;
    let signer = VerifyingKey::from_bytes(&public).map_err(|_| unsigned())?;
    let is_genuine =
        signer.verify_strict(&digest(subject, message), &Signature::from_bytes(&signature)).is_ok();
    let forged = || "its signature does not match its sender".to_owned();
    is_genuine.then(|| (hex(&public), message)).ok_or_else(forged)
}

/// Digest to sign. It covers the purpose, the subject and the message.
fn digest(subject: &str, message: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    hasher.update(subject.as_bytes()).update(&[0]).update(message);
    *hasher.finalize().as_bytes()
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Decodes lower-case hexadecimal digits only, so that each key has one spelling.
fn bytes<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut all = [0; N];
    if digits.len() != N * 2 {
        return None;
    }
    for (byte, pair) in all.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = value(pair[0])? << 4 | value(pair[1])?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_message_is_valid_on_its_subject_only() {
        let worker = Identity::new().unwrap();
        for message in [&b""[..], b"{}", &vec![b'x'; 100_000]] {
            let sealed = worker.seal("pulse", message);
            assert_eq!(open("pulse", &sealed), Ok((worker.instance(), message)));
            assert!(open("ready", &sealed).is_err(), "another subject");
        }
    }

    #[test]
    fn a_changed_or_borrowed_signature_is_refused() {
        let [worker, other] = [(); 2].map(|()| Identity::new().unwrap());
        let (ours, theirs) = (worker.seal("pulse", b"42"), other.seal("pulse", b"42"));
        let borrowed = [worker.instance().as_bytes(), &theirs[KEY_DIGITS..]].concat();
        assert!(open("pulse", &borrowed).is_err());
        for at in [0, KEY_DIGITS, KEY_DIGITS + 1, HEADER_LEN - 1, HEADER_LEN] {
            let mut changed = ours.clone();
            changed[at] ^= 1;
            assert!(open("pulse", &changed).is_err(), "byte {at}");
        }
        for cut in [0, 1, KEY_DIGITS, HEADER_LEN - 1, ours.len() - 1] {
            assert!(open("pulse", &ours[..cut]).is_err(), "{cut} bytes");
        }
        let upper_case =
            [ours[..KEY_DIGITS].to_ascii_uppercase(), ours[KEY_DIGITS..].to_vec()].concat();
        assert!(
            worker.instance().bytes().all(|c| c.is_ascii_digit())
                || open("pulse", &upper_case).is_err()
        );
    }

    #[test]
    fn debug_output_omits_the_private_key() {
        let worker = Identity::new().unwrap();
        assert!(!format!("{worker:?}").contains(&hex(&worker.0.to_bytes())));
    }
}
