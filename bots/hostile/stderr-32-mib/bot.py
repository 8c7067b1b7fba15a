# expect: too-much-output
# Writes 32 MiB to its standard error before its first move.
import os
import sys
import time

sys.stdin.readline()
for _ in range(512):
    os.write(2, b"x" * 65535 + b"\n")
time.sleep(60)
