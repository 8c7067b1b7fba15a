# expect: none
# attack: bare=succeeded:written,read portable=refused full=refused
# Takes 16 MiB by shared mappings of /dev/zero, which are not counted as memory of one process:
# pages that are only read are taken, too.
import mmap
import os

from attack import play

SIZE = 16 << 20


def written():
    zeros = os.open("/dev/zero", os.O_RDWR)
    with mmap.mmap(zeros, SIZE, flags=mmap.MAP_SHARED) as piece:
        piece.write(bytes(SIZE))


def read():
    zeros = os.open("/dev/zero", os.O_RDONLY)
    with mmap.mmap(zeros, SIZE, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ) as piece:
        for at in range(0, SIZE, 4096):
            piece[at]


play("maps-zeros", written, read)
