//! What is fuzzed: plain functions of bytes that panic when a promise is broken.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pitmaster::bots::submission::archive::{
    self, Archive, ArchiveError, Unpacked, remove_folder, unpack_nested,
};
use pitmaster::games::two_row::file::{FileVersion, read};
use pitmaster::games::{GameState, Turn, find};
use pitmaster::referee::kgp;
use pitmaster::referee::protocol::{Framed, Framer, GAME_LIMIT, LINE_LIMIT, TURN_LIMIT};
use pitmaster::referee::protocol::{BotMessage, hear_answer, hear_handshake};
use pitmaster::core::{
    At, BotHash, BotId, BySide, Dialect, Exit, Fault, GameKey, Limits, Seed, Side,
};
use pitmaster::referee::{Action, Referee, SeatSetup, Setup};

/// The first byte says how much each read brings: that changes no line, and bounds hold.
pub fn framer(data: &[u8]) {
    let Some((&cut, bytes)) = data.split_first() else { return };
    let cut_up = lines(bytes, usize::from(cut) + 1);
    assert_eq!(cut_up, lines(bytes, usize::MAX));
    assert!(cut_up.iter().flatten().all(|line| line.len() <= LINE_LIMIT));
    let taken: usize = cut_up.iter().flatten().map(|line| line.len() + 1).sum();
    assert!(taken <= TURN_LIMIT.min(GAME_LIMIT));
}

/// All lines; `None` where a bound was exceeded.
fn lines(mut bytes: &[u8], cut: usize) -> Vec<Option<Vec<u8>>> {
    let (mut framer, mut lines) = (Framer::default(), Vec::new());
    loop {
        match framer.next() {
            Framed::Line => lines.push(Some(framer.line().to_vec())),
            Framed::TooLong | Framed::TooMuch(_) => {
                lines.push(None);
                return lines;
            }
            Framed::Partial if bytes.is_empty() => return lines,
            Framed::Partial => {
                let space = framer.space();
                let (read, rest) = bytes.split_at(cut.min(space.len()).min(bytes.len()));
                space[..read.len()].copy_from_slice(read);
                framer.filled(read.len());
                bytes = rest;
            }
        }
    }
}

/// Any line in any dialect: understood or a fault, and a move is one word.
pub fn dialects(line: &[u8]) {
    for dialect in Dialect::ALL {
        for side in Side::BOTH {
            for lenient in [false, true] {
                if let Ok(BotMessage::Move { text, .. }) = hear_answer(dialect, lenient, side, line) {
                    assert!(!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()));
                }
            }
        }
    }
    let _ = hear_handshake(line);
}

/// Limits of an archive that is fuzzed.
const ARCHIVE: archive::Limits = archive::Limits {
    bytes: 1 << 20,
    entries: 50,
    ratio: 100,
    nesting: 1,
    portable_names: true,
};

/// An archive of any format: refused or unpacked, within its limits and beneath its folder.
pub fn archive(data: &[u8]) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let place = std::env::temp_dir().join(format!("pitmaster-fuzz-{}-{number}", std::process::id()));
    let inside = place.join("a/b/c/inside");
    fs::create_dir_all(inside.parent().expect("a folder")).expect("a folder");
    fs::write(place.join("upload"), data).expect("writes");
    match unpacked(&place.join("upload"), &inside) {
        Ok(()) | Err(ArchiveError::Refused(_)) => {}
        Err(ArchiveError::Store(fault)) => panic!("the folder cannot be written: {fault}"),
    }
    let (mut files, mut bytes) = (0, 0);
    for_each_file(&place, &mut |path, size| {
        if path.starts_with(&inside) {
            (files, bytes) = (files + 1, bytes + size);
        } else {
            assert_eq!(path, place.join("upload"), "a file outside");
        }
    });
    assert!(files <= ARCHIVE.entries && bytes <= ARCHIVE.bytes, "{files} files, {bytes} bytes");
    remove_folder(inside.parent().expect("a folder"), "inside").expect("it can be removed");
    assert!(fs::symlink_metadata(&inside).is_err(), "it was not removed");
    fs::remove_dir_all(&place).expect("it can be removed");
}

fn unpacked(upload: &Path, to: &Path) -> Result<(), ArchiveError> {
    let file = fs::File::open(upload).expect("opens");
    let Some(mut archive) = Archive::recognize(file).expect("reads") else { return Ok(()) };
    let mut unpacked = Unpacked::create(to, ARCHIVE)?;
    archive.for_each(ARCHIVE.entries, &mut |entry| {
        let path = entry.path.clone();
        unpacked.put(&path, entry)
    })?;
    unpack_nested(unpacked).map(drop)
}

/// Calls `each` with all files and links beneath a folder, without following links.
fn for_each_file(folder: &Path, each: &mut impl FnMut(&Path, u64)) {
    for entry in fs::read_dir(folder).expect("reads").map(|entry| entry.expect("an entry")) {
        let facts = entry.path().symlink_metadata().expect("facts");
        if facts.is_dir() {
            for_each_file(&entry.path(), each);
        } else {
            each(&entry.path(), facts.len());
        }
    }
}

/// A parameter file of any age: read or refused, and what was read can be written and read.
pub fn game_file(data: &[u8]) {
    let Some((&age, bytes)) = data.split_first() else { return };
    let age = FileVersion::ALL.get(usize::from(age)).copied();
    let Ok(file) = read(&String::from_utf8_lossy(bytes), age) else { return };
    let toml = file.to_toml();
    if let Ok(again) = read(&toml, None) {
        assert_eq!((&again.params, &again.variants), (&file.params, &file.variants));
        assert_eq!(again.to_toml(), toml);
    } else {
        assert!(toml.len() > 1 << 15, "written but not read: {toml}");
    }
}

/// Lines as events: the first byte of each says what happens, the rest is what is said.
pub fn referee(data: &[u8]) {
    let Some((&kind, script)) = data.split_first() else { return };
    let (mut referee, mut now) = (begin(kind), At::START);
    for event in script.split(|&byte| byte == b'\n') {
        step(&mut referee, now);
        let (&what, said) = event.split_first().unwrap_or((&0, &[]));
        let side = Side::BOTH[usize::from(what & 1)];
        match what >> 1 & 7 {
            0 => now = now + Duration::from_millis(u64::from(what) * 10),
            1 => referee.timeout(now),
            2 => referee.early(side, said),
            3 => referee.early_part(side, said),
            4 => referee.fault(side, Fault::Exited { exit: Exit::Unknown }, now, None),
            _ => referee.line(side, said, now),
        }
    }
    be_silent(&mut referee, now);
    referee.finish(BySide::default());
}

fn begin(kind: u8) -> Referee {
    let game = find(&"coloured-awale".parse().expect("a game")).expect("it exists");
    let bot = BotId { name: "a".parse().expect("a name"), hash: BotHash::of(b"") };
    let key = GameKey {
        rules: game.id(),
        limits: Limits::default(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot.clone(), bot),
        opening: String::new(),
        pair: 1,
    };
    let dialect = |bits: u8| Dialect::ALL[usize::from(bits) % 3];
    let seat = |bits| SeatSetup { dialect: dialect(bits), lenient: kind & 1 == 1, greeted: None, per_move: None };
    let seats = BySide::new(seat(kind >> 1 & 3), seat(kind >> 3 & 3));
    Referee::new(Setup { key, game, seed: Seed(1), seats, position: None }).expect("can begin")
}

/// Does what is asked for, once.
fn step(referee: &mut Referee, now: At) {
    match referee.next() {
        Action::Start(side) => referee.started(side, now),
        Action::Send(side) => referee.sent(side, now),
        Action::Listen { .. } | Action::End => {}
    }
}

/// Once nobody says anything any more, every game ends soon.
fn be_silent(referee: &mut Referee, mut now: At) {
    for _ in 0..20 {
        step(referee, now);
        if let Action::Listen { until, .. } = referee.next() {
            now = now.max(until.expect("there is a limit") + Duration::from_nanos(1));
            referee.timeout(now);
        }
    }
    assert_eq!(referee.next(), Action::End);
}

/// A position and moves, a line each: a text is legal if and only if it is listed, and what
/// is written is read back.
pub fn awale_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let game = find(&"coloured-awale".parse().expect("a game")).expect("it exists");
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut table = match game.resume(first) {
        Ok(table) => {
            assert_eq!(table.position(), first, "there is one way to write a position");
            table
        }
        Err(_) => game.begin(),
    };
    for text in lines {
        play_by_the_law(&mut *table, text);
        let position = table.position();
        assert_eq!(game.resume(&position).expect("a position").position(), position);
    }
}

fn play_by_the_law(table: &mut dyn GameState, text: &str) {
    let (mut listed, mut written) = (String::new(), String::new());
    table.list_moves(&mut listed);
    let is_listed = listed.split_ascii_whitespace().any(|mv| mv.eq_ignore_ascii_case(text));
    let before = table.position();
    assert_eq!(table.play(text, &mut written).is_ok(), is_listed, "{text:?}");
    if is_listed {
        assert!(listed.split_ascii_whitespace().any(|mv| mv == written), "{written:?}");
    } else {
        assert_eq!(table.position(), before);
    }
}

/// A game by name and options, a position of it and moves, a line each: what is asked
/// is legal if and only if it is listed or completes a template, and what is written is read
/// back. Chance steps are drawn in between.
pub fn game_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.lines();
    let Ok(spec) = lines.next().unwrap_or_default().parse() else { return };
    let Ok(game) = find(&spec) else { return };
    let first = lines.next().unwrap_or_default();
    let mut table = game.resume(first).unwrap_or_else(|_| game.begin());
    let mut rng = Seed(data.len() as u64).stream("fuzz");
    for text in lines {
        while table.turn() == Turn::Chance {
            table.draw(&mut rng);
        }
        if text.is_empty() {
            table.play_random(&mut rng);
        } else {
            play_listed_or_completed(&mut *table, text);
        }
        let _ = (table.board(), table.score(), table.adjudicate());
        let position = table.position();
        assert_eq!(game.resume(&position).expect("a position").position(), position);
    }
}

fn play_listed_or_completed(table: &mut dyn GameState, text: &str) {
    let (mut listed, mut written) = (String::new(), String::new());
    table.list_moves(&mut listed);
    let before = table.position();
    let names = |text: &str| {
        listed.split_ascii_whitespace().any(|mv| match mv.split_once('*') {
            Some((layout, _)) => text.starts_with(layout),
            None => mv.eq_ignore_ascii_case(text),
        })
    };
    match table.play(text, &mut written) {
        Ok(()) => assert!(names(&written), "{written:?} was played, of{listed}"),
        Err(_) => {
            assert_eq!(table.position(), before);
            // A template is listed, and no move as it stands.
            let mut moves = listed.split_ascii_whitespace().filter(|mv| !mv.contains('*'));
            assert!(!moves.any(|mv| mv.eq_ignore_ascii_case(text)), "{text:?}{listed}");
        }
    }
}

/// What a KGP client sends, cut by the first byte: the cuts change nothing, every line that can be
/// read is read without a panic, and the answers are lines that can be read again.
pub fn kgp(data: &[u8]) {
    let Some((&cut, bytes)) = data.split_first() else { return };
    let (answers, events) = kgp_answers(bytes, usize::from(cut) + 1);
    let whole = kgp_answers(bytes, usize::MAX);
    // What is read before the pace is exceeded depends on the cuts.
    let is_fast = |events: &[kgp::Event]| events.contains(&kgp::Event::Ended(kgp::End::TooFast));
    if !is_fast(&events) && !is_fast(&whole.1) {
        assert_eq!((&answers, &events), (&whole.0, &whole.1));
    }
    for answer in answers {
        let line = answer.strip_suffix("\r\n").expect("CR LF");
        assert!(!line.contains(['\r', '\n']) && line.len() <= kgp::LINE_LIMIT);
        let parsed = kgp::parse(line).expect("a line");
        assert_eq!(parsed.id.is_none(), parsed.name == "goodbye");
    }
}

fn kgp_answers(bytes: &[u8], cut: usize) -> (Vec<String>, Vec<kgp::Event>) {
    let mut connection = kgp::Connection::new(At::START);
    let board = "<3,0,0,3,3,3,3,3,3>".parse().expect("a board");
    for chunk in bytes.chunks(cut.min(bytes.len()).max(1)) {
        connection.bytes(chunk, At::START);
    }
    connection.accept(At::START);
    connection.begin_game(kgp::GameFacts::default());
    connection.ask(&board, At::START);
    let now = At::START + kgp::TURN + Duration::from_secs(1);
    for chunk in bytes.chunks(cut.min(bytes.len()).max(1)) {
        connection.bytes(chunk, now);
    }
    connection.stop();
    let lines = std::iter::from_fn(|| connection.next_line()).collect();
    (lines, std::iter::from_fn(|| connection.next_event()).collect())
}

/// Makes a program of a function: for libFuzzer, or for one input from a file.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(feature = "libfuzzer")]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| pitmaster_fuzz::$name(data));

        #[cfg(not(feature = "libfuzzer"))]
        fn main() {
            let path = std::env::args_os().nth(1).expect("the file with the input");
            pitmaster_fuzz::$name(&std::fs::read(path).expect("the file can be read"));
        }
    };
}
