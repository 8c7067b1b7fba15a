//! Findings for people: what was played, what was found, what to do.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};

use super::{Checked, Checks, table};
use crate::check::{Came, Finding, Level, Line, Numbers, Scene, Verdict, Who};
use crate::cli::terminal_width;
use crate::cli::wrap::wrap;

/// How much of a line of a transcript is shown, in characters.
const LINE: usize = 100;

pub(super) fn write(checks: &Checks, out: &mut dyn Write) -> io::Result<()> {
    let width = terminal_width();
    let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let paint = Paint { colours, width };
    match checks.only() {
        Some(bot) => out.write_all(paint.one(checks, bot).as_bytes()),
        None => out.write_all(paint.many(checks).as_bytes()),
    }
}

struct Paint {
    colours: bool,
    width: usize,
}

impl Paint {
    /// A word in the colour of what it says; the word says it, too.
    fn word(&self, text: &str, came: Came) -> String {
        let code = match came {
            Came::Well => "32",
            Came::Note => "36",
            Came::Should => "33",
            Came::Must => "31",
            Came::NotPlayed => "2",
        };
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn one(&self, checks: &Checks, bot: &Checked) -> String {
        let mut text = head(checks, bot);
        text.push_str(&self.scenes(&bot.report.scenes));
        for finding in &bot.report.findings {
            text.push_str(&self.finding(finding));
        }
        text.push_str(&numbers(bot));
        let _ = writeln!(text, "\n{}", self.last_words(bot));
        text
    }

    /// A line a scene; those at the end that were not played are one line.
    fn scenes(&self, scenes: &[(Scene, Came)]) -> String {
        let last = scenes.iter().rposition(|(_, came)| *came != Came::NotPlayed);
        let (played, rest) = scenes.split_at(last.map_or(0, |last| last + 1));
        let mut text = String::new();
        for (scene, came) in played {
            let word = self.word(&format!("{:<8}", mark(*came)), *came);
            let _ = writeln!(text, "  {word}  {:<12}  {}", scene.name(), scene.about());
        }
        if !rest.is_empty() {
            let word = self.word(&format!("{:<8}", mark(Came::NotPlayed)), Came::NotPlayed);
            let _ = writeln!(text, "  {word}  {} more scenes, until this is mended", rest.len());
        }
        text
    }

    fn finding(&self, finding: &Finding) -> String {
        let level = finding.level();
        let came = match level {
            Level::Must => Came::Must,
            Level::Should => Came::Should,
            Level::Note => Came::Note,
        };
        let word = self.word(&level.name().to_uppercase(), came);
        let often =
            if finding.times > 1 { format!(", {} times", finding.times) } else { String::new() };
        let mut text = format!(
            "\n{word} {}: {} (scene {}{often})\n",
            finding.what.name(),
            finding.what.about(),
            finding.scene
        );
        for (key, value) in
            [("expected", &finding.expected), ("came", &finding.came), ("do", &finding.advice)]
        {
            for (place, line) in wrap(value, self.width.saturating_sub(13)).iter().enumerate() {
                let key = if place == 0 { key } else { "" };
                let _ = writeln!(text, "  {key:<9} {line}");
            }
        }
        for line in &finding.transcript {
            let _ = writeln!(text, "    {}", self.word(&said(line), Came::NotPlayed));
        }
        text
    }

    fn last_words(&self, bot: &Checked) -> String {
        let path = bot.shown_path();
        let count = |level| bot.report.count(level);
        if let Some(failure) = &bot.report.failure {
            return format!("The check was cut short: {failure}");
        }
        match bot.report.verdict() {
            Verdict::Clean if count(Level::Note) > 0 => format!(
                "{} {} is ready to be handed in. Be ready to explain what the notes tell.",
                self.word("All is well but for the notes:", Came::Note),
                bot.name
            ),
            Verdict::Clean => format!(
                "{} {} is ready to be handed in.\nNext: pitmaster match {path} house:greedy",
                self.word("All is well:", Came::Well),
                bot.name
            ),
            Verdict::Risky => format!(
                "{} {} plays, and {} should be better.\nNext: {}",
                self.word("Nearly there:", Came::Should),
                bot.name,
                things(count(Level::Should)),
                next(count(Level::Should))
            ),
            Verdict::Broken => format!(
                "{} {} must be otherwise before {} can be handed in.\nNext: {}",
                self.word("Not yet:", Came::Must),
                things(count(Level::Must)),
                bot.name,
                next(count(Level::Must) + count(Level::Should))
            ),
        }
    }

    fn many(&self, checks: &Checks) -> String {
        let mut text = table::table(checks).render(self.width);
        for bot in checks.bots.iter().filter(|bot| !bot.report.findings.is_empty()) {
            let _ = writeln!(text, "\n{}", bot.shown_path());
            for finding in &bot.report.findings {
                let came = format!("{}: {}", finding.what.about(), finding.came);
                let _ = writeln!(text, "  {:<6}  {came}", finding.level().name());
            }
        }
        text.push_str("\n`pitmaster check` with one bot tells what was said and what to do.\n");
        text
    }
}

fn things(count: usize) -> String {
    if count == 1 { "one thing".into() } else { format!("{count} things") }
}

fn next(findings: usize) -> &'static str {
    match findings {
        1 => "mend it, and check again.",
        _ => "mend the first one, and check again: others often go with it.",
    }
}

fn mark(came: Came) -> &'static str {
    match came {
        Came::Well => "✓ ok",
        Came::Note => "· note",
        Came::Should => "! should",
        Came::Must => "✗ must",
        Came::NotPlayed => "- skip",
    }
}

/// A line of a transcript, safe to show.
pub(super) fn said(line: &Line) -> String {
    let sign = match line.who {
        Who::Referee => ">",
        Who::Bot => "<",
        Who::Note => "#",
    };
    format!("{sign} {}", line.text.shown(LINE))
}

fn head(checks: &Checks, bot: &Checked) -> String {
    let hash = bot.hash.as_ref().map_or(String::new(), |hash| format!(" ({})", hash.short()));
    let language = bot.language.map_or(String::new(), |language| format!(", {language}"));
    let dialect = bot.dialect.map_or(String::new(), |dialect| format!(", dialect {dialect}"));
    format!("{}{hash}{language}{dialect}, {}\n\n", bot.name, checks.game())
}

/// The numbers of the series, in lines.
fn numbers(bot: &Checked) -> String {
    let Some(numbers) = bot.report.numbers.as_ref().filter(|numbers| numbers.games() > 0) else {
        return String::new();
    };
    let Numbers { wins, draws, losses, .. } = numbers;
    let mut text = format!(
        "\n{} games against house:random: {wins} won, {draws} drawn, {losses} lost\n",
        numbers.games()
    );
    let times = [numbers.median(), numbers.percentile(99), numbers.worst()];
    if let [Some(median), Some(most), Some(worst)] = times {
        let _ = writeln!(
            text,
            "time of a move: median {median:.1?}, 99 % {most:.1?}, worst {worst:.1?} ({} moves)",
            numbers.moves()
        );
    }
    if let Some(bytes) = numbers.memory {
        let _ = writeln!(text, "memory at most: {:.1} MiB", bytes as f64 / f64::from(1 << 20));
    }
    match bot.report.repeats {
        Some(true) => text.push_str("the same seed gives the same game\n"),
        Some(false) => text.push_str(
            "the same seed gives another game: that is fair, and makes mistakes hard to find again\n",
        ),
        None => {}
    }
    text
}
