#!/usr/bin/env bash
# Installs what scripts/release needs besides Rust: the target's standard library, cargo-auditable,
# and zig in a Python environment, target/release-venv.
#
#   scripts/releasing/tools.sh x86_64-unknown-linux-musl

source "$(dirname "${BASH_SOURCE[0]}")/../../.ci/common.sh"

rustup target add "$1"
command -v cargo-auditable >/dev/null || cargo install --locked cargo-auditable@0.7.7
need_venv
install_missing
if ! target/release-venv/bin/python -m ziglang version >/dev/null 2>&1; then
    python3 -m venv target/release-venv
    target/release-venv/bin/pip install --quiet ziglang==0.15.2
fi
