"""Word documents: paragraphs and rows of tables as lines, equations as LaTeX between dollars."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.documents.equations import written
from derive.verify.documents.packages import Element, opened

_UNSEEN = frozenset(
    "del moveFrom pPr rPr tblPr tblGrid trPr tcPr sectPr instrText Fallback"
    " footnoteReference endnoteReference commentReference pict".split()
)
_MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_RAISED = {"superscript": "^{", "subscript": "_{"}


def text_of(data: bytes, name: str) -> str:
    """The text of a .docx file.  InputError where it is none."""
    body = opened(data, name).tree("word/document.xml").find("body")
    return "".join(_blocks(body)) if body is not None else ""


def _blocks(parent: Element) -> Iterator[str]:
    """Paragraphs and tables, each line ended."""
    for element in parent:
        if element.tag == "p":
            yield "".join(_inside(element)) + "\n"
            yield from _boxes(element)
        elif element.tag == "tbl":
            yield from map(_row, element.iter("tr"))
        elif element.tag not in _UNSEEN:
            yield from _blocks(element)


def _boxes(paragraph: Element) -> Iterator[str]:
    for choice in paragraph.iter("Choice"):
        for box in choice.iter("txbxContent"):
            yield from _blocks(box)


def _row(row: Element) -> str:
    cells = ["".join(_blocks(cell)).strip().replace("\n", " ") for cell in row.findall("tc")]
    return "| " + " | ".join(cells) + " |\n"


def _inside(parent: Element) -> Iterator[str]:
    """The text and the equations of a paragraph."""
    for element in parent:
        match element.tag:
            case "r":
                yield _run(element)
            case "oMath":
                yield f"${written(element)}$"
            case "oMathPara":
                yield "".join(f"$${written(inner)}$$" for inner in element.findall("oMath"))
            case tag if tag not in _UNSEEN and tag != "AlternateContent":
                yield from _inside(element)


def _run(run: Element) -> str:
    """The text of a run; raised and lowered text as powers and indices."""
    text = "".join(
        element.text or "" if element.tag in ("t", "oMath") else _MARKS.get(element.tag, "")
        for element in run
    )
    place = run.find("rPr/vertAlign")
    mark = _RAISED.get(place.get("val", "")) if place is not None and text.strip() else None
    return f"{mark}{text}}}" if mark else text
