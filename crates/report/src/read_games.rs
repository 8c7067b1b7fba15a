//! Game list import from CSV: Pitmaster's own `games.csv`, or results of other programs.

mod columns;
mod line;

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, BufReader, Cursor, Read};

use columns::{Columns, Key};
use csv::{ByteRecord, StringRecord};
use line::{Line, fingerprint_of, pair_of, quoted};
use pitmaster_core::BySide;
use pitmaster_ratings::Game;

use super::{GameSample, Names};

/// Maximum number of reported errors. More errors usually have a common cause.
const MOST_FAULTS: usize = 20;

/// Maximum length of a header, in bytes.
const LONGEST_HEADER: u64 = 64 << 10;

/// Maximum length of a bot's name, in characters.
const LONGEST_NAME: usize = 200;

/// Content of an imported file.
#[derive(Debug, Clone)]
pub struct GamesRead {
    /// The bots, sorted by name.
    pub names: Names,
    /// The games, in the order of the lines.
    pub played: GameSample,
    /// Whether the file contains the moves. Otherwise every game counts as distinct.
    pub has_moves: bool,
}

/// An error in a line, with its correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// Line number, from 1.
    pub line: u64,
    /// Problem and, after a semicolon, what to do.
    pub message: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// Reads games from a CSV file with a header. It requires a column for each of the two bots, and
/// one with the result or the winner. `pair`, `stage`, `round`, `opening`, `ending`,
/// `forfeited_by`, `plies` and more, as in `games.csv`, are optional. All other columns are
/// ignored. Cells are separated by commas, semicolons or tabs, and may be quoted.
///
/// # Errors
/// All lines that cannot be read, up to a maximum number.
pub fn read_games(input: impl Read) -> Result<GamesRead, Vec<LineError>> {
    let mut lines = lines_of(BufReader::new(input)).map_err(|message| vec![in_header(message)])?;
    let mut record = ByteRecord::new();
    let columns = match lines.read_byte_record(&mut record) {
        Ok(true) => Columns::of(&record),
        Ok(false) => Err(vec!["the file is empty; its first line names columns".into()]),
        Err(error) => Err(vec![unreadable(&error)]),
    };
    let in_headers =
        |messages: Vec<String>| messages.into_iter().map(in_header).collect::<Vec<_>>();
    let mut reading = Reading::new(columns.map_err(in_headers)?);
    while reading.goes_on(&mut lines, &mut record) {}
    if reading.faults.is_empty() { Ok(reading.finish()) } else { Err(reading.faults) }
}

/// The lines of a file, the header first.
fn lines_of<R: Read>(mut input: BufReader<R>) -> Result<csv::Reader<impl Read>, String> {
    let mut header = Vec::new();
    let first = input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut header);
    first.map_err(|error| unreadable(&error))?;
    if header.starts_with(&[0xff, 0xfe]) || header.starts_with(&[0xfe, 0xff]) {
        return Err("the file is UTF-16; save it as CSV in UTF-8".into());
    }
    let header = header.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&header).to_vec();
    let mut lines = csv::ReaderBuilder::new();
    lines.delimiter(separator_of(&header)).has_headers(false).flexible(true);
    Ok(lines.from_reader(Cursor::new(header).chain(input)))
}

fn unreadable(error: &dyn fmt::Display) -> String {
    format!("the file cannot be read ({error}); check it")
}

fn in_header(message: String) -> LineError {
    LineError { line: 1, message }
}

/// Most frequent separator in the header.
fn separator_of(header: &[u8]) -> u8 {
    let header = String::from_utf8_lossy(header);
    // The last one wins a tie.
    let most =
        ['\t', ';', ','].into_iter().max_by_key(|&separator| header.matches(separator).count());
    most.map_or(b',', |separator| separator as u8)
}

/// Games read so far.
struct Reading {
    columns: Columns,
    bots: HashMap<String, Bot>,
    /// Line of each game.
    ids: HashMap<String, u64>,
    played: GameSample,
    faults: Vec<LineError>,
}

/// A bot at its first occurrence.
struct Bot {
    number: u32,
    hash: String,
    line: u64,
}

impl Reading {
    fn new(columns: Columns) -> Self {
        let (bots, ids) = (HashMap::new(), HashMap::new());
        Self { columns, bots, ids, played: GameSample::default(), faults: Vec::new() }
    }

    /// Reads one line. Returns whether there may be another.
    fn goes_on(&mut self, lines: &mut csv::Reader<impl Read>, record: &mut ByteRecord) -> bool {
        let line = |lines: &csv::Reader<_>| lines.position().line();
        match lines.read_byte_record(record) {
            Ok(true) => self.add(record),
            Ok(false) => return false,
            Err(error) => {
                self.faults.push(LineError { line: line(lines), message: unreadable(&error) });
                return false;
            }
        }
        let is_enough = self.faults.len() >= MOST_FAULTS;
        if is_enough {
            let message = "no further lines were looked at; correct these first".into();
            self.faults.push(LineError { line: line(lines), message });
        }
        !is_enough
    }

    fn add(&mut self, record: &ByteRecord) {
        // Spreadsheets write empty rows as lines of separators.
        if record.iter().all(<[u8]>::is_empty) {
            return;
        }
        let line = record.position().map_or(0, csv::Position::line);
        if let Err(message) = self.read(record, line) {
            self.faults.push(LineError { line, message });
        }
    }

    fn read(&mut self, record: &ByteRecord, line: u64) -> Result<(), String> {
        let cells = StringRecord::from_byte_record(record.clone()).map_err(|_| {
            "the line is no text in UTF-8; save the file as CSV in UTF-8".to_owned()
        })?;
        if cells.len() != self.columns.count {
            let (here, there) = (cells.len(), self.columns.count);
            return Err(format!("the line has {here} cells, and the header {there}; correct it"));
        }
        let columns = self.columns;
        let of = Line { columns: &columns, cells: &cells };
        let bots = of.bots()?;
        let forfeits = of.forfeits(bots)?;
        let marks = of.marks(bots, forfeits)?;
        let faults = of.faults(forfeits, marks)?;
        let plies = of.number(Key::Plies)?;
        let pair = pair_of(&of, self.played.games().len())?;
        let hashes =
            BySide::new(Key::Hash1, Key::Hash2).map(|key| of.cell(key).unwrap_or_default());
        let text = |key: Key| of.cell(key).unwrap_or_default();
        let (opening, ending) = (text(Key::Opening), text(Key::Ending));
        let fingerprint = fingerprint_of(of.cell(Key::Moves), self.played.games().len());
        if let Some(before) = of.cell(Key::Id).and_then(|id| self.ids.insert(id.to_owned(), line)) {
            return Err(format!("the game stands on line {before} too; leave one of them out"));
        }
        let numbers = BySide::new(
            self.number(bots.one, hashes.one, line)?,
            self.number(bots.two, hashes.two, line)?,
        );
        let game = Game { fingerprint, bots: numbers, pair, marks, faults };
        self.played.add(game, opening, ending, plies);
        Ok(())
    }

    fn number(&mut self, name: &str, hash: &str, line: u64) -> Result<u32, String> {
        let next = self.bots.len() as u32;
        if !self.bots.contains_key(name) {
            let bot = Bot { number: next, hash: hash.to_owned(), line };
            self.bots.insert(name.to_owned(), bot);
            return Ok(next);
        }
        let known = &self.bots[name];
        if known.hash == hash {
            return Ok(known.number);
        }
        Err(format!(
            "{} has another hash than on line {}: two versions of a bot; give one another name",
            quoted(name),
            known.line
        ))
    }

    /// Numbers the bots in name order, as in results.
    fn finish(self) -> GamesRead {
        let mut bots: Vec<_> = self.bots.into_iter().collect();
        bots.sort_by(|a, b| a.0.cmp(&b.0));
        let mut names = Names::default();
        let mut numbers = vec![0; bots.len()];
        for ((name, bot), number) in bots.iter().zip(0..) {
            names.push(name, &bot.hash);
            numbers[bot.number as usize] = number;
        }
        let mut played = self.played;
        played.renumber(&numbers);
        let has_moves = self.columns.places[Key::Moves as usize].is_some();
        GamesRead { names, played, has_moves }
    }
}

#[cfg(test)]
mod tests;
