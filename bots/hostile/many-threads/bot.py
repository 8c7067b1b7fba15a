# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: threads
# Starts 300 threads that wait for 20 s at most.
import threading

from attack import play

over = threading.Event()


def threads():
    threading.stack_size(64 << 10)
    try:
        for _ in range(300):
            threading.Thread(target=over.wait, args=[20], daemon=True).start()
    finally:
        over.set()


play("many-threads", threads)
