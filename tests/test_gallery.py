"""outputs/ holds what the program produces today."""

import gallery
import pytest


@pytest.mark.parametrize(
    ("path", "text"), list(gallery.files()), ids=lambda x: getattr(x, "name", "")
)
def test_the_gallery_is_current(path, text):
    assert path.read_text(encoding="utf-8") == text, "run: python tests/gallery.py"


def test_the_gallery_holds_nothing_else():
    assert set(gallery.FOLDER.iterdir()) == {path for path, _ in gallery.files()}
