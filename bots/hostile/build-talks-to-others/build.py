# expect: none
# attack: bare=succeeded:tcp,udp portable=refused full=refused
# promise: net
# Its build talks over the network, never further than this machine: what it read it could send.
import os
import socket

from build_attack import attack


def tcp(family=socket.AF_INET, address="127.0.0.1"):
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.bind((address, 0))
        listener.listen()
        socket.create_connection(listener.getsockname()[:2], timeout=5).close()


def tcp_6():
    tcp(socket.AF_INET6, "::1")


def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        one.sendto(b"hostile", one.getsockname())


def abstract():
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(f"\0hostile-{os.getpid()}")


def netlink():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()


def kernels_cryptography():
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close()


attack(tcp, tcp_6, udp, abstract, netlink, kernels_cryptography)
