"""Log lines in few tokens: shortened times, no repeated host names, line numbers in front."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from app.stream.parsing import body_of
from app.stream.records import Record
from app.stream.text import display_text
from app.stream.timestamps import LineTime

_LINE_CHARS = 400
_TAIL_CHARS = 80
_LEARN_LINES = 60
_TIME_OF_DAY = re.compile(r"(?<!\d)\d{1,2}[:.点时]\d{1,2}[:.分]\d{1,2}(?!\d)")
_EPOCH = re.compile(r"1\d{9,}(?:\.\d+)?")
_PROCESS_ID = re.compile(r"(?<=[\w)])\[\d+\](?=:)")
# A level, or a host name in front of a program's name ("LabSZ sshd[24200]:").
_HEADER_WORD = re.compile(
    r"((?:TRACE|VERBOSE|DEBUG|INFO|NOTICE)|\S+(?= [\w./()-]+(?:\[\d+\])?: ))(?= )", re.IGNORECASE
)
_TOKEN_LIKE = re.compile(r"\d|[A-Za-z]{1,6}|[\u3000-\u9fff]{1,2}|[^\sA-Za-z\d\u3000-\u9fff]{1,2}")
_SPACES = re.compile(r"\s+")


def estimate_tokens(text: str) -> int:
    """Tokens a text costs, by rule of thumb.

    Each digit is a token, letters and punctuation come in runs. Measured over nine kinds of log
    this is within a tenth of what the standard model's vocabulary gives; log text has many digits,
    so a rule of so many characters a token is wrong by half.
    """
    return len(_TOKEN_LIKE.findall(text)) + 1


class LineShortener:
    """Writes the lines of one source for the model.

    The date is left out while it is the previous line's, fractions of seconds always, and so is
    a first word that nearly all lines share (a host name, a level).
    """

    def __init__(self) -> None:
        self._date = ""
        self._first_words: Counter[str] = Counter()
        self._learned = 0
        self._constant = ""

    def learn(self, records: Sequence[Record]) -> None:
        """Look at the first lines of the source for a word they share."""
        for record in records[: max(0, _LEARN_LINES - self._learned)]:
            self._learned += 1
            header = _HEADER_WORD.match(_body(record))
            if header is not None:
                self._first_words[header[1]] += 1
        if self._first_words:
            word, count = self._first_words.most_common(1)[0]
            self._constant = word if count >= 10 and count * 10 > self._learned * 9 else ""

    def full(self, record: Record) -> str:
        """``L123 06:55:46 sshd: Invalid user webmaster from 173.234.31.186`` and a line end."""
        return f"L{record.number} {self._short(record)}\n"

    def repeated(self, count: int, first_line: int, last: Record) -> str:
        """``×12 L103-L150 …`` with the latest of these lines, and a line end."""
        return f"×{count} L{first_line}-L{last.number} {self._short(last)}\n"

    def _short(self, record: Record) -> str:
        body = _PROCESS_ID.sub("", _body(record), count=1)
        if self._constant:
            body = body.removeprefix(self._constant + " ")
        if len(body) > _LINE_CHARS:
            body = f"{body[: _LINE_CHARS - _TAIL_CHARS]} … {body[-_TAIL_CHARS:]}"
        return display_text(f"{self._short_time(record)} {body}".strip())

    def _short_time(self, record: Record) -> str:
        if not record.raw_time:
            return ""
        time_of_day, date = split_time(record)
        if date == self._date:
            return time_of_day
        self._date = date
        return f"{date} {time_of_day}".strip()


def split_time(record: Record) -> tuple[str, str]:
    """Time of day without fraction, and the date, both as the line writes them."""
    raw = record.raw_time
    if _EPOCH.fullmatch(raw) and record.time_s is not None:
        moment = datetime.fromtimestamp(record.time_s, UTC)
        return moment.strftime("%H:%M:%S"), moment.strftime("%Y-%m-%d")
    found = _TIME_OF_DAY.search(raw)
    if found is None:
        date, _, time_of_day = raw.rpartition(" ")
        return time_of_day, date
    before, after = raw[: found.start()], raw[found.end() :]
    # Behind the time stand its fraction and offset, or (Apache) the year.
    year = after.strip() if after.startswith(" ") else ""
    return found[0], f"{before.strip()} {year}".strip(" -T_,")


def _body(record: Record) -> str:
    """The text without its time, spaces collapsed, no punctuation left over in front."""
    line = record.text
    if record.raw_time:
        start = line.find(record.raw_time)
        line = body_of(line, LineTime(start, start + len(record.raw_time), None))
    return _SPACES.sub(" ", line).lstrip(" ,|-:")
