"""What is answered in words, as programs read it that others wrote; each test needs its package."""

import json
import zipfile

import pytest
from lxml import etree
from test_exports import opened
from test_exports_outside import runtime, schema, skeleton  # noqa: F401
from test_exports_words import TRUTH, WORDED, bank, blanks, items, right_answers, sheets

from derive.handout import Looks, keys_printed, sheets_printed, truths_data
from derive.words import LANGUAGES
from derive.worksheet.shaping import shapes_of

# --- Moodle, by moodle-xml-parser


def test_moodles_short_answers_are_read():
    reader = pytest.importorskip("moodle_xml_parser.parser")
    found = reader.parse_bytes(bank("shapes", "moodle").encode())
    for question, v in zip(found["cloze"], sheets("shapes"), strict=True):
        gaps = [gap for gap in question.gaps if gap.sub_type != "UNKNOWN"]  # braces of LaTeX
        hidden = sum(len(line.hidden - {"formula"}) for line in shapes_of(v).lines)
        assert len(gaps) == hidden
        for gap, spellings in zip(gaps, blanks(question.text_pre_parse), strict=True):
            assert {o.score for o in gap.options} == {100}
            assert [o.answer.replace("\\", "") for o in gap.options] == spellings


# --- QTI 2.1


@pytest.mark.parametrize("kind", ["shapes", "match", "find-mistake", TRUTH])
def test_a_runtime_gives_the_points(runtime, kind):  # noqa: F811
    """Of Pyslet: all for what is declared right, none for nothing, half for half of the pairs."""
    for item in items(kind):
        answers = dict(right_answers(item))
        if not _is_numeric(item):
            content = etree.tostring(item)
            score, _, most = runtime(content, {k: _held(x) for k, x in answers.items()})
            assert score == most > 0
            assert runtime(content, {})[0] == 0
            if kind == "match":
                half = dict(_pair(x) for x in answers["RESPONSE"][:4])
                assert runtime(content, {"RESPONSE": dict.fromkeys(half.items(), 1)})[0] == 4


def _is_numeric(item):
    return "float" in {x.get("baseType") for x in item.iter("{*}responseDeclaration")}


def _pair(text):
    return tuple(text.split())


def _held(answer):
    """As the runtime holds it: pairs with how often each was made."""
    return {_pair(x): 1 for x in answer} if isinstance(answer, list) else answer


def test_interactions_are_read(tmp_path):
    reader = pytest.importorskip("onyx2moodle.parser")
    wanted = {"shapes": {"textEntry", "choice"}, "match": {"match"}, "explain": {"extendedText"},
              "find-mistake": {"choice", "textEntry"}, TRUTH: {"choice"}}  # fmt: skip
    for kind, kinds in wanted.items():
        seen = set()
        for item in items(kind):
            path = tmp_path / "item.xml"
            path.write_bytes(etree.tostring(item))
            read = reader.parse_item(path)
            seen |= {one.kind for one in read.interactions}
            if kind == "match":
                (one,) = read.interactions
                right = [_pair(x) for x in read.response_decls["RESPONSE"].correct_values]
                names = [[x.identifier for x in side]
                         for side in (one.match_sources, one.match_targets)]  # fmt: skip
                assert len(names[0]) == 8 == len(right)
                assert all(a in names[0] and b in names[1] for a, b in right)
        assert seen == kinds


def held(path):
    with zipfile.ZipFile(path) as found:
        yield from ((n, found.read(n)) for n in found.namelist() if n.startswith("items/"))


@pytest.mark.parametrize("kind", [*WORDED, TRUTH])
def test_packages_go_to_qti_3_and_back(kind, tmp_path):
    converter = pytest.importorskip("qti_convert")
    content = truths_data(5, 2, "qti") if kind == TRUTH else bank(kind, "qti")
    (tmp_path / "a.zip").write_bytes(content)
    converter.upgrade_package(tmp_path / "a.zip", tmp_path / "b.zip")
    back = converter.downgrade_package(tmp_path / "b.zip", tmp_path / "c.zip")
    added = {"external-scored", "use"} if kind == "explain" else set()  # by the way there
    assert all(any(name in x.message for name in added) for x in back.warnings)
    before, after = (
        {name: sorted(x.get("mapKey") for x in etree.fromstring(text).iter("{*}mapEntry"))
         for name, text in held(tmp_path / path)}
        for path in ("a.zip", "c.zip")
    )  # fmt: skip
    assert before == after and before


# --- QTI 1.2, beside what text2qti and qti-package-maker write for Canvas

SOURCE = """Quiz title: beside

1. A statement
*a) True
b) False

2. A reason
____
"""


def first(kind, key):
    content = truths_data(5, 1, "canvas") if kind == TRUTH else bank(kind, "canvas")
    return next(etree.fromstring(opened(content)[f"{key}/{key}.xml"]).iter("{*}item"))


def kind_of(item):
    return item.find(".//{*}fieldentry").text


def test_statements_and_essays_are_built_as_text2qti_builds_them():
    quizzes = pytest.importorskip("text2qti.quiz")
    from text2qti.config import Config
    from text2qti.qti import QTI

    written = QTI(quizzes.Quiz(SOURCE, config=Config())).assessment
    statement, essay = etree.fromstring(written.encode()).iter("{*}item")
    for mine, theirs in ((first(TRUTH, "choices"), statement), (first("explain", "essays"), essay)):
        assert kind_of(mine) == kind_of(theirs)
        assert skeleton(mine.find("{*}presentation")) == skeleton(theirs.find("{*}presentation"))
    pair = first(TRUTH, "choices"), statement
    mine, theirs = (skeleton(x.find("{*}resprocessing")) for x in pair)
    assert mine == theirs


def names(element):
    """Tags alone, a list as one of it."""
    below = [names(child) for child in element]
    unique = [x for k, x in enumerate(below) if k == 0 or x != below[k - 1]]
    return etree.QName(element).localname, unique


def test_matching_is_built_as_qti_package_maker_builds_it():
    pytest.importorskip("qti_package_maker")
    from qti_package_maker.assessment_items.item_types import MATCH
    from qti_package_maker.engines.canvas_qti_v1_2 import write_item

    theirs = write_item.MATCH(MATCH("Which?", ["a", "b", "c"], ["1", "2", "3"]))
    mine = first("match", "matching")
    assert kind_of(mine) == theirs.find(".//fieldentry").text == "matching_question"
    for part in ("presentation", "resprocessing"):
        assert names(mine.find(f"{{*}}{part}")) == names(theirs.find(part))


# --- PreTeXt, by its schema


@pytest.mark.parametrize("kind", [*WORDED, TRUTH])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_pretext_knows_them(schema, kind, lang):  # noqa: F811
    text = truths_data(5, 2, "pretext", lang) if kind == TRUTH else bank(kind, "pretext", lang)
    root = etree.fromstring(text.encode())
    assert schema.validate(root), schema.error_log
    root.find(".//statement").append(etree.Element("matrix"))
    assert not schema.validate(root)


# --- notebooks, by nbgrader


@pytest.mark.parametrize("kind", WORDED)
def test_nbgrader_makes_the_sheet_of_the_key(kind):
    forms = pytest.importorskip("nbgrader.nbgraderformat")
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

    key = forms.reads(keys_printed(sheets(kind), "notebook", Looks()), as_version=4)
    forms.MetadataValidator().validate_nb(key)
    sheet = json.loads(sheets_printed(sheets(kind), "notebook", Looks()))
    released, resources = ClearSolutions().preprocess(key, {})
    released, _ = ClearHiddenTests().preprocess(released, resources)
    for theirs, mine in zip(released.cells, sheet["cells"], strict=True):
        assert theirs.source.rstrip("\n") == "".join(mine["source"]).rstrip("\n")
