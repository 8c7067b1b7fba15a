//! State of a tournament's format: byes, places by stage, the verdict of a test.

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_ratings::{Method, Ratings, Roster, Sprt, SprtVerdict, Standings};
use pitmaster_tournament::{FormatKind, FormatPlan, SequentialTest, TestEnd};

use super::head_to_head::difference;

/// Notes about the format for a table.
pub fn course_notes(
    plan: &FormatPlan,
    standings: &Standings,
    roster: &Roster,
    test: Option<&SequentialTest>,
) -> Vec<Message> {
    let mut notes = Vec::new();
    if plan.stages.len() > 1 {
        let names: Vec<_> =
            plan.stages.iter().map(pitmaster_tournament::StagePlan::shown).collect();
        notes.push(said!(
            "Stages: {}. Bots rank by the last stage that they reached, then by its games; the \
             figures cover all stages.",
            names.join(" → ")
        ));
    }
    let by_elo =
        |kind: &FormatKind| matches!(kind, FormatKind::Ladder(_) | FormatKind::Practice(_));
    if plan.stages.len() == 1 && by_elo(&plan.stages[0].kind) {
        notes.push(said!(
            "A ladder pairs bots of similar strength, so Elo decides the order, not points."
        ));
    }
    let is_calibrated = |ratings: &Ratings| ratings.method == Method::RandomEffects;
    let may_miss = standings.ratings.as_ref().is_some_and(|ratings| !is_calibrated(ratings));
    if may_miss && plan.stages.iter().any(|stage| stage.kind.pairs_by_results()) {
        notes.push(said!(
            "Pairings depended on results, so the coverage of the 95 % Elo intervals is lower \
             (85 %, measured for maximum likelihood and a Swiss system)."
        ));
    }
    notes.extend(byes(standings, roster));
    notes.extend(test.map(|test| test_note(test, roster)));
    notes
}

fn byes(standings: &Standings, roster: &Roster) -> Option<Message> {
    let with = standings.rows.iter().filter(|row| row.byes > 0);
    let shown: Vec<_> = with.map(|row| format!("{} {}", roster.name(row.bot), row.byes)).collect();
    let all = || said!("Byes count as wins, in points only: {}.", shown.join(", "));
    (!shown.is_empty()).then(all)
}

fn test_note(test: &SequentialTest, roster: &Roster) -> Message {
    let [new, old] = test.bots().map(|bot| roster.name(bot as u32).to_string());
    let Sprt { elo0, elo1, alpha, beta, model } = test.sprt();
    let (lower, upper) = test.run().bounds();
    let number = |number: &f64| Fill::number(number.to_string());
    let hundredths = |number: f64| Fill::number(format!("{number:.2}"));
    said!(
        "Test of {} against {} ({} Elo {} to {}, alpha {}, beta {}): {}.\n\
         Log-likelihood ratio {}, from {} to {}, after {} pairs.{}",
        &new,
        &old,
        model.name(),
        number(elo0),
        number(elo1),
        number(alpha),
        number(beta),
        verdict(test, &new, &old),
        hundredths(test.run().ratio()),
        hundredths(lower),
        hundredths(upper),
        test.pairs(),
        estimate(test),
    )
}

fn verdict(test: &SequentialTest, new: &str, old: &str) -> Message {
    let Sprt { elo0, elo1, .. } = test.sprt();
    let number = |number: &f64| Fill::number(number.to_string());
    match test.end() {
        Some(TestEnd::Decided(SprtVerdict::AcceptedH1)) => said!(
            "{} is stronger than {}: the difference is not {} Elo or less",
            new,
            old,
            number(elo0)
        ),
        Some(TestEnd::Decided(SprtVerdict::AcceptedH0)) => said!(
            "{} is not that much stronger than {}: the difference is not {} Elo or more",
            new,
            old,
            number(elo1)
        ),
        Some(TestEnd::Repeats) => said!(
            "stopped undecided: {} of {} pairs repeat earlier ones move for move, so more pairs \
             add no information; play with openings",
            test.repeats(),
            test.pairs()
        ),
        Some(TestEnd::Exhausted) => said!("undecided after the maximum number of games"),
        None => said!("not decided yet"),
    }
}

/// Estimate on a line of its own; empty before the end of the test.
fn estimate(test: &SequentialTest) -> Fill {
    let has_ended = matches!(test.end(), Some(TestEnd::Decided(_) | TestEnd::Exhausted));
    test.run().estimate().filter(|_| has_ended).map_or(Fill::from(""), |estimate| {
        let elo = difference(&estimate.elo);
        said!("\nUnbiased estimate of the difference in Elo: {}.", elo).into()
    })
}
