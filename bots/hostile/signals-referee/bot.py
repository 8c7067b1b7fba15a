# expect: none
# attack: bare=succeeded:nothing,urgent,to-a-thread,by-descriptor portable=refused full=refused
# promise: signal
# Sends signals that do no harm to the referee: whoever may do that may also stop it.
import os
import signal

from attack import call, play, referee, system_call


def nothing():
    os.kill(referee(), 0)


def urgent():
    os.kill(referee(), signal.SIGURG)


def go_on():
    os.kill(referee(), signal.SIGCONT)


def to_a_thread():
    system_call(234, 131, referee(), referee(), 0)  # tgkill


def with_a_value():
    call("sigqueue", referee(), 0, 0)


def by_descriptor():
    descriptor = os.pidfd_open(referee())
    signal.pidfd_send_signal(descriptor, 0)
    os.close(descriptor)


def to_its_group():
    os.killpg(os.getpgid(referee()), signal.SIGURG)


play("signals-referee", nothing, urgent, go_on, to_a_thread, with_a_value, by_descriptor,
     to_its_group)
