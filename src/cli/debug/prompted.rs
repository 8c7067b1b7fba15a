//! Contenders of a debugged game: the bot, whose choices are reported and replaced by the recorded
//! moves, and a script in place of its opponent.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use pitmaster_bots::{Clock, Contender, Ended, ReadOutcome, forward_contender, idle_contender};
use pitmaster_core::{At, Dialect, Record, Side, Untrusted};
use pitmaster_referee::protocol::{self, BotMessage};

use super::scripted_game::{Answer, Event, Script};
use crate::cli::stderr_tail::StderrTail;

/// Interval between checks of standard error while the bot thinks.
const LOOK: Duration = Duration::from_millis(50);

/// Bot that is asked for its choices and plays the recorded moves.
#[derive(Debug)]
pub(super) struct Prompted {
    inner: Box<dyn Contender>,
    script: Arc<Script>,
    /// Plies at which it must still be asked.
    places: VecDeque<usize>,
    last: Option<usize>,
    sender: Sender<Event>,
    /// Set once it has answered everything that was requested.
    is_asked_enough: Rc<Cell<bool>>,
    /// Time at which it was asked for a move; `None` if it was asked for something else.
    asked: Option<Instant>,
    errors: StderrTail,
    line: Vec<u8>,
}

impl Prompted {
    pub(super) fn new(
        inner: Box<dyn Contender>,
        script: Arc<Script>,
        from: usize,
        last: Option<usize>,
        sender: Sender<Event>,
        is_asked_enough: Rc<Cell<bool>>,
    ) -> Self {
        let plies = script.record.plies.iter().enumerate().skip(from);
        let own = plies.filter(|(_, ply)| ply.by == Some(script.side)).map(|(place, _)| place);
        let places = own.collect();
        let (asked, errors, line) = (None, StderrTail::default(), Vec::new());
        Self { inner, script, places, last, sender, is_asked_enough, asked, errors, line }
    }

    fn emit(&self, event: Event) {
        // Sending fails only once the output is closed.
        let _ = self.sender.send(event);
    }

    fn send_stderr(&mut self) {
        let errors = self.inner.stderr();
        if let Some(new_text) = self.errors.take_new(&errors) {
            self.emit(Event::Stderr(new_text));
        }
    }

    /// Waits for the next line without a time limit.
    fn patiently(&mut self, clock: &Clock) -> ReadOutcome {
        loop {
            let outcome = self.inner.read_line(clock, Some(clock.now() + LOOK));
            self.send_stderr();
            if !matches!(outcome, ReadOutcome::Nothing(_)) {
                return outcome;
            }
        }
    }

    /// Chosen move; `None` if the line is something else.
    fn choice(&self) -> Option<String> {
        let Script { entrant, side, .. } = &*self.script;
        let line = self.inner.line();
        match protocol::hear_answer(entrant.dialect, entrant.lenient, *side, line) {
            Ok(BotMessage::Move { text, comment }) => {
                let text = text.to_owned();
                if let Some(comment) = comment.map(Untrusted::new) {
                    self.emit(Event::Info(comment));
                }
                Some(text)
            }
            Ok(BotMessage::Claim { own_move, .. }) => own_move.map(str::to_owned),
            Ok(BotMessage::Info(text)) => {
                self.emit(Event::Info(Untrusted::new(text)));
                None
            }
            Ok(BotMessage::Skip) => None,
            // A line that cannot be parsed is shown unchanged, as an illegal move.
            Err(_) => Some(String::from_utf8_lossy(line).into_owned()),
        }
    }

    /// Whether the line is the one that forfeited the recorded game.
    fn repeats_the_forfeit(&self) -> bool {
        let evidence = self.script.record.evidence[self.script.side].as_ref();
        let line = evidence.and_then(|evidence| evidence.line.as_ref());
        line.is_some_and(|line| line.as_bytes() == self.inner.line())
    }

    /// Reports a choice. Returns whether the game continues with the recorded move.
    fn answered(&mut self, text: &str, took: Duration) -> bool {
        let Script { record, game, positions, .. } = &*self.script;
        let place = self.places.pop_front().unwrap_or(record.plies.len());
        let mut written = String::new();
        let table = game.resume(&positions[place]);
        let is_legal = table.is_ok_and(|mut table| table.play(text, &mut written).is_ok());
        let then = record.plies.get(place);
        let is_same = match then {
            Some(then) => is_legal && *then.text == *written,
            None => self.repeats_the_forfeit(),
        };
        let text = Untrusted::new(if is_legal { written } else { text.to_owned() });
        if let Some(then) = then {
            self.line = match self.script.entrant.dialect {
                Dialect::Pitmaster => format!("move {}", then.text).into_bytes(),
                Dialect::Arena | Dialect::Course => then.text.as_bytes().to_vec(),
            };
        }
        let goes_on = is_same && then.is_some() && self.last != Some(place);
        self.is_asked_enough.set(!goes_on);
        self.emit(Event::Answer(Answer { place, text, is_legal, is_same, took }));
        goes_on
    }
}

/// Clamps a time stamp to the limit, so that no answer is late.
fn in_time(at: At, until: Option<At>) -> At {
    until.map_or(at, |until| at.min(until))
}

impl Contender for Prompted {
    idle_contender!(stop used waited counts_all_cpu partial_line);

    forward_contender!(inner: new_game new_turn line_had_cr resume peak_memory stderr close_stdin);

    fn send(&mut self, bytes: &[u8]) {
        let is_turn = protocol::asks_for_move(self.script.entrant.dialect, bytes);
        self.asked = is_turn.then(Instant::now);
        self.inner.send(bytes);
    }

    /// Early output stays in the pipe, because there is no clock.
    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome {
        ReadOutcome::Nothing(clock.now())
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        loop {
            let at = match self.patiently(clock) {
                ReadOutcome::Line(at) => at,
                outcome => return outcome,
            };
            let Some(asked) = self.asked else {
                self.line = self.inner.line().to_vec();
                return ReadOutcome::Line(in_time(at, until));
            };
            if let Some(text) = self.choice() {
                let goes_on = self.answered(&text, asked.elapsed());
                let at = in_time(at, until);
                return if goes_on { ReadOutcome::Line(at) } else { ReadOutcome::Closed(at) };
            }
        }
    }

    fn line(&self) -> &[u8] {
        &self.line
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        let ended = self.inner.end(clock, until);
        self.send_stderr();
        ended
    }
}

/// Side that plays its recorded moves.
#[derive(Debug)]
pub(super) struct Scripted {
    moves: VecDeque<Box<str>>,
    line: Vec<u8>,
}

impl Scripted {
    pub(super) fn new(record: &Record, side: Side, from: usize) -> Self {
        let own = record.plies.iter().skip(from).filter(|ply| ply.by == Some(side));
        Self { moves: own.map(|ply| ply.text.clone()).collect(), line: Vec::new() }
    }
}

impl Contender for Scripted {
    idle_contender!(
        new_game new_turn stop resume close_stdin used waited counts_all_cpu
        line_had_cr peak_memory partial_line stderr
    );

    fn send(&mut self, _: &[u8]) {}

    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome {
        ReadOutcome::Nothing(clock.now())
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        let at = in_time(clock.now(), until);
        match self.moves.pop_front() {
            Some(text) => {
                self.line = text.as_bytes().to_vec();
                ReadOutcome::Line(at)
            }
            None => ReadOutcome::Closed(at),
        }
    }

    fn line(&self) -> &[u8] {
        &self.line
    }

    fn end(&mut self, _: &Clock, _: At) -> Ended {
        Ended::default()
    }
}
