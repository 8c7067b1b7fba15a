//! Circumstances of the games: notes below tables about machine load.
//!
//! There is no note without problems.

use std::time::Duration;

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{Ply, Record, Side};

/// Total waiting time in all games below which there is no note.
const LITTLE: Duration = Duration::from_secs(10);

/// Share of the time of all moves below which there is no note.
const SMALL_PART: f64 = 0.01;

/// State of the machine and of the games on it.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// Percentage of the time in which something waited for a core when games began, if it was
    /// high.
    stalled: Option<f64>,
    /// Whether games were played on cores that were not reserved.
    shared: bool,
    /// Number of games that were void and replayed because a bot was starved.
    replayed: u64,
    /// Number of games that count although a bot was starved.
    starved: u64,
    /// Number of moves that were accepted beyond their limit, because waiting made them late.
    accepted: u64,
    moved: Duration,
    waited: Duration,
}

/// Note that the machine was busy when games began, with the percentage of the time in which
/// something waited for a core, if the kernel reports it.
pub fn busy_note(stalled: Option<f64>) -> Message {
    match stalled {
        Some(stalled) => said!(
            "The machine was busy when games began: something waited for a core {} % of the time.",
            Fill::number(format!("{stalled:.0}"))
        ),
        None => said!("The machine was busy when games began: times are unreliable."),
    }
}

impl Circumstances {
    /// Starts with the facts beyond the games that count: the percentage of the time in which
    /// something waited for a core when games began, if it was high; whether games were played on
    /// cores that were not reserved; and the number of games that were void and replayed because a
    /// bot was starved.
    pub fn new(stalled: Option<f64>, shared: bool, replayed: u64) -> Self {
        Self { stalled, shared, replayed, ..Self::default() }
    }

    /// Adds a game that counts.
    pub fn add(&mut self, record: &Record) {
        self.starved += u64::from(record.ending.is_starved());
        self.accepted += late_moves(record);
        self.moved += record.plies.iter().map(|ply| ply.wall).sum::<Duration>();
        self.waited += Side::BOTH.into_iter().map(|side| record.waited(side)).sum::<Duration>();
    }

    /// Notes for a table.
    pub fn notes(&self) -> Vec<Message> {
        let mut notes = Vec::new();
        if self.shared {
            notes.push(said!(
                "Games were played on cores that were not reserved for them: times are less \
                 reliable."
            ));
        }
        if let Some(stalled) = self.stalled {
            notes.push(busy_note(Some(stalled)));
        }
        notes.extend(self.waiting());
        if self.accepted > 0 {
            notes.push(said!(
                "Moves that only waiting for a core made late, and that were accepted: {}.",
                self.accepted
            ));
        }
        if self.replayed > 0 {
            notes.push(said!(
                "Replayed because a bot was late only for lack of a core (starved): {}; starved \
                 in the last replay too, and counted: {}.",
                self.replayed,
                self.starved
            ));
        } else if self.starved > 0 {
            notes.push(said!(
                "Late only for lack of a core (starved), and counted: {}.",
                self.starved
            ));
        }
        notes
    }

    fn waiting(&self) -> Option<Message> {
        let part = self.waited.as_secs_f64() / self.moved.as_secs_f64().max(f64::MIN_POSITIVE);
        (self.waited >= LITTLE && part >= SMALL_PART).then(|| {
            said!(
                "Bots waited {} for a core, {} % of the time of their moves.",
                Fill::time(self.waited, 0),
                Fill::number(format!("{:.0}", part.min(1.0) * 100.0))
            )
        })
    }
}

/// Number of moves that took longer than the limit of a move and were accepted, because the bot had
/// waited. A first move with a limit of its own is left out: it depends on the bot which one holds.
fn late_moves(record: &Record) -> u64 {
    let limits = &record.key.limits;
    let Some(limit) = limits.per_move else { return 0 };
    let of_side = |side| {
        // Those of an opening took no time.
        let is_own = move |ply: &&Ply| ply.by == Some(side) && !ply.wall.is_zero();
        record.plies.iter().filter(is_own).skip(usize::from(limits.first_move.is_some()))
    };
    let is_late = |ply: &&Ply| ply.wall > limit + limits.margin && !ply.waiting.is_zero();
    Side::BOTH.into_iter().flat_map(of_side).filter(is_late).count() as u64
}

#[cfg(test)]
mod tests {
    use pitmaster_core::i18n::Lang;
    use pitmaster_core::{Ending, Fault, Score};

    use super::super::fixtures;
    use super::*;

    fn told(circumstances: &Circumstances) -> String {
        let told = |note: Message| Lang::ALL.map(|lang| note.to(lang));
        circumstances.notes().into_iter().flat_map(told).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_quiet_machine_is_not_talked_of() {
        let mut quiet = Circumstances::default();
        fixtures::tournament().0.iter().for_each(|record| quiet.add(record));
        assert_eq!(told(&quiet), "");
    }

    #[test]
    fn a_busy_machine_is_told_in_every_language() {
        let mut record = fixtures::tournament().0.swap_remove(0);
        let [limit, took, waited] = [1, 20, 19].map(Duration::from_secs);
        let fault = Fault::Starved { limit, took, waited };
        record.ending = Ending::Forfeit { by: Side::One, fault, score: Score::default() };
        let ply = &mut record.plies[2];
        (ply.wall, ply.waiting) = (Duration::from_secs(95), Duration::from_secs(1));
        let mut busy =
            Circumstances { stalled: Some(61.4), shared: true, ..Circumstances::default() };
        busy.add(&record);
        let counted = told(&busy);
        busy.replayed = 3;
        let replayed = told(&busy);
        let replayed = replayed.lines().skip(8).collect::<Vec<_>>().join("\n");
        insta::assert_snapshot!(format!("{counted}\n{replayed}"), @"
        Games were played on cores that were not reserved for them: times are less reliable.
        Des parties ont été jouées sur des cœurs qui ne leur étaient pas réservés : les temps sont moins sûrs.
        The machine was busy when games began: something waited for a core 61 % of the time.
        La machine était occupée au début des parties : pendant 61 % du temps, quelque chose attendait un cœur.
        Bots waited 20s for a core, 21 % of the time of their moves.
        Les bots ont attendu un cœur pendant 20s, 21 % du temps de leurs coups.
        Moves that only waiting for a core made late, and that were accepted: 1.
        Coups en retard seulement parce que leur bot attendait un cœur, et acceptés : 1.
        Late only for lack of a core (starved), and counted: 1.
        En retard seulement faute de cœur, et comptées : 1.
        Replayed because a bot was late only for lack of a core (starved): 3; starved in the last replay too, and counted: 1.
        Rejouées parce qu'un bot n'était en retard que faute de cœur : 3 ; en retard de même à la dernière reprise, et comptées : 1.
        ");
    }
}
