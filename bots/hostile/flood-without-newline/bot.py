# expect: line-too-long
# Up to 32 MiB without a line feed.
import os
import sys

sys.stdin.readline()
for _ in range(512):
    os.write(1, b"x" * 65536)
