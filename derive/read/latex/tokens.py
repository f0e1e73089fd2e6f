"""The words of a formula, each with its place; whatever has no meaning is refused here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from derive.errors import InputError, quoted
from derive.read.latex.alphabet import (
    DELIMITERS,
    FRACTIONS,
    GREEK,
    IGNORED,
    LOWERED,
    RAISED,
    SIGNS,
    SIZES,
    TEXTS,
    THIN,
    WIDE,
)
from derive.read.latex.source import Source, Span
from derive.read.tokens import GREEK as GREEK_LETTERS

MAX_LENGTH = 20_000
MAX_TOKENS = 6_000
MAX_DEPTH = 40

_WORD = re.compile(
    r"""
      (?P<gap>[ \t\r\n\u00a0\u2002\u2003\u2009\u202f\u3000]+)
    | (?P<comment>%[^\n]*(?:\n|\Z))
    | (?P<environment>\\(?P<which>begin|end)\s*\{(?P<name>[a-zA-Z]{1,20}\*?)\})
    | (?P<row>\\\\(?:\*)?(?:\s?\[\s*-?[\d.]+\s*(?:pt|em|ex|mm|cm|in|baselineskip|\\\w+)\s*\])?
        |\\cr(?![a-zA-Z])|\\tabularnewline(?![a-zA-Z]))
    | (?P<command>\\(?:operatorname\*|[a-zA-Z]+|[^a-zA-Z]))
    | (?P<number>\d+(?:\.\d+)?\.?|\.\d+)
    | (?P<letter>[A-Za-z])
    | (?P<sign>[-+*/()\[\]{}|^_&=<>,;:!'.~])
    """,
    re.VERBOSE | re.ASCII,
)
_BRACED = re.compile(r"\s*\{([^{}\\$]*)\}")
_LABELS = frozenset(("tag", "label", "tag*"))
_SPACED = re.compile(r"\s*(?:\{[^{}]*\}|-?[\d.]+\s*(?:pt|em|ex|mm|cm))?")


@dataclass(frozen=True)
class Token:
    """`kind` is number, letter, command, text, begin, end of an environment, row, wide or stop,
    or else the sign itself; `gap` is what stands before: nothing, " " or "thin"; `side` is the
    "left" or "right" of a stretched bracket."""

    kind: str
    text: str
    start: int
    end: int
    gap: str = ""
    side: str = ""

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.start, self.end

    def is_command(self, *names: str) -> bool:
        """Whether it is one of these commands."""
        return self.kind == "command" and self.text in names


def tokenize(source: Source, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a part of the source, closed by one of kind "stop"."""
    end = len(source.text) if end is None else end
    if end - start > MAX_LENGTH:
        message = f"a formula of {end - start:,} characters is too long"
        hint = f"split it: at most {MAX_LENGTH:,} characters are read at once"
        raise source.error(message, (start, start + 1), hint)
    found: list[Token] = []
    count = depth = 0
    for token in _Scanner(source, start, end).tokens():
        found.append(token)
        count += token.kind not in ("{", "}")
        depth += (token.kind == "{") - (token.kind == "}")
        if depth > MAX_DEPTH:
            hint = f"name its parts: at most {MAX_DEPTH} levels are read"
            raise source.error("the formula is nested too deeply", token.span, hint)
        if count > MAX_TOKENS or len(found) > 2 * MAX_TOKENS:
            hint = f"split it: at most {MAX_TOKENS:,} signs are read at once"
            raise source.error("the formula has too many signs", token.span, hint)
    return [*found, Token("stop", "", end, end)]


class _Scanner:
    """One pass over the text."""

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source, self.position, self.end = source, start, end
        self.plain = source.plain
        self.gap = ""

    def tokens(self) -> Iterator[Token]:
        while self.position < self.end:
            match = _WORD.match(self.plain, self.position, self.end)
            made = self.special() if match is None else self.word(match)
            for token in made:
                yield replace(token, gap=self.gap) if self.gap else token
                self.gap = ""

    def word(self, match: re.Match[str]) -> Iterator[Token]:
        start, self.position = match.span()
        group, text = match.lastgroup or "", match[0]
        if group in ("gap", "comment") or text == "~":
            self.gap = "thin" if text == "~" else self.gap or " "
        elif match["environment"]:
            yield from self.environment(match)
        elif group == "row":
            yield Token("row", text, start, self.position)
        elif group == "command":
            yield from self.command(text[1:], start)
        else:
            yield Token(text if group == "sign" else group, text, start, self.position)

    def environment(self, match: re.Match[str]) -> Iterator[Token]:
        if match["which"] == "begin" and match["name"] in ("array", "alignedat", "alignat*"):
            self.position = self.past_braces(match.span())
        if match["which"] == "begin" and match["name"].endswith("matrix*"):
            option = re.compile(r"\s*\[[lcr]\]").match(self.plain, self.position, self.end)
            self.position = option.end() if option else self.position
        kind = "begin" if match["which"] == "begin" else "end"
        yield Token(kind, match["name"], match.start(), match.end())

    def past_braces(self, opened: Span) -> int:
        """The end of the column letters of an array, braces and all."""
        depth, position = 0, self.position
        while position < self.end:
            char = self.plain[position]
            depth += (char == "{") - (char == "}")
            position += 1
            if char == "}" and depth == 0:
                return position
            if depth == 0 and not char.isspace():
                break
        raise self.error("this array has no columns", opened, r"write \begin{array}{cc}")

    def command(self, name: str, start: int) -> Iterator[Token]:
        span = start, self.position
        if name in THIN:
            self.gap = "thin"
        elif name in WIDE:
            self.position = _end(_SPACED.match(self.plain, self.position, self.end), span[1])
            yield Token("wide", name, *span)
        elif name in _LABELS:
            self.position = _end(_BRACED.match(self.plain, self.position, self.end), span[1])
        elif name in TEXTS:
            yield self.words(name, span)
        elif name in ("left", "right") or name in SIZES:
            yield self.bracket(name, span)
        elif "\\" + name in DELIMITERS:
            yield Token(DELIMITERS["\\" + name], "\\" + name, *span)
        elif name not in IGNORED:
            yield Token("command", name, *span)

    def words(self, name: str, span: Span) -> Token:
        match = _BRACED.match(self.source.text, self.position, self.end)
        if not match:
            raise self.error(rf"\{name} holds no plain words", span, rf"write \{name}{{word}}")
        self.position = match.end()
        return Token("text", match[1], span[0], match.end())

    def bracket(self, name: str, span: Span) -> Token:
        match = re.compile(r"\s*(\\[a-zA-Z]+|\\.|.)").match(self.plain, span[1], self.end)
        sign = match[1] if match else ""
        if match is None or sign not in DELIMITERS:
            message = rf"\{name} is followed by no bracket that is read here"
            raise self.error(message, span, r"write \left( ... \right)")
        self.position = match.end()
        side = name if name in ("left", "right") else ""
        return Token(DELIMITERS[sign], f"\\{name}{sign}", span[0], match.end(), side=side)

    def special(self) -> Iterator[Token]:
        """Unicode signs: each is a token, or a raised or lowered number."""
        start, char = self.position, self.source.text[self.position]
        self.position += 1
        span = start, start + 1
        if char in RAISED or char in LOWERED:
            yield from self.script(char, start)
        elif char in SIGNS:
            name = SIGNS[char]
            yield Token("command" if name[0] == "\\" else name, name.lstrip("\\"), *span)
        elif char in FRACTIONS:
            yield Token("fraction", char, *span)
        elif char in GREEK_LETTERS:
            name = GREEK_LETTERS[char].replace("lamda", "lambda").replace("Lamda", "Lambda")
            yield Token("command" if name in GREEK else "letter", name, *span)
        else:
            raise self.stranger(char, span)

    def script(self, char: str, start: int) -> Iterator[Token]:
        sign, table = ("^", RAISED) if char in RAISED else ("_", LOWERED)
        while self.position < self.end and self.source.text[self.position] in table:
            self.position += 1
        raw = "".join(table[c] for c in self.source.text[start : self.position])
        yield Token(sign, raw, start, self.position)
        yield Token("{", "{", start, self.position)
        if raw[0] in "+-":
            yield Token(raw[0], raw[0], start, self.position)
        if digits := raw.lstrip("+-"):
            if not digits.isdigit():
                raise self.stranger(char, (start, self.position))
            yield Token("number", digits, start, self.position)
        yield Token("}", "}", start, self.position)

    def stranger(self, char: str, span: Span) -> InputError:
        if char == "≈":
            return self.error("≈ is not read here", span, r"write \approx")
        if char == "\\":
            return self.error("a backslash stands alone", span, "leave it out")
        kind = unicodedata.category(char)[0]
        hint = "leave it out"
        if kind == "L":
            hint = rf"words stand in \text{{{char}...}}, and names of several letters in \mathrm"
        name = f" ({unicodedata.name(char, 'no name')})" if kind in "CZ" else ""
        return self.error(f"{quoted(char)}{name} has no meaning in a formula", span, hint)

    def error(self, message: str, span: Span, hint: str) -> InputError:
        return self.source.error(message, span, hint)


def _end(match: re.Match[str] | None, otherwise: int) -> int:
    return match.end() if match else otherwise


def sign_of(token: Token) -> str:
    """A sign by itself, a command with its backslash."""
    return "\\" + token.text if token.kind == "command" else token.kind
