# A file of a tebibyte that takes no room on the disk, until somebody copies it.
import resource

resource.setrlimit(resource.RLIMIT_FSIZE, (resource.getrlimit(resource.RLIMIT_FSIZE)[1],) * 2)
with open("data", "w") as file:
    for size in (40, 36, 32):
        try:
            file.truncate(1 << size)
            break
        except OSError:
            pass
