"""Pages of the gallery, every number of which was proved when they were made: none is accused."""

from pathlib import Path

import pytest

from derive.verify import verify

OUTPUTS = Path(__file__).parents[1] / "outputs"
PAGES = (
    "head.md", "head.html", "head.zh.md", "head.ipynb", "causal.md", "unscaled.md", "multihead.md",
    "multihead.html", "eight.md", "eight.tex", "rope.html", "block.md", "block.zh.md",
    "block.html", "decoder.md", "decoder.html", "seq2seq.md", "language-model.md", "grad-head.md",
    "grad-head.html", "grad-block.md", "grad-block.html", "grad-language-model.md",
    "theorem-variance.md", "worksheet-head-key.md", "worksheet-what-if-key.md",
    "worksheet-empty-page-key.zh.md", "head.pdf", "causal.pdf", "decoder.pdf",
)  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_proved_page_is_right(name):
    report = verify(OUTPUTS / name)
    bad = [c for c in report.claims if c.verdict in ("wrong", "consequence")]
    assert [(c.line, c.printed, c.exact) for c in bad] == []
    assert any(c.verdict == "correct" for c in report.claims)
