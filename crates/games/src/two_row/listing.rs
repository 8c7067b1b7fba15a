//! Move generation: all moves of a position.

use super::move_filters::Allowed;
use super::params::PlayLocs;
use super::plan::Plan;
use super::position::{HoleSet, Phase, Position};
use super::sides::members;
use super::{Move, Template, Way, layouts, start};
use crate::MoveList;

impl Plan {
    /// Writes all moves and templates into a list.
    pub(super) fn list(&self, pos: &Position, list: &mut MoveList<Move, Template>) {
        list.clear();
        match pos.phase {
            Phase::Move => self.list_moves(pos, &mut list.moves),
            Phase::Layout(_) => {
                list.moves.push(Move::Pass);
                list.templates.extend(layouts::template(&self.params, pos));
            }
            _ => {}
        }
    }

    /// Moves of the board, in the order of the holes; then those of the store, `pass` and `swap`.
    pub(super) fn list_moves(&self, pos: &Position, moves: &mut Vec<Move>) {
        if pos.placing {
            let holes = members(self.side(pos.side.other()));
            moves.extend(holes.map(|hole| Move::Place(hole as u8)));
            return;
        }
        let allowed = self.allowable(pos, pos.side, self.survey(pos));
        if self.udir == 0 {
            list_holes(allowed.holes(), moves);
        } else {
            self.list_directed(pos, allowed, moves);
        }
        if self.params.mustpass && moves.is_empty() {
            moves.push(Move::Pass);
        }
        let store = pos.stores[pos.side];
        match self.params.play_locs {
            PlayLocs::BoardOnly => {}
            PlayLocs::OwnStoreAll => moves.extend((store > 0).then_some(Move::Store(store))),
            PlayLocs::OwnStoreChoose => moves.extend((1..=store).map(Move::Store)),
        }
        if self.may_swap(pos) {
            moves.push(Move::Swap);
        }
    }

    /// Moves of a game in which the mover chooses the direction of some holes.
    fn list_directed(&self, pos: &Position, allowed: Allowed, moves: &mut Vec<Move>) {
        for hole in members(allowed.holes()) {
            let ways = if self.names_direction(pos, hole) {
                [(Some(Way::Ccw), allowed.ccw), (Some(Way::Cw), allowed.cw)]
            } else {
                [(None, allowed.ccw), (None, 0)]
            };
            for (way, holes) in ways {
                if holes >> hole & 1 != 0 {
                    moves.push(Move::Sow { hole: hole as u8, way });
                }
            }
        }
    }

    /// Whether the store of the player to move can be sown.
    pub(super) fn can_play_store(&self, pos: &Position) -> bool {
        self.params.play_locs != PlayLocs::BoardOnly && pos.stores[pos.side] > 0
    }

    /// Whether the pie rule may be used: if a round is dealt like a game, on the second player's
    /// first turn; after a random deal on the first player's as well. It is not available to a
    /// player without a move.
    pub(super) fn may_swap(&self, pos: &Position) -> bool {
        if !self.may_swap_at_all {
            return false;
        }
        let first = start::is_random(&self.params) && pos.moves == 1;
        let second = pos.turns == 1 && pos.side != pos.starter;
        (pos.round == 1 || self.tallies) && (first || second)
    }

    /// Whether a move may be made: equivalent to its being listed, without a list.
    pub(super) fn may_play(&self, pos: &Position, mv: &Move) -> bool {
        match pos.phase {
            Phase::Layout(_) => layouts::is_legal(&self.params, pos, mv),
            Phase::Move if pos.placing => {
                matches!(mv, Move::Place(hole) if self.on_side(pos.side.other(), *hole))
            }
            Phase::Move => self.may_move(pos, mv),
            _ => false,
        }
    }

    fn may_move(&self, pos: &Position, mv: &Move) -> bool {
        let allowed = || self.allowable(pos, pos.side, self.survey(pos));
        let store = pos.stores[pos.side];
        match *mv {
            Move::Sow { hole, way } if (hole as usize) < self.n => {
                let allowed = allowed();
                let holes = match (self.names_direction(pos, hole as usize), way) {
                    (true, Some(Way::Ccw)) | (false, None) => allowed.ccw,
                    (true, Some(Way::Cw)) => allowed.cw,
                    _ => 0,
                };
                holes >> hole & 1 != 0
            }
            Move::Store(seeds) => match self.params.play_locs {
                PlayLocs::BoardOnly => false,
                PlayLocs::OwnStoreAll => seeds > 0 && seeds == store,
                PlayLocs::OwnStoreChoose => (1..=store).contains(&seeds),
            },
            Move::Pass => self.params.mustpass && allowed().holes() == 0,
            Move::Swap => self.may_swap(pos),
            _ => false,
        }
    }

    /// Whether any hole has a direction that the mover chooses.
    pub(super) fn has_directions(&self) -> bool {
        self.udir != 0
    }
}

/// A move for each hole; the list reserves their number in advance, which avoids a check per move.
fn list_holes(mut holes: HoleSet, moves: &mut Vec<Move>) {
    moves.extend((0..holes.count_ones()).map(|_| {
        let hole = holes.trailing_zeros() as u8;
        holes &= holes.wrapping_sub(1);
        Move::Sow { hole, way: None }
    }));
}

#[cfg(test)]
mod tests {
    use crate::two_row::testing::{after, game, listed, scene};
    use crate::{Rules, Turn};

    #[test]
    fn who_has_no_move_may_pass() {
        assert_eq!(listed("mustpass=true", "0 0 0 | 1 0 0"), "pass");
        assert_eq!(listed("mustpass=true", "1 0 0 | 1 0 0"), "1");
    }

    #[test]
    fn seeds_may_be_sown_out_of_the_own_store() {
        let position = "1 0 0 | 1 0 0 | 3:1";
        assert_eq!(listed("play_locs=BOARD_ONLY", position), "1");
        assert_eq!(listed("play_locs=BRD_OWN_STR_ALL", position), "1 s3");
        assert_eq!(listed("play_locs=BRD_OWN_STR_CHS", position), "1 s1 s2 s3");
        assert_eq!(listed("play_locs=BRD_OWN_STR_CHS", "1 0 0 | 1 0 0 | 3:1; 2"), "4 s1");
        assert_eq!(listed("play_locs=BRD_OWN_STR_ALL", "1 0 0 | 1 0 0 | 0:1"), "1");
    }

    #[test]
    fn a_pass_and_a_store_can_both_be_played() {
        let both = "play_locs=BRD_OWN_STR_ALL,mustpass=true";
        assert_eq!(listed(both, "0 0 0 | 1 0 0 | 2:0"), "pass s2");
    }

    #[test]
    fn a_hole_with_a_direction_of_its_own_is_listed_twice() {
        assert_eq!(listed("udir_holes=1", "1 1 1 | 1 0 0"), "1 2+ 2- 3");
    }

    #[test]
    fn players_may_be_swapped_instead_of_the_second_turn() {
        let second = "1 1 1 | 1 1 1; 2; moves=2; turns=1";
        assert_eq!(listed("swap=ALWAYS", second), "4 5 6 swap");
        assert_eq!(listed("swap=NEVER", second), "4 5 6");
        assert_eq!(listed("swap=PATTERN", second), "4 5 6");
        let random = "start_pattern=RANDOM,nbr_start=20,swap";
        assert_eq!(listed(&format!("{random}=PATTERN"), second), "4 5 6 swap");
        assert_eq!(listed(&format!("{random}=NEVER"), second), "4 5 6");
    }

    #[test]
    fn a_random_deal_can_be_swapped_before_the_first_move() {
        let first = "1 1 1 | 1 1 1";
        assert_eq!(listed("start_pattern=RANDOM,nbr_start=20", first), "1 2 3 swap");
        assert_eq!(listed("swap=ALWAYS", first), "1 2 3");
    }

    #[test]
    fn players_are_not_swapped_later() {
        for later in [
            "1 1 1 | 1 1 1; 1; moves=3; turns=2",
            "1 1 1 | 1 1 1; 2; moves=4; turns=3",
            // The starter's second move in a row, and a later round.
            "1 1 1 | 1 1 1; 1; moves=2; repeats=1",
            "1 1 1 | 1 1 1; 2; moves=2; turns=1; round=2",
        ] {
            assert!(!listed("swap=ALWAYS,rounds=NO_MOVES", later).contains("swap"), "{later}");
        }
    }

    #[test]
    fn a_swap_changes_all_but_the_owners() {
        let swap = "swap=ALWAYS,moveunlock=true,evens=true,child_type=NORMAL,child_cvt=9";
        let position = "1 2 3 | 4 5 6 | 7:8; 2; moves=2; turns=1; children=100200; unlocked=010001";
        let swapped = scene(swap, position).play("swap");
        assert_eq!(swapped.all(["board", "turn"]), ["4 5 6 | 1 2 3 | 8:7", "1"]);
        assert_eq!(swapped.part("children"), "100200", "each player's are the other's now");
        assert_eq!(swapped.part("unlocked"), "001010");
        assert_eq!(swapped.all(["moves", "turns"]), ["3", "2"]);
        let owned = "1 2 3 | 4 5 6; 2; moves=2; turns=1; owned=001111";
        let swapped = scene("swap=ALWAYS,goal=TERRITORY,goal_param=5", owned).play("swap");
        assert_eq!(swapped.part("owned"), "001111");
        assert_eq!(
            after("swap=ALWAYS", "1 2 3 | 4 5 6; 2; moves=2; turns=1", "swap 1"),
            "0 6 7 | 2 3 3 | 0:0"
        );
    }

    #[test]
    fn nothing_is_listed_for_chance_or_after_the_end() {
        let random = game(3, "start_pattern=RANDOM,nbr_start=20");
        assert_eq!(random.turn(&random.start()), Turn::Chance);
        assert_eq!(random.count_moves(&random.start()), 0);
        assert_eq!(listed("", "1 1 1 | 1 1 1; 1; phase=over:1:goal"), "");
    }

    #[test]
    fn a_layout_is_asked_for_by_a_template_and_may_be_left() {
        let arrange = game(3, "prescribed=ARNGE_LIMIT,nbr_start=4");
        let text = arrange.position_text(&arrange.start());
        assert_eq!(text, "4,4,4,4,4,4;0,0;1;phase=layout:1");
        assert_eq!(
            listed("prescribed=ARNGE_LIMIT", "4 4 4 | 4 4 4; 1; phase=layout:1"),
            "pass fill=*12"
        );
    }
}
