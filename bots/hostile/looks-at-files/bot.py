# expect: none
# attack: bare=succeeded:facts,presence portable=succeeded full=refused
# promise: meta
# Looks whether foreign files exist and how large they are, without opening them.
import os

from attack import play, scratch


def facts():
    os.stat(scratch("home/secret"))


def presence():
    return os.access(scratch("cup.toml"), os.F_OK)


def results():
    os.stat("../../../tournament.db")


play("looks-at-files", facts, presence, results)
