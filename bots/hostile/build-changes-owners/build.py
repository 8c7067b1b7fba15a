# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Its build makes foreign files its own, and touches the owner of files without changing it.
import os

from build_attack import attack, changes, foreign

FILE = foreign("canary/file")


def facts():
    facts = os.stat(FILE)
    return facts.st_uid, facts.st_gid, facts.st_ctime_ns


def to_itself():
    return changes(facts, lambda: os.chown(FILE, os.getuid(), os.getgid()))


def to_nobody_in_particular():
    return changes(facts, lambda: os.chown(FILE, -1, -1))


def by_a_link():
    os.symlink(FILE, "link")
    return changes(facts, lambda: os.chown("link", os.getuid(), -1))


def open_for_reading():
    return changes(facts, lambda: os.fchown(os.open(FILE, os.O_RDONLY), os.getuid(), -1))


def own_to_somebody_else():
    with open("mine", "w"):
        return changes(lambda: os.stat("mine").st_uid, lambda: os.chown("mine", 12345, -1))


attack(to_itself, to_nobody_in_particular, by_a_link, open_for_reading, own_to_somebody_else)
