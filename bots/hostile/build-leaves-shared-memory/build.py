# Leaves memory behind in all the ways in which it outlives a process.
import os

from attack import call, succeeds
from shared import FILE, IPC_CREAT, KEY, QUEUE, SIZE


def segment():
    call("shmget", KEY, SIZE, IPC_CREAT | 0o666)


def file():
    with open(FILE, "wb") as left:
        left.write(bytes(SIZE))
    os.chmod(FILE, 0o666)


def messages():
    call("msgget", KEY, IPC_CREAT | 0o666)


def queue():
    call("mq_open", QUEUE, os.O_CREAT | os.O_RDWR, 0o666, 0)


for way in (segment, file, messages, queue):
    succeeds(way)
