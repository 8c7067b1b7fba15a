# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# While its build changes the mode of a file of its own, it swaps that file, and a folder on the way
# to it, for links to foreign ones: what is looked at must be what is changed.
import os
import threading

from build_attack import attack, foreign

FILE, FOLDER = foreign("canary/file"), foreign("canary")
TIMES = 3000


def swapping(one, other):
    """Exchanges two names until it is stopped."""
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            os.rename(one, "spare")
            os.rename(other, one)
            os.rename("spare", other)

    thread = threading.Thread(target=swap)
    thread.start()

    def end():
        stop.set()
        thread.join()
    return end


def changed_while_swapped(path, one, other):
    before, end = os.stat(FILE).st_mode, swapping(one, other)
    for _ in range(TIMES):
        try:
            os.chmod(path, 0o666)
        except OSError:
            pass
    end()
    return os.stat(FILE).st_mode != before


def file():
    with open("own", "w"):
        os.symlink(FILE, "link")
    return changed_while_swapped("own", "own", "link")


def folder_on_the_way():
    os.mkdir("inner")
    with open("inner/file", "w"):
        os.symlink(FOLDER, "way")
    return changed_while_swapped("inner/file", "inner", "way")


attack(file, folder_on_the_way)
