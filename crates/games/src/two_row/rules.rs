//! Implementation of the `Rules` trait by the two-row engine.

use std::hash::Hasher;

use pitmaster_core::i18n::Message;
use pitmaster_core::{BySide, Score, Side, below};
use rand::Rng;

use super::params::Goal;
use super::plan::Family;
use super::position::{Clause, Phase, Position};
use super::rounds::tally;
use super::{Move, Template, TwoRow, board, layouts, rounds, text};
use crate::{Contents, MoveList, Observer, Outcome, Rules, Shape, TextError, Turn};

impl Rules for TwoRow {
    type Position = Position;
    type Move = Move;
    type Template = Template;

    fn start(&self) -> Position {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, pos: &Position) -> Turn {
        match pos.phase {
            Phase::Move => Turn::Player(pos.side),
            Phase::Layout(side) => Turn::Player(side),
            Phase::Deal | Phase::Opening | Phase::RoundOver(_) => Turn::Chance,
            Phase::Over(winner, clause) => Turn::Over(self.outcome(pos, winner, clause)),
        }
    }

    fn moves(&self, pos: &Position, list: &mut MoveList<Move, Template>) {
        self.plan.list(pos, list);
    }

    fn is_legal(&self, pos: &Position, mv: &Move) -> bool {
        self.plan.may_play(pos, mv)
    }

    fn why_illegal(&self, pos: &Position, mv: &Move) -> Option<Message> {
        self.plan.refusal(pos, mv)
    }

    fn play<O: Observer>(&self, pos: &mut Position, mv: &Move, observer: &mut O) {
        self.plan.play(pos, mv, observer);
    }

    fn complete(&self, pos: &Position, _: &Template, rng: &mut dyn Rng) -> Move {
        layouts::complete(&self.plan.params, pos, rng)
    }

    fn hash_future<H: Hasher>(&self, pos: &Position, state: &mut H) {
        self.plan.hash_future(pos, state);
    }

    fn draw(&self, pos: &Position, rng: &mut dyn Rng) -> Move {
        if pos.phase != Phase::Opening {
            return rounds::draw(&self.plan.params, pos, rng);
        }
        let mut moves = Vec::new();
        self.plan.list_moves(pos, &mut moves);
        moves.retain(|mv| *mv != Move::Swap);
        let pick = below(rng, moves.len().max(1) as u64) as usize;
        moves.get(pick).cloned().unwrap_or(Move::Pass)
    }

    fn adjudicate(&self, pos: &Position) -> Outcome {
        let mut settled = pos.clone();
        let winner = match pos.phase {
            Phase::Over(winner, clause) => return self.outcome(pos, winner, clause),
            Phase::RoundOver(_) if self.plan.tallies => self.score(pos).leader(),
            _ => {
                let mover = pos.last.map_or(pos.side, |last| last.side);
                self.plan.force_end(&mut settled, mover, &mut ())
            }
        };
        let score = match pos.phase {
            Phase::RoundOver(_) => self.score(&settled),
            _ => self.score_of_forced_end(&settled),
        };
        Outcome { winner, score, clause: "quitter" }
    }

    fn score(&self, pos: &Position) -> Score {
        if self.plan.tallies {
            return tally::score(&self.plan.params, &pos.tally);
        }
        let [one, two] = Side::BOTH.map(|side| pos.seeds_won(side));
        BySide::new(one, two)
    }

    fn move_text(&self, _: &Position, mv: &Move) -> String {
        let mut text = String::new();
        text::write(mv, &mut text);
        text
    }

    fn template_text(&self, _: &Position, template: &Template) -> String {
        text::template(template)
    }

    fn parse_move(&self, pos: &Position, text: &str) -> Result<Move, TextError> {
        self.plan.parse(pos, text)
    }

    fn position_text(&self, pos: &Position) -> String {
        self.plan.position_text(pos)
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        self.plan.parse_position(text)
    }

    fn board(&self, pos: &Position) -> String {
        board::draw(&self.plan, pos)
    }

    fn shape(&self) -> Shape {
        board::shape(&self.plan)
    }

    fn contents(&self, pos: &Position) -> Contents {
        board::contents(&self.plan, pos)
    }
}

impl TwoRow {
    fn outcome(&self, pos: &Position, winner: Option<Side>, clause: Clause) -> Outcome {
        let score = match clause {
            // The seeds stay on the board and count as if a limit had ended the game.
            Clause::Stuck => {
                let mut settled = pos.clone();
                self.plan.force_end(&mut settled, pos.side, &mut ());
                self.score_of_forced_end(&settled)
            }
            Clause::Endless => self.score_of_forced_end(pos),
            Clause::Goal => self.score(pos),
        };
        let clause = match clause {
            Clause::Endless => "endless",
            Clause::Stuck => "stuck",
            Clause::Goal => self.goal(),
        };
        Outcome { winner, score, clause }
    }

    /// Score that decides a game ended by a limit: seeds divided among children are compared
    /// without those off the board.
    fn score_of_forced_end(&self, settled: &Position) -> Score {
        if self.plan.tallies || !self.plan.quits_into_children() {
            return self.score(settled);
        }
        settled.in_children()
    }

    fn goal(&self) -> &'static str {
        match (self.plan.tallies, self.plan.family) {
            (true, _) => "tally",
            (_, Family::Clear) => "cleared",
            (_, Family::Deprive) => "deprived",
            (_, Family::Immobilize) => "immobilized",
            _ if self.plan.params.goal == Goal::Territory => "territory",
            _ => "seeds",
        }
    }
}
