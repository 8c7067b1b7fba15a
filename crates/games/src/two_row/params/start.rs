//! Parameters of the start: the layout of the seeds and prescribed openings.

use super::numbered::numbered;

numbered! {
    /// Deal of the seeds.
    ///
    /// `RANDOM_ZEROS` of fewer than four seeds puts them all into one hole.
    StartPattern: AllEqual {
        /// `nbr_start` seeds in every hole.
        AllEqual "ALL_EQUAL" = 0,
        /// `nbr_start` seeds in every other hole from the third on of the player who starts, with
        /// one hole near the middle moved across.
        Gamacha "GAMACHA" = 1,
        /// `nbr_start` seeds in every other hole, none across from each other.
        Alternates "ALTERNATES" = 2,
        /// `nbr_start` seeds in every other hole, none across from each other, but one seed only in
        /// one of them, and none in another if the number of holes of a side is even.
        AltsWith1 "ALTS_WITH_1" = 3,
        /// In each row an empty hole and two with `nbr_start` seeds by turns, as far as three fit.
        ClippedTriples "CLIPPEDTRIPLES" = 4,
        /// `nbr_start` seeds in every hole but the two rightmost of each player.
        TwoEmpty "TWOEMPTY" = 5,
        /// `nbr_start` seeds altogether, dealt at random, at least two a hole if there are enough.
        Random "RANDOM" = 6,
        /// `nbr_start` seeds in every other hole, but a quarter of one is moved across.
        AltsSplit "ALTS_SPLIT" = 7,
        /// `nbr_start` seeds in every hole and one more in each player's rightmost.
        RightmostPlusOne "RIGHTMOST_PLUS_ONE" = 8,
        /// `nbr_start` seeds in every hole, and the rightmost hole of the player who starts is
        /// moved at once.
        MoveRightmost "MOVE_RIGHTMOST" = 9,
        /// `nbr_start` seeds in every hole, and a first move is drawn and made.
        MoveRandom "MOVE_RANDOM" = 10,
        /// `nbr_start` seeds in every hole, but a seed is shifted so that no first move ends in the
        /// own store.
        NoRepeatSowOwn "NO_REPEAT_SOW_OWN" = 11,
        /// `nbr_start` seeds altogether, dealt at random in heaps of four and more.
        RandomZeros "RANDOM_ZEROS" = 12,
        /// In each row, from the left, as many holes as half the row less three hold `nbr_start`
        /// seeds, the next one holds one, and the others are empty; each store holds twice
        /// `nbr_start`.
        Azigo "AZIGO" = 13,
    }
}

numbered! {
    /// Sowing of the first moves.
    ///
    /// `PLUS1MINUS1` takes no seed where there is none, and its last one stays in the hole that was
    /// named where the one across is closed; the check warns of patterns that leave holes empty
    /// (`p1m1_pattern`).
    Prescribed: None {
        /// The first move is like all others.
        None "NONE" = 0,
        /// The first move of a round is sown in one plain lap.
        BasicSower "BASIC_SOWER" = 1,
        /// The first move of a round is sown in plain laps, until one ends in an empty hole.
        MlapsSower "MLAPS_SOWER" = 2,
        /// In the first turn of each player in a round, a last seed that would stay on the mover's
        /// side goes to the first hole of the opponent's instead.
        Sow1Opp "SOW1OPP" = 3,
        /// The first move of a round shifts seeds: from the hole after it on, every other hole
        /// gives a seed to the one that follows, all round the board, and the last goes across from
        /// the hole that was named; a hole without seeds gives none.
        Plus1Minus1 "PLUS1MINUS1" = 4,
        /// Before the first move of a game, the player who starts may lay out the own row anew,
        /// which the other row then copies, and gives up the move; or else captures nothing and
        /// makes no children until somebody did.
        ArngeLimit "ARNGE_LIMIT" = 5,
        /// In the first turn of each player in a round, the direction is not chosen: it is
        /// `sow_direct`.
        NoUdirFirsts "NO_UDIR_FIRSTS" = 6,
    }
}

numbered! {
    /// Whether a player may take over the opponent's position instead of moving (the pie rule):
    /// the second player on its first turn, and where seeds are dealt at random the first player
    /// too.
    SwapRule: Pattern {
        /// After random deals only.
        Pattern "PATTERN" = 0,
        /// No player may.
        Never "NEVER" = 1,
        /// Every game.
        Always "ALWAYS" = 2,
    }
}
