"""The words of an entry: numbers, names and signs, each with its position."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from derive.errors import InputError, Place, quoted

MAX_LENGTH = 20_000  # characters of one entry

# One character for one, so that positions stay; the full-width forms are those of CJK keyboards.
_ALIKE = str.maketrans(
    {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
    | dict.fromkeys("−–—‐‑﹣", "-")
    | dict.fromkeys("×·⋅∙∗•・", "*")
    | dict.fromkeys("÷∕⁄", "/")
    | dict.fromkeys("\u00a0\u2002\u2003\u2009\u202f\u3000", " ")
    | {"﹢": "+", "，": ",", "、": ","}
)
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
_GREEK = {
    chr(code): unicodedata.name(chr(code)).split()[-1].lower()
    for code in range(0x3B1, 0x3CA)
    if code != 0x3C2
}
GREEK = (
    _GREEK
    | {letter.upper(): name.capitalize() for letter, name in _GREEK.items()}
    | {"ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "µ": "mu"}
)

_TOKEN = re.compile(
    rf"""\s*(?:
      (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<name>[A-Za-z]\w*|[{"".join(GREEK)}](?:_\w+|\d+)?|∞)
    | (?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
    | (?P<sign>\*\*|[-+*/^()√])
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.ASCII,
)

_ADVICE = {
    "%": "write a percentage as a fraction: 5/100",
    ",": "the decimal point is a dot: 0.5, not 0,5",
    "'": "an entry holds no quotes",
    '"': "an entry holds no quotes",
    "[": "round brackets group: (a + b)*c",
    "{": "round brackets group: (a + b)*c",
    "\\": "write sqrt(2)/2, pi, e^2",
    ".": "a dot is read only inside a number, as in 0.5",
    "_": "a name begins with a letter",
    "|": "an absolute value is not read here",
    "!": "a factorial is not read here: write the number",
    "=": "an entry is a value, not an equation",
}


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Token:
    """`kind` is number, name, raised or end, or else the sign itself."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The tokens of an entry, closed by one of kind "end"; InputError at the first stranger."""
    if len(text) > MAX_LENGTH:
        message = f"an entry of {len(text):,} characters is too long"
        raise InputError(message, expected=f"at most {MAX_LENGTH:,} characters")
    if found_control := _CONTROL.search(text):
        raise InputError(
            "an entry holds a control character",
            place=within(text, found_control.start(), found_control.end()),
            hint="in TOML, write entries with a backslash in single quotes: '\\frac{1}{2}'",
        )
    plain = text.translate(_ALIKE)
    found: list[Token] = []
    while not found or found[-1].kind != "end":
        match = _TOKEN.match(plain, found[-1].end if found else 0)
        if not match:
            raise _stranger(text, plain, found[-1].end if found else 0)
        found.append(_token(match))
    return found


def within(text: str, start: int, end: int) -> Place:
    """The place of some characters of an entry, in a text of its own."""
    return Place("", column=start + 1, text=text, width=max(1, end - start))


def _token(match: re.Match[str]) -> Token:
    group = match.lastgroup or ""
    start, end = match.span(group)
    text = match[group]
    if group == "name":
        return Token("name", _latin(text), start, end)
    if group == "raised":
        return Token("raised", "".join(map(_RAISED.__getitem__, text)), start, end)
    if group == "sign":
        return Token(text.replace("**", "^"), text, start, end)
    return Token(group, text, start, end)


def _latin(name: str) -> str:
    """A name as it is stored: τ_1 is tau_1; lamda is spelled as SymPy spells it."""
    return "oo" if name == "∞" else GREEK.get(name[0], name[0]) + name[1:]


def _stranger(text: str, plain: str, position: int) -> InputError:
    rest = plain[position:]
    # Python strips characters, such as the unit separator, that are no space in an entry.
    start = position + len(rest) - len(rest.lstrip() or rest)
    char = text[start]
    invisible = unicodedata.category(char)[0] in "CZ"
    name = f" ({unicodedata.name(char, 'no name')})" if invisible else ""
    message = "a name cannot begin with an underscore"
    if plain[start] != "_":
        message = f"{quoted(char)}{name} has no meaning in an entry"
    return InputError(
        message, place=within(text, start, start + 1), hint=_ADVICE.get(plain[start], "")
    )
