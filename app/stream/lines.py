"""Bytes to numbered text lines: line ends, encodings, giant lines, cut anywhere."""

from __future__ import annotations

import codecs

from app.stream.encoding import ASSUMED, SAMPLE_BYTES, Encoding, detect_encoding
from app.stream.text import MAX_LINE_BYTES, MAX_LINE_CHARS, strip_ansi

_BOM = "\ufeff"
_REPLACEMENT = "\ufffd"
# A file truncated under a writer that does not append starts with a hole that reads as NULs.
_HOLE = b"\0" * 1024


class RawLines:
    """Collects bytes and gives back whole lines, line ends included, still undecoded.

    Nothing is changed: the blocks given back, one after the other, and then ``pending`` are the
    input, except that a line longer than ``MAX_LINE_BYTES`` keeps only its beginning (and a
    hole of NULs at the start of a line is left out); ``cut_bytes`` counts what was dropped,
    ``hole_bytes`` the part of it that holes were.

    A lone CR ends a line only in files that have no LF at all, so that line numbers agree with
    every other tool's.
    """

    def __init__(self, encoding: Encoding) -> None:
        self._name = encoding.name
        self._unit = encoding.unit_bytes
        self._lf = encoding.encode_ascii("\n")
        self._cr = encoding.encode_ascii("\r")
        self._odd = b""
        self._skipping = False
        self._in_hole = False
        self.rest = b""
        self.cr_ends_lines: bool | None = None
        self.cut_bytes = 0
        self.cut_lines = 0
        self.hole_bytes = 0

    def feed(self, data: bytes) -> bytes:
        """Take bytes, return the whole lines now complete (may be empty)."""
        if self._unit == 2:
            data = self._odd + data
            aligned = len(data) & ~1
            data, self._odd = data[:aligned], data[aligned:]
        if self._in_hole or (self._unit == 1 and not self.rest and data.startswith(_HOLE)):
            data = self._skip_hole(data)
        if self._skipping:
            data = self._skip_to_line_end(data)
        buffer = self.rest + data if self.rest else data
        self._decide_line_ends(buffer)
        cut = self._complete(buffer)
        block, rest = buffer[:cut], buffer[cut:]
        if len(rest) > MAX_LINE_BYTES:
            kept = self._cut_between_characters(rest[:MAX_LINE_BYTES])
            self.cut_bytes += len(rest) - len(kept)
            self.cut_lines += 1
            self._skipping = True
            rest = kept
        self.rest = rest
        return block

    @property
    def pending(self) -> bytes:
        """Bytes taken that no block has returned yet."""
        return self.rest + self._odd

    def settle(self) -> bytes:
        """The writer pauses: decide on lone CRs; return the lines that this completes."""
        if self.cr_ends_lines is None and self._first(self.rest[: -self._unit], self._cr) >= 0:
            self.cr_ends_lines = True
            return self.feed(b"")
        return b""

    def _decide_line_ends(self, buffer: bytes) -> None:
        if self.cr_ends_lines is not None:
            return
        if self._first(buffer, self._lf) >= 0:
            self.cr_ends_lines = False
        elif len(buffer) >= MAX_LINE_BYTES and self._first(buffer, self._cr) >= 0:
            self.cr_ends_lines = True

    def _complete(self, buffer: bytes) -> int:
        """Length of the part of ``buffer`` that ends with a line end."""
        cut = self._after_last(buffer, self._lf)
        if self.cr_ends_lines:
            # A CR at the very end may be half of a CR LF.
            cut = max(cut, self._after_last(buffer[: -self._unit], self._cr))
        return cut

    def _after_last(self, buffer: bytes, mark: bytes) -> int:
        end = len(buffer)
        while True:
            at = buffer.rfind(mark, 0, end)
            if at < 0 or at % self._unit == 0:
                return 0 if at < 0 else at + len(mark)
            end = at + len(mark) - 1

    def _first(self, data: bytes, mark: bytes) -> int:
        at = data.find(mark)
        while at >= 0 and at % self._unit:
            at = data.find(mark, at + 1)
        return at

    def _cut_between_characters(self, data: bytes) -> bytes:
        """Leave out an incomplete UTF-8 character at the end."""
        if self._name != "utf-8":
            return data
        for back in range(1, 4):
            byte = data[-back]
            if byte >= 0xC0:
                return data[:-back]
            if byte < 0x80:
                break
        return data

    def _skip_to_line_end(self, data: bytes) -> bytes:
        """Drop the remainder of a giant line up to its line end."""
        ends = [self._first(data, self._lf)]
        if self.cr_ends_lines:
            ends.append(self._first(data, self._cr))
        found = [end for end in ends if end >= 0]
        kept_from = min(found, default=len(data))
        self._skipping = not found
        self.cut_bytes += kept_from
        return data[kept_from:]

    def _skip_hole(self, data: bytes) -> bytes:
        kept = data.lstrip(b"\0")
        self._in_hole = not kept
        self.cut_bytes += len(data) - len(kept)
        self.hole_bytes += len(data) - len(kept)
        return kept


class LineReader:
    """Bytes of one file in, decoded lines out.

    The encoding is detected once: on the first bytes, or, where those are plain ASCII, on the
    first lines that are not.

    Arguments:
        encoding: a chosen encoding; a byte-order mark is still obeyed first.

    Attributes:
        undecodable: places where bytes were replaced by U+FFFD so far.
        cut_lines, cut_bytes: giant lines shortened so far, and the bytes left out of them.
    """

    def __init__(self, encoding: Encoding | None = None) -> None:
        self._chosen = encoding
        self._encoding: Encoding | None = None
        self._raw: RawLines | None = None
        self._waiting = b""
        self._at_start = True
        self._long_in_blocks = 0
        self._long_bytes_in_blocks = 0
        self.undecodable = 0

    @property
    def encoding(self) -> Encoding:
        """The encoding in force."""
        return self._encoding or self._chosen or ASSUMED

    @property
    def cut_lines(self) -> int:
        """Lines shortened so far."""
        return self._long_in_blocks + (self._raw.cut_lines if self._raw else 0)

    @property
    def cut_bytes(self) -> int:
        """Bytes left out of giant lines and holes so far."""
        return self._long_bytes_in_blocks + (self._raw.cut_bytes if self._raw else 0)

    @property
    def hole_bytes(self) -> int:
        """NUL bytes of holes left out so far; they count among ``cut_bytes`` as well."""
        return self._raw.hole_bytes if self._raw else 0

    def feed(self, data: bytes) -> list[str]:
        """Take bytes, return the lines now complete, without line ends and ANSI sequences."""
        if self._raw is None:
            self._waiting += data
            # A byte-order mark must not be judged by half of it.
            if len(self._waiting) < 4 and b"\n" not in self._waiting:
                return []
            return self._begin()
        return self._decode(self._raw.feed(data))

    def settle(self) -> list[str]:
        """The writer pauses or has ended; return lines that only this completes."""
        lines = self._begin() if self._raw is None and self._waiting else []
        if self._raw is not None:
            lines += self._decode(self._raw.settle())
        return lines

    def partial(self) -> str | None:
        """The last line so far, while it has no line end; call ``settle`` before."""
        if self._raw is None or not self._raw.rest:
            return None
        decoder = codecs.getincrementaldecoder(self.encoding.name)("replace")
        text = decoder.decode(self._raw.rest, False).removesuffix("\r")
        if self._at_start:
            text = text.removeprefix(_BOM)
        return strip_ansi(text)[:MAX_LINE_CHARS] or None

    def _begin(self) -> list[str]:
        found = detect_encoding(self._waiting)
        chosen = self._chosen
        has_bom = _starts_with_bom(self._waiting)
        self._encoding = chosen if chosen is not None and not has_bom else found
        self._raw = RawLines(self._encoding)
        data, self._waiting = self._waiting, b""
        return self._decode(self._raw.feed(data))

    def _decode(self, block: bytes) -> list[str]:
        if not block:
            return []
        encoding = self.encoding
        if not encoding.certain and not block.isascii():
            encoding = detect_encoding(block[:SAMPLE_BYTES])
            if encoding.unit_bytes != 1:
                encoding = Encoding("utf-8")
            self._encoding = encoding
        try:
            text = block.decode(encoding.name)
        except UnicodeDecodeError:
            text = block.decode(encoding.name, "replace")
            # Some encodings, such as Shift-JIS, cannot write the replacement character itself.
            written = _REPLACEMENT.encode(encoding.name, "ignore")
            genuine = block.count(written) if written else 0
            self.undecodable += text.count(_REPLACEMENT) - genuine
        if self._at_start:
            self._at_start = False
            text = text.removeprefix(_BOM)
        lines = split_text(text, cr_ends_lines=bool(self._raw and self._raw.cr_ends_lines))
        return self._cap(lines)

    def _cap(self, lines: list[str]) -> list[str]:
        if not lines or len(max(lines, key=len)) <= MAX_LINE_CHARS:
            return lines
        for index, line in enumerate(lines):
            if len(line) > MAX_LINE_CHARS:
                lines[index] = line[:MAX_LINE_CHARS]
                self._long_in_blocks += 1
                self._long_bytes_in_blocks += len(line) - MAX_LINE_CHARS
        return lines


def split_text(text: str, *, cr_ends_lines: bool) -> list[str]:
    """Lines of a text that ends with a line end, without line ends and ANSI sequences."""
    if cr_ends_lines:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    if "\x1b" in text or "\x9b" in text:
        lines = [strip_ansi(line) for line in lines]
    return lines


def _starts_with_bom(data: bytes) -> bool:
    return data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
