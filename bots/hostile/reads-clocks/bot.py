# expect: none
# attack: bare=succeeded:of-referee portable=refused full=refused
# Reads how much CPU time others have used.
import time

from attack import play, referee, siblings


def clock_of(pid):
    return (~pid << 3) | 2


def of_referee():
    return time.clock_gettime(clock_of(referee())) > 0


def of_opponent():
    return any(time.clock_gettime(clock_of(pid)) >= 0 for pid in siblings())


play("reads-clocks", of_referee, of_opponent)
