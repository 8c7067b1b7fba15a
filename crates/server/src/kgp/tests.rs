//! Authentication, and the order of waiting clients.

use std::time::Duration;

use pitmaster_season::course::{CourseId, LadderId, PersonId, Role, Scope, TokenId, Utc};

use super::auth::{Refused, authenticate, revoke};
use super::*;
use crate::database::{HashCost, LadderState, NewPerson, NewToken};

const NOW: Utc = Utc(1_795_215_540_000);

fn act() -> Act {
    Act { by: By::Operator, at: NOW, address: None }
}

/// Course with an open ladder.
struct School {
    database: Database,
    course: CourseId,
    _folder: tempfile::TempDir,
}

impl School {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school");
        let lang = pitmaster_core::i18n::Lang::English;
        crate::service::make_course(&path, "school", "School", lang, NOW).unwrap();
        let database = Database::open(&path, HashCost::Least, NOW).unwrap();
        let see = Action::ViewResults;
        let course = database.course_at("school").wait().unwrap().open(&server(), see).unwrap();
        add_ladders(&database, NOW).unwrap();
        Self { database, course: course.facts.id, _folder: folder }
    }

    fn ladders(&self) -> Vec<(LadderId, String)> {
        let all = self.database.ladders(self.course).wait().unwrap().into_iter();
        let all = all.map(|it| it.open(&server(), Action::ViewResults).unwrap());
        all.map(|ladder| (ladder.id, ladder.slug)).collect()
    }

    fn person(&self, role: Role, group: Option<&str>) -> PersonId {
        let database = &self.database;
        let person = NewPerson { name: "Eva".into(), ..NewPerson::default() };
        let person = database.add_person(act(), person).wait().unwrap();
        let group =
            group.map(|slug| database.add_group(act(), self.course, slug, slug).wait().unwrap());
        database.set_member(act(), person, self.course, role, group).wait().unwrap();
        person
    }

    fn token(&self, person: PersonId, name: &str, scope: Scope) -> String {
        let expires = NOW.plus(Duration::from_hours(1));
        let (course, name) = (self.course, name.to_owned());
        let token = NewToken { person, course, name, scopes: vec![scope], expires };
        let (_, secret) = self.database.create_token(act(), token).wait().unwrap();
        secret.reveal().to_owned()
    }

    async fn authenticate(&self, token: &str) -> Result<(String, String), Refused> {
        let entrant = authenticate(&self.database, Some(token), NOW).await?;
        Ok((entrant.name.to_string(), entrant.group))
    }
}

#[test]
fn the_file_of_the_open_ladder_is_a_tournament_of_kalah() {
    let read = pitmaster_tournament::read(TOURNAMENT).expect("it has no errors");
    assert_eq!(read.format.stages[0].kind.name(), "practice");
    assert_eq!(read.game.spec(), "kalah");
    // A turn must never end by the referee's limit.
    assert!(read.limits.per_move.unwrap() > 2 * pitmaster_session::practice::kgp::TURN);
}

#[test]
fn every_course_gets_one_open_ladder_after_its_own() {
    let school = School::new();
    add_ladders(&school.database, NOW).unwrap();
    let slugs: Vec<_> = school.ladders().into_iter().map(|(_, slug)| slug).collect();
    assert_eq!(slugs.iter().filter(|slug| *slug == OPEN_LADDER).count(), 1);
    assert_eq!(slugs.len(), 2);
}

#[tokio::test]
async fn k17_a_token_names_the_entrant() {
    let school = School::new();
    let student = school.person(Role::Student, Some("g1"));
    let token = school.token(student, "My Bot", Scope::Kgp);
    assert_eq!(school.authenticate(&token).await, Ok(("g1.my-bot".into(), "g1".into())));
    let teacher = school.person(Role::Teacher, None);
    let of_staff = school.token(teacher, "test", Scope::Kgp);
    assert_eq!(school.authenticate(&of_staff).await, Ok(("staff.test".into(), "staff".into())));
    let read = school.token(student, "read", Scope::Read);
    let groupless = school.person(Role::Student, None);
    let groupless = school.token(groupless, "x", Scope::Kgp);
    for refused in ["", "x", "pm_x", &read, &groupless] {
        assert_eq!(school.authenticate(refused).await, Err(Refused::Token), "{refused}");
    }
    let late =
        authenticate(&school.database, Some(&token), NOW.plus(Duration::from_hours(2))).await;
    assert_eq!(late.unwrap_err(), Refused::Token);
    let guest = authenticate(&school.database, None, NOW).await;
    assert_eq!(guest.unwrap_err(), Refused::NoGuests);
    let (id, _) = school.ladders().into_iter().find(|(_, slug)| slug == OPEN_LADDER).unwrap();
    school.database.edit_ladder(act(), id, LadderState::Closed, None).await.unwrap();
    assert_eq!(school.authenticate(&token).await, Err(Refused::NoLadder));
}

#[tokio::test]
async fn k18_a_revoked_token_gives_no_access() {
    let school = School::new();
    let student = school.person(Role::Student, Some("g1"));
    let token = school.token(student, "bot", Scope::Kgp);
    let read = school.token(student, "read", Scope::Read);
    for forgotten in [&token, &token, "x", &read] {
        revoke(&school.database, forgotten, NOW).await.unwrap();
    }
    assert_eq!(school.authenticate(&token).await, Err(Refused::Token));
    // KGP cannot revoke tokens with other scopes.
    let read = read.parse().unwrap();
    assert!(school.database.token(read, NOW).await.unwrap().is_some());
}

fn entrant(token: u8) -> RemoteEntrant {
    RemoteEntrant {
        course: CourseId::of([1; 12]),
        name: "g1.bot".parse().unwrap(),
        group: "g1".into(),
        token: (token > 0).then(|| TokenId::of([token; 12])),
    }
}

#[test]
fn k16_connections_are_limited_per_token_but_not_for_guests() {
    let lobby = Lobby::default();
    let first = lobby.join(entrant(1)).expect("a seat");
    let second = lobby.join(entrant(1)).expect("a seat");
    assert!(lobby.join(entrant(1)).is_none());
    let others = [2, 0, 0, 0].map(|token| lobby.join(entrant(token)).expect("a seat"));
    assert_eq!(lobby.entrants().len(), 6);
    drop(first);
    let again = lobby.join(entrant(1)).expect("a seat");
    drop((second, again, others));
    assert!(lobby.entrants().is_empty() && lobby.waiting().is_empty());
}

#[test]
fn waiting_clients_are_in_order_and_gone_ones_get_no_orders() {
    let lobby = Lobby::default();
    let seats = [1, 2, 3].map(|token| lobby.join(entrant(token)).expect("a seat"));
    let waiting = lobby.waiting();
    lobby.set_playing(waiting[0].number, true);
    let numbers = |lobby: &Lobby| lobby.waiting().iter().map(|it| it.number).collect::<Vec<_>>();
    assert_eq!(numbers(&lobby), [waiting[1].number, waiting[2].number]);
    lobby.set_playing(waiting[0].number, false);
    assert_eq!(numbers(&lobby)[2], waiting[0].number);
    assert!(waiting[1].order(Order::EndGame));
    drop(seats);
    assert!(!waiting[1].order(Order::EndGame) && !waiting[0].is_alive());
}

#[test]
fn slots_are_64() {
    let lobby = Lobby::default();
    let places: Vec<_> = std::iter::from_fn(|| lobby.slot()).collect();
    assert_eq!(places.len(), 64);
    drop(places);
    assert!(lobby.slot().is_some());
}
