//! Worked positions in one line each, for tests of single rules.
//!
//! A board is written as `1 0 4 | 2 0 5 | 3:0`: player 1's row from its left, player 2's from its
//! left, and the optional stores. The player to move and other parts of a position's text may
//! follow: `1 0 4 | 2 0 5; 2; moves=3`. The game is given by its unusual options; the board
//! determines the number of holes.

use pitmaster_core::Side;

use super::check::check;
use super::named::look_up;
use super::params::{Params, apply};
use super::{Move, Position, TwoRow};
use crate::{MoveList, Rules, Turn};

/// Rules of these options, for a board of this many holes on a side. No limit is near: there are 20
/// seeds for each hole, unless the options set another number.
pub(super) fn game(holes: i32, options: &str) -> TwoRow {
    let mut params = Params { holes, nbr_start: 20, stores: true, ..Params::default() };
    let given = options.split(',').filter_map(|option| option.split_once('='));
    assert_eq!(apply(&mut params, given), [], "{options}");
    let refused: Vec<_> =
        check(&params).into_iter().filter(|found| found.severity.is_fatal()).collect();
    assert!(refused.is_empty(), "{options}: {refused:?}");
    TwoRow::new(params)
}

/// A position of a game.
pub(super) struct Scene {
    pub(super) game: TwoRow,
    pub(super) pos: Position,
}

/// The parameters of a game by name, with a variant and options: `kalah::6x5,mustshare=on`.
pub(super) fn params_of(name: &str) -> Params {
    look_up(&name.parse().unwrap()).unwrap().params
}

/// Parses a position of the game with that name.
pub(super) fn known(name: &str, text: &str) -> Scene {
    written(text, |_| TwoRow::new(params_of(name)))
}

/// Parses a position of the game with these options.
pub(super) fn scene(options: &str, text: &str) -> Scene {
    written(text, |holes| game(holes, options))
}

fn written(text: &str, game: impl Fn(i32) -> TwoRow) -> Scene {
    let (board, rest) = text.split_once(';').unwrap_or((text, "1"));
    let parts: Vec<_> = board.split('|').map(str::trim).collect();
    let rows: Vec<Vec<_>> = parts[..2].iter().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0].len(), rows[1].len(), "{text}");
    let stores = parts.get(2).unwrap_or(&"0:0").replace(':', ",");
    let text = format!("{};{stores};{}", rows.concat().join(","), rest.replace(' ', ""));
    let game = game(rows[0].len().try_into().unwrap());
    let pos = game.parse_position(&text).unwrap();
    Scene { game, pos }
}

impl Scene {
    /// Plays moves, which are separated by blanks; each must be legal.
    pub(super) fn play(mut self, moves: &str) -> Self {
        for text in moves.split_whitespace() {
            let mv = self.parsed(text);
            let chance = self.game.turn(&self.pos) == Turn::Chance;
            assert!(chance || self.game.is_legal(&self.pos, &mv), "{text}: {}", self.text());
            self.game.play(&mut self.pos, &mv, &mut ());
        }
        self
    }

    pub(super) fn parsed(&self, text: &str) -> Move {
        self.game.parse_move(&self.pos, text).unwrap()
    }

    pub(super) fn text(&self) -> String {
        self.game.position_text(&self.pos)
    }

    /// The rows and the stores.
    pub(super) fn board(&self) -> String {
        let holes = &self.pos.seeds[..self.game.plan.n];
        let row = |row: &[u16]| row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        let (one, two) = holes.split_at(self.game.plan.h);
        let stores = self.pos.stores;
        format!("{} | {} | {}:{}", row(one), row(two), stores.one, stores.two)
    }

    /// A part of the position's text. Empty if it equals that at the start of a game.
    pub(super) fn part(&self, name: &str) -> String {
        let text = self.text();
        let mut parts = text.split(';').filter_map(|part| part.split_once('='));
        parts.find(|(part, _)| *part == name).map_or(String::new(), |(_, is)| is.to_owned())
    }

    /// Several parts at once: `board`, `turn`, `listed`, or parts by their names.
    pub(super) fn all<const N: usize>(&self, names: [&str; N]) -> [String; N] {
        names.map(|name| match name {
            "board" => self.board(),
            "turn" => self.turn(),
            "listed" => self.listed(),
            part => self.part(part),
        })
    }

    /// Next to act: `1`, `2` or `chance`; or the result: `1 wins 7:3`, `drawn 5:5`.
    pub(super) fn turn(&self) -> String {
        match self.game.turn(&self.pos) {
            Turn::Player(side) => side.to_string(),
            Turn::Chance => "chance".into(),
            Turn::Over(outcome) => result(outcome.winner, outcome.score),
        }
    }

    /// Result if a limit of plies ended the game now, as in [`Scene::turn`].
    pub(super) fn adjudicated(&self) -> String {
        let outcome = self.game.adjudicate(&self.pos);
        result(outcome.winner, outcome.score)
    }

    /// All moves and templates, separated by blanks.
    pub(super) fn listed(&self) -> String {
        let mut list = MoveList::default();
        self.game.moves(&self.pos, &mut list);
        let moves = list.moves.iter().map(|mv| self.game.move_text(&self.pos, mv));
        let templates =
            list.templates.iter().map(|template| self.game.template_text(&self.pos, template));
        moves.chain(templates).collect::<Vec<_>>().join(" ")
    }
}

fn result(winner: Option<Side>, score: pitmaster_core::Score) -> String {
    let won = winner.map_or("drawn".into(), |side| format!("{side} wins"));
    format!("{won} {}:{}", score.one, score.two)
}

/// The board after moves.
pub(super) fn after(options: &str, position: &str, moves: &str) -> String {
    scene(options, position).play(moves).board()
}

/// Next to act after moves.
pub(super) fn turn(options: &str, position: &str, moves: &str) -> String {
    scene(options, position).play(moves).turn()
}

/// The moves of a position.
pub(super) fn listed(options: &str, position: &str) -> String {
    scene(options, position).listed()
}
