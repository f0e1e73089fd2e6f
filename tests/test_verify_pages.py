"""Pages of the gallery, every number of which was proved when they were made: none is accused."""

from pathlib import Path

import pytest

from derive.verify import verify

OUTPUTS = Path(__file__).parents[1] / "outputs"
PAGES = (
    "head.md", "head.html", "head.zh.md", "causal.md", "causal.html", "unscaled.md",
    "unscaled.html", "three-words.md", "three-words.html", "multihead.md", "eight.md",
    "block.md", "block.zh.md", "symbolic.md", "grad-head.md", "grad-block.md",
    "theorem-variance.md", "decoder.md", "decoder.html", "seq2seq.md", "seq2seq.html",
    "language-model.md", "multihead.html", "eight.tex", "head.ipynb", "worksheet-head-key.md",
    "worksheet-what-if-key.md", "worksheet-empty-page-key.zh.md",
)  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_proved_page_is_right(name):
    report = verify((OUTPUTS / name).read_text(encoding="utf-8"), name)
    bad = [c for c in report.claims if c.verdict in ("wrong", "consequence")]
    assert [(c.line, c.printed, c.exact) for c in bad] == []
    assert any(c.verdict == "correct" for c in report.claims) or name == "symbolic.md"
