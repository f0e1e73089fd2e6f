"""The language that an article declares, as far as its decimals go."""

from __future__ import annotations

import re

_COMMA = (
    "af az be bg bs ca cs da de el es et eu fi fr gl hr hu id is it ka kk lt lv mk nb nl nn no pl"
    " pt ro ru sk sl sq sr sv tr uk vi"
)
_POINT = "de-CH de-LI it-CH es-MX es-US es-PR es-GT es-HN es-NI es-PA es-SV es-DO"
"""Where the language has commas and the country has points."""
_NAMED = (
    "german ngerman austrian naustrian french acadian canadien francais spanish italian portuguese"
    " portuges brazil brazilian dutch swedish danish norsk nynorsk finnish polish czech slovak"
    " slovene slovenian croatian serbian hungarian magyar romanian bulgarian russian ukrainian"
    " belarusian greek turkish indonesian vietnamese lithuanian latvian estonian icelandic catalan"
)
_CODE = (
    rf"(?!(?:{_POINT.replace('-', '[-_]').replace(' ', '|')})\b)"
    rf"(?:{_COMMA.replace(' ', '|')})(?:[-_][A-Za-z]+)?\b"
)
_NAME = rf"(?:main\s?=\s?)?(?:{_NAMED.replace(' ', '|')})"
_TONGUE = re.compile(
    rf"""\A\ufeff?---\s*\n(?:(?!---)[^\n]*\n){{0,60}}?lang(?:uage)?:\s?["']?{_CODE}
    |<html\b[^>]{{0,400}}?\slang\s?=\s?["']?{_CODE}
    |^[ \t]*\#\+language:\s?{_CODE}
    |\\usepackage\[(?:[^\]\n]{{0,200}},\s?)?{_NAME}\s?\]\{{babel\}}
    |\\set(?:main|default)language(?:\[[^\]\n]{{0,200}}\])?\{{{_NAME}\}}""",
    re.X | re.I | re.M,
)

HEAD = 20_000
"""So many characters may hold the declaration."""


def has_comma_language(text: str) -> bool:
    """Whether a file says that it is in a language whose decimals follow a comma.

    It says so at its head: in front matter, by <html lang="de">, #+LANGUAGE or the package babel.
    """
    return bool(_TONGUE.search(text[:HEAD]))
