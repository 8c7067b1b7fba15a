//! Text output: scenes, findings and advice.

use std::fmt::Write as _;
use std::io::{self, Write};

use pitmaster_check::{
    Came, Checked, Checks, Finding, Goal, Level, Line, Numbers, Report, Scene, SceneResult, Verdict,
};
use pitmaster_core::i18n::{Fill, Lang, Message, said, wrap};

use super::{load_note, path_of, table};

/// Maximum length of a transcript line, in characters.
const LINE: usize = 100;

/// Text style.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether outcomes are colored.
    pub colors: bool,
    /// Maximum width of a line, in columns.
    pub width: usize,
    /// The language.
    pub lang: Lang,
}

/// Writes all details of a single bot, or a table of several bots with their findings.
///
/// # Errors
/// The output cannot be written.
pub fn write(checks: &Checks, style: Style, out: &mut dyn Write) -> io::Result<()> {
    match checks.only() {
        Some(bot) => out.write_all(style.one(checks, bot).as_bytes()),
        None => out.write_all(style.many(checks).as_bytes()),
    }
}

impl Style {
    /// Colors a word by its outcome. The word itself states the outcome too.
    fn word(&self, text: &str, came: Came) -> String {
        let code = match came {
            Came::Well => "32",
            Came::Note => "36",
            Came::Should => "33",
            Came::Must => "31",
            Came::NotJudged => "35",
            Came::NotPlayed => "2",
        };
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn one(&self, checks: &Checks, bot: &Checked) -> String {
        let mut text = head(checks, bot);
        text.push_str(&self.scenes(&bot.report));
        for finding in &bot.report.findings {
            text.push_str(&self.finding(finding));
        }
        text.push_str(&self.numbers(bot));
        text.push_str(&self.busy(checks));
        let _ = writeln!(text, "\n{}", self.last_words(bot));
        text
    }

    /// Note that the machine was busy, if it was.
    fn busy(&self, checks: &Checks) -> String {
        let note = load_note(checks).map(|note| note.to(self.lang));
        let lines = note.iter().flat_map(|note| wrap(note, self.width));
        lines.map(|line| line + "\n").collect()
    }

    /// One line per scene with its findings. Trailing scenes that were not played share a line.
    fn scenes(&self, report: &Report) -> String {
        let last = report.scenes.iter().rposition(|result| result.came != Came::NotPlayed);
        let (played, rest) = report.scenes.split_at(last.map_or(0, |last| last + 1));
        let mut text = String::new();
        for SceneResult { scene, came, found } in played {
            let word = self.word(&self.mark(*came), *came);
            let mut about = scene.about().to(self.lang);
            if !found.is_empty() {
                let names: Vec<_> = found.iter().map(|what| what.name()).collect();
                about = said!("{}: {}", about, names.join(", ")).to(self.lang);
            }
            let _ = writeln!(text, "  {word}  {:<12}  {about}", scene.name());
        }
        if !rest.is_empty() {
            let word = self.word(&self.mark(Came::NotPlayed), Came::NotPlayed);
            let more = match report.verdict() {
                _ if report.interrupted || report.failure.is_some() => {
                    said!("{} more scenes", rest.len())
                }
                Verdict::Broken => said!("{} more scenes, once this is fixed", rest.len()),
                _ => said!("{} more scenes, for lack of time", rest.len()),
            };
            let _ = writeln!(text, "  {word}  {}", more.to(self.lang));
        }
        text
    }

    pub(super) fn finding(&self, finding: &Finding) -> String {
        let level = finding.level();
        let came = match level {
            Level::Must => Came::Must,
            Level::Should => Came::Should,
            Level::Note => Came::Note,
        };
        let word = self.word(&level.label().to(self.lang).to_uppercase(), came);
        let (name, about) = (finding.what.name(), finding.what.about());
        let scenes: Vec<_> = finding.scenes.iter().map(|scene| scene.name()).collect();
        let head = match (&*scenes, finding.times) {
            ([scene], 0 | 1) => said!("{}: {} (scene {})", name, about, *scene),
            ([scene], times) => said!("{}: {} (scene {}, {} times)", name, about, *scene, times),
            (all, times) => {
                said!("{}: {} (scenes {}; {} times)", name, about, all.join(", "), times)
            }
        };
        let mut text = format!("\n{word} {}\n", head.to(self.lang));
        let parts = [
            (self.lang.text("expected"), &finding.expected),
            (self.lang.text("got"), &finding.came),
            (self.lang.text("fix"), &finding.advice),
        ];
        for (key, value) in parts {
            let lines = wrap(&value.to(self.lang), self.width.saturating_sub(13));
            for (place, line) in lines.iter().enumerate() {
                let key = if place == 0 { key } else { "" };
                let _ = writeln!(text, "  {key:<9} {line}");
            }
        }
        for line in &finding.transcript {
            let _ = writeln!(text, "    {}", self.word(&signed(line, self.lang), Came::NotPlayed));
        }
        text
    }

    fn last_words(&self, bot: &Checked) -> String {
        let (name, path) = (&*bot.name, path_of(bot));
        let count = |level| bot.report.count(level);
        let word = |word: Message, came| self.word(&word.to(self.lang), came);
        if let Some(failure) = &bot.report.failure {
            return said!("The check was cut short: {}", failure).to(self.lang);
        }
        if bot.report.interrupted {
            let why = said!("Interrupted: these are the findings so far. Check {} again.", name);
            return why.to(self.lang);
        }
        if let Some(open) = self.not_judged(bot) {
            return open;
        }
        let (word, said) = match bot.report.verdict() {
            Verdict::Clean if count(Level::Note) > 0 => (
                word(said!("All is well apart from the notes:"), Came::Note),
                said!("{} is ready to be handed in. Be prepared to explain the notes.", name),
            ),
            Verdict::Clean => (
                word(said!("All is well:"), Came::Well),
                said!(
                    "{} is ready to be handed in.\nNext: pitmaster match {} house:greedy",
                    name,
                    path
                ),
            ),
            Verdict::Risky => (
                word(said!("Nearly there:"), Came::Should),
                match count(Level::Should) {
                    1 => said!("{} plays; one thing should be improved.\n{}", name, next(1)),
                    n => said!("{} plays; {} things should be improved.\n{}", name, n, next(n)),
                },
            ),
            Verdict::Broken => (
                word(said!("Not yet:"), Came::Must),
                not_yet(name, count(Level::Must), count(Level::Should)),
            ),
        };
        format!("{word} {}", said.to(self.lang))
    }

    /// Closing sentence if there are no findings but some scenes could not be judged.
    fn not_judged(&self, bot: &Checked) -> Option<String> {
        let wait = bot.report.wait.filter(|_| bot.report.verdict() == Verdict::Clean)?;
        let open: Vec<_> = bot.report.not_judged().into_iter().map(Scene::name).collect();
        let word = self.word(&said!("Not all judged:").to(self.lang), Came::NotJudged);
        let why = said!(
            "{} waited {} of {} for a core, so {} cannot be judged. Check again when the machine \
             is idle.",
            &bot.name,
            Fill::time(wait.waited, 1),
            Fill::time(wait.of, 1),
            open.join(", ")
        );
        (!open.is_empty()).then(|| format!("{word} {}", why.to(self.lang)))
    }

    fn many(&self, checks: &Checks) -> String {
        let mut text = table::table(checks, self.lang).render(self.width);
        for bot in checks.bots.iter().filter(|bot| !bot.report.findings.is_empty()) {
            let _ = writeln!(text, "\n{}", path_of(bot));
            for finding in &bot.report.findings {
                let came = said!("{}: {}", finding.what.about(), finding.came.clone());
                let level = finding.level().label().to(self.lang);
                let came = came.to(self.lang);
                let _ = writeln!(text, "  {level:<6}  {came}");
                // The lines that it announces.
                let announced = came.ends_with(':').then_some(&finding.transcript);
                for line in announced.into_iter().flatten() {
                    let _ = writeln!(text, "          {}", line.shown(LINE, self.lang));
                }
            }
        }
        let left = checks.named - checks.bots.len();
        if left > 0 {
            let said = said!("{} more were not checked because of the interruption.", left);
            let _ = writeln!(text, "\n{}", said.to(self.lang));
        }
        text.push_str(&self.busy(checks));
        let next = said!("`pitmaster check` with a single bot shows what was said and what to do.");
        let _ = writeln!(text, "\n{}", next.to(self.lang));
        text
    }

    /// Results, times and memory of the games against house:random.
    pub(super) fn numbers(&self, bot: &Checked) -> String {
        let Some(numbers) = bot.report.numbers.as_ref().filter(|numbers| numbers.games() > 0)
        else {
            return String::new();
        };
        let Numbers { wins, draws, losses, .. } = numbers;
        let mut lines = vec![said!(
            "{} games against house:random: {} won, {} drawn, {} lost",
            numbers.games(),
            *wins,
            *draws,
            *losses
        )];
        lines.extend(times(numbers));
        if let Some(bytes) = numbers.memory {
            let mib = format!("{:.1}", bytes as f64 / f64::from(1 << 20));
            lines.push(said!("memory at most: {} MiB", Fill::number(mib)));
        }
        lines.extend(bot.report.repeats.map(|repeats| {
            if repeats {
                said!("the same seed gives the same game")
            } else {
                said!(
                    "the same seed gives another game: that is allowed, but makes errors hard to \
                     reproduce"
                )
            }
        }));
        let missed: Vec<_> = bot.report.not_reached.iter().map(Goal::describe).collect();
        lines.extend((!missed.is_empty()).then(|| said!("none of its games had: {}", missed)));
        lines.iter().fold("\n".to_owned(), |text, line| text + &line.to(self.lang) + "\n")
    }

    /// Outcome of a scene, padded to a common width.
    fn mark(&self, came: Came) -> String {
        let mark = match came {
            Came::Well => said!("✓ ok"),
            Came::Note => said!("· note"),
            Came::Should => said!("! should"),
            Came::Must => said!("✗ must"),
            Came::NotJudged => said!("? open"),
            Came::NotPlayed => said!("- skip"),
        };
        format!("{:<8}", mark.to(self.lang))
    }
}

fn not_yet(name: &str, musts: usize, shoulds: usize) -> Message {
    let next = next(musts + shoulds);
    match musts {
        1 => said!("one thing must be fixed before {} can be handed in.\n{}", name, next),
        n => said!("{} things must be fixed before {} can be handed in.\n{}", n, name, next),
    }
}

fn next(findings: usize) -> Message {
    match findings {
        1 => said!("Next: fix it, and check again."),
        _ => said!("Next: fix the first one, and check again: others often disappear with it."),
    }
}

/// Transcript line, escaped and prefixed with a sign for its author.
pub(super) fn signed(line: &Line, lang: Lang) -> String {
    let sign = match line {
        Line::Referee(_) => ">",
        Line::Bot(_) => "<",
        Line::Note(_) => "#",
    };
    format!("{sign} {}", line.shown(LINE, lang))
}

fn head(checks: &Checks, bot: &Checked) -> String {
    let hash = bot.hash.as_ref().map_or(String::new(), |hash| format!(" ({})", hash.short()));
    let language = bot.language.map_or(String::new(), |language| format!(", {language}"));
    let dialect = bot.dialect.map_or(String::new(), |dialect| format!(", dialect {dialect}"));
    format!("{}{hash}{language}{dialect}, {}\n\n", bot.name, checks.game())
}

fn times(numbers: &Numbers) -> Option<Message> {
    let tenths = |time| Fill::time(time, 1);
    Some(said!(
        "time of a move: median {}, 99 % {}, worst {} ({} moves)",
        tenths(numbers.median()?),
        tenths(numbers.percentile(99)?),
        tenths(numbers.worst()?),
        numbers.moves()
    ))
}
