//! Tests of all players, on all games.

use std::sync::LazyLock;

use pitmaster_core::Seed;
use pitmaster_games::{self as games, GameSpec, GameState, Turn, find, two_row};
use proptest::prelude::*;

use super::*;

/// Quick ones of every kind.
const PLAYERS: &[&str] =
    &["random", "greedy", "minimaxer,depth=2", "montecarlo_ts,nodes=12,pouts=1", "preset,level=0"];

fn game(text: &str) -> GameSpec {
    text.parse().expect(text)
}

fn seated(game: &GameSpec, player: &str) -> Box<dyn Player> {
    let spec = player.parse().unwrap_or_else(|fault| panic!("{player}: {fault}"));
    build(game, &spec).unwrap_or_else(|fault| panic!("{player} in {game:?}: {fault}"))
}

/// All games that a name is enough for.
fn playable() -> impl Iterator<Item = &'static str> {
    games::names().filter(|name| *name != two_row::named::ANY)
}

/// The move of a player in a position.
fn chosen(game: &GameSpec, player: &str, position: &str, seed: u64) -> String {
    let mut player = seated(game, player);
    player.begin_at(position, Seed(seed)).expect(position);
    player.choose(&mut Unlimited).text
}

/// Plays with one player on both sides for some plies; says what was played.
fn played(spec: &GameSpec, name: &str, seed: u64, plies: u32) -> Vec<String> {
    let (mut table, mut player) = (find(spec).expect("a game").begin(), seated(spec, name));
    let mut rng = Seed(seed).stream("chance");
    player.begin(Seed(seed));
    let mut steps = Vec::new();
    for _ in 0..plies {
        let step = match table.turn() {
            Turn::Over(_) => break,
            Turn::Chance => table.draw(&mut rng),
            Turn::Player(_) => legal(&mut *table, &player.choose(&mut Unlimited).text),
        };
        player.follow(&step).expect("a step that was made");
        steps.push(step);
    }
    steps
}

/// Plays a move that has to be legal, and written as the game writes it.
fn legal(table: &mut dyn GameState, text: &str) -> String {
    let mut written = String::new();
    let position = table.position();
    table.play(text, &mut written).unwrap_or_else(|fault| panic!("{text} in {position}: {fault}"));
    assert_eq!(written, text);
    written
}

#[test]
fn every_player_plays_every_game() {
    for name in playable() {
        for player in PLAYERS {
            assert!(!played(&game(name), player, 1, 20).is_empty(), "{player} in {name}");
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for name in ["coloured-awale", "kalah", "bao"] {
        for player in PLAYERS {
            let moves = |seed| played(&game(name), player, seed, 12);
            assert_eq!(moves(7), moves(7), "{player} in {name}");
        }
    }
    let moves = |seed| played(&game("kalah"), "random", seed, 12);
    assert_ne!(moves(7), moves(8));
}

/// A position after random steps; `None` if the game is over by then.
fn after(spec: &GameSpec, seed: u64, plies: u32) -> Option<String> {
    let mut table = find(spec).expect("a game").begin();
    let mut rng = Seed(seed).stream("opening");
    for _ in 0..plies {
        match table.turn() {
            Turn::Over(_) => return None,
            Turn::Chance => table.draw(&mut rng),
            Turn::Player(_) => table.play_random(&mut rng)?,
        };
    }
    matches!(table.turn(), Turn::Player(_)).then(|| table.position())
}

/// The games in which both searches by depth can play.
static ALTERNATING: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let negamaxer = "negamaxer".parse().expect("a player");
    playable().filter(|name| build(&game(name), &negamaxer).is_ok()).collect()
});

#[test]
fn games_that_do_not_alternate_are_told() {
    for name in ["bao", "coloured-awale", "oware", "weg"] {
        assert_eq!(ALTERNATING.contains(&name), name != "weg", "{name}");
    }
    let fault = |name: &str| build(&game(name), &"negamaxer".parse().expect("a player")).err();
    let fault = |name| fault(name).map(|fault| fault.to_string()).unwrap_or_default();
    insta::assert_snapshot!(fault("kalah"), @"negamaxer wants turns that strictly alternate, and a move can give another turn; use minimaxer");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn minimaxer_and_negamaxer_agree(pick: prop::sample::Index, seed: u64, plies in 0_u32..60, depth in 1..4) {
        let spec = game(ALTERNATING[pick.index(ALTERNATING.len())]);
        if let Some(position) = after(&spec, seed, plies) {
            let by = |name| chosen(&spec, &format!("{name},level=0,depth={depth}"), &position, seed);
            prop_assert_eq!(by("minimaxer"), by("negamaxer"), "{:?} {}", spec, position);
        }
    }
}

#[test]
fn options_are_read_in_every_writing_and_written_in_one() {
    let written = |text: &str| text.parse::<PlayerSpec>().expect(text).to_string();
    for (text, one) in [
        ("minimaxer,depth=4,difficulty=2", "minimaxer,level=2,mm_depth=4"),
        ("negamaxer,stores_m=-3,repeat_turn=0", "negamaxer,mx_rturn_a=0,mx_stores_m=-3"),
        ("montecarlo_ts,nodes=050", "montecarlo_ts,mcts_nodes=50"),
        ("preset,level=3", "preset,level=3"),
    ] {
        assert_eq!(written(text), one);
        assert_eq!(written(one), one);
    }
}

#[test]
fn what_is_wrong_with_options_is_told() {
    let fault = |text: &str| text.parse::<PlayerSpec>().expect_err(text).to_string();
    insta::assert_snapshot!(fault("minimaxer,detph=4"), @r#"minimaxer has no option "detph"; did you mean depth?"#);
    insta::assert_snapshot!(fault("random,level=1"), @r#"random has no option "level"; it has none"#);
    insta::assert_snapshot!(fault("montecarlo_ts,zzz=1"), @r#"montecarlo_ts has no option "zzz"; it has level, mcts_bias, mcts_nodes, mcts_pouts"#);
    insta::assert_snapshot!(fault("preset,level=4"), @r#"level is a whole number from 0 to 3, not "4""#);
    insta::assert_snapshot!(fault("minimaxer,depth=many"), @r#"depth is a whole number from 1 to 64, not "many""#);
    insta::assert_snapshot!(fault("minimaxer,depth=1,mm_depth=2"), @r#"a house bot is written name or name,option=value,…, not "minimaxer,depth=1,mm_depth=2""#);
}

#[test]
fn factors_that_say_nothing_are_told_if_they_were_asked_for() {
    let fault = |name: &str, player: &str| {
        let fault = build(&game(name), &player.parse().expect(player)).err();
        fault.map(|fault| fault.to_string()).unwrap_or_default()
    };
    insta::assert_snapshot!(fault("oware", "minimaxer,child_cnt_m=1,repeat_turn=3"), @"
    mx_child_cnt_m says nothing here: the game has no children; leave it out
    mx_rturn_a says nothing here: no move gives another turn; leave it out
    ");
    insta::assert_snapshot!(fault("bao", "minimaxer,access_m=2"), @"mx_access_m says nothing here: the game is sown in laps; leave it out");
    assert_eq!(fault("oware", "minimaxer,child_cnt_m=0"), "");
    assert_eq!(
        fault("oware,stores=false", "minimaxer"),
        "",
        "what the file says of stores is left out"
    );
}

#[test]
fn a_budget_ends_a_search_with_a_move_all_the_same() {
    for name in ["coloured-awale", "bao"] {
        for player in ["minimaxer,depth=30", "montecarlo_ts,nodes=100000"] {
            for nodes in [0, 1, 50, 1000] {
                let mut seat = seated(&game(name), player);
                seat.begin(Seed(1));
                let choice = seat.choose(&mut Nodes::new(nodes));
                legal(&mut *find(&game(name)).expect("a game").begin(), &choice.text);
                assert!(choice.thought.nodes <= nodes + 2000, "{choice:?}");
            }
        }
    }
}

/// Player 1 has 47 seeds and takes two with 1R; or player 2 has them, and takes two unless 3R.
const WIN: &str = "1.0.0,1.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,7.0.0,0.0.0,0.0.0,10.0.0,\
                   0.0.0,0.0.0,0.0.0,0.0.0/47-30/1";
const LOSS: &str = "0.0.0,1.0.0,1.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,7.0.0,0.0.0,0.0.0,10.0.0,\
                    0.0.0,0.0.0,0.0.0,0.0.0/30-47/1";

#[test]
fn a_win_is_taken_and_a_loss_is_avoided() {
    let spec = game("coloured-awale");
    for seed in 0..20 {
        for player in ["minimaxer,depth=2", "negamaxer,depth=3", "montecarlo_ts,nodes=3"] {
            assert_eq!(chosen(&spec, player, WIN, seed), "1R", "{player}");
            assert_eq!(chosen(&spec, player, LOSS, seed), "3R", "{player}");
        }
    }
}

#[test]
fn presets_go_by_the_file_of_the_game() {
    let told = |name: &str| presets(&game(name)).expect(name).join("\n");
    insta::assert_snapshot!(told("songo"), @"
    negamaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1, mx_easy_rand_a 20
    negamaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1
    negamaxer: 3 plies, mx_stores_m 4, mx_seeds_m 1, mx_access_m 2
    negamaxer: 5 plies, mx_stores_m 4, mx_seeds_m 1, mx_access_m 2
    ");
    // Sown in laps, so that reach is left out; with repeat turns, so that minimaxer plays.
    insta::assert_snapshot!(told("songo,mlaps=LAPPER,sow_stores=OWN"), @"
    minimaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1, mx_easy_rand_a 20
    minimaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1
    minimaxer: 3 plies, mx_stores_m 4, mx_seeds_m 1
    minimaxer: 5 plies, mx_stores_m 4, mx_seeds_m 1
    ");
    insta::assert_snapshot!(told("two-row,holes=3,nbr_start=4,stores=true,evens=true"), @"
    minimaxer: 1 plies, mx_stores_m 4
    minimaxer: 1 plies, mx_stores_m 4
    minimaxer: 3 plies, mx_stores_m 4
    minimaxer: 5 plies, mx_stores_m 4
    ");
}

/// The table of levels was printed with the settings that hold now: otherwise run
/// `examples/levels.rs` again.
#[test]
fn the_table_of_levels_is_of_the_present_settings() {
    let table = include_str!("../../../tests/golden/players/levels.txt");
    let mut lines = 0;
    for line in table.lines().skip(1) {
        let mut cells = line.split_whitespace();
        let (name, levels) = (cells.next().expect(line), cells.next().expect(line));
        let level: usize = levels[..1].parse().expect(line);
        let settings = &presets(&game(name)).expect(line)[level];
        assert!(line.ends_with(settings.as_str()), "{line}\n{settings}");
        lines += 1;
    }
    assert!(lines > 0 && lines % 4 == 0, "{lines}");
}
