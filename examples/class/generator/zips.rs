//! Zip archives written byte by byte, so that anything can be wrong with them.

use std::io::Write as _;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

/// An entry of a zip archive.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Name in any encoding.
    pub(crate) name: Vec<u8>,
    pub(crate) content: Vec<u8>,
    /// Mode of Unix; `None` for an archive made on Windows, which has none.
    pub(crate) mode: Option<u32>,
    /// General purpose flags: 1 encrypted, 0x800 a name in UTF-8.
    pub(crate) flags: u16,
    pub(crate) is_deflated: bool,
    /// Checksum, if it is a wrong one.
    pub(crate) crc: Option<u32>,
    /// Size of the content, if it is a wrong one.
    pub(crate) declared: Option<u32>,
    /// Position of an earlier entry whose data it claims.
    pub(crate) shares: Option<usize>,
    /// Extra field of the central directory.
    pub(crate) extra: Vec<u8>,
}

impl Entry {
    /// A file with a name in UTF-8, marked as such.
    pub(crate) fn utf8(name: &str, content: &[u8]) -> Self {
        Self {
            name: name.as_bytes().to_vec(),
            content: content.to_vec(),
            mode: Some(0o100_644),
            flags: 0x800,
            is_deflated: true,
            crc: None,
            declared: None,
            shares: None,
            extra: Vec::new(),
        }
    }

    /// A file of an archive made on Windows, with a name in a code page and no mode.
    pub(crate) fn windows(name: &[u8], content: &[u8]) -> Self {
        Self { name: name.to_vec(), mode: None, flags: 0, ..Self::utf8("", content) }
    }

    /// A symbolic link.
    pub(crate) fn link(name: &str, target: &str) -> Self {
        Self { mode: Some(0o120_777), ..Self::utf8(name, target.as_bytes()).stored() }
    }

    /// The same without compression.
    pub(crate) fn stored(self) -> Self {
        Self { is_deflated: false, ..self }
    }

    fn packed(&self) -> Vec<u8> {
        if !self.is_deflated {
            return self.content.clone();
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.content).expect("writes to memory");
        encoder.finish().expect("writes to memory")
    }

    /// What the local and the central header have in common.
    fn common(&self, packed: usize, extra: u16) -> Vec<u8> {
        let mut crc = Crc::new();
        crc.update(&self.content);
        let mut bytes = Vec::new();
        // 2026-11-20 23:58, in the format of DOS.
        for field in [20, self.flags, if self.is_deflated { 8 } else { 0 }, 0xbf40, 0x5d74] {
            bytes.extend(field.to_le_bytes());
        }
        let size = self.declared.unwrap_or(self.content.len() as u32);
        for field in [self.crc.unwrap_or(crc.sum()), packed as u32, size] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend(extra.to_le_bytes());
        bytes
    }
}

/// Writes an archive.
pub(crate) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut out, mut central, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let data = entry.packed();
        let start = entry.shares.map_or(out.len(), |earlier| starts[earlier]);
        starts.push(start);
        if entry.shares.is_none() {
            out.extend(b"PK\x03\x04");
            out.extend(entry.common(data.len(), 0));
            out.extend(&entry.name);
            out.extend(&data);
        }
        central.extend(b"PK\x01\x02\x14");
        central.push(if entry.mode.is_some() { 3 } else { 0 });
        central.extend(entry.common(data.len(), entry.extra.len() as u16));
        central.extend([0; 6]);
        central.extend((entry.mode.unwrap_or_default() << 16).to_le_bytes());
        central.extend((start as u32).to_le_bytes());
        central.extend(&entry.name);
        central.extend(&entry.extra);
    }
    let start = out.len();
    out.extend(&central);
    end(&mut out, entries.len(), central.len(), start);
    out
}

/// The end of an archive, in the long form if there are many entries.
fn end(out: &mut Vec<u8>, entries: usize, size: usize, start: usize) {
    if entries > 0xffff {
        let at = out.len() as u64;
        out.extend(b"PK\x06\x06");
        out.extend(44_u64.to_le_bytes());
        out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for field in [entries, entries, size, start] {
            out.extend((field as u64).to_le_bytes());
        }
        out.extend(b"PK\x06\x07\0\0\0\0");
        out.extend(at.to_le_bytes());
        out.extend(1_u32.to_le_bytes());
    }
    out.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(entries).unwrap_or(u16::MAX).to_le_bytes();
    out.extend([count, count].concat());
    for field in [size, start] {
        out.extend((field as u32).to_le_bytes());
    }
    out.extend([0, 0]);
}

/// A gzipped tar archive of files with their modes.
pub(crate) fn tar_gz(files: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (name, content, mode) in files {
        let mut header = tar::Header::new_gnu();
        header.set_mode(*mode);
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, name, *content).expect("writes to memory");
    }
    archive.into_inner().and_then(GzEncoder::finish).expect("writes to memory")
}

/// A 7z archive.
pub(crate) fn seven_zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let out = std::io::Cursor::new(Vec::new());
    let mut archive = sevenz_rust2::ArchiveWriter::new(out).expect("writes to memory");
    for (name, content) in files {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        archive.push_archive_entry(entry, Some(*content)).expect("writes to memory");
    }
    archive.finish().expect("writes to memory").into_inner()
}
