//! Parameters of movable holes.

use super::numbered::numbered;

numbered! {
    /// Whether seeds may be sown from one's own store.
    PlayLocs: BoardOnly {
        /// Stores are not moved.
        BoardOnly "BOARD_ONLY" = 0,
        /// Instead of a hole, a player may sow all seeds of the own store.
        OwnStoreAll "BRD_OWN_STR_ALL" = 1,
        /// Instead of a hole, a player may sow seeds of the own store, as many as wanted.
        OwnStoreChoose "BRD_OWN_STR_CHS" = 2,
    }
}

numbered! {
    /// A restriction of the holes that may be moved.
    ///
    /// `OCCUPIED` tries the moves of one row: the check refuses it where moves name a row, as in
    /// territory games and without sides (`occupied_both_rows`).
    AllowRule: None {
        /// No hole is forbidden but by its seeds.
        None "NONE" = 0,
        /// The first lap of a move must reach the opponent's side or end in a hole that was empty
        /// before the move; a hole with more than `holes` seeds may be moved in any case.
        OppOrEmpty "OPP_OR_EMPTY" = 1,
        /// A single seed may move only into an empty hole, and a hole next to a store it would sow
        /// into may not be moved.
        SingleToZero "SINGLE_TO_ZERO" = 2,
        /// A single seed may be moved only if the player has nothing else to move.
        SingleOnlyAll "SINGLE_ONLY_ALL" = 3,
        /// A single seed may be moved only if the player has nothing else to move, and only into an
        /// empty hole.
        SingleAllToZero "SINGLE_ALL_TO_ZERO" = 4,
        /// A hole with two seeds may be moved only if the player has nothing else to move.
        TwoOnlyAll "TWO_ONLY_ALL" = 5,
        /// If a player can move nothing but holes with two seeds, it must be the rightmost of them.
        TwoOnlyAllRight "TWO_ONLY_ALL_RIGHT" = 6,
        /// In the first turn of a round, only the two rightmost holes that can be moved may be
        /// moved.
        FirstTurnOnlyRightTwo "FIRST_TURN_ONLY_RIGHT_TWO" = 7,
        /// A hole with two seeds may be moved only if the player has nothing else to move; in the
        /// first turn of a round, only the two rightmost of those allowed.
        Right2FirstThenAllTwo "RIGHT_2_1ST_THEN_ALL_TWO" = 8,
        /// Until all holes of a side were moved, each may be moved only once; of the whole board
        /// where a move names the row.
        MoveAllHolesFirst "MOVE_ALL_HOLES_FIRST" = 9,
        /// A hole may not be moved if the one across holds exactly one seed.
        NotXfrom1s "NOT_XFROM_1S" = 10,
        /// The first lap of a move may not end in a hole that was empty.
        Occupied "OCCUPIED" = 11,
        /// In the first turn of each player in a round, only the right half of the row may be
        /// moved, without the middle.
        RightHalfFirsts "RIGHT_HALF_FIRSTS" = 12,
        /// In the first turn of each player in a round, only the right half of the row may be
        /// moved, without the middle; later the first lap of a move must reach the opponent's side
        /// or end in a hole that was empty, unless the hole holds more than `holes` seeds.
        RightHalf1stOpe "RIGHT_HALF_1ST_OPE" = 13,
    }
}
