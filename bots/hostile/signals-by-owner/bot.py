# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: signal
# Lets the system send a signal to the referee: its process is to be told when a pipe is ready.
import fcntl
import os
import signal

from attack import play, referee


def owner():
    reading, writing = os.pipe()
    fcntl.fcntl(reading, 10, signal.SIGURG)  # F_SETSIG
    fcntl.fcntl(reading, fcntl.F_SETOWN, referee())
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")


play("signals-by-owner", owner)
