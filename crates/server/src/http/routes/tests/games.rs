//! Games of a ladder: lists, replays, and evidence for the bot's group only.

use pitmaster_core::{
    At, BotId, BySide, Dialect, Ending, Evidence, Exit, Fault, GameKey, Limits, Ply, Record,
    Remark, Score, Seed, Side, Untrusted,
};
use pitmaster_report::GameFile;
use pitmaster_store::{Attempt, AttemptState, Store};
use pitmaster_tournament::Durability;
use serde_json::Value;

use super::*;

/// Index of a game of `a.one`, which forfeited, against `b.one`.
pub(super) const FORFEITED: usize = 0;
/// Index of a game of `a.one` against a house bot.
pub(super) const AGAINST_HOUSE: usize = 2;

pub(super) fn record(pair: u32, bots: [&str; 2], ending: Ending) -> Record {
    let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"files") };
    let ply = |(n, text): (usize, &str)| Ply {
        by: Some(Side::BOTH[n % 2]),
        text: text.into(),
        wall: Duration::from_micros(1500),
        cpu: Duration::from_micros(1200),
        waiting: Duration::ZERO,
    };
    let key = GameKey {
        rules: "coloured-awale,both_40=off@1".into(),
        limits: Limits::default(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot(bots[0]), bot(bots[1])),
        opening: String::new(),
        pair,
    };
    let remark = |by: Side| {
        let text = format!(
            "secret remark of {} </script>\u{202e} value 2.5",
            bots[usize::from(by.number()) - 1]
        );
        Remark { ply: 1, by, text: Untrusted::new(text) }
    };
    Record {
        plies: ["1B", "2R", "3TR"].into_iter().enumerate().map(ply).collect(),
        remarks: Side::BOTH.map(remark).into(),
        ..Record::unplayed(key, Seed(1), ending)
    }
}

pub(super) fn by_rules(winner: Option<Side>) -> Ending {
    Ending::Rules { clause: "49+".into(), winner, score: Score::new(50, 30) }
}

/// Stores three games on the ladder `main`, and returns their names in URLs.
pub(super) fn store(school: &School) -> Vec<String> {
    let forfeit =
        Ending::Forfeit { by: Side::One, fault: Fault::IllegalMove, score: Score::new(3, 5) };
    let evidence = Evidence {
        line: Some(Untrusted::new("secret line <b>")),
        at: At::millis(17),
        stderr: Untrusted::new("secret error\n</pre><script>alert(1)</script>\u{1b}[2J"),
        exit: Some(Exit::Signal(11)),
    };
    let records = [
        Record {
            evidence: BySide::new(Some(evidence), None),
            ..record(1, ["a.one", "b.one"], forfeit)
        },
        record(1, ["b.one", "a.one"], by_rules(None)),
        record(1, ["a.one", "house-greedy"], by_rules(Some(Side::One))),
    ];
    records.into_iter().map(|record| store_one(school, record)).collect()
}

fn store_one(school: &School, record: Record) -> String {
    let name = format!("main.{}", record.id());
    commit(school, "ladders/awale.main", record);
    name
}

/// Stores a game in a results folder.
pub(super) fn commit(school: &School, folder: &str, record: Record) {
    let folder = school.database.folder().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let store = Store::open(&folder, Durability::Normal).unwrap();
    let attempt = Attempt {
        state: AttemptState::of(&record),
        record,
        dialects: BySide::new(Dialect::Pitmaster, Dialect::Pitmaster),
        host: "here".into(),
        lane: 0,
        started_at: 1_795_000_000_000,
        isolation: None,
    };
    store.commit(attempt).unwrap();
}

impl School {
    pub(super) async fn page(&self, path: &str, cookie: &str) -> String {
        let response = self.ask("GET", path, cookie, "").await;
        assert_eq!(response.status(), 200, "{path}");
        text(response).await
    }
}

/// Data of a page for the script.
fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"page\">";
    let (_, data) = page.split_once(begin).expect("data");
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

#[tokio::test]
async fn a_game_page_works_without_a_script_and_has_replay_data() {
    let (school, people) = School::with_groups().await;
    let path = format!("/c/awale/games/{}", people.games[FORFEITED]);
    let page = school.page(&path, &people.ada).await;
    assert!(page.contains("b.one won: illegal move"), "{page}");
    assert!(page.contains("player 1 forfeited: illegal move"), "{page}");
    assert!(page.contains("<td>3TR</td>") && page.contains("2026-11-18 11:06"), "{page}");
    assert!(page.contains("/c/awale/bots/a.one/versions/1\">Version 1</a>"), "{page}");
    let data = data(&page);
    let game = &data["game"];
    assert_eq!(game["summary"]["names"], serde_json::json!(["a.one", "b.one"]));
    assert_eq!(game["game"]["plies"].as_array().unwrap().len(), 3);
    assert!(game["game"].get("broken").is_none());
    // Scripts are files of this server, named by the hash of their content.
    let src = page.split("<script src=\"").last().unwrap().split('"').next().unwrap();
    assert!(src.starts_with("/assets/game-"), "{src}");
    assert!(school.page(src, "").await.contains("page.replayAlone"));
    assert_eq!(page.matches("<script").count(), 3, "{page}");
    let french = [(header::COOKIE, ""), (header::ACCEPT_LANGUAGE, "fr")];
    assert_eq!(school.send("GET", &path, &french, "").await.status(), 401);
}

#[tokio::test]
async fn what_a_bot_wrote_is_for_its_group_and_the_staff() {
    let (school, people) = School::with_groups().await;
    let path = format!("/c/awale/games/{}", people.games[FORFEITED]);
    let file = format!("{path}/lost.json");
    let has = |page: &str, word: &str| page.contains(word);
    for (cookie, own, other) in
        [(&people.ada, true, false), (&people.bob, false, true), (&people.teacher, true, true)]
    {
        let page = school.page(&path, cookie).await;
        assert_eq!(has(&page, "secret remark of a.one"), own);
        assert_eq!(has(&page, "secret remark of b.one"), other);
        assert_eq!(has(&page, "secret error") && has(&page, "secret line"), own);
        assert_eq!(has(&page, "pitmaster debug my-bot lost.json --side 1"), own);
        assert!(!page.contains("<script>alert") && !page.contains(['\u{202e}', '\u{1b}']));
        let text = school.page(&file, cookie).await;
        let record = GameFile::read(&text).unwrap().record;
        assert_eq!(record.evidence.one.is_some(), own);
        assert_eq!(record.remarks.iter().any(|remark| remark.by == Side::One), own);
        assert_eq!(record.remarks.iter().any(|remark| remark.by == Side::Two), other);
        assert_eq!(format!("main.{}", record.id()), people.games[FORFEITED]);
    }
    let response = school.ask("GET", &file, &people.ada, "").await;
    let name = response.headers()[header::CONTENT_DISPOSITION].to_str().unwrap();
    assert_eq!(name, "attachment; filename=\"lost.json\"");
    // The game of another group shows its moves, but no output of the bots.
    let path = format!("/c/awale/games/{}", people.games[AGAINST_HOUSE]);
    let page = school.page(&path, &people.bob).await;
    assert!(page.contains("a.one won") && !page.contains("secret") && !page.contains("lost.json"));
    let response = school.ask("GET", &format!("{path}/lost.json"), &people.bob, "").await;
    assert_eq!(response.status(), 404);
}

#[tokio::test]
async fn lists_filter_by_bot_and_paginate() {
    let (school, people) = School::with_groups().await;
    let list = "/c/awale/ladder/main/games";
    let page = school.page(list, &people.bob).await;
    for game in &people.games {
        assert!(page.contains(&format!("/c/awale/games/{game}")), "{page}");
    }
    let page = school.page(&format!("{list}?bot=b.one"), &people.bob).await;
    assert!(page.contains("<td>win</td>") && page.contains("<td>draw</td>"), "{page}");
    assert!(!page.contains("house-greedy") && !page.contains("Next page"), "{page}");
    assert!(page.contains("/c/awale/ladder/main/versus/b.one/a.one\">a.one</a>"), "{page}");
    assert!(!page.contains("versus/b.one/b.one"), "{page}");
    let page = school.page(&format!("{list}?bot=house-greedy"), &people.bob).await;
    assert!(page.contains("<td>loss</td>"), "{page}");
    for (query, status) in [("bot=b.none", 404), ("bot=%3Cb%3E", 404), ("after=x", 400)] {
        let response = school.ask("GET", &format!("{list}?{query}"), &people.bob, "").await;
        assert_eq!(response.status(), status, "{query}");
    }
    for pair in 2..60 {
        store_one(&school, record(pair, ["a.one", "b.one"], by_rules(Some(Side::One))));
    }
    let page = school.page(&format!("{list}?bot=b.one"), &people.bob).await;
    assert_eq!(page.matches("<td>loss</td>").count(), 50);
    let next = page.split("href=\"?after=").nth(1).unwrap().split('"').next().unwrap();
    let next = next.replace("&#38;", "&");
    let page = school.page(&format!("{list}?after={next}"), &people.bob).await;
    assert_eq!(page.matches("<td>loss</td>").count(), 8, "{page}");
    assert!(page.contains("<td>draw</td>") && !page.contains("Next page"), "{page}");
    // The pages of the bot, the ladder and the table link to the list.
    let bot = school.page("/c/awale/bots/a.one", &people.bob).await;
    assert!(bot.contains("/c/awale/ladder/main/games?bot=a.one"), "{bot}");
    let ladder = school.page("/c/awale/ladder/main", &people.bob).await;
    assert!(ladder.contains("/c/awale/ladder/main/games\""), "{ladder}");
}

#[tokio::test]
async fn results_of_two_bots_are_counted_by_side() {
    let (school, people) = School::with_groups().await;
    let page = school.page("/c/awale/ladder/main/versus/b.one/a.one", &people.ada).await;
    let row = |side: &str| {
        let row = page.split(&format!("<th scope=\"row\">{side}</th>")).nth(1).unwrap();
        let cells = row.split("</tr>").next().unwrap().split("<td class=\"number\">").skip(1);
        cells.map(|cell| cell.split('<').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(row("as player 1"), ["1", "0", "1", "0"]);
    assert_eq!(row("as player 2"), ["1", "1", "0", "0"]);
    assert_eq!(row("in all"), ["2", "1", "1", "0"]);
    assert!(!page.contains(&people.games[AGAINST_HOUSE]));
    let itself = "/c/awale/ladder/main/versus/a.one/a.one";
    assert_eq!(school.ask("GET", itself, &people.ada, "").await.status(), 404);
}

#[tokio::test]
async fn programs_get_lists_records_and_evidence() {
    let (school, people) = School::with_groups().await;
    let token = school.token(people.ada_id, school.course, &[Scope::Read]).await;
    let headers = [(header::AUTHORIZATION, token.as_str())];
    let get = async |path: &str| text(school.send("GET", path, &headers, "").await).await;
    let list: Value = serde_json::from_str(&get("/api/v1/ladders/main/games").await).unwrap();
    assert_eq!(list["games"].as_array().unwrap().len(), 3);
    assert_eq!(list["games"][2]["id"], people.games[FORFEITED]);
    assert_eq!(list["games"][2]["points"], serde_json::json!([0.0, 1.0]));
    assert!(list["next"].is_null());
    let path = format!("/api/v1/games/{}", people.games[FORFEITED]);
    let game = get(&path).await;
    assert!(game.contains("3TR") && !game.contains("secret"), "{game}");
    let evidence = GameFile::read(&get(&format!("{path}/evidence")).await).unwrap();
    assert!(evidence.record.evidence.one.is_some());
    assert!(evidence.record.remarks.iter().all(|remark| remark.by == Side::One));
}

#[tokio::test]
async fn a_ladder_without_games_has_an_empty_list() {
    let (school, people) = School::with_groups().await;
    let (none, anchors) = (String::new(), serde_json::json!([]));
    school.database.add_ladder(act(), school.course, "empty", none, anchors).await.unwrap();
    let page = school.page("/c/awale/ladder/empty/games", &people.ada).await;
    assert!(page.contains("No game yet."), "{page}");
    let absent = "/c/awale/games/empty.0000000000000000";
    assert_eq!(school.ask("GET", absent, &people.ada, "").await.status(), 404);
}
