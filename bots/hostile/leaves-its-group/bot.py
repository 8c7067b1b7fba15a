# expect: none
# attack: bare=refused portable=refused full=refused
# promise: signal
# Moves into the referee's process group: a signal to its own group then misses it, and its own
# to that group reach the referee.
import os

from attack import play, referee


def group():
    os.setpgid(0, os.getpgid(referee()))


play("leaves-its-group", group)
