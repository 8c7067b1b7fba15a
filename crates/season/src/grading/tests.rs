use pitmaster_core::i18n::Lang;

use super::fixtures::member;
use super::*;
use crate::{Class, Member, State};

const SCHEME: &str = r#"
maximum = 20
round = 0.5

[gate]
forfeits = 2

[[milestone]]
name = "beats random"
against = "random"
line = 0.9
points = 8

[[milestone]]
against = "house:greedy"
line = 0.5
points = 6
borderline = "teacher"

[elo]
over = "greedy"
band = [{ elo = 0, points = 1 }, { elo = 100, points = 2 }]

[rank]
points = 2

[penalty]
late = 1
forfeit = 0.25
forfeits_at_most = 1

[[part]]
name = "report"
points = 4
"#;

fn class() -> Class {
    let late = Member { late: "2h".into(), ..member("3", "Zoé", State::Ready) };
    let unclear = Member {
        why: "only an address was handed in".into(),
        ..member("5", "Noé", State::OnlyAddress)
    };
    let members = vec![
        member("1", "Ada", State::Ready),
        member("2", "Bob", State::Ready),
        late,
        member("4", "Nil", State::Missing),
        unclear,
    ];
    Class { members }
}

fn evidence() -> Evidence {
    let house = |name: &str| name.parse::<pitmaster_core::BotName>().unwrap();
    let bot = |random: u8, greedy: &[u8], elo: f64, forfeits: u32| BotEvidence {
        games: 500,
        forfeits: if forfeits > 0 { vec![("move-late".into(), forfeits)] } else { Vec::new() },
        pairs: [
            (house("house-random"), vec![random; 200]),
            (house("house-greedy"), greedy.repeat(50)),
        ]
        .into(),
        elo: Some(EloEvidence { value: elo, low: Some(elo - 30.0), high: Some(elo + 30.0) }),
        ..BotEvidence::default()
    };
    let bots = [
        ("1", bot(4, &[4, 4, 2, 4], 1700.0, 0)),
        ("2", bot(4, &[0, 4, 4, 0], 1490.0, 1)),
        ("3", bot(1, &[0, 0, 0, 2], 1480.0, 9)),
    ];
    Evidence {
        planned_pairs: None,
        bots: bots.into_iter().map(|(key, bot)| (key.parse().unwrap(), bot)).collect(),
        house: [(house("house-random"), Some(1200.0)), (house("house-greedy"), Some(1500.0))]
            .into(),
        ranks: [("1", 1), ("2", 2), ("3", 2)]
            .map(|(key, rank)| (key.parse().unwrap(), rank))
            .into(),
    }
}

fn shown(grades: &[Grade]) -> String {
    grades
        .iter()
        .map(|grade| format!("{} {}\n", grade.member.key, grade.comment(Lang::English)))
        .collect()
}

#[test]
fn every_number_has_its_reason() {
    let (scheme, class) = (Scheme::parse(SCHEME).unwrap(), class());
    let parts = Parts::parse(b"id;report\nParticipant 1;3,5\nParticipant 5;9\n", &class).unwrap();
    let grades = grade(&scheme, &class, &evidence(), &parts).unwrap();
    insta::assert_snapshot!(shown(&grades));
    assert_eq!(grades, grade(&scheme, &class, &evidence(), &parts).unwrap());
}

#[test]
fn another_scheme_shows_its_effect() {
    let (scheme, class) = (Scheme::parse(SCHEME).unwrap(), class());
    let other = Scheme::parse(&SCHEME.replace("points = 8", "points = 10")).unwrap();
    let of = |scheme| grade(scheme, &class, &evidence(), &Parts::default()).unwrap();
    let changes = what_if(&of(&scheme), &of(&other));
    let changes: Vec<_> =
        changes.iter().map(|it| format!("{} {} {}", it.key, it.before, it.after)).collect();
    assert_eq!(changes, ["1 18 20", "2 10 12"]);
}

#[test]
fn an_unknown_house_bot_and_wrong_parts_are_errors() {
    let scheme = Scheme::parse(&SCHEME.replace("\"random\"", "\"expert\"")).unwrap();
    let error = grade(&scheme, &class(), &evidence(), &Parts::default()).unwrap_err();
    insta::assert_snapshot!(error, @r#"milestone.against: no house bot "expert" took part; the house bots are house-greedy, house-random"#);
    let wrong = |text: &str| Parts::parse(text.as_bytes(), &class()).unwrap_err().to_string();
    assert!(wrong("id,report\nx,1\n").starts_with("line 2: \"x\" is not in the class list"));
    assert!(wrong("key,report\n1,good\n").contains("report: \"good\" is not a number"));
    assert!(wrong("report\n1\n").starts_with("line 1: no column"));
}

/// Grades from a scheme, a class and evidence.
fn all_grades() -> Vec<Grade> {
    let (scheme, class) = (Scheme::parse(SCHEME).unwrap(), class());
    let parts = Parts::parse(b"id;report\nParticipant 1;3,5\nParticipant 5;9\n", &class).unwrap();
    grade(&scheme, &class, &evidence(), &parts).unwrap()
}

#[test]
fn the_reasons_of_a_grade_add_up_to_it() {
    let (scheme, grades) = (Scheme::parse(SCHEME).unwrap(), all_grades());
    assert!(grades.iter().any(|grade| grade.points > Points::ZERO));
    for grade in grades {
        let limited = grade.sum().rounded(scheme.round).clamp(Points::ZERO, scheme.maximum);
        assert_eq!(limited, grade.points, "{}", grade.member.name);
        assert_eq!(grade.shown().sum(), grade.sum());
    }
}

#[test]
fn a_stored_grade_is_read_as_it_was() {
    for grade in all_grades() {
        let text = serde_json::to_string(&grade.shown()).unwrap();
        let read: ShownGrade = serde_json::from_str(&text).unwrap();
        assert_eq!(read, grade.shown());
        assert_eq!(read.total(Lang::French), grade.total(Lang::French));
    }
}

#[test]
fn members_of_a_group_share_a_bot_and_have_points_of_their_own() {
    let mate = Member { id: "Participant 9".into(), ..member("1", "Eve", State::Ready) };
    let class = Class { members: vec![member("1", "Ada", State::Ready), mate] };
    let scheme = Scheme::parse(SCHEME).unwrap();
    let points = |file: &[u8]| {
        let parts = Parts::parse(file, &class).unwrap();
        let grades = grade(&scheme, &class, &evidence(), &parts).unwrap();
        grades.iter().map(|grade| grade.points.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(points(b"id,report\nParticipant 1,3.5\nParticipant 9,1\n"), ["20", "19"]);
    assert_eq!(points(b"key,report\n1,2\n"), ["20", "20"]);
}

#[test]
fn every_day_that_has_begun_can_cost_points() {
    let scheme = SCHEME.replace("late = 1", "late = 0.5\nlate_per_day = 2");
    let scheme = Scheme::parse(&scheme).unwrap();
    let class =
        Class { members: vec![Member { late: "1 d 3 h".into(), ..class().members.remove(0) }] };
    let grades = grade(&scheme, &class, &evidence(), &Parts::default()).unwrap();
    let line = grades[0].reasons.last().unwrap().line(Lang::English);
    assert_eq!(line, "late: -4.5; handed in late: 1 d 3 h; 2 × 2 a day");
}
