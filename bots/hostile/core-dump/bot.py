# expect: exited
# attack: bare=refused|succeeded portable=refused full=refused
# Wants a core dump and crashes when it is asked for its first move.
import os
import resource
import sys

from attack import outcome


def raise_limit():
    unlimited = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_CORE, (unlimited, unlimited))


sys.stdin.readline()
print("ready", flush=True)
for line in sys.stdin:
    if line.startswith("newgame"):
        print("ready", flush=True)
    elif line.startswith("go"):
        outcome("core-dump", [raise_limit])
        os.abort()
