"""Lists that a word announces as a function of the list before: softmax → [0.9, 0.1]."""

from __future__ import annotations

import re
from itertools import pairwise

from derive.verify.causes.mistakes import is_explained
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Function, Leaf, Node
from derive.verify.known.state import State
from derive.verify.known.steps.made import WEIGHING
from derive.verify.numbers.scaling import agreement, is_number

NEAR = 8
"""So many of the last lists may be meant."""
CERTAIN = 5
"""So many digits, where the list before stands in running text."""
BESIDE = 40
"""Such numbers are no further from each other, in characters."""
LEAST, TELLING = 0.5, 3
"""The part that agrees, and its digits, at the least."""
WORDS = {
    ("softmax",): r"soft-?max|ソフトマックス|소프트맥스|सॉफ्टमैक्स",
    (
        "layernorm",
        "layernorm eps",
    ): r"layer-?\s?norm|normali[sz]\w*|normiert|нормализ\w*|归一化|正規化|정규화",
    ("shares", "softmax"): (
        r"weights?|gewichte?|poids|pesos?|pesi|wagi|trọng số|веса|权重|权重|重み|가중치|أوزان"
    ),
    ("sigmoid",): r"sigmoid\w*|сигмоид\w*|シグモイド|시그모이드",
    ("tanh",): r"\btanh",
    ("gelu", "gelu tanh"): r"\bgelu",
    ("silu",): r"\bsilu|\bswish",
    ("gelu", "gelu tanh", "silu", "tanh"): (
        r"activation|aktivier|активац|активув|활성화|激活|活性化|ativa[çc]|activaci|attivazion"
        r"|aktywacj|kích hoạt|aktivasyon"
    ),
    (
        "log",
        "log2",
        "log10",
    ): r"\bln\b|\blog\w*|对数|對數|対数|로그|логарифм\w*|лог\w*|लघुगणक|لوغاريتم\w*|لگاریتم\w*",
    (
        "exp",
        "exp less max",
    ): r"\bexp\b|(?:[ek]xponen|eksponen|esponen)\w*|指数|指數|지수|экспонент\w*",
}
"""Functions by the word that ends a line or stands before an arrow."""
_NEAR = r"(?:\s[^\W\d]\w{0,9}){0,4}[^\w\d]{0,12}$"
_REST = r"[^\d.。;；]{0,60}(?:[(（][^()（）\n]{0,40}[)）])?\W{0,12}$"
"""What stands between a word and its list; more of it behind the name of an activation."""
ACTIVATIONS = frozenset(("sigmoid", "tanh", "gelu", "silu"))
_END = {
    names: re.compile(f"(?:{words}){_REST if names[0] in ACTIVATIONS else _NEAR}", re.I)
    for names, words in WORDS.items()
}
_RELU = re.compile(rf"\brelu{_REST}", re.I)
_NOT_YET = re.compile(
    r"(?i)\b(?:before|without|prior|vor|ohne|avant|sans|antes|sin|sem|prima|senza|до|перед|без"
    r"|przed|bez|öncesi|trước|chưa|pre|leaky|parametric)\b|前|이전|전에"
)
"""What says that a function is not taken yet, or that it is another one."""
_BACK = re.compile(
    r"(?i)grad|∂|∇|back|rückw|rétro|градиент|обратн|梯度|反向|勾配|逆伝播|기울기|역전파"
)
"""What says that a gradient goes back through a function."""
_APPLIED = re.compile(
    r"(?i)^\W*(?:\d\S*\s+)?(?:[^\s.:。：]+\s+){0,3}[^\s.:。：]*\brelu\b(?:[^\S\n]+[^\s(（]+){0,3}\W*"
    r"(?:[(（][^()（）\n]{0,40}[)）])?\W*$"
)
"""A line that says little else than that ReLU is taken."""
FITTING, FEW = 0.75, 4
"""The part of what ReLU leaves of a list that agrees, where it has so many entries."""


OTHERS = ("relu", "tanh", "silu", "gelu")
"""What the letter may stand for elsewhere in an article."""
LETTERED = frozenset(("?sigma", "?σ"))
"""Calls by the letter of softmax and of the logistic function."""


def function_of(word: str) -> str:
    """The function whose name a word is, and no more; "" where it is none."""
    named = (names[0] for names, words in WORDS.items() if re.fullmatch(words, word, re.I))
    return "relu" if word.lower() == "relu" else next(named, "")


def lettered(
    arguments: tuple[Node, ...], cells: list[list[Cell]], is_logistic: bool = False
) -> Node | None:
    """The function that the letter sigma stands for, as the numbers say; None where none fits.

    is_logistic: whether the article says that it is the logistic function of a number.
    """
    inner = Array(arguments) if len(arguments) > 1 else arguments[0]
    made = [Function(function, (inner,)) for function in ("softmax", "sigmoid")]
    turned = Function("T", (Function("softmax", (Function("T", (inner,)),)),))
    found = [(agreement(Grid(cells), m), m) for m in (*made, turned)]
    (share, digits), best = max(found, key=lambda pair: pair[0])
    if share >= LEAST and digits >= TELLING:
        return best
    is_one = len(cells) * len(cells[0]) == 1 and len(arguments) == 1
    if not (is_one and is_logistic and is_number(made[1])):
        return None
    others = (agreement(Grid(cells), Function(name, (inner,))) for name in OTHERS)
    return None if any(share == 1 for share, _ in others) else made[1]


def reapplied(state: State, grid: Grid, made: Node | None) -> Node | None:
    """A function of a letter that means no list, or one of another length: of one that agrees."""
    if not isinstance(made, Function) or len(made.arguments) != 1 or grid.shape == (1, 1):
        return None
    for other in [*state.pool.recent()][:NEAR]:
        again = Function(made.name, (Leaf(other),))
        share, digits = agreement(grid, again) if other.shape == grid.shape else (0, 0)
        if share >= LEAST and digits >= TELLING:
            return again
    return None


def _loose(state: State, grid: Grid) -> tuple[Grid, ...]:
    """As many numbers of running text right before a list, as a list: a 0.2, b 0.7; logarithms."""
    count, first = grid.shape[1], grid.rows[0][0]
    cells = [cell for cell in state.claims[-count:] if cell.figure is not None]
    places = [cell.start for cell in cells] + [first.start]
    gaps = [after - before for before, after in pairwise(places)]
    if grid.shape[0] > 1 or len(cells) < count or not all(0 < gap <= BESIDE for gap in gaps):
        return ()
    return (Grid([[Cell(c.figure, c.start, exact=c.figure.ball) for c in cells if c.figure]]),)


def called_for(state: State, grid: Grid) -> Node | None:
    """The function of an earlier list that the words just before announce; None where none fits."""
    if grid.shape == (1, 1) or _NOT_YET.search(_line(state.words)):
        return None
    for functions, word in _END.items():
        if not (word.search(state.words) or word.search(grid.name)):
            continue
        last = next((g for g in state.pool.recent() if g.shape == grid.shape), None)
        for other in (*[*state.pool.recent()][:NEAR], *(loose := _loose(state, grid))):
            for function in functions if other.shape == grid.shape else ():
                made = Function(function, (Leaf(other),))
                share, digits = agreement(grid, made)
                if other in loose and digits < CERTAIN:
                    continue
                if share >= LEAST and digits >= TELLING:
                    is_past = function in WEIGHING and state.steps.is_barred(function, other)
                    return Function(function, (Leaf(last),)) if is_past and last else made
                if other is last and is_explained(grid.rows, made, state.pool, True):
                    return made
    return None


def rectified(state: State, grid: Grid) -> Node | None:
    """ReLU of the last list, where words announce it, also if it left negative entries as they are.

    None where the last list has no negative entries, which would not tell.
    """
    found, line = _RELU.search(state.words), _line(state.words)
    if found is None or grid.shape == (1, 1) or _NOT_YET.search(line) or _BACK.search(state.words):
        return None
    last = next((g for g in state.pool.recent() if g.shape == grid.shape), None)
    pairs = list(zip(grid.cells(), last.cells(), strict=True)) if last is not None else []
    figures = [(a.figure, b.figure) for a, b in pairs if a.figure and b.figure]
    fitting = sum(a.value in (max(b.value, 0), b.value) for a, b in figures)
    least = FITTING if len(pairs) >= FEW else 1
    is_left = all(a.value == b.value for a, b in figures)
    if is_left and not _APPLIED.search(line):
        return None
    if last is None or fitting < least * len(pairs) or all(b.value >= 0 for _, b in figures):
        return None
    return Function("relu", (Leaf(last),))


def _line(words: str) -> str:
    """The last line of words."""
    return next((line for line in reversed(words.splitlines()) if line.strip("$`*> ")), "")
