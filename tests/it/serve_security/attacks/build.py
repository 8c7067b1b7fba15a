# Attacks the server while it is built, and leaves a process behind, which a build may start.
import os
import time

from build_attack import attack
from server_attack import ALL

if os.fork() == 0:
    os.setsid()
    time.sleep(60)
    os._exit(0)
attack(*ALL)
