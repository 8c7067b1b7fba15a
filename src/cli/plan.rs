//! `pitmaster plan`: estimates a tournament's duration and rating precision.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use pitmaster_bots::submission::{Naming, Unfit};
use pitmaster_core::{BotHash, BotId, BotName, Dialect};
use pitmaster_ratings::{Elo, Model};
use pitmaster_report::{Column, Table};
use pitmaster_runner as runner;
use pitmaster_session::{Contest, naming, rough, typical_plies};
use pitmaster_tournament::{
    Absent, Assumed, Bound, Expected, PlannedBot, Simulated, Tournament, likely_duration,
    parse_duration, show_duration, simulate, worst_duration,
};
use rayon::prelude::*;

use super::progress::{bar, say};
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster plan contest.toml                       games, duration, precision of Elo
  pitmaster plan contest.toml --bots 300 --lanes 8  assume 300 submissions
  pitmaster plan contest.toml --simulate            how often does the best bot win?

Strengths are drawn from a normal distribution and determine the results (--spread, --draws,
--first-move). The simulation gives an upper bound on a format's precision: real bots repeat their
games and beat each other in circles.";

/// Number of simulated tournaments that are rated. Fitting Elo takes longer than playing them.
const RATED: u64 = 20;

/// Estimates a tournament's duration and rating precision
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tournament file
    file: PathBuf,
    /// Assume N bots instead of those in the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    bots: Option<u32>,
    /// Games played at once [default: same as `run`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    lanes: Option<u16>,
    /// Show the longest time that the limits allow too
    #[arg(long)]
    worst: bool,
    /// Assumed thinking time per move
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = duration)]
    think: Duration,
    /// Simulate N tournaments with random strengths (1000 if N is omitted)
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    simulate: Option<u32>,
    /// Standard deviation of the strengths, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 200.0, value_parser = elo)]
    spread: Elo,
    /// Draw rate between equal bots, 0 to 0.95
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    draws: f64,
    /// Advantage of player 1, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_hyphen_values = true,
          value_parser = elo)]
    first_move: Elo,
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|fault| fault.to_string())
}

fn elo(text: &str) -> Result<Elo, String> {
    number(text, -4000.0, 4000.0)
}

fn share(text: &str) -> Result<f64, String> {
    number(text, 0.0, 0.95)
}

fn number(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}, not {text:?}"))
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let contest = Contest::read(&args.file, &Watcher::people())?;
    let tournament = &contest.tournament;
    let bots = match args.bots {
        Some(count) => fixtures(count as usize, tournament),
        None => planned(&contest)?,
    };
    if bots.len() < 2 {
        let message = "the file names fewer than two bots; set the number of bots with --bots";
        return Err(Failure::wrong(message));
    }
    contest.judge_bots(&bots)?;
    let assumed = Assumed { spread: args.spread, draws: args.draws, first_move: args.first_move };
    let plan = Plan { args, tournament, bots: &bots, assumed };
    plan.write_to(out)?;
    if let Some(times) = args.simulate {
        out.flush()?;
        let all = plan.simulated(times);
        plan.write_simulated(&all, out)?;
    }
    Ok(Exit::Done)
}

/// Inspects the bots without building them, with the same names as in a run. Bots that cannot play
/// are reported, and forfeit or are left out as in a run.
fn planned(contest: &Contest) -> Result<Vec<PlannedBot>, Failure> {
    let (names, notes) = naming::name_all(&contest.found)?;
    for note in &notes {
        say(note);
    }
    let (mut bots, mut unfit) = (Vec::new(), Vec::new());
    for (found, Naming { name, .. }) in contest.found.iter().zip(names) {
        let (name, anchor) = (name.expect("every bot has a name"), found.entry.as_ref());
        let known = found.inspected(&contest.tournament.game);
        if let Err(why) = &known {
            unfit.push((found.place, Unfit::clone(why)));
            if contest.tournament.bots.absent == Absent::LeaveOut {
                continue;
            }
        }
        let dialect = known.unwrap_or_default();
        let bot = stranger(name, anchor.and_then(|entry| entry.anchor));
        bots.push(PlannedBot { dialect, ..bot });
    }
    for line in contest.unfit(&unfit) {
        say(&line);
    }
    bots.sort_by(|a, b| a.id.name.cmp(&b.id.name));
    Ok(bots)
}

/// `count` generated bots, including those that the format names.
fn fixtures(count: usize, tournament: &Tournament) -> Vec<PlannedBot> {
    let stages = tournament.format.stages.iter();
    let mut names: Vec<BotName> =
        stages.flat_map(|stage| stage.kind.against()).map(|name| name.value.clone()).collect();
    names.sort_unstable();
    names.dedup();
    let numbered = (1..).map(|number: u32| BotName::tamed(&format!("bot-{number}")));
    let others: Vec<_> = numbered
        .filter(|name| !names.contains(name))
        .take(count.saturating_sub(names.len()))
        .collect();
    names.into_iter().chain(others).map(|name| stranger(name, None)).collect()
}

fn stranger(name: BotName, anchor: Option<Elo>) -> PlannedBot {
    let hash = BotHash::of(name.as_str().as_bytes());
    PlannedBot { id: BotId { name, hash }, dialect: Dialect::default(), anchor }
}

struct Plan<'a> {
    args: &'a Args,
    tournament: &'a Tournament,
    bots: &'a [PlannedBot],
    assumed: Assumed,
}

impl Plan<'_> {
    fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { args, tournament, bots, .. } = self;
        let expected = tournament.start_format(bots, &[]).expected();
        let games = expected.pairs.saturating_mul(2);
        let lanes = args.lanes.map_or_else(|| runner::layout(None).lanes.len(), usize::from);
        let plies = typical_plies(tournament);
        let likely = likely_duration(games, args.think * plies, lanes);
        let worst = match worst_duration(games, &tournament.limits, lanes) {
            _ if !args.worst => String::new(),
            Duration::MAX => "; at worst unlimited".into(),
            worst => format!("; at worst {}", rough(worst)),
        };
        let stages = tournament.format.stages.iter().map(|stage| stage.described(bots.len()));
        let stages: Vec<_> = stages.collect();
        let lanes = if lanes == 1 { "1 lane".to_owned() } else { format!("{lanes} lanes") };
        writeln!(out, "game    {}", tournament.game.spec())?;
        writeln!(out, "format  {}", stages.join(" → "))?;
        writeln!(out, "bots    {}", bots.len())?;
        writeln!(out, "games   {}", shown(expected))?;
        writeln!(
            out,
            "time    about {} on {lanes}, assuming {} per move and {plies} plies per game{worst}",
            rough(likely),
            show_duration(args.think),
        )?;
        let half = self.precision(games);
        let Assumed { spread, draws, .. } = self.assumed;
        writeln!(
            out,
            "Elo     about ±{half:.0} per bot on average (95 %), assuming a strength spread of \
             {spread} Elo and {} % draws between equal bots",
            draws * 100.0
        )
    }

    /// Expected half width of the 95 % Elo interval: from a few simulated tournaments if that is
    /// quick, otherwise from the Fisher information of this many games between equal bots.
    fn precision(&self, games: u64) -> Elo {
        const FEW: u32 = 5;
        const AT_ONCE: u64 = 50_000;
        if games <= AT_ONCE && self.bots.len() <= 100 {
            let all = self.simulated(FEW);
            let halves: Vec<Elo> = all.iter().filter_map(|one| one.half_width).collect();
            if !halves.is_empty() {
                return halves.iter().sum::<Elo>() / halves.len() as f64;
            }
        }
        // The Fisher information of a game about the difference between equal bots is
        // (1 - draws)/4, in units of the scale.
        let of_one = 2.0 * games as f64 / self.bots.len() as f64;
        let information = of_one * (1.0 - self.assumed.draws) / 4.0;
        1.96 * Model::default().scale / information.sqrt()
    }

    /// Simulates tournaments on all cores. The same seed gives the same results.
    fn simulated(&self, times: u32) -> Vec<Simulated> {
        let bar = bar(false, times.into(), BAR);
        let one = |number: u32| {
            let seed = self.tournament.seed.derive(&format!("simulation {number}"));
            let with_elo = u64::from(number) < RATED;
            let format = &self.tournament.format;
            let simulated = simulate(format, self.bots, &self.assumed, seed, with_elo);
            bar.inc(1);
            simulated
        };
        let all = (0..times).into_par_iter().map(one).collect();
        bar.finish_and_clear();
        all
    }

    fn write_simulated(&self, all: &[Simulated], out: &mut dyn Write) -> io::Result<()> {
        let Assumed { spread, draws, first_move } = self.assumed;
        let count = all.len() as f64;
        let mean = |of: &dyn Fn(&Simulated) -> f64| all.iter().map(of).sum::<f64>() / count;
        let best = mean(&|one| f64::from(u8::from(one.best_won)));
        let error = 1.96 * (best * (1.0 - best) / count).sqrt();
        let games = || all.iter().map(|one| one.games);
        let halves: Vec<f64> = all.iter().filter_map(|one| one.half_width).collect();
        writeln!(
            out,
            "\nsimulated {} times: strength spread {spread} Elo, {} % draws between equal bots, \
             first-move advantage {first_move} Elo",
            all.len(),
            draws * 100.0
        )?;
        let mut table =
            Table::new(vec![Column::text("", 9), Column::number("", 8), Column::text("", 1)]);
        let mut row = |what: &str, figure: String, more: String| {
            table.row(vec![what.to_owned(), figure, more]);
        };
        row(
            "the best bot wins",
            format!("{:.1} %", best * 100.0),
            format!("±{:.1}", error * 100.0),
        );
        row(
            "strength rank of the winner",
            format!("{:.2}", mean(&|one| f64::from(one.winner))),
            "on average".into(),
        );
        row(
            "correlation of rank and strength",
            format!("{:.3}", mean(&|one| one.correlation)),
            "1 is the true order".into(),
        );
        let (least, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
        let range = if least == most { String::new() } else { format!("from {least} to {most}") };
        row("games", format!("{:.0}", mean(&|one| one.games as f64)), range);
        if !halves.is_empty() {
            let half = halves.iter().sum::<f64>() / halves.len() as f64;
            row("95 % Elo interval", format!("±{half:.0}"), "per bot on average".into());
        }
        write!(out, "{}", table.render(super::terminal_width()))
    }
}

fn shown(Expected { pairs, bound }: Expected) -> String {
    let games = pairs.saturating_mul(2);
    match bound {
        Bound::Exact => games.to_string(),
        Bound::AtMost => format!("at most {games}, depending on results"),
        Bound::AtLeast => format!("at least {games}, more if matches are tied"),
    }
}

const BAR: &str = "{bar:30} {pos}/{len} tournaments · about {eta} left";
