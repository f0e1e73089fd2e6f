"""Articles made at random: right ones are never accused, planted mistakes are found and named.

The environment variable ARTICLES multiplies the seeds: `ARTICLES=20 pytest tests/test_articles.py`.
Rates by notation, model and kind: `python tests/articles/sweep.py --seeds 5000`.
"""

import os
from collections import Counter

import pytest
from articles.generator import RULED, WRITTEN, article, kinds
from articles.judged import judged
from articles.languages import LANGUAGES
from articles.mistakes import ENTRIES, OBJECTS
from articles.models import MODELS

TIMES = int(os.environ.get("ARTICLES", "1"))
SETTLED = ("bmatrices", "lists", "printouts")
"""Notations in which every model is tried."""


def models_of(kind):
    return [name for name in MODELS if kind in kinds(name)]


@pytest.mark.parametrize("notation", WRITTEN)
def test_a_right_article_is_not_accused_in_any_notation(notation):
    for seed in range(TIMES):
        for model in ("scores", "plain"):
            result = judged(article(seed, notation, model, style="rounded"))
            assert not result.accused
            assert result.checked >= 0.5 * result.numbers


@pytest.mark.parametrize("notation", WRITTEN)
def test_a_planted_entry_is_found_in_any_notation(notation):
    found = Counter()
    for seed in range(2 * TIMES):
        found.update(judged(article(seed, notation, "head", "", style="rounded")).counts())
    assert found["accused"] == 0
    assert found["found"] >= 0.5 * found["planted"] > 0


@pytest.mark.parametrize("style", ["rounded", "carried", "cut", "single"])
@pytest.mark.parametrize("model", MODELS)
def test_a_right_article_is_not_accused_on_any_model(model, style):
    for seed in range(TIMES):
        result = judged(article(seed, SETTLED[seed % 3], model, style=style))
        assert not result.accused


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_right_article_is_not_accused_in_any_language(language):
    for seed in range(TIMES):
        result = judged(article(seed, "inline", "head", style="rounded", language=language))
        assert not result.accused
        assert result.checked >= 0.9 * result.numbers


@pytest.mark.parametrize("kind", sorted({*RULED, *ENTRIES, *OBJECTS, "input misprint"}))
def test_a_planted_mistake_is_found_and_named(kind):
    found = Counter()
    models = models_of(kind)
    for seed in range(2 * TIMES):
        found.update(judged(article(seed, "bmatrices", models[seed % len(models)], kind)).counts())
    assert found["accused"] == 0
    assert found["found"] >= 0.5 * found["planted"] > 0
    assert not kind or found["caused"] >= 0.5 * found["planted"]


def test_the_same_seed_gives_the_same_article():
    assert article(7, "lists", "head", "not scaled") == article(7, "lists", "head", "not scaled")
