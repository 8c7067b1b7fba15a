//! Pages with which the staff looks after people, settings and frozen versions.

use super::admin::codes;
use super::*;

#[tokio::test]
async fn a_student_who_forgot_the_passphrase_chooses_a_new_one() {
    let (school, people) = School::with_groups().await;
    let make = async |person: PersonId, cookie: &str| {
        let path = format!("/c/awale/admin/members/{person}/code");
        school.ask("POST", &path, cookie, "").await
    };
    let page = format!("/c/awale/admin/members/{}", people.bob_id);
    let page = text(school.ask("GET", &page, &people.teacher, "").await).await;
    assert!(page.contains("A forgotten passphrase") && codes(&page).is_empty(), "{page}");
    let first = codes(&text(make(people.bob_id, &people.teacher).await).await);
    let second = codes(&text(make(people.bob_id, &people.teacher).await).await);
    assert_eq!((first.len(), second.len()), (1, 1));
    let join = async |code: &str| {
        let form = format!("code={code}&passphrase=another+good+passphrase");
        school.ask("POST", "/join", "", &form).await
    };
    // Only the newest code works, and until it is used the account is as it was.
    assert_eq!(join(&first[0]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(school.ask("GET", "/account", &people.bob, "").await.status(), StatusCode::OK);
    let again = cookie(&join(&second[0]).await).expect("a session");
    assert_eq!(school.ask("GET", "/account", &people.bob, "").await.status(), 401);
    let me = text(school.ask("GET", "/c/awale/me", &again, "").await).await;
    assert!(me.contains("b.one"), "the group stays: {me}");
    for (passphrase, status) in [
        ("correct+horse+battery", StatusCode::FORBIDDEN),
        ("another+good+passphrase", StatusCode::SEE_OTHER),
    ] {
        let form = format!("login=bob&passphrase={passphrase}");
        assert_eq!(school.ask("POST", "/login", "", &form).await.status(), status, "{passphrase}");
    }
}

#[tokio::test]
async fn a_code_is_no_way_into_an_account_of_the_staff() {
    let (school, people) = School::with_groups().await;
    let assistant = school.id_of(&people.assistant).await;
    let make = async |person: PersonId| {
        let path = format!("/c/awale/admin/members/{person}/code");
        school.ask("POST", &path, &people.teacher, "").await.status()
    };
    assert_eq!(make(people.teacher_id).await, StatusCode::CONFLICT);
    assert_eq!(make(assistant).await, StatusCode::CONFLICT);
    assert_eq!(make(people.bob_id).await, StatusCode::OK);
    // A student here may be an assistant elsewhere.
    let other = add_course(&school.database, "other", "Other").await;
    let joins = school.database.set_member(act(), people.bob_id, other, Role::Assistant, None);
    joins.await.unwrap();
    assert_eq!(make(people.bob_id).await, StatusCode::CONFLICT);
    // The operator may.
    let operator = Act { by: By::Operator, at: NOW, address: None };
    let expires = NOW.plus(Duration::from_hours(1));
    school.database.renew_code(operator, school.course, assistant, expires).await.unwrap();
}

#[tokio::test]
async fn a_code_changes_no_group_and_does_not_outlive_a_membership() {
    let (school, people) = School::with_groups().await;
    let at = |rest: &str| format!("/c/awale/admin/members/{}{rest}", people.bob_id);
    let made = async || {
        let page = text(school.ask("POST", &at("/code"), &people.teacher, "").await).await;
        codes(&page).remove(0)
    };
    let join = async |code: &str| {
        let form = format!("code={code}&passphrase=another+good+passphrase");
        school.ask("POST", "/join", "", &form).await
    };
    let code = made().await;
    let moved = format!("group={}", people.group);
    school.ask("POST", &at(""), &people.teacher, &moved).await;
    let bob = cookie(&join(&code).await).expect("a session");
    let me = text(school.ask("GET", "/c/awale/me", &bob, "").await).await;
    assert!(me.contains("a.one") && !me.contains("b.one"), "{me}");
    let code = made().await;
    school.ask("POST", &at("/end"), &people.teacher, "sure=on").await;
    assert_eq!(join(&code).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_membership_ends_after_a_question() {
    let (school, people) = School::with_groups().await;
    let end = |person: PersonId| format!("/c/awale/admin/members/{person}/end");
    let asked = school.ask("POST", &end(people.bob_id), &people.teacher, "").await;
    assert_eq!(asked.status(), StatusCode::OK);
    assert!(text(asked).await.contains("name=\"sure\""));
    assert_eq!(school.ask("GET", "/c/awale", &people.bob, "").await.status(), 200);
    let ended = school.ask("POST", &end(people.bob_id), &people.teacher, "sure=on").await;
    assert_eq!(ended.status(), StatusCode::SEE_OTHER);
    assert_eq!(school.ask("GET", "/c/awale", &people.bob, "").await.status(), 404);
    assert_eq!(school.ask("GET", "/c/awale/bots/b.one", &people.ada, "").await.status(), 200);
    let page = format!("/c/awale/admin/members/{}", people.bob_id);
    let page = text(school.ask("GET", &page, &people.teacher, "").await).await;
    assert!(page.contains("left the course") && !page.contains("/code"), "{page}");
    let own = school.ask("POST", &end(people.teacher_id), &people.teacher, "sure=on").await;
    assert_eq!(own.status(), StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_teacher_opens_a_course_to_the_world() {
    let (school, people) = School::with_groups().await;
    let set = async |visibility: &str, rest: &str, closes: &str| {
        let form =
            format!("title=%3Cb%3E2027&lang=fr&closes={closes}&visibility={visibility}{rest}");
        school.ask("POST", "/c/awale/admin/settings", &people.teacher, &form).await.status()
    };
    let guest = async |path: &str| school.ask("GET", path, "", "").await.status().as_u16();
    assert_eq!([guest("/c/awale").await, guest("/c/awale/play").await], [401, 401]);
    assert_eq!(set("world", "", "2027-07-01T00%3A00").await, StatusCode::SEE_OTHER);
    assert_eq!([guest("/c/awale").await, guest("/c/awale/play").await], [200, 403]);
    assert_eq!(set("world", "&guests_play=on", "2027-07-01T00%3A00").await, StatusCode::SEE_OTHER);
    assert_eq!([guest("/c/awale").await, guest("/c/awale/play").await], [200, 200]);
    let admin = text(school.ask("GET", "/c/awale/admin", &people.teacher, "").await).await;
    assert!(admin.contains("value=\"2027-07-01T00:00\"") && admin.contains(" checked"), "{admin}");
    assert!(!admin.contains("<b>2027"), "{admin}");
    for (visibility, closes, status) in [
        ("nobody", "2027-07-01T00%3A00", StatusCode::BAD_REQUEST),
        ("members", "soon", StatusCode::UNPROCESSABLE_ENTITY),
        ("members", "1999-01-01T00%3A00", StatusCode::CONFLICT),
    ] {
        assert_eq!(set(visibility, "", closes).await, status, "{visibility} {closes}");
    }
    assert_eq!(guest("/c/awale/play").await, 200, "refused settings change nothing");
    assert_eq!(set("members", "", "2027-07-01T00%3A00").await, StatusCode::SEE_OTHER);
    assert_eq!(guest("/c/awale").await, 401);
}

#[tokio::test]
async fn a_frozen_version_is_shown_and_replaced_after_a_dispute() {
    let (school, people) = School::with_groups().await;
    let passed = school.deadline("Passed", NOW.minus(Duration::from_secs(1))).await;
    let path = format!("/c/awale/admin/deadlines/{passed}");
    let empty = text(school.ask("GET", &path, &people.teacher, "").await).await;
    assert!(empty.contains("Nothing is frozen yet"), "{empty}");
    school.ask("POST", &format!("{path}/freeze"), &people.teacher, "").await;
    let me = text(school.ask("GET", "/c/awale/me", &people.ada, "").await).await;
    assert!(me.contains("Counts for Passed"), "{me}");
    let page = text(school.ask("GET", &path, &people.assistant, "").await).await;
    assert!(page.contains("<th scope=\"row\">a</th>") && !page.contains("?group="), "{page}");
    let form = text(school.ask("GET", &format!("{path}?group=a"), &people.teacher, "").await).await;
    assert!(form.contains(&format!("<option value=\"{}\"", people.active)), "{form}");
    let absent = school.ask("GET", &format!("{path}?group=none"), &people.teacher, "").await;
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);
    let replace = async |version: &str, why: &str| {
        let form = format!("group=a&version={version}&why={why}");
        school.ask("POST", &format!("{path}/replace"), &people.teacher, &form).await.status()
    };
    assert_eq!(replace("", "").await, StatusCode::UNPROCESSABLE_ENTITY, "a reason is required");
    assert_eq!(replace("x", "late").await, StatusCode::NOT_FOUND);
    let active = people.active.to_string();
    for (version, shown) in [(active.as_str(), "a.one · 1"), ("", "no version")] {
        assert_eq!(replace(version, "the+network+was+down").await, StatusCode::SEE_OTHER);
        let me = text(school.ask("GET", "/c/awale/me", &people.ada, "").await).await;
        assert!(me.contains(shown), "{me}");
    }
    let log = text(school.ask("GET", "/c/awale/admin/audit", &people.teacher, "").await).await;
    assert!(log.contains("deadline.refreeze") && log.contains("the network was down"), "{log}");
}
