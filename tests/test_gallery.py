"""outputs/ holds what the program produces today."""

import struct

import gallery
import pytest

FILES = dict(gallery.files())
MADE_ELSEWHERE = {*gallery.made_by_tex(), gallery.PICTURE}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_gallery_is_current(path):
    assert path.read_bytes() == FILES[path], "run: python tests/gallery.py"


def test_the_gallery_holds_nothing_else():
    assert set(gallery.FOLDER.iterdir()) == FILES.keys() | MADE_ELSEWHERE


def test_every_page_is_there_in_every_format():
    suffixes = {"tex", "pdf", "html", "md", "ipynb", "json", "tex.pdf"}
    names = {path.name for path in gallery.FOLDER.iterdir()}
    for problem in gallery.SHOWN:
        for lang in ("", ".zh"):
            assert {f"{problem}{lang}.{suffix}" for suffix in suffixes} <= names


def test_the_picture_is_small():
    """A PNG of a page's width at 150 dots an inch, or a little less."""
    data = gallery.PICTURE.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) < gallery.MOST_BYTES
    width, height = struct.unpack(">II", data[16:24])
    assert 800 <= width <= 1240 and width <= height <= 1754
