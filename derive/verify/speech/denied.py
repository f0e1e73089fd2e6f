"""What an article itself calls wrong: an inequality, or a formula behind words that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.grammar.nodes import Name, Node, Number
from derive.verify.speech.faulted import is_amended, is_faulted

_OPENED = r"[\s*_`~$\"'“”„«»>{}()\[\\-]*$"
"""Marks between such words and the formula."""
_UNEQUAL = re.compile(
    r"(?:≠|\\neq?(?![a-zA-Z])|!=|\\not\s?=)(?:[\s$({\[]|\\left\b|\\[(\[]|\\begin\{[a-z]*matrix\})*$"
)
_WRONG = (
    r"(?<![^\W_])(?:wrong|incorrect|untrue|falsch(?:e[snr]?)?|faux|fausse|incorrecte|incorrect[oa]"
    r"|incorret[oa]|errad[oa]|sbagliat[oa]|неверно|неправильно|неверный|fout|yanlış|błędnie)"
)
_COPULA = r"(?:is|was|are|would be|ist|wäre|war|est|serait|es|sería|é|seria|è|sarebbe)"
_TOLD = re.compile(
    rf"(?i)(?:{_WRONG}(?:\s[^\W\d]{{1,20}})?[*_`}}]*\s?[:：]|{_WRONG}\s{_COPULA}\s"
    rf"|(?:错误|不正确|不对|誤り|間違い)(?:的?(?:结果|答案|做法|写法|例))?[*_]*\s?[:：]|❌\s?)"
    rf"{_OPENED}"
)
_THAT = re.compile(
    r"(?i)(?:not (?:true|correct|right|the case)|untrue|false|wrong|incorrect) that\b"
    r"|(?:nicht wahr|falsch|nicht richtig|неверно|не верно|неправда), (?:dass|что)\b"
    r"|(?:pas vrai|faux) qu[e'’]|(?:falso|no es cierto|não é verdade|incorrecto) que\b"
    r"|non è vero che\b|\b(?:falsely|wrongly|incorrectly|mistakenly|erroneously"
    r"|fälschlich(?:erweise)?|irrtümlich|à tort|erróneamente|incorrectamente|erroneamente)\b"
    r"|ошибочно|错误地|误以为|误认为"
)
_MISTAKE = re.compile(
    r"(?i)\b(?:common|frequent|typical|classic|usual|popular) (?:mistake|pitfall|error)s?\b"
    r"|\b(?:häufiger|typischer|beliebter) fehler\b|\berreur (?:fréquente|courante|classique)\b"
    r"|\berror (?:común|frecuente|típico)\b|\berro comum\b|\berrore (?:comune|frequente)\b"
    r"|(?:частая|типичная|распространённая) ошибка|常见的?错误"
)
_APART = re.compile(r"[.;。；!?！？\n=≈\d]")
"""What parts such words from a formula further on."""
_COLON = re.compile(rf"[:：]{_OPENED}")
_NEGATED = re.compile(
    r"(?i)(?:\b(?:not|nothing|no|never|nicht|nichts|rien|nada|niente)\b(?:\s(?:is|was|ist|est))?"
    r"|n['’]t)\W+$"
)
_NEAR, _FAR = 60, 100
"""So many characters before a formula such words may begin."""


def is_denied(sides: tuple[Node, ...], before: str, tail: str = "") -> bool:
    """Whether the words around say that what is stated does not hold; one number states nothing."""
    if len(sides) > 1:
        is_taken_back = is_faulted(tail) or is_amended(before, tail)
        return is_taken_back or _is_told(before) or _is_led(before)
    if isinstance(sides[0], Name):
        return False
    is_told = not isinstance(sides[0], Number) and _is_told(before)
    return is_told or bool(_UNEQUAL.search(before))


def _is_told(before: str) -> bool:
    """Wrong: ...; nothing is wrong: ... does not say so."""
    told = _TOLD.search(before)
    return told is not None and not _NEGATED.search(before[: told.start()])


def _is_led(before: str) -> bool:
    """It is not true that ...; a common mistake is to leave out the root: ..."""
    if any(not _APART.search(before, f.end()) for f in _found(_THAT, before, _NEAR)):
        return True
    colon = _COLON.search(before)
    return colon is not None and any(
        not _APART.search(before, f.end(), colon.start()) for f in _found(_MISTAKE, before, _FAR)
    )


def _found(pattern: re.Pattern[str], text: str, near: int) -> Iterator[re.Match[str]]:
    return pattern.finditer(text, max(0, len(text) - near))
