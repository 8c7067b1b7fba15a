# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Its build gives foreign files names in its own folder, and moves them there.
import os

from attack import call
from build_attack import attack, foreign

FILE = foreign("canary/file")


def link():
    os.link(FILE, "linked")


def what_is_open():
    file = os.open(FILE, os.O_PATH)
    os.link(f"/proc/self/fd/{file}", "linked-open", follow_symlinks=True)


def what_is_open_by_number():
    file, here, by_number = os.open(FILE, os.O_PATH), -100, 0x1000
    call("linkat", file, b"", here, b"linked-number", by_number)


def moved():
    os.rename(foreign("canary/third"), "moved")


def exchanged():
    with open("mine", "w"):
        pass
    here, exchange = -100, 2
    call("renameat2", here, b"mine", here, FILE.encode(), exchange)


def own_file_outside():
    os.link("build.py", os.path.join(os.path.dirname(FILE), "hostile-link"))


attack(link, what_is_open, what_is_open_by_number, moved, exchanged, own_file_outside)
