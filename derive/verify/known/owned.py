"""Results by the functions as an article means them: its kind of GELU, the base of its softmax."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Binary, Function, Node, rebuilt, takes
from derive.verify.known.affine import PRODUCT, biased
from derive.verify.known.gelus import of_kind
from derive.verify.known.pool import Pool
from derive.verify.known.steps.made import whole
from derive.verify.speech.powers import Powers
from derive.verify.values.held import agreement
from derive.verify.values.judge import Judge


def meant(made: Node, name: str, pool: Pool, powers: Powers) -> Node:
    """An expression with the functions of the article; name: what it is called."""
    if pool.is_affine and name == PRODUCT:
        made = biased(made, pool)
    if pool.gelu and takes(made, "gelu"):
        made = of_kind(made, pool.gelu)
    return of_base(made, powers.base) if powers.is_bound else made


def owned(cells: list[list[Cell]], judge: Judge, name: str, pool: Pool, powers: Powers) -> Judge:
    """The judge of what is printed, by the functions of the article."""
    if meant(judge.made, name, pool, powers) is not judge.made:
        return judge.by(lambda made: meant(made, name, pool, powers))
    if powers.base and takes(judge.made, "softmax"):
        other = judge.by(lambda made: of_base(made, powers.base))
        if agreement(cells, other.exact) > agreement(cells, judge.exact):
            return other
    return judge


def of_base(node: Node, base: int) -> Node:
    """An expression with each softmax of powers of a number: those of e of its logarithm times."""
    if isinstance(node, Function) and node.name == "softmax":
        inner = tuple(of_base(part, base) for part in node.arguments)
        return Function("softmax", (Binary("*", inner[0], Function("ln", (whole(base),))),))
    return rebuilt(node, lambda part: of_base(part, base))
