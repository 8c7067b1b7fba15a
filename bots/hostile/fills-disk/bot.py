# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# promise: fsize
# Writes a file of 48 MiB wherever it can, and removes it.
import os

from attack import play


def large(folder):
    path = os.path.join(folder, f"hostile-{os.getpid()}")
    file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    try:
        for _ in range(48):
            if os.write(file, bytes(1 << 20)) < 1 << 20:
                return False
    finally:
        os.close(file)
        os.unlink(path)


def own_folder():
    return large(".")


def temporary():
    return large("/tmp")


def shared_memory():
    return large("/dev/shm")


play("fills-disk", own_folder, temporary, shared_memory)
