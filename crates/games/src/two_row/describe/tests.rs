use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::two_row::catalogue;
use crate::two_row::check::check;
use crate::two_row::params::Value;

fn with(text: &str) -> Params {
    let mut params = Params::default();
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=').expect("a name and a value");
        let parameter = Parameter::find(name).expect(name);
        assert!(parameter.set(&mut params, &Value::Text(value.into())), "{pair}");
    }
    params
}

fn text(params: &Params) -> String {
    describe(params).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn is_a_game(params: &Params) -> bool {
    !check(params).iter().any(|finding| finding.severity.is_fatal())
}

const KALAH: &str = "holes=6 nbr_start=4 crosscapt=ONE_ZEROS capt_side=OPP_SIDE sow_stores=OWN stores=true \
    xcpickown=PICK_ON_CAPT end_cond=CLEARED_OWN";
const OWARE: &str = "holes=6 nbr_start=4 capt_on=2+3 grandslam=NO_CAPT multicapt=-1 mustshare=true \
    capt_side=OPP_SIDE skip_start=true stores=true quitter=HOLE_OWNER";
const WEG: &str = "holes=6 nbr_start=4 capt_rturn=ALWAYS child_cvt=4 child_rule=OPP_OWNER_ONLY \
    child_type=WEG goal=TERRITORY goal_param=10 mlaps=LAPPER mustpass=true rounds=NO_MOVES \
    stores=true";
const BAO: &str = "holes=7 nbr_start=4 blocks=true capt_dir=SOW child_cvt=4 child_rule=OPPS_ONLY_NOT_1ST \
    child_type=NORMAL crosscapt=ONE_ZEROS mlaps=LAPPER multicapt=-1 capt_side=OPP_SIDE \
    prescribed=ARNGE_LIMIT round_fill=SHORTEN_ALL round_starter=WINNER rounds=NO_MOVES \
    stores=true mlap_cont=VISIT_OPP xcpickown=PICK_ON_CAPT";
const GIUTHI: &str = "holes=8 nbr_start=6 capt_dir=SOW crosscapt=ONE_ZEROS min_move=2 mlaps=LAPPER \
    multicapt=-1 mustpass=true capt_side=OPP_SIDE round_fill=UMOVE round_starter=WINNER \
    rounds=NO_MOVES sow_rule=CHANGE_DIR_LAP stores=true udir_holes=0+1+2+3+4+5+6+7 \
    xc_sown=true xcpickown=PICK_ON_CAPT";
const DIFFUSION: &str =
    "game_class=Diffusion holes=6 nbr_start=4 goal=CLEAR no_sides=true stores=true";
const SONGO: &str = "holes=7 nbr_start=5 capt_on=2+4 multicapt=-1 mustshare=true capt_side=OPP_SIDE \
    skip_start=true sow_direct=CW stores=true";
const TOGUZ_KUMALAK: &str = "holes=9 nbr_start=9 child_cvt=3 child_rule=OPP_SIDE_ONLY child_type=ONE_CHILD \
    child_locs=NOT_SYM_OPP evens=true move_one=true capt_side=OPP_SIDE sow_start=true \
    stores=true";

const GAMES: &[&str] = &[KALAH, OWARE, WEG, BAO, GIUTHI, DIFFUSION, SONGO, TOGUZ_KUMALAK];

#[test]
fn the_rules_of_kalah() {
    insta::assert_snapshot!(text(&with(KALAH)), @r"
        Board. Each of the two players has a row of 6 holes. Each player has a store, at the right end of the own row. At the start: 4 seeds in every hole; 48 seeds altogether.
        Moves. In turn the players take all seeds of a hole of the own side and sow them, one by one, along the board.
        Sowing. Sowing goes counter-clockwise. The mover's store is sown into; a last seed in it gives another turn.
        Capture. If the last seed falls into an empty hole, the hole across is captured. The hole captured across is on the opponent's side, so that the last seed is on the mover's. The single seed that captured across is taken too. Captured seeds go to the mover's store.
        End. The player who has more than half of the seeds wins. Play ends when the mover's side has no seeds after a move. Play ends when the player to move has no move. The seeds left on the board then go to the owners of their holes. The player who then has more seeds wins; equal numbers are a tie. If a limit ends the game, the seeds left on the board are halved, an odd one going to whom has less.
    ");
}

#[test]
fn the_rules_of_oware() {
    insta::assert_snapshot!(text(&with(OWARE)), @r"
        Board. Each of the two players has a row of 6 holes. Each player has a store, at the right end of the own row. At the start: 4 seeds in every hole; 48 seeds altogether.
        Moves. In turn the players take all seeds of a hole of the own side and sow them, one by one, along the board. If the opponent has no seeds, a move must leave some there.
        Sowing. Sowing goes counter-clockwise. The hole that was moved is passed over.
        Capture. If the hole of the last seed then holds exactly 2 or 3 seeds, they are captured. Only holes on the opponent's side are captured. A move that would capture all seeds of the opponent's side captures nothing. After a capture the following hole is tried in the same way, and so on until one fails. A chain goes back, against the direction of sowing. Captured seeds go to the mover's store.
        End. The player who has more than half of the seeds wins. Play ends when the player to move has no move, or cannot give an opponent without seeds any. The seeds left on the board then go to the owners of their holes. The player who then has more seeds wins; equal numbers are a tie. If a limit ends the game, the seeds left on the board go to the owners of their holes.
    ");
}

#[test]
fn the_rules_of_weg() {
    insta::assert_snapshot!(text(&with(WEG)), @r"
        Board. Each of the two players has a row of 6 holes. Each player has a store, at the right end of the own row. At the start: 4 seeds in every hole; 48 seeds altogether.
        Moves. In turn the players take all seeds of a hole that the player owns and sow them, one by one, along the board. A player without a move passes.
        Sowing. Sowing goes counter-clockwise. If the last seed of a lap falls into a hole with seeds, all of them are sown on. Laps also stop at a child, and where one is made. A sowing of more than 75 laps ends the game.
        Capture. Seeds are captured out of wegs. Captured seeds go to the mover's store. The player who captures moves again.
        Children. A last seed that makes a hole hold 4 seeds makes it the mover's weg; a last seed that falls into the opponent's weg takes two seeds out of it. Children are made of holes that the opponent owns only. A weg is sown into, but not moved; its seeds count for its owner.
        End. The player who fills 10 holes with captured seeds wins. It takes 38 seeds. A round ends when neither player has a move. The seeds left on the board then go to the owners of their holes. If a limit ends the game, the seeds left on the board are halved, an odd one going to whom has less.
        Rounds. The game is played in rounds. Each player owns as many holes as the own seeds fill, with a half hole rounded up, and all holes are dealt as at the start. The players start rounds in turn.
    ");
}

#[test]
fn the_rules_of_bao() {
    insta::assert_snapshot!(text(&with(BAO)), @r"
        Board. Each of the two players has a row of 7 holes. Each player has a store, at the right end of the own row. At the start: 4 seeds in every hole; 56 seeds altogether.
        Moves. In turn the players take all seeds of a hole of the own side and sow them, one by one, along the board. Closed holes cannot be moved. Before the first move of a game, the player who starts may lay out the own row anew, which the other row then copies, and gives up the move; or else captures nothing and makes no children until somebody did.
        Sowing. Sowing goes counter-clockwise. Closed holes are passed over. If the last seed of a lap falls into a hole with seeds, all of them are sown on. Laps go on only if the first one put a seed on the opponent's side. Laps also stop at a child, and where one is made. A sowing of more than 75 laps ends the game.
        Capture. If the last seed falls into an empty hole, the hole across is captured; a chain goes on along empty holes. The hole captured across is on the opponent's side, so that the last seed is on the mover's. After a capture the following hole is tried in the same way, and so on until one fails. A chain goes on in the direction of sowing. The single seed that captured across is taken too. Captured seeds go to the mover's store.
        Children. A last seed that makes a hole hold 4 seeds makes it the mover's child. Children are made on the opponent's side only, and not by a sowing of a single seed. A child is sown into, but neither moved nor captured; its seeds count for its owner.
        End. The player who wins rounds until the opponent cannot set up another wins the game. A round ends when the player to move has no move. The seeds left on the board then go to the owners of their holes. If a limit ends the game, the seeds left on the board are halved, an odd one going to whom has less.
        Rounds. The game is played in rounds. The board is shortened to the holes that the loser can fill with 4 seeds, from the loser's left, and one more with the loser's rest; the winner fills as many. Holes that were not filled are closed for the round. A player who has too few seeds to fill 1 hole has lost the game. The player who won a round starts the next.
    ");
}

#[test]
fn the_rules_of_giuthi() {
    insta::assert_snapshot!(text(&with(GIUTHI)), @r"
        Board. Each of the two players has a row of 8 holes. Each player has a store, at the right end of the own row. At the start: 6 seeds in every hole; 96 seeds altogether.
        Moves. In turn the players take all seeds of a hole of the own side with at least 2 seeds and sow them, one by one, along the board. A player without a move passes.
        Sowing. The mover chooses the direction of every sowing. Every lap goes in the other direction than the one before. If the last seed of a lap falls into a hole with seeds, all of them are sown on. A sowing of more than 75 laps ends the game.
        Capture. If the last seed falls into an empty hole, the hole across is captured; a chain goes on along empty holes. The hole captured across is on the opponent's side, so that the last seed is on the mover's. After a capture the following hole is tried in the same way, and so on until one fails. A chain goes on in the direction of sowing. The single seed that captured across is taken too. This needs a single last seed on the mover's side; if no seed came to the opponent's side in that move, the mover moves again instead. Captured seeds go to the mover's store.
        End. The player who wins rounds until the opponent cannot set up another wins the game. A round ends when neither player has a move. The seeds left on the board then go to the owners of their holes. If a limit ends the game, the seeds left on the board are halved, an odd one going to whom has less.
        Rounds. The game is played in rounds. The loser spreads the own seeds over the row at will, at least one a hole; the winner's row becomes the same. A player who has too few seeds for one in each hole and a move has lost the game. The player who won a round starts the next.
    ");
}

#[test]
fn the_rules_of_diffusion() {
    insta::assert_snapshot!(text(&with(DIFFUSION)), @r"
        Board. The board has two rows of 6 holes, and each player sits at one end: the holes 4 to 9 are player 1's side, the others player 2's. Player 1's store shows the seeds that are out of play. At the start: 4 seeds in every hole; 48 seeds altogether.
        Moves. In turn the players take all seeds of any hole of the board and spread them.
        Sowing. Seeds spread to the five neighbours of their hole, over the end of the board or into a hole of five seeds out of play; players own the left and the right half.
        End. The player who has no seeds left on the own side wins. If both sides are empty, the player who moved wins. A game that a limit ends is a tie.
    ");
}

#[test]
fn the_rules_of_songo() {
    insta::assert_snapshot!(text(&with(SONGO)), @r"
        Board. Each of the two players has a row of 7 holes. Each player has a store, at the right end of the own row. At the start: 5 seeds in every hole; 70 seeds altogether.
        Moves. In turn the players take all seeds of a hole of the own side and sow them, one by one, along the board. If the opponent has no seeds, a move must leave some there.
        Sowing. Sowing goes clockwise. The hole that was moved is passed over.
        Capture. If the hole of the last seed then holds exactly 2 or 4 seeds, they are captured. Only holes on the opponent's side are captured. After a capture the following hole is tried in the same way, and so on until one fails. A chain goes back, against the direction of sowing. Captured seeds go to the mover's store.
        End. The player who has more than half of the seeds wins. Play ends when the player to move has no move, or cannot give an opponent without seeds any. The seeds left on the board then go to the owners of their holes. The player who then has more seeds wins; equal numbers are a tie. If a limit ends the game, the seeds left on the board are halved, an odd one going to whom has less.
    ");
}

#[test]
fn the_rules_of_toguz_kumalak() {
    insta::assert_snapshot!(text(&with(TOGUZ_KUMALAK)), @r"
        Board. Each of the two players has a row of 9 holes. Each player has a store, at the right end of the own row. At the start: 9 seeds in every hole; 162 seeds altogether.
        Moves. In turn the players take the seeds of a hole of the own side and sow them, one by one, along the board.
        Sowing. Sowing goes counter-clockwise. One seed stays in the hole that was moved. A single seed moves on and leaves none.
        Capture. If the hole of the last seed then holds an even number of seeds, they are captured. Only holes on the opponent's side are captured. Captured seeds go to the mover's store.
        Children. A last seed that makes a hole hold 3 seeds makes it the mover's child; nobody has more than one. Children are made on the opponent's side only. The opponent's leftmost hole cannot become a child of the mover, nor can a hole whose counterpart in the other row, counted from its owner's left, is a child. A child is sown into, but neither moved nor captured; its seeds count for its owner.
        End. The player who has more than half of the seeds wins. Play ends when the player to move has no move. The seeds left on the board then go to the owners of their holes. The player who then has more seeds wins; equal numbers are a tie. If a limit ends the game, the seeds left on the board are halved, an odd one going to whom has less.
    ");
}

/// All values of a parameter, or a few if there are many.
fn values(parameter: &Parameter) -> Vec<Value> {
    let choices = (parameter.choices)();
    if !choices.is_empty() {
        return choices.iter().map(|choice| Value::Number(choice.number)).collect();
    }
    match parameter.get(&Params::default()) {
        Value::Bool(_) => vec![Value::Bool(true)],
        Value::List(_) => {
            vec![Value::List(vec![2]), Value::List(vec![2, 3]), Value::List((0..6).collect())]
        }
        _ => [-1, 1, 2, 3, 5, 7, 8, 12, 24].map(Value::Number).to_vec(),
    }
}

#[test]
fn no_parameter_is_left_unsaid() {
    let mut changes = 0;
    for base in GAMES {
        let params = with(base);
        let before = text(&params);
        for parameter in Params::ALL.iter().filter(|one| one.is_default(&params)) {
            for value in values(parameter) {
                let mut other = params.clone();
                assert!(parameter.set(&mut other, &value) || value == Value::Number(-1));
                if !parameter.is_default(&other) && is_a_game(&other) {
                    assert_ne!(text(&other), before, "{} {value} in {base}", parameter.name);
                    changes += 1;
                }
            }
        }
    }
    assert!(changes > 500, "{changes}");
}

#[test]
fn what_changes_nothing_is_said_so() {
    let said = text(&with(&format!("{KALAH} mlap_param=3 capt_dir=SOW")));
    let last = said.lines().last().expect("a line");
    assert_eq!(
        last,
        "Without effect. These settings change nothing here: mlap_param 3 and capt_dir SOW."
    );
    assert!(GAMES.iter().all(|game| !text(&with(game)).contains("Without effect")));
}

/// Laps that capture continue in one of three ways, and rules about single laps are left out of
/// games with laps.
#[test]
fn where_laps_go_on_is_said() {
    let said = |game: &str| text(&catalogue::find(game).expect(game).file().params);
    assert!(said("lahemay_waladat").contains("the next lap begins with the hole that follows."));
    assert!(!said("san_yao").contains("without laps"));
    assert!(said("diffusion").contains("Player 1's store shows the seeds that are out of play."));
}

/// If a move may be sown either way, a backward chain still has a fixed direction.
#[test]
fn a_chain_against_the_set_direction_is_told_by_its_own() {
    let said = |game: &str| text(&catalogue::find(game).expect(game).file().params);
    assert!(said("mbangbi").contains("A chain goes clockwise, whichever way was sown."));
    assert!(said("oware").contains("A chain goes back, against the direction of sowing."));
}

/// Settings without effect in the catalogue: the direction of a missing chain or of a chosen move,
/// unused numbers, and settlements that cannot occur.
#[test]
fn next_to_nothing_of_the_catalogue_is_without_effect() {
    let mut idle = BTreeSet::new();
    for entry in catalogue::ENTRIES {
        let params = entry.file().params;
        let names = without_effect(&params, &rules(&params));
        idle.extend(names.iter().filter_map(|one| one.split(' ').next().map(str::to_owned)));
    }
    assert_eq!(
        idle.into_iter().collect::<Vec<_>>(),
        ["capt_dir", "goal_param", "sow_direct", "unclaimed"]
    );
}

/// A parameter and a value, sensible or not.
fn setting() -> impl Strategy<Value = (&'static Parameter, Value)> {
    let number = prop_oneof![-2..30_i64, Just(i64::from(i32::MAX)), Just(i64::from(i32::MIN))];
    let list = prop::collection::vec(-1..25_i64, 0..8);
    let some = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        number.prop_map(Value::Number),
        list.prop_map(Value::List),
    ];
    let parameter = select((0..Params::ALL.len()).collect::<Vec<_>>());
    (parameter, any::<Index>(), any::<bool>(), some).prop_map(|(at, index, sane, some)| {
        let parameter = &Params::ALL[at];
        let good = values(parameter);
        (parameter, if sane { good[index.index(good.len())].clone() } else { some })
    })
}

proptest! {
    #[test]
    fn any_parameters_are_checked_and_any_game_described(
        base in select(GAMES),
        changes in prop::collection::vec(setting(), 0..12),
    ) {
        let mut params = with(base);
        for (parameter, value) in changes {
            parameter.set(&mut params, &value);
        }
        if is_a_game(&params) {
            for section in describe(&params) {
                prop_assert!(!section.sentences.is_empty());
                for sentence in section.sentences {
                    prop_assert!(sentence.ends_with('.'), "{}", sentence);
                    prop_assert!(!sentence.contains(['`', '_']) || section.title == "Without effect", "{}", sentence);
                }
            }
        }
    }
}
