#!/bin/sh
# Write the hash-pinned lock files from the bounds in pyproject.toml and build.in.
# Pins that still fit are kept; `make lock ARGS=--upgrade` takes the newest.
# One resolution serves Python 3.11 and 3.12 on every platform; no index address is written.
set -eu
cd "$(dirname "$0")/../.."
locks=packaging/locks
tool=.venv/lock-tool
options=$*

[ -x .venv/bin/python ] || { echo "lock: run 'make setup' first." >&2; exit 2; }
[ -x "$tool/bin/uv" ] || {
    .venv/bin/python -m venv "$tool"
    "$tool/bin/pip" install --quiet --disable-pip-version-check 'uv>=0.9,<0.14'
}

compile() {
    # shellcheck disable=SC2086  options are words
    "$tool/bin/uv" pip compile $options --quiet --universal --python-version 3.11 --generate-hashes \
        --fork-strategy fewest --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' "$@"
}

compile packaging/locks/build.in -o "$locks/build.lock"
# Each later file repeats the versions of the one before, so that all install side by side.
compile pyproject.toml --extra dev --constraint "$locks/build.lock" -o "$locks/dev.lock"
compile pyproject.toml --constraint "$locks/dev.lock" -o "$locks/runtime.lock"
