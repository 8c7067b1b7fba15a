# expect: none
# attack: bare=refused portable=refused full=refused
# promise: fds
# Looks for open files that it did not open itself.
import fcntl
import os

from attack import play

# Before anything is opened here.
found = []
for number in range(3, 1024):
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
        found.append(number)
    except OSError:
        pass


def inherited():
    return any(number not in own for number in found)


# What the interpreter itself has open for the program that it runs.
own = []
for number in found:
    try:
        if os.path.samestat(os.fstat(number), os.stat(__file__)):
            own.append(number)
    except OSError:
        pass

play("inherited-descriptors", inherited)
