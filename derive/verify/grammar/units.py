"""Units behind the numbers of an equation, which say nothing where there is but one."""

from __future__ import annotations

import re

_BEHIND = r"[ \t\xa0]?(?:\\[,;: ]|~)?\$?[ \t\xa0]?(?:\\(?:text|mathrm|,)\s?\{\s?(?:\\,)?)?"
PERCENT = re.compile(
    _BEHIND + r"(?i:per ?cent|prozent|procent|por ?ciento|por ?cento|pour ?cent|per ?cento|процент)"
)
SCALE = re.compile(
    _BEHIND + r"(?P<scale>[kKMGT]i?B(?:ytes?|it/s)?|[kMGT](?=\})|bytes|[kmµ]s"
    r"|[kKMG]i?o(?!\w)|[КМГТ]и?Б|[GT]?FLOP(?:s|S)?"
    r"|(?<=[ \xa0])[kKMGBT](?![\w'])(?!\s?[\^_(\[=≈:+*/·×⊤ᵀ-])"
    r"|(?:thousand|million|billion|trillion)s?"
    r"|Tausend|Millionen|Milliarden|millions?|milliards?|mill(?:ones|ón)|milh(?:ões|ão)|миллион\w*"
    r"|млн|млрд|тыс|Mio|Mrd|mln|mld|tys|万|亿|百万|만|억)(?![a-z])"
)
"""Words of scale and units behind a number."""
SCALED = r"[kKMGTP]i?B(?:ytes?)?|[GTP]FLOPs?"
"""Units of which a number holds many of another."""
_BASE = (
    r"[Bb]ytes?|octets?|байта?|байтов|字节|位元組|バイト|바이트|[Pp]arams?|[Pp]arameters?|Parametern"
    r"|paramètres|parámetros|parâmetros|parametri|параметр(?:ов|а)?|(?:个|個)?参数|パラメータ|매개변수"
    r"|[Tt]okens?|jetons|токен(?:ов|а)?|个?词元|トークン|토큰|weights|entries|numbers|values|heads?"
    r"|layers?|dim(?:ension)?s?|bits?|FLOPs?|MACs?|multiplications|additions|operations"
)
_UNIT = rf"(?:\s|\\[,;: ]|~)?(?:\\(?:text|mathrm)\{{\s?)?(?P<unit>{SCALED}|{_BASE})(?![\w])\}}?"
_NUMBER = r"[-−]?\d[\d.,٫]*(?:\^\{?\d+\}?|[⁰¹²³⁴-⁹]+)?"
_TERM = rf"{_NUMBER}(?:{_UNIT})?".replace("?P<unit>", "")
_SIGN = r"\s?(?:[×*·+⋅/−-]|\\times|\\cdot|\\div)\s?"
_EQUATION = re.compile(
    rf"(?<![\w.,)]){_TERM}(?:{_SIGN}{_TERM}){{1,12}}\s?[=≈]\s?(?P<right>{_TERM})(?![\w(])"
)
_ONE = re.compile(rf"(?<=\d){_UNIT}|(?<=[}}⁰¹²³⁴-⁹]){_UNIT.replace('unit', 'other')}")
_SCALED = re.compile(SCALED)
_BITS = frozenset(("bit", "bits"))


def unitless(text: str) -> str:
    """The text with the units of equations blanked, where none of them is turned into another."""
    return _EQUATION.sub(_bare, text) if "=" in text or "≈" in text else text


def _bare(found: re.Match[str]) -> str:
    middle = found.start("right") - found.start()
    left, right = _units(found[0][:middle]), _units(found["right"])
    every = {unit.lower() for unit in (*left, *right)}
    is_one = left and right and len(every) == 1
    is_turned = any(map(_SCALED.fullmatch, (*left, *right))) and not is_one
    if not every or is_turned or (every & _BITS and every - _BITS):
        return found[0]
    return _ONE.sub(lambda m: " " * len(m[0]), found[0])


def _units(text: str) -> list[str]:
    return [m["unit"] or m["other"] for m in _ONE.finditer(text)]
