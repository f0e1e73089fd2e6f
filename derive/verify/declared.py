"""What an article says of its conventions in its own formulas and words."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 2_000_000
"""Characters that are looked at."""
_BASE = re.compile(
    r"(?<![\d.,])(1?0{1,5}|\d{2,6})(?:\s|\}|\\,)*(?:\^|\*\*|<sup>)\s?[{(]*\s*-?\s*"
    r"(?:\\?(?:frac|tfrac|dfrac)\{?)?\s*(?:2\s*\*?\s*[ijk]|[ijk]|\(2|2\s*\()"
)
"""10000^{2i/d} and its spellings."""
_ROOT = re.compile(
    r"(?:\\sqrt|√|sqrt)\s*[{(\[]?\s*\\?(?:mathrm\{)?\s*(?:d|D|key|head|dim|n_?embd)"
    r"|(?i:square root of (?:the )?(?:d|key|dim|head)|wurzel (?:aus|von) d|racine de \$?d"
    r"|raíz de \$?d|radice di|корень из d|根号\s?d|平方根)"
)
_MASK = re.compile(
    r"(?i)causal|masked self|maske?\b|masque|máscara|maschera|каузал|маск|因果|掩码|掩碼|遮罩|マスク"
    r"|마스크|mặt nạ|nedensel"
)


@dataclass(frozen=True)
class Declared:
    """The base of the angles, where it is said; whether scores are divided by a root, or masked."""

    base: int = 0
    is_rooted: bool = False
    is_masked: bool = False


def declared(text: str) -> Declared:
    """What the text of an article declares."""
    text = text[:MOST]
    bases = {int(m[1]) for m in _BASE.finditer(text) if int(m[1]) > 1}
    base = bases.pop() if len(bases) == 1 else 0
    return Declared(base, bool(_ROOT.search(text)), bool(_MASK.search(text)))
