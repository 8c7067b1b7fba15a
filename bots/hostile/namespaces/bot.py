# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Moves into namespaces of its own, in which it is root, and changes its root folder.
import os

from attack import call, is_permitted, play

USER, MOUNTS, NETWORK = 0x10000000, 0x00020000, 0x40000000


def users():
    call("unshare", USER)


def mounts():
    call("unshare", MOUNTS)


def network():
    call("unshare", NETWORK)


def another():
    return is_permitted(lambda: call("setns", 0, USER))


def root_folder():
    os.chroot("/")


play("namespaces", users, mounts, network, another, root_folder)
