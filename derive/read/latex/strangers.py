"""What to say of a sign that has no place where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.errors import InputError, nearest, quoted
from derive.read.latex.alphabet import (
    ACCENTS,
    FUNCTION_COMMANDS,
    LETTER_COMMANDS,
    REFUSED,
    RELATIONS,
    SLASH,
    STYLES,
    TIMES,
)
from derive.read.latex.tokens import sign_of

if TYPE_CHECKING:
    from derive.read.latex.grammar import Parser
    from derive.read.latex.tokens import Token

_SAID = {
    ")": ("this bracket was never opened", "take it out, or write ( where it begins"),
    "]": ("this bracket was never opened", "take it out, or write [ where it begins"),
    "}": ("this brace was never opened", "take it out, or write { where it begins"),
    "\\}": ("this bracket was never opened", r"take it out, or write \{ where it begins"),
    ",": ("a comma joins two values", "give one formula at a time; decimals have a point: 0.5"),
    ";": ("a semicolon joins two values", "give one formula at a time"),
    ":": ("a colon may say a ratio or that something follows", r"write / or \frac for a ratio"),
    ".": ("a full stop is no part of a formula", "leave it out"),
    "&": ("& stands outside a matrix and outside aligned lines", r"write \begin{aligned} round it"),
    "row": (r"\\ stands outside a matrix and outside aligned lines", "give one formula at a time"),
    "end": ("this environment was never begun", r"write \begin{...} where it begins"),
    "wide": ("wide space separates two formulas", "give one formula at a time"),
    "^": ("a superscript stands where none is read", "put what it belongs to in brackets"),
    "_": ("a subscript stands where none is read", "put it on a letter: x_{1}"),
    "!": ("a second exclamation mark follows", "write the factorial's value, or use brackets"),
    "'": ("a prime stands where none is read", r"write the derivative as \frac{d f}{d x}"),
    "|": ("a bar stands where none is read", r"write \left| ... \right| for an absolute value"),
    "\\|": ("norms are not read here", r"write \sqrt{x_{1}^{2} + x_{2}^{2}}"),
}
_KNOWN = (*LETTER_COMMANDS, *FUNCTION_COMMANDS, *ACCENTS, *STYLES, "frac", "sqrt", "sum", "cdot")


_SPELLED = {"<=": r"\le", ">=": r"\ge", "==": "=", "<<": "<", ">>": ">", "**": "^{...}"}


def _missing(parser: Parser, token: Token) -> tuple[str, str] | None:
    """What to say of a sign before which a value is missing."""
    sign = sign_of(token)
    pair = parser.last.kind + sign
    if pair in _SPELLED and not token.gap and parser.position:
        return f"{quoted(pair)} is no sign of LaTeX", f"write {_SPELLED[pair]}"
    if sign in TIMES | SLASH | RELATIONS.keys() and sign not in ("=", "*", "<", ">", "/"):
        return f"a value is missing before {sign}", "write the value that is missing"
    return None


def stranger(parser: Parser, token: Token) -> InputError:
    """The error for a token that no rule takes."""
    if token.kind == "stop":
        hint = "write the value that is missing"
        return parser.error("a value is missing here", token, hint, "a number, a letter, a bracket")
    if token.kind == "command" and token.text in REFUSED:
        return parser.error(REFUSED[token.text][0], token, REFUSED[token.text][1])
    if (said := _missing(parser, token)) is not None:
        return parser.error(said[0], token, said[1])
    if token.kind == "command":
        near = nearest(token.text, _KNOWN)
        hint = rf"did you mean \{near}?" if near else "leave it out, or write what it stands for"
        return parser.error(rf"\{token.text} is not read here", token, hint)
    if token.kind == "number" and token.text.endswith(".") and parser.last.kind in ("^", "_"):
        return parser.error(_SAID["."][0], token, _SAID["."][1])
    if token.kind == "," and parser.last.kind == "number":
        message = "a comma after digits may be a point, thousands or a list"
        hint = "write 0.5 for a decimal, 1{,}234 for thousands, [[1, 2]] for a row"
        return parser.error(message, token, hint)
    if token.kind in _SAID:
        return parser.error(_SAID[token.kind][0], token, _SAID[token.kind][1])
    if token.kind == "\\{":
        message = "braces that show hold a set, or are brackets of another kind"
        return parser.error(message, token, r"write ( ) for brackets, \begin{bmatrix} for a matrix")
    message = f"{quoted(token.text)} stands where a value should"
    return parser.error(message, token, "write the value that is missing")
