# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Calls that are for administrators and debuggers, each with arguments that can do nothing: the
# error tells whether it was allowed.
import os

from attack import call, is_permitted, play, system_call


def mount():
    return is_permitted(lambda: call("mount", b"none", b"/", b"no-such-kind", 0, 0))


def reboot():
    # Without the numbers that the system wants to see it never does.
    return is_permitted(lambda: system_call(169, 142, 0, 0, 0, 0))


def module():
    return is_permitted(lambda: system_call(175, 105, 0, 0, b""))


def programs_in_the_kernel():
    return is_permitted(lambda: system_call(321, 280, 0, 0, 0))


def counters():
    return is_permitted(lambda: system_call(298, 241, 0, 0, -1, -1, 0))


def page_faults():
    os.close(system_call(323, 282, 0))


def swap():
    return is_permitted(lambda: call("swapon", b"/no-such-file", 0))


def name():
    own = os.uname().nodename.encode()
    call("sethostname", own, len(own))


def file_by_number():
    return is_permitted(lambda: system_call(304, 265, -1, 0, 0))


def kernels_log():
    call("klogctl", 10, 0, 0)  # how long it is


play("kernel-calls", mount, reboot, module, programs_in_the_kernel, counters, page_faults, swap,
     name, file_by_number, kernels_log)
