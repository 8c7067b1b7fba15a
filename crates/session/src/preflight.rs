//! Preflight: tries every bot before the first game and announces the run's size and duration.

use std::time::{Duration, Instant};

use pitmaster_core::Fault;
use pitmaster_referee::refused_in;
use pitmaster_runner::{self as runner, Entrant, Layout, Trial};
use pitmaster_tournament::{Absent, Bound, Tournament, likely_duration, show_duration};

use crate::Observer;
use crate::contest::Contest;
use crate::lineup::Lineup;

/// Asks every bot for one move and reports all failures at once. A bot that cannot be started is
/// absent. Returns the mean time of a move.
pub(crate) fn try_all(
    lineup: &mut Lineup,
    contest: &Contest,
    layout: &Layout,
    observer: &dyn Observer,
) -> Duration {
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

/// Evaluates the trials of the entrants and how long they took. A bot that cannot be started is
/// absent. Returns the mean time of a move.
pub(crate) fn judge_trials(
    lineup: &mut Lineup,
    contest: &Contest,
    trials: Vec<(Trial, Duration)>,
    observer: &dyn Observer,
) -> Duration {
    let tournament = &contest.tournament;
    let mut moves = Vec::new();
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
                observer
                    .note(&format!("warning: {name} failed its trial: {fault}{why}{line}{ran}"));
                moves.push(took);
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
    moves.iter().sum::<Duration>() / (moves.len().max(1) as u32)
}

/// Announcement of the number of games and the expected duration.
pub(crate) fn announcement(
    contest: &Contest,
    entrants: &[Entrant],
    lanes: usize,
    thinking: Duration,
) -> String {
    let tournament = &contest.tournament;
    let bots: Vec<_> = entrants.iter().map(Entrant::planned).collect();
    let expected = tournament.start_format(&bots, &[]).expected();
    let games = expected.pairs.saturating_mul(2);
    let plies = typical_plies(tournament);
    let likely = likely_duration(games, thinking * plies, lanes);
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

/// Formats a duration, rounded for display.
pub fn rough(duration: Duration) -> String {
    if duration < Duration::from_secs(10) {
        return "a few seconds".into();
    }
    let unit = if duration > Duration::from_secs(600) { 60 } else { 1 };
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
