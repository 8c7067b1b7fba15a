//! Requests for games.

use std::time::Duration;

use pitmaster_season::course::{AskId, EntryId, LadderId, Quota, Utc, VersionId};

use super::super::*;
use super::fixture::*;

/// A course with a ladder and a version that plays.
struct Scene {
    world: World,
    ladder: LadderId,
    version: VersionId,
}

impl Scene {
    fn new() -> Self {
        let world = World::new();
        let ladder = world.ladder("main");
        let version = world.upload("1", T0);
        world.examine("1", later(1));
        Self { world, ladder, version }
    }

    fn ask(&self, pairs: u32, opponent: Opponent, now: Utc) -> Result<AskId, DatabaseError> {
        self.ask_for(
            NewGameRequest { ladder: self.ladder, version: self.version, opponent, pairs },
            now,
        )
    }

    fn ask_for(&self, request: NewGameRequest, now: Utc) -> Result<AskId, DatabaseError> {
        let quotas = vec![Quota { limit: 3, window: Duration::from_secs(100) }];
        let World { db, eva, .. } = &self.world;
        db.request_games(self.world.student(now), *eva, request, quotas).wait()
    }

    fn request(&self, id: AskId) -> GameRequest {
        seen(self.world.db.game_request(id).wait().expect("reads")).expect("there")
    }

    fn waiting(&self) -> Vec<AskId> {
        let waiting = self.world.db.waiting_game_requests(self.ladder).wait().expect("reads");
        waiting.iter().map(|request| request.id).collect()
    }

    /// Number of a request, less that of the first second.
    fn number(&self, id: AskId) -> u32 {
        self.request(id).number - u32::try_from(T0.0 / 1000).expect("before 2106")
    }

    /// An active version of another group.
    fn of_another_group(&self) -> (EntryId, VersionId) {
        let db = &self.world.db;
        let group = db.add_group(NOW, self.world.course, "g2", "Group 2").wait().expect("a group");
        let bot = db.add_bot(NOW, group, "other").wait().expect("a bot");
        let received =
            db.receive_version(at(later(2)), new_version(bot, "other", later(2)), vec![]).wait();
        let Received::New(version, _) = received.expect("received") else { panic!("it is new") };
        self.world.examine("other", later(2));
        (bot, version)
    }
}

fn house() -> Opponent {
    Opponent::House("house-greedy".parse().expect("a name"))
}

#[test]
fn requests_have_numbers_and_a_quota() {
    let scene = Scene::new();
    let db = &scene.world.db;
    let first = scene.ask(2, house(), later(2)).expect("asked");
    assert!(matches!(refused(scene.ask(2, house(), later(3))), Refusal::Quota { .. }));
    let second = scene.ask(1, house(), later(3)).expect("asked");
    assert_eq!([scene.number(first), scene.number(second)], [2, 3]);
    assert_eq!(scene.waiting(), [first, second]);
    // A canceled request does not count.
    db.cancel_game_request(scene.world.student(later(6)), second).wait().expect("canceled");
    assert_eq!(db.requested_pairs(scene.world.group, T0).wait(), Ok(2));
    // Two in one second have different numbers.
    let third = scene.ask(1, house(), later(3)).expect("asked");
    assert_eq!((scene.number(third), scene.waiting()), (4, vec![first, third]));
    for pairs in [0, 101, u32::MAX] {
        assert!(matches!(refused(scene.ask(pairs, house(), later(500))), Refusal::TooMany { .. }));
    }
    let all = db.game_requests_of(scene.world.group, 2).wait().expect("reads");
    let all = all.into_iter().filter_map(seen).map(|it| (it.id, it.state));
    let expected = [(third, GameRequestState::Waiting), (second, GameRequestState::Canceled)];
    assert_eq!(all.collect::<Vec<_>>(), expected);
}

/// The results folder still has the games of requests that came after the backup.
#[test]
fn numbers_do_not_come_again_after_a_restore() {
    let scene = Scene::new();
    let backup = scene.world.db.back_up(later(2)).wait().expect("backed up");
    let lost = scene.ask(1, house(), later(3)).expect("asked");
    let lost = scene.number(lost);
    let Scene { world, ladder, version } = scene;
    let (folder, eva) = (world.folder, world.eva);
    drop(world.db);
    restore(folder.path(), &backup, at(later(4))).expect("restored");
    let db = open(&folder);
    let request = NewGameRequest { ladder, version, opponent: house(), pairs: 1 };
    let id = db.request_games(at(later(5)), eva, request, vec![]).wait().expect("asked");
    let number = seen(db.game_request(id).wait().expect("reads")).expect("there").number;
    assert!(i64::from(number) - T0.0 / 1000 > i64::from(lost), "{number}");
}

/// Whoever cancels each request after some of its games gets no lane for free.
#[test]
fn canceled_requests_are_limited_too() {
    let scene = Scene::new();
    for second in 0..12 {
        let id = scene.ask(1, house(), later(2 + second)).expect("asked");
        let act = scene.world.student(later(2 + second));
        scene.world.db.cancel_game_request(act, id).wait().expect("canceled");
    }
    assert!(matches!(refused(scene.ask(1, house(), later(20))), Refusal::Quota { .. }));
    scene.ask(1, house(), later(200)).expect("the next day");
}

#[test]
fn opponents_are_own_versions_and_active_ones_that_allow_it() {
    let scene = Scene::new();
    let World { db, group, .. } = &scene.world;
    let own = |id| scene.ask(1, Opponent::Version(id), later(3));
    assert!(matches!(refused(own(scene.version)), Refusal::Conflict(_)), "it is the same");
    let waits = scene.world.upload("2", later(2));
    assert!(matches!(refused(own(waits)), Refusal::Conflict(_)), "it has not passed");
    scene.world.examine("2", later(2));
    // The replaced one plays against the new one, and the other way round.
    own(waits).expect("asked");
    let (bot, other) = scene.of_another_group();
    own(other).expect("asked");
    db.let_people_play(NOW, bot, false).wait().expect("set");
    assert!(matches!(refused(own(other)), Refusal::Conflict(_)), "its group does not allow it");
    db.let_people_play(NOW, bot, true).wait().expect("set");
    db.retire_bot(NOW, bot).wait().expect("retired");
    assert_eq!(refused(own(other)), Refusal::Absent("version"), "it is not active");
    let absent = LadderId::of([9; 12]);
    let request =
        NewGameRequest { ladder: absent, version: scene.version, opponent: house(), pairs: 1 };
    assert_eq!(refused(scene.ask_for(request, later(3))), Refusal::Absent("ladder"));
    db.edit_ladder(NOW, scene.ladder, LadderState::Closed, None).wait().expect("closed");
    assert!(matches!(refused(scene.ask(1, house(), later(3))), Refusal::Conflict(_)));
    assert_eq!(db.game_requests_of(*group, 10).wait().expect("reads").len(), 2);
}

#[test]
fn a_request_ends_once_and_its_group_is_told() {
    let scene = Scene::new();
    let World { db, eva, .. } = &scene.world;
    let id = scene.ask(1, house(), later(2)).expect("asked");
    db.end_game_request(id, GameRequestState::Done, later(3)).wait().expect("ends");
    assert_eq!(scene.request(id).state, GameRequestState::Done);
    let note = db.last_notes(*eva, 1).wait().expect("reads").remove(0);
    assert_eq!(
        (note.kind.as_str(), note.data["opponent"].as_str()),
        ("games", Some("house-greedy"))
    );
    let absent = Refusal::Absent("request that waits");
    let again = db.end_game_request(id, GameRequestState::Done, later(4)).wait();
    assert_eq!(refused(again), absent);
    assert_eq!(refused(db.cancel_game_request(NOW, id).wait()), absent);
}

#[test]
fn a_withdrawn_version_plays_no_requested_games() {
    let scene = Scene::new();
    let World { db, .. } = &scene.world;
    let second = scene.world.upload("2", later(2));
    scene.world.examine("2", later(2));
    let own = scene.ask(1, house(), later(3)).expect("asked");
    let against = NewGameRequest {
        ladder: scene.ladder,
        version: second,
        opponent: Opponent::Version(scene.version),
        pairs: 1,
    };
    let against = scene.ask_for(against, later(3)).expect("asked");
    db.withdraw_version(scene.world.student(later(4)), scene.version, "").wait().expect("gone");
    for id in [own, against] {
        assert_eq!(scene.request(id).state, GameRequestState::Canceled);
    }
}
