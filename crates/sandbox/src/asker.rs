//! Reader for the memory of a thread whose system call waits for an answer.
//!
//! Must not depend on which call is asked about.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

/// Maximum length of a path in the kernel, including its NUL.
const PATH_LENGTH: usize = 4096;

/// Text at an address of a thread, up to its NUL.
pub(crate) fn text_at(thread: u32, address: u64) -> Option<Vec<u8>> {
    let mut text = vec![0; PATH_LENGTH];
    let length = memory_of(thread)?.read_at(&mut text, address).ok()?;
    let end = text[..length].iter().position(|&byte| byte == 0)?;
    text.truncate(end);
    Some(text)
}

/// `N` 64-bit numbers at an address of a thread.
pub(crate) fn numbers_at<const N: usize>(thread: u32, address: u64) -> Option<[i64; N]> {
    let mut bytes = [[0; 8]; N];
    memory_of(thread)?.read_exact_at(bytes.as_flattened_mut(), address).ok()?;
    Some(bytes.map(i64::from_ne_bytes))
}

fn memory_of(thread: u32) -> Option<File> {
    File::open(format!("/proc/{thread}/mem")).ok()
}
