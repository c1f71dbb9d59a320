"""Where a line that an answer cites stands in the open log, if it is still there as it was."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.answers.messages import Citation
from app.stream.records import Record
from app.ui.session_api import StoreLike

OLDER_LINES: Final = 2_000_000
"""Lines looked at before the newest of that number: a millisecond or so on the UI thread."""

_MOST_CANDIDATES: Final = 32


def find(store: StoreLike, citation: Citation) -> int | None:
    """Store index of a cited line, or None.

    A file that was rotated counts its lines from 1 again: a number alone may lead to a line of
    today where the answer rests on one of yesterday, so the text has to be the same.
    """
    newest = store.index_of(citation.source, citation.line)
    if newest is None:
        return None
    record = _record(store, newest)
    if record is not None and record.text == citation.text:
        return newest
    older = _find_older(store, citation, newest)
    if older is not None:
        return older
    return newest if record is not None and _grown(record, citation) else None


def _find_older(store: StoreLike, citation: Citation, newest: int) -> int | None:
    """The newest of the lines with that number, source and text before an index."""
    start = max(0, newest - OLDER_LINES)
    same_number = np.flatnonzero(store.line_numbers(start, newest) == citation.line) + start
    for index in same_number[::-1][:_MOST_CANDIDATES].tolist():
        record = _record(store, index)
        if record is not None and (record.source, record.text) == (citation.source, citation.text):
            return int(index)
    return None


def _grown(record: Record, citation: Citation) -> bool:
    """Whether a line was cited while its writer had not ended it yet."""
    return bool(citation.text) and record.text.startswith(citation.text)


def _record(store: StoreLike, index: int) -> Record | None:
    """A record, or None where the store was emptied meanwhile."""
    found = store.records(index, index + 1)
    return found[0] if found else None
