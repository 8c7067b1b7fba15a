# expect: none
# attack: bare=succeeded:list portable=refused full=refused
# promise: read
# Lists other processes; reads how they were started and what they wait for.
import os

from attack import play, referee


def list():
    numbers = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    return numbers != {os.getpid()}


def command_line():
    with open(f"/proc/{referee()}/cmdline", "rb") as file:
        return file.read() != b""


def program():
    os.readlink(f"/proc/{referee()}/exe")


play("sees-processes", list, command_line, program)
