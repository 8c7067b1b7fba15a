# expect: none
# attack: succeeded:wake
# Wakes who waits on a page of a file that every bot may read. A filter sees an address, not what
# lies there, and the futures of C++ wake each other the same way: the promise `covert` says so.
import ctypes
import os

from attack import play, system_call

WAKE, REQUEUE, WAKE_BITSET = 1, 3, 10
FUTEX = (202, 98)


def page():
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    file = os.open("/usr/bin/env", os.O_RDONLY)
    address = library.mmap(None, ctypes.c_long(4096), 1, 1, file, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value:
        raise OSError
    return address


def wake():
    system_call(*FUTEX, page(), WAKE, 1, 0, 0, 0)


def requeue():
    address = page()
    system_call(*FUTEX, address, REQUEUE, 1, 1, address, 0)


def wake_bitset():
    system_call(*FUTEX, page(), WAKE_BITSET, 1, 0, 0, 0xFFFFFFFF)


def newer():
    system_call(454, 454, page(), 1, 1, 2)


play("futex-talk", wake, requeue, wake_bitset, newer)
