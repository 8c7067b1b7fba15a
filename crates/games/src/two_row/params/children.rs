//! Parameters of children: holes that a player claims.

use super::numbered::numbered;

numbered! {
    /// The kind of children.
    ///
    /// Without stores, a player's first child takes what the player captures; what is settled at
    /// the end for a player without a child goes to the opponent's first one, or to the hole at
    /// the west end of the player's row if nobody has a child, so that over rounds every seed is
    /// counted once.
    ChildType: None {
        /// There are no children.
        None "NOCHILD" = 0,
        /// A last seed that makes a hole hold `child_cvt` seeds makes it the mover's child.
        Normal "NORMAL" = 1,
        /// A last seed that makes a hole hold `child_cvt` seeds makes it the mover's child; nobody
        /// has more than one.
        OneChild "ONE_CHILD" = 3,
        /// A last seed that makes a hole hold `child_cvt` seeds makes it the mover's weg; a last
        /// seed that falls into the opponent's weg takes two seeds out of it.
        Weg "WEG" = 4,
        /// A last seed that makes a hole hold `child_cvt` seeds makes it the mover's child; if the
        /// last two holes sown hold `child_cvt` and one less, both become children, unless the one
        /// before the last is a child already.
        Bull "BULL" = 5,
        /// If the last seed falls into an empty hole across from one with `child_cvt` seeds, both
        /// become the mover's children.
        Qur "QUR" = 6,
        /// A hole with so many seeds that a sowing from it would come round to its owner's side
        /// again is a ram: it cannot be moved, it can be captured, and its seeds count for nobody
        /// in the end.
        Ram "RAM" = 7,
    }
}

numbered! {
    /// A further condition for making a child.
    ChildRule: None {
        /// Children are made on both sides.
        None "NONE" = 0,
        /// Children are made on the opponent's side only.
        OppSideOnly "OPP_SIDE_ONLY" = 1,
        /// Children are made on one's own side only.
        OwnSideOnly "OWN_SIDE_ONLY" = 2,
        /// Children are made on the opponent's side only, and not by a sowing of a single seed.
        OppsOnlyNot1st "OPPS_ONLY_NOT_1ST" = 3,
        /// Children are made of holes that the opponent owns only.
        OppOwnerOnly "OPP_OWNER_ONLY" = 4,
        /// Children are made of holes that the mover owns only.
        OwnOwnerOnly "OWN_OWNER_ONLY" = 5,
        /// A sowing of a single seed makes no child of the first hole on the opponent's side.
        Not1stOpp "NOT_1ST_OPP" = 6,
    }
}

numbered! {
    /// Holes where children may be made.
    ChildLocs: Anywhere {
        /// Any hole can become a child.
        Anywhere "ANYWHERE" = 0,
        /// Only the holes at the ends of the rows can become children.
        EndsOnly "ENDS_ONLY" = 1,
        /// The holes at the ends of the rows cannot become children.
        NoEnds "NO_ENDS" = 2,
        /// Each player makes children of the end holes on the opponent's side and of the inner
        /// holes on the own side.
        InvEndsPlusMid "INV_ENDS_PLUS_MID" = 3,
        /// Each player makes children of all end holes, and of the holes next to them on the
        /// opponent's side.
        EndsPlusOneOpp "ENDS_PLUS_ONE_OPP" = 4,
        /// The mover's rightmost hole cannot become a child of the mover.
        NoOwnRight "NO_OWN_RIGHT" = 5,
        /// The opponent's rightmost hole cannot become a child of the mover.
        NoOppRight "NO_OPP_RIGHT" = 6,
        /// The opponent's leftmost hole cannot become a child of the mover.
        NoOppLeft "NO_OPP_LEFT" = 7,
        /// The opponent's leftmost hole cannot become a child of the mover, nor can a hole whose
        /// counterpart in the other row, counted from its owner's left, is a child.
        NotSymOpp "NOT_SYM_OPP" = 8,
        /// A hole cannot become a child if the hole across is one.
        NotFacing "NOT_FACING" = 9,
        /// Each player makes children of all end holes, and of all holes on the opponent's side.
        EndsPlusAllOpp "ENDS_PLUS_ALL_OPP" = 10,
        /// Each player's rightmost hole is that player's child from the start; no others are made.
        FixedOneRight "FIXED_ONE_RIGHT" = 11,
    }
}
