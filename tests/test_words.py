"""The words: every language says everything, and every operation and step has its sentences."""

import re

import pytest

from derive import architectures, derive, ops, problems
from derive.api import builtin, shapes
from derive.exact.letters import STEPS as LETTERS
from derive.exact.names import label
from derive.models import MODELS
from derive.ops import Linear
from derive.views.words import meaning, step_words
from derive.words import LANGUAGES, phrase, titled, words

OTHERS = [lang for lang in LANGUAGES if lang != "en"]
each_language = pytest.mark.parametrize("lang", LANGUAGES)
each_other = pytest.mark.parametrize("lang", OTHERS)
BUILT_IN = {name: derive(builtin(name)) for name in problems.ORDER}


def leaves(table, path=()):
    """Every sentence with the keys that lead to it."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        elif isinstance(value, list):
            yield from (((*path, key, k), text) for k, text in enumerate(value))
        else:
            yield (*path, key), value


def said(lang):
    """What a language says by key; titles are given in the other languages only."""
    return {path: text for path, text in leaves(words(lang)) if path[0] != "titles"}


def test_the_languages():
    assert LANGUAGES == ("en", "zh")


@each_language
def test_every_sentence_is_a_text(lang):
    spaces = {("phrases", "space")}
    for path, text in leaves(words(lang)):
        assert isinstance(text, str) and (text.strip() or path in spaces), path


@each_other
def test_every_language_says_everything(lang):
    assert said(lang).keys() == said("en").keys()


@each_other
def test_as_much_is_put_in_in_every_language(lang):
    english = said("en")
    for path, text in said(lang).items():
        assert text.count("{") == english[path].count("{"), path
        assert sorted(re.findall("[{].*?[}]", text)) == sorted(
            re.findall("[{].*?[}]", english[path])
        ), path


@each_other
def test_every_built_in_title_is_translated(lang):
    titles = {d.problem.title for d in BUILT_IN.values()}
    titles |= {shapes(name).title for name in architectures.ORDER}
    assert titles == set(words(lang)["titles"])
    assert all(titled(title, "en") == title for title in titles)


def test_chinese_is_chinese_and_english_is_not():
    unspoken = {"SiLU", "GELU", "ReLU", "tanh", "softmax", "logits", " "}
    for path, text in said("zh").items():
        assert not re.search("[一-鿿]", said("en")[path]), path
        if path[0] in ("steps", "meanings", "operations", "places"):
            assert text in unspoken or re.search("[一-鿿]", text), path


@each_language
def test_every_operation_has_its_name_and_its_sentence(lang):
    operations = words(lang)["operations"]
    assert set(operations) == set(ops.__all__)
    assert all(set(own) == {"name", "sentence"} for own in operations.values())


@each_language
def test_every_standard_letter_has_its_meaning(lang):
    assert set(words(lang)["meanings"]) | {"mask", "1"} == set(LETTERS)
    assert set(words(lang)["steps"]) < set(words(lang)["meanings"])
    derived = {label(s.name).base for d in BUILT_IN.values() for s in d.derived}
    assert derived <= set(words(lang)["steps"])


@each_language
def test_every_model_has_its_title(lang):
    assert set(MODELS) <= set(words(lang)["phrases"])


@each_language
def test_a_step_has_a_heading_and_a_sentence(lang):
    for own in words(lang)["steps"].values():
        assert set(own) == {"heading", "sentence"}
        assert own["sentence"][-1] in ".。"


@each_language
def test_a_step_without_words_has_those_of_its_operation(lang):
    own = words(lang)["operations"]["Linear"]
    heading, sentence = step_words("again", "Linear", lang)
    assert heading.startswith("again") and heading.endswith(own["name"])
    assert sentence == own["sentence"]
    assert meaning("again", lang) is None


@pytest.mark.parametrize(
    ("name", "lang", "heading"),
    [
        ("Q", "en", "Queries"),
        ("N2", "en", "Normalised output 2"),
        ("N2", "zh", "归一化输出（2）"),
        ("A^(2)", "en", "Attention weights, head 2"),
        ("L3.A^(2)", "en", "Attention weights, layer 3, head 2"),
        ("dec.L1.cross.S", "en", "Scores, decoder, layer 1, cross-attention"),
        ("L3.A^(2)", "zh", "注意力权重（第 3 层，第 2 个头）"),
        ("enc.L1.V", "zh", "值 V（编码器，第 1 层）"),
    ],
)
def test_a_heading_says_where_the_step_stands(name, lang, heading):
    assert step_words(name, "Linear", lang)[0] == heading


def test_meanings_are_those_of_the_letter():
    assert meaning("L2.A^(1)", "en") == meaning("A", "en")


def test_a_phrase_takes_its_values():
    assert phrase("row sum", "en", 2, "0.999").startswith("Row 2: the printed entries add up to")


def test_a_step_of_the_users_own_is_on_the_page():
    from derive.pages import page

    text = page(BUILT_IN["head"].then("again", Linear(), "H", "W_Q"), "terminal", steps=("again",))
    assert "again: Linear map" in text
