"""MathML as a line of LaTeX, each character with its place."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from derive.verify.documents.document import Segment
from derive.verify.documents.draft import Draft
from derive.verify.documents.markup import Token

DEEPEST = 60
"""Elements inside of each other beyond this depth are passed over."""
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]\w{0,30});")
_ACCENTS = {"^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "¯": "bar", "‾": "bar", "―": "bar"}
_MARKS = {
    "\u2061": "", "\u2062": " ", "\u2063": "", "\u2064": "+", "\u00a0": " ", "\u200b": "",
    "{": "\\{", "}": "\\}", "′": "'", "″": "''", "ⅆ": "\\mathrm{d}", "‴": "'''",
}  # fmt: skip
_PRIMES = frozenset("′″‴'")
_FUNCTIONS = frozenset("sin cos tan tanh exp log ln".split())
_SPACED = re.compile(r"[\w.]")
_ALIGNED = re.compile(r"[=≈≃≅→]")


@dataclass
class Element:
    """An element of MathML, with the elements and the text inside."""

    name: str
    token: Token
    inside: list[Element] = field(default_factory=list)
    text: list[tuple[int, int]] = field(default_factory=list)


def tree(tokens: Iterable[Token], opening: Token) -> Element:
    """The element that opens here, up to where it is closed."""
    top = Element(opening.name, opening)
    stack = [top]
    for token in tokens:
        if token.kind == "text":
            stack[-1].text.append((token.start, token.end))
        elif token.kind == "open":
            made = Element(token.name.rpartition(":")[2], token)
            stack[-1].inside.append(made)
            if not token.is_empty:
                stack.append(made)
        elif token.kind == "close":
            names = [element.token.name for element in stack]
            if token.name in names:
                del stack[len(names) - 1 - names[::-1].index(token.name) :]
            if not stack:
                break
        if len(stack) > DEEPEST:
            del stack[DEEPEST:]
    return top


def source(top: Element) -> tuple[int, int] | None:
    """Where the TeX of a formula stands that carries it along."""
    for element in _all(top):
        if element.name == "annotation" and "tex" in element.token.attribute("encoding").lower():
            return (element.text[0][0], element.text[-1][1]) if element.text else None
    return None


def _all(top: Element) -> Iterable[Element]:
    waiting = [top]
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(reversed(element.inside))


def visible(draft: Draft, page: Segment, start: int, end: int) -> None:
    """The text between two tags, its entities as characters."""
    last = start
    for found in ENTITY.finditer(page.text, start, end):
        draft.part(page, last, found.start())
        draft.put(html.unescape(found[0]), page.offsets[found.start()])
        last = found.end()
    draft.part(page, last, end)


class Linear:
    """Writes a formula as one line."""

    def __init__(self, page: Segment, draft: Draft) -> None:
        """Into this draft."""
        self.page, self.draft = page, draft

    def write(self, element: Element) -> None:
        """An element with all that is inside."""
        shape = _PRIMED[element.name] if self.is_primed(element) else _SHAPES.get(element.name)
        if element.name in _UNSEEN:
            return
        if shape is not None and len(element.inside) >= shape.count("#"):
            self.shaped(element, shape)
        elif element.name in _OWN:
            _OWN[element.name](self, element)
        elif element.inside:
            for inner in element.inside:
                self.write(inner)
        else:
            self.leaf(element)

    def is_primed(self, element: Element) -> bool:
        """Whether nothing but primes is raised: they belong to the letter, R''_{11}."""
        if element.name not in _PRIMED or len(element.inside) != _PARTS[element.name]:
            return False
        shown = self.shown(element.inside[-1])
        return bool(shown) and not set(shown) - _PRIMES

    def shown(self, element: Element) -> str:
        """The text of an element without others in it."""
        parts = (self.page.text[start:end] for start, end in element.text)
        return html.unescape("".join(parts)).strip()

    def put(self, text: str, element: Element) -> None:
        """Marks that stand for an element."""
        self.draft.put(text, self.page.offsets[element.token.start])

    def leaf(self, element: Element) -> None:
        """A number, a name, an operator."""
        made = Draft()
        for start, end in element.text:
            visible(made, self.page, start, end)
        text = made.segment()
        start, end = _trimmed(text.text)
        shown = text.text[start:end]
        if not shown:
            return
        if shown in _MARKS:
            is_product = shown == "\u2062" and self.draft.last[-1:].isdigit()
            self.put("·" if is_product else _MARKS[shown], element)
            return
        if _SPACED.match(shown) and _SPACED.match(self.draft.last[-1:]):
            self.put(" ", element)
        before, after = _dress(element, shown)
        if before:
            self.put(before, element)
        self.draft.part(text, start, end)
        if after:
            self.put(after, element)

    def shaped(self, element: Element, shape: str) -> None:
        """An element of which the parts go into the holes of a shape; % is for the last."""
        parts = iter(element.inside)
        for piece in re.split("([#%])", shape):
            if piece in ("#", "%"):
                self.write(next(parts) if piece == "#" else element.inside[-1])
            elif piece:
                self.put(piece, element)

    def over(self, element: Element) -> None:
        """An accent above a name; what else stands above is left out."""
        marks = element.inside[1:2]
        start, end = marks[0].text[0] if marks and marks[0].text else (0, 0)
        accent = _ACCENTS.get(html.unescape(self.page.text[start:end]).strip())
        if accent:
            self.put(f"\\{accent}{{", element)
        for inner in element.inside[:1]:
            self.write(inner)
        if accent:
            self.put("}", element)

    def table(self, element: Element) -> None:
        """A matrix; lines that are aligned are lines."""
        rows = [row for row in element.inside if row.name in ("mtr", "mlabeledtr")]
        is_aligned = any(map(self.is_relation, element.inside))
        self.put("\n" if is_aligned else "\\begin{matrix} ", element)
        for row in rows:
            for place, cell in enumerate(c for c in row.inside if c.name == "mtd"):
                if place:
                    self.put(" " if is_aligned else " & ", cell)
                for inner in cell.inside:
                    self.write(inner)
                if not cell.inside:
                    self.leaf(cell)
            self.put("\n" if is_aligned else " \\\\ ", row)
        if not is_aligned:
            self.put("\\end{matrix}", element)

    def is_relation(self, row: Element) -> bool:
        """Whether a relation stands in a row."""
        return any(
            _ALIGNED.search(html.unescape(self.page.text[start:end]))
            for element in _all(row)
            if element.name == "mo"
            for start, end in element.text
        )

    def fenced(self, element: Element) -> None:
        """Parts between brackets, with separators."""
        token = element.token
        self.put(token.attribute("open") or "(", element)
        for place, inner in enumerate(element.inside):
            if place:
                self.put((token.attribute("separators") or ",")[:1], inner)
            self.write(inner)
        self.put(token.attribute("close") or ")", element)


_SHAPES = {
    "mfrac": "\\frac{#}{#}", "msup": "#^{#}", "msub": "#_{#}", "msubsup": "#_{#}^{#}",
    "munder": "#_{#}", "munderover": "#_{#}^{#}",
}  # fmt: skip
_PRIMED = {"msup": "#%", "msubsup": "#%_{#}"}
_PARTS = {"msup": 2, "msubsup": 3}
_UNSEEN = frozenset("annotation annotation-xml mphantom maligngroup malignmark none".split())
_OWN: dict[str, Callable[[Linear, Element], None]] = {
    "mover": Linear.over, "mtable": Linear.table, "mfenced": Linear.fenced,
}  # fmt: skip


def _dress(element: Element, shown: str) -> tuple[str, str]:
    """What stands around a sign in LaTeX: words, functions, the upright d of a differential."""
    if element.name == "mtext" and not shown[0].isdigit():
        return "\\text{", "}"
    if element.name in ("mi", "mo") and shown in _FUNCTIONS:
        return "\\", ""
    is_upright = element.token.attribute("mathvariant") == "normal"
    return ("\\mathrm{", "}") if shown == "d" and is_upright else ("", "")


def _root(linear: Linear, element: Element) -> None:
    linear.put("\\sqrt{", element)
    for inner in element.inside:
        linear.write(inner)
    if not element.inside:
        linear.leaf(element)
    linear.put("}", element)


_OWN["msqrt"] = _root


def _trimmed(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))
