# expect: too-much-output
# Up to 32 MiB of lines in place of `ready`.
import os

for _ in range(512):
    os.write(1, (b"x" * 1000 + b"\n") * 64)
