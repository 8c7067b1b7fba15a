# expect: none
# attack: bare=refused|succeeded portable=refused full=refused
# Opens 4096 files at once.
import os
import resource

from attack import play


def descriptors():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    opened = []
    try:
        for _ in range(4096):
            opened.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        for number in opened:
            os.close(number)


play("many-descriptors", descriptors)
