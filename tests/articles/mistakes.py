"""Mistakes that are planted: wrong rules for a step, wrong digits of an entry, a changed input."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from articles import arithmetic as a
from articles.arithmetic import mapped, plus, product, real, softmax, times, turned

mp = a.mpmath


@dataclass(frozen=True)
class Rule:
    """A wrong rule: `work(known)` in place of that of `step`, in these models."""

    kind: str
    models: tuple[str, ...]
    step: str
    work: Callable


def _width(k):
    return len(k["K"][0])


HEADS = ("head", "cross", "scores")
NORM = ("layernorm",)


def _normed(k, variance=None, root=None):
    v = variance or k["var"]
    return mapped(lambda x, m, s: (x - m) / s, k["X"], k["mean"], mapped(root or mp.sqrt, v))


def _eps(k):
    if not k["eps"][0][0]:
        raise ValueError("there is no eps")
    return k["eps"][0][0]


def _masked_later(k):
    return a.masked(softmax(k["scaled"]), value=real(0))


def _log_of(k, base=None, targets=None):
    return [[-mp.log(p) / (mp.log(base) if base else 1)] for p in targets]


def _against(x, y):
    return product(x, turned(y))


RULES = (
    Rule("not scaled", (*HEADS, "causal"), "scaled", lambda k: k["S"]),
    Rule("scaled by the width", (*HEADS, "causal"), "scaled",
         lambda k: times(k["S"], real(1) / _width(k))),
    Rule("scaled by the model", ("head", "causal", "cross"), "scaled",
         lambda k: times(k["S"], 1 / mp.sqrt(len(k["X"][0])))),
    Rule("multiplied by the scale", (*HEADS, "causal"), "scaled",
         lambda k: times(k["S"], mp.sqrt(_width(k)))),
    Rule("softmax of columns", (*HEADS, "plain", "loss"), "A P",
         lambda s, k: turned(softmax(turned(s)))),
    Rule("not exponentiated", (*HEADS, "plain", "loss", "temperature"), "A P",
         lambda s, k: a.shares(s)),
    Rule("other base", (*HEADS, "plain", "loss", "temperature"), "A P",
         lambda s, k: softmax(s, base=2)),
    Rule("not normalised", (*HEADS, "plain", "loss"), "A P",
         lambda s, k: mapped(a.power, s)),
    Rule("weights transposed", ("head", "causal"), "Q", lambda k: _against(k["X"], k["W_Q"])),
    Rule("weights transposed", ("head", "cross"), "V",
         lambda k: _against(k["M" if "M" in k else "X"], k["W_V"])),
    Rule("weights copied", ("head",), "V", lambda k: k["W_V"]),
    Rule("weights copied", ("head",), "K", lambda k: k["W_K"]),
    Rule("other factor", ("head", "causal"), "Q", lambda k: product(k["X"], k["W_K"])),
    Rule("not transposed", HEADS, "S", lambda k: product(k["Q"], k["K"])),
    Rule("not transposed", ("rope",), "S", lambda k: product(k["RQ"], k["RK"])),
    Rule("other way round", ("head", "causal"), "S", lambda k: _against(k["K"], k["Q"])),
    Rule("first transposed", ("head",), "O", lambda k: product(turned(k["A"]), k["V"])),
    Rule("mask left out", ("causal",), "A", lambda k: softmax(k["scaled"])),
    Rule("mask after softmax", ("causal",), "A", _masked_later),
    Rule("other triangle", ("causal",), "A",
         lambda k: softmax(a.masked(k["scaled"], lambda i, j: j >= i))),
    Rule("masked with 0", ("causal",), "A",
         lambda k: softmax(a.masked(k["scaled"], value=real(0)))),
    Rule("input in place of values", ("head",), "O", lambda k: product(k["A"], k["X"])),
    Rule("heads in reverse", ("multihead",), "C",
         lambda k: [s + r for r, s in zip(k["O1"], k["O2"], strict=True)]),
    Rule("mean not subtracted", NORM, "LN", lambda k: mapped(
        lambda x, v: x / mp.sqrt(v + k["eps"][0][0]), k["X"], k["var"])),
    Rule("no root", NORM, "LN", lambda k: _normed(k, root=lambda v: v + k["eps"][0][0])),
    Rule("eps forgotten", NORM, "LN", lambda k: _normed(k)),
    Rule("eps outside the root", NORM, "LN",
         lambda k: _normed(k, root=lambda v: mp.sqrt(v) + _eps(k))),
    Rule("gain forgotten", NORM, "Y", lambda k: plus(k["LN"], k["beta"])),
    Rule("bias forgotten", NORM, "Y", lambda k: mapped(lambda x, g: x * g, k["LN"], k["gamma"])),
    Rule("bias scaled too", NORM, "Y",
         lambda k: mapped(lambda x, g, b: (x + b) * g, k["LN"], k["gamma"], k["beta"])),
    Rule("sum instead of mean", ("rmsnorm",), "rms",
         lambda k: a.roots(a.sums(mapped(lambda x: x * x, k["X"])))),
    Rule("other base of angles", ("positions",), "PE", lambda k: _encodings(k, base=1000)),
    Rule("other index of angles", ("positions",), "PE",
         lambda k: _encodings(k, index=lambda i, d: i)),
    Rule("sine and cosine swapped", ("positions",), "PE", lambda k: _encodings(k, swapped=True)),
    Rule("turned backwards", ("rope",), "RQ", lambda k: a.rotated(k["Q"], sign=-1)),
    Rule("other index of angles", ("rope",), "RQ",
         lambda k: a.rotated(k["Q"], index=lambda i, d: i)),
    Rule("bias forgotten", ("feedforward",), "F", lambda k: product(k["X"], k["W_1"])),
    Rule("bias forgotten", ("feedforward",), "FFN", lambda k: product(k["R"], k["W_2"])),
    Rule("activation forgotten", ("feedforward",), "R", lambda k: k["F"]),
    Rule("absolute value", ("feedforward",), "R", lambda k: mapped(abs, k["F"])),
    Rule("residual forgotten", ("feedforward",), "Y", lambda k: k["FFN"]),
    Rule("residual forgotten", ("positions",), "X_PE", lambda k: k["PE"]),
    Rule("base of the logarithm", ("loss",), "L",
         lambda k, right: times(right, 1 / mp.log(2))),
    Rule("base of the logarithm", ("loss",), "L",
         lambda k, right: times(right, 1 / mp.log(10))),
    Rule("sign of the loss", ("loss",), "L", lambda k, right: times(right, -1)),
    Rule("multiplied by the temperature", ("temperature",), "cooled",
         lambda k: times(k["logits"], k["T"][0][0])),
    Rule("temperature forgotten", ("temperature",), "P", lambda k: softmax(k["logits"])),
)  # fmt: skip


def _encodings(k, **how):
    return a.encodings(len(k["X"]), len(k["X"][0]), **how)


SOURCES = {"head": "scaled", "cross": "scaled", "scores": "scaled", "causal": "masked",
           "plain": "logits", "loss": "logits", "temperature": "cooled"}  # fmt: skip


def wrong_rules(rule, model):
    """{step: its wrong rule} in a model, or None where the model has no such step."""
    right = {s.name: s.work for s in model.steps}
    for name in rule.step.split():
        if name not in right:
            continue
        if rule.step == "A P":
            return {name: lambda k: rule.work(k[SOURCES[model.name]], k)}
        if rule.step == "L":
            return {name: lambda k: rule.work(k, right["L"](k))}
        return {name: rule.work}
    return None


# Wrong digits of one entry: new strings, or None where there is none


def swapped(rng, rows, i, j):
    text = rows[i][j]
    places = [
        k for k in range(len(text) - 1) if text[k : k + 2].isdigit() and text[k] != text[k + 1]
    ]
    if not places:
        return None
    k = rng.choice(places)
    return text[:k] + text[k + 1] + text[k] + text[k + 2 :]


def sign_lost(rng, rows, i, j):
    text = rows[i][j]
    return text[1:] if text.startswith("-") else None


def dropped(rng, rows, i, j):
    """One of the decimals is left out, with two more after it."""
    whole, _, decimals = rows[i][j].partition(".")
    if len(decimals) < 3 or weight(rows[i][j]) < 3:
        return None
    k = rng.randrange(len(decimals) - 2)
    return f"{whole}.{decimals[:k]}{decimals[k + 1 :]}"


def doubled(rng, rows, i, j):
    whole, _, decimals = rows[i][j].partition(".")
    if len(decimals) < 3 or weight(rows[i][j]) < 3:
        return None
    k = rng.randrange(len(decimals) - 2)
    return f"{whole}.{decimals[: k + 1]}{decimals[k:]}"


def point_moved(rng, rows, i, j):
    text = rows[i][j]
    if "." not in text or len(text.strip("-0.")) < 3:
        return None
    number, places = Decimal(text), len(text.partition(".")[2])
    return str((number * 10).quantize(Decimal(1).scaleb(1 - places)))


def weight(text):
    """How many significant digits a number has."""
    return len(text.replace(".", "").lstrip("-0"))


def neighbour(rng, rows, i, j):
    """The value of another row."""
    others = [rows[k][j] for k in range(len(rows)) if k != i and rows[k][j] != "-inf"]
    others = [text for text in others if weight(text) > 1]
    return rng.choice(others) if others else None


def off(rng, rows, i, j):
    """Some units more or less: nobody knows why."""
    text = rows[i][j]
    unit = Decimal(1).scaleb(-len(text.partition(".")[2]))
    return str(Decimal(text) + rng.choice((3, 7, 11, -4, -9)) * unit)


def forced(rng, rows, i, j):
    """The last of a row is what is left to one."""
    if j != len(rows[i]) - 1:
        return None
    return str(1 - sum(map(Decimal, rows[i][:-1])))


ENTRIES = {
    "digits swapped": swapped, "sign lost": sign_lost, "digit left out": dropped,
    "digit doubled": doubled, "point moved": point_moved, "value of another entry": neighbour,
    "": off, "row made to sum to one": forced,
}  # fmt: skip


def rows_swapped(rng, rows):
    if len(rows) < 2:
        return None
    i, k = rng.sample(range(len(rows)), 2)
    made = list(rows)
    made[i], made[k] = made[k], made[i]
    return made


def columns_swapped(rng, rows):
    made = rows_swapped(rng, turned(rows))
    return turned(made) if made else None


def row_repeated(rng, rows):
    """A row that stands in the place of another."""
    if len(rows) < 2:
        return None
    i, k = rng.sample(range(len(rows)), 2)
    made = list(rows)
    made[i] = made[k]
    return made


OBJECTS = {
    "rows swapped": rows_swapped, "columns swapped": columns_swapped,
    "row in place of another": row_repeated,
}  # fmt: skip
