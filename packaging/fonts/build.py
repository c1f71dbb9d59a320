"""Cut the bundled fonts out of Debian's fonts-noto-cjk (run by hand when the glyph set changes).

Three faces come out: a proportional one in two weights with the characters of GB 2312 (levels 1
and 2, symbols, kana) plus Latin, punctuation, arrows and box drawing; and a fixed-width one with
the half-width characters only. Its full-width characters come from the proportional face, whose
ideographs are exactly two half-widths wide, so mixed lines keep their columns.

Both families are renamed, so that a copy of the originals on the terminal never gets in the way.

Usage: ``apt-get download fonts-noto-cjk && dpkg -x fonts-noto-cjk*.deb x``, then
``python packaging/fonts/build.py x/usr/share/fonts/opentype/noto`` (needs fonttools).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

OUT = Path(__file__).resolve().parents[2] / "resources" / "fonts"
SANS, MONO = "Anchorline Sans", "Anchorline Mono"

LATIN = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),  # Latin-1 and Latin Extended-A
    *range(0x2010, 0x2028),  # dashes, quotation marks, bullets, ellipsis
    *range(0x2030, 0x2040),
    0x20AC,
    0x2103,
    0x2109,
    0x2116,
    0x2122,
    0x2126,
    *range(0x0391, 0x03CA),  # Greek
    *range(0x0400, 0x0460),  # Cyrillic
    *range(0x2190, 0x219A),  # arrows
    *range(0x2200, 0x2270),  # mathematical operators
    *range(0x2300, 0x2330),
    *range(0x2400, 0x2427),  # control pictures
    *range(0x2500, 0x2600),  # box drawing, blocks, shapes
    *range(0x2600, 0x2720),
    0xFFFD,
)

PROPORTIONAL = (0xB7, 0x2018, 0x2019, 0x201C, 0x201D)
"""Characters that the Chinese faces make an ideograph wide, which tears English texts apart. Every
member of a collection holds the same glyphs; the Korean one names the narrow ones of these."""
NARROW_MEMBER = "Noto Sans CJK KR"


@dataclass(frozen=True)
class Face:
    """One file to make: which member of which collection, which characters, under which name."""

    collection: str
    member: str
    family: str
    style: str
    file: str
    wide: bool


FACES = (
    Face("NotoSansCJK-Regular.ttc", "Noto Sans CJK SC", SANS, "Regular", "AnchorlineSans", True),
    Face("NotoSansCJK-Bold.ttc", "Noto Sans CJK SC", SANS, "Bold", "AnchorlineSans", True),
    Face(
        "NotoSansCJK-Regular.ttc", "Noto Sans Mono CJK SC", MONO, "Regular", "AnchorlineMono", False
    ),
)


def gb2312() -> set[int]:
    """Every character of GB 2312: symbols, kana, ideographs of level 1 and 2."""
    found: set[int] = set()
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            try:
                found.add(ord(bytes((row, cell)).decode("gb2312")))
            except UnicodeDecodeError:
                continue  # an unassigned cell
    return found | set(range(0x3000, 0x3020)) | set(range(0xFF01, 0xFF5F))


def cut(face: Face, folder: Path) -> Path:
    """Write one subset; returns its path."""
    members = TTCollection(folder / face.collection).fonts
    font: TTFont = next(font for font in members if font["name"].getDebugName(1) == face.member)
    if face.wide:
        narrow = next(font for font in members if font["name"].getDebugName(1) == NARROW_MEMBER)
        for table in font["cmap"].tables:
            if hasattr(table, "cmap"):
                table.cmap.update({code: narrow.getBestCmap()[code] for code in PROPORTIONAL})
    wanted = set(LATIN) | (gb2312() if face.wide else set())
    if not face.wide:
        wanted = {code for code in wanted if _half_width(font, code)}
    options = Options()
    options.layout_features = ["kern", "ccmp", "locl"]
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 14]
    options.drop_tables += ["vhea", "vmtx", "VORG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    _rename(font, face)
    path = OUT / f"{face.file}-{face.style}.otf"
    font.save(path)
    return path


def _half_width(font: TTFont, code: int) -> bool:
    """Whether a character takes half an em (Qt finds the others in the proportional face)."""
    glyph = font.getBestCmap().get(code)
    return glyph is not None and font["hmtx"][glyph][0] * 2 == font["head"].unitsPerEm


def _rename(font: TTFont, face: Face) -> None:
    full = face.family if face.style == "Regular" else f"{face.family} {face.style}"
    postscript = f"{face.file}-{face.style}"
    table = font["name"]
    for name_id, text in ((1, face.family), (2, face.style), (3, postscript), (4, full)):
        table.setName(text, name_id, 3, 1, 0x409)
    table.setName(postscript, 6, 3, 1, 0x409)
    table.names = [item for item in table.names if item.platformID == 3 and item.langID == 0x409]
    if "CFF " in font:
        top = font["CFF "].cff
        top.fontNames = [postscript]
        top.topDictIndex[0].FamilyName = face.family
        top.topDictIndex[0].FullName = full


def main() -> int:
    """Cut every face and print its size."""
    folder = Path(sys.argv[1])
    OUT.mkdir(parents=True, exist_ok=True)
    for face in FACES:
        path = cut(face, folder)
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
