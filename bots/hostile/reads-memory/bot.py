# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# promise: signal
# Reads the memory of its opponent and of the referee.
import ctypes
import os

from attack import call, is_permitted, play, referee, siblings


class Piece(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def by_call():
    return any([reads(number) for number in siblings() + [referee()]])


def reads(number):
    # An address at which nothing lies: the error tells whether reading was allowed.
    here, there = Piece(ctypes.addressof(ctypes.c_char()), 1), Piece(16, 1)
    pieces = ctypes.byref(here), 1, ctypes.byref(there), 1
    return is_permitted(lambda: exists(number) and call("process_vm_readv", number, *pieces, 0))


def exists(number):
    os.kill(number, 0)
    return True


def by_file():
    return any([opens(number) for number in siblings() + [referee()]])


def opens(number):
    try:
        os.close(os.open(f"/proc/{number}/mem", os.O_RDONLY))
    except OSError:
        return False
    return True


play("reads-memory", by_call, by_file)
