#!/usr/bin/env bash
# Installs the languages of the sample bots and of `pitmaster new` on Debian, Ubuntu, or WSL2
# with either of them: C, C++, Go, Java, JavaScript and Python. Skips what is installed; Rust itself
# comes from https://rustup.rs.
#
#   scripts/setup-debian.sh             installs what is missing
#   scripts/setup-debian.sh --dry-run   lists what is missing

set -euo pipefail

# Commands with their packages.
TOOLS="gcc:gcc g++:g++ make:make go:golang-go python3:python3 node:nodejs javac:default-jdk-headless"

missing=()
for tool in $TOOLS; do
    command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
command -v rustc >/dev/null || echo "rustc is missing; install Rust from https://rustup.rs"
if [ ${#missing[@]} -eq 0 ]; then
    echo "C, C++, Go, Java, JavaScript and Python are installed"
    exit 0
fi
echo "missing: ${missing[*]}"
if [ "${1:-}" = --dry-run ]; then
    exit 1
fi
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -qy --no-install-recommends "${missing[@]}"
