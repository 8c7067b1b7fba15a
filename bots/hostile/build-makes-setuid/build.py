# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Its build makes programs and folders of its own that run or live with the rights of whoever runs
# the tournament.
import os
import stat

from attack import call
from build_attack import attack

SET_ID = stat.S_ISUID | stat.S_ISGID


def has_it(path):
    return bool(os.stat(path).st_mode & SET_ID)


def by_mode():
    os.close(os.open("by-mode", os.O_CREAT | os.O_WRONLY, 0o755))
    os.chmod("by-mode", 0o4755)
    return has_it("by-mode")


def by_group():
    os.close(os.open("by-group", os.O_CREAT | os.O_WRONLY, 0o755))
    os.chmod("by-group", 0o2755)
    return has_it("by-group")


def while_open():
    file = os.open("while-open", os.O_CREAT | os.O_WRONLY, 0o755)
    os.fchmod(file, 0o6755)
    return has_it("while-open")


def from_the_start():
    os.close(os.open("from-the-start", os.O_CREAT | os.O_WRONLY, 0o4755))
    return has_it("from-the-start")


def without_a_name():
    file = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o4755)
    return bool(os.fstat(file).st_mode & SET_ID)


def as_a_node():
    os.mknod("as-a-node", 0o4755 | stat.S_IFREG)
    return has_it("as-a-node")


def creat():
    os.close(call("creat", b"creat", 0o4755))
    return has_it("creat")


def folder():
    os.mkdir("folder")
    os.chmod("folder", 0o2755)
    return has_it("folder")


attack(by_mode, by_group, while_open, from_the_start, without_a_name, as_a_node, creat, folder)
