# expect: none
# attack: bare=succeeded:soft-link,rename,folder portable=refused full=refused
# promise: write
# Links to foreign files, renames and removes them, makes folders and pipes with names.
import os

from attack import play, scratch

# It may be started more than once.
OWN = f"hostile-{os.getpid()}"


def soft_link():
    os.symlink("/etc/passwd", scratch(f"canary/{OWN}"))


def hard_link():
    os.link(scratch("canary/file"), f"{OWN}-stolen")


def rename():
    os.rename(scratch("canary/other"), scratch("canary/renamed"))
    os.rename(scratch("canary/renamed"), scratch("canary/other"))


def removal():
    os.unlink(scratch("canary/third"))


def folder():
    os.mkdir(f"{OWN}-folder")


def pipe():
    os.mkfifo(f"{OWN}-pipe")


def own_program():
    os.rename("bot.py", "gone.py")
    os.rename("gone.py", "bot.py")


play("links-and-renames", soft_link, hard_link, rename, removal, folder, pipe, own_program)
