//! Referee input: process starts, lines, process ends, and the passage of time.

use std::time::Duration;

use pitmaster_core::{At, Dialect, Ending, Exit, Fault, RefereeFault, Side};

use super::clock::move_limit;
use super::game::{Asked, Referee, Stage};
use super::seat::Progress;
use crate::protocol::{self, BotMessage};

/// Signal by which the kernel ends a process that computes without end within one turn.
const SIGXCPU: i32 = 24;

impl Referee {
    /// Advances the time until the end, never backward, because a pending line has an earlier
    /// timestamp than later events.
    pub(super) fn reach(&mut self, at: At) {
        if self.ending.is_none() {
            self.now = self.now.max(at);
        }
    }

    /// Reports that the process of a side is running.
    pub fn started(&mut self, side: Side, at: At) {
        self.reach(at);
        self.seats[side].progress = Progress::Running;
        self.stage = Stage::Between;
    }

    /// Reports that the outbox was sent to a side; `at` was taken just before.
    pub fn sent(&mut self, side: Side, at: At) {
        self.reach(at);
        let Stage::Sending(_, asked) = self.stage else { return };
        (self.clock.sent, self.clock.waited) = (at, Duration::ZERO);
        self.clock.gives_back = self.seats[side].gives_back;
        if asked == Asked::Turn {
            self.start_clock(side, at);
            self.seats[side].stolen_since_move = Duration::ZERO;
        }
        self.stage = Stage::Listening(side, asked);
    }

    pub(super) fn start_clock(&mut self, side: Side, at: At) {
        let limits = &self.setup.key.limits;
        let seat = &self.seats[side];
        let began = *self.began.get_or_insert(at);
        let cold = seat.moves == 0 && !seat.dialect.has_handshake();
        self.clock.per_move = seat.per_move.or_else(|| move_limit(limits, cold));
        self.clock.bank = limits.bank.map(|_| seat.bank);
        self.clock.credit = Duration::ZERO;
        self.clock.waited_before = seat.waited;
        self.clock.game_over = limits.per_game.map(|limit| began + limit);
    }

    /// Reports a line that a side had written before it was asked for its move.
    pub fn early(&mut self, side: Side, line: &[u8]) {
        let seat = &self.seats[side];
        match protocol::hear_answer(seat.dialect, seat.lenient, side, line) {
            Ok(BotMessage::Claim { .. }) => self.note_wrong_claim(side, line),
            Ok(BotMessage::Skip) => self.seats[side].skipped += 1,
            _ => self.forfeit(side, Fault::SpokeOutOfTurn, Some(line)),
        }
    }

    /// Reports the start of a line that a side had written before it was asked for its move.
    pub fn early_part(&mut self, side: Side, part: &[u8]) {
        let seat = &mut self.seats[side];
        if seat.lenient || seat.dialect == Dialect::Course {
            seat.early = true;
        } else {
            self.forfeit(side, Fault::SpokeOutOfTurn, Some(part));
        }
    }

    /// Reports a line of the side that is listened to. `at` is the instant at which the read with
    /// the line's end returned.
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

    /// Reports that no line has arrived and the deadline has passed.
    pub fn timeout(&mut self, at: At) {
        let Stage::Listening(side, asked) = self.stage else { return };
        if self.ending.is_none() {
            self.reach(at);
            self.ran_out(side, asked, at, None);
        }
    }

    /// Reports another fault by which a side forfeits; `line` is the available part of its line.
    pub fn fault(&mut self, side: Side, fault: Fault, at: At, line: Option<&[u8]>) {
        if self.ending.is_some() {
            return;
        }
        let fault = match (fault, self.setup.key.limits.resources.cpu) {
            (Fault::Exited { exit: Exit::Signal(SIGXCPU) }, Some(limit)) => {
                Fault::CpuTime { limit }
            }
            (fault, _) => fault,
        };
        self.reach(at);
        if let Stage::Listening(listened, asked) = self.stage
            && listened == side
            && self.ran_out(side, asked, at, line)
        {
            return;
        }
        self.forfeit(side, fault, line);
    }

    /// Reports a failure on the referee's side: the game is void.
    pub fn void(&mut self, fault: RefereeFault) {
        self.ending = Some(Ending::RefereeError { fault });
    }

    /// Reports what the bot used for the move just received. If it exceeds its CPU time for the
    /// game, it forfeits, unless that move has ended the game.
    pub fn charge(&mut self, side: Side, cpu: Duration, waiting: Duration) {
        if let Some(ply) = self.seats[side].last_ply.and_then(|ply| self.plies.get_mut(ply)) {
            (ply.cpu, ply.waiting) = (cpu, waiting);
        }
        let seat = &mut self.seats[side];
        seat.cpu += cpu;
        // Waiting for a pondering opponent is not starvation.
        if !self.setup.key.limits.resources.pondering {
            let waiting = waiting.saturating_sub(self.clock.credit);
            if seat.gives_back {
                seat.bank += waiting.saturating_sub(self.clock.given_back());
            } else {
                seat.waited += waiting;
            }
        }
        self.judge_cpu(side);
    }

    /// Reports that the waiting of a side can be trusted: its CPU time is that of everything that
    /// computes for it. The time that it waits is given back, so that its move is in time if it
    /// would have been on a free core. Otherwise a move that waiting made late ends the game.
    pub fn accept_waiting(&mut self, side: Side) {
        self.seats[side].gives_back = true;
        if matches!(self.stage, Stage::Listening(listened, _) if listened == side) {
            self.clock.gives_back = true;
        }
    }

    /// Reports how long the side that is listened to has waited for a core since it was asked. Call
    /// it when the deadline has passed, before any other judgment. If the side would be in time
    /// without that wait, the deadline is extended by it, and a later answer is in time or the
    /// machine's fault.
    pub fn waited(&mut self, side: Side, waited: Duration) {
        if matches!(self.stage, Stage::Listening(listened, _) if listened == side) {
            self.clock.waited = self.clock.waited.max(waited);
        }
    }

    /// Reports CPU time that a side used during the opponent's turn, when it should have rested. It
    /// counts for the game like the side's own. Above an allowance the side forfeits, before the
    /// other side's limits are judged. Below it the other side is credited, because both play on
    /// one core. The side is not blamed for the part that is `excused`, because the caller was late to
    /// stop it.
    pub fn charge_idle_cpu(&mut self, side: Side, cpu: Duration, excused: Duration, at: At) {
        self.reach(at);
        let blamed = cpu.saturating_sub(excused);
        self.seats[side].stolen_since_move += blamed;
        self.seats[side].cpu += cpu.min(excused);
        if matches!(self.stage, Stage::Listening(mover, Asked::Turn) if mover != side)
            && self.setup.key.limits.resources.has_idle_allowance()
        {
            self.clock.credit += cpu;
        }
        self.pondered(side, blamed);
        self.judge_theft(side);
    }

    /// Reports CPU time that a side used during the opponent's turn without being stopped.
    pub fn pondered(&mut self, side: Side, cpu: Duration) {
        self.seats[side].stolen += cpu;
        self.judge_cpu(side);
    }
}
