# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Its build writes attributes of foreign files, and rights for everybody among them.
import os

from build_attack import attack, changes, foreign

FILE = foreign("canary/file")
# A list of rights that lets everybody read and write.
RIGHTS = bytes.fromhex("02000000" "01000600ffffffff" "04000600ffffffff" "20000600ffffffff")


def facts():
    return os.listxattr(FILE), os.stat(FILE).st_ctime_ns


def attribute():
    return changes(facts, lambda: os.setxattr(FILE, "user.hostile", b"1"))


def rights():
    return changes(facts, lambda: os.setxattr(FILE, "system.posix_acl_access", RIGHTS))


def open_for_reading():
    file = os.open(FILE, os.O_RDONLY)
    return changes(facts, lambda: os.setxattr(file, "user.hostile", b"1"))


def away():
    return changes(facts, lambda: os.removexattr(FILE, "user.hostile"))


attack(attribute, rights, open_for_reading, away)
