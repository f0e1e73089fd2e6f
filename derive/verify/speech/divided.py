"""Whether an article tells of scores or weights that they are divided by the root of a number."""

from __future__ import annotations

import re

_OF_SCORES = (
    r"(?:weights|scores|attention|gewichte|poids|pesos|pesi|puntuaciones|punteggi|веса|оценк\w+"
    r"|权重|分数|重み|スコア|가중치|점수)"
)
_DIVIDED = (
    r"(?:divi[dsz]\w+|scal(?:ed|ing)|geteilt|teilen|division|skaliert\w*|divisé\w*|dividi\w+"
    r"|делени\w+|делим|поделив|除以|で割|나누)"
)
_BY_ROOT = re.compile(
    rf"(?i){_DIVIDED}[^.。\n]{{0,16}}?(?:√|\\sqrt|sqrt)[^.。\n]{{0,40}}?{_OF_SCORES}"
    rf"|{_OF_SCORES}[^.。\n]{{0,40}}?{_DIVIDED}[^.。\n]{{0,16}}?(?:√|\\sqrt|sqrt)"
    r"|(?<!un)scaled (?:attention )?weights|skalierte[nr]? (?:attention-?)?gewichte"
    r"|poids (?:d'attention )?mis à l'échelle|pesos (?:de aten\w+ )?escal\w+"
)
"""Weights or scores of which is told that they are divided by the root of a number."""
_OTHERWISE = re.compile(
    r"(?i)normally|usually|in practice|would|often|could|might|üblicherweise|normalerweise"
    r"|in der praxis|würde|meist|en pratique|normalement|d'habitude|normalmente|in pratica"
    r"|en la práctica|na prática|обычно|на практике|通常|一般|实际中|普通|보통"
    r"|initial|xavier|glorot|varian|layer ?norm|embedding"
)


def is_divided(text: str) -> bool:
    """Whether it is told as what is done, and not as what others do."""
    for found in _BY_ROOT.finditer(text):
        start = max(text.rfind(end, 0, found.start()) for end in ".。\n")
        end = min((e for s in ".。\n" if (e := text.find(s, found.end())) >= 0), default=len(text))
        if not _OTHERWISE.search(text, start + 1, end):
            return True
    return False
