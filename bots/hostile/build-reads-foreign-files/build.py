# expect: none
# attack: bare=succeeded:home,tournament portable=refused full=refused
# promise: read
# Its build reads a home, the tournament's file and results, another hand-in, and the environment
# and memory of the processes that it was started by: a program could carry all that along.
import glob
import os

from build_attack import attack, foreign


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def home():
    read(foreign("home/secret"))


def tournament():
    read(foreign("cup.toml"))


def results():
    read("../../../tournament.db")


def another_hand_in():
    own = os.path.realpath("..")
    others = [path for path in glob.glob("../../*/src/*") if not path_is_in(path, own)]
    read(others[0])


def path_is_in(path, folder):
    return os.path.realpath(path).startswith(folder + "/")


def shadow():
    read("/etc/shadow")


def environment_of_a_parent():
    read(f"/proc/{parent()}/environ")


def memory_of_a_parent():
    with open(f"/proc/{parent()}/maps") as maps:
        start = int(maps.readline().split("-")[0], 16)
    with open(f"/proc/{parent()}/mem", "rb") as memory:
        memory.seek(start)
        memory.read(1)


def parent():
    if os.getppid() == 0:
        raise ProcessLookupError
    return os.getppid()


attack(home, tournament, results, another_hand_in, shadow, environment_of_a_parent,
       memory_of_a_parent)
