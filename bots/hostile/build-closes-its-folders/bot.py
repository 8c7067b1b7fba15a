# expect: none
# attack: refused
# Its build closes its files and folders, also to itself. That is no reason not to play, nor to
# leave anything behind.
import os

from attack import play


def lost():
    with open("closed/inner/file") as file:
        return file.read() != "closed" or not os.path.isfile("file")


play("build-closes-its-folders", lost)
