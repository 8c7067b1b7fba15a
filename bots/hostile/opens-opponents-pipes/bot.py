# expect: none
# attack: bare=succeeded:opponent portable=refused full=refused
# promise: signal
# Opens its opponent's input for writing, by which it could send it any line, and the pipes of
# the referee. It writes nothing.
import os

from attack import play, referee, siblings


def opponent():
    return any([opens(f"/proc/{number}/fd/0", os.O_WRONLY) for number in siblings()])


def referees_files():
    return os.listdir(f"/proc/{referee()}/fd") != []


def opens(path, how):
    try:
        os.close(os.open(path, how))
    except OSError:
        return False
    return True


play("opens-opponents-pipes", opponent, referees_files)
