# expect: move-late
# Starts a line and never ends it.
import sys
import time

sys.stdin.readline()
print(sys.argv[1], end="", flush=True)
time.sleep(60)
