# expect: none
# attack: refused
# Reads here and there in a mapping of 200 GiB that may only be read: no page of it is taken, but
# 400 MiB of page tables if all were read. It stops at 8 MiB of them.
import mmap

from attack import play

NO_RESERVE = 0x4000
SIZE, READ = 200 << 30, 4 << 30


def tables():
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
    with mmap.mmap(-1, SIZE, flags=flags, prot=mmap.PROT_READ) as piece:
        for at in range(0, READ, 2 << 20):
            piece[at]


play("page-tables", tables)
