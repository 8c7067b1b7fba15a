# expect: none
# attack: bare=succeeded:cores portable=refused full=refused
# promise: signal
# Sets the referee's cores, limits and priority, to what they are: they could be anything.
import os
import resource

from attack import play, referee


def cores():
    os.sched_setaffinity(referee(), os.sched_getaffinity(referee()))


def limits():
    limits = resource.prlimit(referee(), resource.RLIMIT_NOFILE)
    resource.prlimit(referee(), resource.RLIMIT_NOFILE, limits)


def priority():
    os.setpriority(os.PRIO_PROCESS, referee(), os.getpriority(os.PRIO_PROCESS, referee()))


play("referees-limits", cores, limits, priority)
