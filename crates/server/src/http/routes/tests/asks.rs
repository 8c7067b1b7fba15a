//! Games that a group asks for: seen by nobody else.

use pitmaster_core::{Record, Side};
use serde_json::{Value, json};

use super::games::{by_rules, commit, record};
use super::*;
use crate::database::{GameRequestState, NewGameRequest, Opponent};

/// Requests two pairs of a group against a house bot, of which one game is stored.
pub(super) async fn store(school: &School, person: PersonId, version: VersionId) -> AskId {
    let database = &school.database;
    let ladder = database.ladder_at(school.course, "main").await.unwrap();
    let ladder = ladder.open(&crate::player::server(), Action::ViewResults).unwrap().id;
    let opponent = Opponent::House("house-greedy".parse().unwrap());
    let request = NewGameRequest { ladder, version, opponent, pairs: 2 };
    let id = database.request_games(act(), person, request, Vec::new()).await.unwrap();
    commit(school, "requested/awale.main", played());
    id
}

/// The stored game. The request is the first one of its second.
fn played() -> Record {
    let mut played = record(1, ["a.one", "house-greedy"], by_rules(Some(Side::One)));
    played.key.round = u32::try_from(NOW.0 / 1000).unwrap();
    played
}

/// Name of the stored game in URLs.
fn game(people: &People) -> String {
    format!("{}.{}", people.ask, played().id())
}

#[tokio::test]
async fn only_the_group_and_the_staff_see_its_games() {
    let (school, people) = School::with_groups().await;
    let People { ada, bob, assistant, teacher, admin, .. } = &people;
    let game = game(&people);
    for path in [
        format!("/c/awale/games/{game}"),
        format!("/c/awale/games/{game}/lost.json"),
        format!("/c/awale/games/{game}/stream"),
        format!("/c/awale/play?from={game}&ply=2"),
    ] {
        for (cookie, status) in
            [("", 401), (bob, 404), (ada, 200), (assistant, 200), (teacher, 200), (admin, 200)]
        {
            assert_eq!(school.ask("GET", &path, cookie, "").await.status(), status, "{path}");
        }
    }
    let page = school.page(&format!("/c/awale/games/{game}"), ada).await;
    assert!(page.contains(&format!("/c/awale/asks/{}", people.ask)), "{page}");
    assert!(!page.contains("/versus/"), "{page}");
    // It is no game of the ladder, whose games are none of the request.
    let (_, id) = game.split_once('.').unwrap();
    let of_ladder = people.games[games::AGAINST_HOUSE].split_once('.').unwrap().1;
    for name in [format!("main.{id}"), format!("{}.{of_ladder}", people.ask)] {
        let path = format!("/c/awale/games/{name}");
        assert_eq!(school.ask("GET", &path, ada, "").await.status(), 404, "{path}");
    }
    let list = school.page("/c/awale/ladder/main/games", bob).await;
    assert!(!list.contains(id), "{list}");
}

/// A request's id does not open the games of another request.
#[tokio::test]
async fn a_request_has_its_own_games_only() {
    let (school, people) = School::with_groups().await;
    let form = format!("version={}&opponent=house:greedy&pairs=1&ladder=main", people.active);
    let response = school.ask("POST", "/c/awale/asks", &people.ada, &form).await;
    assert_eq!(response.status(), 303);
    let path = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let page = school.page(&path, &people.ada).await;
    assert!(page.contains("0 / 2") && page.contains("being played"), "{page}");
    let game = game(&people);
    let (_, id) = game.split_once('.').unwrap();
    let other = path.rsplit('/').next().unwrap();
    let path = format!("/c/awale/games/{other}.{id}");
    assert_eq!(school.ask("GET", &path, &people.ada, "").await.status(), 404);
}

#[tokio::test]
async fn a_group_asks_on_its_page_and_sees_the_results() {
    let (school, people) = School::with_groups().await;
    let me = school.page("/c/awale/me", &people.ada).await;
    assert!(me.contains("Games that you ask for") && me.contains("Pairs left today: 8"), "{me}");
    assert!(me.contains("<option>house-greedy</option>"), "{me}");
    let page = school.page(&format!("/c/awale/asks/{}", people.ask), &people.ada).await;
    assert!(page.contains("a.one · 1 – house-greedy") && page.contains("1 / 4"), "{page}");
    assert!(page.contains("<td>win</td>"), "{page}");
    let refused = async |form: &str, status: u16, why: &str| {
        let response = school.ask("POST", "/c/awale/asks", &people.ada, form).await;
        assert_eq!(response.status(), status, "{form}");
        let page = text(response).await;
        assert!(page.contains(why), "{form}: {page}");
    };
    let active = people.active;
    let with =
        |opponent: &str, pairs: &str| format!("version={active}&opponent={opponent}&pairs={pairs}");
    refused(&with("house-minimax", "1"), 422, "a house bot of the ladder: house-greedy").await;
    refused(&with("house-greedy", "0"), 409, "at least one").await;
    refused(&with("house-greedy", "x"), 422, "").await;
    refused(&with("house-greedy", "9"), 429, "too often").await;
    refused(&with(&active.to_string(), "1"), 409, "the same files").await;
    refused(&format!("{}&ladder=none", with("house-greedy", "1")), 422, "no such ladder").await;
    // The eight pairs that are left.
    let form = with("house-greedy", "8");
    assert_eq!(school.ask("POST", "/c/awale/asks", &people.ada, &form).await.status(), 303);
    let me = school.page("/c/awale/me", &people.ada).await;
    assert!(me.contains("Pairs left today: 0") && !me.contains("ask-pairs"), "{me}");
    // Canceled ones can be asked for again, and the group is told of the others.
    let cancel = format!("/c/awale/asks/{}/cancel", people.ask);
    assert_eq!(school.ask("POST", &cancel, &people.ada, "").await.status(), 303);
    assert_eq!(school.ask("POST", &cancel, &people.ada, "").await.status(), 404);
    let me = school.page("/c/awale/me", &people.ada).await;
    assert!(me.contains("Pairs left today: 2") && me.contains("<td>canceled</td>"), "{me}");
}

#[tokio::test]
async fn a_group_is_told_that_its_games_were_played() {
    let (school, people) = School::with_groups().await;
    let done = GameRequestState::Done;
    school.database.end_game_request(people.ask, done, NOW).await.unwrap();
    let me = school.page("/c/awale/me", &people.ada).await;
    assert!(me.contains("The games of a.one · 1 against house-greedy were played."), "{me}");
}

#[tokio::test]
async fn a_program_asks_for_games() {
    let (school, people) = School::with_groups().await;
    let token = school.token(people.ada_id, school.course, &[Scope::Read, Scope::Upload]).await;
    let headers = [(header::AUTHORIZATION, token.as_str())];
    let send =
        async |body: Value| school.send("POST", "/api/v1/asks", &headers, body.to_string()).await;
    let version = people.active.to_string();
    let response = send(json!({"version": version, "opponent": "house-greedy", "pairs": 2})).await;
    assert_eq!(response.status(), 201);
    let address = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let made: Value = serde_json::from_str(&text(response).await).unwrap();
    assert_eq!([&made["state"], &made["games"]], [&json!("waiting"), &json!([])]);
    let read = text(school.send("GET", &address, &headers, "").await).await;
    assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), made);
    let path = format!("/api/v1/asks/{}", people.ask);
    let asked: Value =
        serde_json::from_str(&text(school.send("GET", &path, &headers, "").await).await).unwrap();
    assert_eq!(asked["games"][0]["id"], game(&people));
    let path = format!("/api/v1/games/{}", game(&people));
    assert_eq!(school.send("GET", &path, &headers, "").await.status(), 200);
    for (body, status) in [
        (json!({"version": version, "opponent": "house-greedy"}), 400),
        (json!({"version": version, "opponent": "house-greedy", "pairs": 1, "rated": true}), 400),
        (json!({"version": "x", "opponent": "house-greedy", "pairs": 1}), 404),
        (json!({"version": version, "opponent": "me", "pairs": 1}), 422),
        (json!({"version": version, "opponent": "house-greedy", "pairs": 100}), 429),
    ] {
        assert_eq!(send(body.clone()).await.status(), status, "{body}");
    }
}
