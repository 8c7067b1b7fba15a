use super::*;
use crate::State;
use crate::grading::fixtures::member;
use crate::grading::{Grade, Points, Reason};

fn grade(key: &str, name: &str, log: Option<&str>) -> Grade {
    let why = said!("decided by the teacher");
    let reason = Reason { what: "report".into(), points: Some(Points::from_number(3.5)), why };
    Grade {
        member: member(key, name, State::Ready),
        points: Points::from_number(17.5),
        maximum: Points::from_number(20.0),
        reasons: vec![reason],
        open: true,
        cannot_play: log.map(Into::into),
    }
}

#[test]
fn a_page_is_short_and_escaped() {
    let log = "main.c:3: error: <b>expected</b> ';'\n".repeat(9000) + "the last \u{1b}[2J line";
    let mut grade = grade("1", "<Élodie> & Co", Some(&log));
    let why = said!("no points for play: {}", "<script>".repeat(500));
    grade.reasons = vec![Reason { what: "gate".into(), points: None, why }; 30];
    let page = page(&grade, "Awalé", Lang::English);
    assert!(page.len() < 60_000, "{}", page.len());
    assert!(page.contains("&lt;Élodie&gt; &amp; Co"));
    assert!(page.contains("the last \\u{1b}[2J line</pre>"), "{page}");
    assert!(!page.contains("<script>") && !page.contains("<b>"));
}

#[test]
fn a_page_is_in_the_language_of_the_class() {
    let page = page(&grade("1", "Élodie", None), "Awalé", Lang::French);
    assert!(page.contains("<html lang=\"fr\">") && page.contains("17,5 sur 20"), "{page}");
}

/// Moodle splits the path at `_` into at most five parts: name, number, two of the plugin, file.
#[test]
fn names_in_the_archive_are_split_by_moodle() {
    let member = member("4200101", "Seán_O'Brien / x", State::Ready);
    let name = WayBack::Moodle.page_name(&member).unwrap();
    let (folder, file) = name.split_once('/').unwrap();
    let parts: Vec<_> = folder.splitn(5, '_').collect();
    assert_eq!(parts, ["Seán O Brien x", "4200101", "assignfeedback", "file", ""]);
    assert_eq!(file, "feedback.html");
}

#[test]
fn pages_go_back_where_the_submission_came_from() {
    let back = |origin: &str| {
        let mut member = member("4200101", "Ada", State::Ready);
        member.origin = origin.into();
        let class = Class { members: vec![member.clone()] };
        WayBack::of(&class).page_name(&member)
    };
    for (origin, wanted) in [
        ("", Some("Ada_4200101_assignfeedback_file_/feedback.html")),
        (
            "Ada_4200101_assignsubmission_file/bot.py",
            Some("Ada_4200101_assignfeedback_file_/feedback.html"),
        ),
        ("adaa_LATE_101_9001_bot.zip", Some("adaa_LATE_101_9001_bot.zip.html")),
        ("adaa_101_text.html", None),
        (
            "multi_feedback_Awale_42/A_Ada_ada_3001/src/bot.c",
            Some("multi_feedback_Awale_42/A_Ada_ada_3001/feedback.html"),
        ),
        (
            "Awale/Abgaben/Team 3/A_Ada_ada_3001/bot.c",
            Some("Awale/Abgaben/Team 3/A_Ada_ada_3001/feedback.html"),
        ),
        ("P_ada01_attempt_2026-11-19-10-00-00_bot.py", None),
    ] {
        assert_eq!(back(origin).as_deref(), wanted, "{origin}");
    }
}

#[test]
fn a_mail_has_the_reasons_and_the_words_of_the_compiler() {
    let grade = grade("1", "Élodie", Some("main.c:3: expected ';'"));
    let mail = Mail::new(&grade, "Awalé", Lang::English).unwrap();
    insta::assert_snapshot!(mail.body, @r"
    Élodie

    Awalé: 17.5 of 20 (provisional)

    - report: 3.5; decided by the teacher

    Why the bot did not play:

    main.c:3: expected ';'
    ");
    let eml = mail.to_eml();
    assert!(eml.starts_with("To: 1@univ.example\r\nSubject: =?utf-8?Q?Awal=C3=A9?=\r\n"), "{eml}");
    assert!(eml.is_ascii() && eml.contains("\r\n\r\n=C3=89lodie\r\n\r\n"), "{eml}");
    let csv = String::from_utf8(mails_csv(&[mail]).unwrap()).unwrap();
    assert!(csv.starts_with("key,email,subject,body\n1,1@univ.example,Awalé,\"Élodie\n"), "{csv}");
}

#[test]
fn archives_are_split_at_a_size() {
    let parts = |sizes: &[u64]| -> Vec<(usize, usize)> {
        split(sizes, 6).into_iter().map(|part| (part.start, part.end)).collect()
    };
    assert_eq!(parts(&[3, 3, 3, 9, 1]), [(0, 2), (2, 3), (3, 4), (4, 5)]);
    assert_eq!(parts(&[1, 1]), [(0, 2)]);
    assert_eq!(parts(&[]), [(0, 0)]);
}
