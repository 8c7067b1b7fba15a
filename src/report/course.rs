//! How a tournament's format stands: byes, who stands where by which stage, the verdict of a test.

use super::two_bots::difference;
use crate::ratings::{Roster, Sprt, SprtVerdict, Standings};
use crate::tournament::{FormatKind, FormatPlan, SequentialTest, TestEnd};

/// What a table has to say of the format.
pub fn course_notes(
    plan: &FormatPlan,
    standings: &Standings,
    roster: &Roster,
    test: Option<&SequentialTest>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if plan.stages.len() > 1 {
        let names: Vec<_> = plan.stages.iter().map(crate::tournament::StagePlan::shown).collect();
        notes.push(format!(
            "Stages: {}. Who came farther stands higher, then by the games of that stage; the \
             figures are of all stages.",
            names.join(" → ")
        ));
    }
    if plan.stages.len() == 1 && matches!(plan.stages[0].kind, FormatKind::Ladder { .. }) {
        let why = "A ladder lets equals meet, so Elo decides the order, not points.";
        notes.push(why.to_owned());
    }
    if standings.ratings.is_some() && plan.stages.iter().any(|stage| stage.kind.pairs_by_results())
    {
        let why = "Who met whom followed from results: 95 % intervals of Elo then hold the truth \
                   less often (85 in a hundred, measured for a Swiss system).";
        notes.push(why.to_owned());
    }
    notes.extend(byes(standings, roster));
    notes.extend(test.map(|test| test_note(test, roster)));
    notes
}

fn byes(standings: &Standings, roster: &Roster) -> Option<String> {
    let with = standings.rows.iter().filter(|row| row.byes > 0);
    let shown: Vec<_> = with.map(|row| format!("{} {}", roster.name(row.bot), row.byes)).collect();
    let all = || format!("Byes count as games won, in the points only: {}.", shown.join(", "));
    (!shown.is_empty()).then(all)
}

fn test_note(test: &SequentialTest, roster: &Roster) -> String {
    let [new, old] = test.bots().map(|bot| roster.name(bot as u32));
    let Sprt { elo0, elo1, alpha, beta, model } = test.sprt();
    let (lower, upper) = test.run().bounds();
    let verdict = match test.end() {
        Some(TestEnd::Decided(SprtVerdict::AcceptedH1)) => {
            format!("{new} is stronger than {old}: the difference is not {elo0} Elo or less")
        }
        Some(TestEnd::Decided(SprtVerdict::AcceptedH0)) => {
            format!(
                "{new} is not that much stronger than {old}: the difference is not {elo1} Elo or more"
            )
        }
        Some(TestEnd::Repeats) => format!(
            "stopped undecided, as {} of {} pairs repeat earlier ones move for move: more of them \
             say nothing new; play with openings",
            test.repeats(),
            test.pairs()
        ),
        Some(TestEnd::Exhausted) => "undecided after the most games that were allowed".into(),
        None => "not decided yet".into(),
    };
    let has_ended = matches!(test.end(), Some(TestEnd::Decided(_) | TestEnd::Exhausted));
    let estimate = test.run().estimate().filter(|_| has_ended).map(|estimate| {
        format!("\nUnbiased estimate of the difference in Elo: {}.", difference(&estimate.elo))
    });
    format!(
        "Test of {new} against {old} ({} Elo {elo0} to {elo1}, alpha {alpha}, beta {beta}): {verdict}.\n\
         Log-likelihood ratio {:.2}, from {lower:.2} to {upper:.2}, after {} pairs.{}",
        model.name(),
        test.run().ratio(),
        test.pairs(),
        estimate.unwrap_or_default()
    )
}
