//! Flags of the Elo fit.

use pitmaster_core::diagnostics::did_you_mean;
use pitmaster_core::{BotName, Seed};
use pitmaster_ratings::{Anchor, Draws, FirstMove, Intervals, Method, Model};
use pitmaster_report::Names;

use super::Failure;

/// Options of the Elo fit.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Elo fit")]
pub(super) struct FitFlags {
    /// Method of the fit [default: random]
    #[arg(long, value_name = "METHOD", value_enum)]
    fit: Option<Fit>,
    /// Method for the 95 % Elo intervals of --fit ml [default: information]
    #[arg(long, value_name = "KIND", value_enum)]
    intervals: Option<Kind>,
    /// Number of resamples for --intervals bootstrap [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=100_000))]
    samples: Option<u32>,
    /// Seed for --intervals bootstrap [default: 1]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: Option<u64>,
    /// Advantage of player 1, in Elo [default: estimated]
    #[arg(long, value_name = "ELO", value_parser = first_move, allow_hyphen_values = true)]
    first_move: Option<Given>,
    /// Draw rate between equal bots, 0 to 0.99 [default: estimated]
    #[arg(long, value_name = "RATE", value_parser = draws)]
    draws: Option<Given>,
    /// Fix the Elo of a bot; may be repeated
    #[arg(long = "anchor", value_name = "NAME=ELO", value_parser = anchor)]
    anchors: Vec<(String, f64)>,
    /// Virtual games of every bot: half won and half lost for --fit ml [default: 0], draws for
    /// --fit bayeselo [default: 2]
    #[arg(long, value_name = "GAMES", value_parser = prior)]
    prior: Option<f64>,
    /// Exclude forfeited games from the fit; the points still include them
    #[arg(long)]
    no_forfeits: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Fit {
    /// Random effects: ratings drawn from a population that is estimated too; all are finite
    Random,
    /// Maximum likelihood: the games alone, as in Ordo
    Ml,
    /// BayesElo's model with its virtual draws
    Bayeselo,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// From the Fisher information; symmetric
    Information,
    /// From the profile likelihood: all ratings that the games do not contradict
    Profile,
    /// From ratings of resampled games
    Bootstrap,
}

/// A given number, or an estimate from the games.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Given {
    Estimated,
    Number(f64),
}

impl FitFlags {
    /// Whether all options have their defaults.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The model `usual` with these options applied.
    ///
    /// # Errors
    /// An anchor names no bot, or an option requires another one.
    pub(super) fn model(&self, usual: Model, names: &Names) -> Result<Model, Failure> {
        let mut model = Model { without_forfeits: self.no_forfeits, ..usual };
        model.method = self.method()?;
        if let Some(Given::Number(elo)) = self.first_move {
            model.first_move = FirstMove::Given(elo);
        }
        if let Some(Given::Number(rate)) = self.draws {
            model.draws = Draws::Davidson { between_equals: Some(rate) };
        }
        for (name, elo) in &self.anchors {
            let bot = bot(name, names)?;
            model.anchors.retain(|anchor| anchor.bot != bot);
            model.anchors.push(Anchor { bot, elo: *elo });
        }
        Ok(model)
    }

    fn method(&self) -> Result<Method, Failure> {
        let fit = self.fit.unwrap_or(Fit::Random);
        let intervals = self.intervals()?;
        if fit != Fit::Ml && self.intervals.is_some() {
            return Err(Failure::wrong(
                "--intervals requires --fit ml; the other fits have intervals of their own",
            ));
        }
        match fit {
            Fit::Random if self.prior.is_some() => {
                Err(Failure::wrong("--prior requires --fit ml or --fit bayeselo"))
            }
            Fit::Random => Ok(Method::RandomEffects),
            Fit::Ml => {
                Ok(Method::MaximumLikelihood { prior: self.prior.unwrap_or(0.0), intervals })
            }
            Fit::Bayeselo => match self.prior.unwrap_or(2.0) {
                prior if prior > 0.0 => Ok(Method::BayesElo { prior }),
                _ => Err(Failure::wrong("--fit bayeselo requires --prior above 0")),
            },
        }
    }

    fn intervals(&self) -> Result<Intervals, Failure> {
        let bootstrap = Intervals::Bootstrap {
            samples: self.samples.unwrap_or(1000),
            seed: Seed(self.seed.unwrap_or(1)),
        };
        let redraws = self.samples.is_some() || self.seed.is_some();
        match self.intervals.unwrap_or(Kind::Information) {
            Kind::Bootstrap => Ok(bootstrap),
            _ if redraws => Err(Failure::wrong(
                "--samples and --seed require --fit ml --intervals bootstrap; add them, or leave \
                 these out",
            )),
            Kind::Information => Ok(Intervals::Information),
            Kind::Profile => Ok(Intervals::Profile),
        }
    }
}

/// Number of the bot with this name.
///
/// # Errors
/// No bot has the name. The message suggests a similar one.
pub(super) fn bot(name: &str, names: &Names) -> Result<u32, Failure> {
    let house = BotName::of_house(name);
    names.number(name).or_else(|| names.number(house.as_str())).ok_or_else(|| {
        let meant = did_you_mean(name, names.iter());
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
        let all: Vec<_> = names.iter().collect();
        Failure::wrong(format!("unknown bot {name:?}{meant}\nbots: {}", all.join(", ")))
    })
}

fn given(text: &str, least: f64, most: f64) -> Result<Given, String> {
    if text == "estimated" {
        return Ok(Given::Estimated);
    }
    let meant = did_you_mean(text, ["estimated"]);
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
    number(text, least, most).map(Given::Number).map_err(|wanted| {
        if meant.is_empty() {
            format!("{wanted}, or estimated")
        } else {
            format!("{wanted}{meant}")
        }
    })
}

fn number(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}

fn first_move(text: &str) -> Result<Given, String> {
    given(text, -2000.0, 2000.0)
}

fn draws(text: &str) -> Result<Given, String> {
    given(text, 0.0, 0.99)
}

fn prior(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1000.0)
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    let (name, elo) = text.rsplit_once('=').ok_or("expected NAME=ELO, such as random=1000")?;
    Ok((name.to_owned(), number(elo, -10_000.0, 10_000.0)?))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        fit: FitFlags,
    }

    fn model(args: &str) -> Result<Model, String> {
        let mut names = Names::default();
        for name in ["alpha", "beta"] {
            names.push(name, "");
        }
        let args = std::iter::once("x").chain(args.split_ascii_whitespace());
        let line = Line::try_parse_from(args).map_err(|error| error.to_string())?;
        let usual = Model { anchors: vec![Anchor { bot: 0, elo: 1.0 }], ..Model::default() };
        line.fit.model(usual, &names).map_err(|failure| failure.message)
    }

    #[test]
    fn options_become_a_model() {
        let plain = model("").unwrap();
        assert_eq!(plain.anchors, [Anchor { bot: 0, elo: 1.0 }]);
        assert_eq!(model("--first-move estimated --draws estimated").unwrap(), plain);
        let all = "--fit ml --intervals bootstrap --samples 20 --first-move -12.5 --draws 0.1 --prior 2 \
                   --no-forfeits --anchor alpha=1000 --anchor beta=-3";
        let all = model(all).unwrap();
        let intervals = Intervals::Bootstrap { samples: 20, seed: Seed(1) };
        assert_eq!(all.method, Method::MaximumLikelihood { prior: 2.0, intervals });
        assert_eq!(all.first_move, FirstMove::Given(-12.5));
        assert_eq!(all.draws, Draws::Davidson { between_equals: Some(0.1) });
        let anchors = [(0, 1000.0), (1, -3.0)].map(|(bot, elo)| Anchor { bot, elo });
        assert_eq!(all.anchors, anchors);
        assert!(all.without_forfeits);
        let bayes_elo = model("--fit bayeselo").unwrap();
        assert_eq!(bayes_elo.method, Method::BayesElo { prior: 2.0 });
    }

    #[test]
    fn what_is_wrong_is_told() {
        let first = |args: &str| {
            let message = model(args).unwrap_err();
            message.split("\n\nFor more").next().unwrap_or_default().to_owned()
        };
        let said = [
            "--anchor alfa=1",
            "--anchor alpha",
            "--anchor alpha=strong",
            "--draws 1.5",
            "--first-move estimatd",
            "--prior nan",
            "--samples 20",
            "--intervals bootstrp",
        ]
        .map(first);
        insta::assert_snapshot!(said.join("\n"), @r#"
        unknown bot "alfa"
        bots: alpha, beta
        error: invalid value 'alpha' for '--anchor <NAME=ELO>': expected NAME=ELO, such as random=1000
        error: invalid value 'alpha=strong' for '--anchor <NAME=ELO>': expected a number from -10000 to 10000
        error: invalid value '1.5' for '--draws <RATE>': expected a number from 0 to 0.99, or estimated
        error: invalid value 'estimatd' for '--first-move <ELO>': expected a number from -2000 to 2000; did you mean estimated?
        error: invalid value 'nan' for '--prior <GAMES>': expected a number from 0 to 1000
        --samples and --seed require --fit ml --intervals bootstrap; add them, or leave these out
        error: invalid value 'bootstrp' for '--intervals <KIND>'
          [possible values: information, profile, bootstrap]

          tip: a similar value exists: 'bootstrap'
        "#);
    }
}
