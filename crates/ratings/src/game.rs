//! Compact game record for ratings.

use pitmaster_core::{BySide, Ending, Fault, GameKey, Mark, Record, Side};

use super::Roster;

/// Number of forfeit kinds: those of [`Fault::NAMES`], and a last one for unknown kinds.
pub const FORFEIT_KINDS: usize = Fault::NAMES.len() + 1;

/// Played game, reduced to the input of standings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// Fingerprint that is equal for two games with the same moves.
    pub fingerprint: u64,
    /// Numbers of the bots in the [`Roster`].
    pub bots: BySide<u32>,
    /// Pair of these two bots to which the game belongs.
    pub pair: PairId,
    /// Result for each side.
    pub marks: BySide<Mark>,
    /// Forfeit kind of each side, if it forfeited: an index into [`Fault::NAMES`], or the one after
    /// the last.
    pub faults: BySide<Option<u8>>,
}

/// Identity of a pair among the pairs of the same two bots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PairId {
    /// Stage of the tournament, from 1.
    pub stage: u32,
    /// Round of the stage; 0 if there are none.
    pub round: u32,
    /// Number of the pair among the meetings of the two bots.
    pub number: u32,
}

impl Game {
    /// Converts a record. Returns `None` if it does not count: a void game, a bot that is not in
    /// the roster, or a bot that met itself.
    pub fn of(record: &Record, roster: &Roster) -> Option<Self> {
        let bots = roster.numbers(&record.key.bots)?;
        Self::between(&record.key, &record.ending, || record.fingerprint(), bots)
    }

    /// Converts a game of bots whose numbers are known.
    pub fn between(
        key: &GameKey,
        ending: &Ending,
        fingerprint: impl FnOnce() -> u64,
        bots: BySide<u32>,
    ) -> Option<Self> {
        let mark = |side| ending.mark(side);
        let marks = BySide::new(mark(Side::One)?, mark(Side::Two)?);
        (bots.one != bots.two).then(|| Self {
            fingerprint: fingerprint(),
            bots,
            pair: PairId { stage: key.stage, round: key.round, number: key.pair },
            marks,
            faults: BySide::from_fn(|side| ending.fault_of(side).map(Self::forfeit_kind)),
        })
    }

    /// Kind of a forfeit: an index into [`Fault::NAMES`].
    pub fn forfeit_kind(fault: &Fault) -> u8 {
        let name = fault.name();
        let place = Fault::NAMES.iter().position(|other| *other == name);
        place.expect("NAMES lists every name") as u8
    }

    /// Whether a side lost by a fault, not by play.
    pub fn is_forfeit(&self) -> bool {
        self.faults.iter().any(Option::is_some)
    }

    /// Whether the game is unplayed because a bot could not play at all, or neither was allowed to.
    /// Such a game counts in the points, but is neither evidence of strength nor a distinct game.
    pub fn is_absence(&self) -> bool {
        let is_absent = |fault: u8| {
            let name = Fault::NAMES.get(usize::from(fault));
            name.is_some_and(|name| Fault::ABSENT.contains(name))
        };
        !self.compares() || self.faults.iter().copied().flatten().any(is_absent)
    }

    /// Whether the game is evidence of which bot is stronger. A game that both forfeited is a loss
    /// for both and no evidence.
    pub fn compares(&self) -> bool {
        self.marks != BySide::new(Mark::Loss, Mark::Loss)
    }

    /// The two bots, the lower number first.
    pub(super) fn meeting(&self) -> (u32, u32) {
        let BySide { one, two } = self.bots;
        (one.min(two), one.max(two))
    }

    /// Side of the bot with the lower number.
    pub(super) fn side_of_lower(&self) -> Side {
        if self.bots.one < self.bots.two { Side::One } else { Side::Two }
    }

    /// Identity that is equal for games of the same bots on the same sides with the same moves and
    /// result.
    pub fn identity(&self) -> (BySide<u32>, u64, BySide<Mark>) {
        (self.bots, self.fingerprint, self.marks)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BotHash, BotId, Limits, RefereeFault, Score, Seed};

    use super::*;

    fn bot(name: &str) -> BotId {
        BotId { name: name.parse().unwrap(), hash: BotHash::of(name.as_bytes()) }
    }

    fn record(one: &str, two: &str, ending: Ending) -> Record {
        let key = GameKey {
            rules: "coloured-awale@1".into(),
            limits: Limits::default(),
            stage: 2,
            round: 3,
            bots: BySide::new(bot(one), bot(two)),
            opening: String::new(),
            pair: 4,
        };
        Record::unplayed(key, Seed(1), ending)
    }

    #[test]
    fn a_record_is_reduced_to_its_results() {
        let ending =
            Ending::Forfeit { by: Side::Two, fault: Fault::NotUtf8, score: Score::default() };
        let roster = Roster::new([bot("a"), bot("b")]);
        let game = Game::of(&record("b", "a", ending), &roster).unwrap();
        assert_eq!(game.bots, BySide::new(1, 0));
        assert_eq!(game.marks, BySide::new(Mark::Win, Mark::Loss));
        assert_eq!(game.faults, BySide::new(None, Some(8)));
        assert_eq!(game.pair, PairId { stage: 2, round: 3, number: 4 });
        assert!(game.is_forfeit());
    }

    #[test]
    fn what_is_void_or_of_another_bot_does_not_count() {
        let roster = Roster::new([bot("a"), bot("b")]);
        let drawn = || Ending::PlyLimit { winner: None, score: Score::default() };
        let fault = RefereeFault::Panic { message: String::new() };
        let void = record("a", "b", Ending::RefereeError { fault });
        assert!(Game::of(&record("a", "b", drawn()), &roster).is_some());
        for record in [void, record("a", "c", drawn()), record("a", "a", drawn())] {
            assert_eq!(Game::of(&record, &roster), None);
        }
    }

    #[test]
    fn who_cannot_play_is_absent_and_who_fails_in_play_is_not() {
        let roster = Roster::new([bot("a"), bot("b")]);
        let absence = |fault| {
            let ending = Ending::Forfeit { by: Side::Two, fault, score: Score::default() };
            Game::of(&record("a", "b", ending), &roster).unwrap().is_absence()
        };
        let why = pitmaster_core::StartFault::NotExecutable;
        assert!(absence(Fault::DidNotBuild) && absence(Fault::WouldNotStart { why }));
        assert!(!absence(Fault::NotUtf8) && !absence(Fault::Suspended));
    }

    #[test]
    fn a_million_games_fit() {
        assert!(size_of::<Game>() <= 40);
    }

    #[test]
    fn every_fault_has_a_column() {
        assert_eq!(Game::forfeit_kind(&Fault::Suspended), 15);
        assert_eq!(Fault::NAMES[usize::from(Game::forfeit_kind(&Fault::NotUtf8))], "not-utf8");
    }
}
