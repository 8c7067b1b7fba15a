#!/usr/bin/env python3
"""Serves a course for hours while groups hand in, and looks for what is left behind.

    soak.py PROGRAM HOURS [--lanes N] [--uploads A_MINUTE] [--json FILE]

PROGRAM is `pitmaster`, from an optimized build. Every minute it prints memory, descriptors, processes,
jobs that wait, and the sizes of the databases. After the first hour (of a shorter run: after half of
it) and at the end, the course is paused until nothing is built, validated or played; what these two
moments have is compared. Exits with 1 if memory has grown by more than 20 MB between them, if the
server has more descriptors or processes, if a database has grown to more than its games and versions
account for, if an upload was not answered, or if a process is left when the server has stopped.
Linux only.
"""

import argparse
import io
import json
import math
import os
import random
import re
import sqlite3
import sys
import time
import urllib.request
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

from loading import free_port
from school import School

BOT = Path(__file__).resolve().parent.parent.parent / "bots" / "random-python"

#: What the server allows a group: uploads an hour and a day, with some to spare.
AN_HOUR, A_DAY = 5, 27
#: Memory that may be more at the end, in MB.
GROWTH = 20
#: Bytes that a stored game may take, with its indexes, and a version with its steps, jobs and notes.
OF_A_GAME, OF_A_VERSION = 12_000, 40_000
#: Seconds in which everything that runs must end once the course is paused.
PATIENCE = 1800


@dataclass
class Sample:
    """What the server has at one moment."""

    minutes: float
    memory_mb: float
    descriptors: int
    processes: int
    waiting: int
    lanes_busy: int
    database_mb: float
    ladders_mb: float
    versions: int
    games: int

    def __str__(self):
        return (f"{self.minutes:7.1f} min  memory {self.memory_mb:6.1f} MB  descriptors {self.descriptors:3}  "
                f"processes {self.processes:2}  waiting {self.waiting:3}  lanes {self.lanes_busy}  "
                f"season.db {self.database_mb:6.1f} MB  ladders {self.ladders_mb:7.1f} MB  "
                f"versions {self.versions:5}  games {self.games:7}")


def bot(number):
    """A bot that nobody has handed in before, and that plays."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted(BOT.iterdir()):
            if path.is_file():
                file.write(path, path.name)
        file.writestr("weights.bin", random.Random(number).randbytes(20_000))
    return packed.getvalue()


def beneath(pid):
    """Number of processes that a process has started, and those have started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            child, rest = stat.read_text(encoding="utf-8", errors="replace").rsplit(")", 1)
        except OSError:  # it has ended
            continue
        parents[int(child.split(" ", 1)[0])] = int(rest.split()[1])
    found, more = set(), {pid}
    while more:
        more = {child for child, parent in parents.items() if parent in more} - found
        found |= more
    return len(found)


def working_in(folder):
    """Processes whose working folder is in a folder."""
    found = []
    for cwd in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if Path(os.readlink(cwd)).is_relative_to(folder):
                found.append(cwd.parent.name)
        except OSError:
            continue
    return found


def size(folder, pattern):
    """Bytes of the databases of a folder, with their logs, in MB."""
    files = [path for path in folder.glob(pattern) if path.is_file()]
    return sum(path.stat().st_size for path in files) / 1e6


def count(database, sql):
    """A number that a database has. It is read as by any other program while the server writes."""
    if not database.exists():
        return 0
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)
    try:
        return connection.execute(sql).fetchone()[0]
    finally:
        connection.close()


class Soak:
    """A course that is served for hours."""

    def __init__(self, options):
        self.options, self.metrics = options, f"127.0.0.1:{free_port()}"
        self.school = School(options.program, flags=("--lanes", str(options.lanes), "--share-cores"),
                             settings=f'metrics = "{self.metrics}"\n')
        self.begun, self.sent, self.refused = time.monotonic(), 0, []
        self.samples = []

    def people(self):
        """Students, one a group, each with a bot: as many as the quotas of groups need."""
        total = self.options.uploads * 60
        groups = max(total / AN_HOUR, total * min(24, self.options.hours) / A_DAY)
        groups = min(math.ceil(groups), math.ceil(total * self.options.hours))
        people = self.school.students(**{f"s{n}": f"g{n}" for n in range(max(2, groups))})
        for person in people:
            made = person.form("/c/school/bots", name="one")
            assert made.status == 303, made.text
        return people

    def told(self):
        """The metrics, by name."""
        with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=30) as answer:
            lines = answer.read().decode()
        return {name: float(value) for name, value in re.findall(r"^(\w+) ([\d.e+-]+)$", lines, re.M)}

    def sample(self):
        pid, folder, told = self.school.pid, self.school.folder, self.told()
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        memory = int(re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE).group(1)) / 1000

        def metric(ending):
            return int(next(value for name, value in told.items() if name.endswith(ending)))

        ladder = folder / "ladders" / "school.practice" / "tournament.db"
        found = Sample(
            minutes=(time.monotonic() - self.begun) / 60, memory_mb=memory,
            descriptors=len(os.listdir(f"/proc/{pid}/fd")), processes=beneath(pid),
            waiting=metric("jobs_waiting"), lanes_busy=metric("lanes_busy"),
            database_mb=size(folder, "season.db*"), ladders_mb=size(folder, "ladders/*/tournament.db*"),
            versions=count(folder / "season.db", "SELECT count(*) FROM version"),
            games=count(ladder, "SELECT count(*) FROM attempts"))
        self.samples.append(found)
        print(found, flush=True)
        return found

    def hand_in(self, people):
        person = people[self.sent % len(people)]
        answer = person.hand_in(f"g{person.login[1:]}.one", "bot.zip", bot(self.sent))
        if answer.status != 303:
            self.refused.append((answer.status, answer.text[-300:]))
        self.sent += 1

    def work(self, people, seconds):
        """Hands in at a steady rate, and prints a sample a minute."""
        begun, pause = time.monotonic(), 60 / self.options.uploads
        due = {"upload": begun, "sample": begun + 60}
        while (now := time.monotonic()) < begun + seconds:
            if now >= due["upload"]:
                due["upload"] += pause
                self.hand_in(people)
            if now >= due["sample"]:
                due["sample"] += 60
                self.sample()
            time.sleep(max(0, min(*due.values(), begun + seconds) - time.monotonic()))

    def at_rest(self):
        """Waits until nothing is done, and returns what the server has then."""
        self.set_course("paused")
        until = time.monotonic() + PATIENCE
        calm = 0
        # Between two jobs of one version nothing is done for a moment.
        while calm < 5:
            assert time.monotonic() < until, f"it never comes to rest: {self.told()}"
            told = self.told()
            busy = sum(value for name, value in told.items()
                       if name.endswith(("lanes_busy", "jobs_waiting", "jobs_running")))
            calm = 0 if busy else calm + 1
            time.sleep(1)
        found = self.sample()
        self.set_course("open")
        return found

    def set_course(self, state):
        answer = self.school.teacher.form("/c/school/admin/state", state=state)
        assert answer.status == 303, answer.text

    def run(self):
        """Returns what is wrong."""
        seconds = self.options.hours * 3600
        first = min(3600, seconds / 2)
        with self.school:
            people = self.people()
            print(f"{len(people)} groups hand in {self.options.uploads} a minute", flush=True)
            self.begun = time.monotonic()
            self.work(people, first)
            before = self.at_rest()
            self.work(people, seconds - first)
            after = self.at_rest()
            code = self.school.stop()
            left = working_in(self.school.folder)
            return list(self.wrong(before, after, code, left))

    def wrong(self, before, after, code, left):
        if self.refused:
            yield f"{len(self.refused)} of {self.sent} uploads were refused: {self.refused[0]}"
        if (grown := after.memory_mb - before.memory_mb) > GROWTH:
            yield f"memory has grown by {grown:.1f} MB, more than {GROWTH}"
        for name in ("descriptors", "processes"):
            if getattr(after, name) > getattr(before, name):
                yield f"{getattr(before, name)} {name} have become {getattr(after, name)}"
        most = 10 + after.versions * OF_A_VERSION / 1e6
        if after.database_mb > most:
            yield f"season.db has {after.database_mb:.1f} MB; {after.versions} versions take {most:.1f}"
        most = 10 + after.games * OF_A_GAME / 1e6
        if after.ladders_mb > most:
            yield f"the ladders have {after.ladders_mb:.1f} MB; {after.games} games take {most:.1f}"
        if code != 0 or left:
            yield f"the server ended with {code}, and left the processes {left}"
        if panics := [line for line in self.school.lines if "panic" in line]:
            yield f"{panics}"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("hours", type=float)
    parser.add_argument("--lanes", type=int, default=4)
    parser.add_argument("--uploads", type=float, default=10, help="a minute")
    parser.add_argument("--json", type=Path, help="file for all samples")
    return parser.parse_args()


def main():
    options = parsed()
    soak = Soak(options)
    wrong = soak.run()
    if options.json:
        options.json.write_text(json.dumps([asdict(it) for it in soak.samples], indent=1))
    for one in wrong:
        print(f"WRONG {one}", file=sys.stderr)
    print("nothing is left behind" if not wrong else f"{len(wrong)} faults", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
