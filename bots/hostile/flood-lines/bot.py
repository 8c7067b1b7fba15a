# expect: malformed-line
# Up to 32 MiB of lines that are no moves.
import os
import sys

sys.stdin.readline()
for _ in range(512):
    os.write(1, b"hello\n" * 10000)
