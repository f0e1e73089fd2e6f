"""How a Word document looks: fonts, margins, the number at the foot of a page."""

from __future__ import annotations

from typing import Any

from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from derive.render.blocks import Page

LATIN, CHINESE = "Cambria", "SimSun"
MARGIN, WIDE, HIGH = 22, 210, 297
"""Millimetres; the paper is A4."""
ROOM = WIDE - 2 * MARGIN
SIZES = {"Normal": 11, "Heading 1": 17, "Heading 2": 13, "Heading 3": 11.5}
KEPT = {"Normal Table", "Table Grid"}
"""Styles of tables that stay; the template has a hundred."""
DROPPED = ("stylesWithEffects", "thumbnail", "customXml")


def dressed(document: Any, page: Page) -> None:
    """Give an empty document its look."""
    _lighten(document)
    for name, size in SIZES.items():
        _font(document.styles[name], size)
    body = document.styles["Normal"].paragraph_format
    body.space_after, body.line_spacing = Pt(6), 1.1
    section = document.sections[0]
    section.page_width, section.page_height = Mm(WIDE), Mm(HIGH)
    section.left_margin = section.right_margin = Mm(MARGIN)
    section.top_margin = section.bottom_margin = Mm(MARGIN)
    _number(section.footer.paragraphs[0])
    numbered(section)
    _about(document, page)


def numbered(section: Any) -> None:
    """Pages of a section count from 1."""
    found = section._sectPr.find(qn("w:pgNumType"))
    if found is None:
        found = OxmlElement("w:pgNumType")
        section._sectPr.find(qn("w:pgMar")).addnext(found)
    found.set(qn("w:start"), "1")


def _lighten(document: Any) -> None:
    """Without what is not used: another copy of the styles, a picture, the styles of tables."""
    root = document.styles.element
    for style in root.findall(qn("w:style")):
        if style.get(qn("w:type")) == "table" and style.name_val not in KEPT:
            root.remove(style)
    for owner in (document.part, document.part.package):
        for key, link in list(owner.rels.items()):
            if any(word in link.reltype or word in link.target_ref for word in DROPPED):
                del owner.rels[key]


def _font(style: Any, size: float) -> None:
    font = style.font
    font.name, font.size, font.color.rgb = LATIN, Pt(size), RGBColor(0, 0, 0)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for key in list(fonts.attrib):
        del fonts.attrib[key]
    for key, name in (("ascii", LATIN), ("hAnsi", LATIN), ("cs", LATIN), ("eastAsia", CHINESE)):
        fonts.set(qn(f"w:{key}"), name)


def _number(paragraph: Any) -> None:
    """The number of the page, which Word fills in."""
    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    run = OxmlElement("w:r")
    text = OxmlElement("w:t")
    text.text = "1"
    run.append(text)
    field.append(run)
    paragraph._p.append(field)


def _about(document: Any, page: Page) -> None:
    """Title and language; nobody is named, and no day."""
    about = document.core_properties
    about.title, about.author, about.comments = page.title, "", ""
    about.language = {"zh": "zh-CN"}.get(page.lang, page.lang)
    look = document.styles["Normal"].element.get_or_add_rPr()
    found = OxmlElement("w:lang")
    found.set(qn("w:val"), "en-GB")
    found.set(qn("w:eastAsia"), "zh-CN")
    look.append(found)
