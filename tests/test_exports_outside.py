"""Exports as programs read them that others wrote; each test needs its package."""

import json
import warnings
import zipfile
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import etree
from qti import marked
from test_exports import BLANK, graded, matrices, opened, quiz, worked

from derive import builtin
from derive.handout import Looks, keys_printed, sheets_printed
from derive.worksheet.choices import offered
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants


@pytest.fixture(scope="module")
def made():
    found = list(variants(Plan(builtin("head"), seed=7, blank=BLANK), (1, 2)))
    return [(v, worked(v)) for v in found]


# --- Moodle, by moodle-xml-parser


def test_moodles_questions_are_read(made):
    reader = pytest.importorskip("moodle_xml_parser.parser")
    found = reader.parse_bytes(quiz(made, "moodle", partial=25).encode())
    for question, (v, own) in zip(found["cloze"], made, strict=True):
        assert question.name == v.id
        gaps = [gap for gap in question.gaps if gap.sub_type != "UNKNOWN"]  # braces of LaTeX
        for gap, x in zip(gaps, own.values(), strict=True):
            right = next(o for o in gap.options if o.score == 100)
            middle, half = map(Fraction, right.answer.split(":"))
            assert abs(x - middle) <= half
            assert {o.score for o in gap.options} <= {100, 25}
    every = [one for v, _ in made for one in offered(v)]
    for question, one in zip(found["multichoice"], every, strict=True):
        assert question.single and not question.shuffle_answers
        assert [o.score_fraction for o in question.options] == [
            25 if told else 100 for _, told in one.options
        ]


# --- QTI 2.1, by onyx2moodle and by Citolab's converter


def test_items_of_qti_are_read(made, tmp_path):
    reader = pytest.importorskip("onyx2moodle.parser")
    files = opened(quiz(made, "qti"))
    for v, own in made:
        path = tmp_path / "item.xml"
        path.write_bytes(files[f"items/q-{v.id}.xml"])
        item = reader.parse_item(path)
        assert [x.kind for x in item.interactions] == ["textEntry"] * len(own)
        for asked, x in zip(item.interactions, own.values(), strict=True):
            declared = item.response_decls[asked.response_identifier]
            assert declared.base_type == "float"
            assert abs(Fraction(declared.correct_values[0]) - x) < Fraction(1, 100)
        for k, one in enumerate(offered(v), 1):
            path.write_bytes(files[f"items/q-{v.id}-choice-{k}.xml"])
            item = reader.parse_item(path)
            (asked,) = item.interactions
            assert asked.kind == "choice" and not asked.shuffle and asked.max_choices == 1
            texts = {x.identifier: x.html.replace("−", "-") for x in asked.choices}
            assert list(texts.values()) == [digits for digits, _ in one.options]
            (right,) = item.response_decls["RESPONSE"].correct_values
            assert texts[right] == one.answer.key
            assert {x.identifier for x in item.feedback} == set(texts)


def test_the_package_goes_to_qti_3_and_back(made, tmp_path):
    converter = pytest.importorskip("qti_convert")
    (tmp_path / "a.zip").write_bytes(quiz(made, "qti"))
    converter.upgrade_package(tmp_path / "a.zip", tmp_path / "b.zip")
    back = converter.downgrade_package(tmp_path / "b.zip", tmp_path / "c.zip")
    assert not back.warnings
    before, after = (values((tmp_path / x).read_bytes()) for x in ("a.zip", "c.zip"))
    assert before == after and len(before) > 2


def values(package):
    """What is asked and what it is marked with, of each item."""
    found = {}
    with zipfile.ZipFile(BytesIO(package)) as files:
        for name in files.namelist():
            root = etree.fromstring(files.read(name)) if name.endswith(".xml") else None
            if root is not None and etree.QName(root).localname == "assessmentItem":
                numbers = [x.text for x in root.iter("{*}baseValue", "{*}value")]
                asked = [x.get("responseIdentifier") for x in root.iter("{*}textEntryInteraction")]
                found[root.get("identifier")] = numbers, asked
    return found


@pytest.fixture(scope="module")
def runtime():
    """Pyslet, which checks what an item holds as it reads it, and runs its processing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python, on its older code
        pytest.importorskip("pyslet")
        from pyslet.qtiv2 import variables, xml

    def run(content, answers):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            document = xml.QTIDocument()
            document.read(src=BytesIO(content))
            document.root.render_html = lambda *_: None  # it knows no MathML
            state = variables.ItemSessionState(document.root)
            state.begin_session()
            state.begin_attempt()
            for name, answer in answers.items():
                state[name].set_value(answer)
            state.end_attempt()
        return state["SCORE"].value, state["FEEDBACK"].value, state["MAXSCORE"].value

    return run


def test_a_runtime_of_qti_gives_the_points(runtime, made):
    """To the pupil who is right all of them, and to one with a mistake what it says itself."""
    files = opened(quiz(made, "qti"))
    for v, own in made:
        item = files[f"items/q-{v.id}.xml"]
        answers = {f"R{k}": float(x) for k, x in enumerate(own.values(), 1)}
        assert runtime(item, answers) == (len(own), None, len(own))
        wrong = worked(v, "softmax along the other side").values()
        answers = {f"R{k}": x for k, x in enumerate(wrong, 1)}
        score, feedback = marked(etree.fromstring(item), answers)
        theirs = runtime(item, {k: float(x) for k, x in answers.items()})
        assert theirs[0] == score < len(own) and sorted(theirs[1]) == sorted(feedback)
        for k, one in enumerate(offered(v), 1):
            item = files[f"items/q-{v.id}-choice-{k}.xml"]
            for letter, (_, told) in zip("ABCDE", one.options, strict=False):
                expected = (0 if told else 1, letter, 1)
                assert runtime(item, {"RESPONSE": letter}) == expected


# --- QTI 1.2, beside what text2qti writes for Canvas

SOURCE = """Quiz title: beside

1. A number
-    wrong
=  0.333 +- 0.0005

2. A choice
a)  1.000
... one
*b) 0.333
... two
c)  0.768
... three
"""


def skeleton(element):
    """Tags and names of attributes, without texts, identifiers and indents."""
    below = [skeleton(child) for child in element if isinstance(child.tag, str)]
    unique = [x for x, after in pairwise([*below, None]) if x != after]  # a list as one of it
    return etree.QName(element).localname, sorted(element.attrib), unique


def test_items_of_canvas_are_built_as_text2qti_builds_them(made):
    quizzes = pytest.importorskip("text2qti.quiz")
    from text2qti.config import Config
    from text2qti.qti import QTI

    written = QTI(quizzes.Quiz(SOURCE, config=Config())).assessment
    number, choice = etree.fromstring(written.encode()).iter("{*}item")
    files = opened(quiz(made, "canvas"))
    for key, item in (("numbers", number), ("choices", choice)):
        mine = next(etree.fromstring(files[f"{key}/{key}.xml"]).iter("{*}item"))
        for part in ("presentation", "resprocessing", "itemfeedback"):
            assert skeleton(mine.find(f"{{*}}{part}")) == skeleton(item.find(f"{{*}}{part}")), key
        kinds = [x.find(".//{*}fieldentry").text for x in (mine, item)]
        assert kinds[0] == kinds[1]


# --- PreTeXt, by its schema

RELAX = "{http://relaxng.org/ns/structure/1.0}"


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """pretext-dev.rng of the package; definitions that are spread are put together, as libxml2
    needs them, and figures, which stand in other files, are left out."""
    pretext = pytest.importorskip("pretext")
    core = Path(pretext.__file__).parent / "resources" / "core.zip"
    with zipfile.ZipFile(core) as found:
        texts = {
            n.rpartition("/")[2]: found.read(n) for n in found.namelist() if n.endswith(".rng")
        }
    names, spaces = {}, {}

    def load(name):
        root = etree.fromstring(texts[name])
        spaces.update({k: v for k, v in root.nsmap.items() if k})
        for node in root:
            if node.tag == f"{RELAX}include":
                load(node.get("href"))
            elif isinstance(node.tag, str):
                names.setdefault((node.tag, node.get("name")), []).append(node)

    load("pretext-dev.rng")
    types = "http://www.w3.org/2001/XMLSchema-datatypes"
    space = {None: RELAX[1:-1], **spaces}
    grammar = etree.Element(f"{RELAX}grammar", nsmap=space, datatypeLibrary=types)
    for (tag, name), nodes in names.items():
        whole = etree.SubElement(grammar, tag, **({"name": name} if name else {}))
        kinds = {node.get("combine") for node in nodes} - {None}
        parent = etree.SubElement(whole, f"{RELAX}{kinds.pop()}") if len(nodes) > 1 else whole
        for node in nodes:
            holder = etree.SubElement(parent, f"{RELAX}group") if len(nodes) > 1 else parent
            holder.extend(list(node))
    for node in grammar.iter(f"{RELAX}externalRef"):
        node.tag = f"{RELAX}notAllowed"
        node.attrib.clear()
    return etree.RelaxNG(etree.fromstring(etree.tostring(grammar)))


@pytest.mark.parametrize("choices", [False, True])
def test_pretext_is_valid(schema, made, choices):
    root = etree.fromstring(quiz(made, "pretext", choices=choices).encode())
    assert schema.validate(root), schema.error_log
    root.find(".//statement").append(etree.Element("matrix"))
    assert not schema.validate(root)


# --- notebooks, by nbgrader


def test_nbgrader_takes_the_key_and_makes_the_sheet(made):
    forms = pytest.importorskip("nbgrader.nbgraderformat")
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

    every = [v for v, _ in made]
    key = forms.reads(keys_printed(every, "notebook", Looks("en")), as_version=4)
    forms.MetadataValidator().validate_nb(key)
    sheet = json.loads(sheets_printed(every, "notebook", Looks("en")))
    released, resources = ClearSolutions().preprocess(key, {})
    released, _ = ClearHiddenTests().preprocess(released, resources)
    for theirs, mine in zip(released.cells, sheet["cells"], strict=True):
        assert theirs.source.rstrip("\n") == "".join(mine["source"]).rstrip("\n")


def test_nbgrader_gives_the_points(made):
    """Its key is executed by Jupyter and marked by nbgrader: with right numbers, and with a mistake
    that is known."""
    forms = pytest.importorskip("nbgrader.nbgraderformat")
    from nbclient import NotebookClient
    from nbgrader.utils import determine_grade, is_grade

    v, own = made[0]
    for answers in (own, worked(v, "softmax along the other side")):
        book = forms.reads(keys_printed([v], "notebook", Looks("en")), as_version=4)
        for cell in book.cells:
            found = cell.metadata.get("nbgrader", {})
            if found.get("solution"):
                name = found["grade_id"].rsplit("-", 1)[1]
                cell.source = f"{name} = {matrices(v, answers)[name]!r}"
        NotebookClient(book, allow_errors=True, kernel_name="python3").execute()
        points = sum(Fraction(determine_grade(x)[0]) for x in book.cells if is_grade(x))
        most = sum(determine_grade(x)[1] for x in book.cells if is_grade(x))
        assert most == len(own)
        assert points == graded(book_cells(v), matrices(v, answers))[0]
        assert (points == most) == (answers is own)


def book_cells(v):
    import nbformat

    return nbformat.reads(keys_printed([v], "notebook", Looks("en")), as_version=4).cells
