# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Its build sets the times of foreign files and folders: to the past, to now, of a link's target.
import os

from build_attack import attack, changes, foreign

FILE, FOLDER = foreign("canary/file"), foreign("canary")


def times_of(path):
    def times():
        facts = os.stat(path)
        return facts.st_mtime_ns, facts.st_ctime_ns
    return times


def file():
    return changes(times_of(FILE), lambda: os.utime(FILE, (1, 1)))


def now():
    return changes(times_of(FILE), lambda: os.utime(FILE))


def folder():
    return changes(times_of(FOLDER), lambda: os.utime(FOLDER, (1, 1)))


def by_a_link():
    os.symlink(FILE, "link")
    return changes(times_of(FILE), lambda: os.utime("link", (1, 1)))


def open_for_reading():
    return changes(times_of(FILE), lambda: os.utime(os.open(FILE, os.O_RDONLY), (1, 1)))


attack(file, now, folder, by_a_link, open_for_reading)
