//! Execution of one step: the order of the stages.

use pitmaster_core::{BySide, Side};

use super::params::{Class, Prescribed, SowDirect};
use super::plan::{Family, Plan};
use super::position::{Clause, LastMove, Phase, Position};
use super::ring::{Cell, NOWHERE, is_store, store};
use super::sowing::Sowing;
use super::{Move, Way, direction, layouts, rounds, start, trace};
use crate::Observer;

impl Plan {
    /// Starting position of a game that this player begins.
    pub(super) fn begin(&self, starter: Side) -> Position {
        let mut pos = start::deal(&self.params, starter);
        self.dealt(&mut pos);
        self.end_if_stuck(&mut pos);
        pos
    }

    /// Makes a step that is known to be legal, or drawn.
    pub(super) fn play<O: Observer>(&self, pos: &mut Position, mv: &Move, watch: &mut O) {
        match (pos.phase, mv) {
            (Phase::Move, Move::Sow { hole, way }) => {
                self.make(pos, *hole, None, *way, watch);
                // Most end tests have already checked whether the next player can move. Those of
                // the goal `CLEAR` have not, and those of bearing off check before its rules
                // change.
                let asked =
                    self.family != Family::Clear && self.params.game_class != Class::BearOff;
                if asked {
                    return;
                }
            }
            (Phase::Move, Move::Store(seeds)) => {
                self.make(pos, store(pos.side), Some(*seeds), None, watch);
            }
            (Phase::Move, Move::Place(hole)) => place(pos, *hole, watch),
            (Phase::Move, Move::Pass) => self.pass(pos),
            (Phase::Move, Move::Swap) => self.swap(pos),
            (Phase::Layout(_), _) => layouts::apply(&self.params, pos, mv),
            (Phase::Opening, _) => self.open(pos, mv, watch),
            (Phase::Deal | Phase::RoundOver(_), _)
                if rounds::can_be_drawn(&self.params, pos, mv) =>
            {
                *pos =
                    rounds::play(&self.params, pos, mv, &|pos| self.has_allowable(pos, pos.side));
                self.dealt(pos);
            }
            _ => return,
        }
        self.end_if_stuck(pos);
    }

    /// Ends the game if a rule leaves a player without a move or a pass.
    fn end_if_stuck(&self, pos: &mut Position) {
        if pos.phase == Phase::Move && self.is_stuck(pos) {
            let won = self.force_end(&mut pos.clone(), pos.side, &mut ());
            pos.phase = Phase::Over(won, Clause::Stuck);
        }
    }

    /// Whether the player to move has neither a move nor a pass.
    pub(super) fn is_stuck(&self, pos: &Position) -> bool {
        !self.params.mustpass
            && !pos.placing
            && !self.can_play_store(pos)
            && !self.has_allowable(pos, pos.side)
    }

    /// Sows, and captures unless the sowing forbids it.
    pub(super) fn sow_and_capture<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        seeds: Option<u16>,
        way: Option<Way>,
        watch: &mut O,
    ) {
        self.draw(pos, s, seeds, way);
        trace::lifted(watch, s.origin, s.hand);
        self.sow(pos, s, watch);
        if !s.repeat && !s.endless {
            self.capture(pos, s, watch);
            if self.is_gratuitous() && s.captured {
                pos.placing = true;
                s.repeat = true;
            }
        }
    }

    /// Plays a player's move from lifting to the end. Bearing off is decided last, on the board
    /// settled by the end test.
    fn make<O: Observer>(
        &self,
        pos: &mut Position,
        from: Cell,
        seeds: Option<u16>,
        way: Option<Way>,
        watch: &mut O,
    ) {
        let side = pos.side;
        let mut s = Sowing::new(pos, side, Way::Ccw, from);
        self.sow_and_capture(pos, &mut s, seeds, way, watch);
        self.finish(pos, &s, watch);
        self.bear_off_from_now(pos);
    }

    /// Updates the counters, runs the end test and determines the next player after a move's
    /// captures.
    fn finish<O: Observer>(&self, pos: &mut Position, s: &Sowing, watch: &mut O) {
        let side = s.side;
        // Even if a capture between laps has granted another turn: no game continues without the
        // seeds that were lifted last.
        if s.endless {
            trace::dropped(watch, NOWHERE, s.hand);
            let won = self.force_end(pos, side, watch);
            pos.last = Some(last_move(s, won));
            pos.phase = Phase::Over(won, Clause::Endless);
            return;
        }
        self.keep_direction(pos, s);
        pos.moves += 1;
        if !s.repeat {
            pos.turns += 1;
            self.lift_inhibition(pos, s);
        }
        pos.last = Some(last_move(s, None));
        match self.end_test(pos, s, watch) {
            Some(phase) => {
                pos.phase = phase;
                pos.last = Some(last_move(s, winner(phase)));
            }
            None if s.repeat => pos.repeats += 1,
            None => pos.repeats = 0,
        }
        if !s.repeat {
            pos.side = side.other();
        }
    }

    /// `PLAYALTDIR`: the first move decides both directions.
    fn keep_direction(&self, pos: &mut Position, s: &Sowing) {
        if self.params.sow_direct == SowDirect::PlayAltDir && pos.moves == 1 {
            pos.directions[s.side] = direction::number_of(s.first_way);
            pos.directions[s.side.other()] = -direction::number_of(s.first_way);
        }
    }

    /// Allows captures again that were temporarily forbidden.
    fn lift_inhibition(&self, pos: &mut Position, s: &Sowing) {
        let counted = self.params.nocaptmoves > 0;
        let over = if self.params.prescribed == Prescribed::ArngeLimit && !counted {
            s.changed || s.captured
        } else {
            counted && pos.turns >= self.params.nocaptmoves as u32
        };
        if over && pos.inhibited.captures {
            pos.inhibited = super::Inhibited::default();
        }
    }

    fn bear_off_from_now(&self, pos: &mut Position) {
        if self.params.game_class == Class::BearOff && pos.holding(self.board, 2) == 0 {
            pos.bearing_off = true;
        }
    }

    pub(super) fn is_gratuitous(&self) -> bool {
        matches!(self.params.game_class, Class::NsGratuitous | Class::EwGratuitous)
    }

    fn pass(&self, pos: &mut Position) {
        pos.moves += 1;
        pos.turns += 1;
        pos.side = pos.side.other();
        self.bear_off_from_now(pos);
    }

    /// Swaps the players: everything on the board and in the stores, but not ownership.
    fn swap(&self, pos: &mut Position) {
        let h = self.h;
        let turned = |set: u64| (set >> h | set << h) & self.board;
        pos.seeds[..self.n].rotate_left(h);
        pos.stores = BySide::new(pos.stores.two, pos.stores.one);
        pos.children = BySide::new(turned(pos.children.two), turned(pos.children.one));
        pos.rams = turned(pos.rams);
        pos.blocked = turned(pos.blocked);
        pos.unlocked = turned(pos.unlocked);
        pos.moves += 1;
        pos.turns += 1;
        pos.side = pos.side.other();
    }

    /// Plays the move of an opening, whose result does not count.
    fn open<O: Observer>(&self, pos: &mut Position, mv: &Move, watch: &mut O) {
        pos.phase = Phase::Move;
        match mv {
            Move::Sow { hole, way } => self.make(pos, *hole, None, *way, watch),
            _ => self.pass(pos),
        }
        *pos = rounds::after_opening(&self.params, pos.clone(), &|pos| {
            self.has_allowable(pos, pos.side)
        });
    }

    /// `MOVE_RIGHTMOST`: opens a newly dealt board with the rightmost hole.
    fn dealt(&self, pos: &mut Position) {
        if pos.phase == Phase::Opening
            && let Some(hole) = start::rightmost(&self.params, pos.side)
        {
            self.open(pos, &Move::Sow { hole: hole as u8, way: None }, &mut ());
        }
    }
}

/// Puts captured seeds into one of the opponent's holes; not counted as a move.
fn place<O: Observer>(pos: &mut Position, hole: u8, watch: &mut O) {
    trace::sow_store(pos, pos.side, hole, watch);
    pos.placing = false;
    pos.side = pos.side.other();
}

fn last_move(s: &Sowing, winner: Option<Side>) -> LastMove {
    let place = |cell: Cell| match cell {
        cell if !is_store(cell) => cell.cast_signed(),
        cell if cell == store(Side::One) => -1,
        _ => -2,
    };
    LastMove {
        side: s.side,
        start: place(s.origin),
        end: place(s.end),
        hand: s.hand,
        captured: s.captured,
        winner,
    }
}

fn winner(phase: Phase) -> Option<Side> {
    match phase {
        Phase::RoundOver(won) | Phase::Over(won, _) => won,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;

    use crate::two_row::testing::{game, scene};
    use crate::{Rules, Turn};

    /// The counters after moves as text: moves, turns and repeat turns.
    fn counters(options: &str, position: &str, moves: &str) -> [String; 3] {
        let end = scene(options, position).play(moves);
        ["moves", "turns", "repeats"].map(|name| end.part(name))
    }

    #[test]
    fn a_pass_counts_and_changes_nothing_else() {
        let position = "0 0 0 | 1 0 0; 1; repeats=1; last=2:3:4:1:0:0";
        let end = scene("mustpass=true", position).play("pass");
        assert_eq!(end.all(["board", "turn"]), ["0 0 0 | 1 0 0 | 0:0", "2"]);
        assert_eq!(end.part("last"), "2:3:4:1:0:0");
        assert_eq!(counters("mustpass=true", position, "pass"), ["2", "1", "1"]);
    }

    #[test]
    fn a_move_that_ends_the_turn_counts_as_a_turn() {
        assert_eq!(counters("", "1 0 1 | 1 0 0", "1"), ["2", "1", ""]);
        assert_eq!(counters("", "1 0 1 | 1 0 0; 1; repeats=2", "1"), ["2", "1", ""]);
    }

    #[test]
    fn a_move_with_another_one_after_it_counts_as_a_repeat_turn() {
        let own = "sow_stores=OWN";
        assert_eq!(counters(own, "1 0 1 | 1 0 0", "3"), ["2", "", "1"]);
        assert_eq!(counters(own, "1 2 1 | 1 0 0", "3 2 3"), ["4", "", "3"]);
    }

    #[test]
    fn the_last_move_is_remembered() {
        let last =
            |options: &str, position: &str, mv| scene(options, position).play(mv).part("last");
        // Mover, from, to (from 0), seeds in hand, captured, winner.
        assert_eq!(last("", "1 2 0 | 1 0 0", "2"), "1:1:3:2:0:0");
        assert_eq!(last("evens=true", "1 0 1 | 1 0 5", "3"), "1:2:3:1:1:0");
        assert_eq!(last("sow_stores=OWN", "1 0 1 | 1 0 0", "3"), "1:2:-1:1:0:0");
        assert_eq!(last("sow_stores=OWN", "1 0 0 | 1 0 1; 2", "6"), "2:5:-2:1:0:0");
        assert_eq!(last("goal=DEPRIVE,evens=true", "1 0 1 | 1 0 0", "3"), "1:2:3:1:1:1");
    }

    #[test]
    fn an_outcome_hides_a_repeat_turn() {
        let own = scene("sow_stores=OWN,nbr_start=2", "1 0 1 | 1 0 1 | 6:2").play("3");
        assert_eq!(own.all(["turn", "repeats"]), ["1 wins 7:2", ""]);
        assert_eq!(own.pos.side, pitmaster_core::Side::One, "the turn does not pass either");
    }

    #[test]
    fn a_repeat_turn_out_of_a_sowing_leaves_the_captures_out() {
        // The last seed falls into the store, and single seeds are not captured.
        let end = scene("sow_stores=OWN,capt_type=SINGLETONS", "1 0 1 | 1 0 0").play("3");
        assert_eq!(end.all(["board", "turn"]), ["1 0 0 | 1 0 0 | 1:0", "1"]);
    }

    #[test]
    fn who_declined_to_arrange_captures_nothing_until_someone_else_does() {
        let arrange = "prescribed=ARNGE_LIMIT,evens=true";
        let end = scene(arrange, "1 3 1 | 1 0 1; 1; inhibited=1:1:1").play("3");
        assert_eq!(end.all(["board", "inhibited"]), ["1 3 0 | 2 0 1 | 0:0", "1:1:1"]);
        let end = end.play("6");
        assert_eq!(end.all(["board", "inhibited"]), ["0 3 0 | 2 0 0 | 0:2", ""]);
    }

    #[test]
    fn the_deal_may_be_opened_with_the_rightmost_hole() {
        let game = game(3, "start_pattern=MOVE_RIGHTMOST,nbr_start=4");
        assert_eq!(
            game.position_text(&game.start()),
            "5,4,0,5,5,5;0,0;2;moves=2;turns=1;last=1:2:0:4:0:0"
        );
    }

    #[test]
    fn the_deal_may_be_opened_with_a_random_hole() {
        let game = game(3, "start_pattern=MOVE_RANDOM,nbr_start=4");
        let start = game.start();
        assert_eq!(game.turn(&start), Turn::Chance);
        let mut drawn = [false; 3];
        let mut rng = Seed(7).stream("openings");
        for _ in 0..100 {
            let mv = game.draw(&start, &mut rng);
            let mut pos = start.clone();
            game.play(&mut pos, &mv, &mut ());
            assert_eq!(game.turn(&pos), Turn::Player(pitmaster_core::Side::Two));
            let text = game.move_text(&start, &mv);
            drawn[text.parse::<usize>().unwrap() - 1] = true;
        }
        assert_eq!(drawn, [true; 3]);
    }

    #[test]
    fn steps_that_are_not_due_change_nothing() {
        let position = scene("", "1 0 1 | 1 0 0");
        for text in ["round", "deal=1:3", "fill=1:4", "own=2"] {
            let mut pos = position.pos.clone();
            position.game.play(&mut pos, &position.parsed(text), &mut ());
            assert_eq!(pos, position.pos, "{text}");
        }
    }
}
