//! Games out of a CSV file that anybody wrote: our own `games.csv`, or the results of whatever
//! else there is.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, BufReader, Cursor, Read};

use csv::{ByteRecord, StringRecord};

use super::{Names, Played};
use crate::ratings::{Game, PairId};
use crate::record::{BySide, Fault, Mark, Side, Untrusted};

/// So many faults are told; a file with more has something in common to all of them.
const MOST_FAULTS: usize = 20;

/// A header that is longer is none.
const LONGEST_HEADER: u64 = 64 << 10;

/// How much of a cell is shown in a fault, in characters.
const SHOWN: usize = 60;

/// A bot's name may have so many characters.
const LONGEST_NAME: usize = 200;

/// What a file held.
#[derive(Debug, Clone)]
pub struct GamesRead {
    /// The bots, in the order of their names.
    pub names: Names,
    /// The games, in the order of the lines.
    pub played: Played,
    /// Whether the file says which moves were played. Where it does not, every game is taken
    /// for one that was not played before.
    pub has_moves: bool,
}

/// What is wrong with a line, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    /// From 1.
    pub line: u64,
    /// What is wrong, and behind a semicolon what to do.
    pub message: String,
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Key {
    Bot1,
    Bot2,
    Result,
    Winner,
    Score1,
    Score2,
    Pair,
    Stage,
    Round,
    Opening,
    Ending,
    ForfeitedBy,
    Plies,
    Hash1,
    Hash2,
    Id,
    Moves,
}

/// What columns may be called; the first is ours.
const CALLED: &[(Key, &[&str])] = &[
    (Key::Bot1, &["bot1", "player1", "white", "bot_1", "player_1", "first", "home"]),
    (Key::Bot2, &["bot2", "player2", "black", "bot_2", "player_2", "second", "away"]),
    (Key::Result, &["result"]),
    (Key::Winner, &["winner"]),
    (Key::Score1, &["score1", "score_1"]),
    (Key::Score2, &["score2", "score_2"]),
    (Key::Pair, &["pair"]),
    (Key::Stage, &["stage"]),
    (Key::Round, &["round"]),
    (Key::Opening, &["opening"]),
    (Key::Ending, &["ending"]),
    (Key::ForfeitedBy, &["forfeited_by"]),
    (Key::Plies, &["plies"]),
    (Key::Hash1, &["hash1"]),
    (Key::Hash2, &["hash2"]),
    (Key::Id, &["id"]),
    (Key::Moves, &["fingerprint", "moves"]),
];

/// What stands for each result.
const RESULTS: &[(&[&str], [Mark; 2])] = &[
    (&["player-1", "1-0", "1", "1.0", "1,0"], [Mark::Win, Mark::Loss]),
    (&["player-2", "0-1", "0", "0.0", "0,0"], [Mark::Loss, Mark::Win]),
    (
        &["draw", "1/2-1/2", "0.5", "0,5", "1/2", "½-½", "½", "0.5-0.5", "="],
        [Mark::Draw, Mark::Draw],
    ),
    (&["both-lost", "0-0"], [Mark::Loss, Mark::Loss]),
];

const RESULT_WORDS: &str =
    "player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too)";

/// Reads games from a CSV file with a header: a column for each of the two bots, and one with
/// the result or the winner; `pair`, `stage`, `round`, `opening`, `ending`, `forfeited_by`,
/// `plies` and more as in `games.csv` where they are there, all others passed over. Cells are
/// separated by commas, semicolons or tabs, and may stand in quotes.
///
/// # Errors
/// All lines that cannot be read, up to a number.
pub fn read_games(input: impl Read) -> Result<GamesRead, Vec<LineFault>> {
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

fn in_header(message: String) -> LineFault {
    LineFault { line: 1, message }
}

/// Whichever stands most often in the header.
fn separator_of(header: &[u8]) -> u8 {
    let header = String::from_utf8_lossy(header);
    // Of equals the last is taken.
    let most =
        ['\t', ';', ','].into_iter().max_by_key(|&separator| header.matches(separator).count());
    most.map_or(b',', |separator| separator as u8)
}

/// Where what stands, and how many cells a line has.
#[derive(Clone, Copy)]
struct Columns {
    places: [Option<u16>; CALLED.len()],
    count: usize,
}

impl Columns {
    fn of(header: &ByteRecord) -> Result<Self, Vec<String>> {
        let names: Vec<_> =
            header.iter().map(|cell| plain(&String::from_utf8_lossy(cell))).collect();
        let mut columns = Self { places: [None; CALLED.len()], count: names.len() };
        let mut faults = Vec::new();
        for (key, called) in CALLED {
            let mut places = (0..names.len()).filter(|&n| called.contains(&&*names[n]));
            columns.places[*key as usize] = places.next().map(|place| place as u16);
            if let Some(second) = places.next() {
                let name = Untrusted::new(&*names[second]).shown(SHOWN);
                faults.push(format!("there are two columns for {}; rename {name}", called[0]));
            }
        }
        for key in [Key::Bot1, Key::Bot2] {
            if columns.places[key as usize].is_none() {
                let called = CALLED[key as usize].1;
                let [first, second, third, ..] = called else { continue };
                faults.push(format!(
                    "no column is called {first} (nor {second} or {third}); rename the one with \
                     the names of player {}",
                    if key == Key::Bot1 { 1 } else { 2 }
                ));
            }
        }
        let has = |key: Key| columns.places[key as usize].is_some();
        if !(has(Key::Result) || has(Key::Winner) || has(Key::Score1) && has(Key::Score2)) {
            faults.push(format!(
                "there is no column of results; call one result, with {RESULT_WORDS}, or winner, \
                 with a name or nothing for a draw"
            ));
        }
        if faults.is_empty() { Ok(columns) } else { Err(faults) }
    }
}

/// A column's name without what people write differently.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// A line.
struct Line<'a> {
    columns: &'a Columns,
    cells: &'a StringRecord,
}

impl<'a> Line<'a> {
    /// A cell without blanks around it; `None` if there is no such column, or nothing in it.
    fn cell(&self, key: Key) -> Option<&'a str> {
        let cell = self.cells.get(self.columns.places[key as usize]?.into())?.trim();
        (!cell.is_empty()).then_some(cell)
    }

    fn has(&self, key: Key) -> bool {
        self.columns.places[key as usize].is_some()
    }

    fn number(&self, key: Key) -> Result<Option<u32>, String> {
        let Some(cell) = self.cell(key) else { return Ok(None) };
        let name = CALLED[key as usize].1[0];
        cell.parse()
            .map(Some)
            .map_err(|_| format!("{name} is {}; write a whole number, or nothing", quoted(cell)))
    }

    fn bots(&self) -> Result<BySide<&'a str>, String> {
        let name = |key: Key| {
            let column = CALLED[key as usize].1[0];
            let name = self.cell(key).ok_or(format!("{column} is empty; write who played"))?;
            if name.chars().count() > LONGEST_NAME {
                return Err(format!("{column} has over {LONGEST_NAME} characters; shorten it"));
            }
            Ok(name)
        };
        let bots = BySide::new(name(Key::Bot1)?, name(Key::Bot2)?);
        if bots.one == bots.two {
            let name = quoted(bots.one);
            return Err(format!("{name} meets itself, which says nothing; leave the line out"));
        }
        Ok(bots)
    }

    /// Who forfeited.
    fn forfeits(&self, bots: BySide<&str>) -> Result<BySide<bool>, String> {
        let Some(cell) = self.cell(Key::ForfeitedBy) else { return Ok(BySide::default()) };
        let BySide { one, two } = bots;
        if cell == format!("{one} {two}") || cell == format!("{two} {one}") {
            return Ok(BySide::new(true, true));
        }
        let by = BySide::new(cell == one || cell == "player-1", cell == two || cell == "player-2");
        if by.one || by.two {
            return Ok(by);
        }
        let [cell, one, two] = [cell, one, two].map(quoted);
        Err(format!("forfeited_by is {cell}; write {one}, {two}, both with a blank, or nothing"))
    }

    fn marks(&self, bots: BySide<&str>, forfeits: BySide<bool>) -> Result<BySide<Mark>, String> {
        let result = self.cell(Key::Result).map(result).transpose()?;
        let winner = match self.cell(Key::Winner) {
            Some(winner) => Some(won_by(winner, bots)?),
            None if forfeits.one && forfeits.two => Some([Mark::Loss, Mark::Loss]),
            None if self.has(Key::Winner) => Some([Mark::Draw, Mark::Draw]),
            None => None,
        };
        // Nothing stands for a draw, but also for both having lost.
        let is_open = winner == Some([Mark::Draw, Mark::Draw]) && result.is_some_and(no_winner);
        let marks = match (result, winner) {
            (Some(result), Some(winner)) if result != winner && !is_open => {
                return Err("result and winner differ; correct one of them".into());
            }
            (Some(result), _) => result,
            (None, Some(winner)) => winner,
            (None, None) if self.has(Key::Result) => {
                return Err(format!("result is empty; write {RESULT_WORDS}"));
            }
            (None, None) => self.by_score()?,
        };
        Ok(BySide::new(marks[0], marks[1]))
    }

    fn by_score(&self) -> Result<[Mark; 2], String> {
        let score = |key: Key| -> Result<f64, String> {
            let name = CALLED[key as usize].1[0];
            let cell = self.cell(key).unwrap_or_default();
            let score: Option<f64> = cell.replace(',', ".").parse().ok();
            let score = score.filter(|score| score.is_finite());
            score.ok_or_else(|| format!("{name} is {}; write a number", quoted(cell)))
        };
        let (one, two) = (score(Key::Score1)?, score(Key::Score2)?);
        Ok(match one.total_cmp(&two) {
            std::cmp::Ordering::Greater => [Mark::Win, Mark::Loss],
            std::cmp::Ordering::Equal => [Mark::Draw, Mark::Draw],
            std::cmp::Ordering::Less => [Mark::Loss, Mark::Win],
        })
    }

    /// How each side forfeited: as the ending says, if that is a kind of forfeit.
    fn faults(&self, by: BySide<bool>, marks: BySide<Mark>) -> Result<BySide<Option<u8>>, String> {
        let ending = self.cell(Key::Ending).unwrap_or_default();
        let known = Fault::NAMES.iter().position(|name| *name == ending);
        let by = match (self.has(Key::ForfeitedBy), known) {
            (false, Some(_)) => marks.map(|mark| mark == Mark::Loss),
            (false, None) if ending == "both-forfeited" => BySide::new(true, true),
            _ => by,
        };
        if Side::BOTH.into_iter().any(|side| by[side] && marks[side] != Mark::Loss) {
            return Err("who forfeits has lost, and here has not; correct result or ending".into());
        }
        let kind = known.unwrap_or(Fault::NAMES.len()) as u8;
        Ok(by.map(|forfeited| forfeited.then_some(kind)))
    }
}

fn result(cell: &str) -> Result<[Mark; 2], String> {
    let word = cell.to_lowercase();
    let found = RESULTS.iter().find(|(words, _)| words.contains(&&*word));
    found.map(|(_, marks)| *marks).ok_or_else(|| match &*word {
        "void" | "*" => "the game has no result and does not count; leave the line out".into(),
        _ => format!("result is {}; write {RESULT_WORDS}", quoted(cell)),
    })
}

fn won_by(winner: &str, bots: BySide<&str>) -> Result<[Mark; 2], String> {
    match winner {
        name if name == bots.one => Ok([Mark::Win, Mark::Loss]),
        name if name == bots.two => Ok([Mark::Loss, Mark::Win]),
        "player-1" => Ok([Mark::Win, Mark::Loss]),
        "player-2" => Ok([Mark::Loss, Mark::Win]),
        "draw" => Ok([Mark::Draw, Mark::Draw]),
        other => {
            let [other, one, two] = [other, bots.one, bots.two].map(quoted);
            Err(format!("winner is {other}; write {one}, {two}, or nothing for a draw"))
        }
    }
}

fn no_winner(marks: [Mark; 2]) -> bool {
    marks.iter().all(|mark| *mark != Mark::Win)
}

fn quoted(cell: &str) -> String {
    format!("\"{}\"", Untrusted::new(cell).shown(SHOWN))
}

/// What was read so far.
struct Reading {
    columns: Columns,
    bots: HashMap<String, Bot>,
    /// On which line each game stands.
    ids: HashMap<String, u64>,
    played: Played,
    faults: Vec<LineFault>,
}

/// A bot as it was first met.
struct Bot {
    number: u32,
    hash: String,
    line: u64,
}

impl Reading {
    fn new(columns: Columns) -> Self {
        let (bots, ids) = (HashMap::new(), HashMap::new());
        Self { columns, bots, ids, played: Played::default(), faults: Vec::new() }
    }

    /// Reads one more line; whether there may be another.
    fn goes_on(&mut self, lines: &mut csv::Reader<impl Read>, record: &mut ByteRecord) -> bool {
        let line = |lines: &csv::Reader<_>| lines.position().line();
        match lines.read_byte_record(record) {
            Ok(true) => self.add(record),
            Ok(false) => return false,
            Err(error) => {
                self.faults.push(LineFault { line: line(lines), message: unreadable(&error) });
                return false;
            }
        }
        let is_enough = self.faults.len() >= MOST_FAULTS;
        if is_enough {
            let message = "no further lines were looked at; correct these first".into();
            self.faults.push(LineFault { line: line(lines), message });
        }
        !is_enough
    }

    fn add(&mut self, record: &ByteRecord) {
        // Spreadsheets write empty rows as separators and nothing else.
        if record.iter().all(<[u8]>::is_empty) {
            return;
        }
        let line = record.position().map_or(0, csv::Position::line);
        if let Err(message) = self.read(record, line) {
            self.faults.push(LineFault { line, message });
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

    /// Numbers the bots in the order of their names, as results do.
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

/// Games of which no pair is known are pairs of their own.
fn pair_of(line: &Line<'_>, games: usize) -> Result<PairId, String> {
    Ok(PairId {
        stage: line.number(Key::Stage)?.unwrap_or(1),
        round: line.number(Key::Round)?.unwrap_or(0),
        number: line.number(Key::Pair)?.unwrap_or(u32::MAX - games as u32),
    })
}

/// Equal where the same moves were played, so far as anybody knows.
fn fingerprint_of(moves: Option<&str>, games: usize) -> u64 {
    let hash = match moves {
        Some(moves) => blake3::hash(moves.as_bytes()),
        None => blake3::hash(&games.to_le_bytes()),
    };
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::made_up::{self, csv};
    use super::super::{GamesCsv, leaderboard};
    use super::*;
    use crate::ratings::{Matches, Model, Ranking, Standings};

    fn table(text: impl AsRef<[u8]>) -> String {
        let read = read_games(text.as_ref()).unwrap();
        let standings = Standings::new(read.names.len(), read.played.games(), &Ranking::default());
        leaderboard(&standings, &read.names).render(60)
    }

    fn faults(text: impl AsRef<[u8]>) -> String {
        let faults = read_games(text.as_ref()).unwrap_err();
        faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn our_own_file_gives_our_own_table() {
        let (records, roster) = made_up::tournament();
        let text = csv(|out| {
            let mut file = GamesCsv::new(out)?;
            records.iter().try_for_each(|record| file.add(record, None))?;
            file.finish()
        });
        let read = read_games(text.as_bytes()).unwrap();
        assert_eq!(read.names.iter().collect::<Vec<_>>(), ["alpha", "beta", "evil"]);
        let games = read.played.games();
        let ours: Vec<_> = records.iter().filter_map(|record| Game::of(record, &roster)).collect();
        assert_eq!(games.len(), ours.len());
        for (game, our) in games.iter().zip(&ours) {
            let name = |bot: &u32| roster.name(*bot).as_str();
            let names: Vec<_> = our.bots.iter().map(name).collect();
            let read_names: Vec<_> = game.bots.iter().map(|bot| read.names.name(*bot)).collect();
            assert_eq!((names, our.pair, our.marks), (read_names, game.pair, game.marks));
            let forfeited = |game: &Game| game.faults.map(|fault| fault.is_some());
            assert_eq!(forfeited(game), forfeited(our));
        }
        // What repeats an earlier game does so in the file too.
        assert_eq!(Matches::new(games).distinct(), Matches::new(&ours).distinct());
        assert!(read.has_moves);
        let standings =
            Standings::rated(read.names.len(), games, &Ranking::default(), &Model::default());
        insta::assert_snapshot!(leaderboard(&standings, &read.names).render(100), @"
        #  bot    games  distinct  W-D-L  points  win rate   95 %   Elo     ±  forfeits
        1  beta       8         6  4-1-3    4.50    50.0 %  19–81  1562  ±311         1
        2  alpha      6         4  3-1-2    3.50    50.0 %  15–85  1438  ±311
        3  evil       4         4  0-0-4    0.00     0.0 %   0–49  <610               4
        < at most: it lost every game that would show how strong it is.
        7 of 9 games were distinct; games played again narrow no interval.
        Player 1 has an advantage of 410 ±488 Elo; 29.5 % of the games between equals are draws.
        No significant difference in Elo (95 %, corrected by Holm): beta and alpha.
        ");
    }

    #[test]
    fn results_from_anywhere_are_read() {
        let chess = "White;Black;Result\nÉlise;Bob;1-0\nBob;Élise;½-½\n\"Bob\";Élise;0-1\n;;\n";
        insta::assert_snapshot!(table("\u{feff}".to_owned() + chess), @"
        #  bot    games  W-D-L  points  win rate  Elo  ±  forfeits
        1  Élise      3  2-1-0    2.50    66.7 %    -
        2  Bob        3  0-1-2    0.50     0.0 %    -
        ");
        assert_eq!(table(chess.replace(';', ",")), table(chess));
        assert_eq!(table(chess.replace(';', "\t").replace('\n', "\r\n")), table(chess));
        let winners = "player 1,player-2,winner\nÉlise,Bob,Élise\nBob,Élise,\nBob,Élise,Élise";
        assert_eq!(table(winners), table(chess));
        let points = "first,second,result\nÉlise,Bob,1\nBob,Élise,\"0,5\"\nBob,Élise,0\n";
        assert_eq!(table(points), table(chess));
        let scores = "bot1,bot2,score1,score2\nÉlise,Bob,30,18\nBob,Élise,24,24\nBob,Élise,9,12\n";
        assert_eq!(table(scores), table(chess));
    }

    #[test]
    fn forfeits_are_counted_by_their_kind() {
        let text = "bot1,bot2,winner,ending,forfeited_by\na,b,a,move-late,b\na,b,a,odd,b\n\
                    a,b,,both-forfeited,a b\na,b,b,rules:49+,\n";
        let read = read_games(text.as_bytes()).unwrap();
        let standings = Standings::new(2, read.played.games(), &Ranking::default());
        let b = standings.rows.iter().find(|row| row.bot == 1).unwrap();
        assert_eq!((b.forfeits[0], b.forfeits[15], b.forfeited(), b.losses), (1, 2, 3, 3));
        assert!(!read.has_moves);
        // Without the column the ending says it.
        let text = "bot1,bot2,result,ending\na,b,1-0,move-late\na,b,0-0,both-forfeited\n";
        let read = read_games(text.as_bytes()).unwrap();
        let faults: Vec<_> = read.played.games().iter().map(|game| game.faults).collect();
        assert_eq!(faults, [BySide::new(None, Some(0)), BySide::new(Some(15), Some(15))]);
    }

    #[test]
    fn every_wrong_line_is_told() {
        let text = b"id,bot1,bot2,result,winner,pair,plies,ending,forfeited_by,hash1\n\
            1,a,b,player-1,a,1,9,rules,,x\n\
            2,a,a,draw,,1,9,,,x\n\
            3,a,b,2-0,,1,9,,,x\n\
            4,a,b,player-1,b,1,9,,,x\n\
            5,a,b,player-1,c,1,9,,,x\n\
            6,a,b,player-1,a,one,9,,,x\n\
            7,a,b,player-1,a,1,-9,,,x\n\
            8,a,b,player-1,a,1,9,move-late,a,x\n\
            9,a,b,player-1,a,1,9,move-late,nobody,x\n\
            1,a,b,player-1,a,1,9,,,x\n\
            11,a,b,player-1,a,1,9,,,y\n\
            12,a,,player-1,a,1,9,,,x\n\
            13,a,b,player-1\n\
            14,\xe9lise,b,draw,,1,9,,,x\n\
            15,a,b,void,,1,9,,,x\n\
            16,a\x1b[2J,b,player-1,\xe2\x80\xae,1,9,,,x\n";
        insta::assert_snapshot!(faults(text), @r#"
        3: "a" meets itself, which says nothing; leave the line out
        4: result is "2-0"; write player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too)
        5: result and winner differ; correct one of them
        6: winner is "c"; write "a", "b", or nothing for a draw
        7: pair is "one"; write a whole number, or nothing
        8: plies is "-9"; write a whole number, or nothing
        9: who forfeits has lost, and here has not; correct result or ending
        10: forfeited_by is "nobody"; write "a", "b", both with a blank, or nothing
        11: the game stands on line 2 too; leave one of them out
        12: "a" has another hash than on line 2: two versions of a bot; give one another name
        13: bot2 is empty; write who played
        14: the line has 4 cells, and the header 10; correct it
        15: the line is no text in UTF-8; save the file as CSV in UTF-8
        16: the game has no result and does not count; leave the line out
        17: winner is "\u{202e}"; write "a\u{1b}[2J", "b", or nothing for a draw
        "#);
    }

    #[test]
    fn wrong_headers_are_told() {
        let said = [
            faults(""),
            faults("a,b,c\n1,2,3\n"),
            faults("bot1,white,bot2,result\n"),
            faults("bot1,bot2,score1\n"),
            faults([0xff, 0xfe, b'b', 0, b'o', 0, b't', 0]),
        ];
        insta::assert_snapshot!(said.join("\n\n"), @"
        1: the file is empty; its first line names columns

        1: no column is called bot1 (nor player1 or white); rename the one with the names of player 1
        1: no column is called bot2 (nor player2 or black); rename the one with the names of player 2
        1: there is no column of results; call one result, with player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too), or winner, with a name or nothing for a draw

        1: there are two columns for bot1; rename white

        1: there is no column of results; call one result, with player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too), or winner, with a name or nothing for a draw

        1: the file is UTF-16; save it as CSV in UTF-8
        ");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let header = b"bot1;bot2;result;winner;pair;forfeited_by;score1\n".to_vec();
            for text in [bytes.clone(), [header, bytes].concat()] {
                match read_games(&text[..]) {
                    Ok(read) => {
                        let bots = read.played.games().iter().map(|game| game.bots.one.max(game.bots.two));
                        prop_assert!(bots.max().is_none_or(|bot| (bot as usize) < read.names.len()));
                    }
                    Err(faults) => prop_assert!((1..=MOST_FAULTS + 1).contains(&faults.len())),
                }
            }
        }

        #[test]
        fn every_line_is_a_game_or_a_fault(lines in "([ab]{0,1};[abc]{1};(1-0|0-1|draw|won);{0,1}\n){0,15}") {
            let text = format!("bot1;bot2;result\n{lines}");
            let told = match read_games(text.as_bytes()) {
                Ok(read) => read.played.games().len(),
                Err(faults) => {
                    let wrong = |line: &str| {
                        let cells: Vec<_> = line.split(';').collect();
                        cells.len() != 3 || cells[0].is_empty() || cells[0] == cells[1]
                            || cells[2] == "won"
                    };
                    prop_assert_eq!(lines.lines().filter(|line| wrong(line)).count(), faults.len());
                    lines.lines().count()
                }
            };
            prop_assert_eq!(told, lines.lines().count());
        }
    }

    #[test]
    fn a_file_that_is_all_wrong_is_not_told_line_by_line() {
        let text = "bot1,bot2,result\n".to_owned() + &"a,b,won\n".repeat(1000);
        let told = faults(text);
        assert_eq!(told.lines().count(), MOST_FAULTS + 1);
        let last = told.lines().last().unwrap();
        assert_eq!(last, "22: no further lines were looked at; correct these first");
    }
}
