"""The font of HTML pages, made anew: `python tests/font.py texgyrepagella-math.otf`.

Needs `fonttools[woff]`; the source is in Debian's fonts-texgyre-math.  Of its 4,000 glyphs the
subset keeps those that a page can use, and every size of the brackets, roots and sums among them.
It has a name of its own, as the licence asks.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parent.parent / "derive/render/html/derive-math.woff2"
NAME = "Derive Math"
RANGES = (
    (0x20, 0x7E), (0xA0, 0xFF), (0x2C6, 0x2DD),  # text in Latin letters, accents
    (0x300, 0x30C), (0x20D6, 0x20D7),            # combining accents
    (0x391, 0x3D6), (0x1D6E2, 0x1D71B),          # Greek, upright and italic
    (0x2010, 0x2026), (0x2030, 0x203A), (0x2061, 0x2064), (0x20AC, 0x20AC),
    (0x1D400, 0x1D467), (0x1D7CE, 0x1D7D7),      # bold, italic
    (0x210E, 0x210E), (0x2112, 0x2113), (0x211D, 0x211D), (0x2115, 0x2115), (0x1D53C, 0x1D53C),
    (0x2190, 0x2195), (0x21A6, 0x21A6), (0x21D0, 0x21D4),
)  # fmt: skip
OPERATORS = "∀∂∃∅∇∈∉∋∏∑−∓∘∙√∝∞∣∥∧∨∩∪∫≈≅≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⋅⋆⋮⋯⋱⌈⌉⌊⌋⟨⟩⏞⏟‖"


def characters() -> set[int]:
    """What the subset holds where the font does."""
    return {c for a, b in RANGES for c in range(a, b + 1)} | set(map(ord, OPERATORS))


def make(source: Path, target: Path = TARGET) -> None:
    """Write the subset; the same source gives the same bytes."""
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(
        layout_features=[], hinting=False, desubroutinize=True, notdef_outline=True,
        name_IDs=[0, 1, 2, 4, 6, 13, 14], flavor="woff2",
    )  # fmt: skip
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    rename(font)
    subset.save_font(font, target, options)


def rename(font: TTFont) -> None:
    """Another name than the font it was made from."""
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = NAME if record.nameID != 6 else NAME.replace(" ", "")
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames = [NAME.replace(" ", "")]
        cff.topDictIndex[0].FullName = cff.topDictIndex[0].FamilyName = NAME


if __name__ == "__main__":
    make(Path(sys.argv[1]))
