"""Equations of Office files (OMML) as a line of LaTeX."""

from __future__ import annotations

from collections.abc import Callable

from derive.verify.documents.packages import Element

_ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar", "\u20d7": "vec"}


def written(element: Element) -> str:
    """An element of an equation with all that is inside."""
    made = _SHAPES.get(element.tag)
    if made is not None:
        return made(element)
    if element.tag == "r":
        return "".join(text.text or "" for text in element.findall("t"))
    if element.tag.endswith("Pr"):
        return ""
    return "".join(map(written, element))


def _part(element: Element, name: str) -> str:
    """What stands in a part of an element, such as the numerator."""
    found = element.find(name)
    return written(found) if found is not None else ""


def _setting(element: Element, path: str, default: str) -> str:
    """The value of a property of an element."""
    found = element.find(path)
    return default if found is None else found.get("val", default)


def _fraction(element: Element) -> str:
    return f"\\frac{{{_part(element, 'num')}}}{{{_part(element, 'den')}}}"


def _scripted(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    base = _part(element, "e")
    return base + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _root(element: Element) -> str:
    degree = _part(element, "deg").strip()
    inner = _part(element, "e")
    return f"{{{inner}}}^{{1/{degree}}}" if degree not in ("", "2") else f"\\sqrt{{{inner}}}"


def _delimited(element: Element) -> str:
    begin = _setting(element, "dPr/begChr", "(")
    end = _setting(element, "dPr/endChr", ")")
    between = _setting(element, "dPr/sepChr", "|")
    inside = [written(part) for part in element.findall("e")]
    return _escaped(begin) + between.join(inside) + _escaped(end)


def _escaped(mark: str) -> str:
    return f"\\{mark}" if mark in ("{", "}") else mark


def _matrix(element: Element) -> str:
    rows = [" & ".join(map(written, row.findall("e"))) for row in element.findall("mr")]
    return "\\begin{matrix} " + " \\\\ ".join(rows) + " \\end{matrix}"


def _lines(element: Element) -> str:
    return "\n" + "\n".join(map(written, element.findall("e"))) + "\n"


def _function(element: Element) -> str:
    name, inner = _part(element, "fName").strip(), _part(element, "e").strip()
    return f"{name}{inner}" if inner.startswith("(") else f"{name}({inner})"


def _accented(element: Element) -> str:
    accent = _ACCENTS.get(_setting(element, "accPr/chr", "\u0302"), "hat")
    return f"\\{accent}{{{_part(element, 'e')}}}"


def _barred(element: Element) -> str:
    return f"\\bar{{{_part(element, 'e')}}}"


def _summed(element: Element) -> str:
    sign = _setting(element, "naryPr/chr", "∫")
    return f"{sign}_{{{_part(element, 'sub')}}}^{{{_part(element, 'sup')}}} {_part(element, 'e')}"


def _limited(element: Element) -> str:
    return f"{_part(element, 'e')}_{{{_part(element, 'lim')}}}"


_SHAPES: dict[str, Callable[[Element], str]] = {
    "f": _fraction, "sSup": _scripted, "sSub": _scripted, "sSubSup": _scripted, "rad": _root,
    "d": _delimited, "m": _matrix, "eqArr": _lines, "func": _function, "acc": _accented,
    "bar": _barred, "nary": _summed, "limLow": _limited,
}  # fmt: skip
