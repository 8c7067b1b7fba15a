"""Compiles the static program of a target, reproducibly, and checks that it is one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import elf
from facts import ReleaseError

# The compiler of C code that every release uses; another one makes other bytes.
ZIG = "0.15.2"

ZIG_WRAPPER = """\
#!/bin/sh
# zig cc with its own name of the target, without paths in what it writes.
set -f
for arg do
    shift
    case $arg in --target=*|-m64) ;; *) set -- "$@" "$arg" ;; esac
done
exec {python} -m ziglang {tool} "$@"
"""


def program(source, target, args):
    """Path of the program of a target, compiled with the profile of releases."""
    environment = dict(os.environ)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", source.root / "target")).resolve()
    environment["CARGO_TARGET_DIR"] = str(folder)
    environment["CARGO_INCREMENTAL"] = "0"
    environment["SOURCE_DATE_EPOCH"] = str(source.time)
    environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags(source, folder))
    environment.pop("RUSTFLAGS", None)
    set_c_compiler(environment, source, folder, target)
    command = ["cargo"]
    if not args.no_sbom:
        if not shutil.which("cargo-auditable"):
            raise ReleaseError("cargo-auditable is missing; run cargo install cargo-auditable")
        command.append("auditable")
    command += ["build", "--profile", args.profile, "--features", "cluster,server", "--bin", "pitmaster"]
    command += ["--locked", "--offline", "--target", target, "--jobs", args.jobs]
    subprocess.run(command, check=True, cwd=source.root, env=environment)
    made = folder / target / args.profile / "pitmaster"
    check(made, not args.no_sbom, source)
    return made


def flags(source, folder):
    """Flags of the compiler: its own linker, and no path of this machine in the program."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")).resolve()
    # The last one that fits is taken: the folder of builds is usually inside that of the sources.
    places = [(source.root, "/pitmaster"), (cargo, "/cargo"), (folder, "/target")]
    remap = [f"--remap-path-prefix={path}={name}" for path, name in places]
    return ["-Clinker=rust-lld", "-Clink-self-contained=yes", *remap]


def set_c_compiler(environment, source, folder, target):
    """Chooses a compiler for SQLite, BLAKE3 and ring, which are C."""
    key = target.replace("-", "_")
    if f"CC_{key}" in environment:
        return
    version = subprocess.run(
        [sys.executable, "-m", "ziglang", "version"], capture_output=True, text=True, check=False
    )
    if version.stdout.strip() != ZIG:
        raise ReleaseError(
            f"zig {ZIG} is missing; run pip install ziglang=={ZIG}, or set CC_{key} to a C compiler "
            "for musl"
        )
    tools = folder / "release-tools"
    tools.mkdir(parents=True, exist_ok=True)
    zig_target = target.replace("-unknown", "")
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")).resolve()
    compiler = f"cc -target {zig_target} -g0 -ffile-prefix-map={cargo}=/cargo -ffile-prefix-map={folder}=/target"
    for name, tool in [("CC", compiler), ("AR", "ar")]:
        path = tools / f"{name}-{target}"
        path.write_text(ZIG_WRAPPER.format(python=sys.executable, tool=tool), encoding="utf-8")
        path.chmod(0o755)
        environment[f"{name}_{key}"] = str(path)


def check(program, with_sbom, source):
    """Fails unless the program is static, lists its crates, and names no path of this machine."""
    image = program.read_bytes()
    if elf.interpreter(image):
        raise ReleaseError(f"{program} needs {elf.interpreter(image)}; it must be static")
    if with_sbom and "pitmaster" not in elf.crates(image):
        raise ReleaseError(f"{program} does not list the crates it is made of")
    for path in {str(source.root), str(Path.home())} - {"/"}:
        if f"{path}/".encode() in image:
            raise ReleaseError(f"{program} contains the path {path}, so that builds differ by folder")


def runs_here(program):
    """Whether this machine can start the program, also by an emulator."""
    try:
        ran = subprocess.run([program, "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return ran.returncode == 0
