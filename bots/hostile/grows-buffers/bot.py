# expect: none
# attack: bare=succeeded:pipe portable=refused full=refused
# Enlarges the buffers of a connection to itself and of a pipe, which no limit counts.
import fcntl
import os
import socket

from attack import play

SET_PIPE_SIZE = 1031
SIZE = 256 << 10


def sending():
    one, _ = socket.socketpair()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SIZE)


def receiving():
    one, _ = socket.socketpair()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SIZE)


def pipe():
    _, end = os.pipe()
    fcntl.fcntl(end, SET_PIPE_SIZE, SIZE)


play("grows-buffers", sending, receiving, pipe)
