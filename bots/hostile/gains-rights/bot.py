# expect: none
# attack: bare=succeeded:by-a-program portable=refused full=refused
# Looks for rights beyond an ordinary user's: capabilities, and programs that run as root.
import ctypes

from attack import call, play


def capabilities():
    # The third version of the interface, for itself; two times three words come back.
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    call("capget", header, sets)
    return sets[0] | sets[3] != 0


def by_a_program():
    return call("prctl", 39, 0, 0, 0, 0) == 0  # PR_GET_NO_NEW_PRIVS


play("gains-rights", capabilities, by_a_program)
