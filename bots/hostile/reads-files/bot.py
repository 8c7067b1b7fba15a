# expect: none
# attack: bare=succeeded:opponent,results,tournament,home,passwd portable=refused full=refused
# promise: read
# Reads its opponent's program, the results, the tournament's file, a home, the system's users
# and the referee's environment.
import glob
import os

from attack import play, referee, scratch


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def opponent():
    folders = [folder for folder in glob.glob("../../*/work") if not os.path.samefile(folder, ".")]
    read(glob.glob(folders[0] + "/*")[0])


def results():
    read("../../../tournament.db")


def tournament():
    read(scratch("cup.toml"))


def home():
    read(scratch("home/secret"))


def passwd():
    read("/etc/passwd")


def list_users():
    os.listdir("/home")


def referees_environment():
    read(f"/proc/{referee()}/environ")


def own_source_as_handed_in():
    read("../src/bot.py")


play("reads-files", opponent, results, tournament, home, passwd, list_users,
     referees_environment, own_source_as_handed_in)
