"""Licenses of everything that is linked into the program, as one text."""

import json
import subprocess
from pathlib import Path

from facts import ReleaseError

NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT")

MUSL = """\
The C library musl is linked into the program.

Copyright © 2005-2024 Rich Felker, et al.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""

SQLITE = "SQLite, which is linked into the program, is in the public domain.\n"


def text(root, targets):
    """All licenses: which crates have which terms, and each text once."""
    crates = linked(root, targets)
    lines = ["Pitmaster contains these crates, under the terms that follow.", ""]
    lines += [f"  {crate['name']} {crate['version']}: {crate['license']}" for crate in crates]
    sources = {}
    for crate in crates:
        for found in texts(root, crate):
            sources.setdefault(found, []).append(f"{crate['name']} {crate['version']}")
    parts = ["\n".join(lines) + "\n", MUSL, SQLITE, standard_library()]
    for found, names in sorted(sources.items(), key=lambda item: item[1]):
        parts.append(", ".join(names) + "\n\n" + found)
    return ("\n" + "=" * 100 + "\n\n").join(parts)


def linked(root, targets):
    """The crates of others that are linked into the program for any of the targets."""
    found = {}
    for target in targets:
        for crate in closure(metadata(root, target)):
            found[crate["name"], crate["version"]] = crate
    return [found[key] for key in sorted(found)]


def metadata(root, target):
    command = ["cargo", "metadata", "--offline", "--locked", "--format-version=1"]
    command += ["--features=cluster,server", f"--filter-platform={target}"]
    output = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    return json.loads(output.stdout)


def closure(metadata):
    """Packages that the program depends on, without those of builds and tests."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    seen = set()
    ahead = [metadata["resolve"]["root"]]
    while ahead:
        this = ahead.pop()
        if this in seen:
            continue
        seen.add(this)
        for dependency in nodes[this]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                ahead.append(dependency["pkg"])
    return [packages[this] for this in seen if packages[this]["source"] is not None]


def texts(root, crate):
    """The license texts of a crate."""
    folder = Path(crate["manifest_path"]).parent
    files = sorted(
        path for path in folder.iterdir() if path.is_file() and path.name.upper().startswith(NAMES)
    )
    if files:
        return [path.read_text(encoding="utf-8", errors="replace").strip() + "\n" for path in files]
    # Its authors forgot the file; the text of this license names nobody, so any copy will do.
    if "Apache-2.0" in (crate["license"] or ""):
        return [(root / "LICENSE-APACHE").read_text(encoding="utf-8").strip() + "\n"]
    name = crate["name"]
    raise ReleaseError(f"the crate {name} has no license file; add its text to scripts/releasing")


def standard_library():
    """The terms of Rust's standard library, which every program contains."""
    output = subprocess.run(["rustc", "--print", "sysroot"], check=True, capture_output=True, text=True)
    folder = Path(output.stdout.strip()) / "share" / "doc" / "rust"
    files = [folder / "COPYRIGHT-library.html", folder / "COPYRIGHT"]
    for path in files:
        if path.exists():
            return "Rust's standard library:\n\n" + path.read_text(encoding="utf-8")
    raise ReleaseError(f"there is no {files[0]}; install Rust by rustup")
