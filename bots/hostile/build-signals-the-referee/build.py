# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# promise: signal
# Its build looks for the referee among all numbers of processes, sends it signals that do no harm,
# and asks for its limits and its descriptors.
import os
import resource
import signal

from build_attack import attack


def referees():
    """Processes that are called so, or, where none can be seen, all that started this one."""
    numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    found = [number for number in numbers if name(number) == "pitmaster"]
    if not found:
        raise ProcessLookupError
    return found


def name(number):
    try:
        with open(f"/proc/{number}/comm") as comm:
            return comm.read().strip()
    except OSError:
        return None


def on_any(attempt):
    def is_done(number):
        try:
            attempt(number)
        except OSError:
            return False
        return True
    return any(is_done(number) for number in referees())


def signals():
    return on_any(lambda number: os.kill(number, 0))


def goes_on():
    return on_any(lambda number: os.kill(number, signal.SIGCONT))


def limits():
    return on_any(lambda number: resource.prlimit(number, resource.RLIMIT_CPU))


def descriptors():
    return on_any(lambda number: os.listdir(f"/proc/{number}/fd"))


attack(signals, goes_on, limits, descriptors)
