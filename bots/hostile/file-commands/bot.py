# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Commands that change what a file system keeps of files that may only be read: the file is opened
# for neither reading nor writing, or for reading.
import fcntl
import os

from attack import is_permitted, play

SET_VERSION, ALLOCATE, SET_HINT = 0x40086604, 0x660C, 1036
FILE = "bot.py"


def neither():
    os.close(os.open(FILE, 3))


def generation():
    file = os.open(FILE, os.O_RDONLY)
    return is_permitted(lambda: fcntl.ioctl(file, SET_VERSION, bytes(8)))


def allocation():
    file = os.open("/usr/bin/env", os.O_RDONLY)
    return is_permitted(lambda: fcntl.ioctl(file, ALLOCATE))


def hint():
    file = os.open(FILE, os.O_RDONLY)
    return is_permitted(lambda: fcntl.fcntl(file, SET_HINT, (2).to_bytes(8, "little")))


play("file-commands", neither, generation, allocation, hint)
