//! Test fixtures: formats played with simulated results.

use pitmaster_core::{BySide, Mark, Seed};
use pitmaster_ratings::{Game, PairId, Places};
use rand::RngExt as _;

use crate::{Decision, Expected, Format, Next, Pairing};

/// All pairings of a format that does not depend on results.
pub(super) fn all(mut format: impl Format) -> Vec<Pairing> {
    std::iter::from_fn(|| match format.next() {
        Next::Pairing(pairing) => Some(pairing),
        Next::Wait => panic!("it looks at no results"),
        Next::Done => None,
    })
    .collect()
}

/// A format that was played to its end.
#[derive(Debug)]
pub(super) struct Played<F> {
    pub(super) pairings: Vec<Pairing>,
    pub(super) format: F,
}

impl Format for Box<dyn Format> {
    fn next(&mut self) -> Next {
        (**self).next()
    }

    fn expected(&self) -> Expected {
        (**self).expected()
    }

    fn accepts_gaps(&self) -> bool {
        (**self).accepts_gaps()
    }

    fn on_result(&mut self, game: &Game) {
        (**self).on_result(game);
    }

    fn decided(&mut self) -> Vec<Decision> {
        (**self).decided()
    }

    fn places(&self) -> Places {
        (**self).places()
    }
}

/// Plays a format to its end. Seed 0: the lower number wins every game; others draw results.
pub(super) fn play<F: Format>(format: F, seed: u64) -> Played<F> {
    let mut dice = Seed(seed).stream("made-up results");
    play_by(format, |game| {
        let mark = if seed == 0 {
            if game.bots.one < game.bots.two { Mark::Win } else { Mark::Loss }
        } else {
            [Mark::Win, Mark::Draw, Mark::Loss][dice.random_range(0..3)]
        };
        match mark {
            Mark::Win => BySide::new(Mark::Win, Mark::Loss),
            Mark::Draw => BySide::new(Mark::Draw, Mark::Draw),
            Mark::Loss => BySide::new(Mark::Loss, Mark::Win),
        }
    })
}

/// Plays a format with given results.
pub(super) fn play_by<F: Format>(
    mut format: F,
    mut result: impl FnMut(&Game) -> BySide<Mark>,
) -> Played<F> {
    let mut pairings = Vec::new();
    loop {
        match format.next() {
            Next::Pairing(pairing) => {
                for mut game in games(&pairing) {
                    game.fingerprint = pairings.len() as u64;
                    game.marks = result(&game);
                    format.on_result(&game);
                }
                pairings.push(pairing);
            }
            Next::Wait => panic!("it was told of every result"),
            Next::Done => return Played { pairings, format },
        }
    }
}

/// The two games of a pairing, drawn.
pub(super) fn games(pairing: &Pairing) -> [Game; 2] {
    let [a, b] = pairing.bots.map(|bot| bot as u32);
    let pair = PairId { stage: pairing.stage, round: pairing.round, number: pairing.pair };
    [BySide::new(a, b), BySide::new(b, a)].map(|bots| Game {
        fingerprint: 0,
        bots,
        pair,
        marks: BySide::new(Mark::Draw, Mark::Draw),
        faults: BySide::default(),
    })
}
