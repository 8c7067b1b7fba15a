# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: disk
# Makes 3000 empty files wherever it can, and removes them.
import os
import shutil

from attack import play

COUNT = 3000


def fill(folder):
    folder = os.path.join(folder, f"hostile-{os.getpid()}")
    os.mkdir(folder)
    made = 0
    try:
        for made in range(COUNT):
            os.close(os.open(f"{folder}/{made}", os.O_CREAT | os.O_WRONLY))
    finally:
        shutil.rmtree(folder)


def own_folder():
    fill(".")


def temporary():
    fill("/tmp")


play("many-files", own_folder, temporary)
