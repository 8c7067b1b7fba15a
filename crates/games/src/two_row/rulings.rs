//! Edge cases: combinations that the table of parameters allows but that would create or lose
//! seeds, crash or never end. Each is either rejected by a rule of the check or handled without a
//! loss, as the texts next to the parameters document. Each ruling is tested here.

use pitmaster_core::{BySide, Seed, below};

use super::catalogue::ENTRIES;
use super::check::check;
use super::params::{Parameter, Params, Value};
use super::start::total_seeds;
use super::{Clause, Move, Phase, Position, TwoRow, Way};
use crate::{MoveList, Rules, Turn};

/// Two rows of six with stores, and additional parameters from a text.
fn with(text: &str) -> Params {
    let mut params =
        Params { holes: 6, nbr_start: 4, stores: true, evens: true, ..Params::default() };
    for (name, value) in text.split_whitespace().filter_map(|pair| pair.split_once('=')) {
        let parameter = Parameter::find(name).expect(name);
        assert!(parameter.set(&mut params, &Value::Text(value.into())), "{name}={value}");
    }
    params
}

/// A variant of the catalogue.
fn variant(game: &str, name: &str) -> Params {
    let entry = ENTRIES.iter().find(|entry| entry.slug == game).expect(game);
    let variants = entry.file().variants;
    variants.into_iter().find(|variant| variant.name == name).expect(name).params
}

/// The rule that rejects the parameters.
fn refusal(params: &Params) -> Option<&'static str> {
    check(params).into_iter().find(|finding| finding.severity.is_fatal()).map(|found| found.rule)
}

fn in_play(position: &Position) -> u32 {
    let stores = u32::from(position.stores.one) + u32::from(position.stores.two);
    position.on_board() + stores
}

/// Plays random games of accepted parameters and visits every position. Each must have a text.
fn play(params: &Params, mut see: impl FnMut(&Position)) {
    assert_eq!(refusal(params), None);
    let rules = TwoRow::new(params.clone());
    let mut list = MoveList::default();
    for seed in 0..40 {
        let mut rng = Seed(seed).stream("rulings");
        let mut position = rules.start();
        for _ in 0..200 {
            see(&position);
            let text = rules.position_text(&position);
            assert_eq!(rules.parse_position(&text).as_ref(), Ok(&position), "{text}");
            let step = match rules.turn(&position) {
                Turn::Over(_) => break,
                Turn::Chance => rules.draw(&position, &mut rng),
                Turn::Player(_) => {
                    rules.moves(&position, &mut list);
                    match list.templates.first() {
                        Some(template) => rules.complete(&position, template, &mut rng),
                        None => {
                            list.moves[below(&mut rng, list.moves.len() as u64) as usize].clone()
                        }
                    }
                }
            };
            rules.play(&mut position, &step, &mut ());
        }
    }
}

/// Plays random games and checks that the number of seeds is constant.
fn no_seed_is_made_or_lost(params: &Params) {
    let total = total_seeds(params);
    play(params, |position| match position.phase {
        Phase::Deal | Phase::Over(_, Clause::Endless) => {}
        _ => assert_eq!(in_play(position), total, "{position:?}"),
    });
}

#[test]
fn children_without_stores_keep_their_seeds_over_rounds() {
    no_seed_is_made_or_lost(&variant("krur", "Rounds"));
}

#[test]
fn even_rows_are_laid_out_of_what_a_player_has() {
    no_seed_is_made_or_lost(&variant("leyla_gobale", "Rounds"));
    no_seed_is_made_or_lost(&with(
        "rounds=NO_MOVES round_fill=EVEN_FILL child_type=NORMAL child_cvt=4 \
         child_rule=OPP_SIDE_ONLY",
    ));
}

#[test]
fn what_the_limit_of_laps_lifts_leaves_play() {
    let params = with("holes=4 nbr_start=2 evens=false mlaps=LAPPER_NEXT");
    let mut endless = 0;
    play(&params, |position| {
        if let Phase::Over(_, Clause::Endless) = position.phase {
            let lifted = position.last.expect("a move").hand;
            assert_eq!(in_play(position) + u32::from(lifted), total_seeds(&params));
            endless += 1;
        }
    });
    assert!(endless > 0);
}

#[test]
fn what_has_no_rules_is_refused() {
    for (text, rule) in [
        ("crosscapt=ANY xcpickown=PICK_ON_CAPT", "xpick_any"),
        (
            "sow_rule=LAP_CAPT mlaps=LAPPER crosscapt=ONE_ZEROS capt_rturn=ALWAYS",
            "lcapt_cross_rturn",
        ),
        ("sow_rule=LAP_CAPT mlaps=LAPPER crosscapt=ONE_ZEROS xc_sown=true", "lcapt_cross_rturn"),
        ("goal=TERRITORY goal_param=8 allow_rule=OCCUPIED", "occupied_both_rows"),
        ("game_class=ShareOne sow_start=true min_move=2", "s1_sow_start"),
        ("game_class=BearOff sow_stores=OWN", "bo_sow_stores"),
        (
            "game_class=NSGratuitous goal=CLEAR capt_side=OWN_SIDE start_pattern=MOVE_RANDOM",
            "grat_drawn_move",
        ),
        ("game_class=ZigZag sow_direct=TOCENTER udir_holes=0+1+2+3+4+5", "zz_all_udir"),
        ("game_class=EastWestCycle allow_rule=OPP_OR_EMPTY", "ring_tries_moves"),
        ("game_class=EastWestCycle prescribed=SOW1OPP", "ring_sow1opp"),
        ("unclaimed=HOLE_OWNER quitter=LAST_MOVER", "quitter_last_mover"),
    ] {
        assert_eq!(refusal(&with(text)), Some(rule), "{text}");
    }
    // The catalogue excludes the variant Koumma of Bakuk for this reason.
    assert_eq!(refusal(&with("holes=3 nbr_start=6 sow_start=true")), Some("needs_moves"));
    let unfed = check(&with("mustshare=true quitter=UNFED_PLAYER"));
    assert!(unfed.iter().any(|finding| finding.rule == "quitter_unfed"), "{unfed:?}");
}

#[test]
fn what_has_no_place_is_settled_without_a_loss() {
    for text in [
        // The opponent has no hole to keep.
        "goal=TERRITORY goal_param=8 grandslam=LEAVE_LEFT capt_on=2+3 evens=false multicapt=-1",
        "goal=TERRITORY goal_param=8 grandslam=LEAVE_RIGHT pickextra=PICKOPPBASIC",
        // No hole accepts a seed.
        "sow_rule=MAX_SOW sow_param=4",
        "sow_rule=MAX_SOW sow_param=1 holes=2 skip_start=true",
        "sow_rule=NO_CHILDREN child_type=NORMAL child_cvt=1 holes=2 skip_start=true",
        "sow_rule=NO_OPP_CHILD child_type=NORMAL child_cvt=1 holes=2 skip_start=true",
        // Some holes have no seed to give.
        "prescribed=PLUS1MINUS1 start_pattern=ALTERNATES",
        "prescribed=PLUS1MINUS1 rounds=NO_MOVES round_fill=LEFT_FILL blocks=true",
        // More or fewer seeds than fill the board.
        "rounds=NO_MOVES round_fill=SHORTEN_ALL blocks=true start_pattern=RIGHTMOST_PLUS_ONE",
        "rounds=NO_MOVES round_fill=SHORTEN_ALL blocks=true start_pattern=ALTERNATES",
        "start_pattern=RANDOM_ZEROS nbr_start=3",
        // A store has no hole across.
        "mlaps=LAPPER sow_rule=CHANGE_DIR_LAP sow_stores=BOTH evens=false crosscapt=ONE_ZEROS",
        "capt_type=MATCH_OPP sow_stores=BOTH_NR evens=false multicapt=-1",
        "capt_type=MATCH_OPP sow_stores=BOTH_NR mlaps=LAPPER evens=false",
        "game_class=BearOff start_pattern=MOVE_RIGHTMOST",
        // A seed meant for a store falls into a hole, even a closed one.
        "prescribed=BASIC_SOWER sow_stores=BOTH rounds=HALF_SEEDS blocks=true",
    ] {
        no_seed_is_made_or_lost(&with(text));
    }
}

/// With `skip_start` and stores on the way, looking ahead skips player 1's store but not player
/// 2's. Recorded games rely on it.
#[test]
fn only_player_1s_store_is_passed_over_where_a_start_hole_is_skipped() {
    let rules = TwoRow::new(with("skip_start=true sow_stores=BOTH_NR capt_type=NEXT capt_dir=SOW"));
    let after = |position: &str, hole| {
        let mut position = rules.parse_position(position).expect("a position");
        rules.play(&mut position, &Move::Sow { hole, way: None::<Way> }, &mut ());
        position.stores
    };
    let one = after("1,0,0,0,1,0,2,0,0,0,0,1;0,0;1;moves=3;turns=2", 4);
    let two = after("2,0,0,0,0,1,1,0,0,0,1,0;0,0;2;moves=3;turns=2", 10);
    assert_eq!((one, two), (BySide::new(2, 0), BySide::new(0, 0)));
}
