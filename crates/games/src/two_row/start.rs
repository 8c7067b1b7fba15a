//! Start of a game: the seeds of every start pattern and the settings of a first round. The module
//! makes no moves; the caller makes those prescribed by a pattern.

use pitmaster_core::{BySide, Side, below};
use rand::Rng;

use super::moves::Layout;
use super::params::{
    AllowRule, ChildLocs, Params, Prescribed, RoundStarter, StartPattern as Pattern,
};
use super::position::{Inhibited, Phase, Position, SEEDS, Tally};
use super::sides::{self, holes};

/// Number of seeds in play. Defined even for unchecked parameters.
pub(super) fn total_seeds(params: &Params) -> u32 {
    let (h, n) = (i64::from(params.holes), i64::from(params.nbr_start));
    let total = match params.start_pattern {
        Pattern::AllEqual
        | Pattern::MoveRightmost
        | Pattern::MoveRandom
        | Pattern::NoRepeatSowOwn => 2 * h * n,
        Pattern::Gamacha => (h - 1) * n,
        Pattern::Alternates | Pattern::AltsSplit => h * n,
        Pattern::AltsWith1 => (h - 2 + h % 2) * n + 1,
        Pattern::ClippedTriples => h / 3 * 4 * n,
        Pattern::TwoEmpty => 2 * (h - 2) * n,
        Pattern::Random | Pattern::RandomZeros => n,
        Pattern::RightmostPlusOne => 2 * h * n + 2,
        Pattern::Azigo => 2 * ((h / 2 - 3) * n + 1) + 4 * n,
    };
    total.clamp(0, i64::from(u32::MAX)) as u32
}

/// Whether chance deals the seeds.
pub(super) const fn is_random(params: &Params) -> bool {
    matches!(params.start_pattern, Pattern::Random | Pattern::RandomZeros)
}

/// First position of a game. With `MOVE_RIGHTMOST` it waits for the move of [`rightmost`] in
/// [`Phase::Opening`], as for one of `MOVE_RANDOM`.
pub(super) fn deal(params: &Params, starter: Side) -> Position {
    let mut position = fresh(params, starter);
    position.side = first_dealt_for(params, starter);
    lay_out(params, &mut position);
    position.phase = if is_random(params) {
        Phase::Deal
    } else {
        opening(params).unwrap_or(first_turn(params, starter))
    };
    if position.phase != Phase::Opening {
        position.side = starter;
    }
    position
}

/// Player for whom the first round of a game is dealt. A bug that games rely on: tallied rounds,
/// even the first one, are dealt as if the starters alternated, although the other player may not
/// start.
fn first_dealt_for(params: &Params, starter: Side) -> Side {
    let stays = matches!(params.round_starter, RoundStarter::Winner | RoundStarter::LastMover);
    if sides::tallied(params) && stays { starter.other() } else { starter }
}

/// First round with an empty board: the initial state except for the seeds.
pub(super) fn fresh(params: &Params, starter: Side) -> Position {
    let locks = params.moveunlock || params.allow_rule == AllowRule::MoveAllHolesFirst;
    Position {
        seeds: [0; SEEDS],
        stores: BySide::default(),
        side: starter,
        starter,
        phase: Phase::Move,
        children: BySide::default(),
        rams: 0,
        blocked: 0,
        unlocked: if locks { 0 } else { sides::board(params) },
        owned: sides::own_side(params, Side::Two),
        moves: 1,
        turns: 0,
        repeats: 0,
        round: 1,
        inhibited: Inhibited { captures: params.nocaptmoves > 0, ..Inhibited::default() },
        tally: Tally::default(),
        bearing_off: false,
        placing: false,
        directions: BySide::default(),
        last: None,
    }
}

/// Puts the pattern's seeds on an empty board for the side to move, and the initial children. Seeds
/// of a random pattern are left to [`draw_deal`].
pub(super) fn lay_out(params: &Params, position: &mut Position) {
    let h = holes(params);
    for (hole, seeds) in pattern(params, position.side).into_iter().enumerate() {
        position.seeds[hole] = seeds as u16;
    }
    if params.start_pattern == Pattern::Azigo {
        position.stores = BySide::new(2 * params.nbr_start as u16, 2 * params.nbr_start as u16);
    }
    if params.child_locs == ChildLocs::FixedOneRight {
        position.children = BySide::new(1 << (h - 1), 1 << (2 * h - 1));
    }
}

/// Phase of a new game or round after its seeds are dealt; `None` without an opening.
pub(super) fn opening(params: &Params) -> Option<Phase> {
    let opens = matches!(params.start_pattern, Pattern::MoveRightmost | Pattern::MoveRandom);
    opens.then_some(Phase::Opening)
}

/// Phase of a new game after the deal and the opening of its pattern. Only now the starter may
/// change the layout.
pub(super) fn first_turn(params: &Params, starter: Side) -> Phase {
    if params.prescribed == Prescribed::ArngeLimit { Phase::Layout(starter) } else { Phase::Move }
}

/// The hole that `MOVE_RIGHTMOST` moves for a player before play begins.
pub(super) fn rightmost(params: &Params, mover: Side) -> Option<usize> {
    (params.start_pattern == Pattern::MoveRightmost)
        .then(|| sides::leftmost(params, mover) + holes(params) - 1)
}

/// Seeds by hole.
fn pattern(params: &Params, starter: Side) -> Vec<i32> {
    let (h, n) = (holes(params), params.nbr_start);
    let same = |row: Vec<i32>| row.repeat(2);
    match params.start_pattern {
        Pattern::AllEqual | Pattern::MoveRightmost | Pattern::MoveRandom => vec![n; 2 * h],
        Pattern::Gamacha => turned_if(starter == Side::Two, gamacha(h, n)),
        Pattern::Alternates => turned_if(starter == Side::Two, every_other(h, n)),
        Pattern::AltsWith1 => turned_if(starter == Side::Two, every_other_with_one(h, n)),
        Pattern::AltsSplit => turned_if(starter == Side::One, every_other_split(h, n)),
        Pattern::ClippedTriples => same(
            (0..h).map(|hole| if hole % 3 == 0 || hole >= h / 3 * 3 { 0 } else { n }).collect(),
        ),
        Pattern::TwoEmpty => same((0..h).map(|hole| if hole + 2 < h { n } else { 0 }).collect()),
        Pattern::Random | Pattern::RandomZeros => vec![0; 2 * h],
        Pattern::RightmostPlusOne => {
            same((0..h).map(|hole| n + i32::from(hole + 1 == h)).collect())
        }
        Pattern::NoRepeatSowOwn => same(row_of_no_repeat(params)),
        Pattern::Azigo => {
            let full = (h / 2).saturating_sub(3);
            same((0..h).map(|hole| if hole < full { n } else { i32::from(hole == full) }).collect())
        }
    }
}

/// The board from the opponent's view, for patterns that depend on the starter.
fn turned_if(turned: bool, mut board: Vec<i32>) -> Vec<i32> {
    if turned {
        let half = board.len() / 2;
        board.rotate_left(half);
    }
    board
}

fn every_other(h: usize, n: i32) -> Vec<i32> {
    (0..2 * h).map(|hole| if hole % 2 == 1 { n } else { 0 }).collect()
}

fn every_other_with_one(h: usize, n: i32) -> Vec<i32> {
    let mut board = every_other(h, n);
    board[h + 3 - h % 2] = 1;
    if h.is_multiple_of(2) {
        board[h - 3] = 0;
    }
    board
}

fn every_other_split(h: usize, n: i32) -> Vec<i32> {
    let mut board = every_other(h, n);
    board[h - 1] -= n / 4;
    board[h] += n / 4;
    board
}

/// Every other hole from the third. The seeds across from the middle are moved to this side.
fn gamacha(h: usize, n: i32) -> Vec<i32> {
    let mut board: Vec<_> =
        (0..2 * h).map(|hole| if hole % 2 == 0 && hole >= 2 { n } else { 0 }).collect();
    let middle = 1 + 2 * ((h - 1) / 4);
    board.swap(middle, 2 * h - 1 - middle);
    board
}

/// Row of equal holes, except one with a seed more and one with a seed less, so that no first move
/// ends in the own store.
fn row_of_no_repeat(params: &Params) -> Vec<i32> {
    let (h, n) = (params.holes, params.nbr_start);
    let mut row = vec![n; holes(params)];
    let (more, less) = if n <= 2 {
        (h - n, (h - n - 2).max(0))
    } else if n <= h {
        (h - n, h + 2 - n)
    } else {
        let beyond = n % (2 * h + 1);
        let less = h + 2 - beyond;
        (h - beyond, if less >= h { 0 } else { less })
    };
    if (0..h).contains(&more) {
        row[more as usize] += 1;
        row[less as usize] -= 1;
    }
    row
}

/// Deals a random board: `RANDOM` gives every hole two seeds first if there are enough,
/// `RANDOM_ZEROS` pushes what would be one to three seeds on to the next hole.
pub(super) fn draw_deal(params: &Params, rng: &mut dyn Rng) -> Layout {
    let total = total_seeds(params);
    let least = least_seeds(params);
    let cells = 2 * holes(params);
    let mut board = shares(total - least * cells as u32, cells, rng);
    for seeds in &mut board {
        *seeds += least;
    }
    if params.start_pattern == Pattern::RandomZeros {
        push_on(&mut board);
    }
    layout(board.iter().map(|&seeds| seeds as u16))
}

/// Minimum number of seeds of a hole with `RANDOM`.
fn least_seeds(params: &Params) -> u32 {
    let enough = total_seeds(params) >= 4 * holes(params) as u32;
    if params.start_pattern == Pattern::Random && enough { 2 } else { 0 }
}

/// Empties holes of one to three seeds into the next one. The rest stays in the last occupied hole,
/// so that no seed is lost (the reference loses all seeds if there are fewer than four).
fn push_on(board: &mut [u32]) {
    let (mut pushed, mut occupied) = (0, board.len() - 1);
    for (hole, seeds) in board.iter_mut().enumerate() {
        let here = *seeds + pushed;
        (*seeds, pushed) = if here > 3 { (here, 0) } else { (0, here) };
        if *seeds > 0 {
            occupied = hole;
        }
    }
    board[occupied] += pushed;
}

/// Splits seeds among `among` holes at random cuts; every split is possible.
pub(super) fn shares(seeds: u32, among: usize, rng: &mut dyn Rng) -> Vec<u32> {
    let mut cuts: Vec<_> = (1..among).map(|_| below(rng, u64::from(seeds) + 1) as u32).collect();
    cuts.sort_unstable();
    cuts.push(seeds);
    let mut from = 0;
    cuts.into_iter().map(|cut| cut - std::mem::replace(&mut from, cut)).collect()
}

/// A layout of the seeds of holes from the first on.
pub(super) fn layout(seeds: impl Iterator<Item = u16>) -> Layout {
    seeds
        .enumerate()
        .filter(|(_, seeds)| *seeds > 0)
        .map(|(hole, seeds)| (hole as u8, seeds))
        .collect()
}

/// Whether chance can deal this layout.
pub(super) fn can_be_dealt(params: &Params, layout: &Layout) -> bool {
    let (cells, least) = (2 * holes(params), least_seeds(params));
    let ordered = layout.is_sorted_by(|one, next| one.0 < next.0);
    let on_board = layout.iter().all(|&(hole, _)| usize::from(hole) < cells);
    let enough = layout.iter().all(|&(_, seeds)| seeds > 0 && u32::from(seeds) >= least);
    let full = least == 0 || layout.len() == cells;
    let total: u32 = layout.iter().map(|&(_, seeds)| u32::from(seeds)).sum();
    ordered && on_board && enough && full && total == total_seeds(params)
}

/// Puts dealt seeds on the board. The caller sets the next phase.
pub(super) fn put_deal(position: &mut Position, layout: &Layout) {
    for &(hole, seeds) in layout.iter() {
        position.seeds[usize::from(hole)] = seeds;
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use proptest::prelude::*;

    use super::*;

    fn params(start_pattern: Pattern, holes: i32, nbr_start: i32) -> Params {
        Params { holes, nbr_start, start_pattern, ..Params::default() }
    }

    /// Board of a pattern, one row per line.
    fn board(start_pattern: Pattern, holes: i32, nbr_start: i32, starter: Side) -> [Vec<u16>; 2] {
        let position = deal(&params(start_pattern, holes, nbr_start), starter);
        let h = holes as usize;
        [position.seeds[..h].to_vec(), position.seeds[h..2 * h].to_vec()]
    }

    #[test]
    fn patterns_that_are_the_same_for_both() {
        let rows = |pattern, h, n| {
            let [one, two] = board(pattern, h, n, Side::One);
            assert_eq!(one, two);
            assert_eq!(board(pattern, h, n, Side::Two), [one.clone(), two]);
            one
        };
        assert_eq!(rows(Pattern::AllEqual, 3, 4), [4, 4, 4]);
        assert_eq!(rows(Pattern::ClippedTriples, 7, 7), [0, 7, 7, 0, 7, 7, 0]);
        assert_eq!(rows(Pattern::TwoEmpty, 5, 4), [4, 4, 4, 0, 0]);
        assert_eq!(rows(Pattern::RightmostPlusOne, 5, 4), [4, 4, 4, 4, 5]);
        assert_eq!(rows(Pattern::NoRepeatSowOwn, 6, 4), [4, 4, 5, 4, 3, 4]);
        assert_eq!(rows(Pattern::NoRepeatSowOwn, 7, 2), [2, 2, 2, 1, 2, 3, 2]);
        assert_eq!(rows(Pattern::NoRepeatSowOwn, 3, 8), [7, 8, 9]);
        assert_eq!(rows(Pattern::NoRepeatSowOwn, 3, 7), [7, 7, 7]);
        assert_eq!(rows(Pattern::Azigo, 10, 4), [4, 4, 1, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn patterns_that_look_at_the_starter() {
        let rows = |pattern, h, n, starter| {
            let [one, two] = board(pattern, h, n, starter);
            let [other_one, other_two] = board(pattern, h, n, starter.other());
            assert_eq!((&one, &two), (&other_two, &other_one));
            (one, two)
        };
        let gamacha = (vec![0, 0, 4, 4, 4, 0], vec![4, 0, 0, 0, 4, 0]);
        assert_eq!(rows(Pattern::Gamacha, 6, 4, Side::One), gamacha);
        assert_eq!(
            rows(Pattern::Alternates, 5, 2, Side::One),
            (vec![0, 2, 0, 2, 0], vec![2, 0, 2, 0, 2])
        );
        assert_eq!(
            rows(Pattern::AltsWith1, 7, 5, Side::One),
            (vec![0, 5, 0, 5, 0, 5, 0], vec![5, 0, 1, 0, 5, 0, 5])
        );
        assert_eq!(
            rows(Pattern::AltsWith1, 6, 3, Side::One),
            (vec![0, 3, 0, 0, 0, 3], vec![0, 3, 0, 1, 0, 3])
        );
        assert_eq!(
            rows(Pattern::AltsSplit, 6, 8, Side::Two),
            (vec![0, 8, 0, 8, 0, 6], vec![2, 8, 0, 8, 0, 8])
        );
    }

    #[test]
    fn a_first_round_starts_with_all_that_the_parameters_set() {
        let azigo = deal(&params(Pattern::Azigo, 10, 4), Side::Two);
        assert_eq!((azigo.stores.one, azigo.stores.two, azigo.side), (8, 8, Side::Two));
        let params = Params {
            child_locs: ChildLocs::FixedOneRight,
            moveunlock: true,
            nocaptmoves: 2,
            prescribed: Prescribed::ArngeLimit,
            ..params(Pattern::AllEqual, 3, 4)
        };
        let position = deal(&params, Side::Two);
        assert_eq!(position.children, BySide::new(0b100, 0b10_0000));
        assert_eq!((position.unlocked, position.owned), (0, 0b11_1000));
        assert!(position.inhibited.captures && !position.inhibited.children);
        assert_eq!(position.phase, Phase::Layout(Side::Two));
    }

    #[test]
    fn a_pattern_may_open_with_a_move() {
        let random = params(Pattern::MoveRandom, 6, 4);
        assert_eq!(deal(&random, Side::One).phase, Phase::Opening);
        assert_eq!(rightmost(&random, Side::One), None);
        let fixed = params(Pattern::MoveRightmost, 6, 4);
        assert_eq!(deal(&fixed, Side::Two).phase, Phase::Opening);
        assert_eq!(Side::BOTH.map(|side| rightmost(&fixed, side)), [Some(5), Some(11)]);
    }

    #[test]
    fn few_seeds_are_pushed_on() {
        let pushed = |mut board: Vec<u32>| {
            push_on(&mut board);
            board
        };
        assert_eq!(pushed(vec![5, 1, 2, 3, 4, 9]), [5, 0, 0, 6, 4, 9]);
        assert_eq!(pushed(vec![5, 1, 7, 1, 0, 2]), [5, 0, 11, 0, 0, 0]);
        assert_eq!(pushed(vec![1, 0, 2, 0]), [0, 0, 0, 3]);
    }

    #[test]
    fn a_deal_that_cannot_come_is_refused() {
        let params = params(Pattern::Random, 2, 10);
        let fits = |layout: &[(u8, u16)]| can_be_dealt(&params, &layout.iter().copied().collect());
        assert!(fits(&[(0, 2), (1, 2), (2, 2), (3, 4)]));
        assert!(!fits(&[(0, 2), (1, 2), (2, 2), (3, 5)]), "too many");
        assert!(!fits(&[(0, 1), (1, 3), (2, 2), (3, 4)]), "fewer than two in a hole");
        assert!(!fits(&[(0, 3), (1, 3), (3, 4)]), "an empty hole");
        assert!(!fits(&[(1, 2), (0, 2), (2, 2), (3, 4)]), "out of order");
        assert!(!fits(&[(0, 2), (1, 2), (2, 2), (4, 4)]), "off the board");
    }

    proptest! {
        #[test]
        fn every_pattern_puts_its_total_on_the_board(
            pattern in proptest::sample::select(Pattern::ALL),
            holes in 4..=10i32,
            nbr_start in 1..30i32,
            seed: u64,
        ) {
            let params = params(pattern, 2 * holes, nbr_start);
            let mut position = deal(&params, Side::One);
            if is_random(&params) {
                let layout = draw_deal(&params, &mut Seed(seed).stream("deal"));
                prop_assert!(can_be_dealt(&params, &layout), "{layout:?}");
                put_deal(&mut position, &layout);
            }
            let seeds = sides::sum(&position, sides::board(&params));
            let stores = u32::from(position.stores.one) + u32::from(position.stores.two);
            prop_assert_eq!(seeds + stores, total_seeds(&params));
        }
    }
}
