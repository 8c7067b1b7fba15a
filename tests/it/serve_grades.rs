//! Grades, freezing and erasing with the real binary: the command line and the pages give the same
//! files, also when repeated.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pitmaster::season::course::{CourseState, Deadline, FreezePolicy, PersonId, Role, Scope};
use pitmaster::server::database::{DeadlineSettings, NewPerson, NewToken};
use pitmaster::server::grades::FILES;
use pitmaster::server::service::now;

use crate::scratch::Scratch;
use crate::serve::{Course, Server, school, wait_for_state, zipped};

/// Rules that suit the games of two equal bots.
const RULES: &str = "maximum = 20\nround = 0.5\n\n[[milestone]]\nname = \"beats random\"\n\
                     against = \"random\"\nline = 0.9\npoints = 8\nborderline = \"teacher\"\n\n\
                     [rank]\npoints = 4\n\n[penalty]\nlate_per_day = 2\n\n\
                     [[part]]\nname = \"report\"\npoints = 4\n";

/// Answer to a request for a page, with a session cookie.
fn ask(server: &Server, method: &str, path: &str, cookie: &str, form: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).expect("connects");
    let origin = &server.address;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {origin}\r\nOrigin: http://{origin}\r\n\
         Connection: close\r\nCookie: session={cookie}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    stream.write_all(request.as_bytes()).expect("writes");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("UTF-8");
    answer
}

fn body(answer: &str) -> &str {
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    answer.split_once("\r\n\r\n").expect("a body").1
}

/// A member of the course with a session.
fn member(
    course: &Course,
    known: NewPerson,
    role: Role,
    group: Option<&str>,
) -> (PersonId, String) {
    let (act, id) = (Course::act(), course.id());
    let person = course.database.add_person(act, known).wait().expect("a person");
    let groups = course.database.groups(id).wait().expect("reads").into_iter();
    let admin = crate::serve::admin();
    let view = pitmaster::season::course::Action::ViewResults;
    let mut groups = groups.filter_map(|it| it.open(&admin, view).ok());
    let group = group.map(|slug| groups.find(|it| it.slug == slug).expect("a group").id);
    course.database.set_member(act, person, id, role, group).wait().expect("joins");
    let secret = course.database.open_session(act, person, None).wait().expect("a session");
    (person, secret.reveal().to_owned())
}

/// A token for a staff action of a person.
fn token(course: &Course, person: PersonId) -> String {
    let (name, scopes) = ("ci".to_owned(), vec![Scope::Admin]);
    let expires = now().plus(Duration::from_hours(1));
    let token = NewToken { person, course: course.id(), name, scopes, expires };
    let (_, secret) = course.database.create_token(Course::act(), token).wait().expect("a token");
    secret.reveal().to_owned()
}

fn person(name: &str, number: &str, mail: &str) -> NewPerson {
    let text = |text: &str| Some(text.to_owned()).filter(|it| !it.is_empty());
    NewPerson {
        name: name.into(),
        student_no: text(number),
        mail: text(mail),
        login: Some(name.split(' ').next().expect("a word").to_lowercase()),
        language: None,
    }
}

/// A course in which two groups have a version that passed, and a deadline that is over: one
/// version arrived in the grace period.
fn course_with_a_deadline(scratch: &Scratch) {
    let course = Course::open(scratch);
    let bots = ["g1", "g2"].map(|group| course.bot(group));
    let tokens = bots.map(|bot| course.token(bot));
    let hand_in = |bot| course.hand_in(bot, "kit.zip", &zipped(scratch, "kit", &format!("{bot}")));
    let first = hand_in(bots[0]);
    let at = now();
    std::thread::sleep(Duration::from_millis(20));
    let second = hand_in(bots[1]);
    std::thread::sleep(Duration::from_millis(20));
    let grace = Duration::from_millis(now().since(at).as_millis() as u64);
    let rule = Deadline { at, grace, policy: FreezePolicy::NewestPassing };
    let (name, late_rule) = ("Project 1".to_owned(), String::new());
    let settings = DeadlineSettings { name, rule, late_rule, ladder: None };
    course.database.add_deadline(Course::act(), course.id(), settings).wait().expect("is set");
    drop(course);
    let waits = scratch.run("course freeze school project-1");
    assert_eq!(waits.code, Some(4), "{}", waits.all());
    assert!(waits.stderr.contains("still examined: g1, g2;"), "{}", waits.all());
    let server = Server::start(scratch);
    for (token, version) in tokens.iter().zip([first, second]) {
        wait_for_state(&server, token, version, "active");
    }
    server.stop();
}

/// Freezes, writes a final of a few games and plays it.
fn play_a_final(scratch: &Scratch) {
    let frozen = scratch.run("course freeze school project-1").done();
    assert_eq!(frozen.stdout, "frozen: versions of 2 of 2 groups\n");
    let early = scratch.run("course grades school");
    assert!(early.stderr.contains("No final has results yet"), "{}", early.all());
    let final_flags = ["--pairs=1", "--per-move=30s", "--seed=7"];
    let written =
        scratch.run_with(&[&["course", "final", "school", "Project 1"], &final_flags[..]].concat());
    let command = written.done().stdout.lines().last().expect("a command").trim().to_owned();
    scratch.run(command.strip_prefix("pitmaster ").expect("a command")).done();
}

#[test]
fn grades_are_the_same_everywhere_and_students_see_their_own_once_published() {
    let scratch = school();
    course_with_a_deadline(&scratch);
    play_a_final(&scratch);
    let course = Course::open(&scratch);
    let (teacher_id, teacher) = member(&course, person("Grace", "", ""), Role::Teacher, None);
    let ada = person("Ada Lovelace", "20260001", "ada@univ.example");
    let (ada_id, ada) = member(&course, ada, Role::Student, Some("g1"));
    let zoe = person("Zoe", "", "zoe@univ.example");
    let (_, zoe) = member(&course, zoe, Role::Student, Some("g2"));
    let (alone, _) = member(&course, person("=cmd()", "", ""), Role::Student, None);
    let own_token = token(&course, ada_id);
    let staff_token = token(&course, teacher_id);
    drop(course);

    let without = scratch.run("course grades school");
    assert_eq!(without.code, Some(2), "{}", without.all());
    let told = "write them into school/grades/school/grading.toml.";
    assert!(without.stderr.contains(told), "{}", without.all());
    scratch.write("school/grades/school/grading.toml", RULES);
    scratch.write("school/grades/school/parts.csv", "id,report\n20260001,3\nzoe@univ.example,1\n");

    let shown = scratch.run("course grades school --into grades").done();
    assert!(shown.stdout.contains("'=cmd()"), "{}", shown.all());
    scratch.run("course grades school --into again --final project-1").done();
    let file = |folder: &str, name: &str| scratch.read(&format!("{folder}/{name}"));
    for name in FILES {
        assert_eq!(file("grades", name), file("again", name), "{name}");
    }
    let plain = file("grades", "grades.csv");
    let row = |who: &str| plain.lines().find(|row| row.contains(who)).expect("a row").to_owned();
    assert!(row("Ada Lovelace").contains("report: 3; of 4, graded by hand"), "{plain}");
    assert!(!row("Ada Lovelace").contains("handed in late"), "{plain}");
    assert!(row("Zoe").contains("late: -2; handed in late: "), "{plain}");
    assert!(row("'=cmd()").contains("no points for play: in no group of the course"), "{plain}");
    let moodle = file("grades", "moodle.csv");
    assert!(moodle.starts_with("ID number,Email address,Full name,school,Feedback\n"), "{moodle}");
    assert!(moodle.contains("20260001,ada@univ.example,Ada Lovelace,"), "{moodle}");

    let server = Server::start(&scratch);
    for name in FILES {
        let path = format!("/c/school/admin/grades/{name}?final=project-1");
        assert_eq!(body(&ask(&server, "GET", &path, &teacher, "")), file("grades", name), "{name}");
        let refused = ask(&server, "GET", &path, &ada, "");
        assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    }
    let page = ask(&server, "GET", "/c/school/admin/grades", &teacher, "");
    assert!(body(&page).contains("Ada Lovelace") && page.contains("graded by hand"), "{page}");
    assert!(page.contains("Students see no grades yet."), "{page}");
    let api = server.get("/api/v1/courses/school/grades", &own_token);
    assert!(api.starts_with("HTTP/1.1 403 "), "{api}");
    let api = server.get("/api/v1/courses/school/grades?final=project-1", &staff_token);
    for told in ["\"final\":\"project-1\"", "\"missing_games\":0", "\"what\":\"report\"", "Zoe"] {
        assert!(body(&api).contains(told), "{told}: {api}");
    }

    let me = |who: &str| body(&ask(&server, "GET", "/c/school/me", who, "")).to_owned();
    assert!(!me(&ada).contains("graded by hand"));
    let publish = ["/c/school/admin/grades/publish", "final=project-1"];
    let refused = ask(&server, "POST", publish[0], &ada, publish[1]);
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    let published = ask(&server, "POST", publish[0], &teacher, publish[1]);
    assert!(published.starts_with("HTTP/1.1 303 "), "{published}");
    let own = me(&ada);
    assert!(own.contains("graded by hand") && own.contains("My grade"), "{own}");
    assert!(!own.contains("handed in late") && !own.contains("Zoe"), "{own}");
    assert!(me(&zoe).contains("handed in late"));
    let log = ask(&server, "GET", "/c/school/admin/audit", &teacher, "");
    assert!(log.contains("grades.publish"), "{log}");
    server.stop();
    a_backup_restored_elsewhere_gives_the_same_pages(&scratch, [&teacher, &ada]);
    erased_people_are_gone(&scratch, alone);
}

/// A page without what depends on when a server computed its table: the position in its stream, and
/// the minute of the table.
fn without_time(page: &str) -> String {
    let mut page = page.to_owned();
    for (start, end) in [("after=", '"'), ("As of (UTC) ", '.')] {
        let Some((before, rest)) = page.split_once(start) else { continue };
        let (_, after) = rest.split_once(end).expect("the end of what depends on the time");
        page = format!("{before}{end}{after}");
    }
    page
}

/// The front page of the course, once its table is computed.
fn front_page_with_table(server: &Server, who: &str) -> String {
    let began = Instant::now();
    loop {
        let page = body(&ask(server, "GET", "/c/school", who, "")).to_owned();
        if page.contains("As of (UTC) ") {
            return page;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "no table: {page}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A backup in place of the database gives the same files on another machine.
fn a_backup_restored_elsewhere_gives_the_same_pages(scratch: &Scratch, [teacher, ada]: [&str; 2]) {
    // Nothing plays, so that no table changes.
    let course = Course::open(scratch);
    let paused = course.database.set_course_state(Course::act(), course.id(), CourseState::Paused);
    paused.wait().expect("paused");
    drop(course);
    let pages = |scratch: &Scratch| {
        let server = Server::start(scratch);
        let page = |(path, who): (&str, &str)| {
            let answer = ask(&server, "GET", &format!("/c/school{path}"), who, "");
            (path.to_owned(), without_time(body(&answer)))
        };
        let staff = ["/admin", "/admin/grades", "/admin/audit", "/bots/g1.sower"];
        let mut pages: Vec<_> = staff.map(|it| (it, teacher)).into_iter().map(page).collect();
        pages.push(page(("/me", ada)));
        pages.push((String::new(), without_time(&front_page_with_table(&server, teacher))));
        server.stop();
        pages
    };
    let before = pages(scratch);
    let made = scratch.run("course backup school").done();
    // As it is, not redacted.
    let backup = String::from_utf8_lossy(&made.raw.stdout).trim().to_owned();
    let elsewhere = Scratch::new();
    let copy = std::process::Command::new("cp")
        .args(["-r", "school"])
        .arg(elsewhere.path("school"))
        .current_dir(scratch.path(""))
        .status();
    assert!(copy.expect("copies").success());
    for gone in ["season.db", "season.db-wal", "season.db-shm"] {
        let _ = std::fs::remove_file(elsewhere.path("school").join(gone));
    }
    assert!(!elsewhere.path("school/season.db").exists());
    elsewhere.run(&format!("course restore school {backup}")).done();
    for ((path, page), (_, restored)) in before.iter().zip(pages(&elsewhere)) {
        assert_eq!(*page, restored, "{path}");
    }
}

/// Erases two people by the command, which first only lists them.
fn erased_people_are_gone(scratch: &Scratch, alone: PersonId) {
    let listed = scratch.run(&format!("course erase school ada {alone}")).done();
    assert!(listed.stdout.contains("Ada Lovelace\tada\t"), "{}", listed.all());
    assert!(listed.stderr.contains("give --yes"), "{}", listed.all());
    assert!(scratch.run("course grades school").done().stdout.contains("Ada Lovelace"));
    let unknown = scratch.run("course erase school ada nobody --yes");
    assert_eq!(unknown.code, Some(2), "{}", unknown.all());
    assert!(unknown.stderr.contains("there is no such person"), "{}", unknown.all());
    scratch.run(&format!("course erase school ada {alone} --yes")).done();
    // What is given by hand for somebody who is gone is told.
    let stale = scratch.run("course grades school");
    assert!(stale.stderr.contains("\"20260001\" is not in the class list"), "{}", stale.all());
    scratch.write("school/grades/school/parts.csv", "id,report\nzoe@univ.example,1\n");
    let rest = scratch.run("course grades school").done().stdout;
    assert!(!rest.contains("Ada") && !rest.contains("cmd") && rest.contains("Zoe"), "{rest}");
    let due = scratch.run("course erase school --due").done();
    assert!(due.stderr.contains("nobody is to be erased"), "{}", due.all());
    let again = scratch.run("course erase school ada --yes");
    assert_eq!(again.code, Some(2), "{}", again.all());
}
