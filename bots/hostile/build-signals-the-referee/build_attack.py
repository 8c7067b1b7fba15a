# What bots share whose build attacks the machine: the build writes down what came of it, and the
# bot tells it with its first move.
import os

from attack import play, succeeds

TOLD = "came-of-it"


def attack(*attempts):
    """Makes all attempts while the bot is built; one that was refused raises an error or returns
    False."""
    done = [attempt.__name__.replace("_", "-") for attempt in attempts if succeeds(attempt)]
    with open(TOLD, "w") as file:
        file.write("\n".join(done))


def play_and_tell(name):
    """Plays, and tells what came of the attack of the build."""
    with open(TOLD) as file:
        play(name, *[named(done) for done in file.read().split()])


def named(name):
    def done():
        return True
    done.__name__ = name
    return done


def foreign(name):
    """A path in the folder that the whole tournament lies in, as tests make it."""
    folder = os.getcwd()
    while not os.path.exists(os.path.join(folder, name)):
        if folder == "/":
            raise FileNotFoundError(name)
        folder = os.path.dirname(folder)
    return os.path.join(folder, name)


def changes(facts, attempt):
    """Whether an attempt that may raise an error has changed something."""
    before = facts()
    try:
        attempt()
    except OSError:
        pass
    return facts() != before
