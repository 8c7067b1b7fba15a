#!/usr/bin/env python3
# expect: would-not-start
# Saved on Windows: the system looks for an interpreter whose name ends with CR.
print("1R")
