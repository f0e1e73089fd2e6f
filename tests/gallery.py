"""The committed gallery in outputs/: `python tests/gallery.py` writes it anew."""

from collections.abc import Iterator
from pathlib import Path

from derive.api import builtin, derive, shapes
from derive.pages import page, pdf, shapes_printed

FOLDER = Path(__file__).resolve().parent.parent / "outputs"
SUFFIXES = {"latex": ".tex", "markdown": ".md", "html": ".html", "json": ".json"}
PAGES = (("head", "en"), ("head", "zh"), ("causal", "en"), ("unscaled", "en"), ("symbolic", "en"))


def files() -> Iterator[tuple[Path, bytes]]:
    """Every file of the gallery with what it should hold."""
    for problem, lang in PAGES:
        derivation = derive(builtin(problem))
        stem = problem if lang == "en" else f"{problem}.{lang}"
        for format, suffix in SUFFIXES.items():
            yield FOLDER / (stem + suffix), page(derivation, format, lang=lang).encode()
        yield FOLDER / f"{stem}.pdf", pdf(derivation, lang=lang)[0]
    yield from tables()


def tables() -> Iterator[tuple[Path, bytes]]:
    """The shapes and counts of the model of 2017."""
    for lang, stem in (("en", "transformer-base"), ("zh", "transformer-base.zh")):
        for format, suffix in {**SUFFIXES, "pdf": ".pdf"}.items():
            content = shapes_printed(shapes("transformer-base"), format, lang=lang)
            data = content if isinstance(content, bytes) else content.encode()
            yield FOLDER / (stem + suffix), data


def main() -> None:
    """Write the gallery, and remove what no longer belongs to it."""
    FOLDER.mkdir(exist_ok=True)
    wanted = dict(files())
    for path in set(FOLDER.iterdir()) - wanted.keys():
        path.unlink()
    for path, content in wanted.items():
        path.write_bytes(content)


if __name__ == "__main__":
    main()
