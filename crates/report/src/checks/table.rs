//! Table of several bots, one row per bot.

use pitmaster_check::{Checked, Checks, Level, Numbers};
use pitmaster_core::i18n::Lang;

use crate::{Column, Table};

pub(super) fn table(checks: &Checks, lang: Lang) -> Table {
    let mut table = Table::new(vec![
        Column::text(lang.text("bot"), 9),
        Column::text(lang.text("verdict"), 9),
        Column::number(lang.text("must"), 9),
        Column::number(lang.text("should"), 9),
        Column::number(lang.text("W-D-L"), 7),
        Column::number(lang.text("median ms"), 5),
        Column::number(lang.text("99 % ms"), 4),
        Column::number(lang.text("worst ms"), 6),
        Column::number(lang.text("MiB"), 3),
        Column::text(lang.text("first finding"), 8),
    ]);
    checks.bots.iter().for_each(|bot| table.row(row(bot, lang)));
    table
}

fn row(bot: &Checked, lang: Lang) -> Vec<String> {
    let report = &bot.report;
    let numbers = report.numbers.as_ref();
    let millis = |time: Option<std::time::Duration>| {
        time.map_or(String::new(), |time| lang.number(&format!("{:.1}", time.as_secs_f64() * 1e3)))
    };
    let memory = numbers.and_then(|numbers| numbers.memory);
    vec![
        bot.name.clone(),
        bot.verdict().to(lang),
        report.count(Level::Must).to_string(),
        report.count(Level::Should).to_string(),
        numbers.map_or(String::new(), |n| format!("{}-{}-{}", n.wins, n.draws, n.losses)),
        millis(numbers.and_then(Numbers::median)),
        millis(numbers.and_then(|numbers| numbers.percentile(99))),
        millis(numbers.and_then(Numbers::worst)),
        memory.map_or(String::new(), |bytes| (bytes >> 20).to_string()),
        report.findings.first().map_or(String::new(), |finding| finding.what.name().into()),
    ]
}
