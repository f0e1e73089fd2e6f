"""The fonts in derive/render/fonts: `python tests/fonts.py FONT.ttc` writes them anew.

FONT.ttc is NotoSerifCJK-Regular.ttc of https://github.com/notofonts/noto-cjk (2.001; in Debian the
package fonts-noto-cjk).  Of its Simplified Chinese font remain the characters of our sentences and
of GB 2312's first level (the 3,755 commonest hanzi) with all its signs.  Latin and mathematics are
the fonts that the typst package brings.  Needs fonttools.
"""

import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FONT = ROOT / "derive" / "render" / "fonts" / "NotoSerifCJKsc-Subset.otf"
FAMILY = "Noto Serif CJK SC"


def is_cjk(c: str) -> bool:
    """Whether it is set in the Chinese font: hanzi, their punctuation, full-width signs."""
    return unicodedata.east_asian_width(c) in "WF"


def sentences() -> str:
    """Every Chinese character of the views and of the built-in problems."""
    files = [*(ROOT / "derive" / "views").glob("*.py"), *ROOT.glob("derive/problems/*.toml")]
    return "".join(sorted({c for f in files for c in f.read_text("utf-8") if is_cjk(c)}))


def gb2312() -> str:
    """The hanzi of the first level, in GB 2312's rows 16 to 55, and the signs of rows 1 and 3."""
    cells = [(row, cell) for row in (1, 3, *range(16, 56)) for cell in range(1, 95)]
    codes = bytes(0xA0 + k for pair in cells if pair < (55, 90) for k in pair)
    return codes.decode("gb2312", errors="ignore")


def main(collection: str) -> None:
    """Write the subset."""
    from fontTools import subset
    from fontTools.ttLib import TTCollection

    fonts = TTCollection(collection, lazy=True).fonts
    font = next(f for f in fonts if f["name"].getDebugName(1) == FAMILY)
    font.recalcTimestamp = False
    options = subset.Options(
        layout_features=[],
        hinting=False,
        notdef_outline=True,
        name_IDs=["*"],
        name_languages=[0x409],
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=gb2312() + sentences() + "“”‘’…—·")
    subsetter.subset(font)
    font.save(FONT)


if __name__ == "__main__":
    main(sys.argv[1])
