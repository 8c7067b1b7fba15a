//! Replay of a finished game's record: the boards, and contradictions with the rules or with the
//! record's own limits.
//!
//! The module does not know how games are shown or stored.

use std::sync::Arc;

use pitmaster_core::{Ending, Fault, Limits, Per, Record, Score, Side};
use pitmaster_games::{DynGame, GameSpec, GameState, Outcome, Turn};

/// Replayed record.
#[derive(Debug)]
pub struct Replay {
    /// Board at the start, then after each ply that could be played.
    pub boards: Vec<String>,
    /// Contradictions between the record and the rules; empty if there are none.
    pub differences: Vec<String>,
}

/// Finds the rules of a record.
///
/// # Errors
/// Fails if this program does not have these rules. The message contains the difference and a
/// remedy.
pub fn rules_of(record: &Record) -> Result<Arc<dyn DynGame>, String> {
    let rules = &record.key.rules;
    let (spec, _) = rules.rsplit_once('@').unwrap_or((rules, ""));
    let found = match spec.parse::<GameSpec>() {
        Ok(spec) => pitmaster_games::find(&spec),
        Err(fault) => Err(fault.into()),
    };
    let here = match found {
        Ok(game) if game.id() == *rules => return Ok(game),
        Ok(game) => format!("this one has {}", game.id()),
        Err(faults) => faults.to_string().replace('\n', "; "),
    };
    Err(format!(
        "the game was played by the rules {rules:?} of another Pitmaster ({here}), so it cannot be \
         verified; replay it with the version that played it"
    ))
}

/// Replays a record by the rules from [`rules_of`].
pub fn replay(record: &Record, game: &dyn DynGame) -> Replay {
    let mut boards = Vec::new();
    let difference = walk(record, game, |table| boards.push(table.board()));
    Replay { boards, differences: difference.into_iter().collect() }
}

/// Checks that a foreign record is consistent: every step is legal or drawn from the game's seed,
/// and the ending follows from the board and the limits.
///
/// # Errors
/// Returns the first contradiction.
pub fn verify(record: &Record, game: &dyn DynGame) -> Result<(), String> {
    let difference = limits_difference(record).or_else(|| walk(record, game, |_| {}));
    difference.map_or(Ok(()), Err)
}

/// Plays the steps of a record; `seen` receives the start and the board after each ply. Returns the
/// first difference.
fn walk(
    record: &Record,
    game: &dyn DynGame,
    mut seen: impl FnMut(&dyn GameState),
) -> Option<String> {
    let mut table = game.begin();
    let mut chance = record.seed.stream("chance");
    seen(&*table);
    let opening: Vec<_> = record.key.opening.split_ascii_whitespace().collect();
    for (place, ply) in record.plies.iter().enumerate() {
        let played = match (table.turn(), ply.by) {
            (Turn::Over(_), _) => Err("the game is over there".to_owned()),
            (Turn::Chance, None) if place < opening.len() => follow(&mut *table, opening[place]),
            (Turn::Chance, None) => Ok(table.draw(&mut chance)),
            (Turn::Player(side), Some(by)) if side == by => follow(&mut *table, &ply.text),
            (Turn::Player(side), _) => Err(format!("it is player {side}'s turn there")),
            (Turn::Chance, _) => Err("it is a step of chance there".to_owned()),
        };
        let difference = match played {
            Ok(text) if opening.get(place).is_some_and(|step| text != *step) => {
                Some(format!("the opening has {}", opening[place]))
            }
            Ok(text) if *text == *ply.text => None,
            Ok(text) => Some(format!("the rules have {text}")),
            Err(why) => Some(why),
        };
        if let Some(why) = difference {
            // Everything after it would differ too.
            return Some(format!("ply {}, {:?}: {why}", place + 1, ply.text));
        }
        seen(&*table);
    }
    end_difference(record, &*table)
}

fn follow(table: &mut dyn GameState, text: &str) -> Result<String, String> {
    let mut written = String::new();
    table.follow(text, &mut written).map_err(|fault| fault.to_string())?;
    Ok(written)
}

/// Contradiction between a record and its own limits. A void game may have stopped anywhere.
fn limits_difference(record: &Record) -> Option<String> {
    let (limits, ending) = (&record.key.limits, &record.ending);
    if ending.is_void() {
        return None;
    }
    if record.plies.len() < record.key.opening_plies() {
        return Some("the record ends within its opening".to_owned());
    }
    let played = record.plies.iter().filter(|ply| ply.by.is_some()).count();
    let limit = limits.plies.map(|limit| limit as usize);
    if limit.is_some_and(|limit| played > limit) {
        return Some(format!("the record has {played} plies, more than the limit"));
    }
    let is_possible = match ending {
        Ending::PlyLimit { .. } => limit == Some(played),
        Ending::GameTime { .. } => limits.per_game.is_some_and(|limit| record.duration >= limit),
        _ => Side::BOTH.into_iter().all(|side| could_forfeit(record, side)),
    };
    (!is_possible).then(|| format!("the limits of the game do not allow it to end by {ending}"))
}

/// Whether a side's forfeit, if any, is decided by a referee during a game.
fn could_forfeit(record: &Record, side: Side) -> bool {
    let Some(fault) = record.ending.fault_of(side) else { return true };
    record.evidence[side].is_some() && fits(fault, &record.key.limits)
}

fn fits(fault: &Fault, limits: &Limits) -> bool {
    match fault {
        Fault::MoveLate { limit, took, .. } => {
            took > limit && [limits.per_move, limits.first_move].contains(&Some(*limit))
        }
        Fault::Starved { limit, took, waited } => {
            let given = [limits.per_move, limits.first_move, Some(limits.start_up)];
            took > limit
                && *took <= limit.saturating_add(limits.margin).saturating_add(*waited)
                && (given.contains(&Some(*limit)) || limits.bank.is_some())
        }
        Fault::BankEmpty { .. } => limits.bank.is_some(),
        Fault::CpuTime { limit } => limits.resources.cpu == Some(*limit),
        Fault::StoleTime { used, allowance, per } => {
            let of = match per {
                Per::Turn => limits.resources.idle_cpu_turn,
                Per::Game => limits.resources.idle_cpu_game,
            };
            used > allowance && of == Some(*allowance)
        }
        Fault::StartLate { limit } => *limit == limits.start_up,
        // Decided without a game.
        Fault::Suspended | Fault::DidNotBuild => false,
        _ => true,
    }
}

/// Contradiction between the board and the recorded ending.
fn end_difference(record: &Record, table: &dyn GameState) -> Option<String> {
    let turn = table.turn();
    match (&record.ending, turn) {
        (Ending::Rules { clause, winner, score }, Turn::Over(outcome)) => {
            let same =
                (&**clause, *winner, *score) == (outcome.clause, outcome.winner, outcome.score);
            (!same).then(|| differ(record, Some(outcome.clause), outcome.winner, outcome.score))
        }
        (Ending::Rules { .. }, _) => {
            Some("the record ends by the rules, but the game goes on there".to_owned())
        }
        (Ending::RefereeError { .. } | Ending::BothForfeited { .. }, _) => None,
        (_, Turn::Over(Outcome { clause, winner, score })) => {
            Some(differ(record, Some(clause), winner, score))
        }
        (Ending::PlyLimit { winner, score } | Ending::GameTime { winner, score }, _) => {
            let outcome = table.adjudicate();
            let same = (*winner, *score) == (outcome.winner, outcome.score);
            (!same).then(|| differ(record, None, outcome.winner, outcome.score))
        }
        (Ending::Forfeit { score, .. }, _) => {
            let there = table.score();
            (*score != there).then(|| differ(record, None, record.ending.winner(), there))
        }
    }
}

fn differ(record: &Record, clause: Option<&str>, winner: Option<Side>, score: Score) -> String {
    let ending = &record.ending;
    let clause = clause.map_or(String::new(), |clause| format!(", by the rules ({clause})"));
    format!(
        "the record has {}, {}; the rules have {}{clause}",
        verdict(ending.winner(), ending.score()),
        ending.name(),
        verdict(winner, score),
    )
}

fn verdict(winner: Option<Side>, score: Score) -> String {
    let who = winner.map_or("a draw".to_owned(), |side| format!("player {side} winning"));
    format!("{who} at {} to {}", score.one, score.two)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pitmaster_core::{Fault, Ply};
    use pitmaster_games::toy::Toy;

    use super::*;
    use crate::fixtures::{random_game, random_game_of};

    fn differences(record: &Record) -> String {
        replay(record, &*rules_of(record).unwrap()).differences.join("\n")
    }

    #[test]
    fn what_was_played_by_the_rules_agrees_with_them() {
        for plies in [0, 1, 20, 400] {
            let mut record = random_game(plies);
            assert_eq!(differences(&record), "", "{plies}");
            let replay = replay(&record, &*rules_of(&record).unwrap());
            assert_eq!(replay.boards.len(), record.plies.len() + 1);
            if let Ending::PlyLimit { score, .. } = record.ending {
                record.ending = Ending::Forfeit { by: Side::One, fault: Fault::IllegalMove, score };
                assert_eq!(differences(&record), "", "{plies}");
            }
        }
        assert!(matches!(random_game(400).ending, Ending::Rules { .. }));
    }

    #[test]
    fn steps_of_chance_come_from_the_stream_of_the_game() {
        let toy = pitmaster_games::game_of(Toy);
        let mut record = random_game_of(&*toy, 100);
        let chance = record.plies.iter().position(|ply| ply.by.is_none());
        let chance = chance.expect("a step of chance");
        assert_eq!(replay(&record, &*toy).differences, Vec::<String>::new());
        record.plies[chance].by = Some(Side::One);
        let found = replay(&record, &*toy).differences.join("\n");
        assert!(found.ends_with("it is a step of chance there"), "{found}");
        record.plies[chance] = Ply::new(None, "die=9", Duration::ZERO);
        let found = replay(&record, &*toy).differences.join("\n");
        assert!(found.contains("\"die=9\": the rules have "), "{found}");
    }

    #[test]
    fn what_the_rules_do_not_allow_is_found() {
        let change = |change: &dyn Fn(&mut Record)| {
            let mut record = random_game(400);
            change(&mut record);
            differences(&record)
        };
        let found = [
            change(&|record| record.plies[1].text = "1R".into()),
            change(&|record| record.plies[2].text = "1R\u{1b}".into()),
            change(&|record| record.plies[0].text = "1r".into()),
            change(&|record| record.plies[4].by = Some(Side::Two)),
            change(&|record| record.plies[5].by = None),
            change(&|record| {
                record.plies.push(Ply::new(Some(Side::One), "1R", Duration::ZERO));
            }),
            change(&|record| {
                record.plies.pop();
            }),
            change(&|record| {
                let Ending::Rules { score, .. } = &mut record.ending else { panic!("a rule") };
                score.one += 1;
            }),
            change(&|record| {
                let score = record.ending.score();
                record.ending = Ending::PlyLimit { winner: None, score };
            }),
        ];
        insta::assert_snapshot!(found.join("\n"), @r#"
        ply 2, "1R": not a legal move here
        ply 3, "1R\u{1b}": a move is a hole from 1 to 16 and R, B, TR or TB, like 3R or 14TB
        ply 1, "1r": the rules have 1R
        ply 5, "7B": it is player 1's turn there
        ply 6, "8TB": it is player 2's turn there
        ply 66, "1R": the game is over there
        the record ends by the rules, but the game goes on there
        the record has player 1 winning at 50 to 19, rules:49+; the rules have player 1 winning at 49 to 19, by the rules (49+)
        the record has a draw at 49 to 19, ply-limit; the rules have player 1 winning at 49 to 19, by the rules (49+)
        "#);
        let mut cut = random_game(10);
        cut.ending = Ending::GameTime { winner: Some(Side::Two), score: Score::new(9, 9) };
        insta::assert_snapshot!(differences(&cut), @"the record has player 2 winning at 9 to 9, game-time; the rules have a draw at 3 to 3");
    }

    #[test]
    fn a_record_from_elsewhere_fits_its_own_limits() {
        let verified = |change: &dyn Fn(&mut Record)| {
            let mut record = random_game(10);
            change(&mut record);
            verify(&record, &*rules_of(&record).unwrap()).map_err(|why| why.contains("limit"))
        };
        let forfeit = |fault: Fault| {
            verified(&|record| {
                let score = record.ending.score();
                record.evidence.two = Some(pitmaster_core::Evidence::default());
                record.ending = Ending::Forfeit { by: Side::Two, fault: fault.clone(), score };
            })
        };
        let over = |record: &mut Record| {
            let Ending::PlyLimit { winner, score } = record.ending else { panic!("a limit") };
            record.key.limits.plies = Some(400);
            record.ending = Ending::GameTime { winner, score };
        };
        let late = |took| {
            let (limit, took) = (Duration::from_secs(1), Duration::from_millis(took));
            Fault::MoveLate { limit, took, waited: Duration::ZERO }
        };
        let starved = |took, waited| {
            let [limit, took, waited] = [1000, took, waited].map(Duration::from_millis);
            Fault::Starved { limit, took, waited }
        };
        assert_eq!(verified(&|_| {}), Ok(()));
        for plies in [None, Some(9), Some(11)] {
            assert_eq!(verified(&|record| record.key.limits.plies = plies), Err(true), "{plies:?}");
        }
        assert_eq!(verified(&over), Err(true), "too soon");
        let in_time = |record: &mut Record| {
            over(record);
            record.duration = record.key.limits.per_game.unwrap();
        };
        assert_eq!(verified(&in_time), Ok(()));
        assert_eq!(verified(&|record| record.key.opening = "1R ".repeat(11)), Err(false));
        assert_eq!((forfeit(Fault::IllegalMove), forfeit(late(1011))), (Ok(()), Ok(())));
        let theft = |used, allowance, per| {
            let [used, allowance] = [used, allowance].map(Duration::from_millis);
            Fault::StoleTime { used, allowance, per }
        };
        assert_eq!(forfeit(theft(21, 20, Per::Turn)), Ok(()));
        assert_eq!(forfeit(theft(201, 200, Per::Game)), Ok(()));
        let [exact, other] = [theft(20, 20, Per::Turn), theft(50, 10, Per::Turn)];
        assert_eq!(forfeit(starved(1510, 500)), Ok(()));
        let [on_time, too_late] = [starved(1000, 500), starved(1511, 500)];
        for fault in
            [late(1000), exact, other, on_time, too_late, Fault::Suspended, Fault::DidNotBuild]
        {
            assert_eq!(forfeit(fault.clone()), Err(true), "{fault:?}");
        }
        let unproven = |record: &mut Record| {
            let score = record.ending.score();
            record.ending = Ending::Forfeit { by: Side::One, fault: Fault::IllegalMove, score };
        };
        assert_eq!(verified(&unproven), Err(true));
        let void = |record: &mut Record| {
            record.plies.truncate(3);
            let fault = pitmaster_core::RefereeFault::Panic { message: "x".into() };
            record.ending = Ending::RefereeError { fault };
        };
        assert_eq!(verified(&void), Ok(()));
    }

    #[test]
    fn other_rules_are_not_judged() {
        let mut record = random_game(3);
        let mut refusal = |rules: &str| {
            record.key.rules = rules.into();
            rules_of(&record).unwrap_err()
        };
        insta::assert_snapshot!(refusal("coloured-awale@999"), @r#"the game was played by the rules "coloured-awale@999" of another Pitmaster (this one has coloured-awale@1), so it cannot be verified; replay it with the version that played it"#);
        insta::assert_snapshot!(refusal("chess@1"), @r#"the game was played by the rules "chess@1" of another Pitmaster (there is no game "chess"; `pitmaster games` lists all), so it cannot be verified; replay it with the version that played it"#);
        insta::assert_snapshot!(refusal("coloured-awale"), @r#"the game was played by the rules "coloured-awale" of another Pitmaster (this one has coloured-awale@1), so it cannot be verified; replay it with the version that played it"#);
    }
}
