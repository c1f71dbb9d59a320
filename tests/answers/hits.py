"""Whether an answer holds a value: whole numbers, any case, plain quotes."""

from __future__ import annotations

import re
import unicodedata

_CJK = r"\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff"


def plain(text: str) -> str:
    """NFKC, lower case, single spaces, no separators of thousands."""
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub(r"\s+", " ", text)
    text = re.sub(rf"(?<=[{_CJK}]) | (?=[{_CJK}])", "", text)
    return re.sub(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])", lambda m: m[0].replace(",", ""), text)


def holds(answer: str, value: str) -> bool:
    """Whether the value stands in the answer, not as part of a longer number."""
    wanted = plain(value)
    left = r"(?<!\d)(?<!\d\.)" if wanted[0].isdigit() else ""
    right = r"(?!\d)(?!\.\d)" if wanted[-1].isdigit() else ""
    return re.search(left + re.escape(wanted) + right, plain(answer)) is not None
