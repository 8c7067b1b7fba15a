# expect: exited
# Reads from address 0 when it is asked for its first move.
import ctypes
import sys

sys.stdin.readline()
ctypes.string_at(0)
