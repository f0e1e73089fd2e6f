"""Long notes, right by construction: heads of three to six tokens, each worked in full."""

import random

from articles import arithmetic as a
from articles.models import head_of, matrix
from articles.notations import env, tex

WIDTH = 2
PLACES = 4
PROSE = "The next step follows from the one before, and nothing else is needed to work it out.\n"


def _head(rng, n):
    """Every matrix of a head: what is given in tenths, and what follows from it."""
    unit = (-9, 15, "0.1")
    return head_of(matrix(rng, n, 3, unit), *(matrix(rng, 3, WIDTH, unit) for _ in "QKV")).values()


def _texts(values):
    exact = {"Q": 2, "K": 2, "V": 2, "S": 4}
    return {
        name: [[a.figures(x, 1 if name[0] in "XW" else exact.get(name, PLACES)) for x in row]
               for row in rows]
        for name, rows in values.items()
    }  # fmt: skip


def example(rng, n):
    """Every matrix, every score as a sum of products, every row of the softmax."""
    values = _head(rng, n)
    texts = _texts(values)
    lines = [f"$$ {tex(name)} = {env(rows)} $$\n\n{PROSE}" for name, rows in texts.items()]
    for i in range(n):
        exps = [a.power(x) for x in values["scaled"][i]]
        powers = [a.figures(x, PLACES) for x in exps]
        total = a.figures(sum(exps), PLACES)
        for j in range(n):
            pairs = zip(texts["Q"][i], texts["K"][j], strict=True)
            terms = " + ".join(f"({x}) \\cdot ({y})" for x, y in pairs)
            lines.append(f"$S_{{{i + 1}{j + 1}}} = {terms} = {texts['S'][i][j]}$\n")
        lines.append(f"${' + '.join(powers)} = {total}$\n")
        lines += [f"${powers[j]} / {total} = {texts['A'][i][j]}$\n" for j in range(n)]
    return "\n".join(lines)


def notes(formulas, seed=0):
    """Examples one after the other until there are so many formulas."""
    rng = random.Random(seed)
    parts: list[str] = []
    while sum(part.count("=") for part in parts) < formulas:
        count = len(parts)
        parts.append(f"## Example {count + 1}\n\n{example(rng, 3 + count % 4)}")
    return "\n".join(parts)
