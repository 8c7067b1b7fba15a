//! Preflight: tries every bot before the first game and announces the run's size and duration.

use std::time::{Duration, Instant};

use pitmaster_core::{BotId, Dialect, Fault};
use pitmaster_referee::refused_in;
use pitmaster_runner::{self as runner, Entrant, Layout, Start, Trial};
use pitmaster_tournament::{Absent, Bound, Tournament, likely_duration, show_duration};

use crate::Observer;
use crate::contest::Contest;
use crate::lineup::Lineup;

/// Expected duration of the run, measured by the trials.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Mean time of a move.
    pub(crate) thinking: Duration,
    /// Bots that forfeited their trial quickly, so their games are short.
    pub(crate) failing: Vec<BotId>,
}

/// Asks every bot for one move and reports all failures at once. A bot that cannot be started is
/// absent.
pub(crate) fn try_all(
    lineup: &mut Lineup,
    contest: &Contest,
    layout: &Layout,
    observer: &dyn Observer,
) -> Pace {
    let tournament = &contest.tournament;
    let core = layout.lanes[0];
    // On a lane's core, from a thread that outlives the bots it starts.
    let trials: Vec<(Trial, Duration)> = std::thread::scope(|scope| {
        let all = scope.spawn(|| {
            runner::move_to(&[core]);
            let one = |entrant: &Entrant| {
                let began = Instant::now();
                let limits = &tournament.limits;
                let trial = runner::trial(entrant, &tournament.game, limits, tournament.seed);
                (trial, began.elapsed())
            };
            let playing = lineup.entrants.iter().filter(|entrant| entrant.absent.is_none());
            playing.map(one).collect()
        });
        all.join().unwrap_or_default()
    });
    judge_trials(lineup, contest, trials, observer)
}

/// Time limit of an answer in another dialect.
const PROBE: Duration = Duration::from_secs(2);

/// Dialect in which a bot answers after it failed its trial in the declared one. `check` reports
/// the same.
fn other_dialect(entrant: &Entrant, fault: &Fault, tournament: &Tournament) -> Option<Dialect> {
    let may_not_have_understood =
        matches!(fault, Fault::MoveLate { .. } | Fault::StartLate { .. } | Fault::Exited { .. });
    if !may_not_have_understood || !matches!(entrant.start, Start::Process(_)) {
        return None;
    }
    let mut limits = tournament.limits.clone();
    limits.start_up = limits.start_up.min(PROBE);
    limits.first_move = limits.first_move.map(|limit| limit.min(PROBE));
    let mut others = Dialect::ALL.into_iter().filter(|dialect| *dialect != entrant.dialect);
    others.find(|&dialect| {
        let entrant = Entrant { dialect, ..entrant.clone() };
        let trial = runner::trial(&entrant, &tournament.game, &limits, tournament.seed);
        matches!(trial, Trial::Passed(_))
    })
}

/// Evaluates the trials of the entrants and their durations. A bot that cannot be started is
/// absent.
pub(crate) fn judge_trials(
    lineup: &mut Lineup,
    contest: &Contest,
    trials: Vec<(Trial, Duration)>,
    observer: &dyn Observer,
) -> Pace {
    let tournament = &contest.tournament;
    let (mut moves, mut failing) = (Vec::new(), Vec::new());
    let playing = lineup.entrants.iter_mut().filter(|entrant| entrant.absent.is_none());
    let mut cannot_start = Vec::new();
    for (entrant, (trial, took)) in playing.zip(trials) {
        let name = entrant.id.name.clone();
        let ran = entrant.shown_command().map_or(String::new(), |ran| format!("; run was {ran}"));
        match trial {
            Trial::Passed(took) => moves.push(took),
            Trial::Failed(fault @ Fault::WouldNotStart { .. }, _) => {
                observer.note(&format!("{name} cannot play: {fault}{ran}"));
                cannot_start.push((entrant.id.clone(), fault.to_string()));
                entrant.absent = Some(fault);
            }
            Trial::Failed(fault, evidence) => {
                let line = evidence.line.as_ref();
                let why = line
                    .filter(|_| fault == Fault::IllegalMove)
                    .and_then(|line| refused_in(&mut *tournament.game.begin(), line.as_bytes()));
                let why = why.map_or(String::new(), |why| format!(": {why}"));
                let line = line.map_or(String::new(), |line| format!(" ({:?})", line.shown(80)));
                let spoken = other_dialect(entrant, &fault, tournament);
                let spoken = spoken.map_or(String::new(), |dialect| {
                    format!(
                        "; it answers in {dialect}: write dialect = \"{dialect}\" in its bot.toml"
                    )
                });
                observer.note(&format!(
                    "warning: {name} failed its trial: {fault}{why}{line}{spoken}{ran}"
                ));
                if fault.is_overrun() {
                    moves.push(took);
                } else {
                    failing.push(entrant.id.clone());
                }
            }
            Trial::Untried(fault) => {
                observer.note(&format!("warning: {name} could not be tried: {fault}"));
            }
        }
    }
    if tournament.bots.absent == Absent::LeaveOut {
        for (id, why) in cannot_start {
            lineup.leave_out(&id, &why);
        }
    }
    let thinking = moves.iter().sum::<Duration>() / (moves.len().max(1) as u32);
    Pace { thinking, failing }
}

/// Announcement of the number of games and the expected duration.
pub(crate) fn announcement(
    contest: &Contest,
    entrants: &[Entrant],
    lanes: usize,
    pace: &Pace,
) -> String {
    let tournament = &contest.tournament;
    let bots: Vec<_> = entrants.iter().map(Entrant::planned).collect();
    let expected = tournament.start_format(&bots, &[]).expected();
    let games = expected.pairs.saturating_mul(2);
    let plies = typical_plies(tournament);
    let played = played_games(tournament, entrants, pace, games);
    let likely = likely_duration(played, pace.thinking * plies, lanes);
    format!(
        "{}: {} bots, {}{games} games of {} on {lanes} {}; likely about {}",
        if tournament.title.is_empty() { &contest.name } else { &tournament.title },
        entrants.len(),
        match expected.bound {
            Bound::Exact => "",
            Bound::AtMost => "at most ",
            Bound::AtLeast => "at least ",
        },
        tournament.game.spec(),
        if lanes == 1 { "lane" } else { "lanes" },
        rough(likely),
    )
}

/// Number of games of bots that passed their trial; other games take no time.
fn played_games(tournament: &Tournament, entrants: &[Entrant], pace: &Pace, games: u64) -> u64 {
    let plays =
        |entrant: &&Entrant| entrant.absent.is_none() && !pace.failing.contains(&entrant.id);
    let playing: Vec<_> = entrants.iter().filter(plays).map(Entrant::planned).collect();
    match playing.len() {
        0 | 1 => 0,
        all if all == entrants.len() => games,
        // The format requires a bot that does not play, so the share of games is estimated.
        some if !tournament.format.validate_bots(&playing).is_empty() => {
            games * some as u64 / entrants.len() as u64
        }
        _ => tournament.start_format(&playing, &[]).expected().pairs.saturating_mul(2),
    }
}

/// Formats a duration, rounded for display.
pub fn rough(duration: Duration) -> String {
    if duration < Duration::from_secs(10) {
        return "a few seconds".into();
    }
    let unit = if duration > Duration::from_mins(10) { 60 } else { 1 };
    show_duration(Duration::from_secs(duration.as_secs() / unit * unit))
}

/// Mean number of plies of random games, under the limit of plies.
pub fn typical_plies(tournament: &Tournament) -> u32 {
    const GAMES: u32 = 20;
    let mut rng = tournament.seed.stream("typical game");
    let most = tournament.limits.plies.unwrap_or(10_000) as usize;
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut table = tournament.game.begin();
        let mut game = || match table.turn() {
            pitmaster_games::Turn::Chance => Some(table.draw(&mut rng)),
            _ => table.play_random(&mut rng),
        };
        plies += std::iter::from_fn(&mut game).take(most).count();
    }
    plies as u32 / GAMES
}
