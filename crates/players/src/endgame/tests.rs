//! Tests of whole tables against independently computed values, and of damaged files.

use std::collections::BTreeMap;
use std::sync::Arc;

use pitmaster_core::{Seed, Side, below};
use pitmaster_games::coloured_awale::ColouredAwale;
use pitmaster_games::two_row::catalogue::ENTRIES;
use pitmaster_games::two_row::params::{Goal, Params, Unclaimed};
use pitmaster_games::two_row::{Phase, Position, TwoRow};
use pitmaster_games::{AnyRules, MoveList, Rules, Turn, look_up};

use super::{Bounds, Endgame as _, EndgameError, EndgameTable, Verified};
use crate::{
    Before, Expert, ExpertOptions, Judged as _, Searcher as _, TwoRowJudge, Unlimited, Verdict,
};

pub(crate) fn game(name: &str) -> TwoRow {
    match look_up(&name.parse().expect(name)).expect(name).rules {
        AnyRules::TwoRow(rules) => rules,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn table(name: &str, most: u32) -> EndgameTable {
    EndgameTable::build(&game(name), most, |_| {}).expect(name)
}

/// Seeds by hole and the side to move.
type Key = (Vec<u16>, Side);

/// Bounds of all positions with few seeds, computed by repeated passes over a map under the
/// original rules, without numbering, symmetry and seed counts.
fn plainly(rules: &TwoRow, holes: usize, most: u16) -> BTreeMap<Key, [i32; 2]> {
    let mut boards = vec![Vec::new()];
    for _ in 0..holes {
        boards = boards
            .into_iter()
            .flat_map(|board: Vec<u16>| {
                let left = most - board.iter().sum::<u16>();
                (0..=left).map(move |seeds| [&board[..], &[seeds]].concat())
            })
            .collect();
    }
    let keys = boards.into_iter().flat_map(|board| Side::BOTH.map(|side| (board.clone(), side)));
    let mut values: BTreeMap<Key, [i32; 2]> = keys
        .map(|key| {
            let left = i32::from(key.0.iter().sum::<u16>());
            (key, [-left, left])
        })
        .collect();
    loop {
        let pass =
            |(key, _): (&Key, &[i32; 2])| Some((key.clone(), one_pass(rules, key, &values)?));
        let next: BTreeMap<_, _> = values.iter().filter_map(pass).collect();
        if next == values {
            return values;
        }
        values = next;
    }
}

/// Position whose stores are far from half of the seeds.
fn position(rules: &TwoRow, (board, side): &Key) -> Position {
    let mut position = Position { side: *side, moves: 3, turns: 3, ..rules.start() };
    position.seeds = [0; _];
    position.seeds[..board.len()].copy_from_slice(board);
    position
}

/// Bounds for player 1; `None` without a move.
fn one_pass(rules: &TwoRow, key: &Key, values: &BTreeMap<Key, [i32; 2]>) -> Option<[i32; 2]> {
    let before = position(rules, key);
    let mut list = MoveList::default();
    rules.moves(&before, &mut list);
    let after = list.moves.iter().map(|mv| {
        let mut after = before.clone();
        rules.play(&mut after, mv, &mut ());
        let lead = |one: u32, two: u32| one.cast_signed() - two.cast_signed();
        match rules.turn(&after) {
            Turn::Player(side) => {
                let gain = lead(after.stores.one.into(), after.stores.two.into());
                let value = values[&(after.seeds[..key.0.len()].to_vec(), side)];
                value.map(|value| gain + value)
            }
            Turn::Over(outcome) => [lead(outcome.score.one, outcome.score.two); 2],
            Turn::Chance => panic!("chance"),
        }
    });
    let best: fn(i32, i32) -> i32 = if key.1 == Side::One { i32::max } else { i32::min };
    after.reduce(|a, b| [best(a[0], b[0]), best(a[1], b[1])])
}

/// Compares a table with all plainly computed values. Returns the numbers of exact values and of
/// bounds.
fn compare(name: &str, holes: usize, most: u16) -> [usize; 2] {
    let (rules, table) = (game(name), table(name, most.into()));
    let values = plainly(&rules, holes, most);
    let mut counts = [0; 2];
    for (key, [low, high]) in &values {
        let found = table.probe(&position(&rules, key));
        assert_eq!(found, Some(Bounds { low: *low, high: *high }), "{name} {key:?}");
        counts[usize::from(low < high)] += 1;
    }
    // Positions without a value here are unreachable there.
    assert_eq!(table.counts().iter().sum::<u64>() * 2, values.len() as u64);
    counts
}

#[test]
fn all_positions_with_few_seeds_have_the_values_of_plain_search() {
    // The original rules end a game at more than half, which so few seeds cannot reach.
    assert_eq!(compare("oware", 12, 4), [2130, 896]);
    let [exact, bounds] = compare("oware,holes=3", 6, 8);
    assert!(exact > 0 && bounds > 0, "{exact} exact, {bounds} bounds");
    for (name, holes, most) in
        [("kalah", 12, 4), ("kalah_empty,holes=3", 6, 8), ("kalah_late,holes=4", 8, 6)]
    {
        assert_eq!(compare(name, holes, most)[1], 0, "{name}: nothing is endless");
    }
}

#[test]
fn random_positions_with_more_seeds_agree_with_plain_search() {
    for (name, most) in [("oware", 6), ("kalah_empty,holes=4", 9)] {
        let verified = table(name, most).verify(60, Seed(1), || {});
        assert_eq!(verified.positions, 60);
        assert!(verified.proven > 20, "{name}: {verified:?}");
        assert_eq!(verified.wrong, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_wrong_value_is_found() {
    let table = table("kalah,holes=3", 6);
    for entry in table.levels.iter().flatten() {
        let [low, high] = super::unpack(entry.load(super::Relaxed));
        if low == high {
            entry.store(super::pack([low + 1, high + 1]), super::Relaxed);
        }
    }
    let verified = table.verify(20, Seed(2), || {});
    assert!(verified.wrong.len() > 10);
    assert!(verified.proven + verified.wrong.len() as u64 <= verified.positions, "{verified:?}");
}

#[test]
fn a_table_without_reachable_positions_is_verified_at_once() {
    // A single seed is too few for a move.
    let table = table("oware,min_move=2", 1);
    assert_eq!(table.counts(), [0, 0]);
    assert_eq!(table.verify(5, Seed(1), || {}), Verified::default());
}

#[test]
fn stores_count_and_the_side_turns_the_value() {
    let (rules, table) = (game("kalah"), table("kalah", 3));
    // Player 1 moves 6 and then 5 into the store and wins both seeds; player 2 has one.
    let text = |position: &str| {
        let position = rules.parse_position(position).expect(position);
        table.probe(&position)
    };
    let mut one = Position { moves: 3, turns: 3, ..rules.start() };
    one.seeds = [0; _];
    one.seeds[5] = 1;
    one.seeds[11] = 1;
    one.stores.one = 20;
    one.stores.two = 23;
    // The last seed of player 1's row ends the game; player 2 gets the other.
    assert_eq!(table.probe(&one), Some(Bounds { low: -3, high: -3 }));
    let two = Position { side: Side::Two, ..one.clone() };
    assert_eq!(table.probe(&two), Some(Bounds { low: -3, high: -3 }));
    one.phase = Phase::Over(None, pitmaster_games::two_row::Clause::Goal);
    assert_eq!(table.probe(&one), None);
    assert_eq!(text(&rules.position_text(&rules.start())), None, "too many seeds");
}

#[test]
fn any_number_of_threads_makes_the_same_table() {
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let mut bytes = Vec::new();
        pool.install(|| table("oware,holes=4", 9)).write(&mut bytes).expect("memory");
        bytes
    };
    assert_eq!(bytes(1), bytes(4));
}

#[test]
fn games_that_a_table_covers_are_named() {
    let covered = |entry: &&pitmaster_games::two_row::catalogue::Entry| {
        EndgameTable::fits(&TwoRow::new(entry.file().params), 1 << 20).is_ok()
    };
    let names: Vec<_> = ENTRIES.iter().filter(covered).map(|entry| entry.slug).collect();
    insta::assert_snapshot!(names.join(" "), @"adji_kui_i al_manqala bakuk bohnenspiel crosscapt halusa kalah kalah_empty kalah_late kale mangala_ii micro_wari nocapt oware simplecapt songo tihbat vai_lun_thlan voleur wari");
    let refused =
        |name: &str| EndgameTable::fits(&game(name), 1 << 20).expect_err(name).to_string();
    insta::assert_snapshot!(refused("congkak"), @"there are no endgame tables for this game: it has mlaps=LAPPER");
    let changed = |change: fn(&mut Params)| {
        let mut params = game("kalah").params().clone();
        change(&mut params);
        EndgameTable::fits(&TwoRow::new(params), 1 << 20).expect_err("refused").to_string()
    };
    insta::assert_snapshot!(changed(|params| params.goal = Goal::Clear), @"there are no endgame tables for this game: it has goal=CLEAR");
    insta::assert_snapshot!(changed(|params| params.unclaimed = Unclaimed::Divvied), @"there are no endgame tables for this game: it has unclaimed=DIVVIED");
}

#[test]
fn seeds_that_fit_into_memory() {
    let fits = |name: &str, memory| EndgameTable::fits(&game(name), memory).ok();
    assert_eq!(fits("oware", 1 << 30), Some(21));
    assert_eq!(fits("kalah", 1 << 20), Some(9));
    assert_eq!(fits("kalah,holes=3", 1 << 20), Some(23));
    assert_eq!(fits("oware", 10), None);
    // Sizes that do not fit into 64 bits do not fit into any memory.
    let bytes = |most| EndgameTable::bytes(&game("oware,holes=21"), most);
    let most = fits("oware,holes=21", u64::MAX).expect("some seeds fit");
    assert!(bytes(most) < u64::MAX && bytes(most + 1) == u64::MAX, "{most}");
    assert_eq!(EndgameTable::bytes(&game("oware"), 21), 2 * 354_817_320);
}

#[test]
fn a_written_table_is_read() {
    let table = table("oware", 5);
    let mut bytes = Vec::new();
    table.write(&mut bytes).expect("memory");
    let read = EndgameTable::read(&game("oware::6x6"), &mut &bytes[..]).expect("the same rules");
    assert_eq!((read.most(), read.positions()), (5, table.positions()));
    let header = EndgameTable::read_header(&game("oware"), &mut &bytes[..]).expect("a header");
    assert_eq!((header.most, header.length), (5, bytes.len() as u64));
    let mut file = std::io::Cursor::new(&bytes);
    let sum = EndgameTable::read_checksum(&mut file).expect("a checksum");
    assert_eq!(sum, bytes[bytes.len() - 32..]);
    let mut again = Vec::new();
    read.write(&mut again).expect("memory");
    assert_eq!(again, bytes);
}

#[test]
fn what_is_no_whole_table_of_the_game_is_refused() {
    let mut bytes = Vec::new();
    table("oware", 3).write(&mut bytes).expect("memory");
    let read = |game_name: &str, bytes: &[u8]| {
        EndgameTable::read(&game(game_name), &mut &bytes[..]).expect_err("refused")
    };
    for length in [0, 10, 23] {
        assert!(matches!(read("oware", &bytes[..length]), EndgameError::Foreign), "{length}");
    }
    let mut rng = Seed(3).stream("cuts");
    for _ in 0..200 {
        let length = 24 + below(&mut rng, bytes.len() as u64 - 24) as usize;
        assert!(matches!(read("oware", &bytes[..length]), EndgameError::Damaged), "{length}");
    }
    let mut version = bytes.clone();
    version[24] = b'2';
    assert!(matches!(read("oware", &version), EndgameError::Version));
    for place in [bytes.len() - 1, bytes.len() - 40, bytes.len() / 2] {
        let mut flipped = bytes.clone();
        flipped[place] ^= 4;
        assert!(matches!(read("oware", &flipped), EndgameError::Damaged), "{place}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert!(matches!(read("oware", &longer), EndgameError::Damaged));
    insta::assert_snapshot!(read("kalah", &bytes), @"made for other rules (it differs in capt_on, crosscapt, end_cond, grandslam, multicapt, mustshare, skip_start, sow_stores, xcpickown); make one for this game with `pitmaster tables`");
    insta::assert_snapshot!(read("oware", b"PK\x03\x04 something else, and long enough"), @"not an endgame table; make one with `pitmaster tables`");
}

fn expert(
    rules: &TwoRow,
    nodes: u64,
    table: Option<&Arc<EndgameTable>>,
) -> Expert<TwoRow, TwoRowJudge> {
    let options = ExpertOptions { nodes, ..ExpertOptions::default() };
    let endgame = table.and_then(|table| rules.endgame(table));
    assert_eq!(endgame.is_some(), table.is_some());
    let mut expert = Expert::new(rules.judge(), options).with_endgame(endgame);
    expert.begin(Seed(0));
    expert
}

/// Plays a position to the end. Returns the final lead of player 1; `None` if it never ends.
fn played_out(
    rules: &TwoRow,
    mut position: Position,
    table: &Arc<EndgameTable>,
    expert: &mut Expert<TwoRow, TwoRowJudge>,
) -> Option<i32> {
    let value = table.probe(&position)?.exact()?;
    for _ in 0..300 {
        match rules.turn(&position) {
            Turn::Over(outcome) => {
                return Some(outcome.score.one.cast_signed() - outcome.score.two.cast_signed());
            }
            _ => assert_eq!(table.probe(&position).and_then(Bounds::exact), Some(value)),
        }
        let chosen = expert.choose(rules, &position, &mut Unlimited);
        let lead = if position.side == Side::One { value } else { -value };
        assert_eq!(chosen.thought.seeds, Some(lead.into()));
        rules.play(&mut position, &chosen.mv, &mut ());
    }
    None
}

#[test]
fn an_expert_with_a_table_gets_what_the_table_says() {
    for name in ["kalah_empty,holes=4", "oware,holes=4"] {
        let table = Arc::new(table(name, 10));
        let open = EndgameTable::open_ended(&game(name)).expect(name);
        let mut expert = expert(&open, 2000, Some(&table));
        let (mut rng, mut ended, mut tried) = (Seed(4).stream("positions"), 0, 0);
        while tried < 40 {
            let number = below(&mut rng, table.numbering.boards(10));
            let board = table.numbering.board(number, 10);
            let position = super::build::Expander::new(&open).set(&board).clone();
            let Some(value) = table.probe(&position).and_then(Bounds::exact) else { continue };
            tried += 1;
            if let Some(lead) = played_out(&open, position, &table, &mut expert) {
                assert_eq!(lead, value, "{name} {board:?}");
                ended += 1;
            }
        }
        assert!(ended >= 36, "{name}: {ended} of {tried} games ended");
    }
}

#[test]
fn near_the_ply_limit_the_table_is_not_used() {
    let name = "kalah_empty,holes=4";
    let rules = EndgameTable::open_ended(&game(name)).expect(name);
    let table = Arc::new(table(name, 10));
    let mut experts = [None, Some(&table)].map(|table| expert(&rules, u64::MAX, table));
    let (mut rng, mut differ) = (Seed(6).stream("positions"), 0);
    for _ in 0..60 {
        let number = below(&mut rng, table.numbering.boards(10));
        let board = table.numbering.board(number, 10);
        let position = super::build::Expander::new(&rules).set(&board).clone();
        let Some(value) = table.probe(&position).and_then(Bounds::exact) else { continue };
        let thoughts = experts.each_mut().map(|expert| {
            expert.begin(Seed(0));
            let mut unlimited = Unlimited;
            let chosen = expert.choose(&rules, &position, &mut Before::new(&mut unlimited, 3));
            (chosen.mv, chosen.thought.seeds, chosen.thought.verdict)
        });
        assert_eq!(thoughts[0], thoughts[1], "{board:?}");
        let margin = thoughts[0].2.and_then(|verdict| verdict.margin);
        differ += usize::from(margin.is_some_and(|margin| margin != value.abs()));
    }
    // Three plies end few of these games.
    assert!(differ > 10, "{differ}");
}

/// Verdict on the start of a game that is played until no move is left.
fn solved(name: &str, table: Option<u32>) -> (Verdict, u64) {
    let rules = game(name);
    let open = EndgameTable::open_ended(&rules).expect(name);
    let start = Position { seeds: rules.start().seeds, ..open.start() };
    let table = table.map(|most| Arc::new(self::table(name, most)));
    let thought =
        expert(&open, u64::MAX, table.as_ref()).choose(&open, &start, &mut Unlimited).thought;
    (thought.verdict.expect("every line is followed to its end"), thought.nodes)
}

#[test]
fn a_search_finds_the_same_with_and_without_a_table() {
    for (name, seeds) in [("kalah_empty,holes=3,seeds=2", 12), ("kalah,holes=2,seeds=3", 12)] {
        let (without, nodes) = solved(name, None);
        let (with, fewer) = solved(name, Some(seeds / 2));
        assert_eq!(without, with, "{name}");
        assert!(fewer < nodes, "{name}: {fewer} nodes instead of {nodes}");
        // A table of all seeds contains the answer.
        assert_eq!(solved(name, Some(seeds)).0, without, "{name}");
    }
}

/// All positions of four holes on a side with three seeds each, and a search that knows few of them.
#[test]
#[ignore = "slow: minutes"]
fn small_games_of_kalah_are_solved_in_two_ways() {
    for name in ["kalah_empty,holes=4,seeds=3", "kalah,holes=4,seeds=3"] {
        let (whole, _) = solved(name, Some(24));
        let (searched, nodes) = solved(name, Some(12));
        println!("{name}: {searched} after {nodes} nodes");
        assert_eq!(searched, whole, "{name}");
    }
}

/// With the last 10 seeds on the board, the player behind would need nearly all of them in one
/// move. That is why there is no table.
#[test]
fn coloured_awale_is_nearly_decided_when_ten_seeds_are_left() {
    let rules = ColouredAwale::default();
    let (mut list, mut met) = (MoveList::default(), 0);
    for game in 0..5000 {
        let (mut rng, mut position) = (Seed(game).stream("random"), rules.start());
        while let Turn::Player(_) = rules.turn(&position) {
            let score = rules.score(&position);
            if score.one + score.two == 96 - 10 {
                assert!(score.one.abs_diff(score.two) >= 8, "{score:?}");
                met += 1;
            }
            rules.moves(&position, &mut list);
            let mv = list.moves[below(&mut rng, list.moves.len() as u64) as usize];
            rules.play(&mut position, &mv, &mut ());
        }
    }
    println!("{met} positions with 10 seeds in 5000 random games");
    assert!((1..5000).contains(&met), "{met}");
}
