//! Lists of games by bot.

use super::*;

fn between(one: &str, two: &str, pair: u32, winner: Option<Side>) -> Record {
    let key = GameKey { bots: BySide::new(bot(one), bot(two)), ..plain(pair).key };
    let ending = Ending::Rules { clause: "49+".into(), winner, score: Score::new(3, 4) };
    Record { key, ending, ..plain(pair) }
}

fn name(name: &str) -> pitmaster_core::BotName {
    bot(name).name
}

#[test]
fn lists_begin_with_the_latest_game_and_go_on_where_they_ended() {
    let folder = folder();
    let store = open(&folder);
    store.index_lists().expect("indexes");
    store.index_lists().expect("has them");
    let records = [
        between("a", "b", 1, Some(Side::One)),
        between("b", "a", 1, Some(Side::One)),
        between("a", "c", 1, None),
        between("c", "a", 1, Some(Side::Two)),
        between("b", "c", 1, None),
        between("a", "b", 2, None),
    ];
    for record in &records {
        store.commit(attempt(record.clone())).expect("commits");
    }
    let fault = RefereeFault::Panic { message: "x".into() };
    let void = Record { ending: Ending::RefereeError { fault }, ..between("a", "b", 3, None) };
    store.commit(attempt(void)).expect("commits");
    let reader = store.reader().expect("opens");
    let numbers = |of: &GamesOf, before, limit| -> Vec<u64> {
        let games = reader.latest(of, before, limit).expect("reads");
        games.iter().map(|game| game.number).collect()
    };
    let a = GamesOf::Bot(name("a"));
    assert_eq!(numbers(&GamesOf::All, None, 10), [6, 5, 4, 3, 2, 1]);
    assert_eq!(numbers(&a, None, 3), [6, 4, 3]);
    assert_eq!(numbers(&a, Some(3), 3), [2, 1]);
    assert!(numbers(&a, Some(1), 3).is_empty());
    assert_eq!(numbers(&GamesOf::Both(name("b"), name("a")), None, 10), [6, 2, 1]);
    assert!(numbers(&GamesOf::Bot(name("nobody")), None, 10).is_empty());
    assert_eq!(numbers(&GamesOf::All, Some(u64::MAX), 1), [6]);
    let latest = reader.latest(&a, None, 1).expect("reads").remove(0);
    assert_eq!(latest.outcome.id, records[5].id());
    assert_eq!((latest.plies, latest.started_at), (2, 1_700_000_000_123));
}

#[test]
fn lists_of_a_round_have_its_games_only() {
    let folder = folder();
    let store = open(&folder);
    store.index_lists().expect("indexes");
    for (round, pair) in [(0, 1), (7, 1), (8, 1), (7, 2)] {
        let mut record = between("a", "b", pair, None);
        record.key.round = round;
        store.commit(attempt(record)).expect("commits");
    }
    let reader = store.reader().expect("opens");
    let numbers = |round| -> Vec<u64> {
        let games = reader.latest(&GamesOf::Round(round), None, 10).expect("reads");
        games.iter().map(|game| game.number).collect()
    };
    assert_eq!([numbers(7), numbers(8), numbers(9)], [vec![4, 2], vec![3], vec![]]);
}

#[test]
fn results_are_counted_by_side() {
    let folder = folder();
    let store = open(&folder);
    let both = Ending::BothForfeited { faults: BySide::new(Fault::Suspended, Fault::Suspended) };
    for record in [
        between("a", "b", 1, Some(Side::One)),
        between("a", "b", 2, Some(Side::One)),
        between("b", "a", 1, Some(Side::One)),
        between("b", "a", 2, None),
        Record { ending: both, ..between("b", "a", 3, None) },
        between("a", "c", 1, Some(Side::One)),
    ] {
        store.commit(attempt(record)).expect("commits");
    }
    let reader = store.reader().expect("opens");
    let results = reader.results_against(&name("a"), &name("b")).expect("reads");
    assert_eq!(results.one, WinDrawLoss { wins: 2, draws: 0, losses: 0 });
    assert_eq!(results.two, WinDrawLoss { wins: 0, draws: 1, losses: 2 });
    assert_eq!(results.two.games(), 3);
}
