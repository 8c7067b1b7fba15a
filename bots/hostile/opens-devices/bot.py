# expect: none
# attack: bare=succeeded:new-terminal portable=refused full=refused
# promise: write
# Opens devices: terminals, the system's log, memory, disks, the network.
import os

from attack import play


def opens(path):
    os.close(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))


def new_terminal():
    opens("/dev/ptmx")


def terminal():
    opens("/dev/tty")


def log():
    os.close(os.open("/dev/kmsg", os.O_WRONLY))


def memory():
    opens("/dev/mem")


def disks():
    os.close(os.open("/dev/vda", os.O_RDONLY))


def tunnel():
    opens("/dev/net/tun")


def file_system():
    opens("/dev/fuse")


def virtual_machines():
    opens("/dev/vsock")


play("opens-devices", new_terminal, terminal, log, memory, disks, tunnel, file_system,
     virtual_machines)
