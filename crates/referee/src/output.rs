//! Referee output: the next action and the bytes to send.

use std::time::Duration;

use pitmaster_core::{At, Dialect, Side};

use super::game::{Action, Asked, Referee, Stage};
use super::seat::Progress;
use crate::protocol::{self, Opened, Remaining, Want};

impl Referee {
    /// Returns the next action.
    #[expect(clippy::should_implement_trait, reason = "a step of a protocol, not an Iterator")]
    pub fn next(&mut self) -> Action {
        if self.ending.is_none() && self.stage == Stage::Between {
            self.proceed();
        }
        if self.ending.is_some() {
            return Action::End;
        }
        match self.stage {
            Stage::Between => unreachable!("proceed has chosen a stage or ended the game"),
            Stage::Starting(side) => Action::Start(side),
            Stage::Sending(side, _) => Action::Send(side),
            Stage::Listening(side, asked) => Action::Listen { side, until: self.until(asked) },
        }
    }

    /// Bytes to send.
    pub fn outbox(&self) -> &[u8] {
        &self.text.outbox
    }

    /// Whether the next send asks for a move.
    pub fn is_turn(&self) -> bool {
        matches!(self.stage, Stage::Sending(_, Asked::Turn))
    }

    /// Determines the next step: first both handshakes, then the turn.
    pub(super) fn proceed(&mut self) {
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

    pub(super) fn greet(&mut self, side: Side) -> Stage {
        self.text.outbox.clear();
        protocol::greeting(&mut self.text.outbox);
        Stage::Sending(side, Asked::Greeting)
    }

    pub(super) fn open(&mut self, side: Side) -> Stage {
        self.text.outbox.clear();
        let spec = self.setup.game.spec();
        let opened = Opened {
            game: &spec,
            side,
            limits: &self.setup.key.limits,
            seed: self.setup.seed,
            opening: &self.text.opening,
        };
        protocol::new_game(&mut self.text.outbox, &opened);
        Stage::Sending(side, Asked::NewGame)
    }

    pub(super) fn ask(&mut self, side: Side) {
        self.text.outbox.clear();
        let seat = &mut self.seats[side];
        if seat.dialect == Dialect::Pitmaster {
            self.text.moves.clear();
            if seat.want != Want::Nothing {
                self.table.list_moves(&mut self.text.moves);
            }
            let (want, pending_moves) = (seat.want, std::mem::take(&mut seat.pending_moves));
            let remaining = self.remaining(side);
            let table = &self.table;
            protocol::turn_block(
                &mut self.text.outbox,
                want,
                &pending_moves,
                remaining,
                &self.text.moves,
                || table.position(),
            );
            self.seats[side].pending_moves = pending_moves;
        } else {
            protocol::answer_line(&mut self.text.outbox, &seat.pending_moves);
        }
        self.seats[side].pending_moves.clear();
    }

    pub(super) fn remaining(&self, side: Side) -> Remaining {
        let limits = &self.setup.key.limits;
        let played = self.began.map_or(Duration::ZERO, |began| self.now.since(began));
        Remaining {
            per_move: self.seats[side].per_move.or(limits.per_move),
            per_game: limits.per_game.map(|limit| limit.saturating_sub(played)),
            banks: limits.bank.map(|_| (self.seats[side].bank, self.seats[side.other()].bank)),
        }
    }

    pub(super) fn until(&self, asked: Asked) -> Option<At> {
        match asked {
            Asked::Turn => self.clock.until(),
            Asked::Greeting | Asked::NewGame => {
                Some(self.clock.listen_until(self.start_deadline(), self.clock.waited))
            }
        }
    }

    pub(super) fn start_deadline(&self) -> At {
        let limits = &self.setup.key.limits;
        self.clock.sent + limits.start_up + limits.margin
    }
}
