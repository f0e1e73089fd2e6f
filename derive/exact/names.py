"""How the standard letters are written in each ink: one row a letter.

Step names are the project's words (`scaled`, `K^T` ...); on paper they have their usual signs.
"""

from __future__ import annotations

import re

STEPS = {
    # name: (LaTeX, Unicode, identifier)
    "H": ("H", "H", "H"),
    "context": ("X", "X", "context"),
    "W_Q": ("W^{Q}", "W_Q", "W_Q"),
    "W_K": ("W^{K}", "W_K", "W_K"),
    "W_V": ("W^{V}", "W_V", "W_V"),
    "Q": ("Q", "Q", "Q"),
    "K": ("K", "K", "K"),
    "V": ("V", "V", "V"),
    "K^T": ("K^{\\top}", "Kᵀ", "KT"),
    "S": ("S", "S", "S"),
    "scaled": ("\\tilde{S}", "S̃", "scaled"),
    "mask": ("M", "M", "mask"),
    "masked": ("\\hat{S}", "Ŝ", "masked"),
    "exp": ("E", "E", "exp"),
    "Z": ("Z", "Z", "Z"),
    "A": ("A", "A", "A"),
    "C": ("C", "C", "C"),
    "O": ("O", "O", "O"),
    "1": ("\\mathbf{1}", "1", "ones"),
}

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
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def latex_entry(step: str, indices: tuple[str, ...]) -> str:
    """S_{12}, W^{Q}_{11}, K^{\\top}_{1,12}."""
    base = STEPS[step][0] if step in STEPS else latex_symbol(step)
    return f"{base}_{{{_joined(indices)}}}"


def unicode_entry(step: str, indices: tuple[str, ...]) -> str:
    """S₁₂, W_Q₁₁, K₁,₁₂."""
    base = STEPS[step][1] if step in STEPS else unicode_symbol(step)
    text = _joined(indices)
    return base + (subscript(text) if text.replace(",", "").isdigit() else f"_{text}")


def identifier_entry(step: str, indices: tuple[str, ...]) -> str:
    """S_12, S_1_12: a Python identifier."""
    base = STEPS[step][2] if step in STEPS else step
    return f"{base}_{_joined(indices, '_')}"


def _joined(indices: tuple[str, ...], between: str = ",") -> str:
    return "".join(indices) if all(len(i) == 1 for i in indices) else between.join(indices)


def latex_symbol(name: str) -> str:
    """A free symbol's name: tau, a_1, x12, W_Q_11, d_model."""
    if name in STEPS:
        return STEPS[name][0]
    base, rest = split_name(name)
    stem = GREEK.get(base, base if len(base) == 1 else f"\\mathrm{{{base}}}")
    if not rest:
        return stem
    if base == "W" and len(rest) > 1:
        return f"W^{{{rest[0]}}}_{{{_joined(tuple(rest[1:]))}}}"
    return f"{stem}_{{{_joined(tuple(map(_latex_index, rest)))}}}"


def _latex_index(text: str) -> str:
    return GREEK.get(text, text if len(text) == 1 or text.isdigit() else f"\\text{{{text}}}")


def unicode_symbol(name: str) -> str:
    """The same in Unicode: τ, a₁, x₁₂, W_Q₁₁, d_model."""
    base, rest = split_name(name)
    stem = GREEK_LETTERS.get(base, base)
    while rest and not rest[0].isdigit():
        stem += "_" + rest.pop(0)
    return stem + (
        subscript(_joined(tuple(rest))) if all(r.isdigit() for r in rest) else "_" + "_".join(rest)
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
