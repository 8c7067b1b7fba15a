//! Judgment of a line: moves, claims, remarks, endings.

use std::time::Duration;

use pitmaster_core::{
    At, BySide, Claim, Ending, Evidence, Fault, Per, Ply, Remark, Resources, Side, Untrusted,
};
use pitmaster_games::{MoveError, Outcome, Turn};

use super::clock::Out;
use super::game::{Asked, Referee, Stage};
use super::seat::{Progress, Seat};
use crate::protocol::{self, BotMessage, Claimed, Handshake};

/// Maximum stored bytes of a remark.
const REMARK_LIMIT: usize = 200;

/// Maximum stored bytes of a line.
const EVIDENCE_LINE_LIMIT: usize = protocol::LINE_LIMIT;

/// Maximum number of stored wrong claims per game.
const CLAIM_LIMIT: usize = 20;

impl Referee {
    pub(super) fn handshake(&mut self, side: Side, asked: Asked, line: &[u8]) {
        let seat = &mut self.seats[side];
        match (protocol::hear_handshake(line), asked) {
            (Handshake::Ready, Asked::Greeting) => seat.progress = Progress::Greeted,
            (Handshake::Ready, _) => seat.progress = Progress::Ready,
            (Handshake::Want(want), _) => {
                seat.want = want;
                return;
            }
            (Handshake::Other, _) => {
                seat.skipped += 1;
                return;
            }
        }
        self.stage = Stage::Between;
    }

    pub(super) fn answer(&mut self, side: Side, line: &[u8], at: At) {
        let seat = &self.seats[side];
        match protocol::hear_answer(seat.dialect, seat.lenient, side, line) {
            Err(fault) => self.forfeit(side, fault, Some(line)),
            Ok(BotMessage::Skip) => self.seats[side].skipped += 1,
            Ok(BotMessage::Info(text)) => self.notes.info = Some(remark(text)),
            Ok(BotMessage::Move { text, comment }) => {
                if self.move_or_forfeit(side, text, line, at) {
                    self.note_remarks(side, comment);
                }
            }
            Ok(BotMessage::Claim { own_move: None, .. }) => self.note_wrong_claim(side, line),
            Ok(BotMessage::Claim { own_move: Some(text), claim }) => {
                if self.repeats_its_last_move(side, text) {
                    return self.note_wrong_claim(side, line);
                }
                if self.move_or_forfeit(side, text, line, at) {
                    self.check_claim(side, line, claim);
                }
            }
        }
    }

    /// Whether the line is a late claim that repeats the side's last move. If that move cannot be
    /// played again, the line is not an answer.
    pub(super) fn repeats_its_last_move(&mut self, side: Side, text: &str) -> bool {
        let last = self.seats[side].last_ply.map(|ply| &*self.plies[ply].text);
        if !last.is_some_and(|last| last.eq_ignore_ascii_case(text)) {
            return false;
        }
        self.text.moves.clear();
        self.table.list_moves(&mut self.text.moves);
        !self.text.moves.split_ascii_whitespace().any(|legal| legal.eq_ignore_ascii_case(text))
    }

    pub(super) fn move_or_forfeit(&mut self, side: Side, text: &str, line: &[u8], at: At) -> bool {
        let fault = match self.apply(text, at) {
            Ok(()) => return true,
            Err(MoveError::Illegal(_)) => Fault::IllegalMove,
            Err(MoveError::Text(_)) => Fault::MalformedLine,
        };
        self.forfeit(side, fault, Some(line));
        false
    }

    /// Plays a move of the mover and begins the next turn.
    pub(super) fn apply(&mut self, text: &str, at: At) -> Result<(), MoveError> {
        let side = self.mover;
        let mut written = String::with_capacity(8);
        self.table.play(text, &mut written)?;
        let wall = at.since(self.clock.sent);
        let seat = &mut self.seats[side];
        seat.last_ply = Some(self.plies.len());
        seat.moves += 1;
        if let Some(bank) = self.setup.key.limits.bank {
            let own = wall.saturating_sub(self.clock.credit + self.clock.given_back());
            seat.bank = seat.bank.saturating_sub(own) + bank.increment;
        }
        self.push(Ply::new(Some(side), written, wall));
        self.advance();
        Ok(())
    }

    /// Plays a step of the opening. The opening contains chance steps too, so that both games of a
    /// pair begin with the same board.
    pub(super) fn follow(&mut self, text: &str) -> Result<(), MoveError> {
        let by = match self.table.turn() {
            Turn::Player(side) => Some(side),
            Turn::Chance | Turn::Over(_) => None,
        };
        let mut written = String::with_capacity(8);
        self.table.follow(text, &mut written)?;
        self.push(Ply::new(by, written, Duration::ZERO));
        Ok(())
    }

    pub(super) fn push(&mut self, ply: Ply) {
        for side in Side::BOTH {
            if ply.by != Some(side) {
                self.seats[side].pending_moves.push(' ');
                self.seats[side].pending_moves.push_str(&ply.text);
            }
        }
        self.plies.push(ply);
    }

    /// Draws chance steps, and determines the mover or the ending.
    pub(super) fn advance(&mut self) {
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

    pub(super) fn stop_at_the_ply_limit(&mut self) {
        let Some(limit) = self.setup.key.limits.plies else { return };
        // Chance steps do not count as plies.
        if self.plies.len() >= limit as usize
            && self.plies.iter().filter(|ply| ply.by.is_some()).count() >= limit as usize
        {
            let Outcome { winner, score, .. } = self.table.adjudicate();
            self.ending = Some(Ending::PlyLimit { winner, score });
        }
    }

    // Claims and remarks.

    pub(super) fn check_claim(&mut self, side: Side, line: &[u8], claim: Claimed) {
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

    pub(super) fn note_wrong_claim(&mut self, side: Side, line: &[u8]) {
        if self.notes.wrong_claims.len() < CLAIM_LIMIT {
            let text = Untrusted::capped(line, REMARK_LIMIT);
            self.notes.wrong_claims.push(Claim { ply: self.plies.len() as u32, by: side, text });
        }
    }

    pub(super) fn note_remarks(&mut self, side: Side, comment: Option<&str>) {
        let ply = self.seats[side].last_ply.map_or(0, |ply| ply as u32 + 1);
        let comment = comment.map(remark);
        for text in [self.notes.info.take(), comment].into_iter().flatten() {
            self.notes.remarks.push(Remark { ply, by: side, text });
        }
    }

    // Endings.

    /// Ends the game or lets the side forfeit if a limit had passed. Returns whether one had.
    pub(super) fn ran_out(
        &mut self,
        side: Side,
        asked: Asked,
        at: At,
        line: Option<&[u8]>,
    ) -> bool {
        match asked {
            Asked::Turn => match self.clock.judge(at) {
                Some(out) => self.run_out(side, out, at.since(self.clock.sent), line),
                None => return false,
            },
            Asked::Greeting | Asked::NewGame
                if at > self.clock.in_time_until(self.start_deadline(), self.clock.waited) =>
            {
                let limit = self.setup.key.limits.start_up;
                let is_starved = at <= self.start_deadline() + self.clock.waited;
                let (took, waited) = (at.since(self.clock.sent), self.clock.waited);
                let starved = Fault::Starved { limit, took, waited };
                let fault = if is_starved { starved } else { Fault::StartLate { limit } };
                self.forfeit(side, fault, line);
            }
            Asked::Greeting | Asked::NewGame => return false,
        }
        true
    }

    fn run_out(&mut self, side: Side, out: (Out, bool), took: Duration, line: Option<&[u8]>) {
        let waited = self.clock.waited;
        let (out, is_starved) = out;
        let fault = match out {
            Out::Game => {
                let Outcome { winner, score, .. } = self.table.adjudicate();
                self.ending = Some(Ending::GameTime { winner, score });
                return;
            }
            Out::Move(limit) if is_starved => Fault::Starved { limit, took, waited },
            Out::Move(limit) => Fault::MoveLate { limit, took, waited },
            Out::Bank(limit) => {
                let waited = waited + self.clock.waited_before;
                if is_starved {
                    Fault::Starved { limit, took, waited }
                } else {
                    Fault::BankEmpty { took, waited }
                }
            }
        };
        self.forfeit(side, fault, line);
    }

    pub(super) fn judge_cpu(&mut self, side: Side) {
        let Some(limit) = self.setup.key.limits.resources.cpu else { return };
        let seat = &self.seats[side];
        if seat.cpu + seat.stolen > limit {
            self.forfeit(side, Fault::CpuTime { limit }, None);
        }
    }

    pub(super) fn judge_theft(&mut self, side: Side) {
        let Seat { stolen, stolen_since_move, .. } = self.seats[side];
        let Resources { idle_cpu_turn, idle_cpu_game, .. } = self.setup.key.limits.resources;
        let of_turn = (Per::Turn, stolen_since_move, idle_cpu_turn);
        let of_game = (Per::Game, stolen, idle_cpu_game);
        for (per, used, allowance) in [of_turn, of_game] {
            if let Some(allowance) = allowance.filter(|&allowance| used > allowance) {
                self.forfeit(side, Fault::StoleTime { used, allowance, per }, None);
            }
        }
    }

    pub(super) fn forfeit(&mut self, side: Side, fault: Fault, line: Option<&[u8]>) {
        if self.ending.is_some() {
            return;
        }
        self.notes.evidence[side] = Some(Evidence {
            line: line.map(|line| Untrusted::capped(line, EVIDENCE_LINE_LIMIT)),
            at: self.now,
            ..Evidence::default()
        });
        self.seats[side].failed = Some(fault);
        // A side that was asked still owes an answer if the other side forfeits meanwhile.
        if !matches!(self.stage, Stage::Listening(listened, _) if listened != side) {
            self.stage = Stage::Between;
        }
        // Before the first turn the other side is still asked to get ready: both may fail.
        if self.began.is_some() {
            self.end_if_failed();
        }
    }

    pub(super) fn end_if_failed(&mut self) -> bool {
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
}

fn remark(text: &str) -> Untrusted {
    Untrusted::capped(text.as_bytes(), REMARK_LIMIT)
}
