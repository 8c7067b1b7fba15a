//! Output for programs: real output checked against the schemas and columns of `docs/formats.md`.

use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use pitmaster::core::Fault;
use pitmaster::tournament::KEYS;
use serde_json::{Map, Value, json};

use crate::contest::tournament;
use crate::scratch::Scratch;

fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(repository(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A schema, or a part of it.
struct Form {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Form {
    fn new(name: &str) -> Self {
        let (file, part) = name.split_once('#').unwrap_or((name, ""));
        let path = repository(&format!("docs/schemas/{file}.schema.json"));
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let location = format!("{}#{part}", path.display());
        let index = compiler.compile(&location, &mut schemas);
        let index = index.unwrap_or_else(|error| panic!("{name}: {error:#}"));
        Self { schemas, index }
    }

    fn is(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    fn assert(&self, value: &Value) {
        let result = self.schemas.validate(value, self.index);
        result.unwrap_or_else(|error| panic!("{error:#}\n{value:#}"));
    }

    /// Checks that the schema constrains every part of a value: no part may be missing, renamed or
    /// of another type.
    fn assert_strict(&self, value: &Value) {
        self.assert(value);
        let Value::Object(fields) = value else { panic!("{value} is no object") };
        for name in fields.keys() {
            let without: Map<_, _> =
                fields.iter().filter(|(key, _)| *key != name).map(pair).collect();
            let mut renamed = without.clone();
            renamed.insert(format!("{name}_"), fields[name].clone());
            let mut other = fields.clone();
            other.insert(name.clone(), json!({"what": "is this"}));
            for wrong in [without, renamed, other] {
                assert!(!self.is(&Value::Object(wrong.clone())), "{name}: {wrong:?}");
            }
        }
    }
}

fn pair((key, value): (&String, &Value)) -> (String, Value) {
    (key.clone(), value.clone())
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Plays `results/cup` with bots that fail in as many ways as possible, and two that do not.
/// Returns the output of the run.
fn eventful() -> (Scratch, String) {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first");
    let include: Vec<_> = [
        "illegal-move",
        "segfault",
        "crash-at-move-3",
        "huge-line",
        "not-utf8",
        "two-words",
        "flood-lines",
        "windows-program",
        "speaks-out-of-turn",
        "closes-output",
    ]
    .iter()
    .map(|name| format!("'bots/hostile/{name}'"))
    .collect();
    let bots =
        format!("include = ['own/*', 'house:greedy', {}]\nabsent = 'forfeit'", include.join(", "));
    // Who is late by these limits is one more way to fail.
    let clock = "per_move = '2s'\nfirst_move = '2s'\nplies = 120\n";
    scratch.write("cup.toml", tournament(clock, 1, &bots));
    let told = scratch.run("run cup.toml --json").done().raw.stdout;
    (scratch, String::from_utf8(told).expect("UTF-8"))
}

#[test]
fn results_have_the_forms_that_are_described() {
    let (scratch, told) = eventful();
    let event = Form::new("event");
    let events = json_lines(&told);
    let mut kinds: Vec<_> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    kinds.dedup();
    assert!(kinds.contains(&"started") && kinds.contains(&"game") && kinds.contains(&"ended"));
    for value in &events {
        event.assert_strict(value);
    }

    let log = Form::new("log");
    let lines = json_lines(&scratch.read("results/cup/log.jsonl"));
    assert_eq!(lines.len(), 2);
    for line in &lines {
        log.assert(line);
    }

    let moves = Form::new("moves");
    for line in json_lines(&scratch.read("results/cup/moves.jsonl")) {
        moves.assert_strict(&line);
    }

    let (game, record) = (Form::new("game"), Form::new("record"));
    let exported = scratch.run("export results/cup --format jsonl").done().raw.stdout;
    let games = json_lines(&String::from_utf8(exported).expect("UTF-8"));
    for value in &games {
        game.assert_strict(value);
    }
    for value in &games {
        record.assert_strict(&value["record"]);
    }
    // Times say their unit, and all ways to forfeit that were played are described.
    let faults: std::collections::BTreeSet<_> = games
        .iter()
        .filter_map(|game| game["record"]["ending"]["fault"]["fault"].as_str())
        .collect();
    assert!(faults.len() >= 6, "{faults:?}");
    for table in ["leaderboard", "games", "crosstable", "timing"] {
        check_table(&scratch, table);
    }
    check_standings(&scratch);
}

/// Checks that every table of `standings` as JSON has exactly the documented columns.
fn check_standings(scratch: &Scratch) {
    let form = Form::new("standings");
    for (args, table, heading) in [
        ("", "leaderboard", "leaderboard.csv"),
        ("--by side", "by-side", "by side, opponent, opening, ending"),
        ("--by opponent", "by-opponent", ""),
        ("--by opening", "by-opening", ""),
        ("--by opening --bot dice", "by-opening", ""),
        ("--by ending", "by-ending", ""),
        ("--by time", "by-time", "by time"),
        ("--superiority", "superiority", ""),
        ("--workers", "workers", "workers"),
    ] {
        let ran = scratch.run(&format!("standings results/cup --format json {args}")).done();
        let document: Value = serde_json::from_slice(&ran.raw.stdout).expect("JSON");
        form.assert_strict(&document);
        assert_eq!(document["table"], table);
        let row = Form::new(&format!("standings#/$defs/{table}"));
        let rows = document["rows"].as_array().expect("rows");
        assert!(!rows.is_empty(), "{table}");
        for value in rows {
            row.assert(value);
        }
        if !heading.is_empty() {
            let csv = scratch.run(&format!("standings results/cup --format csv {args}")).done();
            let csv = String::from_utf8(csv.raw.stdout).expect("UTF-8");
            let described = columns_below(heading).join(",");
            assert_eq!(csv.lines().next(), Some(&*described), "{table}");
        }
    }
}

/// Every line of a table, with numbers parsed.
fn check_table(scratch: &Scratch, table: &str) {
    let form = Form::new(&format!("tables#/$defs/{table}"));
    let text = scratch.read(&format!("results/cup/{table}.csv"));
    let mut sheet = csv::Reader::from_reader(text.as_bytes());
    let header = sheet.headers().expect("a header").clone();
    for row in sheet.records() {
        let row = row.expect("a row");
        let cells = header.iter().zip(&row).map(|(name, cell)| (name.to_owned(), of(cell)));
        form.assert(&Value::Object(cells.collect()));
    }
    let described = columns_of(table);
    let known: Vec<_> = header.iter().take(described.len()).collect();
    assert_eq!(known, described, "{table}");
    assert!(table == "crosstable" || header.len() == described.len(), "{header:?}");
}

fn of(cell: &str) -> Value {
    match cell.parse::<f64>() {
        _ if cell.is_empty() => Value::Null,
        Ok(number) if number.is_finite() => match cell.parse::<i64>() {
            Ok(whole) => json!(whole),
            Err(_) => json!(number),
        },
        _ => json!(cell),
    }
}

/// The first cells of the table below a heading of the page, without their quotes.
fn columns_of(table: &str) -> Vec<String> {
    columns_below(&format!("{table}.csv"))
}

fn columns_below(heading: &str) -> Vec<String> {
    let page = read("docs/formats.md");
    let (_, below) = page.split_once(&format!("### {heading}\n")).expect("a heading");
    let (section, _) = below.split_once("\n### ").expect("another one");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split_once('`')).map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn the_page_names_every_kind_of_forfeit() {
    let described = columns_of("leaderboard");
    assert!(Fault::NAMES.iter().all(|name| described.iter().any(|column| column == name)));
}

#[test]
fn views_have_the_columns_that_are_described() {
    let scratch = Scratch::new();
    let bots = "house:random house:greedy --in-process --pairs 1";
    scratch.run(&format!("match {bots} --name cup -q")).done();
    let database = rusqlite::Connection::open(scratch.path("results/cup/tournament.db"));
    let database = database.expect("opens");
    let page = read("docs/formats.md");
    let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| `v_")).collect();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let names: Vec<_> = row.split('`').skip(1).step_by(2).collect();
        let statement = database.prepare(&format!("SELECT * FROM {}", names[0])).expect(row);
        let columns: Vec<_> = statement.column_names().collect();
        assert_eq!(columns, names[1..], "{row}");
    }
}

fn toml_of(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("reads");
    let table: toml::Table =
        text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::to_value(table).expect("JSON")
}

fn files_in(folder: &str, ending: &str) -> Vec<PathBuf> {
    let pattern = repository(folder).join(ending);
    let found = glob::glob(pattern.to_str().expect("UTF-8")).expect("a pattern");
    found.map(|path| path.expect("a path")).collect()
}

#[test]
fn manifests_have_their_form() {
    let form = Form::new("manifest");
    let files = [files_in("bots", "*/bot.toml"), files_in("kits", "*/bot.toml")].concat();
    assert!(files.len() > 20, "{files:?}");
    for file in &files {
        form.assert(&toml_of(file));
    }
    for wrong in ["run = 'python3'", "run = ['x']\nbuilds = ['y']", "dialect = 'arena'", "run = []"]
    {
        let value =
            serde_json::to_value(wrong.parse::<toml::Table>().expect("TOML")).expect("JSON");
        assert!(!form.is(&value), "{wrong}");
    }
}

#[test]
fn tournament_files_have_their_form() {
    let form = Form::new("tournament");
    let files = files_in("tournaments", "*.toml");
    assert!(files.len() > 8, "{files:?}");
    for file in &files {
        form.assert(&toml_of(file));
    }
    let plain = json!({"version": 1, "game": "kalah", "bots": {"include": ["bots/*"]}});
    form.assert(&plain);
    let mut wrong = plain.clone();
    wrong["clock"] = json!({"per_move": "1 second"});
    assert!(!form.is(&wrong));
}

/// The schema has exactly the keys of the list.
#[test]
fn the_schema_of_tournaments_has_every_key() {
    let schema: Value =
        serde_json::from_str(&read("docs/schemas/tournament.schema.json")).expect("JSON");
    let mut described = Vec::new();
    collect(&schema, "", &mut described);
    let mut known: Vec<_> = KEYS.iter().map(|key| join(key.section, key.name)).collect();
    // A stage takes what stands in the format, but for what all stages have in common.
    let of_stages = KEYS.iter().filter(|key| key.section == "format" && key.name != "tie_breaks");
    known.extend(of_stages.map(|key| join("stage", key.name)));
    described.sort_unstable();
    known.sort_unstable();
    assert_eq!(described, known);
}

fn join(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

/// Names of all keys below a part of the schema that are not sections.
fn collect(schema: &Value, section: &str, names: &mut Vec<String>) {
    let properties = schema["properties"].as_object().expect("a table");
    for (name, value) in properties {
        let table = [value, &value["items"], &value["oneOf"][1]];
        match table.into_iter().find(|part| part["properties"].is_object()) {
            Some(table) => collect(table, &join(section, name), names),
            None => names.push(join(section, name)),
        }
    }
}

#[test]
fn the_doctors_report_has_the_form_that_is_described() {
    let scratch = Scratch::new();
    let ran = scratch.run("doctor --json");
    let report: Value = serde_json::from_slice(&ran.raw.stdout).expect("JSON");
    Form::new("doctor").assert_strict(&report);
    let met = report["official"]["met"].as_bool().expect("a truth");
    assert_eq!(ran.code, Some(i32::from(!met)));
    assert_eq!(report["tiers"].as_array().map(Vec::len), Some(3));
}
