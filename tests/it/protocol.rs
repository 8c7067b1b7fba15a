//! `protocol.md` against the real referee: its transcripts, verbatim, in simulated time, and the
//! tables that repeat lists of the code.

use std::collections::BTreeSet;
use std::time::Duration;

use pitmaster::core::{
    At, Bank, BotHash, BotId, BySide, Dialect, Fault, GameKey, Limits, Seed, Side,
};
use pitmaster::games::find;
use pitmaster::referee::protocol::{GAME_LIMIT, LINE_LIMIT, TURN_LIMIT, VERSION};
use pitmaster::referee::{Action, Referee, SeatSetup, Setup};

const PAGE: &str = include_str!("../../protocol.md");

/// An example of the page.
pub(crate) struct Block {
    /// Location for error messages.
    pub(crate) place: usize,
    /// The first line, without the marks: the dialect and the facts.
    pub(crate) head: &'static str,
    lines: Vec<&'static str>,
}

pub(crate) fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = PAGE.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(head) = line.strip_prefix("```transcript ") else { continue };
        let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        blocks.push(Block { place: number + 1, head, lines: body.collect() });
    }
    blocks
}

/// Facts of a heading.
pub(crate) struct Facts {
    pub(crate) dialect: Dialect,
    pub(crate) player: Side,
    pub(crate) game: &'static str,
    pub(crate) seed: u64,
    pub(crate) position: Option<&'static str>,
    opening: String,
    lenient: bool,
    limits: Limits,
}

pub(crate) fn facts(head: &'static str) -> Facts {
    let (dialect, rest) = head.split_once(' ').expect("a dialect and facts");
    let mut facts = Facts {
        dialect: dialect.parse().expect("a dialect"),
        player: Side::One,
        game: "",
        seed: 0,
        position: None,
        opening: String::new(),
        lenient: false,
        limits: Limits::default(),
    };
    for fact in rest.split(' ') {
        match fact.split_once('=').expect("a fact is name=value") {
            ("player", number) => {
                facts.player =
                    Side::from_number(number.parse().expect("a number")).expect("1 or 2");
            }
            ("game", game) => facts.game = game,
            ("seed", seed) => facts.seed = seed.parse().expect("a seed"),
            ("from", position) => facts.position = Some(position),
            ("opening", moves) => facts.opening = moves.replace(',', " "),
            ("lenient", lenient) => facts.lenient = lenient == "true",
            ("clock", clock) => facts.limits = limits(clock),
            (other, _) => panic!("no such fact: {other}"),
        }
    }
    facts
}

/// Only the given limits, in ms.
fn limits(clock: &str) -> Limits {
    let millis = |text: &str| Duration::from_millis(text.parse().expect("ms"));
    let mut limits = Limits {
        per_move: None,
        first_move: None,
        per_game: None,
        plies: None,
        ..Limits::default()
    };
    for limit in clock.split(',') {
        match limit.split_once(':').expect("a limit is name:value") {
            ("move", time) => limits.per_move = Some(millis(time)),
            ("game", time) => limits.per_game = Some(millis(time)),
            ("plies", plies) => limits.plies = Some(plies.parse().expect("a number")),
            ("bank", bank) => {
                let (initial, increment) = bank.split_once('+').expect("initial+increment");
                let (initial, increment) = (millis(initial), millis(increment));
                limits.bank = Some(Bank { initial, increment });
            }
            (other, _) => panic!("no such limit: {other}"),
        }
    }
    limits
}

pub(crate) fn referee(facts: &Facts) -> Referee {
    let game = find(&facts.game.parse().expect("a game")).expect("it exists");
    let bot = |name: &str| BotId { name: name.parse().expect("a name"), hash: BotHash::of(b"") };
    let key = GameKey {
        rules: game.id(),
        limits: facts.limits.clone(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot("a"), bot("b")),
        opening: facts.opening.clone(),
        pair: 1,
    };
    // The opponent is of a dialect that needs no handshake.
    let seats = BySide::from_fn(|side| SeatSetup {
        dialect: if side == facts.player { facts.dialect } else { Dialect::Arena },
        lenient: facts.lenient,
        greeted: None,
        per_move: None,
    });
    let (seed, position) = (Seed(facts.seed), facts.position.map(str::to_owned));
    Referee::new(Setup { key, game, seed, seats, position }).expect("can begin")
}

/// An example being played.
struct Example {
    block: Block,
    referee: Referee,
    player: Side,
    now: At,
    /// The next line of the example.
    next: usize,
    /// Lines sent to the bot and not yet found in the example.
    sent: Vec<String>,
    /// Lines that the bot wrote after its move.
    early: Vec<&'static str>,
    said_goodbye: bool,
    /// Number of these lines according to the example.
    wrong_claims: usize,
}

impl Example {
    fn new(block: Block) -> Self {
        let facts = facts(block.head);
        Self {
            referee: referee(&facts),
            block,
            player: facts.player,
            now: At::START,
            next: 0,
            sent: Vec::new(),
            early: Vec::new(),
            said_goodbye: false,
            wrong_claims: 0,
        }
    }

    fn place(&self) -> String {
        let line = self.block.lines.get(self.next).unwrap_or(&"the end of the example");
        format!("protocol.md:{}: {line}", self.block.place + 1 + self.next)
    }

    fn play(mut self) {
        while let Some(&line) = self.block.lines.get(self.next) {
            match (line.get(..2).unwrap_or(line), line.get(2..).unwrap_or_default()) {
                ("> ", text) => self.expect(text),
                ("< " | "<", text) => self.write(text),
                ("* ", text) => self.opponent(text),
                ("~ ", millis) => self.pass(millis.parse().expect("ms")),
                ("? ", _) => self.wrong_claims += 1,
                ("= ", ending) => self.ended(ending, false),
                ("! ", ending) => self.ended(ending, true),
                ("..", _) => return self.goes_on(),
                _ => panic!("{}: no such mark", self.place()),
            }
            self.next += 1;
        }
        self.finish();
    }

    /// Expects this line from the referee. If the referee has not sent it yet, the opponent is to
    /// move, and plays the move in the line.
    fn expect(&mut self, text: &str) {
        self.settle();
        if self.sent.is_empty() && self.listens() == Some(self.player.other()) {
            let played = text.strip_prefix("played ").unwrap_or(text).to_owned();
            self.opponent(&played);
        }
        if self.sent.is_empty() {
            self.say_goodbye();
        }
        assert!(!self.sent.is_empty(), "{}: nothing is sent", self.place());
        assert_eq!(self.sent.remove(0), text, "{}", self.place());
    }

    fn write(&mut self, text: &'static str) {
        self.settle();
        assert_eq!(self.sent, Vec::<String>::new(), "{}: more was sent", self.place());
        match self.listens() {
            Some(side) if side == self.player => {
                self.referee.line(side, text.as_bytes(), self.now);
            }
            Some(_) => self.early.push(text),
            None => self.referee.after(self.player, text.as_bytes()),
        }
    }

    fn opponent(&mut self, text: &str) {
        self.settle();
        let other = self.player.other();
        assert_eq!(self.listens(), Some(other), "{}: the opponent is not to move", self.place());
        self.referee.line(other, text.as_bytes(), self.now);
        self.settle();
    }

    fn pass(&mut self, millis: u64) {
        self.settle();
        self.now = self.now + Duration::from_millis(millis);
        self.referee.timeout(self.now);
    }

    fn ended(&mut self, ending: &str, own_fault: bool) {
        self.settle();
        let Some(found) = self.referee.ending() else {
            panic!("{}: the game goes on", self.place())
        };
        assert_eq!(found.name(), ending, "{}", self.place());
        assert_eq!(found.fault_of(self.player).is_some(), own_fault, "{}", self.place());
        self.said_goodbye |= own_fault;
    }

    /// Ends an example that stops during the game.
    fn goes_on(mut self) {
        self.settle();
        assert_eq!(self.referee.ending(), None, "{}", self.place());
        self.check_claims();
    }

    fn finish(mut self) {
        self.say_goodbye();
        // The input is closed after that; `quit` says so where there may be more games.
        let rest: Vec<_> = self.sent.iter().filter(|line| *line != "quit").collect();
        assert!(rest.is_empty() || self.player_forfeited(), "{}: {rest:?}", self.place());
        self.check_claims();
    }

    fn player_forfeited(&self) -> bool {
        self.referee.ending().is_some_and(|ending| ending.fault_of(self.player).is_some())
    }

    fn check_claims(self) {
        let (place, expected) = (self.place(), self.wrong_claims);
        let mut referee = self.referee;
        if referee.ending().is_none() {
            let fault = pitmaster::core::RefereeFault::System { error: "stopped".into() };
            referee.void(fault);
        }
        let record = referee.finish(BySide::default());
        assert_eq!(record.wrong_claims.len(), expected, "{place}: {:?}", record.wrong_claims);
    }

    fn say_goodbye(&mut self) {
        if self.referee.ending().is_none() || std::mem::replace(&mut self.said_goodbye, true) {
            return;
        }
        let mut words = Vec::new();
        self.referee.farewell(self.player, &mut words);
        self.note(&words);
    }

    fn note(&mut self, sent: &[u8]) {
        let text = std::str::from_utf8(sent).expect("the referee writes UTF-8");
        self.sent.extend(text.lines().map(str::to_owned));
    }

    fn listens(&mut self) -> Option<Side> {
        match self.referee.next() {
            Action::Listen { side, .. } => Some(side),
            _ => None,
        }
    }

    /// Performs all actions of the referee until it waits.
    fn settle(&mut self) {
        loop {
            match self.referee.next() {
                Action::Start(side) => self.referee.started(side, self.now),
                Action::Send(side) => self.send(side),
                Action::Listen { .. } | Action::End => return,
            }
        }
    }

    fn send(&mut self, side: Side) {
        if side == self.player {
            if self.referee.is_turn() {
                for line in std::mem::take(&mut self.early) {
                    self.referee.early(side, line.as_bytes());
                }
            }
            if self.referee.next() != Action::Send(side) {
                return;
            }
            let outbox = self.referee.outbox().to_vec();
            self.note(&outbox);
        }
        self.referee.sent(side, self.now);
    }
}

#[test]
fn every_transcript_is_what_the_referee_does() {
    let blocks = blocks();
    assert!(blocks.len() >= 30, "only {} transcripts were found", blocks.len());
    for dialect in Dialect::ALL {
        assert!(blocks.iter().any(|block| block.head.starts_with(dialect.name())), "{dialect}");
    }
    for block in blocks {
        Example::new(block).play();
    }
}

/// The first cells of the rows of the table that begins with this header.
fn first_cells(header: &str) -> Vec<&'static str> {
    let rows = PAGE.lines().skip_while(|line| !line.starts_with(header)).skip(2);
    rows.map_while(|line| line.strip_prefix("| ")?.split(" |").next()).collect()
}

#[test]
fn every_forfeit_is_listed_in_order() {
    let listed: Vec<&str> =
        first_cells("| forfeit |").iter().map(|cell| cell.trim_matches('`')).collect();
    assert_eq!(listed, Fault::NAMES);
}

#[test]
fn bounds_and_version_are_those_of_the_code() {
    let bound = |what: &str| {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| {what}")));
        row.and_then(|row| row.split(" | ").nth(1)).map(str::to_owned).expect(what)
    };
    assert_eq!(bound("a line, without"), format!("{LINE_LIMIT} bytes"));
    assert_eq!(bound("standard output from"), format!("{} KiB", TURN_LIMIT / 1024));
    assert_eq!(bound("standard output in a game"), format!("{} MiB", GAME_LIMIT / (1024 * 1024)));
    assert!(PAGE.contains(&format!("This is version {VERSION}.")));
}

#[test]
fn every_dialect_has_its_section_and_its_row() {
    let rows: BTreeSet<&str> = first_cells("| dialect |").into_iter().collect();
    for dialect in Dialect::ALL {
        assert!(PAGE.contains(&format!("\n## Dialect {dialect}\n")), "{dialect}");
        assert!(rows.contains(format!("[`{dialect}`](#dialect-{dialect})").as_str()), "{rows:?}");
    }
}
