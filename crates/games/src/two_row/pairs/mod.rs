//! Pairwise test: every pair of parameters occurs at least once with both at unusual values. The
//! games are played by the engine and by a slow model of it. If the model does not support a game,
//! the engine's invariants are checked.

mod model;

use model::{End, Model, knows};
use pitmaster_core::{Seed, Side, below};
use rand::Rng;

use super::check::check;
use super::params::{Parameter, Params, Value};
use super::start::{is_random, total_seeds};
use super::{Clause, Move, Phase, TwoRow};
use crate::{MoveList, Rules, Turn};

/// Number of attempts to find a game with a pair that the check accepts.
const TRIES: u32 = 300;
/// Steps of a game that are played and compared.
const STEPS: u32 = 60;

/// Number of games for each pair: the build-time variable `PITMASTER_PAIRS`, which `.ci/full`
/// increases.
fn games_a_pair() -> u32 {
    option_env!("PITMASTER_PAIRS").map_or(1, |games| games.parse().expect("a number"))
}

/// Sets a parameter to an unusual value. Returns false if the drawn value is the usual one.
fn unusual(params: &mut Params, parameter: &Parameter, rng: &mut dyn Rng) -> bool {
    let usual = parameter.get(&Params::default());
    let choices = (parameter.choices)();
    let value = match usual {
        Value::List(_) => Value::List((0..4).filter(|_| below(rng, 2) == 0).collect()),
        Value::Bool(is) => Value::Bool(!is),
        _ if choices.is_empty() => Value::Number(below(rng, 14).cast_signed() - 1),
        _ => Value::Number(choices[below(rng, choices.len() as u64) as usize].number),
    };
    parameter.set(params, &value) && parameter.get(params) != usual
}

/// Parameters with the ones they require: without these they have no effect or are rejected.
const NEEDS: [(&str, &[&str]); 17] = [
    ("end_cond", &["end_param"]),
    ("move_one", &["sow_start"]),
    ("sow_start", &["min_move"]),
    ("xcpickown", &["crosscapt"]),
    ("xc_sown", &["crosscapt"]),
    ("mlap_cont", &["mlaps", "mlap_param"]),
    ("capt_dir", &["multicapt", "evens"]),
    ("pickextra", &["multicapt", "evens"]),
    ("round_starter", &["rounds", "goal", "goal_param"]),
    ("round_fill", &["rounds", "blocks"]),
    ("rounds", &["goal_param", "goal"]),
    ("child_cvt", &["child_type"]),
    ("child_type", &["child_cvt"]),
    ("child_rule", &["child_type", "child_cvt"]),
    ("sow_rule", &["mlaps", "sow_param"]),
    ("goal", &["goal_param", "rounds"]),
    ("play_locs", &["stores"]),
];

/// Sets other options that a game may require, in half of the cases.
fn companions(params: &mut Params, pair: [&Parameter; 2], rng: &mut dyn Rng) {
    let needed = NEEDS.iter().filter(|(name, _)| pair.iter().any(|one| one.name == *name));
    let needed = needed.flat_map(|(_, needs)| needs.iter().copied()).map(|name| (name, 3));
    for (name, of_four) in OFTEN.map(|name| (name, 1)).into_iter().chain(needed) {
        let mut other = params.clone();
        let parameter = Parameter::find(name).expect(name);
        if below(rng, 4) < of_four && unusual(&mut other, parameter, rng) {
            *params = other;
        }
    }
}

/// Options under which many rules take effect.
const OFTEN: [&str; 9] = [
    "evens",
    "mlaps",
    "multicapt",
    "sow_param",
    "crosscapt",
    "sow_stores",
    "udir_holes",
    "no_sides",
    "capt_on",
];

fn is_playable(params: &Params) -> bool {
    (2..=7).contains(&params.holes)
        && (1..=6).contains(&params.nbr_start)
        && !check(params).iter().any(|finding| finding.severity.is_fatal())
}

/// A game with both parameters unusual that the check accepts; `wanted` is a further condition.
fn game_with(
    pair: [&Parameter; 2],
    wanted: impl Fn(&Params) -> bool,
    rng: &mut dyn Rng,
) -> Option<Params> {
    (0..TRIES).find_map(|_| {
        let mut params = Params {
            holes: 2 + below(rng, 6) as i32,
            nbr_start: 1 + below(rng, 5) as i32,
            stores: below(rng, 3) > 0,
            ..Params::default()
        };
        companions(&mut params, pair, rng);
        let both = pair.iter().all(|parameter| unusual(&mut params, parameter, rng));
        let usual = Params::default();
        let still = pair.iter().all(|one| one.get(&params) != one.get(&usual));
        (both && still && wanted(&params) && is_playable(&params)).then_some(params)
    })
}

/// Plays a random game by engine and model. Returns the first difference.
fn compare(params: &Params, rng: &mut dyn Rng) -> Result<(), String> {
    let rules = TwoRow::new(params.clone());
    let mut position = rules.start();
    let stores = [position.stores.one, position.stores.two];
    let mut model = Model::new(params, &position.seeds, stores, 0);
    let mut list = MoveList::default();
    for _ in 0..STEPS {
        if let Turn::Over(_) = rules.turn(&position) {
            return Ok(());
        }
        rules.moves(&position, &mut list);
        list.moves.retain(|mv| *mv != Move::Swap);
        let expected = model.moves();
        let at = rules.position_text(&position);
        if list.moves != expected {
            return Err(format!("{at}: moves {:?}, not {expected:?}", list.moves));
        }
        let mv = list.moves[below(rng, list.moves.len() as u64) as usize].clone();
        rules.play(&mut position, &mv, &mut ());
        model.play(&mv);
        let seen = match position.phase {
            Phase::Over(_, Clause::Endless | Clause::Stuck) => Some(End::Endless),
            Phase::Over(won, Clause::Goal) => Some(End::Won(won.map(Side::index))),
            _ => None,
        };
        let holes = &position.seeds[..2 * params.holes as usize];
        let stores = [position.stores.one, position.stores.two];
        let cells: Vec<_> = holes.iter().chain(&stores).map(|&seeds| i32::from(seeds)).collect();
        let ended = seen == Some(End::Endless) && model.end == seen;
        let turns = seen.is_some() || position.side.index() == model.mover;
        if !ended && (cells != model.cells || seen != model.end || !turns) {
            return Err(format!(
                "{at}, {mv:?}: {cells:?} {seen:?} {:?}, not {:?} {:?} {}",
                position.side, model.cells, model.end, model.mover
            ));
        }
    }
    Ok(())
}

fn written(params: &Params) -> String {
    let options = super::params::options(params);
    options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

/// Parameters to be paired; those with a different value in every game are left out.
fn parameters() -> Vec<&'static Parameter> {
    let always = ["holes", "nbr_start", "swap"];
    Params::ALL.iter().filter(|one| !always.contains(&one.name)).collect()
}

/// Plays a random game by the engine alone. There must always be a next step, and no seed may be
/// created.
fn play(params: &Params, rng: &mut dyn Rng) -> Result<(), String> {
    let rules = TwoRow::new(params.clone());
    let mut position = rules.start();
    let mut list = MoveList::default();
    for _ in 0..STEPS {
        let mv = match rules.turn(&position) {
            Turn::Over(_) => return Ok(()),
            Turn::Chance => rules.draw(&position, rng),
            Turn::Player(_) => {
                rules.moves(&position, &mut list);
                match list.templates.first() {
                    Some(template) => rules.complete(&position, template, rng),
                    None => list.moves[below(rng, list.moves.len() as u64) as usize].clone(),
                }
            }
        };
        let at = rules.position_text(&position);
        rules.play(&mut position, &mv, &mut ());
        let seeds =
            position.on_board() + position.stores.iter().map(|&s| u32::from(s)).sum::<u32>();
        if seeds > total_seeds(params) {
            return Err(format!("{at}, {mv:?}: {seeds} seeds"));
        }
    }
    Ok(())
}

/// Results of all pairs.
#[derive(Default)]
struct Played {
    faults: Vec<String>,
    compared: u32,
    alone: u32,
    never: Vec<String>,
}

impl Played {
    fn pair(&mut self, pair: [&Parameter; 2], rng: &mut dyn Rng) {
        let known = |params: &Params| knows(params) && !is_random(params);
        if let Some(params) = game_with(pair, known, rng) {
            self.compared += 1;
            self.add(&params, compare(&params, rng));
        } else if let Some(params) = game_with(pair, |_| true, rng) {
            self.alone += 1;
            self.add(&params, play(&params, rng));
        } else {
            self.never.push(format!("{} {}", pair[0].name, pair[1].name));
        }
    }

    fn add(&mut self, params: &Params, played: Result<(), String>) {
        if let Err(fault) = played {
            self.faults.push(format!("{}\n  {fault}", written(params)));
        }
    }
}

/// Pairs that the check accepts in no game.
const NEVER: &str = "mustpass no_sides, mustshare no_sides, no_sides blocks, \
    no_sides round_fill, no_sides grandslam, sow_start skip_start, move_one skip_start, \
    sow_stores nocaptmoves, presowcapt moveunlock";

#[test]
fn every_pair_of_parameters_is_played_as_the_slow_model_plays() {
    let all = parameters();
    let mut rng = Seed(20).stream("pairs");
    let mut played = Played::default();
    for (at, one) in all.iter().enumerate() {
        for other in &all[at + 1..] {
            for _ in 0..games_a_pair() {
                played.pair([one, other], &mut rng);
            }
        }
    }
    let Played { faults, compared, alone, mut never } = played;
    never.dedup();
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(never.join(", "), NEVER);
    assert!(compared > 2 * alone, "{compared} compared, {alone} not");
}
