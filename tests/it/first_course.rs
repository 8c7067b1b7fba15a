//! A new course by the commands of the README: a teacher, two students, their bots on the ladder;
//! and the commands that follow.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::scratch::{Ran, Scratch};
use crate::serve::{PATIENCE, Server, be_patient};

const README: &str = include_str!("../../README.md");
const PASSPHRASE: &str = "correct horse battery staple";
const STUDENTS: &str =
    "number,name,mail,group\n1,Ada,ada@example.org,g1\n2,Bob,bob@example.org,g2\n";

/// The commands in the shell blocks of the README's section on practice servers.
fn commands() -> Vec<&'static str> {
    let (_, section) = README.split_once("\n## A practice server\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("another section");
    let blocks = section.split("```sh\n").skip(1).filter_map(|part| part.split_once("```"));
    let lines = blocks.flat_map(|(block, _)| block.lines());
    lines.map(|line| line.strip_prefix("pitmaster ").expect("a command of ours")).collect()
}

/// A student with a separate computer.
struct Student<'s> {
    scratch: &'s Scratch,
    login: &'s str,
    code: String,
}

impl Student<'_> {
    /// Runs a command in the student's folder; the passphrase is its input.
    fn run(&self, args: &str) -> Ran {
        let home = self.scratch.path(self.login);
        std::fs::create_dir_all(&home).expect("a folder");
        let mut command: Command = self.scratch.command(args);
        command.current_dir(&home).env("XDG_CONFIG_HOME", home.join("config"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let mut stdin = child.stdin.take().expect("piped");
        // A command that reads nothing may have ended.
        let _ = writeln!(stdin, "{PASSPHRASE}");
        drop(stdin);
        self.scratch.ran(child.wait_with_output().expect("ends"))
    }

    /// Runs a command of the README, for this student and this server.
    fn follow(&self, command: &str, server: &Server) -> Ran {
        let command = command.replace("127.0.0.1:8080", &server.address);
        self.run(
            &command
                .replace("CODE", &self.code)
                .replace("--login ada", &format!("--login {}", self.login)),
        )
    }
}

/// The course of the README with its students, who have joined and submitted bots.
fn course(scratch: &Scratch) -> (Server, [Student<'_>; 2]) {
    let commands = commands();
    let [new, import, serve, join, template, push] = commands[..] else {
        panic!("the README has other commands: {commands:?}")
    };
    // Three of the teacher and three of each student: with the one that shows the table, ten.
    scratch.write("students.csv", STUDENTS);
    scratch.run(new).done();
    let imported = scratch.run(import).done();
    let rows: Vec<_> = imported.stdout.lines().skip(1).collect();
    let code = |row: &str| row.rsplit(',').next().expect("a code").to_owned();
    be_patient(scratch, "my-school");
    let server = Server::start_by(scratch, serve);
    let students = [("ada", rows[0]), ("bob", rows[1])].map(|(login, row)| Student {
        scratch,
        login,
        code: code(row),
    });
    for student in &students {
        let joined = student.follow(join, &server).done();
        assert!(joined.stdout.starts_with("joined my-school as "), "{}", joined.all());
        student.follow(template, &server).done();
        let pushed = student.follow(push, &server).done();
        assert!(pushed.stdout.contains(".sower, version 1: "), "{}", pushed.all());
    }
    (server, students)
}

/// Waits until the bot has games. Returns its line in the ladder's table.
fn wait_for_row(scratch: &Scratch, bot: &str) -> String {
    let began = Instant::now();
    loop {
        let table = scratch
            .run("standings my-school/ladders/my-school.practice --format csv --columns bot,games");
        let row = table.stdout.lines().find(|line| line.starts_with(&format!("{bot},")));
        if let Some(row) = row.filter(|row| !row.ends_with(",0")) {
            return row.to_owned();
        }
        assert!(began.elapsed() < PATIENCE, "{}", table.all());
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
}

#[test]
fn the_readme_leads_from_nothing_to_two_bots_on_the_ladder() {
    let scratch = Scratch::new();
    let (server, [ada, _]) = course(&scratch);
    for bot in ["g1.sower", "g2.sower"] {
        wait_for_row(&scratch, bot);
    }
    // The same files again are the same version, and a second code for the same person is none.
    let again = ada.run("push sower --wait").done();
    assert!(again.stdout.contains("version 1: "), "{}", again.all());
    let used = ada.follow("join http://127.0.0.1:8080 --code CODE --login eve", &server);
    assert_eq!(used.code, Some(2), "{}", used.all());
    assert!(used.stderr.contains("used"), "{}", used.all());

    // The group's game with what its bot wrote, by the address of its page; another group's is none.
    let names = server.get("/api/v1/ladders/practice/games?bot=g1.sower", &token(&ada));
    let (_, after) = names.split_once("\"id\":\"").expect("a game");
    let (name, _) = after.split_once('"').expect("a game");
    let page = format!("http://{}/c/my-school/games/{name}", server.address);
    let fetched = ada.run(&format!("lost {page}")).done();
    let command = fetched.stdout.lines().last().expect("a command").trim();
    let command = command.strip_prefix("pitmaster debug my-bot ").expect("a command");
    assert!(command.starts_with("lost.json --side "), "{command}");
    let debugged = ada.run(&format!("debug sower {command}"));
    assert!(matches!(debugged.code, Some(0 | 1)), "{}", debugged.all());
    assert!(
        debugged.stdout.contains("plies") || debugged.stdout.contains("move"),
        "{}",
        debugged.all()
    );
    let absent = ada.run(&format!("lost practice.0000000000000000 --to http://{}", server.address));
    assert_eq!(absent.code, Some(2), "{}", absent.all());
    server.stop();
}

/// The token stored on a student's computer.
fn token(student: &Student<'_>) -> String {
    let kept = student.scratch.read(&format!("{}/config/pitmaster/servers.json", student.login));
    let (_, token) = kept.split_once("\"token\": \"").expect("a token");
    token.split('"').next().expect("a token").to_owned()
}

/// The address of a page is untrusted input.
#[test]
fn a_token_of_the_environment_is_not_sent_to_the_address_of_a_page() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a socket");
    let page = format!("http://{}/c/a/games/practice.3f0c", listener.local_addr().expect("bound"));
    let scratch = Scratch::new();
    let mut command: Command = scratch.command(&format!("lost {page}"));
    command.env("PITMASTER_TOKEN", format!("pm_{}", "a".repeat(52)));
    let ran = scratch.ran(command.output().expect("runs"));
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(ran.stderr.contains("name the server with --to"), "{}", ran.all());
    assert!(listener.accept().is_err(), "it was asked");
}
