"""Every alternative of a convention, on the smallest problem that tells it from the others.

Each problem is a problem file, so that a value is read as a reader would write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from derive.conventions import COUNTS, TABLE
from derive.derivation import Derivation, Problem
from derive.errors import InputError
from derive.models import MODELS
from derive.read.toml import read_toml

ONE_HEAD = "W_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]"
BLOCK = f"H = [[1]]\n{ONE_HEAD}"
FEED_FORWARD = "W_1 = [[{0}]]\nW_2 = [[1]]"
GATED = "W_g = [[-1]]\nW_u = [[1]]\nW_d = [[1]]"
RMS = 'normalization = "rmsnorm"\neps = 0\n'
FOUR = "H = [[1, 0, 0, 0]]"
BIT = 'mask = [[0, "-oo"], [0, 0]]\n'
SHUT = 'mask = [["-oo", "-oo"], [0, 0]]\n'


@dataclass(frozen=True)
class Case:
    """A problem without the convention in question, and the entry that shows it."""

    place: str
    given: str
    model: str = "attention"
    others: str = ""
    top: str = ""
    digits: int = 4

    def text(self, name: str, value: str) -> str:
        """The problem file in which the convention has the value."""
        said = (
            f"{name} = {spelled(name, value)}\n" if name in FIELDS and value != "as heads" else ""
        )
        head = f'{self.top}model = "{self.model}"\n'
        return f"{head}[conventions]\n{self.others}{said}[given]\n{self.given}\n"


@dataclass(frozen=True)
class Example:
    """A derivation and the entry to be shown, or what is said where there can be none."""

    derivation: Derivation | None
    place: str
    digits: int
    refusal: str = ""


def head(*rows: int, place: str = "A[1][2]", others: str = "", digits: int = 4) -> Case:
    """An attention head whose queries, keys and values are these numbers."""
    H = ", ".join(f"[{x}]" for x in rows)
    return Case(place, f"H = [{H}]\n{ONE_HEAD}", others=others, digits=digits)


def block(place: str, others: str, first: int = 1) -> Case:
    """A block on one token of one feature, in which every normalised number is 1."""
    return Case(place, f"{BLOCK}\n{FEED_FORWARD.format(first)}", "block", RMS + others)


def bent(others: str = 'norm = "pre"\n') -> Case:
    """A block in which the activation meets -1."""
    return block("G[1][1]", others, -1)


def norm(place: str, others: str = "eps = 0\n", digits: int = 4) -> Case:
    """A normalisation of 1, 0, 0, 0."""
    return Case(place, FOUR, "layernorm", others, digits=digits)


TWO = "H = [[1, 2]]\nW_Q = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]\n"
OF_FOUR = "H = [[1, 2, 3, 4], [1, 2, 3, 4]]\n" + "\n".join(
    f"W_{x} = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]" for x in "QKV"
)
ZEROS = "H_E = [[0, 0, 0, 0], [0, 0, 0, 0]]"
SINES = Case("PE[2][3]", ZEROS, "positions", 'positions = "sinusoidal"\n')
TURNED = Case("Q_R[2][1]", OF_FOUR, others='positions = "rope"\n')
WORDS = 'tokens = ["a", "b"]\nvocabulary = ["a", "b"]\n'
CASES: Mapping[str, tuple[Case, ...]] = {
    "vectors": (
        Case("Q[1][2]", "H = [[1, 2], [3, 4]]\nW_Q = [[1, 1], [0, 1]]\n"
             "W_K = [[1, 0], [0, 1]]\nW_V = [[1, 0], [0, 1]]"),
    ),
    "softmax": (head(1, 0, place="Z[1]"),),
    "scale": (
        Case("scaled[1][1]", "H = [[1]]\nW_Q = [[1, 1, 1, 1]]\nW_K = [[2, 2, 2, 2]]\nW_V = [[1]]"),
    ),
    "temperature": (head(1, 0, place="A[1][1]"),),
    "mask": (head(1, 1),),
    "mask_value": (head(0, 0, others=BIT, digits=2),),
    "mask_mode": (head(1, 2, place="masked[1][2]", others=BIT + 'mask_value = "-10^9"\n'),),
    "heads": (Case("S[1][1]", TWO + "W_K = [[1, 0], [0, 1]]", "multihead"),),
    "kv_heads": (
        Case("S^(2)[1][1]", TWO + "W_K = [[1, 0], [0, 1]]", "multihead", "heads = 2\n"),
    ),
    "layers": (block("R2[1][1]", 'norm = "pre"\n'),),
    "norm": (block("R2[1][1]", ""),),
    "normalization": (norm("xhat[1][1]"),),
    "correction": (norm("xhat[1][1]"),),
    "eps": (norm("sigma[1]", "", digits=6),),
    "eps_place": (norm("sigma[1]", 'eps = "1/16"\n'),),
    "activation": (bent(),),
    "slope": (bent('norm = "pre"\nactivation = "leaky_relu"\n'),),
    "positions": (replace(SINES, place="PE[2][1]", others=""),),
    "first_position": (replace(SINES, place="PE[1][1]"),),
    "base": (SINES,),
    "layout": (replace(SINES, place="PE[2][2]"), TURNED),
    "loss": (
        Case("L[1]", "W_E = [[1], [1]]\nL1.W_Q = [[1]]\nL1.W_K = [[1]]\nL1.W_V = [[1]]\n"
             "L1.W_1 = [[1]]\nL1.W_2 = [[1]]", "language-model", top=WORDS),
    ),
}  # fmt: skip
"""The problem of each convention; two where two parts of a model follow it."""
LAYERS = "\n".join(
    f"L{k}.{line}" for k in (1, 2) for line in (f"{ONE_HEAD}\n{FEED_FORWARD.format(1)}").split("\n")
)
OWN: Mapping[tuple[str, str], Case] = {
    ("masked row", "-oo"): head(1, 0, others=SHUT),
    ("masked row", "replace"): head(
        1, 0, place="A[1][1]", others=SHUT + 'mask_value = "-10^9"\nmask_mode = "replace"\n'
    ),
    ("masked row", "add"): head(1, 0, place="A[1][1]", others=SHUT + 'mask_value = "-10^9"\n'),
    ("heads", "2"): Case("S^(1)[1][1]", TWO + "W_K = [[1, 0], [0, 1]]", "multihead"),
    ("kv_heads", "1"): Case(
        "S^(2)[1][1]", TWO.replace("W_V = [[1, 0], [0, 1]]", "W_V = [[1], [0]]")
        + "W_K = [[1], [0]]", "multihead", "heads = 2\n"
    ),
    ("layers", "2"): Case(
        "L2.R2[1][1]", f"H = [[1]]\n{LAYERS}", "block", RMS + 'norm = "pre"\n'
    ),
    ("activation", "swiglu"): Case(
        "gated[1][1]", f"{BLOCK}\n{GATED}", "block", RMS + 'norm = "pre"\n'
    ),
    ("activation", "geglu"): Case(
        "gated[1][1]", f"{BLOCK}\n{GATED}", "block", RMS + 'norm = "pre"\n'
    ),
    ("positions", "none"): head(1, 2, place="S[2][1]"),
    ("positions", "learned"): Case(
        "H[2][1]", "H_E = [[1], [2]]\nPE = [[3], [4]]", "positions"
    ),
    ("positions", "rope"): replace(TURNED, others=""),
    ("positions", "alibi"): head(1, 2, place="biased[2][1]"),
}  # fmt: skip
"""The problem of a value that needs one of its own."""
FIELDS = frozenset(TABLE) - {"softmax", "masked row", "relu at 0", "loss", "gradients", "rounding"}
"""The choices that a problem file may name."""


def spelled(name: str, value: str) -> str:
    """The value as TOML."""
    return value if name in COUNTS or value.startswith("[") else f'"{value}"'


def examples(name: str, value: str) -> Iterator[Example]:
    """The value at work; nothing for a choice that is no part of a problem."""
    own = OWN.get((name, value))
    for case in (own,) if own else CASES.get(name, ()):
        text = case.text(name, value)
        try:
            yield Example(derived(read_toml(text)), case.place, case.digits)
        except InputError as error:
            yield Example(None, case.place, case.digits, error.message)


def derived(problem: Problem) -> Derivation:
    """The derivation by the model that the problem names."""
    return MODELS[problem.model].derive(problem)
