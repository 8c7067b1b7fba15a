# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: procs
# Takes back that it is to die with the referee.
from attack import call, play


def live_on():
    call("prctl", 1, 0)  # PR_SET_PDEATHSIG


play("outlives-referee", live_on)
