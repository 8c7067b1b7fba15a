# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: signal
# Sends signals that do no harm to its opponent.
import os

from attack import play, siblings


def nothing():
    return any([reaches(number) for number in siblings()])


def reaches(number):
    try:
        os.kill(number, 0)
    except OSError:
        return False
    return True


play("signals-opponent", nothing)
