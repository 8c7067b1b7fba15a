//! Security of the practice server, with the real binary: hostile archives and bots as submissions,
//! secrets that must not leak, and guessed logins.

mod archives;
mod hostile;
mod logins;
mod secrets;

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use crate::serve::Server;

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    /// A header of the answer.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| {
            line.split_once(':').is_some_and(|(found, _)| found.eq_ignore_ascii_case(name))
        };
        let line = self.head.lines().find(named)?;
        line.split_once(':').map(|(_, value)| value.trim())
    }

    /// The cookie that it sets.
    pub(crate) fn cookie(&self) -> String {
        let given = self.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {self:?}"));
        given.split(';').next().expect("a cookie").to_owned()
    }
}

impl Server {
    /// Sends a request on a separate connection.
    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("connects");
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n",
            self.address,
            body.len()
        );
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("sends");
        stream.write_all(body).expect("sends");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status: {head}"));
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Reads a page with a cookie.
    pub(crate) fn page(&self, path: &str, cookie: &str) -> Answer {
        self.request("GET", path, &[("Cookie", cookie)], b"")
    }

    /// Sends a form as a browser does.
    pub(crate) fn form(&self, path: &str, cookie: &str, form: &str) -> Answer {
        let origin = format!("http://{}", self.address);
        let headers = [
            ("Cookie", cookie),
            ("Origin", &origin),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        self.request("POST", path, &headers, form.as_bytes())
    }
}

/// A free port of this machine.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
    listener.local_addr().expect("an address").port()
}

/// Everything below a folder; links are not followed.
fn beneath(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(beneath(&path));
        }
        found.push(path);
    }
    found
}
