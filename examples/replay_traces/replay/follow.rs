//! Follows a trace with the engine, up to the first disagreement.

use std::fmt;

use pitmaster::core::{Seed, Side};
use pitmaster::games::two_row::params::Params;
use pitmaster::games::two_row::{
    Clause, Inhibited, LastMove, Layout, Move, Phase, Position, Template, TwoRow,
};
use pitmaster::games::{MoveList, Rules, Turn};
use serde_json::Value;

use super::moves;
use super::state::{Inhibition, State, has, side_of};
use super::trace::{Fields, Kind, Step, Trace};

/// First difference between the engine and a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Disagreement {
    /// The step of the trace, from 1; 0 is the start.
    pub(crate) step: usize,
    /// The position before that step.
    pub(crate) position: String,
    /// The step's text.
    pub(crate) mv: String,
    /// What of it differs.
    pub(crate) what: String,
    /// Value in the trace.
    pub(crate) expected: String,
    /// Value in the engine.
    pub(crate) seen: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, position, mv, what, expected, seen } = self;
        write!(
            f,
            "step {step}: {what}\n  position  {position}\n  move      {mv}\n  expected  {expected}\n  \
             seen      {seen}"
        )
    }
}

/// Follows a trace and returns how many plies were compared.
pub(crate) fn follow(rules: &TwoRow, trace: &Trace) -> Result<usize, Box<Disagreement>> {
    let mut game = Follower::begin(rules, trace)?;
    for (at, step) in trace.steps.iter().enumerate() {
        game.step = at + 1;
        game.before = game.position.clone();
        game.is_last = at + 1 == trace.steps.len();
        game.take(step)?;
    }
    game.end()?;
    Ok(game.plies)
}

struct Follower<'t> {
    rules: &'t TwoRow,
    trace: &'t Trace,
    position: Position,
    /// State in the trace.
    state: State,
    list: MoveList<Move, Template>,
    step: usize,
    is_last: bool,
    plies: usize,
    /// Position before, for the report.
    before: Position,
    mv: String,
}

type Followed = Result<(), Box<Disagreement>>;

impl<'t> Follower<'t> {
    /// Puts the engine where the trace begins.
    fn begin(rules: &'t TwoRow, trace: &'t Trace) -> Result<Self, Box<Disagreement>> {
        let position = rules.start();
        let mut game = Self {
            rules,
            trace,
            state: State::of_params(rules.params()),
            list: MoveList::default(),
            step: 0,
            is_last: false,
            plies: 0,
            before: position.clone(),
            mv: "start".into(),
            position,
        };
        game.change(&trace.start)?;
        game.start()?;
        Ok(game)
    }

    /// Checks the start if the engine can reach it, otherwise adopts it. Player 2 never starts the
    /// engine's games.
    fn start(&mut self) -> Followed {
        let start = &self.trace.start;
        let starter = side_of(number(start, "st") as u8);
        match (self.position.phase, start.get("om")) {
            (Phase::Opening, Some(opening)) => {
                self.begin_with(starter);
                self.play_opening(opening)?;
            }
            (Phase::Deal, _) => {
                self.begin_with(starter);
                let deal = Move::Deal(self.row(0..self.state.seeds.len()));
                self.rules.play(&mut self.position, &deal, &mut ());
            }
            _ if starter == Side::Two => self.inject(starter),
            _ => {}
        }
        let asks = matches!(self.trace.steps.first(), Some(Step { kind: Kind::Choice { .. }, .. }));
        if matches!(self.position.phase, Phase::Layout(_)) && !asks {
            self.position.phase = Phase::Move;
        }
        self.compare_state()?;
        self.compare_counters(number(start, "mc"), number(start, "mv"), number(start, "rc"))
    }

    /// Gives the first chance step of a game to a starter: an opening may be the other player's.
    fn begin_with(&mut self, starter: Side) {
        if self.position.starter != starter {
            self.position.side = self.position.side.other();
            self.position.starter = starter;
        }
    }

    /// Makes the position that of the trace's state.
    fn inject(&mut self, starter: Side) {
        let (start, state, position) = (&self.trace.start, &self.state, &mut self.position);
        let phase = match position.phase {
            Phase::Layout(_) => Phase::Layout(state.turn),
            _ => Phase::Move,
        };
        if position.starter != starter {
            position.last = position.last.map(|last| seen_from_across(last, self.rules.params()));
        }
        for (seeds, &value) in position.seeds.iter_mut().zip(&state.seeds) {
            *seeds = value as u16;
        }
        position.stores.one = state.stores[0] as u16;
        position.stores.two = state.stores[1] as u16;
        position.side = state.turn;
        position.starter = starter;
        position.phase = phase;
        position.children = state.children;
        position.rams = state.rams;
        position.blocked = state.blocked;
        position.unlocked = state.unlocked;
        position.owned = state.owned.unwrap_or(position.owned);
        position.moves = number(start, "mc");
        position.turns = number(start, "mv");
        position.repeats = number(start, "rc");
        position.tally = state.tally;
        position.bearing_off = state.bearing_off;
        position.placing = state.placing;
        position.directions = state.directions;
        if state.inhibited == Inhibition::Off {
            position.inhibited = Inhibited::default();
        } else if position.inhibited == Inhibited::default() {
            position.inhibited.captures = true;
        }
    }

    fn take(&mut self, step: &Step) -> Followed {
        match &step.kind {
            Kind::Move { player, legal, mv, outcome, winner, endless } => {
                self.decline_layout();
                self.play(side_of(*player), legal, mv, &step.changed)?;
                self.compare_outcome(outcome.as_deref(), winner.map(side_of), *endless)
            }
            Kind::Round { starter, moves, turns, repeats, lot, opening } => {
                self.mv = "new round".into();
                self.change(&step.changed)?;
                self.deal_round(*lot, opening.as_ref())?;
                self.compare_state()?;
                self.compare(
                    "starter",
                    format!("{:?}", side_of(*starter)),
                    format!("{:?}", self.position.starter),
                )?;
                self.compare_counters(*moves, *turns, *repeats)
            }
            Kind::Choice { side, made } => {
                self.mv = "choice".into();
                self.change(&step.changed)?;
                self.choose(side_of(*side), *made)?;
                self.compare_state()
            }
        }
    }

    /// Declines a choice that the trace's player does not know.
    fn decline_layout(&mut self) {
        if let Phase::Layout(_) = self.position.phase {
            self.rules.play(&mut self.position, &Move::Pass, &mut ());
        }
    }

    /// Compares the legal moves, then plays the one that was played.
    fn play(&mut self, player: Side, legal: &[Value], mv: &Value, changed: &Fields) -> Followed {
        self.plies += 1;
        let legal = legal.iter().map(|mv| self.read(mv, player)).collect::<Result<Vec<_>, _>>()?;
        let mv = self.read(mv, player)?;
        self.mv = moves::text(&mv);
        let turn = self.rules.turn(&self.position);
        if turn != Turn::Player(player) {
            return self.disagree("turn", format!("{player:?}"), format!("{turn:?}"));
        }
        self.compare_legal(legal)?;
        if !self.rules.is_legal(&self.position, &mv) {
            return self.disagree("is_legal", self.mv.clone(), "illegal".into());
        }
        self.rules.play(&mut self.position, &mv, &mut ());
        self.change(changed)
    }

    fn compare_legal(&mut self, mut legal: Vec<Move>) -> Followed {
        self.rules.moves(&self.position, &mut self.list);
        let listed = &mut self.list.moves;
        listed.sort_by_key(moves::key);
        legal.sort_by_key(moves::key);
        if self.position.placing {
            legal.dedup(); // Traces list directions, which mean nothing here.
        }
        if *listed != legal {
            let listed = moves::texts(listed);
            return self.disagree("legal moves", moves::texts(&legal), listed);
        }
        self.compare(
            "templates",
            String::new(),
            format!("{:?}", self.list.templates).trim_matches(['[', ']']).to_string(),
        )
    }

    /// Compares the outcome of a move, and the state.
    fn compare_outcome(
        &mut self,
        outcome: Option<&str>,
        winner: Option<Side>,
        endless: bool,
    ) -> Followed {
        let clause = if endless { Clause::Endless } else { Clause::Goal };
        let stuck = self.is_last && self.trace.result.end == "STUCK";
        let expected = match outcome {
            Some("WIN" | "TIE") => Phase::Over(winner, clause),
            Some("ROUND_WIN" | "ROUND_TIE") => Phase::RoundOver(winner),
            _ if stuck => Phase::Over(None, Clause::Stuck),
            _ => Phase::Move,
        };
        let seen = match self.position.phase {
            Phase::Over(_, Clause::Stuck) => Phase::Over(None, Clause::Stuck),
            phase => phase,
        };
        // The state first: it says more.
        let ignored_turn = matches!(expected, Phase::Over(..));
        self.compare_state_but(ignored_turn)?;
        self.compare("outcome", format!("{expected:?}"), format!("{seen:?}"))
    }

    /// Takes the chance steps up to the first move of a round, with the trace's luck.
    fn deal_round(&mut self, lot: Option<u8>, opening: Option<&Value>) -> Followed {
        if !matches!(self.position.phase, Phase::RoundOver(_)) {
            let seen = format!("{:?}", self.position.phase);
            return self.disagree("phase", "RoundOver".into(), seen);
        }
        while self.rules.turn(&self.position) == Turn::Chance {
            if self.position.phase == Phase::Opening {
                let Some(opening) = opening else {
                    return self.disagree("opening", "none".into(), "one to be drawn".into());
                };
                self.play_opening(opening)?;
                continue;
            }
            // What the engine would draw says which step it wants.
            let mut rng = Seed(1).stream("replay");
            let drawn = self.rules.draw(&self.position, &mut rng);
            let step = match (drawn, lot) {
                (Move::Round(Some(_)), Some(lot)) => Move::Round(Some(self.lottery(lot == 1))),
                (Move::Round(None), None) => Move::Round(None),
                (Move::Deal(_), None) => Move::Deal(self.row(0..self.state.seeds.len())),
                (drawn, _) => {
                    let seen = moves::text(&drawn);
                    return self.disagree("chance step", format!("lot {lot:?}"), seen);
                }
            };
            self.rules.play(&mut self.position, &step, &mut ());
        }
        Ok(())
    }

    /// Who got the hole that was drawn for: the player with more seeds, or the other.
    fn lottery(&self, winner_gets: bool) -> Side {
        let position = &self.position;
        let held = |side: Side| {
            let children = (0..position.seeds.len())
                .filter(|&hole| has(position.children[side], hole))
                .map(|hole| u32::from(position.seeds[hole]));
            u32::from(position.stores[side]) + children.sum::<u32>()
        };
        let more = if held(Side::One) > held(Side::Two) { Side::One } else { Side::Two };
        if winner_gets { more } else { more.other() }
    }

    fn play_opening(&mut self, opening: &Value) -> Followed {
        let mv = self.read(opening, self.position.side)?;
        self.rules.play(&mut self.position, &mv, &mut ());
        Ok(())
    }

    /// Plays the layout that the trace's state now has.
    fn choose(&mut self, row: Side, made: bool) -> Followed {
        let Phase::Layout(player) = self.position.phase else {
            // Traces offer choices without alternative; nothing may come of them.
            return Ok(());
        };
        let holes = self.rules.params().holes as usize;
        let row = if row == Side::One { 0..holes } else { holes..2 * holes };
        let mv = if !made {
            Move::Pass
        } else if self.is_owning() {
            let wanted =
                |&hole: &usize| has(self.state.owned.unwrap_or(0), hole) == (player == Side::Two);
            Move::Own(row.filter(wanted).fold(0, |set, hole| set | 1 << hole))
        } else {
            Move::Fill(self.row(row))
        };
        self.mv = moves::text(&mv);
        if !self.rules.is_legal(&self.position, &mv) {
            return self.disagree("is_legal", self.mv.clone(), "illegal".into());
        }
        self.rules.play(&mut self.position, &mv, &mut ());
        Ok(())
    }

    fn is_owning(&mut self) -> bool {
        self.rules.moves(&self.position, &mut self.list);
        self.list.templates.iter().any(|template| matches!(template, Template::Own(_)))
    }

    /// The seeds that the trace's state has in some holes, as a layout.
    fn row(&self, holes: std::ops::Range<usize>) -> Layout {
        let seeds = holes.map(|hole| (hole as u8, self.state.seeds[hole] as u16));
        seeds.filter(|&(_, seeds)| seeds > 0).collect()
    }

    fn end(&mut self) -> Followed {
        self.before = self.position.clone();
        self.mv = "end".into();
        let result = &self.trace.result;
        let winner = result.winner.map(side_of);
        let seen = self.position.phase;
        let agrees = match (result.end.as_str(), seen) {
            ("WIN" | "TIE", Phase::Over(seen, _)) => seen == winner,
            ("STUCK", Phase::Over(_, clause)) => clause == Clause::Stuck,
            ("CAP", phase) => !matches!(phase, Phase::Over(..)),
            _ => false,
        };
        if agrees {
            return Ok(());
        }
        self.disagree("end", format!("{result:?}"), format!("{seen:?}"))
    }

    fn read(&self, value: &Value, mover: Side) -> Result<Move, Box<Disagreement>> {
        let holes = self.rules.params().holes as u8;
        moves::read(value, mover, holes, self.position.placing)
            .ok_or_else(|| self.disagreement("trace", "a move".into(), value.to_string()).into())
    }

    fn change(&mut self, changed: &Fields) -> Followed {
        let changed = self.state.change(changed);
        changed.map_err(|fault| self.disagreement("trace", String::new(), fault).into())
    }

    fn compare_state(&self) -> Followed {
        self.compare_state_but(false)
    }

    fn compare_state_but(&self, ignored_turn: bool) -> Followed {
        let mut seen = State::of_position(self.rules.params(), &self.position);
        if ignored_turn {
            seen.turn = self.state.turn;
        }
        if seen == self.state {
            return Ok(());
        }
        let (what, expected, seen) = self.state.differences(&seen);
        self.disagree(&what, expected, seen)
    }

    fn compare_counters(&self, moves: u32, turns: u32, repeats: u32) -> Followed {
        let position = &self.position;
        let seen = (position.moves, position.turns, position.repeats);
        let expected = format!("{:?}", (moves, turns, repeats));
        self.compare("moves, turns, repeats", expected, format!("{seen:?}"))
    }

    fn compare(&self, what: &str, expected: String, seen: String) -> Followed {
        if expected == seen { Ok(()) } else { self.disagree(what, expected, seen) }
    }

    fn disagree(&self, what: &str, expected: String, seen: String) -> Followed {
        Err(Box::new(self.disagreement(what, expected, seen)))
    }

    /// Hidden state of the position before the step.
    fn memory(&self) -> String {
        let Position { moves, turns, repeats, phase, last, .. } = &self.before;
        format!("moves {moves}, turns {turns}, repeats {repeats}, {phase:?}, last {last:?}")
    }

    fn disagreement(&self, what: &str, expected: String, seen: String) -> Disagreement {
        let before = State::of_position(self.rules.params(), &self.before);
        Disagreement {
            step: self.step,
            position: format!("{before}, {}", self.memory()),
            mv: self.mv.clone(),
            what: what.into(),
            expected,
            seen,
        }
    }
}

fn number(fields: &Fields, key: &str) -> u32 {
    fields.get(key).and_then(Value::as_u64).unwrap_or(0) as u32
}

/// A move by the other player, from the other seat.
fn seen_from_across(last: LastMove, params: &Params) -> LastMove {
    let turned = |at: i8| match at {
        -1 => -2,
        -2 => -1,
        hole => ((i32::from(hole) + params.holes) % (2 * params.holes)) as i8,
    };
    LastMove { side: last.side.other(), start: turned(last.start), end: turned(last.end), ..last }
}
