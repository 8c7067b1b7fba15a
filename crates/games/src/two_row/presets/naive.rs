//! Naive implementations of Kalah and Oware on plain arrays, independent of the engine, and
//! comparisons of the engine with them.

use pitmaster_core::{Seed, below};
use proptest::prelude::*;

use crate::two_row::TwoRow;
use crate::two_row::testing::params_of;
use crate::{MoveList, Rules, Turn};

/// Game whose rules are played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Game {
    Kalah,
    KalahEmpty,
    Oware,
}

/// Player 0 has holes 0 to 5, player 1 holes 6 to 11.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Naive {
    game: Game,
    holes: [u32; 12],
    stores: [u32; 2],
    mover: usize,
    over: bool,
}

impl Naive {
    pub(super) fn new(game: Game, seeds: u32) -> Self {
        Self { game, holes: [seeds; 12], stores: [0; 2], mover: 0, over: false }
    }

    fn row(&self, player: usize) -> u32 {
        self.holes[6 * player..6 * player + 6].iter().sum()
    }

    fn moves(&self) -> Vec<usize> {
        let own = (6 * self.mover..6 * self.mover + 6).filter(|&hole| self.holes[hole] > 0);
        match self.game {
            _ if self.over => Vec::new(),
            Game::Oware if self.row(1 - self.mover) == 0 => {
                own.filter(|&hole| self.feeds(hole)).collect()
            }
            _ => own.collect(),
        }
    }

    /// Whether a move gives seeds to an opponent without any.
    fn feeds(&self, hole: usize) -> bool {
        let mut after = self.clone();
        after.play_oware(hole);
        after.row(1 - self.mover) > 0
    }

    fn play(&mut self, hole: usize) {
        let again = match self.game {
            Game::Oware => self.play_oware(hole),
            Game::Kalah | Game::KalahEmpty => self.play_kalah(hole),
        };
        let emptied = self.game != Game::Oware && self.row(self.mover) == 0;
        if !again {
            self.mover = 1 - self.mover;
        }
        let half = (self.holes.iter().sum::<u32>() + self.stores[0] + self.stores[1]) / 2;
        self.over = !emptied && self.stores.iter().any(|&store| store > half);
        // The player with more than half has won, and the remaining seeds stay on the board.
        if !self.over && (emptied || self.moves().is_empty()) {
            for player in [0, 1] {
                self.stores[player] += self.row(player);
            }
            self.holes = [0; 12];
            self.over = true;
        }
    }

    /// Plays a move and returns whether the mover moves again. A round of sowing covers the mover's
    /// row, the mover's store and the other row.
    fn play_kalah(&mut self, hole: usize) -> bool {
        let me = self.mover;
        let places: Vec<_> = (0..12).map(|step| (6 * me + step) % 12).collect();
        let mut at = hole - 6 * me;
        for _ in 0..std::mem::take(&mut self.holes[hole]) {
            at = (at + 1) % 13;
            match at {
                6 => self.stores[me] += 1,
                0..6 => self.holes[places[at]] += 1,
                _ => self.holes[places[at - 1]] += 1,
            }
        }
        if at < 6 && self.holes[places[at]] == 1 {
            let across = 11 - places[at];
            if self.holes[across] > 0 || self.game == Game::KalahEmpty {
                self.stores[me] += 1 + std::mem::take(&mut self.holes[across]);
                self.holes[places[at]] = 0;
            }
        }
        at == 6
    }

    fn play_oware(&mut self, hole: usize) -> bool {
        let starved = self.row(1 - self.mover) == 0;
        let mut at = hole;
        for _ in 0..std::mem::take(&mut self.holes[hole]) {
            at = (at + 1) % 12;
            if at == hole {
                at = (at + 1) % 12;
            }
            self.holes[at] += 1;
        }
        let mut after = self.clone();
        while at / 6 != self.mover && [2, 3].contains(&after.holes[at]) {
            after.stores[self.mover] += std::mem::take(&mut after.holes[at]);
            at = (at + 11) % 12;
        }
        if starved || after.row(1 - self.mover) > 0 {
            *self = after;
        }
        false
    }

    /// Number of sequences of this many moves.
    pub(super) fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth <= 1 {
            return if depth == 0 { 1 } else { moves.len() as u64 };
        }
        let after = moves.iter().map(|&hole| {
            let mut next = self.clone();
            next.play(hole);
            next.perft(depth - 1)
        });
        after.sum()
    }
}

fn any_game() -> impl Strategy<Value = (Game, &'static str)> {
    prop_oneof![
        Just((Game::Kalah, "kalah")),
        Just((Game::KalahEmpty, "kalah_empty")),
        Just((Game::Oware, "oware")),
    ]
}

proptest! {
    /// Every position of a random game is equal in both: moves, seeds, turn and result.
    #[test]
    fn the_engine_plays_as_plain_arrays_do(
        (game, name) in any_game(), seeds in 1..8_u32, seed: u64,
    ) {
        let rules = TwoRow::new(params_of(&format!("{name},seeds={seeds}")));
        let (mut naive, mut position) = (Naive::new(game, seeds), rules.start());
        let (mut rng, mut list) = (Seed(seed).stream("moves"), MoveList::default());
        for _ in 0..300 {
            let holes: Vec<_> = position.seeds[..12].iter().map(|&seeds| u32::from(seeds)).collect();
            prop_assert_eq!(&holes[..], &naive.holes[..]);
            prop_assert_eq!(u32::from(position.stores.one), naive.stores[0]);
            prop_assert_eq!(u32::from(position.stores.two), naive.stores[1]);
            rules.moves(&position, &mut list);
            let moves = naive.moves();
            prop_assert_eq!(list.moves.len(), moves.len());
            match rules.turn(&position) {
                Turn::Player(side) => prop_assert_eq!(side.index(), naive.mover),
                turn => {
                    prop_assert!(naive.over, "{:?}", turn);
                    return Ok(());
                }
            }
            let pick = below(&mut rng, moves.len() as u64) as usize;
            let text = rules.move_text(&position, &list.moves[pick]);
            prop_assert_eq!(&text, &(moves[pick] + 1).to_string());
            rules.play(&mut position, &list.moves[pick], &mut ());
            naive.play(moves[pick]);
        }
    }
}
