# expect: none
# attack: bare=succeeded:mode,times,length portable=refused full=refused
# promise: write
# Changes a foreign file's mode, owner, times, length and attributes without writing to it.
import os

from attack import play, scratch

FILE = scratch("canary/file")


def mode():
    os.chmod(FILE, 0o777)


def owner():
    os.chown(FILE, os.getuid(), os.getgid())


def times():
    os.utime(FILE, (0, 0))


def length():
    os.truncate(FILE, 0)


def opened_to_nothing():
    os.close(os.open(FILE, os.O_RDONLY | os.O_TRUNC))


def attribute():
    os.setxattr(FILE, "user.hostile", b"")


def own_mode():
    os.chmod("bot.py", 0o777)


def systems_file():
    facts = os.stat(os.__file__)
    os.utime(os.__file__, ns=(facts.st_atime_ns, facts.st_mtime_ns))


play("changes-facts", mode, owner, times, length, opened_to_nothing, attribute, own_mode,
     systems_file)
