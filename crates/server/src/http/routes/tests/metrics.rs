//! Metrics and their listener.

use super::*;

#[tokio::test]
async fn metrics_are_on_their_own_listener_only() {
    let (school, people) = School::with_groups().await;
    assert_eq!(school.ask("GET", "/metrics", &people.admin, "").await.status(), 404);
    assert_eq!(school.ask("GET", "/healthz", "", "").await.status(), 200);
    let ask = |path: &str| Request::get(path).body(Body::empty()).unwrap();
    let response = school.metrics.clone().oneshot(ask("/metrics")).await.unwrap();
    assert_eq!(response.status(), 200);
    let text = text(response).await;
    let shown = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("pitmaster_{name} ")));
        line.unwrap_or_else(|| panic!("no {name}: {text}"))
    };
    let value = |name: &str| -> f64 { shown(name).parse().expect("a number") };
    // The second version waits to be built.
    assert_eq!([shown("jobs_waiting"), shown("lanes"), shown("lanes_busy")], ["2", "3", "1"]);
    assert_eq!(shown("responses_total{class=\"4xx\"}"), "1");
    assert_eq!(shown("responses_total{class=\"2xx\"}"), "1");
    assert!(value("commit_seconds_count") > 1.0 && value("commit_seconds_sum") > 0.0, "{text}");
    assert!(value("slowest_commit_seconds") <= value("commit_seconds_sum"), "{text}");
    // The format requires a type and a help text for every value.
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let name = name.trim_end_matches("_count").trim_end_matches("_sum");
        assert!(text.contains(&format!("# TYPE {name} ")), "{line}");
    }
    assert_eq!(school.metrics.clone().oneshot(ask("/c/awale")).await.unwrap().status(), 404);
}
