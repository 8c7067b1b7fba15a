# expect: none
# attack: bare=succeeded:canary,results,opponent,home portable=refused full=refused
# promise: write
# Adds to foreign files and makes new ones: beside the results, in its opponent's folder, in
# its own, in a home, in folders that are open to all.
import glob
import os

from attack import play, scratch


def append(path):
    with open(path, "a") as file:
        file.write("hostile")


def make(path):
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))


def canary():
    append(scratch("canary/file"))


def results():
    make("../../../hostile")


def opponent():
    folders = [folder for folder in glob.glob("../../*/work") if not os.path.samefile(folder, ".")]
    make(folders[0] + "/hostile")


def own_folder():
    make("hostile")


def own_source():
    append("../src/bot.py")


def home():
    append(scratch("home/secret"))


def temporary():
    path = f"/tmp/{tournament()}.hostile"
    make(path)
    os.unlink(path)


def shared_memory():
    path = f"/dev/shm/{tournament()}.hostile"
    make(path)
    os.unlink(path)


def temporary_canary():
    append(f"/tmp/{tournament()}.canary")


def nameless():
    os.close(os.open("/tmp", os.O_TMPFILE | os.O_WRONLY))


def tournament():
    return os.path.basename(os.path.realpath(scratch("")))


play("writes-files", canary, results, opponent, own_folder, own_source, home, temporary,
     shared_memory, temporary_canary, nameless)
