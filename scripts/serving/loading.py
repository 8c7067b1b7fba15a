"""What puts load on a practice server, and what is measured meanwhile.

Needs the standard library, `wrk` and `slowhttptest`.
"""

import contextlib
import http.client
import json
import math
import socket
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ESTABLISHED, SYN_RECEIVED = "01", "03"
#: Share of slow connections that must be open at once.
ENOUGH = 0.5


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def percentile(values, percent):
    """The smallest value that is not exceeded by this share of the values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)] if ordered else math.nan


@dataclass
class Rate:
    """What wrk found."""

    requests: int
    seconds: float
    p50: float
    p99: float
    refused: int
    broken: int
    bytes: int

    @property
    def a_second(self):
        return self.requests / self.seconds


def wrk(address, folder, sessions, paths, seconds, connections):
    """Asks for pages as fast as the server answers, over some connections that stay open."""
    files = []
    for name, lines in (("sessions", sessions), ("paths", paths)):
        file = Path(folder) / f"wrk-{name}"
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        files.append(str(file))
    done = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s",
         "-s", str(HERE / "rotate.lua"), f"http://{address}/", "--", *files],
        capture_output=True, text=True, timeout=seconds + 60, check=False)
    found = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert done.returncode == 0 and found, f"wrk failed: {done.stdout}{done.stderr}"
    return Rate(**json.loads(found[-1]))


@dataclass
class Probe:
    """Asks for a page again and again at a steady rate, on a connection that stays open, and keeps
    how long each answer took."""

    address: str
    path: str
    sessions: list
    a_second: float = 20
    took: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread = None

    def __enter__(self):
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def p99(self):
        return percentile(self.took, 99)

    def _run(self):
        connection, number, due = None, 0, time.monotonic()
        while not self._stop.wait(max(0, due - time.monotonic())):
            # What is due later is not asked for earlier after a slow answer, nor left out.
            due += 1 / self.a_second
            begun = time.monotonic()
            try:
                connection = connection or http.client.HTTPConnection(self.address, timeout=30)
                session = self.sessions[number % len(self.sessions)]
                connection.request("GET", self.path, headers={"Cookie": f"session={session}"})
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    self.failed.append(answer.status)
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(repr(error))
                connection = None
            self.took.append(time.monotonic() - begun)
            number += 1
        if connection:
            connection.close()


def open_connections(address):
    """Number of connections that a server on this machine has, by the system."""
    port = int(address.rsplit(":", 1)[1])
    count = 0
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except FileNotFoundError:
            continue
        for line in lines:
            local, state = line.split()[1], line.split()[3]
            if int(local.rsplit(":", 1)[1], 16) == port and state in (ESTABLISHED, SYN_RECEIVED):
                count += 1
    return count


@dataclass
class Slow:
    """What became of many slow connections."""

    most: int
    #: Seconds from the first one until all were closed; `None` if some stayed open.
    closed: float


def slowhttptest(address, path, words, session, connections, patience):
    """Opens slow connections, and waits until the server has closed all of them. Connections that
    were there before are left out."""
    before = open_connections(address)
    test = subprocess.Popen(
        ["slowhttptest", "-c", str(connections), "-r", "500", "-l", str(patience + 20), "-p", "10",
         "-u", f"http://{address}{path}", "-j", f"session={session}", *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        begun, most = time.monotonic(), 0
        while time.monotonic() - begun < patience + 10:
            time.sleep(0.25)
            now = open_connections(address) - before
            most = max(most, now)
            # On a busy machine the first are closed before the last are opened. Its own probe opens
            # a connection now and then.
            if most >= connections * ENOUGH and now <= 2:
                return Slow(most, time.monotonic() - begun)
        return Slow(most, None)
    finally:
        test.kill()
        test.wait()


def slow_bodies(address, connections, patience):
    """Sends the bodies of forms a byte at a time, and waits until the server has closed all of the
    connections. `slowhttptest` cannot name the site that a form comes from, without which the server
    refuses it before it waits for a body."""
    host, port = address.rsplit(":", 1)
    head = (f"POST /login HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8192\r\n\r\nlogin=")
    before, begun, all_of_them = open_connections(address), time.monotonic(), []
    most = 0
    try:
        for _ in range(connections):
            connection = socket.create_connection((host, int(port)), timeout=10)
            connection.sendall(head.encode())
            all_of_them.append(connection)
        while time.monotonic() - begun < patience:
            now = open_connections(address) - before
            most = max(most, now)
            if now <= 0:
                return Slow(most, time.monotonic() - begun)
            for connection in all_of_them:
                with contextlib.suppress(OSError):
                    connection.send(b"x")
            time.sleep(1)
        return Slow(most, None)
    finally:
        for connection in all_of_them:
            connection.close()


def silent_connection(address, patience):
    """Seconds until a connection that says nothing is closed; `None` if it is not."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=patience) as connection:
        begun = time.monotonic()
        try:
            ended = connection.recv(1) == b""
        except TimeoutError:
            return None
        except OSError:
            ended = True
        return time.monotonic() - begun if ended else None


def unread_answers(address, path, session, count, patience):
    """Seconds until all of some connections are closed that ask for a page many times and read
    nothing; `None` if some are not."""
    host, port = address.rsplit(":", 1)
    before = open_connections(address)
    request = f"GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: session={session}\r\n\r\n".encode()
    all_of_them = []
    try:
        begun = time.monotonic()
        for _ in range(count):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((host, int(port)))
            connection.sendall(request * 8)
            all_of_them.append(connection)
        while time.monotonic() - begun < patience:
            time.sleep(0.25)
            if open_connections(address) <= before:
                return time.monotonic() - begun
        return None
    finally:
        for connection in all_of_them:
            connection.close()
