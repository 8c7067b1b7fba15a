//! Size of a 7z archive's file list, read before memory is allocated for it.
//!
//! The archive reader has a single limit for the list and for its compression dictionary, and
//! common dictionaries exceed the limit for lists. This module supports plain lists and lists
//! compressed as a single block.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

/// Longest description of a packed list, in bytes.
const LONGEST: u64 = 4096;

const LIST: u8 = 0x01;
const PACKED_LIST: u8 = 0x17;
const PACK_INFO: u8 = 0x06;
const BLOCK_INFO: u8 = 0x07;
const SIZES: u8 = 0x09;
const CHECKSUMS: u8 = 0x0a;
const BLOCKS: u8 = 0x0b;
const UNPACKED_SIZES: u8 = 0x0c;

/// Size of the unpacked list, in bytes.
///
/// # Errors
/// The archive is damaged, or its list is compressed in an unusual way.
pub(super) fn list_size(mut file: &File) -> io::Result<u64> {
    let mut start = [0; 32];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut start)?;
    let field = |at: usize| {
        let bytes = start[at..at + 8].try_into().unwrap_or_default();
        u64::from_le_bytes(bytes)
    };
    let (offset, size) = (field(12), field(20));
    let at = offset.checked_add(32).ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(at))?;
    let mut text = Vec::new();
    file.take(size.min(LONGEST)).read_to_end(&mut text)?;
    match text.split_first() {
        // An archive without files has no list.
        None => Ok(0),
        Some((&LIST, _)) => Ok(size),
        Some((&PACKED_LIST, rest)) => Bytes(rest).unpacked_size().ok_or_else(damaged),
        Some(_) => Err(damaged()),
    }
}

fn damaged() -> io::Error {
    io::Error::other("its list of files cannot be read")
}

/// The description of a packed list.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        (self.byte()? == wanted).then_some(())
    }

    /// Reads a number. The leading set bits of its first byte are the number of further bytes.
    fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let mut value = 0;
        for at in 0..more {
            value |= u64::from(self.byte()?) << (8 * at);
        }
        let high = u64::from(first) & (0xff_u64 >> (more + 1).min(8));
        Some(value | high.checked_shl(8 * more).unwrap_or(0))
    }

    fn unpacked_size(mut self) -> Option<u64> {
        self.expect(PACK_INFO)?;
        self.number()?;
        let packed = self.number()?;
        self.expect(SIZES)?;
        for _ in 0..packed.min(LONGEST) {
            self.number()?;
        }
        let mut next = self.byte()?;
        if next == CHECKSUMS {
            self.expect(1)?;
            self.skip(packed.checked_mul(4)?)?;
            next = self.byte()?;
        }
        (next == 0).then_some(())?;
        self.expect(BLOCK_INFO)?;
        self.expect(BLOCKS)?;
        // One block, described in place.
        self.expect(1)?;
        self.expect(0)?;
        let outputs = self.outputs()?;
        self.expect(UNPACKED_SIZES)?;
        let sizes = (0..outputs).map(|_| self.number()).collect::<Option<Vec<_>>>()?;
        sizes.into_iter().max()
    }

    /// Number of outputs of the block's coders.
    fn outputs(&mut self) -> Option<u64> {
        let (mut inputs, mut outputs) = (0_u64, 0_u64);
        for _ in 0..self.number()?.min(LONGEST) {
            let flags = self.byte()?;
            self.skip(u64::from(flags & 0x0f))?;
            let (ins, outs) =
                if flags & 0x10 == 0 { (1, 1) } else { (self.number()?, self.number()?) };
            (inputs, outputs) = (inputs.checked_add(ins)?, outputs.checked_add(outs)?);
            if flags & 0x20 != 0 {
                let length = self.number()?;
                self.skip(length)?;
            }
        }
        let pairs = outputs.checked_sub(1)?;
        let packed = inputs.checked_sub(pairs)?;
        let numbers = pairs.checked_mul(2)?.checked_add(if packed > 1 { packed } else { 0 })?;
        for _ in 0..numbers.min(LONGEST) {
            self.number()?;
        }
        (outputs <= LONGEST).then_some(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_bytes_as_they_need() {
        let number = |bytes: &[u8]| Bytes(bytes).number();
        assert_eq!(number(&[0x7f]), Some(127));
        assert_eq!(number(&[0x80, 0xff]), Some(255));
        assert_eq!(number(&[0x9f, 0xff]), Some(0x1fff));
        assert_eq!(number(&[0xc1, 2, 3]), Some(0x1_0302));
        assert_eq!(number(&[0xff, 1, 0, 0, 0, 0, 0, 0, 0x80]), Some(0x8000_0000_0000_0001));
        assert_eq!(number(&[0x80]), None);
    }
}
