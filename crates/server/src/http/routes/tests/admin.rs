//! Pages of the staff.

use super::*;

/// Invitation codes on a page.
pub(super) fn codes(page: &str) -> Vec<String> {
    let codes = page.split("<code>").skip(1).filter_map(|rest| rest.split('<').next());
    // Commands contain blanks.
    codes.filter(|code| !code.contains(' ')).map(str::to_owned).collect()
}

#[tokio::test]
async fn importing_a_list_creates_people_groups_and_codes() {
    let (school, people) = School::with_groups().await;
    let list = "people=number%2Cname%2Cmail%2Cgroup%0A\
                11%2C%3Cscript%3Ealert(1)%3C%2Fscript%3E%2Cz%40x%2CGroup+One%0A12%2CYan%2C%2Cb";
    let page = school.ask("POST", "/c/awale/admin/people", &people.teacher, list).await;
    assert_eq!(page.status(), StatusCode::OK);
    let page = text(page).await;
    assert!(!page.contains("<script>"), "{page}");
    let made = codes(&page);
    assert_eq!(made.len(), 2, "{page}");
    let admin = text(school.ask("GET", "/c/awale/admin", &people.teacher, "").await).await;
    assert!(admin.contains("group-one") && admin.contains("Yan"), "{admin}");
    assert!(codes(&admin).is_empty() && !admin.contains("<script>"), "{admin}");
    // A code opens an account in the group of the list.
    let join = format!("code={}&login=yan&passphrase=correct+horse+battery", made[1]);
    let joined = school.ask("POST", "/join", "", &join).await;
    let yan = cookie(&joined).expect("a session");
    let me = text(school.ask("GET", "/c/awale/me", &yan, "").await).await;
    assert!(me.contains("b.one"), "{me}");
    // If the list is imported again, existing accounts are unchanged.
    let again =
        text(school.ask("POST", "/c/awale/admin/people", &people.teacher, list).await).await;
    assert_eq!(codes(&again).len(), 1, "{again}");
    let line = text(school.ask("GET", "/c/awale/admin/audit", &people.teacher, "").await).await;
    // The log contains ids; the page shows the names of course members.
    assert!(line.contains("person.add") && line.contains("<td>Yan</td>"), "{line}");
    assert!(!line.replace("<td>Yan</td>", "").contains("Yan"), "{line}");
}

#[tokio::test]
async fn a_list_with_an_error_changes_nothing() {
    let (school, people) = School::with_groups().await;
    let number = |number: &str| {
        let known = crate::database::NewPerson {
            name: "Grace".into(),
            login: Some("grace".into()),
            student_no: Some(number.to_owned()),
            ..crate::database::NewPerson::default()
        };
        school.database.edit_person(act(), people.teacher_id, known)
    };
    number("99").await.unwrap();
    let before = school.database.members(school.course).await.unwrap();
    // The second row would turn the teacher into a student, with a code for the teacher's account.
    for list in ["people=11%2CZoe%0A99%2CGrace", "people=11%2CZoe%0A12%2C", "people=", "people=%22"]
    {
        let response = school.ask("POST", "/c/awale/admin/people", &people.admin, list).await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY, "{list}");
    }
    assert_eq!(school.database.members(school.course).await.unwrap(), before);
}

#[tokio::test]
async fn deadlines_are_set_and_frozen_and_stay_in_their_course() {
    let (school, people) = School::with_groups().await;
    let form = "name=Second&at=2026-11-01T00%3A00&grace=0&policy=newest-passing";
    let set = school.ask("POST", "/c/awale/admin/deadlines", &people.teacher, form).await;
    assert_eq!(set.status(), StatusCode::SEE_OTHER);
    let wrong = "name=Third&at=tomorrow&grace=0&policy=chosen";
    let wrong = school.ask("POST", "/c/awale/admin/deadlines", &people.teacher, wrong).await;
    assert_eq!(wrong.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let passed = school.deadline("Passed", NOW.minus(Duration::from_secs(1))).await;
    let freeze = format!("/c/awale/admin/deadlines/{passed}/freeze");
    let frozen = school.ask("POST", &freeze, &people.teacher, "").await;
    assert_eq!(frozen.status(), StatusCode::SEE_OTHER);
    assert!(!school.database.frozen(passed).await.unwrap().is_empty());
    // The deadline is absent in another course, for administrators too.
    add_course(&school.database, "other", "Other").await;
    let freeze = format!("/c/other/admin/deadlines/{passed}/freeze");
    assert_eq!(school.ask("POST", &freeze, &people.admin, "").await.status(), 404);
}

#[tokio::test]
async fn published_results_of_finals_are_linked_and_sandboxed() {
    let (school, people) = School::with_groups().await;
    let front = text(school.ask("GET", "/c/awale", &people.bob, "").await).await;
    assert!(front.contains("href=\"/c/awale/finals/first\""), "{front}");
    let page = school.ask("GET", "/c/awale/finals/first", &people.bob, "").await;
    let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.starts_with("sandbox allow-scripts allow-downloads; "), "{policy}");
    assert!(!policy.contains("same-origin"), "{policy}");
    assert!(text(page).await.contains("Results"));
    let (private, folder) = ("secret", school.database.folder());
    std::fs::write(folder.join("finals/awale/first/report.html"), private).unwrap();
    std::fs::write(folder.join("report-public.html"), private).unwrap();
    for name in ["..%2F..", "..", "first%2Freport.html", "first.toml", "%00", ""] {
        let absent = school.ask("GET", &format!("/c/awale/finals/{name}"), &people.admin, "").await;
        assert_eq!(absent.status(), StatusCode::NOT_FOUND, "{name}");
    }
}

#[tokio::test]
async fn where_workers_play_a_final_is_played_by_hand() {
    let (school, people) = School::with_workers().await;
    let asked = school.ask("POST", "/c/awale/admin/finals/first/play", &people.teacher, "").await;
    assert_eq!(asked.status(), StatusCode::CONFLICT);
    let page = text(asked).await;
    assert!(page.contains("pitmaster run ") && page.contains("/finals/awale/first.toml"), "{page}");
    assert!(page.contains("--cluster SERVER"), "{page}");
    assert!(school.database.final_runs(school.course).await.unwrap().is_empty());
    let play = text(school.ask("GET", "/c/awale/play", &people.bob, "").await).await;
    assert!(play.contains("bots of the course play elsewhere"), "{play}");
}

#[tokio::test]
async fn a_final_requires_frozen_versions() {
    let (school, people) = School::with_groups().await;
    let passed = school.deadline("Passed", NOW.minus(Duration::from_secs(1))).await;
    let path = format!("/c/awale/admin/deadlines/{passed}/final");
    let refused = school.ask("POST", &path, &people.teacher, "").await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text(refused).await.contains("at least two groups"));
    let written = school.database.folder().join("finals/awale/passed.toml");
    assert!(!written.exists());
    let log = text(school.ask("GET", "/c/awale/admin/audit", &people.teacher, "").await).await;
    assert!(!log.contains("deadline.write-final"), "{log}");
}

#[tokio::test]
async fn the_public_table_is_frozen_from_the_page() {
    let (school, people) = School::with_groups().await;
    let set = async |form: &str| {
        school.ask("POST", "/c/awale/admin/ladders/main", &people.teacher, form).await.status()
    };
    let ladder = async || {
        let mut all = school.database.ladders(school.course).await.unwrap();
        let actor = Actor { is_admin: true, ..Actor::default() };
        all.remove(0).open(&actor, Action::ViewResults).unwrap()
    };
    assert_eq!(set("state=paused&frozen_view_at=2026-11-01T10%3A30").await, 303);
    let at = Utc::of_minute("2026-11-01T10:30");
    assert_eq!((ladder().await.state, ladder().await.frozen_view_at), (LadderState::Paused, at));
    // The form is filled with the current setting, so that submitting it unchanged has no effect.
    let page = text(school.ask("GET", "/c/awale/admin", &people.teacher, "").await).await;
    assert!(page.contains("value=\"2026-11-01T10:30\""), "{page}");
    assert_eq!(set("state=open&frozen_view_at=soon").await, 422);
    assert_eq!(set("state=broken").await, 400);
    assert_eq!(ladder().await.frozen_view_at, at);
    assert_eq!(set("state=open").await, 303);
    assert_eq!(ladder().await.frozen_view_at, None);
}
