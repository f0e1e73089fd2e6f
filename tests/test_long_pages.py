"""Long derivations: chapters, contents in every format, and how many sheets of paper they take."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from derive import builtin, derive
from derive.certify import Format
from derive.pages import page, pdf
from derive.render.blocks import Abreast, Contents, Equations, Formulas, Heading, Text
from derive.render.lines import ROOM, side_by_side, spread
from derive.views.chapters import chapters
from derive.views.walkthrough import LONG, Options, walkthrough
from derive.views.weights import Weights
from derive.words import LANGUAGES, words

LONGER = ("multihead", "block", "decoder", "language-model", "seq2seq")
DERIVED = {name: derive(builtin(name)) for name in (*LONGER, "head")}
each_long = pytest.mark.parametrize("name", LONGER)
each_language = pytest.mark.parametrize("lang", LANGUAGES)


def sheets(document):
    """The pages of a PDF, by the count that its page tree ends with."""
    found = re.findall(rb"/Type\s*/Pages.*?/Count\s+(\d+)", document, re.DOTALL)
    return max(map(int, found))


@each_language
@pytest.mark.parametrize(
    ("name", "most"), [("block", 6), ("language-model", 15), ("decoder", 9), ("multihead", 9)]
)
def test_sheets_of_paper(name, most, lang):
    """A block fits five or six pages, two layers with four words about fifteen."""
    assert sheets(pdf(DERIVED[name], lang=lang)[0]) <= most


@pytest.mark.tex
@pytest.mark.parametrize(("name", "most"), [("block", 6), ("language-model", 15)])
def test_sheets_of_paper_by_tex(name, most):
    made, _ = pdf(DERIVED[name], engine="tex")
    if not shutil.which("pdfinfo"):
        pytest.skip("pdfinfo counts the pages")
    said = subprocess.run(["pdfinfo", "-"], input=made, capture_output=True, check=True).stdout
    assert int(re.search(rb"Pages:\s+(\d+)", said)[1]) <= most


def blocks(name, **options):
    return walkthrough(DERIVED[name], Options(**options)).blocks


@each_long
def test_every_step_is_told_once_and_has_a_result(name):
    d = DERIVED[name]
    told = [step for chapter in chapters(d, "en") for _, step in chapter.steps]
    assert [step.name for step in told] == [step.name for step in d.derived]
    found = [b for b in blocks(name) if isinstance(b, Heading) and b.level == 3]
    assert len(found) == len(d.derived) > LONG
    shown = {
        getattr(chain.first, "step", "")
        for b in blocks(name)
        if isinstance(b, (Formulas, Equations))
        for chain in b.chains
    }
    assert {s.name for s in d.derived if "C" not in s.name} <= shown


@each_long
def test_a_step_says_what_it_does_the_first_time(name):
    """Every kind of step has its sentence; no sentence is said twice."""
    texts = [b.content[0] for b in blocks(name) if isinstance(b, Text) and b.content]
    sentences = {own["sentence"] for own in words("en")["steps"].values()}
    said = [t for t in texts if t in sentences]
    assert len(said) == len(set(said)) >= 10


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("block", ["Attention", "Feed-forward network"]),
        ("multihead", ["Attention, head 1", "Attention, head 2", "Attention, the heads together"]),
        ("decoder", ["Self-attention", "Cross-attention", "Feed-forward network"]),
        ("language-model", ["Text and positions", "Layer 1: attention",
                            "Layer 1: feed-forward network", "Layer 2: attention",
                            "Layer 2: feed-forward network", "Prediction"]),
        ("seq2seq", ["Encoder: text and positions", "Encoder, layer 1: attention",
                     "Encoder, layer 1: feed-forward network", "Decoder: text and positions",
                     "Decoder, layer 1: self-attention", "Decoder, layer 1: cross-attention",
                     "Decoder, layer 1: feed-forward network", "Prediction"]),
    ],
)  # fmt: skip
def test_chapters_are_sublayers(name, titles):
    assert [chapter.title for chapter in chapters(DERIVED[name], "en")] == titles


def test_norms_before_a_sublayer_belong_to_it():
    problem = builtin("block")
    pre = derive(replace(problem, conventions=replace(problem.conventions, norm="pre")))
    attention, feed_forward = chapters(pre, "en")
    assert [s.name for _, s in attention.steps][:2] == ["mu1", "var1"]
    assert "R1" in [s.name for _, s in attention.steps]
    assert [s.name for _, s in feed_forward.steps][:2] == ["mu2", "var2"]


def test_only_long_pages_have_contents():
    assert not any(isinstance(b, Contents) for b in blocks("head"))
    assert not any(isinstance(b, Contents) for b in blocks("block", steps=("O",)))


@each_long
@each_language
def test_contents_are_the_headings(name, lang):
    (contents,) = [b for b in blocks(name, lang=lang) if isinstance(b, Contents)]
    assert contents.title == words(lang)["phrases"]["contents"]
    listed = [x for part in contents.entries for x in (part, *part.under)]
    headings = [b for b in blocks(name, lang=lang) if isinstance(b, Heading) and b.level > 1]
    assert [(x.text, x.anchor) for x in listed] == [(b.text, b.anchor) for b in headings]
    assert len({x.anchor for x in listed}) == len(listed)


def anchors(name):
    return [b.anchor for b in blocks(name) if isinstance(b, Heading) and b.anchor]


def test_contents_in_latex():
    text = page(DERIVED["block"], "latex")
    parts = [a for a in anchors("block") if "-" not in a]
    assert re.findall(r"\\pageref\{derive-(.+?)\}", text) == parts
    assert set(re.findall(r"\\label\{derive-(.+?)\}", text)) == set(anchors("block"))


def test_contents_in_markdown_and_in_a_notebook():
    text = page(DERIVED["block"], "markdown")
    assert re.findall(r"\]\(#(.+?)\)", text) == anchors("block")
    assert re.findall(r'<a id="(.+?)">', text) == anchors("block")
    cells = json.loads(page(DERIVED["block"], "notebook"))["cells"]
    notebook = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    assert re.findall(r"\]\(#(.+?)\)", notebook) == anchors("block")
    assert set(re.findall(r'<a id="(.+?)">', notebook)) == set(anchors("block"))


def test_results_in_a_notebook_are_code():
    """Every step but the contributions is derived again by a cell."""
    d = DERIVED["block"]
    cells = json.loads(page(d, "notebook"))["cells"]
    code = "".join("".join(c["source"]) + ";" for c in cells if c["cell_type"] == "code")
    found = re.findall(r'd\.step\("(.+?)"\)', code)
    assert found == [s.name for s in d.derived if s.name != "C"]


def test_contents_in_html():
    """Links in a named region, each to a heading: keys reach them as they reach every link."""
    text = page(DERIVED["block"], "html")
    assert text.count("<nav") == 1 and '<nav aria-label="Contents">' in text
    assert re.findall('href="#(.+?)"', text) == anchors("block")
    ids = re.findall(r'<h[23] id="(.+?)"', text)
    assert ids == anchors("block")


def test_contents_in_a_terminal():
    text = page(DERIVED["block"], "terminal")
    head = text[: text.index("Conventions\n──")]
    assert "  Feed-forward network\n    Widened · Activation" in head


@each_language
def test_contents_in_print(lang):
    made = pdf(DERIVED["block"], lang=lang)[0]
    links = made.count(b"/Subtype /Link") + made.count(b"/Subtype/Link")
    assert links >= len(anchors("block"))


def test_slides_of_a_long_derivation():
    from derive.render import beamer

    found = walkthrough(DERIVED["block"], Options())
    text = beamer.document(found)
    assert "pageref" not in text and r"{Queries}{Attention}" in text
    assert sheets(pdf(DERIVED["block"], slides=True)[0]) > len(DERIVED["block"].derived)


def test_details_stay_to_be_had():
    """Every entry is worked out where that is asked for, under the same contents."""
    brief, every = (page(DERIVED["block"], "terminal", detail=k) for k in ("full", "every-entry"))
    assert "F₃₂ = " in every and "F₃₂ = " not in brief
    assert "Contents" in every


def test_weights_are_told_aloud_first_and_last():
    maps = [b for b in blocks("language-model") if type(b).__name__ == "Heatmap"]
    pairs = [b for b in blocks("block") if isinstance(b, Abreast)]
    assert len(maps) == 2 and len(pairs) == 1
    assert [[type(b).__name__ for b in side] for side in (pairs[0].left, pairs[0].right)] == [
        ["Heatmap"], ["Text", "Table"],
    ]  # fmt: skip


@each_long
def test_formulas_side_by_side_fit_a_line(name):
    found = walkthrough(DERIVED[name], Options())
    for block in found.blocks:
        if isinstance(block, Formulas):
            for row in side_by_side(found, block.chains):
                assert len(row.chains) == 1 or sum(spread(found, c) for c in row.chains) < ROOM


@pytest.mark.parametrize(
    ("problem", "step", "said", "across"),
    [
        ("decoder", "self.A", " % to token 2 (B)", ("A", "B")),
        ("decoder", "cross.A", " % to key 3", ("1", "2", "3")),
        ("seq2seq", "enc.L1.A", "Token 2 (gehe) gives ", ("ich", "gehe")),
        ("seq2seq", "dec.L1.self.A", "Token 3 (go) gives ", ("<s>", "I", "go")),
        ("seq2seq", "dec.L1.cross.A", " % to key 2 (gehe)", ("ich", "gehe")),
    ],
)
def test_every_text_has_its_words(problem, step, said, across):
    """What attends is the target where the decoder does; the keys of the source are its words."""
    d = DERIVED[problem]
    told, shades = Weights(d, Format(), "en").blocks(d.step(step))
    assert said in told.content and shades.columns == across


@pytest.mark.parametrize("name", ["language-model", "seq2seq"])
def test_one_number_has_no_brackets(name):
    text = page(DERIVED[name], "terminal")
    assert "PPL = e^J" in text and "J = (L₁ + L₂ + L₃" in text
    assert not re.search(r"(PPL|J)(_ij| = \[| ≈ \[)", text)
