#!/usr/bin/env python3
"""Measures a practice server under load, and with clients that are slow on purpose.

    load.py PROGRAM EXAMPLES [--short] [--only PART…] [--uploads N] [--minutes M] [--json FILE]

PROGRAM is `pitmaster`, EXAMPLES the folder of the examples `load_fixture` and `feed_readers`, from one
optimized build:

    cargo build --release --features cluster,server --bins --example load_fixture --example feed_readers
    scripts/serving/load.py target/release/pitmaster target/release/examples

Parts: `pages` (rates of pages), `uploads` (and a page meanwhile), `start` (and stop, with games),
`feeds` (many who watch running games), `slow` (clients that are slow). Without `--short` it takes half an hour, 4 GB of disk, and 500 uploads
in 10 minutes; with it, about two minutes and smaller numbers. Needs Debian's `wrk` and
`slowhttptest`.

A rate or a time of an answer depends on the machine and on who else uses it. So each of them is also
compared with `/healthz`, which the same server answers without looking at anything, in the same run:
one that misses its goal is excused if it is within the ratio that an idle machine shows. A start that
is too slow is excused if its processor time is within the goal. Times that are limits of the server,
such as those of slow clients, are not excused. Exits with 1 if a goal is
missed, and with 2 if something is missing.
"""

import argparse
import concurrent.futures
import io
import json
import os
import random
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

from loading import (
    ENOUGH, Probe, percentile, silent_connection, slow_bodies, slowhttptest, unread_answers, wrk
)
from school import School

HERE = Path(__file__).resolve().parent
BOT = HERE.parent.parent / "bots" / "random-python"
EXAMPLES = ("load_fixture", "feed_readers")
TOOLS = ("wrk", "slowhttptest", "python3")
#: Parts with a course of their own.
ALONE = ("start", "feeds")
PARTS = ("pages", "uploads", "start", "feeds", "slow")
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


def archive(number):
    """A bot of 200 kB that nobody has handed in before."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted(BOT.iterdir()):
            if path.is_file():
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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        metrics = f"127.0.0.1:{free.getsockname()[1]}"
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
    readers, seconds = (300, 10) if options.short else (1500, 60)
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
        finally:
            watching.kill()
            watching.wait()
        print(f"    {readers} readers: {found}", flush=True)
        assert not found["lost"] and not found["refused"], found
        measured.add(f"plies to {readers} readers, p99", found["p99_ms"], 500, "ms")
        # Some of it is for the games themselves, and is there without a reader.
        measured.add(f"{readers} readers, of a core", 100 * (share - alone), 40, "%")
        measured.add(f"{readers} readers, memory", more, 64, "MB")
        begun = time.monotonic()
        assert loaded.school.stop() == 0, loaded.school.lines
        print(f"    down after {time.monotonic() - begun:.1f} s", flush=True)


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
    for part in (start, feeds):
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
