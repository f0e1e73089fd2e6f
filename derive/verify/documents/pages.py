"""HTML pages: their visible text and mathematics, each character with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.documents.document import Segment
from derive.verify.documents.draft import Draft
from derive.verify.documents.formats import blank
from derive.verify.documents.markup import Token, markup
from derive.verify.documents.mathml import Linear, source, tree, visible

_BLOCKS = frozenset(
    "p div br li tr table h1 h2 h3 h4 h5 h6 ul ol dl dt dd section article pre blockquote figure"
    " figcaption header footer main nav aside hr tbody thead caption details summary".split()
)
_CELLS = frozenset(("td", "th"))
_HIDDEN = frozenset("head button select option nav mjx-math mjx-lazy".split())
_VOID = frozenset("br hr img input meta link col wbr source area base embed track param".split())
_COPY = re.compile(r"(?:^|\s)(?:katex-html|MathJax(?:_\w+)?|MJXp-\w+|mjx-chtml)(?:\s|$)")
"""Classes of what a script made of a formula that stands there as TeX or MathML too."""
_STRUCK = re.compile(
    r"<(del|s|strike)(?:\s[^<>]{0,200})?>(?:(?!<(?:del|s|strike)[\s>]).){1,2000}?</\1\s?>",
    re.S | re.I,
)
_KEPT = ("math/tex", "application/x-tex", "<math")
"""Where one of these stands in a page, its formulas are there as TeX or MathML."""
_UNBROKEN = str.maketrans("\r\n", "  ")
_SCRIPTS = {"sub": "_{", "sup": "^{"}


def page(whole: Segment) -> list[Segment]:
    """The text between the tags; what stands in <pre> is code, and what is struck out is passed."""
    return _Page(whole.seen(_STRUCK.sub(blank, whole.text))).read()


def _is_copied(token: Token) -> bool:
    return bool(_COPY.search(token.attribute("class")))


class _Page:
    """One pass over the tags of a page."""

    def __init__(self, whole: Segment) -> None:
        self.whole, self.draft, self.kind = whole, Draft(), "prose"
        self.parts: list[Segment] = []
        self.has_sources = "math/tex" in whole.text
        self.is_kept = any(mark in whole.text for mark in _KEPT)
        self.tokens = markup(whole.text)
        self.open: list[str] = []

    def read(self) -> list[Segment]:
        for token in self.tokens:
            self.token(token)
        self.close("prose")
        return [part for part in self.parts if part.text.strip()]

    def close(self, kind: str) -> None:
        """Ends a part; the next one is of this kind."""
        if self.draft.pieces:
            self.parts.append(self.draft.segment(self.kind))
        self.kind = kind

    def put(self, text: str, token: Token) -> None:
        self.draft.put(text, self.whole.offsets[token.start])

    def token(self, token: Token) -> None:
        match token.kind:
            case "text":
                self.text(token.start, token.end)
            case "raw":
                self.raw(token)
            case "open":
                self.opened(token)
            case _:
                self.mark(token)

    def text(self, start: int, end: int) -> None:
        """Text between tags; line ends mean nothing but in code."""
        segment = self.whole.cut(start, end, "")
        if "&" in segment.text:
            made = Draft()
            visible(made, self.whole, start, end)
            segment = made.segment()
        plain = segment.text if self.kind == "code" else segment.text.translate(_UNBROKEN)
        self.draft.spread(plain, segment.offsets)

    def raw(self, token: Token) -> None:
        """The source of a formula in a script; no other inside is seen."""
        if token.name == "script" and "math/tex" in token.attribute("type"):
            start, end = map(int, token.attribute("inside").split())
            self.formula(start, end, token)

    def formula(self, start: int, end: int, token: Token) -> None:
        """A formula written as TeX."""
        self.put("$", token)
        self.text(start, end)
        self.put("$", token)

    def opened(self, token: Token) -> None:
        if token.name == "math":
            self.mathematics(token)
        elif token.name in _HIDDEN:
            self.skip(token)
        elif self.is_copy(token):
            self.passed(token)
        else:
            self.mark(token)

    def is_copy(self, token: Token) -> bool:
        """Whether a script made this of a formula."""
        return self.is_kept and "class" in token.attributes and _is_copied(token)

    def passed(self, token: Token) -> None:
        """Passes over a copy, but for the MathML in it where nothing else holds the formula."""
        for inner in self.inside(token):
            if inner.name == "math" and inner.kind == "open" and not self.has_sources:
                self.mathematics(inner)

    def skip(self, token: Token) -> None:
        for _ in self.inside(token):
            pass

    def inside(self, opening: Token) -> Iterator[Token]:
        """The tokens up to where the element is closed."""
        if opening.is_empty or opening.name in _VOID:
            return
        depth = 1
        for token in self.tokens:
            if token.name == opening.name and token.kind in ("open", "close"):
                depth += (token.kind == "open" and not token.is_empty) - (token.kind == "close")
            if not depth:
                return
            yield token

    def mathematics(self, token: Token) -> None:
        """A formula in MathML, or as the TeX that it carries along."""
        top = tree(self.tokens, token) if not token.is_empty else None
        if top is None:
            return
        found = source(top)
        if found:
            self.formula(*found, token)
            return
        self.put("$", token)
        Linear(self.whole, self.draft).write(top)
        self.put("$", token)

    def mark(self, token: Token) -> None:
        """What a tag means for the text."""
        name = token.name
        if name == "pre":
            self.close("code" if token.kind == "open" else "prose")
        elif name in _CELLS and token.kind == "open":
            self.put(" | ", token)
        elif name == "tr" and token.kind == "close":
            self.put(" |\n", token)
        elif name in _BLOCKS and not self.is_fresh():
            self.put("\n", token)
        elif name in _SCRIPTS and self.kind != "code":
            self.put(_SCRIPTS[name] if token.kind == "open" else "}", token)

    def is_fresh(self) -> bool:
        """Whether nothing was written since the last line end."""
        for piece in reversed(self.draft.pieces):
            if piece.strip():
                return piece.endswith("\n")
            if "\n" in piece:
                return True
        return not self.draft.pieces
