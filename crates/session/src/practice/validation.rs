//! Validation games of a version: two against itself and two against `house:random`, at the
//! ladder's clock.

use std::sync::Arc;

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{BySide, Ending, GameKey, Limits, Record, Seed, Side, Untrusted};
use pitmaster_games::DynGame;
use pitmaster_runner::{Batch, ScheduledGame, Stopping, Table};

use super::workshop::{PracticeBot, Workshop};
use crate::Error;

/// Number of the version among the entrants.
const OWN: usize = 0;
/// Number of the version once more, because it meets itself.
const AGAIN: usize = 1;
/// Number of its opponent.
const HOUSE: usize = 2;

/// The validation games of a version.
#[derive(Debug, Clone)]
pub struct Validation {
    /// The games, for a lane.
    pub batch: Batch,
}

/// What the validation games showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No game was forfeited.
    Passed,
    /// A game was forfeited; why, for the version's authors.
    Failed(Message),
    /// A game says nothing because of the machine; why.
    Void(String),
}

impl Validation {
    pub(super) fn new(
        workshop: &Workshop,
        bot: &PracticeBot,
        game: &Arc<dyn DynGame>,
        limits: &Limits,
        seed: Seed,
    ) -> Result<Self, Error> {
        let house = workshop.house("random")?;
        let entrants = vec![bot.entrant.clone(), bot.entrant.clone(), house];
        // Two games of a bot against itself differ in nothing but their number.
        let games = [([OWN, AGAIN], 1), ([AGAIN, OWN], 2), ([OWN, HOUSE], 3), ([HOUSE, OWN], 3)];
        let task = |([one, two], pair): ([usize; 2], u32)| {
            let bots = BySide::new(one, two);
            let key = GameKey {
                rules: game.id(),
                limits: limits.clone(),
                stage: 1,
                round: 0,
                bots: bots.map(|bot| entrants[bot].id.clone()),
                opening: String::new(),
                pair,
            };
            ScheduledGame { number: 0, key, bots }
        };
        let tasks = games.map(task).to_vec();
        let (game, seed) = (Arc::clone(game), seed.derive("validation"));
        let table = Arc::new(Table { game, seed, stopping: Stopping::Adaptive, entrants });
        Ok(Self { batch: Batch { number: 0, table, tasks } })
    }

    /// Judges a game of the batch.
    pub fn judge(task: &ScheduledGame, record: &Record) -> Verdict {
        if let Ending::RefereeError { fault } = &record.ending {
            return Verdict::Void(fault.to_string());
        }
        for side in Side::BOTH.into_iter().filter(|&side| task.bots[side] != HOUSE) {
            let Some(fault) = record.ending.fault_of(side) else { continue };
            if fault.is_starvation() {
                return Verdict::Void(fault.to_string());
            }
            let opponent = match task.bots[side.other()] {
                HOUSE => Fill::from("house:random"),
                _ => said!("itself").into(),
            };
            let evidence = record.evidence[side].as_ref();
            let line = evidence.and_then(|evidence| evidence.line.as_ref());
            let line = line.map_or(String::new(), |line| format!(" ({:?})", line.shown(80)));
            let stderr =
                evidence.map_or_else(|| "".into(), |evidence| last_lines(&evidence.stderr));
            return Verdict::Failed(said!(
                "as player {} against {}, at ply {}: {}{}; {} on your own machine finds most faults \
                 and says what to do{}",
                side.number(),
                opponent,
                record.plies.len() + 1,
                fault.describe(),
                line,
                "`pitmaster check`",
                stderr
            ));
        }
        Verdict::Passed
    }
}

/// The end of what a bot wrote to standard error, where interpreters say why they gave up.
fn last_lines(stderr: &Untrusted) -> Fill {
    const BYTES: usize = 1000;
    let bytes = stderr.as_bytes();
    if bytes.is_empty() {
        return "".into();
    }
    let end = Untrusted::new(&bytes[bytes.len().saturating_sub(BYTES)..]);
    said!("\nStandard error ended with:\n{}", end.shown_lines(BYTES).trim_end()).into()
}

#[cfg(test)]
mod tests {
    use pitmaster_core::i18n::Lang;
    use pitmaster_core::{BotHash, BotId, Fault, RefereeFault, Score};

    use super::*;

    fn record(bots: [usize; 2], ending: Ending) -> (ScheduledGame, Record) {
        let id = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"x") };
        let key = GameKey {
            rules: "kalah@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots: BySide::new(id("a"), id("b")),
            opening: String::new(),
            pair: 1,
        };
        let task =
            ScheduledGame { number: 0, key: key.clone(), bots: BySide::new(bots[0], bots[1]) };
        (task, Record::unplayed(key, Seed(1), ending))
    }

    fn judged(bots: [usize; 2], ending: Ending) -> Verdict {
        let (task, record) = record(bots, ending);
        Validation::judge(&task, &record)
    }

    #[test]
    fn a_forfeit_of_the_version_fails_and_says_what_to_do() {
        let forfeit =
            |by| Ending::Forfeit { by, fault: Fault::IllegalMove, score: Score::default() };
        let Verdict::Failed(why) = judged([OWN, HOUSE], forfeit(Side::One)) else {
            panic!("it must fail")
        };
        insta::assert_snapshot!(why, @"as player 1 against house:random, at ply 1: illegal move; `pitmaster check` on your own machine finds most faults and says what to do");
        assert!(matches!(judged([OWN, AGAIN], forfeit(Side::Two)), Verdict::Failed(_)));
        assert!(matches!(judged([AGAIN, OWN], forfeit(Side::One)), Verdict::Failed(_)));
        assert_eq!(judged([HOUSE, OWN], forfeit(Side::One)), Verdict::Passed);
    }

    #[test]
    fn a_failed_version_is_told_the_end_of_its_standard_error() {
        let long = format!("{}\nValueError: no move\n", "x".repeat(5000));
        let told = last_lines(&Untrusted::new(long)).to(Lang::English);
        assert!(told.starts_with("\nStandard error ended with:\nxx"), "{told}");
        assert!(told.ends_with("x\nValueError: no move") && told.len() < 1100, "{told}");
        assert_eq!(last_lines(&Untrusted::default()), "".into());
    }

    #[test]
    fn what_the_machine_did_is_no_fault_of_the_version() {
        let fault = RefereeFault::System { error: "no memory".into() };
        assert!(matches!(judged([OWN, HOUSE], Ending::RefereeError { fault }), Verdict::Void(_)));
    }
}
