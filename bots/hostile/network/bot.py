# expect: none
# attack: bare=succeeded:tcp,udp,abstract portable=refused full=refused
# promise: net
# Talks to itself over every kind of socket, never further than this machine.
import os
import socket

from attack import play


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


def raw():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


def virtual_machines():
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()


def kernels_cryptography():
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close()


play("network", tcp, tcp_6, udp, abstract, netlink, raw, virtual_machines, kernels_cryptography)
