# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: procs
# Seven processes of its own and a program, that all live for 30 s and hold its pipes.
import os
import time

from attack import play


def fork():
    for _ in range(7):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)


def spawn():
    os.posix_spawnp("sleep", ["sleep", "30"], os.environ)


play("fork-bomb", fork, spawn)
