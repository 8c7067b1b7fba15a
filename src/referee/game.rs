//! The machine itself.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;

use super::clock::{Out, TurnClock, move_limit};
use super::seat::{Farewell, Progress, Seat, SeatSetup};
use crate::games::{Game, MoveFault, Outcome, Table, Turn};
use crate::protocol::{self, Claimed, Opened, Remaining, Said, Shake, Want};
use crate::record::{
    At, BySide, Claim, Dialect, Ending, Evidence, Exit, Fault, GameKey, Ply, Record, RefereeFault,
    Remark, Seed, Side, Untrusted,
};

/// The most of a remark that is kept, in bytes.
const REMARK_LIMIT: usize = 200;

/// The most of a line that is kept, in bytes.
const EVIDENCE_LINE_LIMIT: usize = protocol::LINE_LIMIT;

/// The most wrong claims that are kept of a game.
const CLAIM_LIMIT: usize = 20;

/// What a game needs.
#[derive(Debug)]
pub struct Setup {
    /// Which game it is.
    pub key: GameKey,
    /// Its rules.
    pub game: Arc<dyn Game>,
    /// Its seed.
    pub seed: Seed,
    /// How each side is spoken to.
    pub seats: BySide<SeatSetup>,
    /// Where it begins, if not at the start of the rules.
    pub position: Option<String>,
}

/// A game that cannot be begun.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// Its position is none.
    #[error("the position to begin from cannot be read: {0}")]
    Position(String),
    /// A move of its opening is not legal.
    #[error("the opening cannot be played: {text} is not legal there")]
    Opening {
        /// Which.
        text: String,
    },
}

/// What whoever drives the referee has to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Do {
    /// Start the process of a side.
    Start(Side),
    /// Send [`Referee::outbox`] to a side.
    Send(Side),
    /// Wait for a line of a side, until that instant has passed.
    Listen {
        /// Whose.
        side: Side,
        /// The last instant that is still in time; `None`: for ever.
        until: Option<At>,
    },
    /// The game is over.
    End,
}

/// What is left of a side's process after the game.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// The end of its standard error.
    pub stderr: Untrusted,
    /// How it ended, if it did by itself.
    pub exit: Option<Exit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Greeting,
    NewGame,
    Turn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// What comes next is to be found out.
    Between,
    Starting(Side),
    Sending(Side, Asked),
    Listening(Side, Asked),
}

/// One game, refereed.
#[derive(Debug)]
pub struct Referee {
    setup: Setup,
    table: Box<dyn Table>,
    chance: ChaCha8Rng,
    seats: BySide<Seat>,
    stage: Stage,
    mover: Side,
    clock: TurnClock,
    /// When the first turn was sent.
    began: Option<At>,
    /// The last instant that was heard of.
    now: At,
    outbox: Vec<u8>,
    moves: String,
    plies: Vec<Ply>,
    remarks: Vec<Remark>,
    info: Option<Untrusted>,
    wrong_claims: Vec<Claim>,
    evidence: BySide<Option<Evidence>>,
    ending: Option<Ending>,
    opening: String,
}

impl Referee {
    /// Sets up the board and plays the opening.
    pub fn new(setup: Setup) -> Result<Self, SetupFault> {
        let table = match &setup.position {
            Some(text) => {
                setup.game.resume(text).map_err(|fault| SetupFault::Position(fault.to_string()))?
            }
            None => setup.game.begin(),
        };
        let limits = &setup.key.limits;
        let bank = limits.bank.map_or(Duration::ZERO, |bank| bank.initial);
        let clock = TurnClock {
            sent: At::START,
            per_move: None,
            bank: None,
            game_over: None,
            margin: limits.margin,
        };
        let mut referee = Self {
            table,
            chance: setup.seed.stream("chance"),
            seats: BySide::from_fn(|side| Seat::new(setup.seats[side], bank)),
            stage: Stage::Between,
            mover: Side::One,
            clock,
            began: None,
            now: At::START,
            outbox: Vec::with_capacity(1024),
            moves: String::new(),
            plies: Vec::with_capacity(128),
            remarks: Vec::new(),
            info: None,
            wrong_claims: Vec::new(),
            evidence: BySide::default(),
            ending: None,
            opening: String::new(),
            setup,
        };
        referee.play_opening()?;
        Ok(referee)
    }

    fn play_opening(&mut self) -> Result<(), SetupFault> {
        let opening = self.setup.key.opening.clone();
        self.advance();
        for text in opening.split_ascii_whitespace() {
            let fault = || SetupFault::Opening { text: text.to_owned() };
            if self.ending.is_some() {
                return Err(fault());
            }
            self.apply(text, At::START).map_err(|_| fault())?;
        }
        // Whoever has a handshake hears the opening in `newgame`; the others cannot.
        let bank = self.setup.key.limits.bank.map_or(Duration::ZERO, |bank| bank.initial);
        for side in Side::BOTH {
            self.seats[side] = Seat::new(self.setup.seats[side], bank);
        }
        self.opening = self.plies.iter().map(|ply| format!(" {}", ply.text)).collect();
        Ok(())
    }

    // What to do next.

    /// What to do next.
    #[expect(clippy::should_implement_trait, reason = "a step of a protocol, not an Iterator")]
    pub fn next(&mut self) -> Do {
        if self.ending.is_none() && self.stage == Stage::Between {
            self.proceed();
        }
        if self.ending.is_some() {
            return Do::End;
        }
        match self.stage {
            Stage::Between => unreachable!("proceed has chosen a stage or ended the game"),
            Stage::Starting(side) => Do::Start(side),
            Stage::Sending(side, _) => Do::Send(side),
            Stage::Listening(side, asked) => Do::Listen { side, until: self.until(asked) },
        }
    }

    /// What is to be sent.
    pub fn outbox(&self) -> &[u8] {
        &self.outbox
    }

    /// Whether what is sent next asks for a move.
    pub fn is_turn(&self) -> bool {
        matches!(self.stage, Stage::Sending(_, Asked::Turn))
    }

    /// Finds out what comes next: handshakes first, both, then the turn.
    fn proceed(&mut self) {
        for side in Side::BOTH {
            if self.seats[side].must_shake() {
                self.stage = match self.seats[side].progress {
                    Progress::Cold => Stage::Starting(side),
                    Progress::Running => self.greet(side),
                    Progress::Greeted | Progress::Ready => self.open(side),
                };
                return;
            }
        }
        if self.end_if_failed() {
            return;
        }
        let mover = self.mover;
        self.stage = if self.seats[mover].progress == Progress::Cold {
            Stage::Starting(mover)
        } else {
            self.ask(mover);
            Stage::Sending(mover, Asked::Turn)
        };
    }

    fn greet(&mut self, side: Side) -> Stage {
        self.outbox.clear();
        protocol::greeting(&mut self.outbox);
        Stage::Sending(side, Asked::Greeting)
    }

    fn open(&mut self, side: Side) -> Stage {
        self.outbox.clear();
        let spec = self.setup.game.spec();
        let opened = Opened {
            game: &spec,
            side,
            limits: &self.setup.key.limits,
            seed: self.setup.seed,
            opening: &self.opening,
        };
        protocol::new_game(&mut self.outbox, &opened);
        Stage::Sending(side, Asked::NewGame)
    }

    fn ask(&mut self, side: Side) {
        self.outbox.clear();
        let seat = &mut self.seats[side];
        if seat.dialect == Dialect::Pitmaster {
            self.moves.clear();
            if seat.want != Want::Nothing {
                self.table.list_moves(&mut self.moves);
            }
            let (want, unheard) = (seat.want, std::mem::take(&mut seat.unheard));
            let remaining = self.remaining(side);
            let table = &self.table;
            protocol::turn_block(&mut self.outbox, want, &unheard, remaining, &self.moves, || {
                table.position()
            });
            self.seats[side].unheard = unheard;
        } else {
            protocol::answer_line(&mut self.outbox, &seat.unheard);
        }
        self.seats[side].unheard.clear();
    }

    fn remaining(&self, side: Side) -> Remaining {
        let limits = &self.setup.key.limits;
        let played = self.began.map_or(Duration::ZERO, |began| self.now.since(began));
        Remaining {
            per_move: limits.per_move,
            per_game: limits.per_game.map(|limit| limit.saturating_sub(played)),
            banks: limits.bank.map(|_| (self.seats[side].bank, self.seats[side.other()].bank)),
        }
    }

    fn until(&self, asked: Asked) -> Option<At> {
        match asked {
            Asked::Turn => self.clock.until(),
            Asked::Greeting | Asked::NewGame => Some(self.start_deadline()),
        }
    }

    fn start_deadline(&self) -> At {
        let limits = &self.setup.key.limits;
        self.clock.sent + limits.start_up + limits.margin
    }

    // What has happened.

    /// Time goes on until the end, and never back: a line that waited carries an earlier stamp
    /// than what was heard since.
    fn reach(&mut self, at: At) {
        if self.ending.is_none() {
            self.now = self.now.max(at);
        }
    }

    /// The process of a side runs.
    pub fn started(&mut self, side: Side, at: At) {
        self.reach(at);
        self.seats[side].progress = Progress::Running;
        self.stage = Stage::Between;
    }

    /// The outbox was sent to a side; `at` was taken just before.
    pub fn sent(&mut self, side: Side, at: At) {
        self.reach(at);
        let Stage::Sending(_, asked) = self.stage else { return };
        self.clock.sent = at;
        if asked == Asked::Turn {
            self.start_clock(side, at);
        }
        self.stage = Stage::Listening(side, asked);
    }

    fn start_clock(&mut self, side: Side, at: At) {
        let limits = &self.setup.key.limits;
        let seat = &self.seats[side];
        let began = *self.began.get_or_insert(at);
        let cold = seat.moves == 0 && !seat.dialect.has_handshake();
        self.clock.per_move = move_limit(limits, cold);
        self.clock.bank = limits.bank.map(|_| seat.bank);
        self.clock.game_over = limits.per_game.map(|limit| began + limit);
    }

    /// A line that a side had written before it was asked for its move.
    pub fn early(&mut self, side: Side, line: &[u8]) {
        let seat = &self.seats[side];
        match protocol::hear_answer(seat.dialect, seat.lenient, side, line) {
            Ok(Said::Claim { .. }) => self.note_wrong_claim(side, line),
            Ok(Said::Skip) => self.seats[side].skipped += 1,
            _ => self.forfeit(side, Fault::SpokeOutOfTurn, Some(line)),
        }
    }

    /// A side had written the beginning of a line before it was asked for its move.
    pub fn early_part(&mut self, side: Side, part: &[u8]) {
        let seat = &mut self.seats[side];
        if seat.lenient || seat.dialect == Dialect::Course {
            seat.early = true;
        } else {
            self.forfeit(side, Fault::SpokeOutOfTurn, Some(part));
        }
    }

    /// A line of the side that is listened to; `at` is when the read that brought its end
    /// returned.
    pub fn line(&mut self, side: Side, line: &[u8], at: At) {
        let Stage::Listening(listened, asked) = self.stage else { return };
        if listened != side || self.ending.is_some() {
            return;
        }
        self.reach(at);
        if self.ran_out(side, asked, at, Some(line)) {
            return;
        }
        match asked {
            Asked::Turn if std::mem::take(&mut self.seats[side].early) => self.early(side, line),
            Asked::Turn => self.answer(side, line, at),
            Asked::Greeting | Asked::NewGame => self.handshake(side, asked, line),
        }
    }

    /// No line has come; the instant has passed.
    pub fn timeout(&mut self, at: At) {
        let Stage::Listening(side, asked) = self.stage else { return };
        if self.ending.is_none() {
            self.reach(at);
            self.ran_out(side, asked, at, None);
        }
    }

    /// A side did something else by which it forfeits; `line` is what there is of its line.
    pub fn fault(&mut self, side: Side, fault: Fault, at: At, line: Option<&[u8]>) {
        if self.ending.is_some() {
            return;
        }
        self.reach(at);
        if let Stage::Listening(listened, asked) = self.stage
            && listened == side
            && self.ran_out(side, asked, at, line)
        {
            return;
        }
        self.forfeit(side, fault, line);
    }

    /// The referee's side has failed: the game is void.
    pub fn void(&mut self, fault: RefereeFault) {
        self.ending = Some(Ending::RefereeError { fault });
    }

    /// What the bot used for the move that was just heard.
    pub fn charge(&mut self, side: Side, cpu: Duration, waiting: Duration) {
        if let Some(ply) = self.seats[side].last_ply.and_then(|ply| self.plies.get_mut(ply)) {
            (ply.cpu, ply.waiting) = (cpu, waiting);
        }
    }

    /// CPU time that a side used while the other was to move.
    pub fn stole(&mut self, side: Side, cpu: Duration) {
        self.seats[side].stolen += cpu;
    }

    // Judging lines.

    fn handshake(&mut self, side: Side, asked: Asked, line: &[u8]) {
        let seat = &mut self.seats[side];
        match (protocol::hear_handshake(line), asked) {
            (Shake::Ready, Asked::Greeting) => seat.progress = Progress::Greeted,
            (Shake::Ready, _) => seat.progress = Progress::Ready,
            (Shake::Want(want), _) => {
                seat.want = want;
                return;
            }
            (Shake::Other, _) => {
                seat.skipped += 1;
                return;
            }
        }
        self.stage = Stage::Between;
    }

    fn answer(&mut self, side: Side, line: &[u8], at: At) {
        let seat = &self.seats[side];
        match protocol::hear_answer(seat.dialect, seat.lenient, side, line) {
            Err(fault) => self.forfeit(side, fault, Some(line)),
            Ok(Said::Skip) => self.seats[side].skipped += 1,
            Ok(Said::Info(text)) => self.info = Some(remark(text)),
            Ok(Said::Move { text, comment }) => {
                if self.move_or_forfeit(side, text, line, at) {
                    self.note_remarks(side, comment);
                }
            }
            Ok(Said::Claim { own_move: None, .. }) => self.note_wrong_claim(side, line),
            Ok(Said::Claim { own_move: Some(text), claim }) => {
                if self.repeats_its_last_move(side, text) {
                    return self.note_wrong_claim(side, line);
                }
                if self.move_or_forfeit(side, text, line, at) {
                    self.check_claim(side, line, claim);
                }
            }
        }
    }

    /// A claim that comes late, behind the move it belongs to, names that move once more.
    /// Where it cannot be played again, it is no answer.
    fn repeats_its_last_move(&mut self, side: Side, text: &str) -> bool {
        let last = self.seats[side].last_ply.map(|ply| &*self.plies[ply].text);
        if !last.is_some_and(|last| last.eq_ignore_ascii_case(text)) {
            return false;
        }
        self.moves.clear();
        self.table.list_moves(&mut self.moves);
        !self.moves.split_ascii_whitespace().any(|legal| legal.eq_ignore_ascii_case(text))
    }

    fn move_or_forfeit(&mut self, side: Side, text: &str, line: &[u8], at: At) -> bool {
        let fault = match self.apply(text, at) {
            Ok(()) => return true,
            Err(MoveFault::Illegal(_)) => Fault::IllegalMove,
            Err(MoveFault::Text(_)) => Fault::MalformedLine,
        };
        self.forfeit(side, fault, Some(line));
        false
    }

    /// Plays a move of the mover and goes on to the next turn.
    fn apply(&mut self, text: &str, at: At) -> Result<(), MoveFault> {
        let side = self.mover;
        let mut written = String::with_capacity(8);
        self.table.play(text, &mut written)?;
        let wall = at.since(self.clock.sent);
        let seat = &mut self.seats[side];
        seat.last_ply = Some(self.plies.len());
        seat.moves += 1;
        if let Some(bank) = self.setup.key.limits.bank {
            seat.bank = seat.bank.saturating_sub(wall) + bank.increment;
        }
        self.push(Ply::new(Some(side), written, wall));
        self.advance();
        Ok(())
    }

    fn push(&mut self, ply: Ply) {
        for side in Side::BOTH {
            if ply.by != Some(side) {
                self.seats[side].unheard.push(' ');
                self.seats[side].unheard.push_str(&ply.text);
            }
        }
        self.plies.push(ply);
    }

    /// Draws chance steps, and finds out whose turn it is or how the game has ended.
    fn advance(&mut self) {
        self.stage = Stage::Between;
        loop {
            match self.table.turn() {
                Turn::Over(Outcome { winner, score, clause }) => {
                    self.ending = Some(Ending::Rules { clause: clause.into(), winner, score });
                    return;
                }
                Turn::Player(side) => {
                    self.mover = side;
                    return self.stop_at_the_ply_limit();
                }
                Turn::Chance => {
                    let text = self.table.draw(&mut self.chance);
                    self.push(Ply::new(None, text, Duration::ZERO));
                }
            }
        }
    }

    fn stop_at_the_ply_limit(&mut self) {
        let Some(limit) = self.setup.key.limits.plies else { return };
        // Steps of chance are nobody's plies.
        if self.plies.len() >= limit as usize
            && self.plies.iter().filter(|ply| ply.by.is_some()).count() >= limit as usize
        {
            let Outcome { winner, score, .. } = self.table.adjudicate();
            self.ending = Some(Ending::PlyLimit { winner, score });
        }
    }

    // Claims and remarks.

    fn check_claim(&mut self, side: Side, line: &[u8], claim: Claimed) {
        let ending = self.ending.as_ref();
        let right = match ending {
            Some(Ending::Rules { .. }) => !claim.limit,
            Some(Ending::PlyLimit { .. } | Ending::GameTime { .. }) => claim.limit,
            _ => false,
        };
        let score = ending.map(Ending::score);
        // Only a claim of a limit may leave the scores out.
        if !right || claim.scores != score && (claim.scores.is_some() || !claim.limit) {
            self.note_wrong_claim(side, line);
        }
    }

    fn note_wrong_claim(&mut self, side: Side, line: &[u8]) {
        if self.wrong_claims.len() < CLAIM_LIMIT {
            let text = Untrusted::capped(line, REMARK_LIMIT);
            self.wrong_claims.push(Claim { ply: self.plies.len() as u32, by: side, text });
        }
    }

    fn note_remarks(&mut self, side: Side, comment: Option<&str>) {
        let ply = self.seats[side].last_ply.map_or(0, |ply| ply as u32 + 1);
        let comment = comment.map(remark);
        for text in [self.info.take(), comment].into_iter().flatten() {
            self.remarks.push(Remark { ply, by: side, text });
        }
    }

    // Endings.

    /// Ends the game or lets the side forfeit if a limit had passed; says whether one had.
    fn ran_out(&mut self, side: Side, asked: Asked, at: At, line: Option<&[u8]>) -> bool {
        match asked {
            Asked::Turn => match self.clock.judge(at) {
                Some(out) => self.run_out(side, out, at, line),
                None => return false,
            },
            Asked::Greeting | Asked::NewGame if at > self.start_deadline() => {
                let limit = self.setup.key.limits.start_up;
                self.forfeit(side, Fault::StartLate { limit }, line);
            }
            Asked::Greeting | Asked::NewGame => return false,
        }
        true
    }

    fn run_out(&mut self, side: Side, out: Out, at: At, line: Option<&[u8]>) {
        let took = at.since(self.clock.sent);
        match out {
            Out::Game => {
                let Outcome { winner, score, .. } = self.table.adjudicate();
                self.ending = Some(Ending::GameTime { winner, score });
            }
            Out::Move(limit) => self.forfeit(side, Fault::MoveLate { limit, took }, line),
            Out::Bank => self.forfeit(side, Fault::BankEmpty { took }, line),
        }
    }

    fn forfeit(&mut self, side: Side, fault: Fault, line: Option<&[u8]>) {
        if self.ending.is_some() {
            return;
        }
        self.evidence[side] = Some(Evidence {
            line: line.map(|line| Untrusted::capped(line, EVIDENCE_LINE_LIMIT)),
            at: self.now,
            ..Evidence::default()
        });
        self.seats[side].failed = Some(fault);
        self.stage = Stage::Between;
        // Before the first turn the other side is still asked to get ready: both may fail.
        if self.began.is_some() {
            self.end_if_failed();
        }
    }

    fn end_if_failed(&mut self) -> bool {
        let score = self.table.score();
        let failed = self.seats.as_ref().map(|seat| seat.failed.clone());
        self.ending = match (failed.one, failed.two) {
            (None, None) => return false,
            (Some(one), Some(two)) => Some(Ending::BothForfeited { faults: BySide::new(one, two) }),
            (Some(fault), None) => Some(Ending::Forfeit { by: Side::One, fault, score }),
            (None, Some(fault)) => Some(Ending::Forfeit { by: Side::Two, fault, score }),
        };
        true
    }

    // After the end.

    /// How the game has ended.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// What was played so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The board, for those who watch.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// Appends the last words to a side and says how to part.
    pub fn farewell(&self, side: Side, out: &mut Vec<u8>) -> Farewell {
        let seat = &self.seats[side];
        let Some(ending) = self.ending.as_ref().filter(|_| seat.progress > Progress::Cold) else {
            return Farewell::None;
        };
        // Whoever has not understood that a game began is told nothing of its end.
        if seat.progress == Progress::Ready || !seat.dialect.has_handshake() {
            protocol::farewell(out, seat.dialect, side, &seat.unheard, ending);
        }
        if self.can_be_kept(side) {
            Farewell::Keep(seat.want)
        } else {
            if seat.dialect.has_handshake() {
                out.extend_from_slice(b"quit\n");
            }
            Farewell::Close
        }
    }

    /// A process that has a handshake, did nothing wrong and owes no answer.
    fn can_be_kept(&self, side: Side) -> bool {
        let seat = &self.seats[side];
        let owes = matches!(self.stage, Stage::Listening(listened, _) if listened == side);
        let void = self.ending.as_ref().is_none_or(Ending::is_void);
        seat.progress == Progress::Ready && seat.failed.is_none() && !owes && !void
    }

    /// A line that a side wrote after the end. Only claims of the end are looked at.
    pub fn after(&mut self, side: Side, line: &[u8]) {
        let seat = &self.seats[side];
        if let Ok(Said::Claim { claim, .. }) =
            protocol::hear_answer(seat.dialect, seat.lenient, side, line)
        {
            self.check_claim(side, line, claim);
        }
    }

    /// The record of the game; what is left of the processes completes the evidence.
    ///
    /// # Panics
    /// If the game is not over.
    pub fn finish(mut self, mut left: BySide<Leftovers>) -> Record {
        let ending = self.ending.take().expect("asked only after Do::End");
        for side in Side::BOTH {
            let left = std::mem::take(&mut left[side]);
            if let Some(evidence) = &mut self.evidence[side] {
                (evidence.stderr, evidence.exit) = (left.stderr, left.exit);
            }
        }
        Record {
            key: self.setup.key,
            seed: self.setup.seed,
            plies: self.plies,
            ending,
            duration: self.began.map_or(Duration::ZERO, |began| self.now.since(began)),
            evidence: self.evidence,
            remarks: self.remarks,
            wrong_claims: self.wrong_claims,
            skipped_lines: self.seats.as_ref().map(|seat| seat.skipped),
            stolen: self.seats.as_ref().map(|seat| seat.stolen),
        }
    }
}

fn remark(text: &str) -> Untrusted {
    Untrusted::capped(text.as_bytes(), REMARK_LIMIT)
}
