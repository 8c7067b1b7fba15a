# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# promise: net
# A ring of requests, by which files and sockets are used without system calls.
import ctypes
import os

from attack import play, system_call


def ring():
    parameters = ctypes.create_string_buffer(120)
    os.close(system_call(425, 425, 8, parameters))


play("io-uring", ring)
