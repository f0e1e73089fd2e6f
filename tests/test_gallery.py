"""outputs/ holds what the program produces today."""

import gallery
import pytest

FILES = dict(gallery.files())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_gallery_is_current(path):
    assert path.read_bytes() == FILES[path], "run: python tests/gallery.py"


def test_the_gallery_holds_nothing_else():
    assert set(gallery.FOLDER.iterdir()) == FILES.keys()
