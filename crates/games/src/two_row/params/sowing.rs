//! Parameters of sowing.

use super::numbered::numbered;

numbered! {
    /// The family of boards: which holes a sowing visits and whose they are.
    ///
    /// The check refuses what a class has no rules for: `ShareOne` with `sow_start`
    /// (`s1_sow_start`), `BearOff` with `sow_stores` (`bo_sow_stores`), `ZigZag` with a choice of
    /// direction everywhere (`zz_all_udir`), and of the halves and the gratuitous classes the
    /// rules that try moves (`ring_tries_moves`), `SOW1OPP` (`ring_sow1opp`), `no_sides` with
    /// `sow_stores` (`ring_no_sides_stores`) and drawn first moves (`grat_drawn_move`).
    Class: Mancala {
        /// Sowing goes round the board.
        Mancala "Mancala" = 0,
        /// Each row is a ring of its own: sowing stays in the row where it began.
        NorthSouthCycle "NorthSouthCycle" = 1,
        /// The board is halved across the rows: each player sits at one end, owns the half there,
        /// and sows round it.
        EastWestCycle "EastWestCycle" = 2,
        /// Sowing goes round the board; once no hole holds more than one seed, seeds that would
        /// reach the opponent's side are borne off into the mover's store instead.
        BearOff "BearOff" = 3,
        /// Sowing goes round the board; a player whose opponent has no seeds first gives one away
        /// out of a hole with two or more, into the opponent's leftmost hole, and then moves again.
        ShareOne "ShareOne" = 4,
        /// Sowing zigzags between the rows, starting toward the middle.
        ZigZag "ZigZag" = 5,
        /// Seeds spread to the five neighbours of their hole, over the end of the board or into a
        /// hole of five seeds out of play; players own the left and the right half.
        Diffusion "Diffusion" = 6,
        /// Seeds spread to the five neighbours of their hole, over the end of the board or into a
        /// hole of five seeds out of play; players own a row each.
        DiffusionV2 "DiffusionV2" = 7,
        /// Each row is a ring of its own, and captured seeds are put into one hole of the
        /// opponent's, which the mover chooses.
        NsGratuitous "NSGratuitous" = 8,
        /// Each half of the board is a ring of its own, and captured seeds are put into one hole of
        /// the opponent's, which the mover chooses.
        EwGratuitous "EWGratuitous" = 9,
    }
}

numbered! {
    /// The direction of sowing.
    SowDirect: Ccw {
        /// Clockwise.
        Cw "CW" = -1,
        /// The left half of a row is sown clockwise and the right half counter-clockwise: away from
        /// the middle.
        Split "SPLIT" = 0,
        /// Counter-clockwise.
        Ccw "CCW" = 1,
        /// The first mover of a round chooses a direction, and the other player sows the other way,
        /// all through the round.
        PlayAltDir "PLAYALTDIR" = 2,
        /// A hole with an odd number of seeds is sown counter-clockwise, one with an even number
        /// clockwise.
        EvenOddDir "EVEN_ODD_DIR" = 3,
        /// The left half of a row is sown counter-clockwise and the right half clockwise: through
        /// the middle.
        ToCenter "TOCENTER" = 4,
    }
}

numbered! {
    /// Stores that are sown into, and those that give another turn.
    ///
    /// A store has no hole across: a last seed in one neither matches nor captures across. Three
    /// bugs are kept, because games rely on them: with `skip_start`, looking ahead passes over
    /// player 1's store; `MAX_SOW` and `NO_CHILDREN` look at one of the last two holes in place of
    /// a store; and prescribed openings drop there what is meant for a store.
    SowStores: Neither {
        /// Stores are not sown into.
        Neither "NEITHER" = 0,
        /// The mover's store is sown into; a last seed in it gives another turn.
        Own "OWN" = 1,
        /// Both stores are sown into; a last seed in either gives another turn.
        Both "BOTH" = 2,
        /// The mover's store is sown into; a last seed in it ends the turn.
        OwnNr "OWN_NR" = 3,
        /// Both stores are sown into; a last seed in either ends the turn.
        BothNr "BOTH_NR" = 4,
        /// Both stores are sown into; a last seed in the opponent's gives another turn, one in the
        /// mover's does not.
        BothNrOwn "BOTH_NR_OWN" = 5,
        /// Both stores are sown into; a last seed in the mover's gives another turn, one in the
        /// opponent's does not.
        BothNrOpp "BOTH_NR_OPP" = 6,
    }
}

numbered! {
    /// Whether sowing goes on in laps.
    ///
    /// A sowing that wants more than 75 ends the game, and the seeds that it lifted last leave
    /// play: the one loss that is kept.
    Mlaps: Off {
        /// A move is one lap.
        Off "OFF" = 0,
        /// If the last seed of a lap falls into a hole with seeds, all of them are sown on.
        Lapper "LAPPER" = 1,
        /// If the hole after the last seed of a lap holds seeds, all of them are sown on.
        LapperNext "LAPPER_NEXT" = 2,
    }
}

numbered! {
    /// A condition for another lap.
    MlapCont: None {
        /// Nothing else is asked for to go on.
        None "NONE" = 0,
        /// Laps go on only if the last hole then holds exactly `mlap_param` seeds.
        OnParam "ON_PARAM" = 1,
        /// Laps go on only if the last hole then holds at least `mlap_param` seeds.
        GreqParam "GREQ_PARAM" = 2,
        /// Laps go on only if they end on the mover's side.
        OwnSide "OWN_SIDE" = 3,
        /// Laps go on only if they end on the opponent's side.
        OppSide "OPP_SIDE" = 4,
        /// Laps go on only if the first one put a seed on the opponent's side.
        VisitOpp "VISIT_OPP" = 5,
        /// No lap goes on after one that ends in a store.
        StopStore "STOP_STORE" = 6,
        /// No lap goes on out of a store.
        NotFromStore "NOT_FROM_STORE" = 7,
    }
}

numbered! {
    /// A capture before sowing.
    Presowcapt: None {
        /// Nothing is taken before sowing.
        None "NONE" = 0,
        /// One seed of every lap is taken before it is sown.
        CaptOne "CAPT_ONE" = 1,
        /// Before sowing, the holes across from the mover's single seeds are captured.
        AllSingleXcapt "ALL_SINGLE_XCAPT" = 2,
        /// Before a single seed is sown, the hole across from it is captured.
        Draw1Xcapt "DRAW_1_XCAPT" = 3,
    }
}

numbered! {
    /// A special rule of sowing.
    ///
    /// Where a rule passes over all that is left, the rest goes into the mover's store, and no
    /// sowing is without an end. Captures across between laps (`LAP_CAPT`, `LAP_CAPT_OPP_GETS`)
    /// cannot give another turn: the check refuses them with `capt_rturn` or `xc_sown`
    /// (`lcapt_cross_rturn`).
    SowRule: None {
        /// Sowing has no special rule.
        None "NONE" = 0,
        /// A last seed that makes a hole of the opponent's side hold `sow_param` closes it, and its
        /// seeds leave play (or are sown on in laps); later the mover's own closed holes are passed
        /// over, and a seed for a closed hole of the opponent's leaves play.
        SowBlkdDiv "SOW_BLKD_DIV" = 1,
        /// A last seed that makes a hole of the opponent's side hold `sow_param` closes it, but for
        /// the rightmost of a row, and its seeds leave play (or are sown on in laps); later the
        /// mover's own closed holes are passed over, and a seed for a closed hole of the opponent's
        /// leaves play.
        SowBlkdDivNr "SOW_BLKD_DIV_NR" = 2,
        /// While sowing passes, the owner of a hole takes its seeds if the number is one to
        /// capture; the last seed of a lap is left out.
        EnpasAllOwnerSow "ENPAS_ALL_OWNER_SOW" = 3,
        /// While sowing passes, the owner of a hole takes its seeds if the number is one to
        /// capture; the last seed of a lap too.
        EnpasAllOwnerOwn "ENPAS_ALL_OWNER_OWN" = 4,
        /// Holes of the opponent's side with exactly `sow_param` seeds are passed over.
        NoSowOppNs "NO_SOW_OPP_NS" = 5,
        /// Every lap goes in the other direction than the one before.
        ChangeDirLap "CHANGE_DIR_LAP" = 6,
        /// Holes with `sow_param` seeds or more are passed over; where all are full, the rest goes
        /// into the mover's store.
        MaxSow "MAX_SOW" = 7,
        /// Captures are made after every lap, and then the laps go on.
        LapCapt "LAP_CAPT" = 8,
        /// The opponent's children are passed over.
        NoOppChild "NO_OPP_CHILD" = 9,
        /// Captures are made after every lap; once `sow_param` seeds or fewer are on the board,
        /// seeds that fall on the opponent's side are the opponent's at once.
        LapCaptOppGets "LAP_CAPT_OPP_GETS" = 10,
        /// The opponent's children are passed over but for the last seed of a lap.
        OppChildOnly1 "OPP_CHILD_ONLY1" = 11,
        /// What is captured after a lap is sown on, with the seeds of the last hole.
        LapCaptSeeds "LAP_CAPT_SEEDS" = 12,
        /// All children are passed over; where nothing else is left, the rest goes into the mover's
        /// store.
        NoChildren "NO_CHILDREN" = 13,
        /// While sowing passes, the mover takes the seeds of any hole whose number is one to
        /// capture; the last seed of a lap is left out.
        EnpasAllSower "ENPAS_ALL_SOWER" = 14,
        /// While sowing passes, the mover takes the seeds of own holes whose number is one to
        /// capture; the last seed of a lap is left out.
        EnpasSowSower "ENPAS_SOW_SOWER" = 15,
        /// While sowing passes, the mover takes the seeds of the opponent's holes whose number is
        /// one to capture; the last seed of a lap is left out.
        EnpasOppSower "ENPAS_OPP_SOWER" = 16,
    }
}
