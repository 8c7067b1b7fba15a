# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Raises its own limits beyond what it was given.
import resource

from attack import play


def raises(limit):
    unlimited = resource.RLIM_INFINITY
    if resource.getrlimit(limit) == (unlimited, unlimited):
        return False
    resource.setrlimit(limit, (unlimited, unlimited))


def file_size():
    return raises(resource.RLIMIT_FSIZE)


def memory():
    return raises(resource.RLIMIT_DATA)


def core():
    return raises(resource.RLIMIT_CORE)


def cpu():
    return raises(resource.RLIMIT_CPU)


play("own-limits", file_size, memory, core, cpu)
