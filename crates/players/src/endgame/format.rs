//! Binary format of a table: a line with the format name, the rules, the number of seeds, the
//! bounds of all positions in order, and a checksum of everything before.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use pitmaster_games::two_row::TwoRow;

use super::numbering::Numbering;
use super::{EndgameError, EndgameTable, rules};

/// First bytes of every version of the format.
const MAGIC: &[u8] = b"pitmaster endgame table ";
/// Version of the format.
const VERSION: &[u8] = b"1\n";
/// Maximum length of the text of the rules, in bytes.
const LONGEST_KEY: usize = 4096;
/// Length of the checksum at the end, in bytes.
const CHECKSUM: usize = 32;
/// Number of positions that are read or written at a time.
const CHUNK: usize = 1 << 16;

impl EndgameTable {
    /// Writes the table.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Summed { inner: out, sum: blake3::Hasher::new() };
        let key = rules::key(&self.rules);
        out.put(MAGIC)?;
        out.put(VERSION)?;
        out.put(&(key.len() as u32).to_le_bytes())?;
        out.put(key.as_bytes())?;
        out.put(&self.most().to_le_bytes())?;
        let mut bytes = Vec::with_capacity(2 * CHUNK);
        for entries in self.levels.iter().flat_map(|level| level.chunks(CHUNK)) {
            bytes.clear();
            bytes.extend(entries.iter().flat_map(|entry| entry.load(Relaxed).to_le_bytes()));
            out.put(&bytes)?;
        }
        let sum = out.sum.finalize();
        out.inner.write_all(sum.as_bytes())?;
        out.inner.flush()
    }

    /// Reads a table of a game.
    ///
    /// # Errors
    /// The bytes are not a table, the table of another game, or damaged.
    pub fn read(rules: &TwoRow, input: &mut dyn Read) -> Result<Self, EndgameError> {
        let rules = rules::open_ended(rules.params())?;
        let mut input = Summed { inner: input, sum: blake3::Hasher::new() };
        let most = input.most(&rules)?;
        let numbering = Numbering::new(Self::holes(&rules), most as usize);
        let mut levels = Vec::new();
        for seeds in 0..=most as usize {
            levels.push(input.level(numbering.boards(seeds))?);
        }
        let sum = input.sum.finalize();
        let mut written = [0; CHECKSUM];
        input.inner.read_exact(&mut written).map_err(cut_off)?;
        let is_last = input.inner.read(&mut [0])? == 0;
        if sum != written || !is_last {
            return Err(EndgameError::Damaged);
        }
        Ok(Self { rules, numbering, levels })
    }

    /// Reads only what precedes the bounds.
    ///
    /// # Errors
    /// The bytes are not a table, or the table of another game.
    pub fn read_header(
        rules: &TwoRow,
        input: &mut dyn Read,
    ) -> Result<EndgameHeader, EndgameError> {
        let rules = rules::open_ended(rules.params())?;
        let most = Summed { inner: input, sum: blake3::Hasher::new() }.most(&rules)?;
        let before = MAGIC.len() + VERSION.len() + 4 + rules::key(&rules).len() + 4;
        let around = (before + CHECKSUM) as u64;
        Ok(EndgameHeader { most, length: Self::bytes(&rules, most).saturating_add(around) })
    }

    /// Reads the checksum of a whole table, without checking it. It differs for different tables.
    ///
    /// # Errors
    /// The bytes are too few for a table, or cannot be read.
    pub fn read_checksum(input: &mut (impl Read + Seek)) -> Result<[u8; CHECKSUM], EndgameError> {
        let mut magic = [0; MAGIC.len()];
        let read = input.read_exact(&mut magic).map_err(cut_off);
        match read {
            Err(EndgameError::Damaged) => return Err(EndgameError::Foreign),
            read => read?,
        }
        if magic != MAGIC {
            return Err(EndgameError::Foreign);
        }
        let mut sum = [0; CHECKSUM];
        let length = input.seek(SeekFrom::End(0))?;
        if length < (MAGIC.len() + CHECKSUM) as u64 {
            return Err(EndgameError::Damaged);
        }
        input.seek(SeekFrom::Start(length - CHECKSUM as u64))?;
        input.read_exact(&mut sum).map_err(cut_off)?;
        Ok(sum)
    }
}

/// Header of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndgameHeader {
    /// Largest number of seeds of a position in the table.
    pub most: u32,
    /// Length of the whole table in bytes. A table with another length is damaged.
    pub length: u64,
}

/// Bytes and their checksum.
struct Summed<T> {
    inner: T,
    sum: blake3::Hasher,
}

impl Summed<&mut dyn Write> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl Summed<&mut dyn Read> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), EndgameError> {
        self.inner.read_exact(bytes).map_err(cut_off)?;
        self.sum.update(bytes);
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], EndgameError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads everything before the bounds, and returns the number of seeds.
    fn most(&mut self, rules: &TwoRow) -> Result<u32, EndgameError> {
        self.head()?;
        let (file, game) = (self.key()?, rules::key(rules));
        if file != game {
            return Err(EndgameError::OtherGame(rules::differing(&file, &game)));
        }
        let most = u32::from_le_bytes(self.take()?);
        if most > i8::MAX as u32 { Err(EndgameError::Damaged) } else { Ok(most) }
    }

    /// Reads the name and the version of the format. A file that is too short for them is not a
    /// table.
    fn head(&mut self) -> Result<(), EndgameError> {
        let foreign = |error| match error {
            EndgameError::Damaged => EndgameError::Foreign,
            error => error,
        };
        let mut magic = [0; MAGIC.len()];
        self.fill(&mut magic).map_err(foreign)?;
        if magic != MAGIC {
            return Err(EndgameError::Foreign);
        }
        let version: [u8; VERSION.len()] = self.take()?;
        if version == VERSION { Ok(()) } else { Err(EndgameError::Version) }
    }

    fn key(&mut self) -> Result<String, EndgameError> {
        let length = u32::from_le_bytes(self.take()?) as usize;
        if length > LONGEST_KEY {
            return Err(EndgameError::Damaged);
        }
        let mut key = vec![0; length];
        self.fill(&mut key)?;
        String::from_utf8(key).map_err(|_| EndgameError::Damaged)
    }

    /// Reads the bounds of this many positions. Memory grows with the data read, so that a wrong
    /// number of seeds allocates none.
    fn level(&mut self, boards: u64) -> Result<Vec<AtomicU16>, EndgameError> {
        let (mut level, mut bytes) = (Vec::new(), vec![0; 2 * CHUNK]);
        let mut left = boards;
        while left > 0 {
            let count = left.min(CHUNK as u64) as usize;
            let bytes = &mut bytes[..2 * count];
            self.fill(bytes)?;
            let entries = bytes.as_chunks().0.iter();
            level.extend(entries.map(|entry| AtomicU16::new(u16::from_le_bytes(*entry))));
            left -= count as u64;
        }
        level.shrink_to_fit();
        Ok(level)
    }
}

fn cut_off(error: io::Error) -> EndgameError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => EndgameError::Damaged,
        _ => EndgameError::Io(error),
    }
}
