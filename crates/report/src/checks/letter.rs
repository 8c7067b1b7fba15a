//! Letter: the findings of one bot as a text for its submitter.

use std::fmt::Write as _;

use pitmaster_check::{Checked, Checks, Level};
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Fill, Lang, Message, said, wrap};

use super::text::Style;

/// Maximum width of a line, in columns, as is usual in mail.
const WIDTH: usize = 76;
/// Maximum length of a person's name, in characters.
const NAME: usize = 80;

/// Text to send: the result, every finding with advice, and the statistics.
pub fn letter(checks: &Checks, bot: &Checked, lang: Lang) -> String {
    let style = Style { colors: false, width: WIDTH, lang };
    let mut text = String::new();
    if let Some(person) = bot.person.as_ref().filter(|person| !person.name.is_empty()) {
        let _ = writeln!(text, "{},\n", Untrusted::new(person.name.as_str()).shown(NAME));
    }
    let limit = Fill::whole(checks.settings.limits.per_move.unwrap_or_default());
    let intro = said!("Your bot was checked: {}, {} for every move.", checks.game(), limit);
    for line in [intro, result(bot)].iter().flat_map(|line| wrap(&line.to(lang), WIDTH)) {
        let _ = writeln!(text, "{line}");
    }
    for finding in &bot.report.findings {
        text.push_str(&style.finding(finding));
    }
    text + &style.numbers(bot)
}

/// The result in a sentence.
fn result(bot: &Checked) -> Message {
    let count = |level| bot.report.count(level);
    match (count(Level::Must), count(Level::Should)) {
        _ if bot.report.failure.is_some() || bot.report.interrupted => {
            said!("The check was cut short; these are the findings so far.")
        }
        (0, 0) => said!("No problem was found."),
        (0, shoulds) => said!("It plays. Risks that should be removed: {}.", shoulds),
        (musts, 0) => said!("Problems that lose games: {}.", musts),
        (musts, shoulds) => {
            said!("Problems that lose games: {}. Further risks: {}.", musts, shoulds)
        }
    }
}
