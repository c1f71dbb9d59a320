"""How the native library's threads wait for each other.

ggml's threads meet at a barrier several times in every layer. GNU OpenMP lets them spin there for
some 300,000 rounds before they sleep. On a terminal with two cores, where the window or the log
wants one of them, the spinning thread keeps the core from the very thread it waits for, and
decoding becomes many times slower. With a short spin a waiting thread sleeps instead; on idle
cores the barrier is met before that.
"""

from __future__ import annotations

import os

# Few enough to sleep soon, enough to meet the others without sleeping while the cores are idle:
# a tenth of this cost idle decoding 7%, three times as much helped no further.
_SPIN_ROUNDS = "10000"


def spin_briefly() -> None:
    """Set it for this process, unless the user has chosen; a loaded library is not reached."""
    os.environ.setdefault("GOMP_SPINCOUNT", _SPIN_ROUNDS)
