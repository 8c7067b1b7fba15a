//! What the staff does by a program.

use serde_json::{Value, json};

use super::*;

struct Program<'s> {
    school: &'s School,
    token: String,
}

impl<'s> Program<'s> {
    async fn of(school: &'s School, person: PersonId) -> Self {
        Self { school, token: school.token(person, school.course, Scope::ALL).await }
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let headers = [(header::AUTHORIZATION, self.token.as_str())];
        let path = format!("/api/v1/{path}");
        let response = self.school.send(method, &path, &headers, body.to_string()).await;
        let status = response.status().as_u16();
        (status, serde_json::from_str(&text(response).await).unwrap())
    }

    /// As `send`, for a request that has to succeed.
    async fn done(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.send(method, path, body).await;
        assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
        answer
    }
}

#[tokio::test]
async fn a_program_runs_a_course() {
    let (school, people) = School::with_groups().await;
    let staff = Program::of(&school, people.teacher_id).await;
    let made = staff.done("PUT", "groups", &json!({"group": "c", "name": "Group C"})).await;
    assert_eq!(made, json!({"group": "c", "members": []}));
    let invite = staff.done("POST", "invites", &json!({"role": "student", "group": "c"})).await;
    let form = format!(
        "code={}&login=cleo&name=Cleo&passphrase=correct+horse+battery",
        invite["code"].as_str().unwrap()
    );
    assert_eq!(school.ask("POST", "/join", "", &form).await.status(), 303);
    let moved = json!({"group": "c", "members": ["bob"]});
    let moved = staff.done("PUT", "groups", &moved).await;
    assert_eq!(moved, json!({"group": "c", "members": ["bob", "cleo"]}));
    let past = json!({"name": "Past", "at": "2026-11-18T10:00", "grace_minutes": 5});
    let past = staff.done("POST", "deadlines", &past).await;
    assert_eq!((&past["grace_minutes"], &past["policy"]), (&json!(5), &json!("newest-passing")));
    let listed = staff.done("GET", "deadlines", &json!({})).await;
    assert_eq!(listed["deadlines"][0], past);
    let freeze = format!("deadlines/{}/freeze", past["id"].as_str().unwrap());
    let frozen = staff.done("POST", &freeze, &json!({})).await;
    assert_eq!(frozen["frozen"].as_array().unwrap().len(), 3, "{frozen}");
    let mut entries = Vec::new();
    let mut after = json!(0);
    while !after.is_null() {
        let page = staff.done("GET", &format!("audit?after={after}"), &json!({})).await;
        entries.extend(page["entries"].as_array().unwrap().clone());
        after = page["next"].clone();
    }
    let by_teacher = entries.iter().filter(|it| it["person"] == people.teacher_id.to_string());
    let actions: Vec<_> = by_teacher.map(|entry| entry["action"].as_str().unwrap()).collect();
    for action in ["group.add", "invite.make", "member.set", "deadline.add", "deadline.freeze"] {
        assert!(actions.contains(&action), "{action}: {actions:?}");
    }
}

#[tokio::test]
async fn wrong_requests_change_nothing() {
    let (school, people) = School::with_groups().await;
    let staff = Program::of(&school, people.teacher_id).await;
    let before = school.database.audit(None, 0, 1000).await.unwrap().len();
    for (method, path, body, status) in [
        ("POST", "invites", json!({"role": "king"}), 400),
        ("POST", "invites", json!({"role": "student", "group": "none"}), 404),
        ("POST", "invites", json!({"role": "teacher", "group": "a"}), 409),
        ("POST", "invites", json!({"role": "student", "mail": "x"}), 400),
        ("PUT", "groups", json!({"group": "No Slug"}), 422),
        ("PUT", "groups", json!({"group": "d", "members": ["bob", "nobody"]}), 422),
        ("PUT", "groups", json!({"group": "d", "members": ["grace"]}), 422),
        ("POST", "deadlines", json!({"name": "x", "at": "tomorrow"}), 422),
        ("POST", "deadlines", json!({"name": "x", "at": "2026-11-18T10:00", "policy": "y"}), 400),
        ("POST", "deadlines", json!({"name": "", "at": "2026-11-18T10:00"}), 422),
    ] {
        let (found, answer) = staff.send(method, path, &body).await;
        assert_eq!(found, status, "{method} {path} {body}: {answer}");
    }
    assert_eq!(school.database.audit(None, 0, 1000).await.unwrap().len(), before);
}
