//! Tests of all players, on all games.

use std::sync::LazyLock;

use pitmaster_core::Seed;
use pitmaster_games::two_row::file;
use pitmaster_games::{self as games, GameSpec, GameState, Turn, find, two_row};
use proptest::prelude::*;

use super::settings::Settings;
use super::*;

/// Fast players of every kind.
const PLAYERS: &[&str] =
    &["random", "greedy", "minimaxer,depth=2", "montecarlo_ts,nodes=12,pouts=1", "preset,level=0"];

fn game(text: &str) -> GameSpec {
    text.parse().expect(text)
}

fn seated(game: &GameSpec, player: &str) -> Box<dyn Player> {
    let spec = player.parse().unwrap_or_else(|fault| panic!("{player}: {fault}"));
    build(game, &spec).unwrap_or_else(|fault| panic!("{player} in {game:?}: {fault}"))
}

/// All games that need no options.
fn playable() -> impl Iterator<Item = &'static str> {
    games::names().filter(|name| *name != two_row::named::ANY)
}

/// The move of a player in a position.
fn chosen(game: &GameSpec, player: &str, position: &str, seed: u64) -> String {
    let mut player = seated(game, player);
    player.begin_at(position, Seed(seed)).expect(position);
    player.choose(&mut Unlimited).text
}

/// Plays with one player on both sides for some plies. Returns the moves.
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

/// Plays a move, which must be legal and in canonical notation.
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

/// A position after random steps; `None` if the game ends before that.
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
    insta::assert_snapshot!(fault("montecarlo_ts,zzz=1"), @r#"montecarlo_ts has no option "zzz"; it has level, mcts_bias, mcts_nodes, mcts_pouts, random_moves"#);
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
    negamaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1, mx_easy_rand_a 20, 34 % random moves
    negamaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1
    negamaxer: 4 plies, mx_stores_m 4, mx_seeds_m 1, mx_access_m 2, 9 % random moves
    negamaxer: 5 plies, mx_stores_m 4, mx_seeds_m 1, mx_access_m 2
    ");
    // Laps exclude the factor for reach, and repeat turns require minimaxer.
    insta::assert_snapshot!(told("songo,mlaps=LAPPER,sow_stores=OWN"), @"
    minimaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1, mx_easy_rand_a 20, 34 % random moves
    minimaxer: 1 plies, mx_stores_m 4, mx_seeds_m 1
    minimaxer: 4 plies, mx_stores_m 4, mx_seeds_m 1, 9 % random moves
    minimaxer: 5 plies, mx_stores_m 4, mx_seeds_m 1
    ");
    insta::assert_snapshot!(told("two-row,holes=3,nbr_start=4,stores=true,evens=true"), @"
    minimaxer: 1 plies, mx_stores_m 4, 40 % random moves
    minimaxer: 2 plies, mx_stores_m 4, 20 % random moves
    minimaxer: 3 plies, mx_stores_m 4, 6 % random moves
    minimaxer: 5 plies, mx_stores_m 4
    ");
}

#[test]
fn random_moves_are_those_of_the_level_unless_the_search_is_asked_for() {
    let random = |player: &str| {
        let file = file::Player::default();
        let spelled = by_file(&game("songo"), &file, &player.parse().expect(player));
        spelled.expect(player).options.remove("random_moves")
    };
    // Values equal to the default of the level are omitted.
    assert_eq!(random("preset,level=1"), None);
    assert_eq!(random("minimaxer,level=1,random_moves=7").as_deref(), Some("7"));
    let told = |player: &str| {
        let known =
            games::look_up(&game("two-row,holes=4,nbr_start=3,stores=true")).expect("a game");
        let (file, spec) = (file::Player::default(), player.parse().expect(player));
        let settings =
            games::with_rules!(known.rules, rules => Settings::new(&rules, &file, &spec));
        settings.expect(player).random_moves
    };
    for (player, percent) in [
        ("minimaxer", 20),
        ("minimaxer,level=0", 40),
        ("minimaxer,level=0,depth=3", 0),
        ("minimaxer,level=0,depth=3,random=5", 5),
        ("montecarlo_ts,level=2", 6),
        ("montecarlo_ts,level=2,nodes=50", 0),
    ] {
        assert_eq!(told(player), percent, "{player}");
    }
}

/// The table of levels, `examples/levels`.
const LEVELS: &str = include_str!("../../../tests/golden/players/levels.txt");

/// Games missing from the table because their searches take minutes.
const NOT_MEASURED: [&str; 3] = ["isholo-3", "j_odu", "je_ki_n_je"];

/// Cells of the rows of the table: game, levels, score in percent, and the settings.
fn rows() -> Vec<(&'static str, &'static str, f64, &'static str)> {
    let row = |line: &'static str| {
        let mut cells = line.split_whitespace();
        let (name, levels) = (cells.next().expect(line), cells.next().expect(line));
        let score = cells.next().and_then(|score| score.strip_suffix('%'));
        let settings = line.get(52..).unwrap_or_default().trim_start();
        (name, levels, score.map_or(f64::NAN, |score| score.parse().expect(line)), settings)
    };
    LEVELS.lines().skip(1).map(row).collect()
}

/// The table must contain every game with its present settings. If not, rerun `examples/levels`.
#[test]
fn the_table_of_levels_is_of_the_present_settings() {
    let mut games = Vec::new();
    for (name, levels, _, settings) in rows() {
        let level: usize = levels[..1].parse().expect(levels);
        assert_eq!(settings, presets(&game(name)).expect(name)[level], "{name} {levels}");
        games.push((name, levels));
    }
    let wanted = playable()
        .filter(|name| !NOT_MEASURED.contains(name))
        .flat_map(|name| ["0", "1-0", "2-1", "3-2"].map(|levels| (name, levels)));
    assert_eq!(games, wanted.collect::<Vec<_>>());
}

/// Each level wins 75 to 95 % against the one below, except in these games. In most of them level 3
/// is too close to random moves for three such steps; the untuned ones search further than the
/// nodes of the table allow.
#[test]
fn every_level_is_a_step_above_the_one_below() {
    let rows = rows();
    let mut exceptions = vec!["game 3-2 2-1 1-0".to_owned()];
    for name in playable().filter(|name| !NOT_MEASURED.contains(name)) {
        let score =
            |step: &str| rows.iter().find(|row| (row.0, row.1) == (name, step)).expect(name).2;
        let steps = ["3-2", "2-1", "1-0"].map(score);
        if !steps.iter().all(|score| (75.0..=95.0).contains(score)) {
            exceptions.push(format!("{name} {steps:?}"));
        }
    }
    insta::assert_snapshot!(exceptions.join("\n"), @"
    game 3-2 2-1 1-0
    andada [75.0, 77.1, 72.5]
    anywoli [82.3, 80.5, 66.5]
    ayoayo [77.2, 82.0, 74.2]
    azigo [52.1, 58.3, 97.9]
    bay_khom [69.4, 74.0, 56.8]
    boola [66.7, 71.3, 67.5]
    bule_perga [71.9, 60.8, 51.0]
    centering [57.3, 57.3, 43.8]
    cross_kalah [71.9, 78.1, 67.0]
    crosscapt_eight [82.8, 86.2, 71.0]
    crosscapt_nine [80.2, 76.9, 65.0]
    crosscapt_six [68.8, 64.2, 71.5]
    deka [90.6, 66.0, 53.5]
    depouiller [72.4, 79.1, 54.0]
    diffusion [56.2, 52.1, 37.5]
    djenon_abe [77.6, 79.8, 71.8]
    djenon_aboure [81.7, 71.7, 67.0]
    embeli [81.2, 81.1, 64.5]
    endodoi [77.1, 93.0, 61.5]
    enkeshui [76.6, 81.0, 62.3]
    enlightenment [50.0, 52.1, 85.0]
    eson_xorgol [51.0, 65.6, 100.0]
    gamacha [68.8, 73.5, 75.0]
    gelech [55.2, 100.0, 100.0]
    giuthi [67.7, 69.8, 71.0]
    goat [76.8, 76.5, 68.5]
    goempty_one [79.2, 72.2, 75.5]
    goempty_two [83.3, 77.1, 73.0]
    hufesay [84.0, 84.5, 62.5]
    huroy [58.3, 100.0, 100.0]
    jongkak [75.0, 72.2, 74.2]
    kalah_late [84.4, 76.4, 57.0]
    krur [66.8, 66.0, 60.0]
    longbeu_a_cha [63.3, 60.8, 61.0]
    mandoli [84.8, 65.0, 47.5]
    mangala_i [84.8, 77.0, 72.2]
    meusueb [81.2, 82.8, 63.7]
    micro_wari [59.1, 55.0, 56.6]
    mikro_tsoro [57.4, 55.5, 50.3]
    nambayi [78.0, 76.5, 49.0]
    ndoto [71.9, 78.5, 81.5]
    nocapt [81.2, 69.8, 79.2]
    obridjie [68.2, 67.8, 67.2]
    onlychild [71.9, 69.8, 70.8]
    qelat_ii [67.2, 72.0, 66.5]
    rath [81.8, 71.8, 82.5]
    sadeqa_iv [88.5, 65.3, 46.7]
    sokusowo [58.7, 50.6, 50.0]
    sowopdirs [74.3, 71.0, 71.0]
    tap_urdy [70.5, 71.2, 61.3]
    tapata [91.7, 53.0, 47.0]
    tchuka_ruma [79.2, 79.1, 64.5]
    tihbat [71.7, 67.8, 63.5]
    valah [72.1, 76.0, 80.5]
    voleur [67.5, 68.8, 50.5]
    ");
}
