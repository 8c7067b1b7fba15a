//! A table as bytes: a line that names the format, the rules, the number of seeds, the bounds of
//! all positions in order, and a checksum of everything before.

use std::io::{self, Read, Write};
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
    /// The bytes are no table, the table of another game, or damaged.
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
        let mut written = [0; 32];
        input.inner.read_exact(&mut written).map_err(cut_off)?;
        let is_last = input.inner.read(&mut [0])? == 0;
        if sum != written || !is_last {
            return Err(EndgameError::Damaged);
        }
        Ok(Self { rules, numbering, levels })
    }

    /// Reads only how many seeds a table of a game goes up to.
    ///
    /// # Errors
    /// The bytes are no table, or the table of another game.
    pub fn read_most(rules: &TwoRow, input: &mut dyn Read) -> Result<u32, EndgameError> {
        let rules = rules::open_ended(rules.params())?;
        Summed { inner: input, sum: blake3::Hasher::new() }.most(&rules)
    }
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
            return Err(EndgameError::OtherGame { file, game });
        }
        let most = u32::from_le_bytes(self.take()?);
        if most > i8::MAX as u32 { Err(EndgameError::Damaged) } else { Ok(most) }
    }

    /// Reads the name and the version of the format. A file that is too short for them is
    /// something else.
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

    /// Reads the bounds of this many positions. Memory grows with what is there, so that a wrong
    /// number of seeds takes none.
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
