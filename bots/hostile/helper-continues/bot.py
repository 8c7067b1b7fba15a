# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: procs
# A process of a session of its own undoes every stop of the bot, for 20 s.
import os
import signal
import time

from attack import play


def helper():
    bot = os.getpid()
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 20
        while time.monotonic() < end and os.getppid() == bot:
            os.kill(bot, signal.SIGCONT)
            time.sleep(0.01)
        os._exit(0)


play("helper-continues", helper)
