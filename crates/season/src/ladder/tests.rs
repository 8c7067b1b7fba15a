//! Scenes of a small ladder.

use std::collections::BTreeSet;
use std::time::Duration;

use pitmaster_core::{BySide, Mark, Seed};

use super::*;
use crate::course::EntryId;

const SECOND: Duration = Duration::from_secs(1);

/// A version of a group's first bot.
pub(super) fn newcomer(group: u16, number: u8) -> Newcomer {
    let group = group.to_le_bytes();
    let bytes = |number: u8| {
        let mut bytes = [0; 12];
        bytes[..3].copy_from_slice(&[group[0], group[1], number]);
        bytes
    };
    Newcomer {
        version: VersionId::of(bytes(number)),
        entry: EntryId::of(bytes(0)),
        group: GroupId::of(bytes(0)),
        is_ranked: true,
    }
}

fn ladder(groups: u16) -> Ladder {
    let mut ladder = Ladder::new(LadderSettings::default(), Seed(7));
    ladder.add_house("house:random", 800.0);
    for group in 1..=groups {
        ladder.add(Utc(group.into()), newcomer(group, 1));
    }
    ladder
}

fn pair(task: Option<Task>) -> Pair {
    match task {
        Some(Task::Pair(pair)) => pair,
        other => panic!("no pair: {other:?}"),
    }
}

/// A game with this result for player 1. It is distinct if its fingerprint is new.
fn game(mark: Mark, fingerprint: u64) -> PlayedGame {
    let marks = match mark {
        Mark::Win => BySide::new(Mark::Win, Mark::Loss),
        Mark::Draw => BySide::new(Mark::Draw, Mark::Draw),
        Mark::Loss => BySide::new(Mark::Loss, Mark::Win),
    };
    let (faults, failed) = (BySide::default(), BySide::default());
    PlayedGame { marks, faults, fingerprint, failed }
}

/// Both games, won by the pair's first player.
fn won(fingerprint: u64) -> Outcome {
    let games = [game(Mark::Win, fingerprint), game(Mark::Loss, fingerprint + 1)];
    Outcome::Pair { games, lane_time: SECOND }
}

fn refit(ladder: &mut Ladder, now: Utc) {
    let fitted = ladder.refit().expect("something is new").run();
    ladder.fitted(fitted, now);
}

#[test]
fn newcomers_play_first_in_order_of_arrival_and_groups_never_meet_themselves() {
    let mut ladder = ladder(3);
    let second = Newcomer { entry: EntryId::of([9; 12]), ..newcomer(3, 2) };
    ladder.add(Utc(9), second);
    let first: Vec<Pair> = (0..3).map(|at| pair(ladder.next(Utc(10 + at)))).collect();
    assert_eq!(first[0].a, Player(1), "who came first");
    let all: BTreeSet<Player> = first.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    assert!((1..=4).map(Player).all(|player| all.contains(&player)), "{first:?}");
    for at in 0..200 {
        let pair = pair(ladder.next(Utc(20 + at)));
        let group = |player| ladder.entrant(player).version().map(|own| own.group);
        assert_ne!(group(pair.a), group(pair.b), "{pair:?}");
    }
}

#[test]
fn a_replaced_version_begins_no_pair_and_its_running_pair_counts() {
    let mut ladder = ladder(3);
    let first = pair(ladder.next(Utc(10)));
    assert_eq!(first.a, Player(1));
    let newer = ladder.add(Utc(11), newcomer(1, 2));
    for at in 0..50 {
        let pair = pair(ladder.next(Utc(12 + at)));
        assert!(pair.a != Player(1) && pair.b != Player(1), "{pair:?}");
    }
    ladder.record(first.number, won(1)).expect("was given out");
    assert_eq!(ladder.record(first.number, won(1)), Err(RecordError::Unknown(first.number)));
    refit(&mut ladder, Utc(100));
    let [old, new] = [Player(1), newer].map(|player| ladder.rating(player).expect("rated"));
    assert!((old.elo - new.elo).abs() < 1.0, "no game tells them apart: {old:?} {new:?}");
    assert!(!ladder.table(Utc(100)).iter().any(|row| row.player == Player(1)));
    // Back to the old one.
    assert_eq!(ladder.add(Utc(101), newcomer(1, 1)), Player(1));
    assert!(!ladder.table(Utc(101)).iter().any(|row| row.player == newer));
}

#[test]
fn validation_comes_first_and_is_given_out_again_if_it_was_lost() {
    let mut ladder = ladder(2);
    let waiting = newcomer(5, 1).version;
    ladder.validate(waiting);
    let task = ladder.next(Utc(10)).expect("work");
    assert_eq!(task, Task::Validation { number: 1, version: waiting });
    assert_eq!(ladder.record(1, won(1)), Err(RecordError::OtherKind(1)));
    ladder.record(1, Outcome::Lost).expect("was given out");
    let again = ladder.next(Utc(11)).expect("work");
    assert_eq!(again, Task::Validation { number: 2, version: waiting });
    ladder.record(2, Outcome::Unrated { lane_time: SECOND }).expect("was given out");
    assert!(matches!(ladder.next(Utc(12)), Some(Task::Pair(_))));
}

/// Gives out tasks, and records rated pairs at once. Returns the requested pairs.
fn requested(ladder: &mut Ladder, tasks: i64) -> Vec<(u64, AskId)> {
    let mut asked = Vec::new();
    for at in 0..tasks {
        match ladder.next(Utc(1000 + at)).expect("work") {
            Task::Asked { number, id } => asked.push((number, id)),
            task => _ = ladder.record(task.number(), won(task.number() * 2)).expect("given out"),
        }
    }
    asked
}

const UNRATED: Outcome = Outcome::Unrated { lane_time: SECOND };

#[test]
fn requested_pairs_are_played_and_not_rated() {
    let mut ladder = self::ladder(2);
    let [id, none] = [1, 2].map(|number| AskId::of([number; 12]));
    ladder.ask(Ask { id, group: newcomer(1, 1).group, pairs: 2 });
    ladder.ask(Ask { id: none, group: newcomer(2, 1).group, pairs: 0 });
    let asked = requested(&mut ladder, 100);
    let revision = ladder.revision;
    let [(first, one), (second, other)] = asked[..] else { panic!("{asked:?}") };
    assert_eq!([one, other], [id, id]);
    assert_eq!(ladder.record(first, won(1)), Err(RecordError::OtherKind(first)));
    assert_eq!(ladder.record(first, UNRATED), Ok(Recorded::default()));
    let last = ladder.record(second, UNRATED).expect("was given out");
    assert_eq!((last.answered, last.given_up), (Some(id), None));
    assert_eq!(ladder.revision, revision, "nothing is rated");
}

#[test]
fn groups_get_requested_pairs_in_turn() {
    let mut ladder = self::ladder(2);
    let asks = [1, 2].map(|number| AskId::of([number; 12]));
    for (id, group) in asks.into_iter().zip([1, 2]) {
        ladder.ask(Ask { id, group: newcomer(group, 1).group, pairs: 20 });
    }
    let asked = requested(&mut ladder, 200);
    assert!(asked.len() > 10, "{asked:?}");
    assert!(asked.windows(2).all(|two| two[0].1 != two[1].1), "{asked:?}");
}

#[test]
fn a_canceled_request_begins_no_pair() {
    let mut ladder = self::ladder(2);
    let id = AskId::of([1; 12]);
    ladder.ask(Ask { id, group: newcomer(1, 1).group, pairs: 20 });
    let mut asked = Vec::new();
    while asked.is_empty() {
        asked = requested(&mut ladder, 1);
    }
    ladder.cancel(id);
    assert_eq!(requested(&mut ladder, 200), []);
    let last = ladder.record(asked[0].0, UNRATED).expect("was given out");
    assert_eq!(last.answered, Some(id));
}

#[test]
fn consecutive_failures_suspend_a_version() {
    let mut ladder = ladder(2);
    let bad = Player(1);
    let mut suspended = Vec::new();
    for at in 0..40 {
        let Some(Task::Pair(pair)) = ladder.next(Utc(at)) else { break };
        let failed = BySide::new(pair.a == bad, pair.b == bad);
        let first = PlayedGame { failed, ..game(Mark::Draw, at as u64) };
        let second = PlayedGame { failed: failed.swapped(), ..first };
        let outcome = Outcome::Pair { games: [first, second], lane_time: SECOND };
        suspended.extend(ladder.record(pair.number, outcome).expect("was given out").suspended);
    }
    assert_eq!(suspended, [newcomer(1, 1).version]);
    assert!(ladder.table(Utc(50)).iter().all(|row| row.player != bad));
    let tally = ladder.slots[bad.index()].tally;
    assert_eq!(tally.games(), 10);
}

#[test]
fn who_only_repeats_its_games_sleeps_and_still_gets_a_few_pairs_a_day() {
    let mut ladder = ladder(2);
    let mut played = 0;
    let mut now = Utc(0);
    while let Some(task) = ladder.next(now) {
        ladder.record(task.number(), won(1)).expect("was given out");
        refit(&mut ladder, now);
        (played, now) = (played + 1, now.plus(SECOND));
        assert!(played < 100, "they go on for ever");
    }
    assert!(ladder.table(now).iter().filter(|row| row.is_asleep).count() == 2);
    now = now.plus(Duration::from_hours(25));
    assert!(ladder.next(now).is_some());
}

#[test]
fn opponents_change_while_there_are_others() {
    let mut ladder = ladder(12);
    let mut last: BTreeMap<Player, Vec<Player>> = BTreeMap::new();
    for at in 0..300 {
        let Pair { number, a, b, .. } = pair(ladder.next(Utc(at)));
        let before = last.entry(a).or_default();
        let recent: BTreeSet<_> = before.iter().rev().take(5).collect();
        assert!(!recent.contains(&b), "{a:?} meets {b:?} again: {before:?}");
        before.push(b);
        last.entry(b).or_default().push(a);
        ladder.record(number, won(number * 2)).expect("was given out");
    }
}

#[test]
fn the_table_has_ranks_trends_and_marks() {
    let mut ladder = ladder(2);
    let mut now = Utc(0);
    for _ in 0..10 {
        let pair = pair(ladder.next(now));
        // The higher number is stronger.
        let marks = if pair.a > pair.b { Mark::Win } else { Mark::Loss };
        let other = if pair.a > pair.b { Mark::Loss } else { Mark::Win };
        let games = [game(marks, pair.number * 2), game(other, pair.number * 2 + 1)];
        let outcome = Outcome::Pair { games, lane_time: SECOND };
        ladder.record(pair.number, outcome).expect("was given out");
        refit(&mut ladder, now);
        now = now.plus(Duration::from_hours(24));
    }
    let rows = ladder.table(now);
    let shown: Vec<_> = rows.iter().map(|row| (row.player.0, row.rank)).collect();
    assert_eq!(shown, [(2, Some(1)), (1, Some(2)), (0, None)]);
    let house = rows[2].rating.expect("given");
    assert!((house.elo - 800.0).abs() < 1e-9, "{house:?}");
    assert!(rows[0].trend.is_some_and(|trend| trend > 0.0) && rows[2].trend.is_none());
    assert!(rows[0].is_newcomer);
}

#[test]
fn a_lost_pair_leaves_no_trace_but_its_number() {
    let mut ladder = ladder(2);
    let pair = pair(ladder.next(Utc(5)));
    assert_eq!(ladder.running().count(), 1);
    assert_eq!(ladder.record(pair.number, Outcome::Lost), Ok(Recorded::default()));
    assert!(ladder.slots.iter().all(|slot| slot.pairs == 0));
    assert!(ladder.group_accounts.used(0).abs() < 1e-9);
    assert_eq!(ladder.running().count(), 0);
}

/// Otherwise a bot whose games are always void would stay the first newcomer forever.
#[test]
fn a_version_whose_pairs_are_always_lost_does_not_hog_the_lanes() {
    let mut ladder = ladder(4);
    let bad = Player(1);
    let mut given = [0; 2];
    for at in 0..400 {
        let Pair { number, a, b, .. } = pair(ladder.next(Utc(at)));
        let is_bad = a == bad || b == bad;
        given[usize::from(is_bad)] += 1;
        let outcome = if is_bad { Outcome::Lost } else { won(number * 2) };
        ladder.record(number, outcome).expect("was given out");
    }
    assert!(given[0] > 150, "{given:?}");
    let settings = LadderSettings::default();
    assert!(!ladder.slots[bad.index()].is_newcomer(&settings), "{:?}", ladder.slots[bad.index()]);
    // The first losses are excused, and a played pair resets the count.
    let mut ladder = self::ladder(1);
    for round in 0..3 {
        for at in 0..settings.excused_losses {
            let pair = pair(ladder.next(Utc(at.into())));
            ladder.record(pair.number, Outcome::Lost).expect("was given out");
        }
        assert_eq!(ladder.slots[bad.index()].pairs, round);
        let pair = pair(ladder.next(Utc(9)));
        ladder.record(pair.number, won(pair.number * 2)).expect("was given out");
    }
}

/// The first group of a course has no opponent but house bots, so all uncertainty is common.
#[test]
fn a_lone_version_plays_until_its_rating_is_precise() {
    let mut ladder = Ladder::new(LadderSettings::default(), Seed(7));
    for (name, elo) in
        [("house:random", 600.0), ("house:greedy", 1400.0), ("house:minimaxer", 2200.0)]
    {
        ladder.add_house(name, elo);
    }
    ladder.add(Utc(0), newcomer(1, 1));
    for at in 0..20 {
        let Pair { number, b, .. } = pair(ladder.next(Utc(at)));
        let marks = match b.index() {
            0 => [Mark::Win, Mark::Loss],
            1 => [Mark::Win, Mark::Win],
            _ => [Mark::Loss, Mark::Win],
        };
        let games = [game(marks[0], number * 2), game(marks[1], number * 2 + 1)];
        ladder.record(number, Outcome::Pair { games, lane_time: SECOND }).expect("given out");
        refit(&mut ladder, Utc(at));
    }
}

#[test]
fn a_request_whose_pairs_are_always_lost_ends() {
    let mut ladder = self::ladder(2);
    let id = AskId::of([1; 12]);
    ladder.ask(Ask { id, group: newcomer(1, 1).group, pairs: 2 });
    let (mut given_up, mut asked) = (Vec::new(), 0);
    for _ in 0..300 {
        for (number, _) in requested(&mut ladder, 1) {
            asked += 1;
            let recorded = ladder.record(number, Outcome::Lost).expect("was given out");
            assert_eq!(recorded.answered, None);
            given_up.extend(recorded.given_up);
        }
    }
    assert_eq!((asked, &given_up[..]), (LadderSettings::default().excused_losses + 1, &[id][..]));
}

#[test]
fn a_ladder_is_restored_from_what_was_given_out_and_recorded() {
    let mut live = ladder(6);
    let mut restored = ladder(6);
    for at in 0..60 {
        let task = live.next(Utc(at)).expect("work");
        restored.resume(task, Utc(at));
        let outcome = won(task.number() * 2);
        for each in [&mut live, &mut restored] {
            each.record(task.number(), outcome).expect("was given out");
        }
    }
    for each in [&mut live, &mut restored] {
        refit(each, Utc(60));
    }
    let [one, other] = [&live, &restored].map(|each| each.table(Utc(60)));
    assert_eq!(one, other);
}
