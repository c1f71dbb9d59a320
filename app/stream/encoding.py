"""Which encoding a log is in, decided once on a bounded sample."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from charset_normalizer import from_bytes

SAMPLE_BYTES = 64 * 1024

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Only where neither UTF-8 nor GB18030 fits; more candidates make a detector less reliable.
_OTHERS = ["cp1252", "cp1251", "shift_jis", "big5", "euc_kr"]
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding in force.

    Attributes:
        name: Python codec name, byte order included.
        certain: False while only ASCII was seen, so that UTF-8 is an assumption.
    """

    name: str
    certain: bool = True

    @property
    def unit_bytes(self) -> int:
        """Bytes of a code unit: 2 for UTF-16, otherwise 1."""
        return 2 if self.name.startswith("utf-16") else 1

    def encode_ascii(self, text: str) -> bytes:
        """A line end as it stands in the file."""
        return text.encode(self.name)


ASSUMED = Encoding("utf-8", certain=False)


def detect_encoding(sample: bytes) -> Encoding:
    """Decide from a byte-order mark, then UTF-16's zero bytes, then UTF-8, then GB18030.

    Short Chinese samples fool statistical detectors, so those are asked last.

    Arguments:
        sample: the beginning of a file (a cut character at its end does no harm).
    """
    for bom, name in _BOMS:
        if sample.startswith(bom):
            return Encoding(name)
    sample = sample[:SAMPLE_BYTES]
    wide = _utf16_by_zeros(sample)
    if wide is not None:
        return wide
    if sample.isascii():
        return ASSUMED
    if _is_utf8(sample):
        return Encoding("utf-8")
    if _is_gb18030(sample):
        return Encoding("gb18030")
    best = from_bytes(sample[:16384], cp_isolation=_OTHERS).best()
    return Encoding(best.encoding if best is not None else "utf-8")


def _utf16_by_zeros(sample: bytes) -> Encoding | None:
    """Latin letters, digits and spaces have one zero byte; its place tells the byte order."""
    units = len(sample) // 2
    if units < 4:
        return None
    even_zeros = sample[0 : units * 2 : 2].count(0) / units
    odd_zeros = sample[1 : units * 2 : 2].count(0) / units
    if odd_zeros > 0.2 and even_zeros < odd_zeros / 8:
        return Encoding("utf-16-le")
    if even_zeros > 0.2 and odd_zeros < even_zeros / 8:
        return Encoding("utf-16-be")
    return None


def _decode_sample(sample: bytes, name: str) -> tuple[str, int]:
    """Decode, a cut character at the end left out: text and number of undecodable places."""
    text = codecs.getincrementaldecoder(name)("replace").decode(sample, False)
    return text, text.count(_REPLACEMENT)


def _is_utf8(sample: bytes) -> bool:
    text, replaced = _decode_sample(sample, "utf-8")
    bad = replaced - sample.count(_REPLACEMENT.encode())
    good = sum(1 for char in text if ord(char) > 127) - replaced
    return bad <= 0 or bad * 10 <= good


def _is_gb18030(sample: bytes) -> bool:
    """Real Chinese text stays mostly within GB2312; other encodings read as GB18030 do not."""
    text, bad = _decode_sample(sample, "gb18030")
    wide = "".join(char for char in text if ord(char) > 127 and char != _REPLACEMENT)[:4000]
    if not wide or bad * 20 > len(wide):
        return False
    common = len(wide.encode("gb2312", "ignore")) // 2
    return common * 10 >= len(wide) * 7
