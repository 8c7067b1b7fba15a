# Attacks the server when it plays, and leaves a process behind if it can.
import os
import time

from attack import play
from server_attack import ALL


def process_that_stays():
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)


play("server-run", *ALL, process_that_stays)
