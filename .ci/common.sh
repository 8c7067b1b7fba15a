# Functions shared by .ci/run and .ci/full: steps with a heading and their duration, and the
# installation of tools. Sourced, never run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
export CARGO_BUILD_JOBS=${CARGO_BUILD_JOBS:-2}
export INSTA_UPDATE=no
# A fresh clone is built once: incremental builds would only cost time.
export CARGO_INCREMENTAL=0
# A failed test names its line without debug information.
export CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_TEST_DEBUG=false
# A shim such as pyenv's would start a shell before every bot in Python.
if command -v python3 >/dev/null; then
    PATH=$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$PATH
fi

SUMMARY=()
FAILED=()

# step HEADING COMMAND…: runs a command, and prints its duration or that it failed. The first failure
# ends everything, unless KEEP_GOING is set.
step() {
    local heading=$1 began=$SECONDS status
    shift
    printf '\n=== %s\n    %s\n' "$heading" "$*"
    # Not `"$@" || …`, which would disable errexit inside functions.
    set +e
    (set -e; "$@")
    status=$?
    set -e
    local took=$((SECONDS - began))
    if [ "$status" -ne 0 ]; then
        printf '=== %s: FAILED with %d after %d s\n' "$heading" "$status" "$took"
        [ -n "${KEEP_GOING:-}" ] || exit "$status"
        FAILED+=("$(printf '%5d s  %s' "$took" "$heading")")
        return
    fi
    printf '=== %s: ok, %d s\n' "$heading" "$took"
    SUMMARY+=("$(printf '%5d s  %s' "$took" "$heading")")
}

summary() {
    if [ ${#FAILED[@]} -gt 0 ]; then
        printf '\n=== %d steps FAILED, %d s\n' "${#FAILED[@]}" "$SECONDS"
        printf '%s\n' "${FAILED[@]}" '--- passed:' "${SUMMARY[@]}"
        exit 1
    fi
    printf '\n=== all steps passed, %d s\n' "$SECONDS"
    printf '%s\n' "${SUMMARY[@]}"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# need COMMAND PACKAGE: records the Debian package of a missing command.
MISSING=()
need() {
    command -v "$1" >/dev/null || MISSING+=("$2")
}

# Records the package of Python's virtual environments, which Debian keeps apart.
need_venv() {
    python3 -c 'import ensurepip' 2>/dev/null || MISSING+=(python3-venv)
}

# Installs missing tools; uses the network only if there are any.
install_tools() {
    need gcc gcc
    need g++ g++
    need python3 python3
    need node nodejs
    need javac default-jdk-headless
    need git git
    need nats-server nats-server
    install_missing
    if ! command -v cargo >/dev/null; then
        echo "cargo is not on the PATH; install Rust from https://rustup.rs" >&2
        return 3
    fi
    add_rust_component rustfmt
    add_rust_component clippy
}

# Installs all languages of `pitmaster new`.
install_languages() {
    need make make
    need cmake cmake
    need go golang-go
    install_missing
    install_tools
}

# Installs Debian's browser, and npm for the package that drives it.
install_browser() {
    need chromium chromium
    need npm npm
    install_missing
}

# Installs what puts load on a practice server.
install_load() {
    need wrk wrk
    need slowhttptest slowhttptest
    install_missing
}

# Opens reports in a real browser: one of each of these games, of a bot with hostile output, of a
# tournament with stages, of two tournaments at once, for publication and in French.
# `--short`: a few of them, with some of their games replayed.
in_browser() {
    local game games=(coloured-awale kalah bao deka isholo-{1,2a,2b,3}) out
    has_browser || return 0
    browser_packages
    out=$(mktemp -d)
    [ "${1:-}" = --short ] && games=(isholo-1)
    for game in "${games[@]}"; do
        report match house:random house:greedy house:minimaxer,level=1 --openings 2 --pairs 2 \
            --game "$game" --name "$game" --out "$out"
    done
    report report "$out/${games[0]}" --analyze nodes=500
    report match bots/hostile/{hostile-text,illegal-move,does-not-build} house:greedy --pairs 2 --name hostile \
        --out "$out"
    if [ "${1:-}" != --short ]; then
        report run tournaments/stages.toml --out "$out"
        mkdir "$out/public" "$out/several"
        report report "$out/kalah" --public --lang fr --out "$out/public/report.html"
        report report "$out/kalah" "$out/coloured-awale" --lang fr --title "Année d’essai" \
            --out "$out/several/report.html"
    fi
    node scripts/browser/test.mjs "$@" --shots "$out/shots" "$out"/*/report.html
    rm -rf "$out"
}

# Opens the pages of a practice server in a real browser, as students, staff and strangers do. The
# program is that of the tests: the release of the demo has no server. `--short`: a part of it.
server_in_browser() {
    has_browser || return 0
    browser_packages
    [ -x target/debug/pitmaster ] || cargo build --features cluster,server
    node scripts/browser/server.mjs "$@"
}

# Whether there is a browser, and npm for the packages that drive it.
has_browser() {
    if ! command -v chromium >/dev/null || ! command -v npm >/dev/null; then
        echo "NOT DONE: chromium or npm is missing; .ci/full installs them"
        return 1
    fi
}

# Installs the packages that drive the browser. Their scripts are not run: one of them would download
# a Java.
browser_packages() {
    (cd scripts/browser && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
}

# Runs Pitmaster without its standard output.
report() {
    cargo run --release --quiet -- "$@" >/dev/null
}

install_missing() {
    if [ ${#MISSING[@]} -gt 0 ]; then
        echo "installing ${MISSING[*]}"
        as_root apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${MISSING[@]}"
        MISSING=()
    fi
}

add_rust_component() {
    if ! cargo "${1/rust/}" --version >/dev/null 2>&1; then
        rustup component add "$1"
    fi
}

add_rust_target() {
    if ! [ -d "$(rustc --print target-libdir --target "$1")" ]; then
        rustup target add "$1"
    fi
}

versions() {
    rustc --version
    gcc --version | head -n 1
    python3 --version
    node --version
    javac -version
    # Only the templates of `pitmaster new` require these.
    make --version | head -n 1 || echo "make is missing: the templates in C and C++ are not tested"
    go version || echo "go is missing: the template in Go is not tested"
}
