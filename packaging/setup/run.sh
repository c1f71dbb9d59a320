#!/bin/sh
# Start the console on the simulated inspection line; without a display, the same console offscreen.
set -eu
cd "$(dirname "$0")/../.."

.venv/bin/anchorline models fetch tiny
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec .venv/bin/anchorline --demo --fetch standard "$@"
fi
echo "run: no display here (DISPLAY and WAYLAND_DISPLAY are empty): the console runs offscreen."
exec .venv/bin/anchorline --demo --offscreen-demo "$@"
