//! Hash chain of log lines.

use std::io;

use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Version of the format.
    pub version: u32,
    /// Number of the line, from 1.
    pub number: u64,
    /// Time in UTC, to the second.
    pub at: String,
    /// User of the operating system.
    pub who: String,
    /// Kind of the entry, such as `run-ended` or `void`.
    pub what: String,
    /// Subject of the entry.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Games in the folder afterward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Games>,
    /// Errors at the end of the log when the line was written. Empty if it was intact.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lost: String,
    /// Hash of the previous line. Empty in the first line.
    pub previous: String,
}

/// Numbers of attempts in a results folder, and a digest of the games that count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games {
    /// Attempts that count.
    pub valid: u64,
    /// Attempts that are void.
    pub void: u64,
    /// Attempts beyond an early stop.
    pub surplus: u64,
    /// Digest of the games that count, in the order of the plan; none at the start of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl Games {
    /// Total number of attempts.
    pub fn attempts(&self) -> u64 {
        self.valid + self.void + self.surplus
    }
}

impl Entry {
    pub(super) fn to_line(&self) -> io::Result<String> {
        pitmaster_core::json_line(self).map_err(io::Error::from)
    }
}

/// Parsed log.
pub(crate) struct Parsed {
    pub(crate) entries: Vec<Entry>,
    /// Errors, in line order.
    pub(crate) findings: Vec<String>,
    /// Hash of every line, including unreadable ones.
    pub(crate) hashes: Vec<String>,
}

/// Reads a log and checks its chain of hashes.
pub(crate) fn parse(text: &[u8]) -> Parsed {
    let mut parsed = Parsed { entries: Vec::new(), findings: Vec::new(), hashes: Vec::new() };
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    for line in text.split(|&byte| byte == b'\n').filter(|_| !text.is_empty()) {
        let number = parsed.hashes.len() as u64 + 1;
        match serde_json::from_slice::<Entry>(line) {
            Err(_) => parsed.findings.push(format!("line {number}: it cannot be read")),
            Ok(entry) => {
                let previous = parsed.hashes.last().map_or("", String::as_str);
                let is_next = entry.number == number && entry.previous == previous;
                if !is_next {
                    let what = "the line before it was changed or removed";
                    parsed.findings.push(format!("line {number}: {what}"));
                }
                if !entry.lost.is_empty() {
                    let what = format!("when it was written, {}", entry.lost);
                    parsed.findings.push(format!("line {number}: {what}"));
                }
                parsed.entries.push(entry);
            }
        }
        parsed.hashes.push(hash_of(line));
    }
    parsed
}

/// Hash of a line without its end.
pub(crate) fn hash_of(line: &[u8]) -> String {
    blake3::hash(line).to_hex()[..32].to_owned()
}
