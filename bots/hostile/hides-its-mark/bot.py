# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: procs
# Leaves a process of a session of its own that has lost the trace of where it came from: its
# environment is empty.
import os

from attack import play


def hidden():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", "50"], {})
        os._exit(0)
    os.wait()


play("hides-its-mark", hidden)
