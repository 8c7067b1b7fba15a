//! Single game between two bots, independent of who requests it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pitmaster_bots::house::panic_message;
use pitmaster_bots::{Contender, LaunchError};
use pitmaster_core::{BySide, Ending, GameKey, Record, RefereeFault, Seed, Side};
use pitmaster_games::DynGame;
use pitmaster_referee::{Referee, SeatSetup, Setup};

use super::entrant::{Entrant, Start};
use super::game::{Players, Seated, Stopping, dismiss, play};

/// Parameters of a single game.
#[derive(Debug)]
pub struct OneGame<'a> {
    /// Key of the game.
    pub key: GameKey,
    /// The rules that the key names.
    pub game: &'a Arc<dyn DynGame>,
    /// Seed of the tournament. The game's own seed is derived from it and the key.
    pub seed: Seed,
    /// The bots that the key names.
    pub entrants: BySide<&'a Entrant>,
    /// Suspension of the side not to move, unless the limits allow pondering.
    pub stopping: Stopping,
}

impl OneGame<'_> {
    /// Plays the game on this thread, with processes of its own. `watch` is called before each line
    /// sent and at the end. Its time is charged to no move.
    pub fn play(&self, watch: impl FnMut(&Referee)) -> Record {
        self.play_once(&mut Processes(self), watch)
    }

    /// Plays the game with contenders from another source.
    pub fn play_once(&self, players: &mut dyn Players, watch: impl FnMut(&Referee)) -> Record {
        let mut seats = BySide::default();
        let record = self.play_among(&mut seats, players, watch);
        dismiss([seats.one, seats.two].into_iter().flatten());
        record
    }

    /// Plays the game with existing processes. A process that can serve another game is kept. A
    /// panic becomes a referee fault and does not propagate.
    pub(super) fn play_with(
        &self,
        seats: &mut BySide<Option<Seated>>,
        watch: impl FnMut(&Referee),
    ) -> Record {
        self.play_among(seats, &mut Processes(self), watch)
    }

    /// Plays the game with contenders from another source, some of which may already be running.
    pub fn play_among(
        &self,
        seats: &mut BySide<Option<Seated>>,
        players: &mut dyn Players,
        watch: impl FnMut(&Referee),
    ) -> Record {
        let playing = AssertUnwindSafe(|| self.try_play(seats, players, watch));
        let fault = match catch_unwind(playing) {
            Ok(Ok(record)) => return record,
            Ok(Err(error)) => RefereeFault::System { error },
            Err(panic) => {
                *seats = BySide::default();
                RefereeFault::Panic { message: panic_message(&*panic) }
            }
        };
        Record::unplayed(self.key.clone(), self.seed, Ending::RefereeError { fault })
    }

    fn try_play(
        &self,
        seats: &mut BySide<Option<Seated>>,
        players: &mut dyn Players,
        watch: impl FnMut(&Referee),
    ) -> Result<Record, String> {
        let setup = Setup {
            key: self.key.clone(),
            game: self.game.clone(),
            seed: self.key.seed(self.seed),
            seats: BySide::from_fn(|side| {
                let Entrant { dialect, lenient, ref start, .. } = *self.entrants[side];
                let per_move = match start {
                    Start::Person { per_move } => Some(*per_move),
                    _ => None,
                };
                let greeted = seats[side].as_ref().and_then(|seat| seat.greeted);
                SeatSetup { dialect, lenient, greeted, per_move }
            }),
            position: None,
        };
        let referee = Referee::new(setup).map_err(|fault| fault.to_string())?;
        let may_ponder = self.key.limits.resources.pondering;
        let stopping = if may_ponder { Stopping::Never } else { self.stopping };
        Ok(play(referee, seats, players, stopping, watch))
    }
}

/// The bots' processes, started when the game needs them.
struct Processes<'a>(&'a OneGame<'a>);

impl Players for Processes<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let OneGame { key, seed, entrants, .. } = self.0;
        entrants[side].start(side, key.seed(*seed), key)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod theft_tests;
