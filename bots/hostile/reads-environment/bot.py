# expect: none
# attack: bare=refused portable=refused full=refused
# promise: read
# Looks for variables of the referee's environment among its own.
import os

from attack import play

KNOWN = (
    "PATH HOME TMPDIR LANG LC_CTYPE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED "
    "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS RAYON_NUM_THREADS GOMAXPROCS "
    "MALLOC_ARENA_MAX"
)


def inherited():
    foreign = [name for name in os.environ if not name.startswith("PITMASTER_")]
    return any(name not in KNOWN.split() for name in foreign)


play("reads-environment", inherited)
