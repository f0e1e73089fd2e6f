"""Names: letters with their style, accent, subscript, primes and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from derive.read.latex.alphabet import (
    ACCENTS,
    EXTREMES,
    FUNCTIONS,
    LETTER_COMMANDS,
    STYLES,
    UPRIGHT,
)
from derive.read.latex.applied import called, check_word
from derive.read.latex.grammar import Parser
from derive.read.latex.nodes import Constant, MatrixName, Name, Node
from derive.read.latex.scripts import Scripts, powered, scripts
from derive.read.latex.tokens import Token
from derive.read.latex.words import check_run, checked_word, is_lettered, label, run

ENTRIES = frozenset("H W_Q W_K W_V W_O Q K V S A C E O Z M K^T tildeS hatS".split())
"""The letters of the subject, whose entries are numbered S_1_12 where S_112 would be unclear."""
_PROJECTIONS = frozenset("QKVO")


def name(parser: Parser) -> Node:
    """The name at hand, a constant, or the call of a function."""
    start = parser.next
    base, style = _declared_run(parser) or stem(parser)
    if style == "word" and (base in FUNCTIONS or base in EXTREMES):
        return _known_function(parser, base, start)
    found = scripts(parser)
    if base in ("e", "pi") and style in ("", "constant") and not found.lower and not found.primes:
        _check_constant(parser, start)
        return powered(parser, Constant(parser.since(start), base), found)
    node, found = _named(parser, base, found, start)
    _check_style(parser, node, style)
    value = powered(parser, node, found)
    _check_difference(parser, node)
    check_word(parser, value, style)
    return called(parser, value, node, style)


def _check_constant(parser: Parser, start: Token) -> None:
    """InputError where \\pi or e before a bracket may be a policy or an error: \\pi(a)."""
    before = (
        parser.tokens[parser.tokens.index(start) - 1] if start is not parser.tokens[0] else None
    )
    is_factor = before is not None and before.kind in ("number", "}")
    if parser.next.kind == "(" and not is_factor:
        factor = parser.context.source.text[slice(*start.span)]
        hint = rf"write {factor} \cdot (...) for a product, another letter for a function"
        message = f"{factor}( may begin a function's value or a product"
        raise parser.error(message, (start.start, parser.next.end), hint)


def _check_difference(parser: Parser, node: Node) -> None:
    """InputError where \\Delta x may be one quantity."""
    follows = parser.next.kind == "letter" or parser.next.is_command(*LETTER_COMMANDS)
    if isinstance(node, Name) and node.name == "Delta" and follows:
        hint = r"write \Delta \cdot x for a product, \Delta_{x} for a difference"
        message = r"\Delta before a letter may be a difference or a factor"
        raise parser.error(message, (node.span[0], parser.next.end), hint)


def stem(parser: Parser) -> tuple[str, str]:
    """The letter or word without scripts, and its style."""
    token = parser.next
    if token.kind == "letter":
        check_run(parser)
        return parser.advance().text, ""
    parser.advance()
    if token.kind == "text":
        return checked_word(parser, token), "bold" if is_lettered(parser, token) else "word"
    if token.text in ACCENTS:
        base, style = _inner(parser)
        return token.text + base, style
    if token.text in STYLES:
        return _styled(parser, token)
    if token.text in UPRIGHT:
        return _upright(parser, token)
    return token.text, ""


def _declared_run(parser: Parser) -> tuple[str, str] | None:
    """A run of letters that is, as a whole, known to be a matrix."""
    if parser.next.kind != "letter" or (parser.position and parser.last.kind == "letter"):
        return None
    letters = run(parser)
    text = "".join(t.text for t in letters)
    if len(text) < 2 or text not in parser.context.matrices:
        return None
    parser.position += len(letters)
    return text, ""


def _inner(parser: Parser) -> tuple[str, str]:
    """The one letter under an accent or in a style."""
    if parser.next.kind != "{":
        if parser.next.kind == "command":
            return stem(parser)
        return parser.single().text, ""
    opening = parser.next
    tokens, closing = parser.group()
    inside = parser.inside(tokens, closing)
    if not tokens or inside.next.kind not in ("letter", "command", "text"):
        hint = r"write one letter: \hat{y}, \mathbf{x}"
        raise parser.error("this applies to no letter", opening, hint)
    if len(tokens) > 1 and all(t.kind == "letter" for t in tokens):
        text = "".join(t.text for t in tokens)
        hint = rf"write \mathrm{{{text}}} for a name, or each letter by itself"
        raise parser.error("it is not clear whether this is one name", parser.since(opening), hint)
    found = stem(inside)
    if inside.next.kind != "stop":
        hint = r"write the scripts outside: \hat{y}_{1}"
        raise parser.error("more than a letter stands here", inside.next, hint)
    return found


def _styled(parser: Parser, token: Token) -> tuple[str, str]:
    if token.text == "mathbb":
        message = "a blackboard letter is a set or an expectation"
        raise parser.error(message, token, "write the numbers that are meant, or a plain letter")
    kinds = [t.text for t in parser.tokens[parser.position : parser.position + 3]]
    if kinds[:1] == ["1"] or kinds == ["{", "1", "}"]:
        parser.position += 1 if kinds[:1] == ["1"] else 3
        return "ones", STYLES[token.text]
    base, style = _inner(parser)
    return base, STYLES[token.text] or style


def _upright(parser: Parser, token: Token) -> tuple[str, str]:
    """\\mathrm{word}, \\operatorname{word}, \\mathop{\\mathrm{word}}."""
    if parser.next.kind != "{":
        raise parser.error("it is not clear where the name ends", token, r"write \mathrm{name}")
    tokens, closing = parser.group()
    if tokens and tokens[0].kind in ("command", "text"):
        inside = parser.inside(tokens, closing)
        found = stem(inside)
        if inside.next.kind == "stop":
            return found
        raise parser.error("more than one name stands here", inside.next, r"write \mathrm{name}")
    word = "".join(t.text for t in tokens)
    if not word or tokens[0].kind != "letter" or not all(_in_word(t) for t in tokens):
        raise parser.error("this is no name", parser.since(token), r"write \mathrm{name}")
    if len(word) == 1:
        return (word, "constant") if word == "e" else (word, _single(parser, token, word))
    return checked_word(parser, replace(token, kind="text", text=word)), "word"


def _in_word(token: Token) -> bool:
    return token.kind in ("letter", "number", "-")


def _single(parser: Parser, token: Token, word: str) -> str:
    if word == "d" and token.text != "operatorname":
        message = "an upright d is a differential"
        raise parser.error(
            message, parser.since(token), r"write \frac{d f}{d x}, or d for a letter"
        )
    return "upright"


def _named(parser: Parser, base: str, found: Scripts, start: Token) -> tuple[Node, Scripts]:
    """The name with its subscript and labels, and what is left of the scripts."""
    known = parser.context.matrices
    index = tuple(label(parser, found.lower)) if found.lower else ()
    if found.lower is not None and not index:
        raise parser.error("this subscript is empty", found.span, "write x_{1}, or leave it out")
    text = f"{base}_{_joined(base, index, known)}" if index else base
    for spelled, owner in _labelled(parser, base, index, text, found):
        if owner is not None or spelled in known:
            rest = replace(found, upper=None, primes=0)
            span = parser.since(start)
            is_matrix = spelled in known
            node = (
                MatrixName(span, spelled) if is_matrix else Name(span, spelled, owner or "", index)
            )
            return node, rest
    if text in known or text == "ones":
        return MatrixName(parser.since(start), text), found
    return Name(parser.since(start), text, base, index), found


def _joined(base: str, index: Sequence[str], known: frozenset[str]) -> str:
    """The subscript's text; numbered entries of matrices are parted by _."""
    numbered = "," in index and all(part.isdigit() or part == "," for part in index)
    is_entry = numbered and (base in ENTRIES or base in known)
    return "".join("_" if part == "," and is_entry else part for part in index)


def _labelled(
    parser: Parser, base: str, index: tuple[str, ...], text: str, found: Scripts
) -> list[tuple[str, str | None]]:
    """Spellings of the name with its superscript as a label: (name, base if it is surely one)."""
    below = f"_{_joined(base, index, parser.context.matrices)}" if index else ""
    if found.primes and base in parser.context.matrices:
        message = f"a prime on the matrix {base} may be a transpose or another matrix"
        raise parser.error(message, found.span, rf"write {base}^{{\top}}, or another letter")
    if found.primes and found.upper is None:
        return [(text + "'" * found.primes, base + "'" * found.primes)]
    upper = found.label(parser)
    if upper is None:
        return []
    if upper.kind == "sure":
        return [(f"{text}^{upper.text}", f"{base}^{upper.text}")]
    if upper.kind == "transpose":
        is_entry = bool(index) and found.upper_first and len(base) == 1 and base.isupper()
        return [(f"{base}^T{below}", f"{base}^T")] if is_entry else []
    spelled = [(f"{text}^{upper.text}", None), (f"{base}_{upper.text}{below}", None)]
    if base == "W" and upper.text in _PROJECTIONS and index and index[0].isdigit():
        entry = f"W_{upper.text}"
        return [(f"{entry}_{_joined(entry, index, frozenset())}", entry)]
    if base == "W" and upper.text in _PROJECTIONS and index:
        return [(f"W_{upper.text}{below}", f"W_{upper.text}")]
    return spelled  # type: ignore[return-value]


def _known_function(parser: Parser, base: str, start: Token) -> Node:
    from derive.read.latex.calls import extreme_after, function_after

    return (
        extreme_after(parser, base, start)
        if base in EXTREMES
        else function_after(parser, base, start)
    )


def _check_style(parser: Parser, node: Node, style: str) -> None:
    """InputError where two symbols that look different would become one."""
    spelled = node.name if isinstance(node, (Name, MatrixName)) else ""
    seen = parser.context.styles.setdefault(spelled, style)
    if {seen, style} <= {"", "upright", "word", "constant"} or seen == style:
        return
    hint = "give one of them another letter or a subscript"
    message = f"{spelled} is written in two styles, so it may be two symbols"
    raise parser.error(message, node.span, hint)
