//! Move execution from the mover's point of view: sowing, capturing, and the game's treatment of
//! captured seeds. The module knows neither the side to move nor when a game is over.

use super::Kind;
use super::hole::{COLUMNS, Hole};
use super::moves::{Layout, Move};
use super::sowing::sow;
use super::trace::Watch;
use crate::Observer;
use crate::holes::{HOLES, Holes};

/// Seeds of both players, each in the own holes, by index in the cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) own: Holes,
    pub(super) other: Holes,
}

/// State of a move when the hand is at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// The move is complete.
    Done,
    /// This many seeds continue from one of the holes that have the most.
    Choose(u8),
    /// This many seeds must be laid out.
    Lay(u8),
    /// The sowing never ends: the move is illegal.
    Endless,
}

/// Hole from which the hand continues.
enum Source {
    Place(usize),
    /// Out of any hole with the most seeds, of which there are several.
    Any,
}

impl Board {
    /// Begins the move of a hole that has seeds.
    pub(super) fn begin<O: Observer>(
        &mut self,
        kind: Kind,
        hole: Hole,
        watch: &mut Watch<'_, O>,
    ) -> Rest {
        let seeds = self.own.get(hole.place());
        watch.lifted(hole.place(), seeds);
        self.sow_on(kind, hole.place(), seeds, watch)
    }

    /// Continues with a hand sown out of a chosen hole.
    pub(super) fn choose<O: Observer>(
        &mut self,
        kind: Kind,
        hand: u8,
        place: usize,
        watch: &mut Watch<'_, O>,
    ) -> Rest {
        let seeds = self.put(kind, hand, place, watch);
        self.sow_on(kind, place, seeds, watch)
    }

    /// Makes a whole move. Returns false if it is illegal; then the board is invalid.
    pub(super) fn make<O: Observer>(
        &mut self,
        kind: Kind,
        mv: &Move,
        watch: &mut Watch<'_, O>,
    ) -> bool {
        if self.own.get(mv.hole().place()) == 0 {
            return false;
        }
        let mut rest = self.begin(kind, mv.hole(), watch);
        match mv {
            Move::Sow { choices, .. } => {
                for hole in choices.iter() {
                    match rest {
                        Rest::Choose(hand) if self.may_choose(*hole) => {
                            rest = self.choose(kind, hand, hole.place(), watch);
                        }
                        _ => return false,
                    }
                }
                rest == Rest::Done
            }
            Move::Lay { layout, .. } => match rest {
                Rest::Lay(seeds) if layout.total() == u32::from(seeds) => {
                    self.lay(layout, watch);
                    true
                }
                _ => false,
            },
        }
    }

    /// The holes that may be chosen.
    pub(super) fn choices(self) -> impl Iterator<Item = Hole> {
        let most = self.most();
        Hole::ALL.into_iter().filter(move |hole| self.own.get(hole.place()) == most)
    }

    fn may_choose(&self, hole: Hole) -> bool {
        self.own.get(hole.place()) == self.most()
    }

    /// Largest number of seeds in one of the mover's holes.
    fn most(&self) -> u8 {
        self.own.numbers().into_iter().fold(0, u8::max)
    }

    /// Sows this many of a hole's seeds, captures, and continues until the hand is at rest.
    fn sow_on<O: Observer>(
        &mut self,
        kind: Kind,
        mut place: usize,
        mut seeds: u8,
        watch: &mut Watch<'_, O>,
    ) -> Rest {
        loop {
            let Some(last) = sow(&mut self.own, place, seeds, watch) else { return Rest::Endless };
            let hand = self.capture(kind, last, watch);
            match kind {
                _ if hand == 0 => return Rest::Done,
                Kind::One => return Rest::Done,
                Kind::Three => return Rest::Lay(hand),
                Kind::TwoA | Kind::TwoB => match self.source(last) {
                    Source::Any => return Rest::Choose(hand),
                    Source::Place(source) => {
                        place = source;
                        seeds = self.put(kind, hand, place, watch);
                    }
                },
            }
        }
    }

    /// Empties the column that faces the hole where a sowing has stopped, if that is an inner hole
    /// and the hole in front of it has seeds. Returns the number of captured seeds.
    fn capture<O: Observer>(&mut self, kind: Kind, last: usize, watch: &mut Watch<'_, O>) -> u8 {
        if last >= COLUMNS {
            return 0;
        }
        let (inner, outer) = (COLUMNS - 1 - last, COLUMNS + last);
        if self.other.get(inner) == 0 {
            return 0;
        }
        let column = self.other & (Holes::only(inner, 0xff) + Holes::only(outer, 0xff));
        self.other = self.other - column;
        for place in [inner, outer] {
            watch.captured(place, column.get(place), kind != Kind::One);
        }
        column.get(inner) + column.get(outer)
    }

    /// Hole from which the hand continues after a sowing that has stopped: the first empty hole
    /// backwards, else the hole with the most seeds.
    fn source(&self, last: usize) -> Source {
        let back = (1..HOLES).map(|back| (last + HOLES - back) % HOLES);
        if let Some(empty) = back.into_iter().find(|place| self.own.get(*place) == 0) {
            return Source::Place(empty);
        }
        let mut choices = self.choices();
        match (choices.next(), choices.next()) {
            (Some(only), None) => Source::Place(only.place()),
            _ => Source::Any,
        }
    }

    /// Puts the hand into a hole, and returns how many of its seeds are to be sown: in game 2a all
    /// of them, in 2b those of the hand.
    fn put<O: Observer>(
        &mut self,
        kind: Kind,
        hand: u8,
        place: usize,
        watch: &mut Watch<'_, O>,
    ) -> u8 {
        let there = self.own.get(place);
        self.own += Holes::only(place, hand);
        if kind == Kind::TwoB || there == 0 {
            return hand;
        }
        watch.lap(place, there);
        hand + there
    }

    fn lay<O: Observer>(&mut self, layout: &Layout, watch: &mut Watch<'_, O>) {
        for (hole, seeds) in layout.filled() {
            self.other += Holes::only(hole.place(), seeds);
            watch.laid(hole.place(), seeds);
        }
    }
}
