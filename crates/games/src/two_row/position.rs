//! Position of a two-row game: plain data, the same type for every game.
//!
//! Holes are counted from 0: player 1's row from the left to the right as player 1 sees it
//! (0 to h-1), then player 2's from the left as player 2 sees it (h to 2h-1), so that the next
//! number is always the next hole counter-clockwise. A set of holes is a [`HoleSet`].

use pitmaster_core::{BySide, Side};

use super::ring::{Cell, is_store, store};
use super::sides::members;

/// Maximum number of holes on a side.
pub const MAX_HOLES: usize = 21;
/// Maximum number of holes on a board.
pub const MAX_BOARD: usize = 2 * MAX_HOLES;
/// Length of [`Position::seeds`]: a multiple of four.
pub const SEEDS: usize = MAX_BOARD.next_multiple_of(4);

/// Set of holes: bit n is hole n.
pub type HoleSet = u64;

/// Position: the board, the side to move, and everything that the rules remember.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// Seeds by hole, fewer than 2^15 in all; 0 beyond the board.
    pub seeds: [u16; SEEDS],
    /// Seeds in the stores. Seeds that are permanently out of play are in player 1's.
    pub stores: BySide<u16>,
    /// Side to move, or that would be to move.
    pub side: Side,
    /// Side that began the round.
    pub starter: Side,
    /// Kind of the next step.
    pub phase: Phase,
    /// Children of each side.
    pub children: BySide<HoleSet>,
    /// Holes that are rams.
    pub rams: HoleSet,
    /// Closed holes.
    pub blocked: HoleSet,
    /// Holes that may be captured from or (`MOVE_ALL_HOLES_FIRST`) have been moved.
    pub unlocked: HoleSet,
    /// Holes of player 2; the others are player 1's. Changes in territory games only.
    pub owned: HoleSet,
    /// Steps of this round, counted from 1, repeat turns and passes included.
    pub moves: u32,
    /// Number of steps that ended a turn, counted from 0.
    pub turns: u32,
    /// Number of consecutive repeat turns.
    pub repeats: u32,
    /// Number of this round, from 1.
    pub round: u32,
    /// Temporary prohibitions.
    pub inhibited: Inhibited,
    /// Results of the rounds, for the goals that count them.
    pub tally: Tally,
    /// Whether single seeds are borne off (class `BearOff`).
    pub bearing_off: bool,
    /// Whether the seeds in the mover's store are to be placed (classes `…Gratuitous`).
    pub placing: bool,
    /// Direction of each side (`PLAYALTDIR`), chosen by the first move of each round; 0 before the
    /// first.
    pub directions: BySide<i8>,
    /// Last move that was not a pass.
    pub last: Option<LastMove>,
}

/// Kind of the next step of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Phase {
    /// A move by [`Position::side`].
    #[default]
    Move,
    /// The seeds of a game or of a tallied round are to be dealt at random.
    Deal,
    /// A random first move is to be drawn.
    Opening,
    /// The round has ended, won by that side or tied. The next one must be dealt.
    RoundOver(Option<Side>),
    /// Player `.0` may change the layout before play continues.
    Layout(Side),
    /// The game has ended, with the winner and the clause.
    Over(Option<Side>, Clause),
}

/// Reason why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clause {
    /// The goal was reached, or no move is left.
    Goal,
    /// A sowing reached the limit of laps.
    Endless,
    /// A player can neither move nor pass.
    Stuck,
}

/// Temporary prohibitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Inhibited {
    /// Side concerned; `None`: both.
    pub side: Option<Side>,
    /// Captures, extra picks and closing holes.
    pub captures: bool,
    /// Making children.
    pub children: bool,
}

/// Results of the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tally {
    /// Rounds won.
    pub wins: BySide<u32>,
    /// Seeds.
    pub seeds: BySide<u32>,
    /// Sum of the seeds by which a side had more than the opponent.
    pub extra: BySide<u32>,
    /// Points: one for a round, two for a round with three quarters of the seeds.
    pub points: BySide<u32>,
}

/// Last move that was not a pass, for rules that depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LastMove {
    /// Side that made it.
    pub side: Side,
    /// Start of its last lap; -1 and -2 are the stores of player 1 and 2.
    pub start: i8,
    /// Hole or store of its last seed.
    pub end: i8,
    /// Number of seeds in its last lap.
    pub hand: u16,
    /// Whether it captured.
    pub captured: bool,
    /// Winner of the round or the game, if the move ended it.
    pub winner: Option<Side>,
}

impl Position {
    /// The seeds in a cell: a hole or a store.
    #[inline]
    pub(super) fn count(&self, cell: Cell) -> u16 {
        if is_store(cell) { self.stores[store_side(cell)] } else { self.seeds[cell as usize] }
    }

    /// The seeds in a cell, to be changed.
    #[inline]
    pub(super) fn cell(&mut self, cell: Cell) -> &mut u16 {
        if is_store(cell) {
            &mut self.stores[store_side(cell)]
        } else {
            &mut self.seeds[cell as usize]
        }
    }

    /// Empties a cell.
    #[inline]
    pub(super) fn lift(&mut self, cell: Cell) -> u16 {
        std::mem::take(self.cell(cell))
    }

    /// Children of both players, without rams.
    #[inline]
    pub(super) fn any_children(&self) -> HoleSet {
        self.children.one | self.children.two
    }

    /// The holes that a player owns.
    #[inline]
    pub(super) fn owned_by(&self, side: Side, board: HoleSet) -> HoleSet {
        match side {
            Side::One => board & !self.owned,
            Side::Two => self.owned,
        }
    }

    /// The holes of a set that are not empty.
    #[inline]
    pub(super) fn occupied(&self, holes: HoleSet) -> HoleSet {
        self.holding(holes, 1)
    }

    /// Holes of a set with at least this many seeds (not 0).
    #[inline]
    pub(super) fn holding(&self, holes: HoleSet, least: u16) -> HoleSet {
        let least = u64::from(least.min(0x8000)) * 0x0001_0001_0001_0001;
        let fours = self.seeds.as_chunks().0;
        // Most boards have no more holes, and a loop is slower.
        let [a, b, c, d, ..] = fours else { return 0 };
        let found = enough(*a, least)
            | enough(*b, least) << 4
            | enough(*c, least) << 8
            | enough(*d, least) << 12;
        let beyond = if holes >> 16 == 0 { 0 } else { self.holding_beyond(least) };
        (found | beyond) & holes
    }

    /// The same for the holes from the seventeenth on.
    #[inline(never)]
    fn holding_beyond(&self, least: u64) -> HoleSet {
        let fours = self.seeds.as_chunks().0.iter().enumerate().skip(4);
        fours.fold(0, |found, (place, four)| found | enough(*four, least) << (4 * place))
    }

    /// The seeds on the board.
    #[inline]
    pub(super) fn on_board(&self) -> u32 {
        self.seeds.iter().map(|seeds| u32::from(*seeds)).sum()
    }

    /// Whether a player's captures, extra picks and closing of holes are temporarily forbidden.
    #[inline]
    pub(super) fn captures_inhibited(&self, side: Side) -> bool {
        self.inhibited.captures && self.inhibited.side.is_none_or(|held| held == side)
    }

    /// Whether a player's making of children is temporarily forbidden.
    pub(super) fn children_inhibited(&self, side: Side) -> bool {
        self.inhibited.children && self.inhibited.side.is_none_or(|held| held == side)
    }

    /// Seeds that a player has permanently, in the store and in children.
    pub fn seeds_won(&self, side: Side) -> u32 {
        u32::from(self.stores[side]) + self.sum(self.children[side])
    }

    /// The seeds in each player's children.
    pub(super) fn in_children(&self) -> BySide<u32> {
        BySide::from_fn(|side| self.sum(self.children[side]))
    }

    /// The seeds in a set of holes.
    #[inline]
    pub(super) fn sum(&self, holes: HoleSet) -> u32 {
        members(holes).map(|hole| u32::from(self.seeds[hole])).sum()
    }
}

fn store_side(cell: Cell) -> Side {
    if cell == store(Side::One) { Side::One } else { Side::Two }
}

/// One bit for each of four counts that reaches a minimum, which is repeated four times. The top
/// bit of a count, set before the subtraction, survives it; no count has it set.
#[inline]
fn enough(four: [u16; 4], least: u64) -> u64 {
    const TOP: u64 = 0x8000_8000_8000_8000;
    const GATHER: u64 = 0x0001_0002_0004_0008;
    let [a, b, c, d] = four;
    let word = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48;
    let reached = (((word | TOP) - least) & TOP) >> 15;
    reached.wrapping_mul(GATHER) >> 48 & 0xF
}
