//! End of a game: final messages, late claims, the record.

use std::time::Duration;

use pitmaster_core::{BySide, Ending, Ply, Record, Remark, Side};
use pitmaster_games::GameState;

use super::game::{Leftovers, Referee, Stage};
use super::seat::{ProcessFate, Progress};
use crate::protocol::{self, BotMessage};

impl Referee {
    /// Ending of the game, if it is over.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Plies so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Remarks about the moves so far.
    pub fn remarks(&self) -> &[Remark] {
        &self.notes.remarks
    }

    /// Board, for spectators.
    pub fn table(&self) -> &dyn GameState {
        &*self.table
    }

    /// Appends the final message to a side and returns what to do with its process.
    pub fn farewell(&self, side: Side, out: &mut Vec<u8>) -> ProcessFate {
        let seat = &self.seats[side];
        let Some(ending) = self.ending.as_ref().filter(|_| seat.progress > Progress::Cold) else {
            return ProcessFate::None;
        };
        // A bot that has not understood the start of a game gets no message about its end.
        if seat.progress == Progress::Ready || !seat.dialect.has_handshake() {
            protocol::farewell(out, seat.dialect, side, &seat.pending_moves, ending);
        }
        if self.can_be_kept(side) {
            ProcessFate::Keep(seat.want)
        } else {
            if seat.dialect.has_handshake() {
                out.extend_from_slice(protocol::QUIT);
            }
            ProcessFate::Close
        }
    }

    /// Whether a process can be reused: it has a handshake, made no fault and owes no answer.
    pub(super) fn can_be_kept(&self, side: Side) -> bool {
        let seat = &self.seats[side];
        let owes = matches!(self.stage, Stage::Listening(listened, _) if listened == side);
        let void = self.ending.as_ref().is_none_or(Ending::is_void);
        seat.progress == Progress::Ready && seat.failed.is_none() && !owes && !void
    }

    /// Handles a line that a side wrote after the end. Only claims of the end are considered.
    pub fn after(&mut self, side: Side, line: &[u8]) {
        let seat = &self.seats[side];
        if let Ok(BotMessage::Claim { claim, .. }) =
            protocol::hear_answer(seat.dialect, seat.lenient, side, line)
        {
            self.check_claim(side, line, claim);
        }
    }

    /// Returns the record of the game; `left` completes the evidence.
    ///
    /// # Panics
    /// If the game is not over.
    pub fn finish(mut self, mut left: BySide<Leftovers>) -> Record {
        let ending = self.ending.take().expect("asked only after Action::End");
        for side in Side::BOTH {
            let left = std::mem::take(&mut left[side]);
            if let Some(evidence) = &mut self.notes.evidence[side] {
                (evidence.stderr, evidence.exit) = (left.stderr, left.exit);
            }
        }
        Record {
            key: self.setup.key,
            seed: self.setup.seed,
            plies: self.plies,
            ending,
            duration: self.began.map_or(Duration::ZERO, |began| self.now.since(began)),
            evidence: self.notes.evidence,
            remarks: self.notes.remarks,
            wrong_claims: self.notes.wrong_claims,
            skipped_lines: self.seats.as_ref().map(|seat| seat.skipped),
            stolen: self.seats.as_ref().map(|seat| seat.stolen),
        }
    }
}
