# expect: none
# attack: bare=succeeded portable=refused full=refused
# promise: write
# Its build changes what was handed in, the note that it is built, the folder in which results of
# builds are taken over, and the folder of the results; the bot tells whether that worked.
from attack import play


def reached():
    with open("reached") as file:
        return bool(file.read())


play("build-reaches-for-its-snapshot", reached)
