# expect: spoke-out-of-turn
# A legal move with up to 32 MiB of lines behind it.
import os
import sys

sys.stdin.readline()
os.write(1, f"{sys.argv[1]}R\n".encode() + b"hello\n" * 5)
for _ in range(512):
    os.write(1, b"hello\n" * 10000)
