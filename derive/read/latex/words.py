"""Letters and words: what may be one name, and how labels are spelled out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from derive.read.latex.alphabet import LETTER_COMMANDS, STYLES, UPRIGHT
from derive.read.latex.grammar import Parser
from derive.read.latex.tokens import Token

_WORD = re.compile(r"[^\W\d_][\w\-]*")
_NO_NAMES = frozenset(
    "if when where and or otherwise else for with while then is are let subject such that "
    "as since because so the in of to".split()
)
_TWO_LETTERS = frozenset("ln lg pi mu nu xi if is or in of to".split())
_LABEL_SIGNS = frozenset("+-*/(),:<>='|.")


def is_word(letters: str) -> bool:
    """Whether letters side by side look like a word rather than a product.

    Two are a product (but dx is not), and so are more that follow each other in the alphabet: xyz.
    """
    if len(letters) < 3:
        return letters in _TWO_LETTERS or (len(letters) == 2 and letters[0] == "d")
    return any(ord(b) - ord(a) != 1 for a, b in pairwise(letters))


def run(parser: Parser) -> list[Token]:
    """The letters that stand without a gap from here on."""
    found = [parser.next]
    for token in parser.tokens[parser.position + 1 :]:
        if token.kind != "letter" or token.gap:
            break
        found.append(token)
    return found


def check_run(parser: Parser) -> None:
    """InputError where bare letters may be a word; every letter a known matrix is a product."""
    before = parser.last
    if parser.position and before.kind == "letter" and not parser.next.gap:
        return
    letters = run(parser)
    text = "".join(t.text for t in letters)
    after = parser.tokens[parser.position + len(letters)]
    abbreviated = len(text) == 2 and text.isupper() and after.kind == "_"
    if (is_word(text) or abbreviated) and not all(
        t.text in parser.context.matrices for t in letters
    ):
        hint = rf"write \mathrm{{{text}}} for one name, {' '.join(text)} for a product"
        if text in ("ln", "lg", "pi", "mu", "nu", "xi"):
            hint = rf"write \{text} for the sign, {' '.join(text)} for a product"
        span = letters[0].start, letters[-1].end
        raise parser.error(f"'{text[:40]}' may be one name or a product of letters", span, hint)


def checked_word(parser: Parser, token: Token) -> str:
    """The word of \\text{word}; InputError unless it can be a name."""
    word = token.text.strip()
    if _WORD.fullmatch(word) and word.lower() not in _NO_NAMES and word == token.text:
        return word
    message = "words stand in the formula" if word else "the text is empty"
    hint = "give the formula alone; a name of a quantity has no spaces"
    raise parser.error(message, token, hint)


def is_lettered(parser: Parser, token: Token) -> bool:
    """Whether a text is one bold or slanted letter, \\textbf{Q}: a letter as any other."""
    command = parser.context.source.text[token.start : token.start + 8]
    return len(token.text) == 1 and command in (r"\textbf{", r"\textit{")


def label(parser: Parser, tokens: Sequence[Token]) -> list[str]:
    """The parts of a subscript or label: letters, numbers, words, signs."""
    parts: list[str] = []
    position = 0
    while position < len(tokens):
        position += _part(parser, tokens, position, parts)
    return parts


def _part(parser: Parser, tokens: Sequence[Token], at: int, parts: list[str]) -> int:
    """Append the part at a position; how many tokens it takes."""
    token = tokens[at]
    if token.kind == "letter":
        letters = [token]
        for following in tokens[at + 1 :]:
            if following.kind != "letter" or following.gap:
                break
            letters.append(following)
        texts = [t.text for t in letters]
        parts.extend(["".join(texts)] if is_word("".join(texts)) else texts)
        return len(letters)
    if token.kind == "text":
        parts.append(
            checked_word(parser, token)
            if token.text.strip() != token.text or " " in token.text
            else token.text
        )
        return 1
    if token.kind in ("number", *_LABEL_SIGNS):
        parts.append(token.text)
        return 1
    if token.kind in ("_", "{", "}"):
        parts.extend(["_"] if token.kind == "_" else [])
        return 1
    if token.kind == "command" and _is_label(token):
        parts.extend([] if token.text in STYLES or token.text in UPRIGHT else [token.text])
        return 1 if token.text not in UPRIGHT else _upright(parser, tokens, at, parts)
    hint = r"a label holds letters, digits and words: x_{i}, d_{\text{model}}"
    raise parser.error("this has no place in a label", token, hint)


def _is_label(token: Token) -> bool:
    words = ("pi", "infty", "max", "min", "top", "prime", "exp", "log")
    return (
        token.text in LETTER_COMMANDS
        or token.text in words
        or token.text in STYLES
        or (token.text in UPRIGHT)
    )


def _upright(parser: Parser, tokens: Sequence[Token], at: int, parts: list[str]) -> int:
    """\\mathrm{in} inside a label is one part."""
    last = at + 1
    if last < len(tokens) and tokens[last].kind == "{":
        while last < len(tokens) and tokens[last].kind != "}":
            last += 1
    inner = tokens[at + 1 : last + 1]
    parts.append("".join(t.text for t in inner if t.kind in ("letter", "number", "-")))
    if not parts[-1]:
        raise parser.error("this label is empty", tokens[at], r"write d_{\mathrm{in}}")
    return len(inner) + 1
