//! Head-to-head comparison of two bots, for the calculator and below the table of a tournament of
//! two.

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_ratings::{
    Comparison, Difference, Matches, Outcomes, PairResults, Roster, Standings,
};

use super::number::fixed;

/// Comparison of bot A by its outcomes, one line each: score, Elo, normalized Elo, likelihood of
/// superiority, number of even pairs. Empty without outcomes.
pub fn comparison_lines(outcomes: &Outcomes) -> String {
    let Some(seen) = Comparison::new(outcomes) else { return String::new() };
    let (even, ratio) = match outcomes {
        Outcomes::Games(_) => ("draws", "win ratio"),
        Outcomes::Pairs(_) => ("even pairs", "pair ratio"),
    };
    let lines = [
        ("score", percent(seen.score)),
        ("Elo", difference(&seen.elo).to_string()),
        ("normalised", difference(&seen.normalised).to_string()),
        ("superiority", likelihood(seen.superiority)),
        (even, percent(seen.even)),
        (ratio, seen.ratio.map_or("none below even".into(), |ratio| fixed(ratio, 2))),
    ];
    lines.iter().map(|(name, text)| format!("{name:<13}{text}\n")).collect()
}

/// An estimate with its 95 % interval, such as `+35.0 ±10.0, from +25.1 to +45.2`. An open interval
/// shows only its finite end.
pub fn difference(of: &Difference) -> Message {
    let end = |end: f64| Fill::number(signed(end));
    let ends = match (of.low, of.high) {
        (Some(low), Some(high)) => {
            let half = Fill::number(fixed((high - low) / 2.0, 1));
            said!("±{}, from {} to {}", half, end(low), end(high))
        }
        (Some(low), None) => said!("at least {}, without an upper bound", end(low)),
        (None, Some(high)) => said!("at most {}, without a lower bound", end(high)),
        (None, None) => said!("without bounds"),
    };
    match of.value {
        Some(value) => said!("{} {}", end(value), ends),
        None => ends,
    }
}

/// Lines below the table of a tournament of two bots, from the view of the first one in it. Empty
/// if there are more bots or no pair is finished.
pub fn two_bots(standings: &Standings, matches: &Matches, roster: &Roster) -> Vec<Message> {
    let [first, second] = &standings.rows[..] else { return Vec::new() };
    let pairs = PairResults::new(matches, first.bot, second.bot);
    let outcomes = &pairs.outcomes;
    let Some(seen) = Comparison::new(outcomes) else { return Vec::new() };
    let mut notes = vec![
        said!(
            "{} against {}: Elo {}; normalised {}.",
            roster.name(first.bot).to_string(),
            roster.name(second.bot).to_string(),
            difference(&seen.elo),
            difference(&seen.normalised),
        ),
        said!("Likelihood that it is stronger: {}.", Fill::number(likelihood(seen.superiority))),
    ];
    notes.extend(pair_notes(outcomes, &seen, &pairs));
    notes
}

fn pair_notes(
    outcomes: &Outcomes,
    seen: &Comparison,
    pairs: &PairResults,
) -> impl Iterator<Item = Message> {
    let PairResults { repeats, left_out, .. } = pairs;
    let notes = [
        Some(said!(
            "Distinct pairs by its score, 0 to 2: {}; {} were even.",
            outcome_counts(outcomes),
            Fill::number(percent(seen.even))
        )),
        (*repeats > 0).then(|| said!("Repeated pairs, not counted again: {}.", *repeats)),
        (*left_out > 0)
            .then(|| said!("Games excluded because their pair is incomplete: {}.", *left_out)),
    ];
    notes.into_iter().flatten()
}

/// `0: 1, ½: 2, 1: 7, 1½: 5, 2: 6`.
fn outcome_counts(outcomes: &Outcomes) -> String {
    const SCORES: [&str; 5] = ["0", "½", "1", "1½", "2"];
    let counts = SCORES.iter().zip(outcomes.counts());
    counts.map(|(score, count)| format!("{score}: {count}")).collect::<Vec<_>>().join(", ")
}

/// Percentage with one decimal, and with `>` or `<` if rounding would give 0 or 100.
fn percent(share: f64) -> String {
    match fixed(share * 100.0, 1).as_str() {
        "100.0" if share < 1.0 => "> 99.9 %".into(),
        "0.0" if share > 0.0 => "< 0.1 %".into(),
        text => format!("{text} %"),
    }
}

/// Percentage of a probability that is never 0 or 100.
fn likelihood(share: f64) -> String {
    percent(share.clamp(1e-9, 1.0 - 1e-9))
}

fn signed(value: f64) -> String {
    let text = fixed(value, 1);
    if text.starts_with('-') || text == "0.0" { text } else { format!("+{text}") }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Record;
    use pitmaster_core::i18n::Lang;
    use pitmaster_ratings::{Game, Ranking};

    use super::super::fixtures;
    use super::*;

    fn lines(records: &[Record], roster: &Roster, lang: Lang) -> String {
        let games: Vec<_> = records.iter().filter_map(|record| Game::of(record, roster)).collect();
        let standings = Standings::new(roster.len(), &games, &Ranking::default());
        let notes = two_bots(&standings, &Matches::new(&games), roster);
        notes.iter().map(|note| note.to(lang) + "\n").collect()
    }

    #[test]
    fn a_tournament_of_two_bots() {
        let (records, all) = fixtures::tournament();
        let two = Roster::new([1, 2].map(|number| all.bot(number).clone()));
        insta::assert_snapshot!(lines(&records, &two, Lang::English), @"
        alpha against beta: Elo 0.0 ±301.3, from -301.3 to +301.3; normalised 0.0 ±481.5, from -481.5 to +481.5.
        Likelihood that it is stronger: 50.0 %.
        Distinct pairs by its score, 0 to 2: 0: 0, ½: 0, 1: 1, 1½: 0, 2: 0; 100.0 % were even.
        Repeated pairs, not counted again: 1.
        Games excluded because their pair is incomplete: 1.
        ");
        insta::assert_snapshot!(lines(&records, &two, Lang::French), @"
        alpha contre beta : Elo 0,0 ±301,3, de -301,3 à +301,3 ; normalisé 0,0 ±481,5, de -481,5 à +481,5.
        Il est le plus fort avec une probabilité de 50,0 %.
        Paires distinctes selon son score, de 0 à 2 : 0: 0, ½: 0, 1: 1, 1½: 0, 2: 0 ; 100,0 % à égalité.
        Paires qui en répètent une autre, non comptées : 1.
        Parties laissées de côté faute de partenaire : 1.
        ");
        assert_eq!(lines(&records, &all, Lang::English), "");
        assert_eq!(lines(&records[..1], &two, Lang::English), "");
    }

    #[test]
    fn outcomes_of_many_kinds() {
        let shown = |outcomes| comparison_lines(&outcomes);
        insta::assert_snapshot!(shown(Outcomes::Pairs([1, 2, 7, 5, 6])), @"
        score        65.5 %
        Elo          +111.2 ±96.2, from +23.4 to +215.7
        normalised   +134.2 ±105.1, from +29.2 to +239.3
        superiority  99.4 %
        even pairs   33.3 %
        pair ratio   3.67
        ");
        insta::assert_snapshot!(shown(Outcomes::Games([0, 0, 20])), @"
        score        100.0 %
        Elo          at least +286.6, without an upper bound
        normalised   at least +320.2, without an upper bound
        superiority  > 99.9 %
        draws        0.0 %
        win ratio    none below even
        ");
        insta::assert_snapshot!(shown(Outcomes::Pairs([20, 0, 0, 0, 0])), @"
        score        0.0 %
        Elo          at most -286.6, without a lower bound
        normalised   at most -226.4, without a lower bound
        superiority  < 0.1 %
        even pairs   0.0 %
        pair ratio   0.00
        ");
        assert_eq!(shown(Outcomes::Games([0; 3])), "");
    }
}
