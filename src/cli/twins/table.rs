//! Table and CSV of similar bots.

use std::io::{self, Write};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::Untrusted;
use pitmaster_session::{Pair, Quizzed, Twins};

/// Writes the findings for people.
pub(super) fn write(twins: &Twins, out: &mut dyn Write) -> io::Result<()> {
    let asked = twins.bots.iter().filter(|bot| bot.answers > 0).count();
    let answers: usize = twins.bots.iter().map(|bot| bot.answers).sum();
    writeln!(out, "{asked} bots asked, {answers} answers")?;
    for bot in &twins.bots {
        write_bot(bot, out)?;
    }
    if twins.pairs.is_empty() {
        return writeln!(out, "no two are alike");
    }
    writeln!(out)?;
    for pair in &twins.pairs {
        write_pair(twins, pair, out)?;
    }
    writeln!(out, "\nThis is evidence, not a verdict: look at the sources.")
}

/// Writes notable facts about a bot.
fn write_bot(bot: &Quizzed, out: &mut dyn Write) -> io::Result<()> {
    let name = &bot.name;
    if let Some(kit) = &bot.kit {
        writeln!(out, "  {name}: the template {kit}, unchanged; not asked")?;
    } else if !bot.why_not.is_empty() {
        let why = bot.why_not.lines().next().unwrap_or_default();
        writeln!(out, "  {name}: {}", Untrusted::new(why).shown(200))?;
    }
    Ok(())
}

fn write_pair(twins: &Twins, pair: &Pair, out: &mut dyn Write) -> io::Result<()> {
    let [one, two] = pair.bots.map(|bot| &twins.bots[bot]);
    let mut facts = Vec::new();
    if pair.likeness.games > 0 {
        let likeness = pair.likeness;
        facts.push(format!("{} of {} games identical", likeness.identical, likeness.games));
        facts.push(format!("{} of {} positions alike", likeness.agreed, likeness.met));
        facts.extend(
            likeness
                .first_difference
                .map(|(game, answer)| format!("first difference in game {game}, answer {answer}")),
        );
    }
    facts.extend(pair.same_source.then(|| "the same files".to_owned()));
    writeln!(out, "{} and {}: {}", one.name, two.name, facts.join(", "))?;
    let Some((evidence, side)) = &pair.evidence else { return Ok(()) };
    let evidence = shown_path(evidence);
    writeln!(out, "    pitmaster debug {} {evidence} --side {}", two.path, side.number())
}

/// Writes the pairs as CSV.
pub(super) fn write_csv(twins: &Twins, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "one,two,games,identical,met,agreed,first_game,first_answer,same_files")?;
    for pair in &twins.pairs {
        let [one, two] = pair.bots.map(|bot| &twins.bots[bot].name);
        let likeness = pair.likeness;
        let (game, answer) = match likeness.first_difference {
            Some((game, answer)) => (game.to_string(), answer.to_string()),
            None => Default::default(),
        };
        writeln!(
            out,
            "{one},{two},{},{},{},{},{game},{answer},{}",
            likeness.games, likeness.identical, likeness.met, likeness.agreed, pair.same_source
        )?;
    }
    Ok(())
}
