"""What an HTML page says beside its blocks, in each language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """The words on the controls, and what a box that scrolls sideways is called."""

    copy: str
    copied: str
    wide: str


WORDS = {
    "en": Words("Copy", "Copied", "Wider than the page: scrolls sideways"),
    "zh": Words("复制", "已复制", "超出页宽：可左右滚动"),
}
