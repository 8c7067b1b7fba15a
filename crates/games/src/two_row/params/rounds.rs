//! Parameters of rounds: when one ends, who starts the next and how it is filled.

use super::numbered::numbered;

numbered! {
    /// Whether the game is played in rounds, and when one ends.
    Rounds: None {
        /// The game is one round.
        None "NO_ROUNDS" = 0,
        /// A round ends when a player has more than half of the seeds, or when no move is left.
        HalfSeeds "HALF_SEEDS" = 1,
        /// A round ends when no move is left.
        NoMoves "NO_MOVES" = 2,
        /// A round ends when no more than `nbr_start` seeds are left on the board, or when no move
        /// is left.
        EndSSeeds "END_S_SEEDS" = 3,
        /// A round ends when no more than twice `nbr_start` seeds are left on the board, or when no
        /// move is left.
        End2SSeeds "END_2S_SEEDS" = 4,
    }
}

numbered! {
    /// Player who starts the second and later rounds.
    RoundStarter: Alternate {
        /// The players start rounds in turn.
        Alternate "ALTERNATE" = 0,
        /// The player who lost a round starts the next.
        Loser "LOSER" = 1,
        /// The player who won a round starts the next.
        Winner "WINNER" = 2,
        /// The player who moved last in a round starts the next.
        LastMover "LAST_MOVER" = 3,
    }
}

numbered! {
    /// Filling of the holes for a round.
    ///
    /// `EVEN_FILL` and `UMOVE` count seeds by rows, whoever owns a child there: where the loser has
    /// more by that, the winner's seeds are spread instead, so that no store owes any.
    /// `SHORTEN_ALL` leaves seeds that the board has no room for in the stores.
    RoundFill: NotApplicable {
        /// Fills as `OUTSIDE_FILL`; for the goal `TERRITORY` each player owns as many holes as the
        /// seeds fill, with a half hole rounded up; goals that count rounds deal afresh.
        NotApplicable "NOT_APPLICABLE" = 0,
        /// Each player fills holes with `nbr_start` seeds from the own left, as far as the own
        /// seeds go.
        LeftFill "LEFT_FILL" = 1,
        /// Each player fills holes with `nbr_start` seeds from the own right, as far as the own
        /// seeds go.
        RightFill "RIGHT_FILL" = 2,
        /// Each player fills holes with `nbr_start` seeds from the ends to the middle, as far as
        /// the own seeds go.
        OutsideFill "OUTSIDE_FILL" = 3,
        /// The loser spreads all own seeds evenly over the row, and the winner puts down the same.
        EvenFill "EVEN_FILL" = 4,
        /// The board is shortened to the holes that the loser can fill with `nbr_start` seeds; the
        /// winner fills the holes across from them.
        Shorten "SHORTEN" = 5,
        /// Each player fills holes with `nbr_start` seeds, as far as the own seeds go; the loser
        /// chooses which.
        UChoose "UCHOOSE" = 6,
        /// The loser spreads the own seeds over the row at will, at least one a hole; the winner's
        /// row becomes the same.
        UMove "UMOVE" = 7,
        /// Each player owns as many holes as the seeds fill, with a half hole rounded up; the
        /// winner chooses which of a row that both own.
        UChown "UCHOWN" = 8,
        /// The board is shortened to the holes that the loser can fill with `nbr_start` seeds, from
        /// the loser's left, and one more with the loser's rest; the winner fills as many.
        ShortenAll "SHORTEN_ALL" = 9,
        /// Only the loser's row is filled with `nbr_start` seeds a hole, as far as the loser's
        /// seeds go, and the loser chooses which; the winner's row stays as it is.
        LoserOnly "LOSER_ONLY" = 10,
        /// Each player owns as many holes as the seeds fill, and where both have half of one, it is
        /// drawn for.
        TerrExRandom "TERR_EX_RANDOM" = 11,
        /// Each player owns as many holes as the seeds fill, and one that neither can fill belongs
        /// to the loser.
        TerrExLoser "TERR_EX_LOSER" = 12,
        /// Each player owns as many holes as the seeds fill, and one that neither can fill belongs
        /// to the loser and is empty.
        TerrExEmpty "TERR_EX_EMPTY" = 13,
    }
}
