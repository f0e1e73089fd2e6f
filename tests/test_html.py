"""HTML pages: well formed, whole in one file, accessible, and harmless whatever a name says."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import font
import pytest
from fontTools.ttLib import TTFont

from derive import attention, builtin, derive
from derive.exact import number
from derive.exact.named import NO_NAMES
from derive.exact.trace import Digits, Entry, Exponential, Grid, MatrixProduct, Name, Sum, Value
from derive.pages import page
from derive.problems import ORDER
from derive.render.blocks import (
    Chain,
    Equations,
    Formulas,
    Heading,
    Heatmap,
    Note,
    Page,
    Table,
    Text,
    Worked,
)
from derive.render.html import html
from derive.render.html.assets import policy, script, style
from derive.render.html.mathml import mathml
from derive.words import LANGUAGES, words

VOID = {"meta", "link", "img", "br", "hr", "input"}
one = [[1]]
PAGES = {f"{name}.{lang}": page(derive(builtin(name)), "html", lang=lang)
         for name in ORDER for lang in LANGUAGES}  # fmt: skip
each_page = pytest.mark.parametrize("text", PAGES.values(), ids=PAGES)


class Element:
    """An element of a parsed page."""

    def __init__(self, tag="", attributes=(), parent=None):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children, self.text = [], ""

    def __iter__(self):
        for child in self.children:
            yield child
            yield from child

    def all(self, tag):
        return [element for element in self if element.tag == tag]

    @property
    def words(self):
        return self.text + "".join(child.words for child in self.children)

    def is_inside(self, tag):
        return self.parent is not None and (self.parent.tag == tag or self.parent.is_inside(tag))


class Tree(HTMLParser):
    """Builds the tree, and insists that what is opened is closed, in turn."""

    def __init__(self, text):
        super().__init__()
        self.root = self.open = Element()
        self.feed(text)
        self.close()
        assert self.open is self.root, f"<{self.open.tag}> is not closed"

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice"
        element = Element(tag, attrs, self.open)
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_startendtag(self, tag, attrs):
        self.open.children.append(Element(tag, attrs, self.open))

    def handle_endtag(self, tag):
        assert self.open.tag == tag, f"</{tag}> closes <{self.open.tag}>"
        self.open = self.open.parent

    def handle_data(self, data):
        self.open.text += data


def parsed(text):
    return Tree(text).root


def printed(*blocks, lang="en", title="A title"):
    return parsed(html(Page(title, lang, blocks, NO_NAMES)))


# --- the whole page


@each_page
def test_a_page_is_well_formed(text):
    root = parsed(text)
    ids = [e.attributes["id"] for e in root if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    referred = [e.attributes[a] for e in root for a in ("aria-labelledby", "aria-describedby")
                if a in e.attributes]  # fmt: skip
    assert referred and set(referred) <= set(ids)


@each_page
def test_a_page_needs_nothing_else(text):
    root = parsed(text)
    sources = [e.attributes[a] for e in root for a in ("src", "href", "srcset", "data", "action")
               if a in e.attributes]  # fmt: skip
    inner = [source[1:] for source in sources if source.startswith("#")]
    assert [source for source in sources if not source.startswith("#")] == ["data:,"]
    assert set(inner) <= {e.attributes.get("id") for e in root}
    assert re.findall(r"url\((?!data:)", text) == []
    assert not re.search(r"@import|https?:|//[a-z]", re.sub(r"base64,[\w+/=]+", "", text))
    assert "font/woff2;base64," in style()


def test_only_our_script_may_run():
    text = PAGES["head.en"]
    import hashlib
    from base64 import b64encode

    content = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
    digest = b64encode(hashlib.sha256(content.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy() and script() in content
    assert policy().startswith("default-src 'none'")
    assert f'content="{policy()}"' in text


@each_page
def test_headings_and_sections(text):
    root = parsed(text)
    assert [h.words for h in root.all("h1")] == [root.all("title")[0].words]
    sections = root.all("section")
    assert len(sections) == len(root.all("h2")) > 2
    for section in sections:
        (heading,) = section.all("h2")
        assert section.attributes["aria-labelledby"] == heading.attributes["id"]
        details = section.children[0]
        assert details.tag == "details" and "open" in details.attributes
        assert details.children[0].tag == "summary" and heading.is_inside("summary")


@each_page
def test_mathematics_has_an_alternative_and_its_source(text):
    root = parsed(text)
    assert root.all("math")
    assert all(m.attributes["alttext"].strip() for m in root.all("math"))
    for figure in root.all("figure"):
        if not figure.all("svg"):
            (details,) = figure.all("details")
            assert "open" not in details.attributes
            assert re.fullmatch(r"\\begin\{(\w+\*)\}.*\\end\{\1\}", details.all("code")[0].words,
                                re.DOTALL)  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages(lang):
    controls = words(lang)["controls"]
    root = parsed(PAGES[f"head.{lang}"])
    assert root.all("html")[0].attributes["lang"] == lang
    body = root.all("body")[0].attributes
    assert body["data-copy"] == controls["copy"] and body["data-wide"] == controls["wide"]


def test_the_command_line_writes_it(tmp_path):
    target = tmp_path / "page.htm"
    command = [sys.executable, "-m", "derive", "causal"]
    printed = subprocess.run(
        [*command, "--html"], capture_output=True, encoding="utf-8", check=True
    )
    subprocess.run([*command, "-o", str(target)], check=True)
    assert target.read_text(encoding="utf-8") == printed.stdout == PAGES["causal.en"]


# --- names from outside

EVIL = "</title><script>alert(1)</script>\"' onload=x & $x$ \\b `c` <b>"


def test_names_are_harmless():
    head = attention([[1], [2]], one, one, one, tokens=[EVIL, "</svg>"], title=EVIL)
    root = parsed(page(head, "html"))
    assert root.all("title")[0].words == EVIL
    assert root.all("h1")[0].words == EVIL
    assert len(root.all("script")) == 1 and not root.all("b")
    assert not [e for e in root if any(name.startswith("on") for name in e.attributes)]
    assert EVIL[:10] in root.all("svg")[0].words


@pytest.mark.parametrize("block", [
    Heading(EVIL, 2), Heading(EVIL, 3), Text(EVIL), Note((EVIL, Name("A"))),
    Table((EVIL,), ((EVIL,),)), Heatmap(EVIL, (EVIL,), (EVIL,), (((EVIL, 0.5),),)),
], ids=lambda block: type(block).__name__)  # fmt: skip
def test_every_block_escapes(block):
    root = printed(block, title=EVIL)
    assert len(root.all("script")) == 1 and not root.all("b")


# --- each block


def test_an_unknown_block_raises():
    with pytest.raises(TypeError, match="html: no rule for object"):
        printed(object())


def test_blocks_before_a_heading():
    root = printed(Heading("A title", 1), Text("before"), Heading("One"), Text("in it"))
    before, inside = root.all("p")
    assert not before.is_inside("section") and inside.is_inside("section")
    assert [h.words for h in root.all("h1")] == ["A title"]


def test_a_page_without_headings():
    root = printed(Text("alone"))
    assert not root.all("section") and [h.words for h in root.all("h1")] == ["A title"]


def test_smaller_headings_stay_in_their_section():
    root = printed(Heading("One"), Heading("Smaller", 3), Heading("Smallest", 9))
    assert len(root.all("section")) == 1
    assert [e.tag for e in root if re.fullmatch(r"h\d", e.tag)] == ["h1", "h2", "h3", "h6"]


def test_text():
    root = printed(Text(("see `derive eval` & ", Name("W_Q"), ".")))
    (paragraph,) = root.all("p")
    assert paragraph.all("code")[0].words == "derive eval"
    assert paragraph.all("math")[0].attributes == {"alttext": "W^{Q}"}


def test_note():
    (note,) = printed(Note("mind this")).all("p")
    assert note.attributes == {"class": "note", "role": "note"} and note.words == "mind this"


def entry(i, j):
    return Entry("Q", (i, j))


def test_formulas_flow_and_are_copied_together():
    chains = (Chain(Name("Q"), (("=", Name("H")),)), Chain(entry(1, 1), (("~", Digits("0.50")),)))
    (figure,) = printed(Formulas(chains)).all("figure")
    alternatives = [m.attributes["alttext"] for m in figure.all("math")]
    assert alternatives == ["Q = H", r"Q_{11} \approx 0.50"]
    source = figure.all("code")[0].words
    assert source.split("\n") == [
        r"\begin{gather*}",
        r"Q = H \\",
        alternatives[1],
        r"\end{gather*}",
    ]


def test_equations_are_one_table_aligned_at_the_relation():
    values = {entry(1, 1): Value(number(2)), entry(1, 2): Value(number(3))}
    worked = Worked(Sum((entry(1, 1), entry(1, 2))), values.get)
    chain = Chain(Name("K"), (("=", worked), ("=", Value(number(5)))))
    (figure,) = printed(Equations((chain, chain), 1)).all("figure")
    (math,) = figure.all("math")
    table = math.children[0]
    assert [row.words for row in table.children] == ["K=2+3=5"] * 2
    assert [len(row.children) for row in table.children] == [2, 2]
    (beside,) = printed(Equations((chain, chain), 2)).all("math")
    assert [len(row.children) for row in beside.children[0].children] == [4]


def test_a_long_sum_is_broken_as_in_print():
    terms = tuple(Exponential(Entry("scaled", (1, j))) for j in range(1, 31))
    (math,) = printed(Equations((Chain(Name("Z"), (("=", Sum(terms)),)),))).all("math")
    assert len(math.children[0].children) > 2


def test_matrices():
    grid = Grid(tuple(tuple(Value(number(i, j)) for j in (1, 2)) for i in (1, 2, 3)))
    decimals = Grid(((Digits("-0.5"), Digits("10.25")), (Digits("1"), Digits("4.2e-7"))))
    chain = Chain(Name("A"), (("=", MatrixProduct((grid, grid))), ("~", decimals)))
    (math,) = printed(Formulas((chain,))).all("math")
    assert [len(t.children) for t in math.all("mtable")] == [3, 3, 2]
    assert "8pt" not in math.words and "@" not in math.words
    cells = math.all("mtable")[2].all("mtd")
    assert ["right" in cell.attributes.get("style", "") for cell in cells] == [True] * 4
    assert [mo.words for mo in math.all("mo") if mo.words in "[]"] == list("[][][]")


def test_tables():
    header = (("matrix",), ("x ", Name("A")), ("meaning",))
    root = printed(Table(header, ((("H",), (Digits("0.5"),), ("words",)),), numbers=(1,)))
    (table,) = root.all("table")
    assert [th.attributes.get("scope") for th in table.all("th")] == ["col"] * 3 + ["row"]
    classes = [cell.attributes.get("class") for cell in table.all("th") + table.all("td")]
    assert classes == [None, "number", None, None, "number", None]
    assert [len(row.children) for row in table.all("tr")] == [3, 3]


MAP = Heatmap("Weights", ("A", "B"), ("x", "y"), ((("0.25", 0.25), ("0.75", 0.75)),
                                                 (("1.00", 1.2), ("3e-9", 3e-9))))  # fmt: skip


def test_a_heatmap_is_a_picture_with_its_numbers():
    root = printed(MAP, MAP)
    first, second = root.all("svg")
    assert first.attributes["role"] == "img"
    assert first.all("title")[0].words == "Weights"
    assert first.all("desc")[0].words == "x, y; A: 0.25, 0.75; B: 1.00, 3·10⁻⁹"
    assert first.attributes["aria-labelledby"] != second.attributes["aria-labelledby"]
    words = [text.words for text in first.all("text")]
    assert first.all("tspan")[0].words == "−9"
    assert words == ["x", "y", "A", "B", "0.25", "0.75", "1.00", "3·10−9"]
    shades = [float(cell.attributes["fill-opacity"]) for cell in first.all("rect")]
    assert shades == [0.25, 0.75, 1, 0]


@pytest.mark.parametrize("n", [1, 12])
@pytest.mark.parametrize("name", ["a", "a rather long name of a token", "很长的一个词元的名字呀"])
def test_a_heatmap_holds_what_it_shows(n, name):
    cells = ((("0.083", 0.083),) * n,) * n
    (svg,) = printed(Heatmap("Weights", (name,) * n, (name,) * n, cells)).all("svg")
    *_, width, height = map(float, svg.attributes["viewbox"].split())
    assert len(svg.all("rect")) == n * n
    for rect in svg.all("rect"):
        x, y, w, h = (float(rect.attributes[key]) for key in ("x", "y", "width", "height"))
        assert x > 0 and y > 0 and x + w <= width and y + h <= height
    turned = ["transform" in text.attributes for text in svg.all("text")[:n]]
    assert turned == [len(name) > 1] * n
    assert all(len(text.words) <= 16 for text in svg.all("text"))
    assert name in svg.all("desc")[0].words


def luminance(colour):
    channels = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_in_both_modes():
    roots = re.findall(r":root \{(.*?)\}", style(), re.DOTALL)
    light, dark, _on_paper = (dict(re.findall(r"--(\w+): (#\w{6});", root)) for root in roots)
    for colours in (light, dark):
        for text, ground in [("ink", "paper"), ("ink", "tint"), ("ink", "heat"),
                             ("quiet", "paper"), ("accent", "paper")]:  # fmt: skip
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


# --- mathematics and its font


def test_brackets_stretch_only_where_they_must():
    low = mathml(r"\exp\left(\tilde{S}_{1}\right) \left(-1\right)")
    assert len(re.findall(r'<mo stretchy="false"[^>]*>[()]</mo>', low)) == 4
    assert 'lspace="0.1667em">&ApplyFunction;' not in low
    tall = mathml(r"\left(\frac{1}{2}\right)") + mathml(r"\left(\left(a\right)^{2}\right)")
    assert tall.count("<mo>(</mo>") == tall.count("<mo>)</mo>") == 2


def test_what_is_no_mathematics_raises():
    from math_core import LatexError

    with pytest.raises(LatexError):
        mathml(r"\nosuchcommand")


@each_page
def test_mathematics_is_valid_xml(text):
    for math in re.findall(r"<math.*?</math>", text, re.DOTALL):
        ElementTree.fromstring(math.replace("&ApplyFunction;", "\u2061"))
    assert "merror" not in text


CHARACTERS = TTFont(font.TARGET).getBestCmap().keys()
ITALIC = {"h": "\u210e"} | {
    chr(0x61 + k): chr(0x1D44E + k) for k in range(26) if k != 7
} | {chr(0x41 + k): chr(0x1D434 + k) for k in range(26)}  # fmt: skip


@each_page
def test_the_font_has_every_sign(text):
    for element in parsed(text):
        if element.tag in ("mi", "mn", "mo", "mtext") and element.text:
            is_italic = element.tag == "mi" and element.text in ITALIC
            wanted = ITALIC[element.text] if is_italic else element.text
            missing = {c for c in wanted if ord(c) not in CHARACTERS} - set("\u2061 ")
            assert not missing, (element.tag, element.text)


def test_the_font_stretches_and_has_its_licence():
    assert "MATH" in TTFont(font.TARGET)
    assert TTFont(font.TARGET)["name"].getDebugName(1) == font.NAME
    assert font.TARGET.stat().st_size < 90_000
    licence = (font.TARGET.parent / "derive-math.LICENSE.txt").read_text(encoding="utf-8")
    assert "GUST Font License" in licence and "TeX Gyre Pagella Math" in licence


def test_assets_are_in_the_package():
    folder = Path(font.TARGET).parent
    assert {p.name for p in folder.iterdir() if p.suffix not in (".py", ".pyc", "")} == {
        "page.css", "copy.js", "derive-math.woff2", "derive-math.LICENSE.txt"}  # fmt: skip


def test_the_name_of_an_entry_stands_on_one_line():
    rows = (("A[1][2]", "0.5"), ("of A[1][2] and more", "1"))
    text = html(Page("T", "en", (Table(("name", "x"), rows, (1,)),)))
    assert '<th scope="row" style="white-space: nowrap">A[1][2]</th>' in text
    assert '<th scope="row">of A[1][2] and more</th>' in text
