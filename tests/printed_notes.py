"""Long notes, right by construction: heads of three to six tokens, each worked in full."""

import random
from fractions import Fraction

import mpmath
from printed_articles import GIVEN, STEPS, latex, number, printed, product, rounded, softmax, turned

WIDTH = 2
PROSE = "The next step follows from the one before, and nothing else is needed to work it out.\n"


def head(rng, n):
    def matrix(rows, columns):
        return [[Fraction(rng.randint(-9, 15), 10) for _ in range(columns)] for _ in range(rows)]

    found = {"H": matrix(n, 3)} | {name: matrix(3, WIDTH) for name in GIVEN[1:]}
    for name in "QKV":
        found[name] = product(found["H"], found[f"W_{name}"])
    found["S"] = product(found["Q"], turned(found["K"]))
    found["scaled"] = [[number(x) / mpmath.sqrt(WIDTH) for x in row] for row in found["S"]]
    found["A"] = [softmax(row, n) for row in found["scaled"]]
    found["O"] = product(found["A"], [[number(x) for x in row] for row in found["V"]])
    return found


def example(rng, n):
    """Every matrix, every score as a sum of products, every row of the softmax."""
    found = head(rng, n)
    texts = printed(found, 4)
    lines = [f"$$ {name} = {latex(texts[name])} $$\n\n{PROSE}" for name in STEPS]
    for i in range(n):
        powers = [rounded(mpmath.exp(x), 4) for x in found["scaled"][i]]
        total = rounded(sum(mpmath.exp(x) for x in found["scaled"][i]), 4)
        for j in range(n):
            terms = " + ".join(
                f"({a}) \\cdot ({b})" for a, b in zip(texts["Q"][i], texts["K"][j], strict=True)
            )
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
