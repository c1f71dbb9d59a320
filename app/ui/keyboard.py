"""The on-screen keyboard: what there is on this terminal, and how it is called up."""

from __future__ import annotations

import os
from importlib.util import find_spec

from PySide6.QtGui import QGuiApplication

from app.answers.messages import Notice

NO_KEYBOARD = Notice(
    "This terminal has no on-screen keyboard.",
    "Tap a suggested question, or install the system's own on-screen keyboard.",
)


def available() -> bool:
    """Whether an input method can show a keyboard: Qt's own, or the system's through a plug-in."""
    module = os.environ.get("QT_IM_MODULE", "")
    if module == "qtvirtualkeyboard":
        return find_spec("PySide6.QtVirtualKeyboard") is not None
    platform = QGuiApplication.platformName()
    return platform in ("windows", "wayland", "android") or module in ("maliit", "fcitx", "ibus")


def call_up() -> bool:
    """Show the keyboard if there is one; False where there is none."""
    if not available():
        return False
    QGuiApplication.inputMethod().show()
    return True
