"""The committed gallery in outputs/: `python tests/gallery.py` writes it anew.

What TeX and poppler make is written where they are installed, and kept as it is elsewhere.
"""

import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from derive.api import builtin, derive, shapes
from derive.gradients import differentiate
from derive.handout import Looks, data_printed, keys_printed, sheets_printed, truths_printed
from derive.models.beside import beside, cached
from derive.models.generation import written
from derive.pages import gradients_printed, page, pdf, shapes_printed, theorem_printed
from derive.theorems import theorem
from derive.verdicts import notes_printed, patch_printed, verdicts_printed
from derive.verify.checked import Checked
from derive.verify.documents.document import document
from derive.verify.patch import patched
from derive.verify.report import verified
from derive.worksheet.changes import changed_by
from derive.worksheet.plan import Constraints, Plan
from derive.worksheet.search import variant
from derive.worksheet.widened import widened
from derive.writing import beside_printed, generation_printed

FOLDER = Path(__file__).resolve().parent.parent / "outputs"
TABLE = {"latex": ".tex", "markdown": ".md", "html": ".html", "json": ".json"}
SUFFIXES = {**TABLE, "notebook": ".ipynb"}
SHOWN = ("head", "causal", "symbolic", "eight")
PAGES = (*((problem, lang) for problem in SHOWN for lang in ("en", "zh")), ("unscaled", "en"))
MODELS = ("three-words", "multihead", "positions", "rope", "layernorm", "block", "decoder",
          "seq2seq", "language-model")  # fmt: skip
SLOPES = {"head": "O[1][1]", "block": "", "language-model": "loss"}
"""What is differentiated of each problem whose gradients are shown."""
THEOREMS = ("key-bias", "variance", "residual")
EXERCISES = {
    "head": ("head", "compute", {"blank": ("A", "O")}),
    "every-step": ("causal", "compute", {"level": 2}),
    "empty-page": ("multihead", "compute", {"level": 3}),
    "layernorm": ("layernorm", "compute", {"constraints": Constraints(rational=True)}),
    "block": ("block", "compute", {"blank": ("R1", "N1")}),
    "find-mistake": ("head", "find-mistake", {"level": 2}),
    "explain": ("head", "explain", {"level": 2}),
    "shapes": ("block", "shapes", {"level": 1}),
    "match": ("multihead", "match", {}),
    "gradient": ("head", "gradient", {"level": 2}),
    "what-if": ("head", "what-if", {}),
    "decoder": ("decoder", "compute", {}),
    "language-model": ("language-model", "compute", {}),
    "gradient-logits": ("language-model", "gradient", {}),
}
"""Worksheets: the problem, the kind of exercise, and what is asked for."""
PRINTED = {"docx": ".docx", "notebook": ".ipynb"}
QUESTIONS = {
    "moodle": ".moodle.xml",
    "qti": ".qti.zip",
    "canvas": ".canvas.zip",
    "pretext": ".ptx",
}
"""Formats of other systems: with a key beside the sheet, and with the key in it."""
ARTICLE = r"""# Attention by hand

Three tokens of two dimensions, one a row:

$$X = \begin{bmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \end{bmatrix}$$

The weights are $W_Q = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}$,
$W_K = \begin{bmatrix} 1 & 1 \\ 0 & 1 \end{bmatrix}$ and
$W_V = \begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}$, so that

$$S = Q K^T = \begin{bmatrix} 1 & 0 & 1 \\ 1 & 1 & 2 \\ 2 & 1 & 3 \end{bmatrix}$$

Divided by $\sqrt{2} \approx 1.414$, the softmax of each row gives the weights

$$A = \begin{bmatrix} 0.401 & 0.198 & 0.401 \\ 0.248 & 0.248 & 0.504 \\
0.284 & 0.140 & 0.576 \end{bmatrix}$$

and with $V = X W_V$ the second output is $0.248 + 0.248 + 2 \cdot 0.504 = 1.504$, in all

$$O = A V = \begin{bmatrix} 1.401 & 0.599 \\ 1.504 & 0.752 \\ 1.756 & 0.716 \end{bmatrix}$$
"""
"""An article in which a row is made to sum to one, and two digits are swapped."""
PICTURE = FOLDER / "head.png"
"""The page that the README shows, and the most bytes that it may take."""
MOST_BYTES = 150_000
DOTS = 150


def stem(problem: str, lang: str) -> str:
    """What the files of a page are called, before their suffix."""
    return problem if lang == "en" else f"{problem}.{lang}"


def files() -> Iterator[tuple[Path, bytes]]:
    """Every file that this package makes by itself, with what it should hold."""
    for problem, lang in PAGES:
        derivation = derive(builtin(problem))
        name = stem(problem, lang)
        for format, suffix in SUFFIXES.items():
            yield FOLDER / (name + suffix), page(derivation, format, lang=lang).encode()
        yield FOLDER / f"{name}.pdf", pdf(derivation, lang=lang)[0]
    yield from models()
    yield from gradients()
    yield from writing()
    yield from tables()
    yield from proofs()
    yield from worksheets()
    yield from exports()
    yield from verdicts()


def models() -> Iterator[tuple[Path, bytes]]:
    """Every other model, to be read and to be printed."""
    for problem in MODELS:
        derivation = derive(builtin(problem))
        yield FOLDER / f"{problem}.html", page(derivation, "html", lang="en").encode()
        for lang in ("en", "zh"):
            name = stem(problem, lang)
            yield FOLDER / f"{name}.md", page(derivation, "markdown", lang=lang).encode()
            yield FOLDER / f"{name}.pdf", pdf(derivation, lang=lang)[0]


def gradients() -> Iterator[tuple[Path, bytes]]:
    """Gradients in all three views, two steps of training, and a temperature that varies."""
    for problem, of in SLOPES.items():
        sweep = differentiate(derive(builtin(problem)), of)
        for lang in ("en", "zh"):
            name = stem(f"grad-{problem}", lang)
            for format, suffix in (("markdown", ".md"), ("html", ".html"), ("pdf", ".pdf")):
                content, _ = gradients_printed(sweep, format, lang=lang)
                yield FOLDER / (name + suffix), as_bytes(content)


def writing() -> Iterator[tuple[Path, bytes]]:
    """What the language model writes, with its cache; translation in training and at inference."""
    found = written(builtin("language-model"), 3)
    memory, both = cached(found), beside(builtin("seq2seq"))
    for lang in ("en", "zh"):
        for format, suffix in (("markdown", ".md"), ("html", ".html"), ("pdf", ".pdf")):
            content, _ = generation_printed(found, format, cached=memory, lang=lang)
            yield FOLDER / (stem("generate", lang) + suffix), as_bytes(content)
            content, _ = beside_printed(both, format, lang=lang)
            yield FOLDER / (stem("generate-beside-training", lang) + suffix), as_bytes(content)


def as_bytes(content: str | bytes) -> bytes:
    """Text in UTF-8."""
    return content if isinstance(content, bytes) else content.encode()


def tables() -> Iterator[tuple[Path, bytes]]:
    """The shapes and counts of the model of 2017."""
    for lang in ("en", "zh"):
        for format, suffix in {**TABLE, "pdf": ".pdf"}.items():
            content = shapes_printed(shapes("transformer-base"), format, lang=lang)
            yield FOLDER / (stem("transformer-base", lang) + suffix), as_bytes(content)


def proofs() -> Iterator[tuple[Path, bytes]]:
    """Three theorems."""
    for name in THEOREMS:
        for lang in ("en", "zh"):
            for format, suffix in (("markdown", ".md"), ("html", ".html"), ("pdf", ".pdf")):
                content = theorem_printed(theorem(name), format, lang=lang)
                yield FOLDER / (stem(f"theorem-{name}", lang) + suffix), as_bytes(content)


def worksheets() -> Iterator[tuple[Path, bytes]]:
    """A sheet of each kind, drawn from one seed, and its key."""
    for name, (problem, kind, wishes) in EXERCISES.items():
        before, asked = None, widened(builtin(problem))
        if kind == "what-if":
            before, asked = asked, changed_by(asked, "causal")
        made = [variant(Plan(asked, seed=7, kind=kind, before=before, **wishes), 1)]
        for lang in ("en", "zh"):
            for format, suffix in (("markdown", ".md"), ("pdf", ".pdf")):
                sheet = sheets_printed(made, format, Looks(lang))
                key = keys_printed(made, format, Looks(lang))
                yield FOLDER / (stem(f"worksheet-{name}", lang) + suffix), as_bytes(sheet)
                yield FOLDER / (stem(f"worksheet-{name}-key", lang) + suffix), as_bytes(key)
    for lang in ("en", "zh"):
        for format, suffix in (("markdown", ".md"), ("pdf", ".pdf")):
            sheet, key = truths_printed(7, 1, format, Looks(lang))
            yield FOLDER / (stem("worksheet-true-false", lang) + suffix), as_bytes(sheet)
            yield FOLDER / (stem("worksheet-true-false-key", lang) + suffix), as_bytes(key)


def exports() -> Iterator[tuple[Path, bytes]]:
    """A sheet for other systems, and one whose numbers are chosen."""
    made = [variant(Plan(builtin("head"), seed=7), 1)]
    for lang in ("en", "zh"):
        for format, suffix in PRINTED.items():
            for name, print_ in (("", sheets_printed), ("-key", keys_printed)):
                content = print_(made, format, Looks(lang))
                path = FOLDER / (stem(f"worksheet-export{name}", lang) + suffix)
                yield path, as_bytes(content)
        for format, suffix in QUESTIONS.items():
            path = FOLDER / (stem("worksheet-export", lang) + suffix)
            yield path, as_bytes(data_printed(made, format, Looks(lang)))
        for format, suffix in (("markdown", ".md"), ("pdf", ".pdf")):
            sheet = sheets_printed(made, format, Looks(lang, choices=True))
            key = keys_printed(made, format, Looks(lang, choices=True))
            yield FOLDER / (stem("worksheet-choices", lang) + suffix), as_bytes(sheet)
            yield FOLDER / (stem("worksheet-choices-key", lang) + suffix), as_bytes(key)


def verdicts() -> Iterator[tuple[Path, bytes]]:
    """An article with a few mistakes, what is said of it, and what corrects it."""
    article = document(ARTICLE, "article.md")
    report = verified(article)
    found = Checked("article.md", report, patched(report, verified))
    yield FOLDER / "article.md", ARTICLE.encode()
    yield FOLDER / "verify.patch", patch_printed([found]).encode()
    yield FOLDER / "verify.sarif", notes_printed([found], "sarif").encode()
    yield FOLDER / "verify.json", as_bytes(verdicts_printed(report, "json"))
    for lang in ("en", "zh"):
        for format, suffix in (("markdown", ".md"), ("html", ".html"), ("pdf", ".pdf")):
            content = verdicts_printed(report, format, lang=lang)
            yield FOLDER / (stem("verify", lang) + suffix), as_bytes(content)


def made_by_tex() -> list[Path]:
    """The PDFs that TeX makes of the pages."""
    return [FOLDER / f"{stem(problem, lang)}.tex.pdf" for problem, lang in PAGES]


def words_of(document: bytes) -> list[list[str]]:
    """The words on each page of a PDF, as pdftotext reads them."""
    done = subprocess.run(["pdftotext", "-", "-"], input=document, capture_output=True, check=True)
    return [text.split() for text in done.stdout.decode().split("\f")]


def write_tex() -> None:
    """Compile what says something new; the bytes also change with the TeX that is installed."""
    for (problem, lang), path in zip(PAGES, made_by_tex(), strict=True):
        made, _ = pdf(derive(builtin(problem)), engine="tex", lang=lang)
        if not path.exists() or words_of(path.read_bytes()) != words_of(made):
            path.write_bytes(made)


def write_picture() -> None:
    """The page of the head's weights, without its margins and its number, in a few greys."""
    from PIL import Image, ImageOps

    document, _ = pdf(derive(builtin("head")), steps=("A",))
    command = ["pdftoppm", "-png", "-r", str(DOTS), "-f", "1", "-singlefile", "-"]
    done = subprocess.run(command, input=document, capture_output=True, check=True)
    whole = Image.open(BytesIO(done.stdout)).convert("L")
    body = whole.crop((0, 0, whole.width, whole.height * 92 // 100))
    cropped = body.crop(ImageOps.invert(body).getbbox())
    ImageOps.expand(cropped, border=DOTS // 4, fill=255).quantize(16).save(PICTURE, optimize=True)


def main() -> None:
    """Write the gallery, and remove what no longer belongs to it."""
    FOLDER.mkdir(exist_ok=True)
    wanted = dict(files())
    for path in set(FOLDER.iterdir()) - wanted.keys() - {*made_by_tex(), PICTURE}:
        path.unlink()
    for path, content in wanted.items():
        path.write_bytes(content)
    if shutil.which("xelatex") and shutil.which("pdftotext"):
        write_tex()
    if shutil.which("pdftoppm"):
        write_picture()


if __name__ == "__main__":
    main()
