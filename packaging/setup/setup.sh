#!/bin/sh
# Find a Python that fits (3.11, else 3.12) and hand over to the set-up beside this file.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

for candidate in "${PYTHON:-}" python3.11 python3.12 python3; do
    [ -n "$candidate" ] || continue
    # A name on the PATH may be a stub that cannot start, so it has to answer for itself.
    if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' \
        >/dev/null 2>&1; then
        exec "$candidate" "$here" "$@"
    fi
done

cat >&2 <<'TEXT'
setup: Anchorline needs Python 3.11 or 3.12, and neither was found.
  Debian 12:            apt-get install python3 python3-venv
  Ubuntu 24.04:         apt-get install python3.12 python3.12-venv
  Installed elsewhere:  make run PYTHON=/path/to/python3.11
Nothing was changed.
TEXT
exit 2
