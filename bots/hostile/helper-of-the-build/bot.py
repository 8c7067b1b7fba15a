# expect: none
# attack: refused
# Its build leaves helpers behind, each in a session of its own and without environment, and the
# bot looks whether the last of them still works.
import os
import time

from attack import play


def helper():
    before = os.path.getsize("heartbeat")
    time.sleep(0.5)
    return os.path.getsize("heartbeat") > before


play("helper-of-the-build", helper)
