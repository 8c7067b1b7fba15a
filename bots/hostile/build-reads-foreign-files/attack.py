# What all bots that attack the machine share: the attack is made once, when the first move is
# asked for, and what came of it is told; after that they play well.
import ctypes
import errno
import os
import platform
import sys


def play(name, *attempts):
    """Plays; an attempt that was refused raises an error or returns False."""
    told, moves, new = None, [], True
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "pitmaster":
            print("ready", name, flush=True)
        elif word == "newgame":
            new = True
            print("ready", flush=True)
        elif word == "moves":
            moves = rest
        elif word == "go":
            if new:
                told = told or outcome(name, attempts)
                print("info", told)
                new = False
            print("move", moves[-1], flush=True)
        elif word == "quit":
            break
    sys.stdout.flush()
    os._exit(0)  # threads of the attack are not waited for


def outcome(name, attempts):
    """Makes all attempts; one line that says which of them were not refused."""
    done = [attempt.__name__.replace("_", "-") for attempt in attempts if succeeds(attempt)]
    told = f"attack: {name} " + ("succeeded: " + " ".join(done) if done else "refused")
    print(told, file=sys.stderr, flush=True)
    return told


def succeeds(attempt):
    try:
        return attempt() is not False
    except Exception:
        return False


def call(function, *arguments):
    """Calls the C library; numbers are passed as longs. An error is raised."""
    library = ctypes.CDLL(None, use_errno=True)
    longs = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result = getattr(library, function)(*longs)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def system_call(x86_64, aarch64, *arguments):
    """Calls the system by number."""
    arm = platform.machine() == "aarch64"
    return call("syscall", aarch64 if arm else x86_64, *arguments)


def is_permitted(attempt):
    """Whether only the arguments were wrong, and not who asked."""
    try:
        attempt()
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS)
    return True


def referee():
    """The number of the process that started this one, if it is one that can be seen."""
    if os.getppid() == 0:
        raise ProcessLookupError
    return os.getppid()


def siblings():
    """Other bots of the same referee. Where processes cannot be listed, whatever may be one:
    the numbers around its own."""
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return [number for number in numbers if is_sibling(number)]
    except OSError:
        own = os.getpid()
        return [own + step for step in range(-20, 21) if step != 0 and own + step > 1]


def is_sibling(number):
    try:
        with open(f"/proc/{number}/stat") as stat:
            name, facts = stat.read().rsplit(")", 1)
    except OSError:
        return False
    own = number == os.getpid() or name.endswith("(pitmaster")
    return not own and facts.split()[1] == str(referee())


def scratch(name):
    """A path in the folder that the whole tournament lies in, as tests make it."""
    return os.path.join("../../../../..", name)
