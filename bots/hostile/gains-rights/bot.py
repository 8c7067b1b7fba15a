# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Looks for rights beyond an ordinary user's: capabilities, and programs that run as root.
import ctypes

from attack import call, play

PASSES = 1 << 2  # CAP_DAC_READ_SEARCH


def capabilities():
    # The third version of the interface, for itself; two times three words come back.
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    call("capget", header, sets)
    # To pass through closed folders is no right where all that is opened is guarded anyway.
    return (sets[0] | sets[3]) & ~PASSES != 0


def by_a_program():
    return call("prctl", 39, 0, 0, 0, 0) == 0  # PR_GET_NO_NEW_PRIVS


play("gains-rights", capabilities, by_a_program)
