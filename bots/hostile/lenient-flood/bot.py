# expect: too-much-output
# Up to 32 MiB of lines that leniency would skip.
import os
import sys

sys.stdin.readline()
for _ in range(512):
    os.write(1, (b"# " + b"x" * 1000 + b"\n") * 64)
