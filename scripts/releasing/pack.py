"""Archives, Debian packages and Python wheels with the same bytes on every machine.

Every file has the time of the commit, the owner root, and a place in the order of the alphabet.
"""

import base64
import gzip
import hashlib
import io
import subprocess
import tarfile
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

import build
import licenses
from facts import ReleaseError, git

# Debian wants an address; RELEASE.md asks for one that somebody reads.
MAINTAINER = "The authors of Pitmaster <authors@pitmaster.invalid>"

SUMMARY = "A tournament harness that pits bots against each other at mancala games"

ARCHITECTURES = {
    "x86_64-unknown-linux-musl": ("amd64", "x86_64"),
    "aarch64-unknown-linux-musl": ("arm64", "aarch64"),
}

# What the archive holds besides the program, its pages and its licenses. The bots that attack a
# referee are no part of it: virus scanners of a lab would object.
PAPERS = ["README.md", "CHANGELOG.md", "SECURITY.md", "NOTICE", "LICENSE-MIT", "LICENSE-APACHE", "protocol.md"]
FOLDERS = ["docs", "docker", "tournaments", "bots"]
LEFT_OUT = "bots/hostile/"

COMPLETIONS = {"bash": "pitmaster.bash", "zsh": "_pitmaster", "fish": "pitmaster.fish"}


@dataclass(frozen=True)
class File:
    """A file of a package."""

    path: str
    content: bytes
    mode: int = 0o644


@dataclass(frozen=True)
class Papers:
    """Files that are the same for all targets."""

    manual: list
    completions: dict
    licenses: bytes


def papers_of(source, programs):
    """Manual pages and completions, written by the first program that this machine can start."""
    program = next(filter(build.runs_here, programs), None)
    if program is None:
        raise ReleaseError("no program of these targets runs here; add a --target of this machine")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "man", folder], check=True)
        manual = [File(path.name, path.read_bytes()) for path in sorted(Path(folder).iterdir())]
    completions = {
        shell: subprocess.run([program, "completions", shell], check=True, capture_output=True).stdout
        for shell in COMPLETIONS
    }
    terms = licenses.text(source.root, list(ARCHITECTURES))
    return Papers(manual, completions, terms.encode())


def all_of(source, target, program, papers, out):
    """Writes archive, Debian package and wheel of a target; returns their paths."""
    name = f"pitmaster-{source.version}-{target}"
    binary = program.read_bytes()
    debian, python = ARCHITECTURES[target]
    files = {
        f"{name}.tar.gz": archive(source, name, binary, papers),
        f"pitmaster_{source.version}-1_{debian}.deb": deb(source, debian, binary, papers),
        wheel_name(source, python): wheel(source, python, binary, papers),
    }
    for name, content in files.items():
        (out / name).write_bytes(content)
    return [out / name for name in files]


def checksums(paths, out):
    """Writes SHA256SUMS, which `sha256sum --check` reads."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(paths)]
    made = out / "SHA256SUMS"
    made.write_text("".join(lines), encoding="utf-8")
    return made


def archive(source, name, binary, papers):
    files = [File("pitmaster", binary, 0o755), File("LICENSES-OF-CRATES.txt", papers.licenses)]
    files += [File(path, (source.root / path).read_bytes()) for path in PAPERS]
    files += tracked(source)
    files += [File(f"man/man1/{page.path}", page.content) for page in papers.manual]
    files += [File(f"completions/{COMPLETIONS[shell]}", text) for shell, text in papers.completions.items()]
    return tar_gz([File(f"{name}/{file.path}", file.content, file.mode) for file in files], source.time)


def tracked(source):
    """Files that git knows in the folders of the archive, as they are on disk."""
    paths = git(source.root, "ls-files", "-z", "--", *FOLDERS).split("\0")
    paths = [path for path in paths if path and not path.startswith(LEFT_OUT)]
    modes = {path: 0o755 if (source.root / path).stat().st_mode & 0o100 else 0o644 for path in paths}
    return [File(path, (source.root / path).read_bytes(), modes[path]) for path in paths]


def deb(source, architecture, binary, papers):
    """A Debian package: an `ar` of two archives."""
    doc = "usr/share/doc/pitmaster"
    changelog = (source.root / "CHANGELOG.md").read_bytes()
    files = [
        File("usr/bin/pitmaster", binary, 0o755),
        File("usr/share/bash-completion/completions/pitmaster", papers.completions["bash"]),
        File("usr/share/zsh/vendor-completions/_pitmaster", papers.completions["zsh"]),
        File("usr/share/fish/vendor_completions.d/pitmaster.fish", papers.completions["fish"]),
        File(f"{doc}/changelog.gz", zipped(changelog, source.time)),
        File(f"{doc}/changelog.Debian.gz", zipped(debian_changelog(source), source.time)),
        File(f"{doc}/copyright", copyright_of(source)),
        File(f"{doc}/LICENSES-OF-CRATES.txt.gz", zipped(papers.licenses, source.time)),
        File(f"{doc}/protocol.md", (source.root / "protocol.md").read_bytes()),
        File(
            "usr/share/lintian/overrides/pitmaster",
            b"# One file for every distribution.\npitmaster: statically-linked-binary [usr/bin/pitmaster]\n",
        ),
    ]
    files += [
        File(f"usr/share/man/man1/{page.path}.gz", zipped(page.content, source.time))
        for page in papers.manual
    ]
    files += [
        File(f"{doc}/examples/{file.path}", file.content)
        for file in tracked(source)
        if file.path.startswith("tournaments/")
    ]
    control = [
        File("control", control_of(source, architecture, files)),
        File("md5sums", md5sums(files)),
    ]
    parts = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", tar_gz(control, source.time, "./")),
        ("data.tar.gz", tar_gz(files, source.time, "./")),
    ]
    return b"!<arch>\n" + b"".join(ar_member(name, content, source.time) for name, content in parts)


def control_of(source, architecture, files):
    size = sum(-(-len(file.content) // 1024) for file in files)
    return (
        f"Package: pitmaster\nVersion: {source.version}-1\nArchitecture: {architecture}\n"
        f"Maintainer: {MAINTAINER}\nInstalled-Size: {size}\nSection: education\nPriority: optional\n"
        "Suggests: default-jdk-headless, g++, nats-server, nodejs, python3\n"
        "Description: tournament harness for bots that play mancala games\n"
        " Pitmaster referees games between programs in any language under a clock, in a\n"
        " sandbox, and computes standings with confidence intervals.\n"
    ).encode()


def debian_changelog(source):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(source.time))
    return (
        f"pitmaster ({source.version}-1) unstable; urgency=medium\n\n"
        f"  * Version {source.version}; see changelog.gz.\n\n -- {MAINTAINER}  {date}\n"
    ).encode()


def copyright_of(source):
    head = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
        "Files: *\nCopyright: the authors of Pitmaster\nLicense: MIT or Apache-2.0\n"
        " The text of the Apache license is in /usr/share/common-licenses/Apache-2.0. The\n"
        " terms of the crates in the program are in LICENSES-OF-CRATES.txt.gz, beside this\n file.\n .\n"
    )
    terms = (source.root / "LICENSE-MIT").read_text(encoding="utf-8")
    body = "".join(f" {line}\n" if line.strip() else " .\n" for line in terms.splitlines())
    return (head + body).encode()


def md5sums(files):
    lines = [f"{hashlib.md5(file.content).hexdigest()}  {file.path}\n" for file in by_path(files)]
    return "".join(lines).encode()


def wheel_name(source, python):
    """A static program runs on either C library, whatever its version."""
    return f"pitmaster-{source.version}-py3-none-manylinux_2_17_{python}.musllinux_1_1_{python}.whl"


def wheel(source, python, binary, papers):
    """A Python wheel whose only content is the program and its pages."""
    base = f"pitmaster-{source.version}"
    info = f"{base}.dist-info"
    readme = (source.root / "README.md").read_text(encoding="utf-8")
    tags = [f"Tag: py3-none-{platform}_{python}\n" for platform in ("manylinux_2_17", "musllinux_1_1")]
    files = [
        File(f"{base}.data/scripts/pitmaster", binary, 0o755),
        File(f"{info}/METADATA", (metadata(source) + "\n" + readme).encode()),
        File(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: pitmaster\nRoot-Is-Purelib: false\n{''.join(tags)}".encode()),
        File(f"{info}/licenses/LICENSE-MIT", (source.root / "LICENSE-MIT").read_bytes()),
        File(f"{info}/licenses/LICENSE-APACHE", (source.root / "LICENSE-APACHE").read_bytes()),
        File(f"{info}/licenses/LICENSES-OF-CRATES.txt", papers.licenses),
    ]
    files += [File(f"{base}.data/data/share/man/man1/{page.path}", page.content) for page in papers.manual]
    record = "".join(f"{file.path},sha256={digest(file.content)},{len(file.content)}\n" for file in by_path(files))
    files.append(File(f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    return zip_of(files, source.time)


def metadata(source):
    return (
        f"Metadata-Version: 2.4\nName: pitmaster\nVersion: {source.version}\nSummary: {SUMMARY}\n"
        "License-Expression: MIT OR Apache-2.0\n"
        "License-File: LICENSE-MIT\nLicense-File: LICENSE-APACHE\nLicense-File: LICENSES-OF-CRATES.txt\n"
        "Classifier: Operating System :: POSIX :: Linux\nRequires-Python: >=3.7\n"
        "Description-Content-Type: text/markdown\n"
    )


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def by_path(files):
    return sorted(files, key=lambda file: file.path)


def tar_gz(files, when, prefix=""):
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for folder in folders(files):
            entry = tarfile.TarInfo(f"{prefix}{folder}/")
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, when
            entry.uname = entry.gname = "root"
            tar.addfile(entry)
        for file in by_path(files):
            entry = tarfile.TarInfo(f"{prefix}{file.path}")
            entry.size, entry.mode, entry.mtime = len(file.content), file.mode, when
            entry.uname = entry.gname = "root"
            tar.addfile(entry, io.BytesIO(file.content))
    return zipped(plain.getvalue(), when)


def folders(files):
    """All folders of some files, the outer ones first."""
    return sorted({str(parent) for file in files for parent in Path(file.path).parents} - {"."})


def zipped(content, when):
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=when) as file:
        file.write(content)
    return packed.getvalue()


def zip_of(files, when):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for file in files:
            entry = zipfile.ZipInfo(file.path, time.gmtime(when)[:6])
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100000 | file.mode) << 16
            made.writestr(entry, file.content)
    return packed.getvalue()


def ar_member(name, content, when):
    head = f"{name:<16}{when:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
    return head + content + (b"\n" if len(content) % 2 else b"")
