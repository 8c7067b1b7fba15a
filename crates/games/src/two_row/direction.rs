//! Sowing direction of a move.

use pitmaster_core::Side;

use super::Way;
use super::params::{Class, Params, Prescribed, SowDirect};
use super::plan::Plan;
use super::position::{HoleSet, MAX_BOARD, Position};

/// The holes whose direction the mover chooses, of both players.
pub(super) fn chosen(params: &Params) -> HoleSet {
    let h = params.holes as u32;
    if params.sow_direct == SowDirect::PlayAltDir {
        return (1 << (2 * h)) - 1;
    }
    let from_left = |left: u32| {
        params.udir_holes.iter().fold(0, |set: HoleSet, hole| set | 1 << (left + *hole as u32))
    };
    from_left(0) | from_left(h)
}

/// Direction of each hole if neither the mover nor the seeds decide it.
pub(super) fn ways(params: &Params) -> [Way; MAX_BOARD] {
    let h = params.holes as usize;
    let mut ways = [Way::Ccw; MAX_BOARD];
    for (hole, way) in ways.iter_mut().enumerate().take(2 * h) {
        let left_half = hole % h < h / 2;
        *way = match params.sow_direct {
            _ if params.game_class == Class::ZigZag => zigzag(h, hole),
            SowDirect::Cw => Way::Cw,
            SowDirect::Split if left_half => Way::Cw,
            SowDirect::ToCenter if !left_half => Way::Cw,
            _ => Way::Ccw,
        };
    }
    ways
}

/// The direction toward the middle line along the ring that crosses it with every step.
fn zigzag(h: usize, hole: usize) -> Way {
    let half = h / 2;
    let column = hole % h;
    let from_end = match column < half {
        true => column,
        false if h.is_multiple_of(2) => h - 1 - column,
        false => (column + h - half - 1) % h,
    };
    let way = if from_end % 2 == 1 { Way::Cw } else { Way::Ccw };
    if h.is_multiple_of(2) && hole >= h { way.opposite() } else { way }
}

/// Whether neither movers nor seeds decide the direction of any hole.
pub(super) fn fixed(params: &Params) -> bool {
    let by_seeds = params.sow_direct == SowDirect::EvenOddDir;
    chosen(params) == 0 && !by_seeds
}

impl Plan {
    /// Direction in which a hole is sown, for a move that may name one. `seeds` is its count before
    /// the move.
    pub(super) fn direction(
        &self,
        pos: &Position,
        side: Side,
        hole: usize,
        seeds: u16,
        named: Option<Way>,
    ) -> Way {
        if self.fixed_ways || self.params.prescribed == Prescribed::NoUdirFirsts && pos.turns <= 1 {
            return self.ways[hole];
        }
        match self.params.sow_direct {
            SowDirect::PlayAltDir if pos.moves == 1 => named.unwrap_or(Way::Ccw),
            SowDirect::PlayAltDir => way_of(pos.directions[side]),
            _ if self.udir >> hole & 1 != 0 => named.unwrap_or(self.ways[hole]),
            SowDirect::EvenOddDir if seeds.is_multiple_of(2) => Way::Cw,
            SowDirect::EvenOddDir => Way::Ccw,
            _ => self.ways[hole],
        }
    }

    /// Whether the mover chooses the direction of a hole.
    pub(super) fn names_direction(&self, pos: &Position, hole: usize) -> bool {
        self.udir >> hole & 1 != 0
            && !(self.params.sow_direct == SowDirect::PlayAltDir && pos.moves > 1)
    }
}

/// A direction as stored in positions: 1 counter-clockwise, -1 clockwise.
pub(super) const fn number_of(way: Way) -> i8 {
    match way {
        Way::Ccw => 1,
        Way::Cw => -1,
    }
}

/// The direction of a number that is not 0.
pub(super) const fn way_of(number: i8) -> Way {
    if number < 0 { Way::Cw } else { Way::Ccw }
}

#[cfg(test)]
mod tests {
    use crate::two_row::testing::{after, game, listed, scene};

    /// Hole reached by a single seed of each hole, of both rows, in hole numbers.
    fn goes_to(holes: i32, options: &str) -> Vec<usize> {
        let plan = game(holes, options).plan;
        let next = |hole: usize| plan.rings[0][plan.ways[hole] as usize][hole] as usize + 1;
        (0..plan.n).map(next).collect()
    }

    #[test]
    fn a_game_has_one_direction() {
        assert_eq!(after("sow_direct=CCW", "0 1 0 | 1 0 0", "2"), "0 0 1 | 1 0 0 | 0:0");
        assert_eq!(after("sow_direct=CW", "0 1 0 | 1 0 0", "2"), "1 0 0 | 1 0 0 | 0:0");
    }

    #[test]
    fn split_rows_are_sown_to_their_nearer_end() {
        assert_eq!(goes_to(4, "sow_direct=SPLIT"), [8, 1, 4, 5, 4, 5, 8, 1]);
    }

    #[test]
    fn rows_that_are_sown_to_the_centre_start_away_from_their_nearer_end() {
        assert_eq!(goes_to(4, "sow_direct=TOCENTER"), [2, 3, 2, 3, 6, 7, 6, 7]);
    }

    #[test]
    fn odd_holes_go_counter_clockwise_and_even_ones_clockwise() {
        let even_odd = "sow_direct=EVEN_ODD_DIR";
        assert_eq!(after(even_odd, "0 1 0 | 1 0 0", "2"), "0 0 1 | 1 0 0 | 0:0");
        assert_eq!(after(even_odd, "0 2 0 | 1 0 0", "2"), "1 0 0 | 1 0 1 | 0:0");
        let left = "sow_direct=EVEN_ODD_DIR,sow_start=true,min_move=2";
        assert_eq!(after(left, "0 2 0 | 3 0 0", "2"), "1 1 0 | 3 0 0 | 0:0", "counted before");
    }

    #[test]
    fn the_first_move_of_a_round_decides_both_directions() {
        let alternate = "sow_direct=PLAYALTDIR";
        let first = scene(alternate, "0 1 0 | 0 1 0");
        assert_eq!(first.listed(), "2+ 2-");
        let second = first.play("2-");
        assert_eq!(second.all(["directions", "listed"]), ["-1,1", "5"]);
        assert_eq!(second.play("5").board(), "1 0 0 | 0 0 1 | 0:0");
    }

    #[test]
    fn holes_to_choose_a_direction_for_are_counted_from_each_players_left() {
        let leftmost = "udir_holes=0";
        assert_eq!(listed(leftmost, "1 1 1 | 1 1 1"), "1+ 1- 2 3");
        assert_eq!(listed(leftmost, "1 1 1 | 1 1 1; 2"), "4+ 4- 5 6");
        assert_eq!(after(leftmost, "1 1 0 | 1 0 0", "1-"), "0 1 0 | 1 0 1 | 0:0");
        assert_eq!(after(leftmost, "1 1 0 | 1 0 0", "1+"), "0 2 0 | 1 0 0 | 0:0");
    }

    #[test]
    fn a_store_is_sown_in_the_games_direction() {
        let clockwise = "sow_direct=CW,play_locs=BRD_OWN_STR_ALL,udir_holes=0+1+2";
        assert_eq!(after(clockwise, "1 0 0 | 1 0 0 | 1:0", "s1"), "1 0 1 | 1 0 0 | 0:0");
    }

    #[test]
    fn no_udir_firsts_gives_the_first_two_turns_the_games_direction() {
        let forced = "udir_holes=0+1+2,prescribed=NO_UDIR_FIRSTS";
        assert_eq!(listed(forced, "0 1 0 | 1 0 0"), "2+ 2-", "both are still listed");
        assert_eq!(after(forced, "0 1 0 | 1 0 0", "2-"), "0 0 1 | 1 0 0 | 0:0");
        assert_eq!(after(forced, "0 1 0 | 1 0 0; 1; turns=1", "2-"), "0 0 1 | 1 0 0 | 0:0");
        assert_eq!(after(forced, "0 1 0 | 1 0 0; 1; turns=2", "2-"), "1 0 0 | 1 0 0 | 0:0");
    }

    #[test]
    fn a_zigzag_begins_towards_the_middle() {
        let zigzag = "game_class=ZigZag,sow_direct=TOCENTER";
        assert_eq!(goes_to(4, zigzag), [7, 6, 7, 6, 3, 2, 3, 2]);
        let odd = goes_to(5, &format!("{zigzag},udir_holes=2"));
        let but_middle = |row: &[usize]| [&row[..2], &row[3..]].concat();
        assert_eq!(but_middle(&odd[..5]), [9, 8, 8, 7]);
        assert_eq!(but_middle(&odd[5..]), [4, 3, 3, 2]);
    }
}
