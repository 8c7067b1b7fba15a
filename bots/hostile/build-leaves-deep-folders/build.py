# Folders within each other whose path is longer than any that can be named in one piece.
import os

for step in range(60):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
