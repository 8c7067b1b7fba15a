# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Its build makes foreign files and folders writable for everybody, by every way to name them.
import os

from build_attack import attack, changes, foreign

FILE, FOLDER = foreign("canary/file"), foreign("canary")


def mode_of(path):
    return lambda: os.stat(path).st_mode


def file():
    return changes(mode_of(FILE), lambda: os.chmod(FILE, 0o666))


def folder():
    return changes(mode_of(FOLDER), lambda: os.chmod(FOLDER, 0o777))


def by_a_link():
    os.symlink(FILE, "link")
    return changes(mode_of(FILE), lambda: os.chmod("link", 0o667))


def by_a_link_on_the_way():
    os.symlink(FOLDER, "way")
    return changes(mode_of(FILE), lambda: os.chmod("way/file", 0o676))


def by_a_folder():
    def change():
        folder = os.open(FOLDER, os.O_PATH)
        os.chmod("file", 0o677, dir_fd=folder)
    return changes(mode_of(FILE), change)


def open_for_reading():
    return changes(mode_of(FILE), lambda: os.fchmod(os.open(FILE, os.O_RDONLY), 0o766))


def open_for_its_name():
    def change():
        file = os.open(FILE, os.O_PATH)
        os.chmod(f"/proc/self/fd/{file}", 0o767)
    return changes(mode_of(FILE), change)


def own_log():
    # What its standard output goes to is not its own.
    return changes(lambda: os.fstat(1).st_mode, lambda: os.fchmod(1, 0o777))


attack(file, folder, by_a_link, by_a_link_on_the_way, by_a_folder, open_for_reading,
       open_for_its_name, own_log)
