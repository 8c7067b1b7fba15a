# expect: none
# attack: refused
# Its build writes another manifest, which names foreign files. What counts is what was handed in.
import sys

from attack import play


def started_by_the_new_manifest():
    return len(sys.argv) > 1


play("build-rewrites-its-manifest", started_by_the_new_manifest)
