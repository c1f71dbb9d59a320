"""An abort flag that native code reads without entering Python."""

from __future__ import annotations

import ctypes
import sys
from typing import Any


class NativeAbortFlag:
    """A flag read by ggml's abort callback.

    ggml calls its abort callback before every graph node, several hundred times a token. A Python
    callback would take the GIL each time, and would wait there for the user interface. So the
    callback is the C library's ``strlen`` and its argument a one-character buffer: the empty
    string has length 0 (go on), any other a length of 1 (abort). ``bool`` and ``size_t`` come
    back in the same register on every platform that we support, and 0 and 1 agree in both.

    The buffer must outlive the context that reads it.
    """

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(2)

    @property
    def callback_address(self) -> int:
        """Address of the C function ``bool callback(void *data)``."""
        address = ctypes.cast(_strlen(), ctypes.c_void_p).value
        assert address is not None
        return address

    @property
    def data_address(self) -> int:
        """The callback's ``data``."""
        return ctypes.addressof(self._buffer)

    def set(self) -> None:
        """Stop the running decode, and refuse further ones until cleared."""
        self._buffer[0] = b"\x01"

    def clear(self) -> None:
        """Allow decoding again."""
        self._buffer[0] = b"\x00"

    def is_set(self) -> bool:
        """Whether decoding is stopped."""
        return self._buffer[0] != b"\x00"


def _strlen() -> Any:
    # CDLL(None) is the running program, which the C library is always part of on POSIX.
    library = ctypes.CDLL("msvcrt") if sys.platform == "win32" else ctypes.CDLL(None)
    return library.strlen
