"""What the heads of a table say of its columns: a letter, a formula, a temperature, a gradient."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flint import arb

from derive.verify.grammar.figures import Figure, figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import (
    Binary,
    Function,
    Leaf,
    Name,
    Negative,
    Node,
    Number,
    rebuilt,
)
from derive.verify.grammar.parser import expression
from derive.verify.speech.headings import step
from derive.verify.speech.roles import role
from derive.verify.speech.temperatures import temperature
from derive.verify.values.formulas import names

STEPS = frozenset("S scaled masked exp A".split())
"""The steps of attention that stand beside each other in tables."""
Own = dict[str | Node, Grid]
"""The columns before, by the letter or the formula over each."""
_PRODUCT = re.compile(r"\w\s*(?:[×·*⋅]|\\cdot|\\times)\s*\w")
MEANS = frozenset("μ mu mean x~bar".split())
"""What the mean of a column is called in the heads of others."""
_DIVISOR = re.compile(r"(√\s?|sqrt\(|\\sqrt\{?)?(?<![\w.,])(\d+(?:[.,٫]\d+)?)")
CUMULATIVE = re.compile(
    r"(?i)c[uú]mul|kumul|acumul|kümül|накоп|нараст|累计|累積|누적|tích l[uũ]y|c[oộ]ng d[oồ]n|تراكم"
)
"""What a head says of running sums."""
FIRST_OF_WORDS = "\u3000"
"""From here on one or two letters are a word, as in Chinese, Japanese and Korean."""
_SYMBOLS = (
    re.compile(r"\$([^$]+)\$"),
    re.compile(r"\s\(([^\W\d_]{1,2}(?:_\w)?)\)$"),
    re.compile(r"^(?:[^\W\d_]{3,}|[\u3000-\uffff]+)\s([a-hl-su-zα-ω])$"),
)
"""A letter as it stands in a head: in dollars, in brackets, or behind a word."""
_SPELT = re.compile(r"^([^\W\d_]{1,2}(?:_\w)?)\s*=|(?:^|\s)([^\W\d_])$")
_GRADIENT = re.compile(r"∂|\\partial|\\nabla|∇|\bgrad|градиент|梯度|勾配|기울기|التدرج")
"""What a head says of the gradient of a loss."""


def aligned(heads: tuple[str, ...], count: int) -> list[str]:
    """The heads of the last columns; a label may stand over the first."""
    plain = [head.strip("* ") for head in heads]
    return plain[-count:] if len(plain) >= count else [""] * count


def are_counted(figures: Sequence[Figure | None]) -> bool:
    """Whether numbers count from 0 or 1."""
    first = figures[0].value if figures and figures[0] else None
    if first not in (0, 1):
        return False
    return all(f and f.is_whole and f.value == first + i for i, f in enumerate(figures))


def is_margin(heads: tuple[str, ...], count: int) -> bool:
    """Whether a corner and the numbers of the columns stand over a table."""
    numbers = list(map(str, range(count)))
    return len(heads) == count > 2 and heads[1:] in (tuple(numbers[1:]), tuple(numbers[:-1]))


def are_labels(heads: list[str], labels: tuple[str, ...]) -> bool:
    """Whether the same words stand over the columns and before the rows, as tokens do."""
    plain = [label.strip("* ") for label in labels]
    return len(plain) > 1 and any(plain) and heads[: len(plain)] == plain


def spoken_step(head: str) -> str:
    """The step of attention that a head names or speaks of: scores, weights ..."""
    kind = role(head.strip("$* "))
    return kind if kind in STEPS else "" if kind else step(head.strip("$* "))


def divisors(head: str) -> list[Node]:
    """The numbers by which a head says that something is divided: Divide by 8, ÷ √64."""
    if spoken_step(head) != "scaled":
        return []
    found = list(_DIVISOR.finditer(head))[:2]
    made: list[Node] = [Number(Cell(figure(m[2]), -1)) for m in found]
    return [Function("sqrt", (n,)) if m[1] else n for m, n in zip(found, made, strict=True)]


def is_product(head: str) -> bool:
    """Whether a head speaks of weights times values."""
    return bool(_PRODUCT.search(head))


def are_steps(heads: list[str]) -> bool:
    """Whether two steps of attention stand beside each other, or weights times values by them."""
    kinds = set(map(spoken_step, heads)) - {""}
    return len(kinds) > 1 or (bool(kinds) and any(map(is_product, heads)))


def lying(labels: tuple[str, ...], heads: list[str]) -> bool:
    """Whether each row, not each column, is a step of attention for one token, or a formula."""
    kinds = [spoken_step(label) for label in labels]
    if len(set(labels)) < max(len(labels), 2) or are_steps(heads) or any(map(is_formula, heads)):
        return False
    if all(kinds) and len(set(kinds)) == len(kinds):
        return True
    letters = [symbol(label) for label in labels]
    return any(is_formula(x) and {*names(made(x))} <= {*letters[:k]} for k, x in enumerate(labels))


def is_formula(head: str) -> bool:
    """Whether a head says how what stands under it is worked out."""
    node = made(head)
    return isinstance(node, Binary | Function | Negative) and bool(names(node))


def made(head: str) -> Node:
    """The formula or the letter in a head; a name without letters where there is neither."""
    return expression(symbol(head)) or Name("")


def symbol(head: str) -> str:
    """The letter in a head such as "score $s$", "score (s)" or "score s"; the formula behind =."""
    found = next(filter(None, (way.search(head) for way in _SYMBOLS)), None)
    return (found[1] if found else head).rpartition("=")[2]


def spelt(head: str) -> str:
    """The letter by which other heads speak of a column: of "n", of "index k", c of "c = a + b"."""
    found = _SPELT.search(head.strip("$ "))
    return next(filter(None, found.groups())) if found else ""


def are_quantities(heads: list[str], cells: list[list[Cell]]) -> bool:
    """Whether each column bears a letter of its own, but for one that counts."""
    first = [row[0].figure for row in cells]
    start = first[0].value if first[0] else None
    counts = all(
        f is not None and start is not None and f.is_whole and f.value == start + i
        for i, f in enumerate(first)
    )
    names = [_letter(head) for head in heads[int(counts) :]]
    return len(names) > 1 and all(names) and len(set(names)) == len(names)


def _letter(head: str) -> str:
    node = expression(symbol(head))
    if not isinstance(node, Name) or len(node.text) > 2 or node.text[-1:].isdigit():
        return ""
    is_word = any(letter >= FIRST_OF_WORDS for letter in node.text) and not role(node.text)
    return "" if is_word else node.text


def over_columns(node: Node, own: Own) -> Node:
    """The formula of a head over the columns of its letters, or of parts of it, and their mean."""
    letters = [name for name in names(node) if name in own]
    return put(node, {**own, "": own[letters[0]]} if letters else own)


def put(node: Node, own: Own) -> Node:
    """The formula of a head over the columns that its letters, or parts of it, stand over."""
    if node in own:
        return Leaf(own[node])
    match node:
        case Name(text):
            names = (text, f"{text}_i", text.removesuffix("_i"))
            known = next((name for name in names if name in own), None)
            if known is None and text in MEANS and "" in own:
                return Function("mean", (Leaf(own[""]),))
            return Leaf(own[known], known) if known else node
    return rebuilt(node, lambda part: put(part, own))


def warmed(head: str, grid: Grid) -> Node | None:
    """softmax(z / T), where a head says T = 2."""
    found = temperature(head)
    if found is None:
        return None
    by = Number(Cell(found, -1))
    return Function("softmax", (Binary("/", Leaf(grid), by),))


def base(made: Node) -> Grid | None:
    """The vector z of softmax(z / T)."""
    match made:
        case Function("softmax", (Binary("/", Leaf(grid), _),)):
            return grid
    return None


def less_one(head: str, grid: Grid) -> Iterator[Node]:
    """p - y under a gradient, where y is 1 at one place and 0 elsewhere."""
    count = grid.shape[1] if _GRADIENT.search(head) else 0
    for place in range(count):
        cells = [Cell(None, exact=arb(int(j == place))) for j in range(count)]
        yield Binary("-", Leaf(grid), Leaf(Grid([cells])))
