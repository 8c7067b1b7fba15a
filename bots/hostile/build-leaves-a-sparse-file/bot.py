# expect: bare=exited did-not-build
# attack: silent
# Its build leaves a file that is far larger than the disk. Without a sandbox nothing is copied.
