# expect: none
# attack: refused
# Its build leaves links to foreign files and folders, and the bot reads through them. Links that
# lead out are not even kept.
import os

from attack import play


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def through_a_link():
    read("file")


def through_a_folder():
    read("folder/secret")


def through_a_relative_link():
    read("relative")


def the_results():
    read("results")


def the_whole_disk():
    read("everything/etc/passwd")


def kept():
    return any(os.path.islink(name) for name in os.listdir("."))


play("build-leaves-links", through_a_link, through_a_folder, through_a_relative_link, the_results,
     the_whole_disk, kept)
