"""Mathematics as Office Math elements: what the ink leaves as loose text becomes runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape

from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from derive.exact.named import Names
from derive.exact.omml_ink import OMML
from derive.exact.write import Writer
from derive.render.blocks import RELATIONS, Chain, Worked

QUAD = "\N{EM SPACE}\N{EM SPACE}"
TEXT, RUN = qn("m:t"), qn("m:r")
_PAR = qn("m:oMathPara")


def equation(text: str) -> Any:
    """An m:oMath element of what the ink wrote."""
    found = parse_xml(f"<m:oMath {nsdecls('m')}>{text}</m:oMath>")
    _run(found)
    return found


def display(texts: Iterable[str]) -> Any:
    """An m:oMathPara element: equations in a paragraph of their own."""
    found = parse_xml(f"<m:oMathPara {nsdecls('m')}/>")
    for text in texts:
        found.append(equation(text))
    return found


class Maths:
    """Spells mathematics with the names of a page."""

    def __init__(self, names: Names) -> None:
        """names: the letters agreed for values."""
        self.names = names
        self.writer = Writer(OMML, names)

    def text(self, x: Any) -> str:
        """The markup of a chain, a term or a value."""
        match x:
            case Chain(first, rest):
                return self.text(first) + "".join(self.side(*side) for side in rest)
            case Worked(term, values):
                return Writer(OMML, self.names, values).text(term)
        return self.writer.text(x)

    def side(self, relation: str, x: Any) -> str:
        """A relation and what stands to its right."""
        return escape(RELATIONS[relation][1]) + self.text(x)


def _run(parent: Any) -> None:
    """Runs in place of loose text, below an element and between its parts."""
    for child in list(parent):
        if child.tag != RUN:
            _run(child)
    after = [(child, child.tail) for child in parent]
    first, parent.text = parent.text, None
    for child, text in reversed(after):
        child.tail = None
        if (made := _made(text)) is not None:
            child.addnext(made)
    if (made := _made(first)) is not None:
        parent.insert(0, made)


def _made(text: str | None) -> Any:
    """A run of the text without the blanks that set signs apart: Word sets them itself."""
    plain = (text or "").replace(" ", "")
    if not plain:
        return None
    return parse_xml(f"<m:r {nsdecls('m')}><m:t>{escape(plain)}</m:t></m:r>")
