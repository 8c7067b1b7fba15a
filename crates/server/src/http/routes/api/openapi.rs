//! OpenAPI 3.1 description of the API, generated from the route table.

use pitmaster_season::course::Scope;
use serde_json::{Map, Value, json};

use super::{ApiRoute, ROUTES, UPLOADS};

/// Documentation of a route.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Doc {
    /// Summary.
    pub summary: &'static str,
    /// Scope that the token needs.
    pub scope: Option<Scope>,
    /// Request body.
    pub takes: Option<Content>,
    /// Query parameters: names, types and descriptions.
    pub query: &'static [(&'static str, &'static str, &'static str)],
    /// Response body.
    pub gives: Content,
    /// Whether the route needs no token.
    pub is_public: bool,
    /// Whether the state of the object or of the course may forbid the request.
    pub conflicts: bool,
    /// Status of a successful response.
    pub status: u16,
    /// Whether the route accepts an upload.
    pub is_upload: bool,
}

/// Body of a request or response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Content {
    /// JSON with the schema of this name.
    Schema(&'static str),
    /// Any JSON.
    AnyJson,
    /// JSON lines, each with the schema of this name.
    Lines(&'static str),
    /// Text.
    Text,
    /// Archive, or a form with one.
    Upload,
}

impl Doc {
    /// Documentation of a route that reads.
    pub(super) const fn read(summary: &'static str, scope: Option<Scope>, gives: Content) -> Self {
        let (is_public, conflicts, is_upload) = (false, false, false);
        let (takes, query, status): (_, &[_], _) = (None, &[], 200);
        Self { summary, scope, takes, query, gives, is_public, conflicts, status, is_upload }
    }

    /// Statuses of error responses.
    fn errors(&self, path: &str) -> Vec<u16> {
        let mut errors = vec![429, 500, 503];
        if !self.is_public {
            errors.push(401);
        }
        if self.scope.is_some() {
            errors.push(403);
        }
        if path.contains('{') || self.scope.is_some() {
            errors.push(404);
        }
        if self.takes.is_some() {
            errors.extend([400, 408, 413, 422]);
        }
        if !self.query.is_empty() {
            errors.push(400);
        }
        if self.conflicts {
            errors.push(409);
        }
        if self.is_upload {
            errors.extend([415, 507]);
        }
        errors.sort_unstable();
        errors
    }
}

impl Content {
    fn document(self) -> Value {
        match self {
            Self::Schema(name) => json!({"application/json": {"schema": reference(name)}}),
            Self::AnyJson => json!({"application/json": {"schema": {"type": "object"}}}),
            Self::Lines(name) => json!({"application/x-ndjson": {"schema": reference(name)}}),
            Self::Text => json!({"text/plain": {"schema": {"type": "string"}}}),
            Self::Upload => {
                let binary = || json!({"schema": {"type": "string", "format": "binary"}});
                json!({
                    "application/gzip": binary(),
                    "application/zip": binary(),
                    "multipart/form-data": {"schema": {
                        "type": "object",
                        "properties": {
                            "file": {"type": "string", "format": "binary"},
                            "note": {"type": "string", "maxLength": 500},
                        },
                        "required": ["file"],
                    }},
                })
            }
        }
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// `GET openapi.json`: the description.
pub(super) fn document() -> Value {
    described(ROUTES.iter().chain(UPLOADS))
}

fn described<'r>(routes: impl Iterator<Item = &'r ApiRoute>) -> Value {
    let mut paths = Map::new();
    for route in routes {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pitmaster",
            "description": "Practice server of a course. A token of your account opens the routes; \
                            errors are documents by RFC 9457.",
            "version": "1",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas(),
        },
    })
}

fn operation(route: &ApiRoute) -> Value {
    let ApiRoute { method, path, doc, .. } = route;
    let mut answers = Map::new();
    let mut success = json!({"description": "Done", "content": doc.gives.document()});
    if doc.is_upload {
        let location =
            json!({"schema": {"type": "string"}, "description": "Address of the version"});
        success["headers"] = json!({"Location": location});
        answers.insert("201".into(), success.clone());
        success["description"] = "The older version with the same bytes".into();
    }
    answers.insert(doc.status.to_string(), success);
    if doc.gives == Content::Schema("Ladder") {
        let text = "The table is still the one of If-None-Match";
        answers.insert("304".into(), json!({"description": text}));
    }
    for status in doc.errors(path) {
        let problem = json!({"application/problem+json": {"schema": reference("Problem")}});
        answers.insert(status.to_string(), json!({"description": "Error", "content": problem}));
    }
    let mut operation = json!({
        "operationId": operation_id(method, path),
        "summary": doc.summary,
        "parameters": parameters(path, doc),
        "responses": answers,
    });
    if let Some(scope) = doc.scope {
        operation["description"] = format!("The token needs the scope `{scope}`.").into();
    }
    if !doc.is_public {
        operation["security"] = json!([{"token": []}]);
    }
    if let Some(takes) = doc.takes {
        operation["requestBody"] =
            json!({"required": doc.is_upload || doc.status == 201, "content": takes.document()});
    }
    operation
}

/// Operation id, such as `get-versions-id-log`.
fn operation_id(method: &str, path: &str) -> String {
    let path = path.trim_start_matches("/api/v1/").replace(['{', '}'], "").replace(['/', '.'], "-");
    format!("{}-{path}", method.to_lowercase())
}

fn parameters(path: &str, doc: &Doc) -> Vec<Value> {
    let names = path.split('{').skip(1).filter_map(|part| part.split('}').next());
    let text = || json!({"type": "string"});
    let of_path = |name| json!({"name": name, "in": "path", "required": true, "schema": text()});
    let mut all: Vec<Value> = names.map(of_path).collect();
    all.extend(doc.query.iter().map(|(name, kind, meaning)| {
        json!({"name": name, "in": "query", "schema": {"type": kind}, "description": meaning})
    }));
    if doc.is_upload {
        let note = json!({"type": "string", "maxLength": 500});
        all.push(json!({"name": "note", "in": "query", "schema": note}));
        let key = json!({"type": "string", "minLength": 1, "maxLength": 200});
        all.push(json!({
            "name": "Idempotency-Key", "in": "header", "schema": key,
            "description": "The same key gives the same version again",
        }));
    }
    all
}

/// Schema of an object with required keys. The values are names of types; `?` at the end allows
/// null.
fn object(keys: &[(&str, &str)]) -> Value {
    let kind = |name: &str| match name.strip_suffix('?') {
        Some(name) => json!({"type": [name, "null"]}),
        None => json!({"type": name}),
    };
    let properties: Map<_, _> =
        keys.iter().map(|(key, name)| ((*key).to_owned(), kind(name))).collect();
    let required: Vec<_> = keys.iter().map(|(key, _)| *key).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn list(of: &Value) -> Value {
    json!({"type": "array", "items": of})
}

fn schemas() -> Value {
    let version = object(&[
        ("id", "string"),
        ("bot", "string"),
        ("number", "integer"),
        ("state", "string"),
        ("is_in_work", "boolean"),
        ("has_passed", "boolean"),
        ("sentence", "string"),
        ("why", "string?"),
        ("note", "string"),
        ("bytes", "integer"),
        ("upload", "string"),
        ("hash", "string?"),
        ("began", "string"),
        ("received", "string"),
        ("is_checked", "boolean"),
        ("page", "string"),
    ]);
    let finding = object(&[
        ("what", "string"),
        ("level", "string"),
        ("times", "integer"),
        ("about", "string"),
        ("came", "string"),
        ("expected", "string"),
        ("advice", "string"),
    ]);
    let mut check = object(&[("is_checked", "boolean"), ("findings", "array")]);
    check["properties"]["findings"] = list(&finding);
    let mut me = object(&[
        ("person", "string"),
        ("name", "string"),
        ("course", "string"),
        ("course_slug", "string?"),
        ("role", "string?"),
        ("group", "string?"),
        ("token", "string"),
        ("scopes", "array"),
        ("expires", "string"),
        ("bots", "array"),
        ("plays", "object"),
    ]);
    for key in ["scopes", "bots"] {
        me["properties"][key] = list(&json!({"type": "string"}));
    }
    let mut plays =
        object(&[("ladder", "string"), ("game", "string"), ("per_move_ms", "integer?")]);
    plays["type"] = json!(["object", "null"]);
    me["properties"]["plays"] = plays;
    let mut join = object(&[("code", "string"), ("login", "string"), ("passphrase", "string")]);
    join["properties"]["name"] = json!({"type": ["string", "null"]});
    let mut new_bot = object(&[("name", "string")]);
    for taken in [&mut join, &mut new_bot] {
        taken["additionalProperties"] = false.into();
    }
    let choice = json!({
        "type": "object",
        "properties": {"for_good": {"type": "boolean"}},
        "additionalProperties": false,
    });
    let mut problem = object(&[("type", "string"), ("title", "string"), ("status", "integer")]);
    problem["properties"]["detail"] = json!({"type": "string"});
    json!({
        "Version": version,
        "Check": check,
        "Me": me,
        "Join": join,
        "Joined": object(&[("token", "string")]),
        "NewBot": new_bot,
        "Bot": object(&[("bot", "string")]),
        "NewInvite": taken(&[("role", "string")], &[("group", "string?")]),
        "Invite": object(&[("code", "string"), ("expires", "string")]),
        "PutGroup": put_group(),
        "Group": with_list(object(&[("group", "string"), ("members", "array")]), "members", &text()),
        "NewDeadline": taken(
            &[("name", "string"), ("at", "string")],
            &[("grace_minutes", "integer"), ("policy", "string?")],
        ),
        "Deadline": deadline(),
        "Deadlines": with_list(object(&[("deadlines", "array")]), "deadlines", &deadline()),
        "Frozen": frozen(),
        "Audit": audit(),
        "NewAsk": new_ask(),
        "Ask": ask(),
        "Ladder": ladder(),
        "Games": games(),
        "Game": game(),
        "GameEvent": game_event(),
        "CourseEvent": course_event(),
        "Queue": object(&[("waiting", "integer"), ("usual_seconds", "number?")]),
        "Grades": grades(),
        "Choice": choice,
        "Problem": problem,
    })
}

/// Schema of a request body with these required and optional keys, and no others.
fn taken(required: &[(&str, &str)], optional: &[(&str, &str)]) -> Value {
    let mut taken = object(&[required, optional].concat());
    taken["required"] = required.iter().map(|(key, _)| *key).collect();
    taken["additionalProperties"] = false.into();
    taken
}

fn text() -> Value {
    json!({"type": "string"})
}

/// Schema in which a key is a list of these.
fn with_list(mut object: Value, key: &str, of: &Value) -> Value {
    object["properties"][key] = list(of);
    object
}

fn put_group() -> Value {
    let group = taken(&[("group", "string")], &[("name", "string?"), ("members", "array")]);
    with_list(group, "members", &text())
}

fn deadline() -> Value {
    object(&[
        ("id", "string"),
        ("name", "string"),
        ("at", "string"),
        ("grace_minutes", "integer"),
        ("policy", "string"),
    ])
}

fn frozen() -> Value {
    let row = object(&[("group", "string?"), ("version", "string?"), ("hash", "string?")]);
    let frozen = object(&[("deadline", "string"), ("frozen", "array"), ("waiting", "array")]);
    with_list(with_list(frozen, "frozen", &row), "waiting", &text())
}

fn audit() -> Value {
    let mut entry = object(&[
        ("number", "integer"),
        ("at", "string"),
        ("person", "string?"),
        ("role", "string"),
        ("action", "string"),
        ("kind", "string"),
        ("object", "string"),
        ("before", "object?"),
        ("after", "object?"),
        ("address", "string?"),
    ]);
    for key in ["before", "after"] {
        entry["properties"][key] = json!({});
    }
    let entries = object(&[("entries", "array"), ("next", "integer?")]);
    with_list(entries, "entries", &entry)
}

fn new_ask() -> Value {
    let mut new = object(&[("version", "string"), ("opponent", "string"), ("pairs", "integer")]);
    let id = "Id of a version, or name of a house bot";
    new["properties"]["opponent"]["description"] = id.into();
    new["properties"]["pairs"]["minimum"] = 1.into();
    new["properties"]["ladder"] = json!({
        "type": "string",
        "description": "The first ladder of the course if it is missing or empty",
    });
    new["additionalProperties"] = false.into();
    new
}

fn ask() -> Value {
    let mut ask = object(&[
        ("id", "string"),
        ("ladder", "string"),
        ("bot", "string"),
        ("number", "integer"),
        ("opponent", "string"),
        ("opponent_number", "integer?"),
        ("pairs", "integer"),
        ("state", "string"),
        ("games", "array"),
    ]);
    ask["properties"]["state"]["enum"] = json!(["waiting", "done", "canceled"]);
    ask["properties"]["games"] = list(&game_row());
    ask
}

fn grades() -> Value {
    let reason = object(&[("what", "string"), ("points", "number?"), ("why", "string")]);
    let mut grade = object(&[
        ("person", "string"),
        ("id", "string"),
        ("name", "string"),
        ("mail", "string"),
        ("group", "string"),
        ("bot", "string?"),
        ("late", "string"),
        ("points", "number"),
        ("maximum", "number"),
        ("is_open", "boolean"),
        ("reasons", "array"),
    ]);
    grade["properties"]["reasons"] = list(&reason);
    let mut grades = object(&[
        ("course", "string"),
        ("final", "string"),
        ("missing_games", "integer?"),
        ("grades", "array"),
    ]);
    grades["properties"]["grades"] = list(&grade);
    grades
}

fn ladder() -> Value {
    let row = object(&[
        ("rank", "integer?"),
        ("name", "string"),
        ("version", "integer?"),
        ("games", "integer"),
        ("wins", "integer"),
        ("draws", "integer"),
        ("losses", "integer"),
        ("forfeits", "integer"),
        ("elo", "number?"),
        ("within", "number?"),
    ]);
    let mut ladder = object(&[
        ("ladder", "string"),
        ("state", "string"),
        ("revision", "integer"),
        ("made", "string"),
        ("games", "integer"),
        ("rows", "array"),
    ]);
    ladder["properties"]["rows"] = list(&row);
    ladder
}

fn game() -> Value {
    let mut game = object(&[
        ("format", "string"),
        ("version", "integer"),
        ("id", "string"),
        ("dialects", "array"),
        ("started_unix_ms", "integer"),
        ("record", "object"),
    ]);
    game["properties"]["dialects"] = list(&json!({"type": "string"}));
    game
}

fn game_event() -> Value {
    let mut event = object(&[("event", "string"), ("id", "string?"), ("data", "object")]);
    event["properties"]["event"]["enum"] = json!(["game", "plies", "ended", "over", "bye"]);
    event
}

fn course_event() -> Value {
    let mut event = object(&[("event", "string"), ("id", "string?"), ("data", "object")]);
    event["properties"]["event"]["enum"] = json!(["ladder", "running", "queue", "mine", "bye"]);
    event
}

fn game_row() -> Value {
    let mut row = object(&[
        ("id", "string"),
        ("number", "integer"),
        ("started", "string"),
        ("bots", "array"),
        ("pair", "integer"),
        ("winner", "integer?"),
        ("points", "array"),
        ("score", "array"),
        ("ending", "string"),
        ("plies", "integer"),
    ]);
    for (key, kind) in [("bots", "string"), ("points", "number"), ("score", "integer")] {
        row["properties"][key] = list(&json!({"type": kind}));
    }
    row
}

fn games() -> Value {
    let row = game_row();
    let mut running = object(&[("id", "string"), ("bots", "array"), ("plies", "integer")]);
    running["properties"]["bots"] = list(&json!({"type": "string"}));
    let mut games = object(&[
        ("ladder", "string"),
        ("games", "array"),
        ("next", "integer?"),
        ("running", "array"),
    ]);
    games["properties"]["games"] = list(&row);
    games["properties"]["running"] = list(&running);
    games
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects all references of a document.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                found.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
                object.values().for_each(|value| references(value, found));
            }
            Value::Array(array) => array.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_route_of_the_api_is_described() {
        let document = described(ROUTES.iter().chain(UPLOADS));
        for route in ROUTES.iter().chain(UPLOADS) {
            let operation = &document["paths"][route.path][route.method.to_lowercase()];
            assert_eq!(operation["summary"], route.doc.summary, "{}", route.path);
            let answers = operation["responses"].as_object().unwrap();
            let done = route.doc.status.to_string();
            assert!(answers.contains_key(&done) && answers.contains_key("500"), "{}", route.path);
        }
    }

    #[test]
    fn every_reference_leads_to_a_schema_and_every_schema_is_used() {
        let document = described(ROUTES.iter().chain(UPLOADS));
        let mut found = Vec::new();
        references(&document, &mut found);
        for reference in &found {
            let pointer = reference.trim_start_matches('#');
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            assert!(found.contains(&format!("#/components/schemas/{name}")), "{name}");
        }
    }
}
