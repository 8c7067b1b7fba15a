#!/usr/bin/env python3
"""Serves a course with games and lets two scanners of others attack it.

    scripts/serving/security.py PITMASTER --api schemathesis --pages wapiti [--seconds 90]

Schemathesis sends requests to the API as each role, from its OpenAPI document: no answer may be 5xx,
or have a status, a type, a header or a body that the document does not have. Wapiti attacks all
pages that a student reaches: nothing above informational may be found. Both go through a proxy that
keeps the rate that the server allows, so that attacks are answered and not refused with 429.
Neither needs another machine. Exits with 1 if anything is found.
"""

import argparse
import http.client
import http.server
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from pathlib import Path

from school import PATIENCE, School

# Of the server, for one account: 20 requests a second.
A_SECOND = 15

# What wapiti looks for. Left out: modules that need a server of their own on the network, those for
# other programs' pages, and `csrf`, which asks for tokens in forms: this server compares the origin
# (`cross_site.rs` tries every form).
MODULES = ["backup", "cookieflags", "crlf", "csp", "exec", "file", "htaccess", "http_headers",
           "methods", "permanentxss", "redirect", "shellshock", "sql", "upload", "xss"]

# Checks of schemathesis: what the document promises, and that a token is needed where it says so.
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance",
          "response_headers_conformance", "response_schema_conformance", "ignored_auth"]


class Pace:
    """One request after another, with a pause between, for all threads."""

    def __init__(self, a_second):
        self.pause = 1 / a_second
        self.next = 0.0
        self.lock = threading.Lock()

    def wait(self):
        with self.lock:
            now = time.monotonic()
            turn = max(self.next, now)
            self.next = turn + self.pause
        time.sleep(turn - now)


class Proxy:
    """Passes requests on at a steady pace, and counts the answers by status."""

    def __init__(self, address, a_second, cookie=""):
        statuses, failures, pace = Counter(), [], Pace(a_second)
        self.statuses, self.failures = statuses, failures
        own = ["connection", "content-length", "transfer-encoding"]
        if cookie:  # whatever the scanner logs in as, it stays this person
            own += ["cookie", "set-cookie"]

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                length = self.headers.get("Content-Length", "0")
                body = self.rfile.read(int(length) if length.isdigit() else 0)
                pace.wait()
                upstream = http.client.HTTPConnection(address, timeout=60)
                try:
                    upstream.putrequest(self.command, self.path, skip_host=True,
                                        skip_accept_encoding=True)
                    for name, value in self.headers.items():
                        if name.lower() not in own:
                            upstream.putheader(name, value.encode("latin-1", "replace"))
                    if cookie:
                        upstream.putheader("Cookie", cookie)
                    if body or self.command in ("POST", "PUT"):
                        upstream.putheader("Content-Length", str(len(body)))
                    upstream.endheaders(body)
                    answer = upstream.getresponse()
                    content = answer.read()
                except (OSError, http.client.HTTPException, ValueError) as error:
                    statuses["none"] += 1
                    failures.append(f"{self.command} {self.path}: {error}")
                    self.close_connection = True
                    return
                finally:
                    upstream.close()
                statuses[answer.status] += 1
                if answer.status >= 500:
                    failures.append(f"{self.command} {self.path}: {answer.status}")
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in own:
                        self.send_header(name, value)
                if self.command == "HEAD" or answer.status in (204, 304):
                    content = b""
                self.send_header("Content-Length", str(len(content)))
                try:
                    self.end_headers()
                    self.wfile.write(content)
                except ConnectionError:  # the scanner waits no longer
                    self.close_connection = True

            def __getattr__(self, name):
                if name.startswith("do_"):  # any method
                    return self.pass_on
                raise AttributeError(name)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"


def patient(text):
    """A ladder with a clock that forgives a busy machine."""
    return text.replace('"200ms"', '"30s"').replace('"2s"', '"1m"')


def zipped(folder):
    """A folder as an archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return out.getvalue()


def until(what, ask):
    """Waits for something, and returns it."""
    end = time.monotonic() + PATIENCE
    while not (found := ask()):
        assert time.monotonic() < end, f"no {what}"
        time.sleep(0.5)
    return found


class Course:
    """A course with people of each role, a version that plays, and a game."""

    def __init__(self, school):
        self.school = school
        self.student, self.other = school.students(ada="g1", bob="g2")
        page = school.teacher.form(f"/c/{school.course}/admin/invite", role="assistant", group="")
        code = re.search(r"<code>([^<]+)</code>", page.text).group(1)
        self.assistant = school.join("emmy", code)
        made = self.student.form(f"/c/{school.course}/bots", name="sower")
        assert made.status == 303, made.text
        kit = school.folder.parent / "kit"
        school.run("new", "python", kit, "--no-rules")
        sent = self.student.hand_in("g1.sower", "kit.zip", zipped(kit), "a note")
        assert sent.status == 303, sent.text
        self.tokens = {
            "a student": self.student.with_token("read", "upload", "kgp"),
            "a student of another group": self.other.with_token("read", "upload", "kgp"),
            "a token without scopes to read": self.student.with_token("kgp"),
            "an assistant": self.assistant.with_token("read"),
            "a teacher": school.teacher.with_token("read", "admin"),
            "a guest": school.guest(),
        }
        api = self.tokens["a student"]

        def first_game():
            found = api.get("/api/v1/ladders/practice/games")
            return found.json["games"] if found.status == 200 else None

        self.game = until("game", first_game)[0]["id"]
        page = self.student.get(f"/c/{school.course}/bots/g1.sower/versions/1").text
        self.version = self.only_id("version")
        assert "g1.sower" in page
        asked = self.student.form(f"/c/{school.course}/asks", version=self.version,
                                  opponent="house-random", pairs="2")
        assert asked.status == 303, asked.text
        self.ask = self.only_id("ask")
        made = school.teacher.form(f"/c/{school.course}/admin/deadlines", name="Soon",
                                   at="2100-01-01T00:00", grace="1", policy="chosen")
        assert made.status == 303, made.text
        self.deadline = self.only_id("deadline")

    def only_id(self, table):
        """The id of the only row of a table."""
        database = sqlite3.connect(self.school.folder / "season.db")
        (found,), = database.execute(f"SELECT id FROM {table}")
        database.close()
        return found

    def pages(self):
        """Pages of a student from which all others are reached."""
        here = f"/c/{self.school.course}"
        return ["/account", here, f"{here}/me", f"{here}/docs", f"{here}/ladder/practice",
                f"{here}/ladder/practice/games", f"{here}/games/{self.game}",
                f"{here}/asks/{self.ask}", f"{here}/bots/g1.sower", f"{here}/bots/g1.sower/versions/1",
                f"{here}/ladder/practice/games?bot=g1.sower&after=1000"]

    def document(self):
        """The OpenAPI document, whose parameters also are what is there: random words are not."""
        document = self.school.guest().get("/api/v1/openapi.json").json
        known = {"course": self.school.course, "bot": "g1.sower", "id": self.version,
                 "ladder": "practice", "game": self.game, "ask": self.ask,
                 "deadline": self.deadline}
        for path in document["paths"].values():
            for operation in path.values():
                for parameter in operation.get("parameters", []):
                    if parameter["in"] == "path":
                        value = known[parameter["name"]]
                        parameter["schema"] = {"anyOf": [{"enum": [value]}, parameter["schema"]]}
                        parameter["example"] = value
        return document


def scan_api(command, course, seconds, work):
    """Schemathesis as each role. Returns what it found."""
    found = []
    document = work / "openapi.json"
    document.write_text(json.dumps(course.document()), encoding="utf-8")
    for role, person in course.tokens.items():
        with Proxy(course.school.address, A_SECOND) as proxy:
            header = [f"--header=Authorization: Bearer {person.token}"] if person.token else []
            began = time.monotonic()
            done = subprocess.run(
                [command, "run", str(document), f"--url={proxy.url}", *header,
                 f"--checks={','.join(CHECKS)}", "--phases=examples,coverage,fuzzing",
                 "--max-examples=40", f"--max-time={seconds}", "--workers=1", "--seed=1",
                 "--request-timeout=30", "--warnings=off", "--no-shrink", "--continue-on-failure",
                 "--suppress-health-check=all", "--output-sanitize=true"],
                capture_output=True, text=True, cwd=work, timeout=4 * seconds + 120, check=False,
                env=os.environ | {"NO_COLOR": "1", "COLUMNS": "120"})
            took = time.monotonic() - began
        statuses = dict(sorted(proxy.statuses.items(), key=str))
        print(f"api as {role}: exit {done.returncode}, {took:.0f} s, answers {statuses}", flush=True)
        if done.returncode != 0 or proxy.failures:
            found.append(f"api as {role}:\n{done.stdout[-8000:]}{done.stderr[-2000:]}"
                         + "\n".join(proxy.failures[:20]))
        if sum(proxy.statuses.values()) < 100:
            found.append(f"api as {role}: only {statuses}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return found


def scan_pages(command, course, seconds, work):
    """Wapiti as a student. Returns what it found."""
    found = []
    with Proxy(course.school.address, A_SECOND, course.student.session) as proxy:
        report = work / "wapiti.json"
        began = time.monotonic()
        # Everything but what ends the own session.
        leave = ["/logout", "/account/sessions/*", "/account/passphrase"]
        done = subprocess.run(
            [command, "--url", f"{proxy.url}/", "--scope", "domain",
             *[word for path in course.pages() for word in ("--start", proxy.url + path)],
             "--module", ",".join(MODULES), "--tasks", "4", "--depth", "6",
             *[word for path in leave for word in ("--exclude", proxy.url + path)],
             "--max-scan-time", str(seconds), "--max-attack-time", str(max(20, seconds // 3)),
             "--endpoint", "http://127.0.0.1:9/", "--no-bugreport", "--flush-session",
             "--store-session", str(work / "session"), "--store-config", str(work / "config"),
             "--level", "1", "--verbose", "1", "--format", "json", "--output", str(report)],
            capture_output=True, text=True, cwd=work, timeout=20 * seconds + 300, check=False)
        took = time.monotonic() - began
    statuses = dict(sorted(proxy.statuses.items(), key=str))
    print(f"pages as a student: exit {done.returncode}, {took:.0f} s, answers {statuses}", flush=True)
    if not report.exists():
        return [f"wapiti made no report:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"]
    results = json.loads(report.read_text(encoding="utf-8"))
    pages = results["infos"].get("crawled_pages_nbr", 0)
    print(f"wapiti has crawled {pages} pages", flush=True)
    for kind in ("vulnerabilities", "anomalies"):
        for name, entries in results[kind].items():
            for entry in entries:
                line = f"{name}: {entry['method']} {entry['path']}: {entry['info']}"
                print(f"level {entry['level']} {line}", flush=True)
                if entry["level"] > 0:
                    found.append(line)
    if pages < 15:
        found.append(f"wapiti has crawled {pages} pages: {done.stdout[-4000:]}")
    return found + [f"pages: {failure}" for failure in proxy.failures[:20]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("pitmaster", type=Path)
    parser.add_argument("--api", metavar="SCHEMATHESIS", help="scan the API with this program")
    parser.add_argument("--pages", metavar="WAPITI", help="scan the pages with this program")
    parser.add_argument("--seconds", type=int, default=90, help="of each role, and of the pages")
    args = parser.parse_args()
    found = []
    school = School(args.pitmaster, flags=("--lanes", "1", "--share-cores"), ladder=patient)
    with school, tempfile.TemporaryDirectory(prefix="security-") as work:
        course = Course(school)
        if args.api:
            found += scan_api(str(Path(args.api).absolute()), course, args.seconds, Path(work))
        if args.pages:
            found += scan_pages(str(Path(args.pages).absolute()), course, args.seconds, Path(work))
        assert school.guest().get("/readyz").status == 200
        code = school.stop()
        wrong = [line for line in school.lines if "panic" in line]
        if code != 0 or wrong:
            found.append(f"the server ended with {code}: {wrong}")
    for one in found:
        print(f"FOUND {one}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
