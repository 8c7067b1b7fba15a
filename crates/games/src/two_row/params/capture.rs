//! Parameters of captures.

use super::numbered::numbered;

numbered! {
    /// A capture that takes the place of the basic one.
    CaptType: None {
        /// No such capture: by number or across, as the other parameters say.
        None "NONE" = 0,
        /// The hole after the last seed is captured, and those after it in a chain.
        Next "NEXT" = 1,
        /// If the hole after the last seed is empty, the one after that is captured; without laps
        /// the hole of the last seed must hold more than one.
        TwoOut "TWO_OUT" = 2,
        /// The last hole and the one across are captured if they hold the same number of seeds.
        MatchOpp "MATCH_OPP" = 3,
        /// After every sowing all holes with exactly one seed are captured, one's own included.
        Singletons "SINGLETONS" = 4,
        /// A last seed on the opponent's side or in one's own rightmost hole counts as a capture;
        /// nothing is taken by it.
        CaptOpp1Ccw "CAPT_OPP_1CCW" = 5,
        /// If the last seed falls into an empty hole, all that the mover's store holds goes to the
        /// opponent's store.
        PassStoreCapt "PASS_STORE_CAPT" = 6,
        /// If the last seed falls into an empty hole, the seeds across are added to it.
        PullAcross "PULL_ACROSS" = 7,
        /// If the last seed falls into the opponent's store, the mover takes all that is in it.
        EndOppStoreCapt "END_OPP_STORE_CAPT" = 8,
        /// If the last seed falls into an empty hole between two holes with equal numbers of seeds,
        /// all three are captured.
        SandwichCapt "SANDWICH_CAPT" = 9,
    }
}

numbered! {
    /// Direction of a chain of captures.
    CaptDir: OppSow {
        /// A chain goes back, against the direction of sowing.
        OppSow "OPP_SOW" = 0,
        /// A chain goes on in the direction of sowing.
        Sow "SOW" = 1,
        /// A chain goes both ways from the last seed.
        Both "BOTH" = 2,
    }
}

numbered! {
    /// Side on which (or owner in whose holes) captures are made.
    CaptSide: Both {
        /// Captures are made on both sides.
        Both "BOTH" = 0,
        /// Only holes on the opponent's side are captured.
        OppSide "OPP_SIDE" = 1,
        /// Only holes on the mover's side are captured.
        OwnSide "OWN_SIDE" = 2,
        /// A capture has to begin on the opponent's side; its chain may go on anywhere.
        OppCont "OPP_CONT" = 3,
        /// A capture has to begin on the mover's side; its chain may go on anywhere.
        OwnCont "OWN_CONT" = 4,
        /// Only holes that the opponent owns are captured.
        OppTerr "OPP_TERR" = 5,
        /// Only holes that the mover owns are captured.
        OwnTerr "OWN_TERR" = 6,
    }
}

numbered! {
    /// Capturing across from the last seed.
    CrossCapt: None {
        /// There is no capture across.
        None "NONE" = 0,
        /// If the last seed falls into an empty hole, the hole across is captured; a chain goes on
        /// along empty holes.
        OneZeros "ONE_ZEROS" = 1,
        /// Wherever the last seed falls, the hole across is captured; a chain goes on along any
        /// holes.
        Any "ANY" = 2,
        /// If the last seed falls into an empty hole, the hole across is captured; a chain goes on
        /// along any holes.
        OneAny "ONE_ANY" = 3,
    }
}

numbered! {
    /// Whether the seed that captured across is taken too.
    ///
    /// `PICK_ON_CAPT` takes a single seed, and with `crosscapt` `ANY` there may be more: the check
    /// refuses the two together (`xpick_any`).
    XcPickOwn: Leave {
        /// The seed that captured across stays.
        Leave "LEAVE" = 0,
        /// The single seed that captured across is taken too.
        PickOnCapt "PICK_ON_CAPT" = 1,
        /// A single last seed that could capture across is taken, even if there was nothing to
        /// capture.
        AlwaysPick "ALWAYS_PICK" = 2,
    }
}

numbered! {
    /// Effect of a capture of all the opponent's seeds.
    ///
    /// `LEAVE_LEFT` and `LEAVE_RIGHT` keep a hole only where two or more are captured; in territory
    /// games, where there may be none to keep, nothing is left then.
    GrandSlam: Legal {
        /// All of the opponent's seeds may be captured.
        Legal "LEGAL" = 0,
        /// A move that would leave no seed on the opponent's side may not be played.
        NotLegal "NOT_LEGAL" = 1,
        /// A move that would capture all seeds of the opponent's side captures nothing.
        NoCapt "NO_CAPT" = 2,
        /// If a move captures all seeds of the opponent's side, the opponent gets all that is left
        /// on the mover's side.
        OppGetsRemain "OPP_GETS_REMAIN" = 3,
        /// If a move would capture all seeds of the opponent's side, the leftmost of its holes, as
        /// the mover sees it, is left.
        LeaveLeft "LEAVE_LEFT" = 4,
        /// If a move would capture all seeds of the opponent's side, the rightmost of its holes, as
        /// the mover sees it, is left.
        LeaveRight "LEAVE_RIGHT" = 5,
        /// The player who captures all seeds of the opponent's side has to move again.
        LegalShare "LEGAL_SHARE" = 6,
    }
}

numbered! {
    /// Whether a capture gives another turn.
    CaptRturn: NoRepeat {
        /// A capture ends the turn as any other move does.
        NoRepeat "NO_REPEAT" = 0,
        /// The player who captures moves again.
        Always "ALWAYS" = 1,
        /// The player who captures moves again, once in a turn.
        Once "ONCE" = 2,
    }
}

numbered! {
    /// Seeds taken in addition to a capture.
    PickExtra: None {
        /// Nothing is taken beside captures.
        None "NONE" = 0,
        /// With a capture, the hole across from it is taken too.
        PickCross "PICKCROSS" = 1,
        /// With a capture, all of the opponent's holes with a number of seeds to capture are taken
        /// too.
        PickOppBasic "PICKOPPBASIC" = 2,
        /// Once all holes that may be captured from hold no more than `nbr_start` seeds together,
        /// the mover takes all that is left.
        PickLastSeeds "PICKLASTSEEDS" = 3,
        /// Once all holes that may be captured from hold no more than twice `nbr_start` seeds
        /// together, the player who started the round takes all that is left.
        Pick2xLastSeeds "PICK2XLASTSEEDS" = 4,
        /// With a capture, the hole where the last seed fell is taken too.
        PickFinal "PICKFINAL" = 5,
        /// With each capture of a chain, the hole across from it is taken too.
        PickCrossMult "PICKCROSSMULT" = 6,
    }
}
