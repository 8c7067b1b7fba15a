"""What a release is made of: version, commit and time, from Cargo.toml and git."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


class ReleaseError(Exception):
    """A release cannot be made; the message says why and what to do."""


@dataclass(frozen=True)
class Source:
    """The sources of a release."""

    root: Path
    version: str
    commit: str
    # Time of the commit in seconds since 1970: the time of every file in a release.
    time: int

    @classmethod
    def of(cls, root):
        text = (root / "Cargo.toml").read_text(encoding="utf-8")
        version = re.search(r'^version = "([^"]+)"', text, re.MULTILINE).group(1)
        return cls(root, version, git(root, "rev-parse", "HEAD"), int(git(root, "log", "-1", "--format=%ct")))

    def check_tag(self, tag):
        """Fails unless tag, version and CHANGELOG agree, and the files are those of the tag."""
        if tag != f"v{self.version}":
            raise ReleaseError(f"the tag is {tag} and Cargo.toml has {self.version}; correct one of them")
        newest = newest_heading((self.root / "CHANGELOG.md").read_text(encoding="utf-8"))
        wanted = re.compile(rf"{re.escape(self.version)}, \d{{4}}-\d{{2}}-\d{{2}}")
        if not wanted.fullmatch(newest):
            raise ReleaseError(
                f'CHANGELOG.md begins with "{newest}"; it needs "{self.version}, YYYY-MM-DD"'
            )
        if tag not in git(self.root, "tag", "--points-at", "HEAD").split():
            raise ReleaseError(f"HEAD is not {tag}; run git checkout {tag}")
        changed = git(self.root, "status", "--porcelain")
        if changed:
            raise ReleaseError(f"these files are not as in {tag}; commit or remove them:\n{changed}")


def newest_heading(changelog):
    """The first heading of a version."""
    found = re.search(r"^## (.+)$", changelog, re.MULTILINE)
    return found.group(1) if found else ""


def git(root, *args):
    output = subprocess.run(["git", "-C", str(root), *args], check=True, capture_output=True, text=True)
    return output.stdout.strip()
