//! Visibility of grades, and error messages.

use pitmaster_core::i18n::Message;
use pitmaster_season::grading::{Points, Reason, ShownGrade};

use super::*;

/// Publishes a grade with one reason to a student.
pub(super) async fn publish_grade(school: &School, student: PersonId, why: &str) {
    let [points, maximum] = [3.5, 20.0].map(Points::from_number);
    let why = Message::new("{}", vec![why.into()]);
    let reasons = vec![Reason { what: "report".into(), points: Some(points), why }];
    let grade = ShownGrade { points, maximum, open: false, reasons };
    let (grades, digest) = (vec![(student, grade)], "0".repeat(32));
    let published = school.database.publish_grades(act(), school.course, "first", grades, digest);
    published.await.unwrap();
}

#[tokio::test]
async fn students_see_their_own_grade_once_it_is_published() {
    let (school, people) = School::with_groups().await;
    let me = async |cookie: &str| text(school.ask("GET", "/c/awale/me", cookie, "").await).await;
    assert!(!me(&people.ada).await.contains("My grade"));
    publish_grade(&school, people.ada_id, "well <script>alert(1)</script>\u{202e}").await;
    let own = me(&people.ada).await;
    assert!(own.contains("My grade") && own.contains("3.5 of 20"), "{own}");
    assert!(own.contains("report") && own.contains("well ") && !own.contains("<script>a"), "{own}");
    assert!(!own.contains('\u{202e}'), "{own}");
    for other in [&people.bob, &people.assistant, &people.teacher] {
        assert!(!me(other).await.contains("My grade"));
    }
    let page = text(school.ask("GET", "/c/awale/admin/grades", &people.teacher, "").await).await;
    assert!(page.contains("Hide the grades from students"), "{page}");
    let page = text(school.ask("GET", "/c/awale/admin/grades", &people.assistant, "").await).await;
    assert!(!page.contains("Hide the grades"), "{page}");
    let hide = "/c/awale/admin/grades/withdraw";
    assert_eq!(school.ask("POST", hide, &people.teacher, "").await.status(), 303);
    assert!(!me(&people.ada).await.contains("My grade"));
}

#[tokio::test]
async fn missing_rules_are_explained() {
    let (school, people) = School::with_groups().await;
    let page = text(school.ask("GET", "/c/awale/admin/grades", &people.teacher, "").await).await;
    assert!(page.contains("/grades/awale/grading.toml"), "{page}");
    assert!(page.contains("against = &#34;random&#34;"), "{page}");
    let file = "/c/awale/admin/grades/moodle.csv";
    let refused = text(school.ask("GET", file, &people.teacher, "").await).await;
    assert!(refused.contains("There are no rules for grades yet"), "{refused}");
    let other = "/c/awale/admin/grades?final=second";
    let absent = school.ask("GET", other, &people.teacher, "").await;
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);
    assert!(text(absent).await.contains("there are: first"));
}

#[tokio::test]
async fn invalid_rules_and_missing_tournaments_are_reported() {
    let (school, people) = School::with_groups().await;
    let rules = school.database.folder().join("grades/awale/grading.toml");
    std::fs::create_dir_all(rules.parent().unwrap()).unwrap();
    std::fs::write(&rules, crate::grades::EXAMPLE).unwrap();
    let page = text(school.ask("GET", "/c/awale/admin/grades", &people.teacher, "").await).await;
    assert!(page.contains("There are no grades: "), "{page}");
    assert!(!page.contains("Show students their grades"), "{page}");
}
