"""Articles right by construction: a head worked out by mpmath, printed in many notations."""

import json
import random
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import mpmath

SHORT = "X W_Q W_K W_V Q K V S S' A O".split()
LONG = "H Wq Wk Wv q k v scores scaled weights output".split()
STEPS = tuple("H W_Q W_K W_V Q K V S scaled A O".split())
NAMES = tuple(dict(zip(STEPS, names, strict=True)) for names in (SHORT, LONG))
GIVEN = STEPS[:4]


def turned(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def product(a, b):
    return [[sum(x * y for x, y in zip(r, c, strict=True)) for c in turned(b)] for r in a]


def head(rng, causal):
    """Every matrix of one head: rationals before the root, mpmath after it."""
    n, d, dk = rng.choice((2, 3, 4)), rng.choice((2, 3)), rng.choice((2, 3))

    def matrix(rows, columns):
        return [[Fraction(rng.randint(-9, 15), 10) for _ in range(columns)] for _ in range(rows)]

    found = {"H": matrix(n, d)} | {name: matrix(d, dk) for name in GIVEN[1:]}
    for name in "QKV":
        found[name] = product(found["H"], found[f"W_{name}"])
    found["S"] = product(found["Q"], turned(found["K"]))
    found["scaled"] = [[number(x) / mpmath.sqrt(dk) for x in row] for row in found["S"]]
    found["A"] = [
        softmax(row[: i + 1] if causal else row, n) for i, row in enumerate(found["scaled"])
    ]
    found["O"] = product(found["A"], [[number(x) for x in row] for row in found["V"]])
    return found


def number(x):
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def softmax(row, n):
    powers = [mpmath.exp(x) for x in row]
    return [x / sum(powers) for x in powers] + [mpmath.mpf(0)] * (n - len(row))


def rounded(x, places):
    plain = Decimal(mpmath.nstr(number(x), 30, strip_zeros=False))
    text = str(plain.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP))
    return text.lstrip("-") if not Decimal(text) else text


def printed(matrices, places):
    """Each matrix as strings: inputs exactly, products exactly, the rest to `places`."""
    exact = {"H": 1, "W_Q": 1, "W_K": 1, "W_V": 1, "Q": 2, "K": 2, "V": 2, "S": 4}
    return {
        name: [[rounded(x, exact.get(name, places)) for x in row] for row in rows]
        for name, rows in matrices.items()
    }


def mutated(rng, texts):
    """One entry of a result changed by several units of its last place."""
    name = rng.choice(("S", "scaled", "A", "O"))
    row = rng.randrange(len(texts[name]))
    column = rng.randrange(len(texts[name][0]))
    old = texts[name][row][column]
    unit = Decimal(1).scaleb(-len(old.partition(".")[2]))
    new = str(Decimal(old) + rng.choice((3, 7, 11, -4, -9)) * unit)
    changed = [list(r) for r in texts[name]]
    changed[row][column] = new
    return texts | {name: changed}, new


def listed(rows):
    return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"


def latex(rows, kind="bmatrix"):
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{{kind}}} {body} \end{{{kind}}}"


def spaced(rows):
    width = max(len(x) for row in rows for x in row)
    return "[" + "\n ".join("[" + " ".join(x.rjust(width) for x in row) + "]" for row in rows) + "]"


def barred(rows):
    width = max(len(x) for row in rows for x in row) + 2
    return "\n".join(
        f"t{i} |" + "".join(x.rjust(width) for x in row) + " |" for i, row in enumerate(rows, 1)
    )


def displays(texts, names):
    return "\n\n".join(f"$$\n{names[k]} = {latex(texts[k])}\n$$" for k in STEPS), "a.md"


def document(texts, names):
    body = "\n".join(
        rf"\begin{{align}} {names[k]} &= {latex(texts[k], 'pmatrix')} \end{{align}}" for k in STEPS
    )
    return rf"\documentclass{{article}}\begin{{document}}{body}\end{{document}}", "a.tex"


def lists(texts, names):
    return "\n".join(f"{names[k]} = {listed(texts[k])}" for k in STEPS), "a.txt"


def tables(texts, names):
    parts = []
    for k in STEPS:
        columns = len(texts[k][0])
        rows = [
            "| |" + "|".join(f" c{j} " for j in range(columns)) + "|",
            "|---" * (columns + 1) + "|",
        ]
        rows += [f"| r{i} | " + " | ".join(row) + " |" for i, row in enumerate(texts[k])]
        parts.append(f"Table of `{names[k]}`:\n\n" + "\n".join(rows))
    return "\n\n".join(parts), "a.md"


def boxes(texts, names):
    return "\n\n".join(f"{names[k]}:\n\n```\n{barred(texts[k])}\n```" for k in STEPS), "a.md"


def page(texts, names):
    def row(entries):
        return "<tr>" + "".join(f"<td>{x}</td>" for x in entries) + "</tr>\n"

    body = "".join(
        f"<h3>{names[k]}</h3><table>{''.join(map(row, texts[k]))}</table>" for k in STEPS
    )
    return f"<html><body>{body}</body></html>", "a.html"


def notebook(texts, names):
    source = [f"{names[k]} = np.array({listed(texts[k])})\n" for k in GIVEN]
    cells = [{"cell_type": "code", "source": source, "outputs": []}]
    for k in STEPS[4:]:
        lines = [line + "\n" for line in spaced(texts[k]).split("\n")]
        output = {"output_type": "stream", "name": "stdout", "text": lines}
        cells.append({"cell_type": "code", "source": [f"print({names[k]})"], "outputs": [output]})
    return json.dumps({"cells": cells, "nbformat": 4}, indent=1), "a.ipynb"


def tensors(texts, names):
    given = "\n".join(f"{names[k]} = torch.tensor({listed(texts[k])})" for k in GIVEN)
    rest = (f"`{names[k]}`:\n\n```\ntensor({listed(texts[k])})\n```" for k in STEPS[4:])
    return f"```python\n{given}\n```\n\n" + "\n\n".join(rest), "a.md"


def commas(texts, names):
    turned = {k: [[x.replace(".", ",") for x in row] for row in rows] for k, rows in texts.items()}
    return "\n\n".join(f"$$ {names[k]} = {latex(turned[k])} $$" for k in STEPS), "a.md"


def copied(texts, names):
    parts = []
    for k in STEPS:
        plain = names[k].replace("_", "")
        ink = "".join("".join(row) for row in texts[k])
        parts.append(f"{plain}=[{ink}]{names[k]} = {latex(texts[k])}")
    return "\n\n".join(parts), "a.md"


NOTATIONS = {
    "displays": displays, "document": document, "lists": lists, "tables": tables, "boxes": boxes,
    "page": page, "notebook": notebook, "tensors": tensors, "commas": commas, "copied": copied,
}  # fmt: skip


def article(seed, notation, is_wrong=False):
    """(text, file name, the wrong number or ""), the same for the same seed."""
    rng = random.Random(f"{seed} {notation}")
    texts = printed(head(rng, causal=rng.random() < 0.3), places=rng.choice((3, 4)))
    new = ""
    if is_wrong:
        texts, new = mutated(rng, texts)
    text, name = NOTATIONS[notation](texts, rng.choice(NAMES))
    return text, name, new.replace(".", ",") if notation == "commas" else new
