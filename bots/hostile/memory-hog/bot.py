# expect: none full=none|exited
# attack: bare=refused|succeeded portable=refused full=refused|silent
# promise: mem
# Takes 600 MiB as long as it gets it, and gives it back.
import mmap

from attack import play


def memory():
    pieces = []
    for _ in range(75):
        piece = mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for page in range(0, len(piece), 4096):
            piece[page] = 1
        pieces.append(piece)


play("memory-hog", memory)
