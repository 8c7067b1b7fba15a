# expect: exited
# Plays a move and ends, while a child keeps its output open: there is no end of file.
import os
import sys
import time

sys.stdin.readline()
if os.fork() == 0:
    time.sleep(60)
    os._exit(0)
print(f"{sys.argv[1]}R", flush=True)
