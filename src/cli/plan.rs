//! `pitmaster plan`: what a tournament would take and tell, before it is played.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use pitmaster_bots::submission::Naming;
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
  pitmaster plan contest.toml                       games, time, precision of Elo
  pitmaster plan contest.toml --bots 300 --lanes 8  if 300 hand in
  pitmaster plan contest.toml --simulate            how often would the best one win?

Strengths are drawn from a normal distribution, results by them (--spread, --draws,
--first-move). The simulation says what a format can tell at best: real bots repeat their games and
beat each other in circles.";

/// How many simulated tournaments are rated: Elo takes longer than playing them.
const RATED: u64 = 20;

/// Says what a tournament would take and tell, before it is played
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tournament file
    file: PathBuf,
    /// Plan for so many bots, whoever the file names
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    bots: Option<u32>,
    /// Plan for so many games at once [default: as `run` would]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    lanes: Option<u16>,
    /// How long bots think about a move
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = duration)]
    think: Duration,
    /// Play the format so often with made-up strengths
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    simulate: Option<u32>,
    /// The standard deviation of the strengths, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 200.0, value_parser = elo)]
    spread: Elo,
    /// The share of draws between equals, 0 to 0.95
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    draws: f64,
    /// How much more player 1 is worth, in Elo
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
    number.ok_or_else(|| format!("a number from {least} to {most}, not {text:?}"))
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let contest = Contest::read(&args.file, &Watcher::people())?;
    let tournament = &contest.tournament;
    let bots = match args.bots {
        Some(count) => fixtures(count as usize, tournament),
        None => planned(&contest)?,
    };
    if bots.len() < 2 {
        let message = "the file names fewer than two bots; say how many there will be with --bots";
        return Err(Failure::wrong(message));
    }
    contest.judge_bots(&bots)?;
    let assumed = Assumed { spread: args.spread, draws: args.draws, first_move: args.first_move };
    let plan = Plan { args, tournament, bots: &bots, assumed };
    plan.tell(out)?;
    if let Some(times) = args.simulate {
        out.flush()?;
        let all = plan.simulated(times);
        plan.tell_simulated(&all, out)?;
    }
    Ok(Exit::Done)
}

/// The bots by what is known of them without building them, under the names that they have in a
/// run. Who cannot play is told, and forfeits or is left out as there.
fn planned(contest: &Contest) -> Result<Vec<PlannedBot>, Failure> {
    let (names, notes) = naming::name_all(&contest.found)?;
    for note in &notes {
        say(note);
    }
    let mut bots = Vec::new();
    for (found, Naming { name, .. }) in contest.found.iter().zip(names) {
        let (name, anchor) = (name.expect("everybody is named"), found.entry.as_ref());
        let known = found.inspected(&contest.tournament.game);
        if let Err(unfit) = &known {
            say(&contest.unfit(found.place, unfit));
            if contest.tournament.bots.absent == Absent::LeaveOut {
                continue;
            }
        }
        let dialect = known.unwrap_or_default();
        let bot = stranger(name, anchor.and_then(|entry| entry.anchor));
        bots.push(PlannedBot { dialect, ..bot });
    }
    bots.sort_by(|a, b| a.id.name.cmp(&b.id.name));
    Ok(bots)
}

/// So many bots, those among them that the format names.
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
    fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { args, tournament, bots, .. } = self;
        let expected = tournament.start_format(bots, &[]).expected();
        let games = expected.pairs.saturating_mul(2);
        let lanes = args.lanes.map_or_else(|| runner::layout(None).lanes.len(), usize::from);
        let plies = typical_plies(tournament);
        let likely = likely_duration(games, args.think * plies, lanes);
        let worst = worst_duration(games, &tournament.limits, lanes);
        let worst = if worst == Duration::MAX { "without limit".into() } else { rough(worst) };
        let stages = tournament.format.stages.iter().map(|stage| stage.described(bots.len()));
        let stages: Vec<_> = stages.collect();
        let lanes = if lanes == 1 { "1 lane".to_owned() } else { format!("{lanes} lanes") };
        writeln!(out, "game    {}", tournament.game.spec())?;
        writeln!(out, "format  {}", stages.join(" → "))?;
        writeln!(out, "bots    {}", bots.len())?;
        writeln!(out, "games   {}", shown(expected))?;
        writeln!(
            out,
            "time    about {} on {lanes}, if bots think {} a move and a game takes {plies} plies; \
             at worst {worst}",
            rough(likely),
            show_duration(args.think),
        )?;
        let half = self.precision(games);
        let Assumed { spread, draws, .. } = self.assumed;
        writeln!(
            out,
            "Elo     about ±{half:.0} for a bot in the mean (95 %), if strengths are spread by {spread} \
             Elo and {} % of the games between equals drawn",
            draws * 100.0
        )
    }

    /// Half of the 95 % interval of Elo that is to be expected: of a few simulated tournaments
    /// where that takes no time, otherwise by the information of so many games between equals.
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
        // Fisher's information of a game about the difference of equals is (1 - draws)/4, in
        // units of the scale.
        let of_one = 2.0 * games as f64 / self.bots.len() as f64;
        let information = of_one * (1.0 - self.assumed.draws) / 4.0;
        1.96 * Model::default().scale / information.sqrt()
    }

    /// So many tournaments, on all cores; the same seed gives the same.
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

    fn tell_simulated(&self, all: &[Simulated], out: &mut dyn Write) -> io::Result<()> {
        let Assumed { spread, draws, first_move } = self.assumed;
        let count = all.len() as f64;
        let mean = |of: &dyn Fn(&Simulated) -> f64| all.iter().map(of).sum::<f64>() / count;
        let best = mean(&|one| f64::from(u8::from(one.best_won)));
        let error = 1.96 * (best * (1.0 - best) / count).sqrt();
        let games = || all.iter().map(|one| one.games);
        let halves: Vec<f64> = all.iter().filter_map(|one| one.half_width).collect();
        writeln!(
            out,
            "\nsimulated {} times: strengths spread by {spread} Elo, {} % of the games between \
             equals drawn, first move worth {first_move} Elo",
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
            "place of the winner by strength",
            format!("{:.2}", mean(&|one| f64::from(one.winner))),
            "in the mean".into(),
        );
        row(
            "correlation of ranks with strengths",
            format!("{:.3}", mean(&|one| one.correlation)),
            "1: the true order".into(),
        );
        let (least, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
        let range = if least == most { String::new() } else { format!("from {least} to {most}") };
        row("games", format!("{:.0}", mean(&|one| one.games as f64)), range);
        if !halves.is_empty() {
            let half = halves.iter().sum::<f64>() / halves.len() as f64;
            row("95 % interval of Elo", format!("±{half:.0}"), "of a bot in the mean".into());
        }
        write!(out, "{}", table.render(super::terminal_width()))
    }
}

fn shown(Expected { pairs, bound }: Expected) -> String {
    let games = pairs.saturating_mul(2);
    match bound {
        Bound::Exact => games.to_string(),
        Bound::AtMost => format!("at most {games}, as results decide"),
        Bound::AtLeast => format!("{games}, and more where matches are tied"),
    }
}

const BAR: &str = "{bar:30} {pos}/{len} tournaments · about {eta} left";
