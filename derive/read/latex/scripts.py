"""What stands behind an atom: superscripts, subscripts, primes, factorials."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from derive.read.latex.alphabet import LETTER_COMMANDS
from derive.read.latex.grammar import Parser
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import (
    Call,
    Constant,
    Grid,
    MatrixName,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Transpose,
)
from derive.read.latex.source import Span
from derive.read.latex.tokens import Token
from derive.read.latex.words import label

_TURNED = frozenset(("top", "intercal", "T"))
_ORDINALS = frozenset(("th", "st", "nd", "rd"))
_DIVIDED = ("/", "fraction")


@dataclass(frozen=True)
class Label:
    """A superscript as a label: surely one, a transpose, or perhaps one."""

    kind: str
    text: str


@dataclass(frozen=True)
class Scripts:
    """The scripts of one atom, as tokens."""

    lower: Sequence[Token] | None = None
    upper: Sequence[Token] | None = None
    primes: int = 0
    upper_first: bool = False
    span: Span = (0, 0)
    closing: Token | None = None

    def label(self, parser: Parser) -> Label | None:
        """The superscript where it may be a label."""
        if not self.upper:
            return None
        kinds = [t.kind for t in self.upper]
        if is_turned(self.upper):
            return Label("transpose", "T")
        if _spelled(self.upper) in _ORDINALS:
            hint = "leave it out: it is a word and no value"
            raise parser.error("this says the place in an order", self.span, hint)
        if _enclosing(self.upper) == "(" and _is_plain(self.upper[1:-1]):
            return Label("sure", "".join(label(parser, self.upper)))
        if kinds == ["*"] or (len(kinds) == 1 and self.upper[0].is_command("ast", "star")):
            return Label("sure", "*")
        if kinds[0] == "text" or _is_upright(self.upper):
            return Label("sure", "".join(label(parser, self.upper)))
        if kinds == ["letter"] and self.upper[0].text.isupper():
            return Label("perhaps", self.upper[0].text)
        return None


def scripts(parser: Parser) -> Scripts:
    """All scripts behind the atom just read."""
    start = parser.next
    lower = upper = closing = None
    primes, first = 0, False
    while parser.next.kind in ("_", "^", "'"):
        sign = parser.advance()
        if sign.kind == "'":
            primes += 1
            continue
        tokens, end = _script(parser, sign)
        if sign.kind == "^" and tokens and all(t.is_command("prime") for t in tokens):
            primes += len(tokens)
        elif sign.kind == "_" and lower is None:
            lower = tokens
        elif sign.kind == "^" and upper is None:
            upper, closing, first = tokens, end, lower is None
        else:
            what = "subscript" if sign.kind == "_" else "superscript"
            hint = "write {x^{a}}^{b} with the braces that are meant, or (x^{a})^{b}"
            raise parser.error(f"a second {what} follows", sign, hint)
    if primes and upper is not None:
        raise parser.error("a prime and a superscript stand together", start, "write (x')^{2}")
    return Scripts(lower, upper, primes, first, (start.start, parser.last.end), closing)


def _script(parser: Parser, sign: Token) -> tuple[Sequence[Token], Token]:
    if parser.next.kind == "{":
        return parser.group()
    token = parser.next
    if token.kind == "number" and token.text[1:] == ".":
        raise parser.error("a full stop is no part of a formula", token, "leave it out")
    if token.kind == "number" and len(token.text) > 1:
        hint = f"write {sign.kind}{{{token.text}}}"
        message = f"TeX takes only the first digit of {token.text[:20]} here"
        raise parser.error(message, token, hint)
    if token.kind in ("number", "letter", "*", "text"):
        return [parser.advance()], token
    if token.kind == "command":
        return _command_script(parser)
    hint = f"put braces round it: {sign.kind}{{...}}"
    raise parser.error("it is not clear what stands in this script", token, hint)


def _command_script(parser: Parser) -> tuple[Sequence[Token], Token]:
    token = parser.next
    if token.text in ("top", "intercal", "prime", "ast", "star") or parser.is_letter(token):
        return [parser.advance()], token
    if token.text in ("mathrm", "mathsf", "mathbf", "mathit", "mathtt", "mathcal", "operatorname"):
        start = parser.position
        parser.advance()
        if parser.next.kind == "{":
            parser.group()
        else:
            parser.single()
        return parser.tokens[start : parser.position], parser.last
    hint = "put braces round it: ^{...}"
    raise parser.error("it is not clear what stands in this script", token, hint)


def is_turned(tokens: Sequence[Token]) -> bool:
    """Whether a superscript is the sign of a transpose, in one of its spellings."""
    bare = [t for t in tokens if t.kind not in ("{", "}")]
    styled = bare and bare[0].is_command("mathsf", "mathrm", "rm", "mathtt", "mathit", "mathbf")
    bare = bare[1:] if styled else bare
    is_text = len(bare) == 1 and bare[0].kind == "text" and bare[0].text == "T"
    return is_text or (len(bare) == 1 and bare[0].text in _TURNED and bare[0].kind != "text")


def postfix(parser: Parser, value: Node) -> Node:
    """The value with the scripts and the factorial behind it."""
    if parser.next.kind in ("_", "^", "'"):
        found = scripts(parser)
        if found.lower is not None or found.primes:
            hint = "put it on a letter: x_{1}; write a transpose as ^{\\top}"
            raise parser.error("this script belongs to no letter", found.span, hint)
        value = powered(parser, value, found)
    if parser.next.kind == "!":
        return _factorial(parser, value)
    return value


def powered(parser: Parser, base: Node, found: Scripts) -> Node:
    """base to the superscript, turned over where it says so."""
    if found.upper is None:
        return base
    if not found.upper:
        raise parser.error("this superscript is empty", found.span, "write x^{2}, or leave it out")
    if is_turned(found.upper) and not isinstance(base, (Number, Constant)):
        return _transposed(parser, base, found)
    _check_capitals(parser, base, found)
    _check_label(parser, base, found)
    assert found.closing is not None
    if found.upper[-1].is_command("circ"):
        hint = r"write radians: \frac{\pi}{2}"
        raise parser.error("degrees are not read here", found.span, hint)
    exponent = parser.inside(found.upper, found.closing).whole()
    span = base.span[0], found.span[1]
    if is_matrix(exponent):
        hint = "write each entry's exponential"
        raise parser.error("a power with a matrix above has two meanings", found.span, hint)
    if is_matrix(base) and not _is_whole(exponent):
        message = "a matrix is raised only to whole numbers"
        raise parser.error(message, found.span, r"write ^{2}, ^{-1} or ^{\top}")
    return Power(span, base, exponent)


def _transposed(parser: Parser, base: Node, found: Scripts) -> Node:
    if is_matrix(base):
        return Transpose((base.span[0], found.span[1]), base)
    message = "this may be a transpose or a power, and the letter is not known to be a matrix"
    hint = f'for a matrix, read_latex(text, matrices=("{spelled(parser, base)}",))'
    if not isinstance(base, Name):
        hint = "name the matrices in it: read_latex(text, matrices=(...))"
    raise parser.error(message, (base.span[0], found.span[1]), hint)


def spelled(parser: Parser, node: Node) -> str:
    """A name as a caller may give it."""
    if isinstance(node, (Name, MatrixName)):
        return node.name
    text = parser.context.source.text[slice(*node.span)].partition("^")[0]
    return re.sub(r"[\\{}\s]", "", text)[:20]


def _check_capitals(parser: Parser, base: Node, found: Scripts) -> None:
    """InputError where what stands above a capital may be a label: W^Q, V^\\pi."""
    upper = found.upper or ()
    if len(upper) != 1 or isinstance(base, (Number, Constant)):
        return
    above = upper[0].kind == "letter" and upper[0].text.isupper()
    capital = isinstance(base, MatrixName) or (isinstance(base, Name) and base.name[:1].isupper())
    if capital and (above or upper[0].is_command("pi")):
        name = spelled(parser, base)
        message = f"{upper[0].text} above {name} may be a label or a power"
        hint = f'for a matrix, read_latex(text, matrices=("{name}^{upper[0].text}",))'
        raise parser.error(message, (base.span[0], found.span[1]), hint)


def _check_label(parser: Parser, base: Node, found: Scripts) -> None:
    """InputError where what stands above may be a label: C^{(2k+1)}, Z^{[l]}, T^{ij}, b^e."""
    upper = found.upper or ()
    if isinstance(base, (Number, Constant)):
        return
    name, hint = base.name if isinstance(base, (Name, MatrixName)) else "", ""
    text = _spelled(upper)
    if (bracket := _enclosing(upper)) and not any(
        t.kind in _DIVIDED or t.is_command("frac", "tfrac", "dfrac") for t in upper
    ):
        if bracket == "[" or name or len(upper) == 3:
            hint = "for a power leave the brackets out; labels are x^{(i)}, x^{(t-1)}"
    elif name and len(text) > 1 and [t.text for t in upper] == list(text):
        if name[:1].isupper() or set(text) <= set("ijkl"):
            hint = rf"write {' '.join(text)} with \cdot between them for a power, indices below"
    elif name and text == "e" and upper[0].kind == "letter":
        hint = r"write \mathrm{e} for Euler's number, or another letter"
    if hint:
        message = "what stands above may be a label or a power"
        raise parser.error(message, (base.span[0], found.span[1]), hint)


def _spelled(tokens: Sequence[Token]) -> str:
    """The letters of a script, whatever their style; empty where it holds anything else."""
    bare = [t for t in tokens if t.kind not in ("{", "}")]
    bare = [t for t in bare if not t.is_command("mathrm", "mathit", "rm", "textsuperscript")]
    is_letters = all(t.kind in ("letter", "text") for t in bare)
    return "".join(t.text for t in bare) if is_letters else ""


def _enclosing(tokens: Sequence[Token]) -> str:
    """The bracket that stands round all of a script, if one does."""
    if not tokens or tokens[0].kind not in ("(", "["):
        return ""
    depth = 0
    for k, token in enumerate(tokens):
        depth += (token.kind in ("(", "[")) - (token.kind in (")", "]"))
        if depth == 0:
            return tokens[0].kind if k == len(tokens) - 1 else ""
    return ""


def _factorial(parser: Parser, value: Node) -> Node:
    sign = parser.advance()
    if isinstance(value, (Power, Grid, Call)) or is_matrix(value) or parser.next.kind in ("!", "^"):
        hint = "put what it belongs to in brackets"
        raise parser.error("it is not clear what the factorial covers", sign, hint)
    return Call((value.span[0], sign.end), "factorial", (value,))


def _is_whole(exponent: Node) -> bool:
    inner = exponent.inner if isinstance(exponent, Negative) else exponent
    return isinstance(inner, Number) and inner.value.denominator == 1


def _is_plain(tokens: Sequence[Token]) -> bool:
    """Whether brackets in a superscript hold no more than a counter: (1), (l), (t-1)."""
    counters = ("letter", "number", "-", "+")
    is_counter = [t.kind in counters or t.is_command(*LETTER_COMMANDS) for t in tokens]
    return 0 < len(tokens) <= 3 and all(is_counter)


def _is_upright(tokens: Sequence[Token]) -> bool:
    """\\mathrm{in}: a word of several letters."""
    if not tokens[0].is_command("mathrm", "mathit", "operatorname", "mathsf"):
        return False
    return sum(t.kind == "letter" for t in tokens) > 1 and tokens[-1].kind == "}"
