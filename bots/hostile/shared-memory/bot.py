# expect: none
# attack: bare=succeeded:mapping,file-in-memory portable=refused full=refused
# promise: mem
# Takes 16 MiB each in ways that are not counted as memory of one process: a shared mapping, a
# file in memory, a segment.
import mmap
import os

from attack import call, play

SIZE = 16 << 20


def mapping():
    piece = mmap.mmap(-1, SIZE, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    piece.write(bytes(SIZE))
    piece.close()


def file_in_memory():
    file = os.memfd_create("hostile")
    os.write(file, bytes(SIZE))
    os.close(file)


def segment():
    number = call("shmget", 0, SIZE, 0o600)  # IPC_PRIVATE
    call("shmctl", number, 0, 0)  # IPC_RMID


play("shared-memory", mapping, file_in_memory, segment)
