//! Games of people: pages that work without a script, and their ownership.

use super::*;

/// Value of a form field on a page; the whole page if the field is missing.
fn field<'p>(page: &'p str, before: &str) -> &'p str {
    let (_, after) = page.split_once(before).unwrap_or_else(|| panic!("no {before}: {page}"));
    after.split('"').next().unwrap()
}

#[tokio::test]
async fn a_game_is_played_by_forms() {
    let (school, people) = School::with_groups().await;
    let form = text(school.ask("GET", "/c/awale/play?game=oware", &people.bob, "").await).await;
    assert!(form.contains("<option value=\"oware\" selected>"), "{form}");
    let begun = "bot=house:random&game=oware&side=2&clock=1000";
    let response = school.ask("POST", "/c/awale/play", &people.bob, begun).await;
    let address = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    for _ in 0..2 {
        let page = text(school.ask("GET", &address, &people.bob, "").await).await;
        assert!(page.contains("Your move") && page.contains("table class=\"holes\""), "{page}");
        let ply = field(&page, "name=\"ply\" value=\"");
        let sent = format!("ply={ply}&move={}", field(&page, "<button name=\"move\" value=\""));
        for _ in 0..2 {
            let moves = format!("{address}/moves");
            let response = school.ask("POST", &moves, &people.bob, &sent).await;
            assert_eq!(response.status(), 303, "{sent}");
        }
    }
    let moves = format!("{address}/moves");
    for (sent, status, expected) in [
        ("ply=2&move=1", 409, "The game is at another place: 5 plies were played"),
        ("ply=9&move=1", 409, "The game is at another place"),
        ("ply=6&move=1", 422, ""),
        ("ply=6&move=%3Cscript%3E", 422, "This is no move here"),
        ("ply=x&move=1", 400, ""),
        ("ply=6", 400, ""),
    ] {
        let response = school.ask("POST", &moves, &people.bob, sent).await;
        assert_eq!(response.status(), status, "{sent}");
        let page = text(response).await;
        assert!(page.contains(expected) && !page.contains("<script>"), "{sent}: {page}");
    }
    let back = format!("{address}/back");
    assert_eq!(school.ask("POST", &back, &people.bob, "ply=4").await.status(), 409);
    assert_eq!(school.ask("POST", &back, &people.bob, "ply=5").await.status(), 303);
    let page = text(school.ask("GET", &address, &people.bob, "").await).await;
    assert!(page.contains("name=\"ply\" value=\"4\""), "{page}");
    // Others do not see the game.
    for other in [&people.ada, &people.teacher, &people.admin] {
        assert_eq!(school.ask("GET", &address, other, "").await.status(), 404);
        assert_eq!(school.ask("POST", &moves, other, "ply=4&move=7").await.status(), 404);
    }
    assert_eq!(
        school.ask("POST", &format!("{address}/leave"), &people.bob, "").await.status(),
        303
    );
    let page = text(school.ask("GET", &address, &people.bob, "").await).await;
    assert!(page.contains("Play on from here") && !page.contains("<strong>Your move"), "{page}");
    let id = address.rsplit('/').next().unwrap();
    let begun = format!("bot=house:greedy&side=2&clock=1000&from={id}&ply=3");
    let response = school.ask("POST", "/c/awale/play", &people.bob, &begun).await;
    let address = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let page = text(school.ask("GET", &address, &people.bob, "").await).await;
    assert!(page.contains("name=\"ply\" value=\"4\""), "{page}");
}

#[tokio::test]
async fn what_cannot_be_played_is_refused() {
    let (school, people) = School::with_groups().await;
    for (form, status) in [
        ("bot=house:none&game=kalah&side=1&clock=1000", 422),
        ("bot=house:greedy&game=./x.toml&side=1&clock=1000", 422),
        ("bot=house:greedy&game=kalah&side=3&clock=1000", 422),
        ("bot=house:greedy&game=kalah&side=1&clock=999999", 422),
        ("bot=house:greedy&game=kalah", 422),
        ("bot=house:greedy&side=1&clock=1000&from=main.0000000000000000&ply=1", 404),
        ("bot=house:greedy&side=1&clock=1000&from=00000000000000000000&ply=1", 404),
    ] {
        let response = school.ask("POST", "/c/awale/play", &people.bob, form).await;
        assert_eq!(response.status(), status, "{form}");
    }
    let begun = "bot=house:random&game=kalah&side=1&clock=1000";
    for status in [303, 303, 409] {
        let response = school.ask("POST", "/c/awale/play", &people.bob, begun).await;
        assert_eq!(response.status(), status);
    }
}

#[tokio::test]
async fn a_game_continues_from_a_ladder_game() {
    let (school, people) = School::with_groups().await;
    let game = &people.games[games::AGAINST_HOUSE];
    let page = text(school.ask("GET", &format!("/c/awale/games/{game}"), &people.ada, "").await);
    assert!(page.await.contains("Play on from here"));
    let form =
        text(school.ask("GET", &format!("/c/awale/play?from={game}&ply=2"), &people.bob, "").await);
    let form = form.await;
    assert!(form.contains("name=\"ply\" value=\"2\""), "{form}");
    let begun = format!("bot=house:random&side=1&clock=1000&from={game}&ply=2");
    let response = school.ask("POST", "/c/awale/play", &people.bob, &begun).await;
    assert_eq!(response.status(), 303);
    let address = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let page = text(school.ask("GET", &address, &people.bob, "").await).await;
    assert!(page.contains("coloured-awale") && page.contains(">2R<span class=\"tag\">"), "{page}");
}
