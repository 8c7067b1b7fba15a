//! Parameters of the goal, the end of the game and the division of the remaining seeds.

use super::numbered::numbered;

numbered! {
    /// Goal that wins the game.
    Goal: MaxSeeds {
        /// The player who has more than half of the seeds wins.
        MaxSeeds "MAX_SEEDS" = 0,
        /// The player who leaves no seeds on the opponent's side wins.
        Deprive "DEPRIVE" = 1,
        /// The player who fills `goal_param` holes with captured seeds wins.
        Territory "TERRITORY" = 2,
        /// The player who has no seeds left on the own side wins.
        Clear "CLEAR" = 3,
        /// The player who is first to win `goal_param` rounds wins; a round is won by more than
        /// half of the seeds.
        RoundWins "RND_WIN_COUNT_MAX" = 4,
        /// The player who is first to have captured `goal_param` seeds, over all rounds, wins.
        RoundSeeds "RND_SEED_COUNT" = 5,
        /// The winner of a round notes the seeds more than the opponent's; who has noted
        /// `goal_param` first wins.
        RoundExtraSeeds "RND_EXTRA_SEEDS" = 6,
        /// A round is worth a point, or two for three quarters of the seeds; who has `goal_param`
        /// points first wins.
        RoundPoints "RND_POINTS" = 7,
        /// The player who is first to win `goal_param` rounds wins; a round is won by having no
        /// seeds left on the own side.
        RoundWinsClear "RND_WIN_COUNT_CLR" = 8,
        /// The player who is first to win `goal_param` rounds wins; a round is won by leaving no
        /// seeds on the opponent's side.
        RoundWinsDeprive "RND_WIN_COUNT_DEP" = 9,
        /// The player who leaves the opponent without a move wins.
        Immobilize "IMMOBILIZE" = 10,
        /// The player who is first to win `goal_param` rounds wins; a round is won by leaving the
        /// opponent without a move.
        RoundWinsImmobilize "RND_WIN_COUNT_IMB" = 11,
    }
}

numbered! {
    /// A condition that ends the game (or the round) beside those of the goal.
    EndCond: None {
        /// Nothing but the goal and a lack of moves ends play.
        None "NO_ADDTL" = 0,
        /// Play ends when the mover's side has no seeds after a move.
        ClearedOwn "CLEARED_OWN" = 1,
        /// Play ends when the side of the mover's opponent has no seeds after a move.
        ClearedOpp "CLEARED_OPP" = 2,
        /// Play ends when no more than `end_param` seeds are left on the board, children not
        /// counted.
        SeedsLimit "SEEDS_LIMIT" = 3,
        /// Play ends when no hole but children holds more than `end_param` seeds.
        HoleSeedLimit "HOLE_SEED_LIMIT" = 4,
    }
}

numbered! {
    /// Owner of the seeds that are left on the board.
    ///
    /// As `quitter`, `UNFED_PLAYER` means nobody when a limit ends a game, and `LAST_MOVER` is
    /// given only where `unclaimed` is the same or `UNFED_PLAYER`: the check refuses the others
    /// (`quitter_unfed`, `quitter_last_mover`).
    Unclaimed: HoleOwner {
        /// The owner of each hole gets its seeds.
        HoleOwner "HOLE_OWNER" = 0,
        /// Nobody gets them.
        DontScore "DONT_SCORE" = 1,
        /// The player who moved last gets them.
        LastMover "LAST_MOVER" = 2,
        /// The player who was not fed gets them.
        UnfedPlayer "UNFED_PLAYER" = 3,
        /// Each player gets half, and an odd one goes to whom has less.
        Divvied "DIVVIED" = 4,
    }
}
