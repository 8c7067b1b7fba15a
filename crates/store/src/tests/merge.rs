//! Tests of merging one store into another.

use super::*;

fn isolation(tier: Tier) -> Isolation {
    Isolation { tier, cgroup: false, promises: [].into() }
}

fn all(store: &Store) -> Vec<Attempt> {
    let mut all = Vec::new();
    let reader = store.reader().expect("opens");
    reader
        .for_each_attempt(|attempt| {
            all.push(attempt);
            Ok::<_, StoreError>(())
        })
        .expect("reads");
    all
}

#[test]
fn everything_comes_along_and_nothing_twice() {
    let (here, there) = (folder(), folder());
    let (here, other) = (open(&here), open(&there));
    let number = here.put_isolation(&isolation(Tier::Bare)).expect("writes");
    here.commit(Attempt { isolation: Some(number), ..attempt(plain(1)) }).expect("commits");
    let number = other.put_isolation(&isolation(Tier::Full)).expect("writes");
    let fault = RefereeFault::Panic { message: "oh".into() };
    let void = attempt(Record { ending: Ending::RefereeError { fault }, ..plain(2) });
    other.commit(void.clone()).expect("commits");
    let played = Attempt { isolation: Some(number), host: "there".into(), ..attempt(plain(2)) };
    other.commit(played.clone()).expect("commits");
    // The same game with the same moves at another time, and one with other moves.
    other.commit(Attempt { started_at: 5, ..attempt(plain(1)) }).expect("commits");
    let surplus = AttemptState::Surplus { reason: "beyond the end".into() };
    other.commit(Attempt { state: surplus, ..attempt(plain(3)) }).expect("commits");
    let reader = other.reader().expect("opens");
    let merged = here.merge(&reader, "there").expect("merges");
    assert_eq!(merged, Merged { games: 1, known: 1, otherwise: 0 });
    let first = all(&here);
    assert_eq!(first.len(), 4);
    assert_eq!(first[1], void);
    assert_eq!(first[2], Attempt { isolation: Some(2), ..played });
    let again = here.merge(&reader, "there").expect("merges");
    assert_eq!(again, Merged { games: 0, known: 2, otherwise: 0 });
    assert_eq!(all(&here), first);
    assert_eq!(here.reader().expect("opens").isolations().expect("reads").len(), 2);
}

#[test]
fn what_was_played_otherwise_is_kept_and_does_not_count() {
    let (here, there) = (folder(), folder());
    let (here, other) = (open(&here), open(&there));
    here.commit(attempt(plain(1))).expect("commits");
    other.commit(attempt(eventful())).expect("commits");
    let reader = other.reader().expect("opens");
    for _ in 0..2 {
        let merged = here.merge(&reader, "results/b").expect("merges");
        assert_eq!(merged, Merged { games: 0, known: 1, otherwise: 1 });
        let kept = all(&here);
        assert_eq!(kept.len(), 2);
        assert_eq!(kept[0], attempt(plain(1)));
        assert_eq!(kept[1].record, eventful());
        let AttemptState::Surplus { reason } = &kept[1].state else { panic!("{kept:?}") };
        assert!(reason.starts_with("played in results/b too"), "{reason}");
    }
}

#[test]
fn many_games_are_merged_in_batches_and_an_interrupted_merge_goes_on() {
    let (here, there) = (folder(), folder());
    let (here, other) = (open(&here), open(&there));
    for pair in 1..=600 {
        other.submit(attempt(plain(pair)), |told| told.expect("commits"));
    }
    other.commit(attempt(plain(601))).expect("commits");
    for pair in 1..=300 {
        here.submit(attempt(plain(pair)), |told| told.expect("commits"));
    }
    here.commit(attempt(plain(301))).expect("commits");
    let merged = here.merge(&other.reader().expect("opens"), "there").expect("merges");
    assert_eq!(merged, Merged { games: 300, known: 301, otherwise: 0 });
    assert_eq!(all(&here), all(&other));
}
