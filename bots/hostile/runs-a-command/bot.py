# expect: none
# attack: bare=succeeded portable=refused full=refused
# Runs a command and waits for it, as honest bots may also try.
import os
import subprocess

from attack import play


def command():
    return subprocess.run(["true"]).returncode == 0


def shell():
    return os.system("true") == 0


play("runs-a-command", command, shell)
