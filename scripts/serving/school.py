"""A practice server for tests: a course in a folder of its own, and people who joined by their codes.

    with School(program) as school:
        ada, bob = school.students(ada="g1", bob="g2")
        ada.form(f"/c/{school.course}/bots", name="sower")
        ada.hand_in("g1.sower", "sower.zip", data)

Needs the standard library only. Every server listens on a free port of this machine, and is stopped
by its process.
"""

import http.client
import json
import re
import sqlite3
import subprocess
import tempfile
import threading
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

CODE = re.compile(r"\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}-[0-9A-Z]\b")
PASSPHRASE = "correct horse battery staple"
PATIENCE = 300


@dataclass
class Answer:
    """An answer to a request."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


@dataclass
class Person:
    """Who sends requests: a guest without a session, or who has one, or a token."""

    school: "School"
    login: str = ""
    session: str = ""
    token: str = ""

    def ask(self, method, path, body=None, **headers):
        """Sends a request. Underscores in the names of headers stand for hyphens."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.session:
            sent.setdefault("Cookie", self.session)
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        return self.school.ask(method, path, body, sent)

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def form(self, path, **fields):
        """Sends a form as a browser does on a page of the same site."""
        body = urllib.parse.urlencode(fields)
        return self.ask("POST", path, body, Origin=self.school.origin,
                        Content_Type="application/x-www-form-urlencoded")

    def hand_in(self, bot, name, data, note=""):
        """Sends a file by the form of a bot."""
        edge = "an-edge-that-no-file-of-a-test-has"
        parts = [f'--{edge}\r\nContent-Disposition: form-data; name="note"\r\n\r\n{note}\r\n'.encode(),
                 f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
                 "Content-Type: application/octet-stream\r\n\r\n".encode(),
                 data, f"\r\n--{edge}--\r\n".encode()]
        return self.ask("POST", f"/c/{self.school.course}/bots/{bot}/versions", b"".join(parts),
                        Origin=self.school.origin,
                        Content_Type=f"multipart/form-data; boundary={edge}")

    def with_token(self, *scopes):
        """The same person as a program: with a token instead of a session."""
        page = self.form("/account/tokens", course=self.course_id(), name="test", days="30",
                         **{scope: "on" for scope in scopes})
        assert page.status == 200, page.text
        token = re.search(r"<code>([^<]{20,})</code>", page.text)
        assert token, page.text
        return Person(self.school, self.login, token=token.group(1))

    def course_id(self):
        """What the form of tokens calls the course."""
        page = self.get("/account").text
        found = re.search(r'<select id="course".*?<option value="([^"]+)"', page)
        assert found, page
        return found.group(1)


@dataclass
class School:
    """A course that is served."""

    program: Path
    flags: tuple = ("--lanes", "1")
    course: str = "school"
    settings: str = ""
    #: Makes the text of the ladder's tournament file out of that of a new course.
    ladder: Callable = None
    folder: Path = None
    address: str = ""
    lines: list = field(default_factory=list)
    _made: tempfile.TemporaryDirectory = None
    _server: subprocess.Popen = None
    _reader: threading.Thread = None

    def __post_init__(self):
        self.program = Path(self.program).resolve()
        self._made = tempfile.TemporaryDirectory(prefix="school-")
        self.folder = Path(self._made.name) / self.course
        made = self.run("new", "course", self.folder)
        self.first_code = CODE.search(made).group(0)
        if self.settings:
            with open(self.folder / "server.toml", "a", encoding="utf-8") as file:
                file.write(self.settings)
        if self.ladder:
            self._set_ladder()

    def _set_ladder(self):
        """Writes the ladder's tournament file, as whoever runs the server may before the first game."""
        database = sqlite3.connect(self.folder / "season.db")
        (text,), = database.execute("SELECT tournament_file FROM ladder")
        database.close()
        folder = self.folder / "ladders" / f"{self.course}.practice"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tournament.toml").write_text(self.ladder(text), encoding="utf-8")

    def __enter__(self):
        try:
            self.start()
            self.teacher = self.join("grace", self.first_code)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        self._made.cleanup()

    @property
    def origin(self):
        return f"http://{self.address}"

    def run(self, *words):
        """What a command prints."""
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True,
                              cwd=self._made.name, timeout=PATIENCE, check=False)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def start(self):
        """Starts the server, and returns when it serves."""
        serves = threading.Event()
        self._server = subprocess.Popen(
            [self.program, "serve", self.folder, "--listen", "127.0.0.1:0", *self.flags],
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=self._made.name)
        self._reader = threading.Thread(target=self._listen, args=(serves,), daemon=True)
        self._reader.start()
        assert serves.wait(PATIENCE) and self.address, f"it does not serve: {self.lines}"

    def _listen(self, serves):
        self.address = ""
        for line in self._server.stderr:
            self.lines.append(line.rstrip("\n"))
            if found := re.match(r"serving .*?http://([^/\s]+)", line):
                self.address = found.group(1)
                serves.set()
        serves.set()

    @property
    def pid(self):
        return self._server.pid

    def stop(self):
        """Stops the server as a service manager does; returns its exit code."""
        return self._end(self._server.terminate)

    def kill(self):
        """Ends the server as a lost machine does."""
        return self._end(self._server.kill)

    def _end(self, how):
        if self._server.poll() is None:
            how()
        code = self._server.wait(timeout=PATIENCE)
        self._reader.join()
        return code

    def ask(self, method, path, body=None, headers=None):
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def guest(self):
        return Person(self)

    def codes(self, **groups):
        """Codes for students, by their login, each of a group that is made if it is missing."""
        rows = "".join(f"{number},{login},{login}@example.org,{group}\n"
                       for number, (login, group) in enumerate(groups.items(), 1000))
        page = self.teacher.form(f"/c/{self.course}/admin/people",
                                 people="number,name,mail,group\n" + rows)
        assert page.status == 200, page.text
        return dict(zip(groups, CODE.findall(page.text), strict=True))

    def students(self, **groups):
        """Students who have joined: `students(ada="g1", bob="g2")`."""
        return [self.join(login, code) for login, code in self.codes(**groups).items()]

    def join(self, login, code):
        """A person who joins by a code and has a session."""
        answer = self.guest().form("/join", code=code, login=login, passphrase=PASSPHRASE, name=login)
        assert answer.status == 303, f"{answer.status} {answer.text}"
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        return Person(self, login, cookie)

    def log_in(self, login, passphrase=PASSPHRASE):
        """The answer to a login."""
        return self.guest().form("/login", login=login, passphrase=passphrase)
