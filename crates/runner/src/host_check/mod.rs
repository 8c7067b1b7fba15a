//! Host check: facts about a machine's fitness for fair timing, each with advice for improving it.
//!
//! Must not depend on how facts are displayed.

mod measure;
mod texts;

use std::path::Path;

pub use measure::measured;

use super::cores;

/// A fact about a machine that affects timing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Name in a word or two.
    pub name: &'static str,
    /// The value found.
    pub value: String,
    /// Whether the value is good for timing.
    pub verdict: Verdict,
    /// Advice for improving it, if it is not good.
    pub advice: Option<String>,
}

/// Assessment of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Good for fair timing.
    Good,
    /// It may make times less reliable.
    Caution,
    /// It could not be determined.
    Unknown,
}

impl Verdict {
    /// Name of the verdict in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Caution => "caution",
            Self::Unknown => "unknown",
        }
    }
}

impl Fact {
    fn good(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: value.into(), verdict: Verdict::Good, advice: None }
    }

    fn caution(name: &'static str, value: impl Into<String>, advice: impl Into<String>) -> Self {
        let (value, advice) = (value.into(), Some(advice.into()));
        Self { name, value, verdict: Verdict::Caution, advice }
    }

    fn unknown(name: &'static str) -> Self {
        let value = "cannot be found out here".to_owned();
        Self { name, value, verdict: Verdict::Unknown, advice: None }
    }
}

/// All facts that can be read on this machine, without measuring.
pub fn facts() -> Vec<Fact> {
    let layout = cores::layout(None);
    let cores = layout.lanes.len() + layout.rest.len();
    let mut facts = vec![lanes(&layout), reservations()];
    facts.extend(texts::read(Path::new("/"), cores));
    facts
}

/// Reserved cores and their holders.
fn reservations() -> Fact {
    const NAME: &str = "reserved cores";
    let held = match cores::held() {
        Ok(held) => held,
        Err(why) => {
            let advice = "two that play at once may take the same core; give them --cores, or name a \
                          folder for locks in PITMASTER_LOCKS";
            return Fact::caution(NAME, format!("none can be: {why}"), advice);
        }
    };
    let holder_text = |held: &cores::Held| match &held.holder {
        Some(holder) => format!("{} by {holder}", held.core),
        None => format!("{} by a process that is not visible from here", held.core),
    };
    let taken: Vec<_> = held.iter().filter(|held| held.is_held).map(holder_text).collect();
    if taken.is_empty() {
        return Fact::good(NAME, format!("none of {}", held.len()));
    }
    let advice = "whoever plays as well takes the others, or waits; --share-cores does not";
    Fact::caution(NAME, taken.join("; "), advice)
}

fn lanes(layout: &cores::Layout) -> Fact {
    let (lanes, rest) = (layout.lanes.len(), layout.rest.len());
    let shares = layout.rest.iter().any(|core| layout.lanes.contains(core));
    let value = format!("{lanes} by default, {} kept free", if shares { 0 } else { rest });
    match layout.warnings.first() {
        Some(warning) => Fact::caution("lanes", value, warning.clone()),
        None if shares => {
            Fact::caution("lanes", value, "a second core would keep the referee's work off a bot's")
        }
        None => Fact::good("lanes", value),
    }
}
