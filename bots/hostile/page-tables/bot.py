# expect: none
# attack: bare=succeeded portable=succeeded full=succeeded
# Reads here and there in a mapping of 4 GiB that may only be read: 8 MiB of page tables. Only a
# memory controller counts them, and the promise `mem` says so.
import mmap

from attack import play

NO_RESERVE = 0x4000
SIZE = 4 << 30


def tables():
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
    with mmap.mmap(-1, SIZE, flags=flags, prot=mmap.PROT_READ) as piece:
        for at in range(0, SIZE, 2 << 20):
            piece[at]


play("page-tables", tables)
