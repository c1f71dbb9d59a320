"""One console's worth of everything below the window: sources, engine, answers, history.

Runs on an asyncio loop, Qt's or a plain one; both front ends (console and command line) drive the
same ``Session``.
"""

from app.session.events import SessionEvent
from app.session.session import Session

__all__ = ["Session", "SessionEvent"]
