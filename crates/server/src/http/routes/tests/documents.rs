//! Responses of the API match their schemas. What the schemas allow but no response contains is
//! fuzzed by a scanner (`scripts/serving/security.py`).

use serde_json::Value;

use super::matrix::filled;
use super::*;

/// Schema violations of a value, with their locations.
fn schema_violations(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(reference.trim_start_matches('#')).expect("a schema");
        return schema_violations(document, schema, value, at);
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        Value::Null => Vec::new(),
        kind => vec![kind.clone()],
    };
    let is = |kind: &Value| match kind.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => panic!("a type of another kind: {kind}"),
    };
    if !kinds.is_empty() && !kinds.iter().any(is) {
        return vec![format!("{at} is {value}, and not of {kinds:?}")];
    }
    let mut found = Vec::new();
    // The keys of a nullable object are required only if it is not null.
    let keys = schema["required"].as_array().filter(|_| !value.is_null());
    for key in keys.into_iter().flatten().filter_map(Value::as_str) {
        if value.get(key).is_none() {
            found.push(format!("{at} has no {key}"));
        }
    }
    for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = value.get(key) {
            found.extend(schema_violations(document, schema, value, &format!("{at}.{key}")));
        }
    }
    for (n, value) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(schema_violations(document, &schema["items"], value, &format!("{at}[{n}]")));
    }
    found
}

#[tokio::test]
async fn answers_have_the_form_that_the_document_says() {
    let (school, people) = School::with_groups().await;
    let token = school.token(people.ada_id, school.course, &[Scope::Read, Scope::Upload]).await;
    let headers = [(header::AUTHORIZATION, token.as_str())];
    let document = text(school.send("GET", "/api/v1/openapi.json", &headers, "").await).await;
    let document: Value = serde_json::from_str(&document).unwrap();
    let mut seen = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            // Uploads have their own tests, and return the same document as a version.
            if path.ends_with("/bots/{bot}/versions") {
                continue;
            }
            let game = people.games[games::FORFEITED].clone();
            let path = filled(&path.replace("{id}", "{version}").replace("{game}", &game), &people);
            let response = school.send(&method.to_uppercase(), &path, &headers, "").await;
            let status = response.status().as_u16().to_string();
            let kind = response.headers()[header::CONTENT_TYPE].to_str().unwrap();
            let kind = kind.split(';').next().unwrap().to_owned();
            let schema = &operation["responses"][&status]["content"][&kind]["schema"];
            assert!(schema.is_object(), "{method} {path} answers {status} with {kind}");
            let body = text(response).await;
            if kind == "application/x-ndjson" {
                for line in body.lines() {
                    let line: Value = serde_json::from_str(line).unwrap();
                    assert_eq!(
                        schema_violations(&document, schema, &line, "it"),
                        [""; 0],
                        "{path}"
                    );
                }
                assert_eq!(body.lines().count(), 3, "{body}");
            } else if kind.ends_with("json") {
                let body: Value = serde_json::from_str(&body).unwrap();
                assert_eq!(
                    schema_violations(&document, schema, &body, "it"),
                    [""; 0],
                    "{method} {path}"
                );
                seen += u32::from(status == "200");
            }
        }
    }
    assert!(seen >= 8, "{seen}");
}
