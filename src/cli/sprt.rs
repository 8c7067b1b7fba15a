//! `pitmaster sprt`: Elo difference and sequential test from game counts of two bots.

use std::io::Write;

use clap::ArgGroup;
use pitmaster_ratings::{Outcomes, Sprt, SprtLength, SprtModel, SprtVerdict};
use pitmaster_report::{comparison_lines, difference};

use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster sprt --wdl 60/10/40                  Elo difference with 95 % intervals
  pitmaster sprt --wdl 60/10/40 --bounds 0,30    is A stronger by 30 Elo rather than 0?
  pitmaster sprt --penta 1/2/7/5/6 --bounds 0,20 --model normalised --alpha 0.05 --beta 0.1

A test stops when the ratio leaves its bounds. Watching the score and stopping when it looks good
raises the error rates. Prefer counts of pairs, because both games of a pair share their opening.
Leave out pairs that repeat earlier ones.";

/// Maximum count.
const MOST: u64 = 1_000_000_000;
/// Width of the drawn bounds, in columns.
const BAR: usize = 41;

/// Computes Elo, likelihood of superiority and a sequential test from game counts
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("counts").required(true).args(["wdl", "penta"])))]
pub(super) struct Args {
    /// Games that bot A won, drew and lost
    #[arg(long, value_name = "W/D/L", value_parser = wdl)]
    wdl: Option<Outcomes>,
    /// Pairs of games by bot A's score, from 0 to 2: both lost, lost and drawn, even, won and
    /// drawn, both won
    #[arg(long, value_name = "LL/LD/EVEN/WD/WW", value_parser = penta)]
    penta: Option<Outcomes>,
    /// Test whether A is stronger by E1 Elo rather than by E0
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true, value_parser = bounds)]
    bounds: Option<(f64, f64)>,
    /// Elo model of the test: logistic or normalised
    #[arg(long, value_name = "MODEL", default_value_t, requires = "bounds")]
    model: SprtModel,
    /// Type I error rate: H1 is accepted although H0 holds
    #[arg(
        long,
        value_name = "RATE",
        default_value_t = 0.05,
        requires = "bounds",
        allow_negative_numbers = true
    )]
    alpha: f64,
    /// Type II error rate: H0 is accepted although H1 holds
    #[arg(
        long,
        value_name = "RATE",
        default_value_t = 0.05,
        requires = "bounds",
        allow_negative_numbers = true
    )]
    beta: f64,
}

fn wdl(text: &str) -> Result<Outcomes, String> {
    let [won, drawn, lost] = counts(text, "three counts such as 60/10/40")?;
    Ok(Outcomes::Games([lost, drawn, won]))
}

fn penta(text: &str) -> Result<Outcomes, String> {
    counts(text, "five counts such as 1/2/7/5/6").map(Outcomes::Pairs)
}

/// Parses `N` counts, not all zero.
fn counts<const N: usize>(text: &str, wanted: &str) -> Result<[u64; N], String> {
    let count = |count: &str| count.parse().ok().filter(|&count: &u64| count <= MOST);
    let counts: Option<Vec<_>> = text.split('/').map(count).collect();
    let counts = counts.and_then(|counts| <[u64; N]>::try_from(counts).ok());
    let counts = counts.ok_or_else(|| format!("expected {wanted}, each at most {MOST}"))?;
    if counts.iter().all(|&count| count == 0) {
        return Err("all counts are zero".into());
    }
    Ok(counts)
}

/// Parses two numbers separated by a comma.
pub(super) fn bounds(text: &str) -> Result<(f64, f64), String> {
    let both = text.split_once(',').and_then(|(e0, e1)| Some((e0.parse().ok()?, e1.parse().ok()?)));
    both.ok_or_else(|| "expected two numbers such as 0,5".into())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let outcomes = args.wdl.or(args.penta).expect("one of them is required");
    let sprt = args.sprt().map(|sprt| sprt.checked().map_err(Failure::wrong)).transpose()?;
    write!(out, "{}{}", head(&outcomes), comparison_lines(&outcomes))?;
    if let Some(sprt) = sprt {
        write!(out, "\n{}", test(&sprt, &outcomes))?;
    }
    Ok(Exit::Done)
}

impl Args {
    fn sprt(&self) -> Option<Sprt> {
        let &Self { alpha, beta, model, .. } = self;
        self.bounds.map(|(elo0, elo1)| Sprt { elo0, elo1, alpha, beta, model })
    }
}

fn head(outcomes: &Outcomes) -> String {
    match outcomes {
        Outcomes::Games(_) => format!("{} games\n", outcomes.samples()),
        Outcomes::Pairs(_) => {
            format!("{} games in {} pairs\n", outcomes.games(), outcomes.samples())
        }
    }
}

/// Hypotheses, ratio, verdict and expected length of the test.
fn test(sprt: &Sprt, outcomes: &Outcomes) -> String {
    let Sprt { elo0, elo1, alpha, beta, model } = sprt;
    let (ratio, (low, high)) = (sprt.ratio(outcomes), sprt.bounds());
    let mut text = format!(
        "H0           A is stronger by {elo0}, in {model} Elo; beta {beta}\n\
         H1           A is stronger by {elo1}; alpha {alpha}\n\
         ratio        {ratio:.3}; {low:.3} accepts H0, {high:.3} accepts H1\n\
         {:13}H0 {} H1\n",
        "",
        bar(ratio, (low, high)),
    );
    text += &meaning(sprt, outcomes);
    if let Some(length) = sprt.length(outcomes) {
        text += &length_line(&length, outcomes);
    }
    text
}

/// Verdict as a sentence, and the estimate after stopping.
fn meaning(sprt: &Sprt, outcomes: &Outcomes) -> String {
    let Sprt { elo0, elo1, .. } = sprt;
    let sentence = match sprt.verdict(outcomes) {
        Some(SprtVerdict::AcceptedH1) => format!("H1 accepted: A is stronger by more than {elo0}."),
        Some(SprtVerdict::AcceptedH0) => format!("H0 accepted: A is not stronger by {elo1}."),
        None => return "Undecided: more games are needed.\n".into(),
    };
    let estimate = sprt.estimate(outcomes).expect("there are games");
    format!(
        "{sentence}\n\
         If the test stopped here for the first time, corrected for the bias of stopping:\n\
         {:<13}{}\n{:<13}{}\n",
        "Elo",
        difference(&estimate.elo),
        "normalised",
        difference(&estimate.normalised),
    )
}

fn length_line(length: &SprtLength, outcomes: &Outcomes) -> String {
    let samples = match outcomes {
        Outcomes::Games(_) => "games",
        Outcomes::Pairs(_) => "pairs",
    };
    format!(
        "length       about {:.0} {samples} if H0 holds, {:.0} halfway, {:.0} if H1 holds\n",
        length.at_elo0, length.between, length.at_elo1
    )
}

/// Draws the ratio between its bounds, with a mark at 0.
fn bar(ratio: f64, (low, high): (f64, f64)) -> String {
    let place = |value: f64| {
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        (share * (BAR - 1) as f64).round() as usize
    };
    let (zero, here) = (place(0.0), place(ratio));
    let sign = |column: usize| match column {
        _ if column == here => '●',
        0 => '├',
        _ if column == BAR - 1 => '┤',
        _ if column == zero => '┼',
        _ => '─',
    };
    (0..BAR).map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_stands_between_its_bounds() {
        let bar = |ratio| bar(ratio, (-2.0, 2.0));
        assert_eq!(bar(-9.0), "●───────────────────┼───────────────────┤");
        assert_eq!(bar(0.0), "├───────────────────●───────────────────┤");
        assert_eq!(bar(1.0), "├───────────────────┼─────────●─────────┤");
    }

    #[test]
    fn counts_are_as_many_as_wanted() {
        assert_eq!(wdl("60/10/40"), Ok(Outcomes::Games([40, 10, 60])));
        assert_eq!(penta("1/2/7/5/6"), Ok(Outcomes::Pairs([1, 2, 7, 5, 6])));
        for wrong in ["1/2", "1/2/3/4", "1/-2/3", "a/b/c", "0/0/0", "1/2/9999999999"] {
            assert!(wdl(wrong).is_err(), "{wrong}");
        }
        assert_eq!(bounds("-1.75,0.25"), Ok((-1.75, 0.25)));
        assert!(bounds("5").is_err() && bounds("1,2,3").is_err());
    }
}
