//! Ending chart: how games ended.

use pitmaster_core::i18n::{Lang, said};
use pitmaster_core::{Fault, ending_label};

use super::rows::Rows;
use super::scale::Scale;
use super::{Chart, Drawn, Head};
use crate::number::fixed;
use crate::svg::{Element, TEXT, width_of};

/// Whether an ending is a forfeit.
fn is_forfeit(name: &str) -> bool {
    name == "both-forfeited" || Fault::NAMES.contains(&name)
}

/// A row for every kind of ending: those by play first, then forfeits, the most frequent ones
/// first.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Option<Chart> {
    let counts = counts(what);
    let most = counts.iter().map(|(_, count)| *count).max()?;
    let all: u32 = counts.iter().map(|(_, count)| count).sum();
    let caption = said!(
        "Number of games by ending. Hollow bars are forfeits: lost by misbehavior, not by play."
    );
    let head = Head::new(what.key, "endings", &said!("Endings"), &caption, lang);
    let labels: Vec<String> = counts.iter().map(|(name, _)| ending_label(name).to(lang)).collect();
    let figures = |count: u32| {
        let share = fixed(f64::from(count) / f64::from(all) * 100.0, 1);
        format!("{count} ({} %)", lang.number(&share))
    };
    let widest = counts.iter().map(|(_, count)| width_of(&figures(*count), TEXT));
    let mut rows = Rows::new(head, labels.iter().map(|label| &**label), widest.fold(0.0, f64::max));
    let scale = Scale::new([0.0, f64::from(most)], rows.across());
    let ticks = scale.whole_ticks(4).into_iter().map(|value| (value, format!("{value:.0}")));
    rows.axis(&scale, &ticks.collect::<Vec<_>>(), lang.text("games"));
    for (place, ((name, count), label)) in counts.iter().zip(&labels).enumerate() {
        rows.label(place, label, &figures(*count));
        let (left, high) = (rows.across()[0], rows.row() - 6.0);
        let width = scale.at(f64::from(*count)) - left;
        let look = if is_forfeit(name) { "hollow" } else { "bar" };
        let bar = Element::rect([left, rows.middle(place) - high / 2.0, width, high]);
        rows.picture.draw(bar.class(look).title(&format!("{name}: {count}")));
    }
    Some(rows.finish())
}

fn counts<'a>(what: &Drawn<'a>) -> Vec<(&'a str, u32)> {
    let mut counts: Vec<(&str, u32)> = Vec::new();
    for (_, circumstances) in what.played.iter() {
        let number = circumstances.ending as usize;
        while counts.len() <= number {
            counts.push((what.played.endings().word(counts.len() as u32), 0));
        }
        counts[number].1 += 1;
    }
    counts.retain(|(name, count)| *count > 0 && !name.is_empty());
    counts.sort_by_key(|(name, count)| (is_forfeit(name), std::cmp::Reverse(*count), *name));
    counts
}
