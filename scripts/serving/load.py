#!/usr/bin/env python3
"""Measures a practice server under load, and with clients that are slow on purpose.

    load.py PROGRAM EXAMPLES [--short] [--only PART…] [--uploads N] [--minutes M] [--json FILE]

PROGRAM is `pitmaster`, EXAMPLES the folder of the examples `load_fixture` and `feed_readers`, from one
optimized build:

    cargo build --release --features cluster,server --bins --example load_fixture --example feed_readers
    scripts/serving/load.py target/release/pitmaster target/release/examples

Parts: `pages` (rates of pages), `uploads` (and a page meanwhile), `start` (and stop, with games),
`feeds` (many who watch running games, and one who takes nothing), `games` (moves of `house:expert` on
a lane of its own while others watch and hand in), `logins` (passphrases that are guessed), `slow`
(clients that are slow). Without `--short` it
takes an hour, 4 GB of disk, and 500 uploads in 10 minutes; with it, about five minutes and smaller
numbers. Needs Debian's `wrk` and `slowhttptest`.

A rate or a time of an answer depends on the machine and on who else uses it. So each of them is also
compared with `/healthz`, which the same server answers without looking at anything, in the same run:
one that misses its goal is excused if it is within the ratio that an idle machine shows. A start that
is too slow is excused if its processor time is within the goal. Times that are limits of the server,
such as those of slow clients, are not excused. Exits with 1 if a goal is
missed, and with 2 if something is missing.
"""

import argparse
import concurrent.futures
import http.client
import io
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from loading import (
    ENOUGH, Probe, free_port, percentile, silent_connection, slow_bodies, slowhttptest,
    unread_answers, wrk
)
from school import School

HERE = Path(__file__).resolve().parent
BOT = HERE.parent.parent / "bots" / "random-python"
EXAMPLES = ("load_fixture", "feed_readers")
TOOLS = ("wrk", "slowhttptest", "python3")
#: Parts with a course of their own.
ALONE = ("start", "feeds", "games", "logins")
PARTS = ("pages", "uploads", "start", "feeds", "games", "logins", "slow")
LADDER = "/c/school/ladder/practice"
CONNECTIONS = 16


@dataclass
class Figure:
    """Something that was measured."""

    name: str
    value: float
    goal: float
    unit: str
    at_least: bool = False
    #: The same by that of `/healthz`, and what excuses it.
    ratio: float = None
    excused: float = None
    against: str = "of /healthz"

    @property
    def is_met(self):
        if self.value is None:
            return False
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    @property
    def is_excused(self):
        if self.ratio is None or self.excused is None:
            return False
        return self.ratio >= self.excused if self.at_least else self.ratio <= self.excused

    def row(self):
        value = "never" if self.value is None else f"{self.value:.{1 if self.value < 100 else 0}f}"
        sign = ">=" if self.at_least else "<="
        verdict = "yes" if self.is_met else "NO"
        if self.ratio is not None:
            verdict += f" ({self.ratio:.2f} {self.against}"
            verdict += ", excused)" if self.is_excused and not self.is_met else ")"
        return (self.name, f"{value} {self.unit}", f"{sign} {self.goal:g} {self.unit}", verdict)


class Measured:
    """All figures of a run."""

    def __init__(self):
        self.all = []

    def add(self, *words, **named):
        figure = Figure(*words, **named)
        self.all.append(figure)
        print("   ", " | ".join(figure.row()), flush=True)

    def table(self):
        rows = [("figure", "measured", "goal", "ok"), *(figure.row() for figure in self.all)]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows]
        return "\n".join(line.rstrip() for line in lines)

    def missed(self):
        return [it.name for it in self.all if not it.is_met and not it.is_excused]


class Loaded:
    """A course with many groups, bots and games that is served."""

    def __init__(self, options, groups, games, bot=BOT, lanes=1, settings=""):
        print(f"--- a course with {groups} bots and {games:,} games", flush=True)
        # A server of somebody else on this machine must not keep this one from starting.
        flags = ("--lanes", str(lanes), "--share-cores")
        self.school = School(options.program, flags=flags, settings=settings)
        try:
            with_ladder(self.school)
            words = [options.examples / "load_fixture", self.school.folder, bot, groups, games]
            begun = time.monotonic()
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True,
                                  timeout=3600, check=False)
            assert done.returncode == 0, f"the fixture failed: {done.stderr}"
            print(f"    filled in {time.monotonic() - begun:.0f} s", flush=True)
            found = json.loads(done.stdout)
            self.sessions, self.games = found["sessions"], found["games"]
            self.groups = groups
        except BaseException:
            self.school.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.school.__exit__()

    def start(self):
        """Serves it. Returns the seconds until it is ready."""
        begun = time.monotonic()
        self.school.start()
        while self.ask("/readyz").status != 200:
            time.sleep(0.02)
        return time.monotonic() - begun

    def ask(self, path, session=None):
        headers = {"Cookie": f"session={session}"} if session else {}
        return self.school.ask("GET", path, None, headers)

    def wait_for_table(self):
        """Waits until all bots are on the table, as the server prepares them after it is ready."""
        until = time.monotonic() + 600
        while (shown := self.ask(LADDER, self.sessions[0]).text.count('/bots/load')) < self.groups:
            assert time.monotonic() < until, f"{shown} bots after 10 minutes: {self.school.lines}"
            time.sleep(1)

    def set_course(self, state):
        """Pauses the course, so that no games are played, or opens it."""
        answer = self.school.teacher.form("/c/school/admin/state", state=state)
        assert answer.status == 303, answer.text

    def wrk(self, paths, seconds, sessions=None):
        sessions = self.sessions if sessions is None else sessions
        folder = self.school.folder.parent
        return wrk(self.school.address, folder, sessions, paths, seconds, CONNECTIONS)


def with_ladder(school):
    """Makes the ladder, which the server does when it starts, and a teacher."""
    school.start()
    school.teacher = school.join("grace", school.first_code)
    school.stop()


def pages(loaded, options, measured):
    """Rates of pages. No games are played: lanes have cores of their own on a real machine."""
    loaded.set_course("paused")
    seconds = 5 if options.short else 20
    loaded.wrk(["/healthz"], 2, [])
    health = loaded.wrk(["/healthz"], seconds, [])
    print(f"    /healthz: {health.a_second:.0f} a second, p99 {health.p99 * 1000:.1f} ms", flush=True)
    for name, paths, goal, slowest, share, times in (
        ("ladder page", [LADDER], 2000, 20, 0.08, 16),
        ("game page", [f"/c/school/games/{game}" for game in loaded.games], 1000, 50, 0.04, 32),
    ):
        found = loaded.wrk(paths, seconds)
        assert not found.refused and not found.broken, f"{name}: {found}"
        measured.add(f"{name}, rate", found.a_second, goal, "/s", at_least=True,
                     ratio=found.a_second / health.a_second, excused=share)
        measured.add(f"{name}, p99", found.p99 * 1000, slowest, "ms",
                     ratio=found.p99 / health.p99, excused=times)
        print(f"    {found.bytes / found.requests / 1000:.0f} kB an answer", flush=True)
    loaded.set_course("open")


def archive(number, program=None):
    """A bot of 200 kB that nobody has handed in before, with another program if it is given."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted(BOT.iterdir()):
            if program and path.suffix == ".py":
                file.writestr(path.name, program)
            elif path.is_file():
                file.write(path, path.name)
        file.writestr("weights.bin", random.Random(number).randbytes(198_000))
    return packed.getvalue()


def uploads(loaded, options, measured):
    """Uploads at a steady rate, which are examined and play meanwhile, and a page."""
    count, within = options.uploads, options.minutes * 60
    school, took, refused = loaded.school, [], []

    def hand_in(number):
        group = number % loaded.groups
        person = school.guest()
        person.session = f"session={loaded.sessions[2 * group]}"
        data = archive(number)
        begun = time.monotonic()
        answer = person.hand_in(f"load{group + 1}.one", "bot.zip", data)
        took.append(time.monotonic() - begun)
        if answer.status != 303:
            refused.append((answer.status, answer.text[-600:]))

    readers = loaded.sessions[1::2]
    with Probe(school.address, "/healthz", [""], 10) as health, \
            Probe(school.address, LADDER, readers) as ladder, \
            concurrent.futures.ThreadPoolExecutor(16) as pool:
        begun, sent = time.monotonic(), []
        for number in range(count):
            time.sleep(max(0, begun + number * within / count - time.monotonic()))
            sent.append(pool.submit(hand_in, number))
        for upload in sent:
            upload.result()
    assert not ladder.failed and not health.failed, (ladder.failed, health.failed)
    print(f"    {count} uploads in {time.monotonic() - begun:.0f} s; refused: {refused[:1]}", flush=True)
    base = health.p99()
    measured.add("uploads acknowledged", count - len(refused), count, "", at_least=True)
    measured.add("uploads, p99", percentile(took, 99), 1, "s",
                 ratio=percentile(took, 99) / base, excused=40)
    measured.add("ladder page during uploads, p99", ladder.p99() * 1000, 100, "ms",
                 ratio=ladder.p99() / base, excused=8)


def busy_lanes(address):
    """Number of games that are played now, by the metrics of a server."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        found = re.search(r"^\w*lanes_busy ([\d.]+)$", answer.read().decode(), re.MULTILINE)
    return int(float(found.group(1)))


def processor_time(pid):
    """Seconds that a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def served(options, groups, games, lanes):
    """A course whose bots take their time, so that there are running games, and its metrics."""
    metrics = f"127.0.0.1:{free_port()}"
    slow = Path(options.scratch) / "slow-bot"
    shutil.copytree(BOT, slow, dirs_exist_ok=True)
    text = (BOT / "bot.py").read_text(encoding="utf-8")
    text = text.replace("def choose(moves, dice):\n", "def choose(moves, dice):\n    time.sleep(0.1)\n")
    (slow / "bot.py").write_text(text.replace("import sys\n", "import sys\nimport time\n"), encoding="utf-8")
    return Loaded(options, groups, games, slow, lanes, f'metrics = "{metrics}"\n'), metrics


def wait_for_games(metrics, lanes):
    until = time.monotonic() + 120
    while busy_lanes(metrics) < lanes:
        assert time.monotonic() < until, f"{lanes} games are never played at once"
        time.sleep(0.1)


def start(options, measured):
    """Starts with many games, and stops while four are played."""
    games = 20_000 if options.short else 500_000
    loaded, metrics = served(options, 20, games, 4)
    with loaded:
        goal = 10 * games / 500_000 if options.short else 10
        ready, worked = loaded.start(), processor_time(loaded.school.pid)
        measured.add(f"ready with {games:,} games", ready, max(goal, 2), "s",
                     ratio=worked, excused=max(goal, 2), against="s of processor time")
        # Games must still run when the signal comes.
        wait_for_games(metrics, 4)
        begun = time.monotonic()
        assert loaded.school.stop() == 0, loaded.school.lines
        measured.add("down after SIGTERM with 4 games", time.monotonic() - begun, 65, "s")
        assert not list(loaded.school.folder.glob("**/*-wal")), "a log was left behind"


def memory(pid):
    """Resident memory of a process, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE).group(1)) / 1000


def shares(pid, seconds):
    """Share of a core that a process uses, over some seconds."""
    before = processor_time(pid)
    time.sleep(seconds)
    return (processor_time(pid) - before) / seconds


def feeds(options, measured):
    """Many readers of three running games, at ten plies a second each."""
    readers = options.readers or (300 if options.short else 1500)
    seconds = 20 if options.short else 60
    loaded, metrics = served(options, readers // 8 + 1, 1000, 3)
    with loaded:
        loaded.start()
        loaded.wait_for_table()
        wait_for_games(metrics, 3)
        pid = loaded.school.pid
        alone, before = shares(pid, 10), memory(pid)
        watching = subprocess.Popen(
            [options.examples / "feed_readers", loaded.school.address, "school", str(readers),
             str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            watching.stdin.write("".join(f"{one}\n" for one in loaded.sessions))
            watching.stdin.close()
            assert watching.stdout.readline() == "all watch\n", "not all of the readers watch"
            share = shares(pid, seconds - 2)
            more = memory(pid) - before
            found = json.loads(watching.stdout.readline())
            beside = json.loads(watching.stdout.readline())
        finally:
            watching.kill()
            watching.wait()
        print(f"    {readers} readers: {found}", flush=True)
        print(f"    beside one that takes nothing: {beside}", flush=True)
        for one in (found, beside):
            assert not one["lost"] and not one["refused"], one
        measured.add(f"plies to {readers} readers, p99", found["p99_ms"], 500, "ms")
        # Some of it is for the games themselves, and is there without a reader.
        measured.add(f"{readers} readers, of a core", 100 * (share - alone), 40, "%")
        measured.add(f"{readers} readers, memory", more, 64, "MB")
        measured.add("reader that takes nothing, closed", beside["closed_s"], 15, "s")
        # Twice as late would still be less than anybody sees; more than that is no accident.
        measured.add("plies to the others meanwhile, p99", beside["p99_ms"],
                     2 * found["p99_ms"] + 20, "ms")
        begun = time.monotonic()
        assert loaded.school.stop() == 0, loaded.school.lines
        print(f"    down after {time.monotonic() - begun:.1f} s", flush=True)


def only_expert(text):
    """A ladder on which versions meet `house:expert` and nobody else, at 50 ms a move."""
    head = text.split("[[bot]]")[0].replace('"200ms"', '"50ms"')
    return head + '[[bot]]\npath = "house:expert"\nanchor = 2000\n'


def cores_of_lanes(pid):
    """Cores that threads of a server have to themselves."""
    found = set()
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        text = status.read_text(encoding="ascii")
        allowed = re.search(r"^Cpus_allowed_list:\s+(\d+)$", text, re.MULTILINE)
        if allowed:
            found.add(int(allowed.group(1)))
    return found


def expert_moves(reader, known, count):
    """Moves of `house:expert` in games that were not known, once there are this many games."""
    until, games = time.monotonic() + 3600, []
    while len(games) < count:
        assert time.monotonic() < until, f"only {len(games)} of {count} games in an hour"
        time.sleep(2)
        listed = reader.get("/api/v1/ladders/practice/games")
        assert listed.status == 200, listed.text
        for row in listed.json["games"]:
            if row["id"] not in known:
                known.add(row["id"])
                games.append(row)
    moves, forfeits = [], []
    for row in games:
        record = reader.get(f"/api/v1/games/{row['id']}").json["record"]
        side = ("one", "two")[not row["bots"][0].startswith("house")]
        # The first move of a game has a limit of its own.
        own = [ply for ply in record["plies"] if ply["by"] == side and ply["wall_ns"] > 0][1:]
        moves += [(ply["wall_ns"] / 1e6, ply["waiting_ns"] / 1e6) for ply in own]
        if not row["ending"].startswith(FAIR):
            forfeits.append((row["id"], row["ending"]))
        time.sleep(0.1)
    return moves, forfeits


#: How the names of endings by the rules begin; all others are forfeits or faults.
FAIR = ("rules:", "ply-limit", "game-time")


def games(options, measured):
    """Moves of `house:expert` on a lane of its own: with nobody there, and while many watch and some
    hand in."""
    count = options.expert_games or (12 if options.short else 1000)
    readers = options.readers or (60 if options.short else 1500)
    school = School(options.program, flags=("--lanes", "1"), ladder=only_expert)
    try:
        school.start()
        school.teacher = school.join("grace", school.first_code)
        people = school.students(**{f"s{n}": f"g{n}" for n in range(readers // 4 + 2)})
        ada, others = people[0], people[1:]
        lanes = cores_of_lanes(school.pid)
        rest = set(range(os.cpu_count())) - lanes
        assert lanes and rest, f"lanes on {lanes}, and no core is left: give this machine two"
        # What is measured is not who takes the lane's core: clients stay away from it.
        os.sched_setaffinity(0, rest)
        assert ada.form("/c/school/bots", name="one").status == 303
        assert ada.hand_in("g0.one", "bot.zip", archive(0)).status == 303
        reader, known = ada.with_token("read"), set()
        expert_moves(reader, known, 2)
        alone, lost = expert_moves(reader, known, count)
        watching = subprocess.Popen(
            [options.examples / "feed_readers", school.address, "school", str(readers), "86400"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            sessions = [person.session.split("=", 1)[1] for person in others]
            watching.stdin.write("".join(f"{one}\n" for one in sessions))
            watching.stdin.close()
            assert watching.stdout.readline() == "all watch\n", "not all of the readers watch"
            with Uploading(others, 10 if options.short else 50) as uploading:
                visited, others_lost = expert_moves(reader, known, count)
        finally:
            watching.kill()
            watching.wait()
        assert school.stop() == 0, school.lines
    finally:
        os.sched_setaffinity(0, range(os.cpu_count()))
        school.__exit__()
    print(f"    {len(alone)} moves alone, {len(visited)} beside {readers} readers and "
          f"{uploading.sent} uploads", flush=True)
    for name, moves in (("alone", alone), ("beside others", visited)):
        times = [wall for wall, _ in moves]
        waited = sum(waiting for _, waiting in moves) / len(moves)
        print(f"    {name}: median {percentile(times, 50):.2f} ms, p99 {percentile(times, 99):.2f} ms, "
              f"waited for the core {waited:.3f} ms a move", flush=True)
    measured.add("forfeits in games beside others", len(lost) + len(others_lost), 0, "")
    before, after = (percentile([wall for wall, _ in moves], 50) for moves in (alone, visited))
    measured.add("move of house:expert beside others, median", after, 1.1 * before, "ms")


class Uploading:
    """Hands in versions that fail, so that nobody new plays: many a minute, each of another group."""

    def __init__(self, people, a_minute):
        self.people, self.pause, self.sent = people, 60 / a_minute, 0
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()

    def run(self):
        while not self.stop.wait(self.pause):
            person = self.people[self.sent % len(self.people)]
            bot = f"g{person.login[1:]}.one"
            if self.sent < len(self.people):
                assert person.form("/c/school/bots", name="one").status == 303
            answer = person.hand_in(bot, "bot.zip", archive(1 + self.sent, "print(1)\n"))
            # A group has a quota, which is not what is measured here.
            assert answer.status in (303, 429), answer.text
            self.sent += 1


def guesses(address, logins, connections, seconds):
    """Wrong logins at a steady rate over some connections, within some seconds. Returns how many there
    were by status, and how long they took together."""
    statuses, lock, due = Counter(), threading.Lock(), iter(enumerate(logins))
    begun, pause = time.monotonic(), seconds / len(logins)

    def guess():
        connection = http.client.HTTPConnection(address, timeout=60)
        while True:
            with lock:
                number, login = next(due, (None, None))
            if login is None:
                return connection.close()
            time.sleep(max(0, begun + number * pause - time.monotonic()))
            status = try_login(connection, address, login, f"wrong+{number}")
            with lock:
                statuses[status] += 1

    with concurrent.futures.ThreadPoolExecutor(connections) as pool:
        for done in [pool.submit(guess) for _ in range(connections)]:
            done.result()
    return statuses, time.monotonic() - begun


def try_login(connection, address, login, passphrase):
    """The status of a login."""
    connection.request("POST", "/login", f"login={login}&passphrase={passphrase}", {
        "Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{address}"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


class Entering:
    """Somebody else who logs in, once a second."""

    def __init__(self, school, logins):
        self.school, self.logins, self.took, self.failed = school, logins, [], []
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()

    def run(self):
        number = 0
        while not self.stop.wait(1):
            begun = time.monotonic()
            answer = self.school.log_in(self.logins[number % len(self.logins)])
            self.took.append(time.monotonic() - begun)
            if answer.status != 303:
                self.failed.append(answer.status)
            number += 1


def times_of_guesses(address, known, unknown):
    """Time of a first wrong login at accounts that exist by that of one at accounts that do not,
    by their medians."""
    took = {True: [], False: []}
    connection = http.client.HTTPConnection(address, timeout=60)
    for pair in zip(known, unknown):
        for is_known, login in zip((True, False), pair):
            begun = time.monotonic()
            assert try_login(connection, address, login, "wrong") == 403
            took[is_known].append(time.monotonic() - begun)
    connection.close()
    return percentile(took[False], 50) / percentile(took[True], 50)


def logins(options, measured):
    """Wrong logins from one address: at the accounts of a course and at as many that do not exist, and
    at names that are never the same."""
    tries, seconds = (500, 15) if options.short else (10_000, 60)
    school = School(options.program, flags=("--lanes", "1", "--share-cores"))
    try:
        school.start()
        school.teacher = school.join("grace", school.first_code)
        people = school.students(**{f"s{n}": f"g{n}" for n in range(90)})
        known = [person.login for person in people]
        own, others = known[:20], known[20:]
        ratio = times_of_guesses(school.address, others[:40], [f"x{n}" for n in range(40)])
        print(f"    unknown by known account: {ratio:.2f} of the time", flush=True)
        measured.add("time of a guess tells of the account", 100 * abs(ratio - 1), 20, "%")
        with Entering(school, own) as entering:
            time.sleep(8)
        alone = percentile(entering.took, 50)
        print(f"    a login with nobody there: {alone:.2f} s", flush=True)
        both = others + [f"y{n}" for n in range(len(others))]
        for name, names in (
            ("accounts", [both[n % len(both)] for n in range(tries)]),
            ("new names", [f"z{n}" for n in range(tries)]),
        ):
            with Entering(school, own) as entering:
                statuses, took = guesses(school.address, names, 32, seconds)
            print(f"    {tries} guesses at {name} in {took:.0f} s: {dict(statuses)}; "
                  f"others log in within {max(entering.took):.2f} s", flush=True)
            assert not entering.failed, entering.failed
            assert sum(statuses.values()) == tries, statuses
            measured.add(f"guesses at {name} that succeed", statuses[303], 0, "")
            # Each waits for those before it, of which there are as many as connections.
            measured.add(f"login of others during guesses at {name}", max(entering.took), 2, "s",
                         ratio=max(entering.took) / alone, excused=16, against="of one alone")
        status = Path(f"/proc/{school.pid}/status").read_text(encoding="ascii")
        most = int(re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE).group(1)) / 1000
        measured.add("memory during guesses", most, 200, "MB")
        assert school.stop() == 0, school.lines
    finally:
        school.__exit__()


def slow(loaded, options, measured):
    """Clients that are slow on purpose, and what others notice."""
    address, session = loaded.school.address, loaded.sessions[0]
    connections = 200 if options.short else 1000
    measured.add("silent connection closed", silent_connection(address, 60), 6, "s")
    def attack(path, *words):
        return lambda: slowhttptest(address, path, words, session, connections, 100)

    attacks = {
        "headers": attack("/login", "-H", "-i", "3", "-x", "10"),
        "bodies": lambda: slow_bodies(address, connections, 100),
        "reads": attack(LADDER, "-X", "-w", "256", "-y", "1024", "-n", "3", "-z", "16", "-k", "3"),
    }
    with Probe(address, "/healthz", [""], 10) as health:
        time.sleep(3)
    for name, begin in attacks.items():
        with Probe(address, LADDER, loaded.sessions[1::2]) as ladder:
            found = begin()
        assert not ladder.failed, (name, ladder.failed)
        assert found.most >= connections * ENOUGH, f"only {found.most} at once: slow {name}"
        measured.add(f"slow {name}, {found.most} connections closed", found.closed, 70, "s")
        measured.add(f"ladder page during slow {name}, p99", ladder.p99() * 1000, 200, "ms",
                     ratio=ladder.p99() / health.p99(), excused=12)
    unread = unread_answers(address, LADDER, session, 50, 100)
    measured.add("unread answers, 50 connections closed", unread, 70, "s")


def missing(options):
    for tool in TOOLS:
        if not shutil.which(tool):
            yield f"{tool} is missing: apt-get install {tool}"
    for path in (options.program, *(options.examples / name for name in EXAMPLES)):
        if not os.access(path, os.X_OK):
            yield f"{path} is not there: build it first (see the first lines of load.py)"
    if not Path("/proc/net/tcp").exists():
        yield "/proc/net/tcp is missing: connections are counted on Linux only"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--short", action="store_true", help="smaller numbers, two minutes")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--uploads", type=int, help="number of uploads: 500, or 25 with --short")
    parser.add_argument("--minutes", type=float, help="in which they come: 10, or 0.5 with --short")
    parser.add_argument("--games", type=int, help="games on the ladder: 100,000, or 20,000 with --short")
    parser.add_argument("--readers", type=int, help="readers of `feeds` and `games`")
    parser.add_argument("--expert-games", type=int, help="games of `games`: 1,000, or 12 with --short")
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    options.program, options.examples = options.program.resolve(), options.examples.resolve()
    options.uploads = options.uploads or (25 if options.short else 500)
    options.minutes = options.minutes or (0.5 if options.short else 10)
    options.games = options.games or (20_000 if options.short else 100_000)
    return options


def main():
    options = parsed()
    if lacking := list(missing(options)):
        print("\n".join(lacking), file=sys.stderr)
        return 2
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    measured = Measured()
    if any(part not in ALONE for part in options.only):
        with Loaded(options, 300, options.games) as loaded:
            print(f"    ready in {loaded.start():.1f} s", flush=True)
            loaded.wait_for_table()
            for part in (pages, uploads, slow):
                if part.__name__ in options.only:
                    print(f"--- {part.__name__}", flush=True)
                    part(loaded, options, measured)
            assert loaded.school.stop() == 0, loaded.school.lines
            assert not list(loaded.school.folder.glob("**/*-wal")), "a log was left behind"
    for part in (start, feeds, games, logins):
        if part.__name__ in options.only:
            print(f"--- {part.__name__}", flush=True)
            with tempfile.TemporaryDirectory() as options.scratch:
                part(options, measured)
    print(f"\n{measured.table()}")
    if options.json:
        options.json.write_text(json.dumps([asdict(it) for it in measured.all], indent=1))
    if missed := measured.missed():
        print(f"\nmissed: {', '.join(missed)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
