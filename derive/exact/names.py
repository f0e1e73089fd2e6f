"""How the standard letters are written in each ink: one row a letter.

Step names are the project's words (`scaled`, `K^T` ...); on paper they have their usual signs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from derive.exact.letters import PRIMED, ROWS, SINGLE, STEPS, VECTORS

Case = Callable[[str], str]
"""How the letter itself is spelled: as it is (str), or small (str.lower), as a row's is."""
BEFORE = ("d", "m", "v")
"""What stands before a letter: its gradient, the mean of that, and the mean of its squares."""


@dataclass(frozen=True)
class Label:
    """A step's name taken apart: dec.L2.A^(1) is A in head 1 of layer 2 of the part dec.

    dec.L2.dA^(1) is the gradient of the scalar that is differentiated by that step; mA and vA are
    the running means of dA and of its squares.  What stands before the letter is one of BEFORE.
    """

    base: str
    primes: int = 0
    scopes: tuple[str, ...] = ()
    head: str = ""
    before: str = ""

    @property
    def is_step(self) -> bool:
        """Whether the letter is one of the standard ones."""
        return self.base in STEPS

    def above(self, word: Callable[[str], str]) -> str:
        """What stands above the letter for layer, part and head: dec[2](1)."""
        scopes = (f"[{s[1:]}]" if _is_layer(s) else word(s) for s in self.scopes)
        return "".join(scopes) + (f"({self.head})" if self.head else "")


@cache
def label(name: str) -> Label:
    """The parts of a step's name."""
    found = re.fullmatch(r"((?:\w+\.)*)([^.]+?)(?:\^\((\w+)\))?", name)
    if found is None:
        return Label(name)
    scopes, written, head = found.groups()
    base, primes = _unprimed(written)
    before, rest = written[0], _unprimed(written[1:])
    is_marked = base not in STEPS and before in BEFORE and rest[0] in STEPS
    base, primes = rest if is_marked else (base, primes)
    return Label(base, primes, tuple(scopes.split(".")[:-1]), head or "", before * is_marked)


def _unprimed(base: str) -> tuple[str, int]:
    primed = re.fullmatch(r"([A-Za-z]+)([1-4])", base)
    return (primed[1], int(primed[2])) if primed and primed[1] in PRIMED else (base, 0)


def gradient_name(name: str, before: str = "d") -> str:
    """The name of a step's gradient: dA of A, L2.dA^(1) of L2.A^(1); or with another of BEFORE."""
    place = name.rfind(".") + 1
    return f"{name[:place]}{before}{name[place:]}"


def beside(name: str, base: str) -> str:
    """The step of another letter in the same layer, part and head: beside("L2.A^(1)", "Z")."""
    found = label(name)
    head = f"^({found.head})" if found.head else ""
    return "".join(f"{scope}." for scope in found.scopes) + base + head


def is_single(name: str) -> bool:
    """Whether the step is one number, written without indices."""
    return label(name).base in SINGLE


def shown(name: str, i: int, j: int) -> tuple[int, ...]:
    """The indices with which entry (i, j) of a step is written."""
    base = label(name).base
    if base in SINGLE:
        return ()
    return (i,) if base in VECTORS else (j,) if base in ROWS else (i, j)


def place(name: str, indices: tuple[int, ...]) -> tuple[int, int] | None:
    """The entry (i, j) that is written with these indices; None where it cannot be told."""
    base = label(name).base
    if not indices and base in SINGLE:
        return 1, 1
    if len(indices) == 1 and base in VECTORS | ROWS:
        return (indices[0], 1) if base in VECTORS else (1, indices[0])
    return (indices[0], indices[1]) if len(indices) == 2 else None


def is_standard(symbol: str) -> bool:
    """Whether a free symbol has the name of a standard letter, and is written like it."""
    return symbol in STEPS and symbol[-1].isalpha()


def _is_layer(scope: str) -> bool:
    return re.fullmatch(r"L\d+", scope) is not None


GREEK = {
    name: "\\" + name
    for name in (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau "
        "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega"
    ).split()
}
GREEK_LETTERS = dict(zip(GREEK, "αβγδεζηθικλμνξρστυφχψωΓΔΘΛΞΣΦΨΩ", strict=True))
# Python, and so SymPy, cannot spell lambda.
GREEK["lamda"], GREEK_LETTERS["lamda"] = GREEK.pop("lambda"), GREEK_LETTERS.pop("lambda")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789-()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁽⁾")


def held(name: str, text: str) -> str:
    """The letter as it takes indices: one with a number below already, W_1, stands in brackets."""
    found = label(name)
    return f"({text})" if found.is_step and STEPS[found.base][1].startswith("_") else text


def latex_step(name: str, case: Case = str) -> str:
    """A step's letter: W^{Q}, W_{1}, K^{(1)\\top}, N''^{[2]}."""
    found = label(name)
    if not found.is_step:
        return case(latex_symbol(name))
    stem, own, *_ = STEPS[found.base]
    stem = case(stem)
    if own.startswith("_"):
        stem, own = f"{stem}_{{{own[1:]}}}", ""
    above = found.above(lambda word: f"\\mathrm{{{word}}}")
    above = above + own if own.startswith("\\") else own + above
    stem = f"\\mathrm{{{found.before}}}{stem}" if found.before else stem
    if not above:
        return stem + "'" * found.primes
    # A prime is a superscript as well, and there is room for one.
    primes = r"\prime" * found.primes
    return f"{stem}^{{{primes}{above}}}"


def unicode_step(name: str, case: Case = str) -> str:
    """The same in Unicode: W_Q, Kᵀ⁽¹⁾, L2.N″."""
    found = label(name)
    if not found.is_step:
        return case(unicode_symbol(name))
    head = superscript(f"({found.head})") if found.head else ""
    primes = ("", "′", "″", "‴", "⁗")[found.primes]
    letter = found.before + case(STEPS[found.base][2])
    return "".join(f"{s}." for s in found.scopes) + letter + primes + head


def identifier_step(name: str, case: Case = str) -> str:
    """A Python identifier: W_Q, KT_h1, L2_N2."""
    found = label(name)
    if not found.is_step:
        return case(name)
    head = f"_h{found.head}" if found.head else ""
    number = str(found.primes) if found.primes else ""
    letter = found.before + case(STEPS[found.base][3])
    return "".join(f"{s}_" for s in found.scopes) + letter + number + head


def latex_entry(step: str, indices: tuple[str, ...], case: Case = str) -> str:
    """S_{12}, W^{Q}_{11}, (W_{1})_{12}, K^{\\top}_{1,12}."""
    letter = latex_step(step, case)
    return f"{held(step, letter)}_{{{joined(indices)}}}" if indices else letter


def unicode_entry(step: str, indices: tuple[str, ...], case: Case = str) -> str:
    """S₁₂, W_Q₁₁, (W₁)₁₂, K₁,₁₂."""
    if not indices:
        return unicode_step(step, case)
    text = joined(indices)
    below = subscript(text) if text.replace(",", "").isdigit() else f"_{text}"
    return held(step, unicode_step(step, case)) + below


def identifier_entry(step: str, indices: tuple[str, ...], case: Case = str) -> str:
    """S_12, S_1_12: a Python identifier."""
    return "_".join(filter(None, (identifier_step(step, case), joined(indices, "_"))))


def joined(indices: tuple[str, ...], between: str = ",") -> str:
    """Indices side by side, with a comma where one has more than one sign."""
    return "".join(indices) if all(len(i) == 1 for i in indices) else between.join(indices)


def latex_symbol(name: str) -> str:
    """A free symbol's name: tau, a_1, x12, W_Q_11, d_model."""
    if is_standard(name):
        return latex_step(name)
    base, rest = split_name(name)
    stem = GREEK.get(base, base if len(base) == 1 else f"\\mathrm{{{base}}}")
    if not rest:
        return stem
    if base == "W" and len(rest) > 1 and not rest[0].isdigit():
        return f"W^{{{rest[0]}}}_{{{joined(tuple(rest[1:]))}}}"
    return f"{stem}_{{{joined(tuple(map(_latex_index, rest)))}}}"


def _latex_index(text: str) -> str:
    return GREEK.get(text, text if len(text) == 1 or text.isdigit() else f"\\text{{{text}}}")


def unicode_symbol(name: str) -> str:
    """The same in Unicode: τ, a₁, x₁₂, W_Q₁₁, d_model."""
    base, rest = split_name(name)
    stem = GREEK_LETTERS.get(base, base)
    while rest and not rest[0].isdigit():
        stem += "_" + rest.pop(0)
    return stem + (
        subscript(joined(tuple(rest))) if all(r.isdigit() for r in rest) else "_" + "_".join(rest)
    )


def split_name(name: str) -> tuple[str, list[str]]:
    """The stem and its indices: H_11, a_1, x12."""
    base, *rest = name.split("_")
    if not rest and (found := re.fullmatch(r"([A-Za-z]+?)(\d+)", base)):
        return found[1], [found[2]]
    return (base, rest) if base else (name, [])


def subscript(text: str) -> str:
    """Digits as Unicode subscripts."""
    return text.translate(_SUBSCRIPTS)


def superscript(text: str) -> str:
    """Digits and minus as Unicode superscripts."""
    return text.translate(_SUPERSCRIPTS)


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key under which S_2 comes before S_10."""
    parts = re.findall(r"\d+|\D+", name)
    return tuple((0, int(p)) if p.isdigit() else (1, p) for p in parts)
