# expect: none
# attack: bare=succeeded:all-cores portable=refused full=refused
# Takes all cores, a better priority and another scheduling policy for itself.
import os

from attack import play


def all_cores():
    os.sched_setaffinity(0, range(1024))


def nice():
    os.setpriority(os.PRIO_PROCESS, 0, -5)


def real_time():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def back_from_batch():
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


play("own-priority", all_cores, nice, real_time, back_from_batch)
