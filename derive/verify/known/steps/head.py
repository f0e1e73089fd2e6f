"""The steps of attention: queries, keys and values, scores, masks, weights and outputs.

Several conventions are known for each; the one with which the article agrees is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf
from derive.verify.known.steps.made import whole
from derive.verify.known.steps.places import Placed
from derive.verify.known.steps.upright import is_printed_upright
from derive.verify.speech.roles import role

RESULTS = frozenset("Q K V A O scaled masked mean var std gamma beta".split())
"""What is never projected."""
LAYOUTS = ("rows", "rows turned", "columns", "columns turned")
"""X W, X W^T, W X and W^T X."""


@dataclass(frozen=True)
class Triple:
    """What may be queries, keys and values, and whether tokens are columns."""

    q: Grid
    k: Grid
    v: Grid | None
    is_columns: bool = False


class Heads(Placed):
    """The steps of one head and of several."""

    # Projections

    def projection(self, kind: str, head: int | None = None) -> Grid | None:
        """Q, K or V: from its input and weights, as printed, or the input itself."""
        printed = self.pool.of_role(kind, head)
        found = list(self.projected(kind, head))
        if printed is not None and printed.shape[0] > 1:
            begun = [step for step in found if not is_blank(step)]
            if begun and begun[0].shape[0] >= printed.shape[0]:
                return begun[0]
            if begun or not found:
                return printed
            return printed if self.is_foreign(printed, found) else found[0]
        return found[0] if found else printed if printed is not None else self.source(kind)

    def is_foreign(self, printed: Grid, found: list[Grid]) -> bool:
        """Whether a printed matrix is none of the projections, by its shape."""
        return all(printed.shape != step.shape for step in found)

    def source(self, kind: str) -> Grid | None:
        """What is projected: the input, or what the decoder attends to."""
        memory = self.pool.of_role("M") if kind in ("K", "V") else None
        return memory if memory is not None else self.pool.of_role("H")

    def projected(self, kind: str, head: int | None = None) -> Iterator[Grid]:
        """The input times its weights, in each layout that fits; with a bias where one is named."""
        W = self.pool.of_role("W_" + kind, head)
        inputs = [self.source(kind) or self.input_of(kind), self.pool.of_role("H")]
        if W is None:
            return
        steps = [
            step
            for H in dict.fromkeys(x for x in inputs if x is not None)
            for layout in ((self.pool.layout,) if self.pool.layout else LAYOUTS)
            if (step := self.laid_out(kind, H, W, layout)) is not None
        ]
        bias = self.pool.of_role("b_" + kind, head)
        for step in sorted(steps, key=is_blank):
            made = self.shifted(step, bias, kind)
            if made is not None:
                self.surely(made)
                yield made

    def shifted(self, step: Grid, bias: Grid | None, name: str) -> Grid | None:
        """With a bias for every token, where there is one."""
        if bias is None:
            return step
        return self.entrywise(name, "+", step, bias) or self.entrywise(
            name, "+", step, Grid([[c] for c in bias.cells()])
        )

    def laid_out(self, name: str, H: Grid, W: Grid, layout: str) -> Grid | None:
        """H and W multiplied in one layout."""
        if layout.startswith("columns") and 1 in (H.shape[0], W.shape[0]):
            return None
        match layout:
            case "rows":
                return self.product(name, H, W)
            case "rows turned":
                return self.against(name, H, W)
            case "columns":
                return self.product(name, W, H)
        return self.turned_product(name, W, H)

    def input_of(self, kind: str) -> Grid | None:
        """A matrix without a known name that the weights can follow."""
        W = self.pool.of_role("W_" + kind)
        if W is None:
            return None
        fits = [g for g in self.pool.plain() if g.shape[1] == W.shape[0] and is_input(g)]
        return fits[0] if fits else None

    def is_named(self) -> bool:
        """Whether the article names its queries and keys, or their weights."""
        return all(self.pool.of_role(k) or self.pool.of_role("W_" + k) for k in "QK")

    def triples(self, head: int | None = None) -> Iterator[Triple]:
        """What may be queries, keys and values."""
        q, k, v = (self.projection(kind, head) for kind in "QKV")
        turned = self.pool.of_role("Q'"), self.pool.of_role("K'")
        if turned[0] is not None and turned[1] is not None:
            yield Triple(turned[0], turned[1], v)
        if q is not None and k is not None:
            yield Triple(q, k, v, self.is_columns())
        if head is not None:
            return
        H = self.pool.of_role("H")
        if H is not None:
            yield Triple(H, H, v or H)
        plain = [g for g in self.pool.plain()[-5:] if g.shape[0] > 1]
        for place in range(len(plain) - 1):
            a, b = plain[place : place + 2]
            if a.shape[1] == b.shape[1]:
                yield Triple(a, b, plain[place + 2] if place + 2 < len(plain) else None)
        last = [g for g in list(self.pool.recent())[:2] if g.made is not None and is_input(g)]
        for a in (*plain, *(g for g in last if g.shape[0] > 1)):
            yield Triple(a, a, a)

    def is_columns(self) -> bool:
        """Whether tokens are columns: the weights fit before the input alone, or agree so."""
        for kind in "QKV":
            W, H = self.pool.of_role("W_" + kind), self.source(kind)
            if W is None or H is None:
                continue
            found = [(name, self.laid_out(kind, H, W, name)) for name in LAYOUTS]
            begun = [n for n, s in found if s is not None and any(c.figure for c in s.cells())]
            fits = begun or [n for n, s in found if s is not None]
            return bool(fits) and fits[0].startswith("columns")
        return any(is_printed_upright(self.pool, grid) for grid in self.pool.recent())

    # Scores, weights, outputs

    def head(self, t: Triple) -> Iterator[Grid | None]:
        """The steps of one head."""
        yield from (t.q, t.k, t.v)
        for S in self.scores(t):
            if S is None:
                continue
            yield S
            yield self.turned("K^T", t.k)
            for scores in self.scales(S, t):
                yield scores
                for form in self.with_bias(scores):
                    yield form
                    yield from self.weights(form, t)

    def with_bias(self, scores: Grid) -> list[Grid]:
        """Scores as they are, and less what the distance costs; what is printed of it alone."""
        forms = list(self.biased(scores))
        return [form for form in forms if not is_blank(form)] or [*forms, scores]

    def scores(self, t: Triple) -> Iterator[Grid | None]:
        """Q K^T; with tokens as columns K^T Q, or Q^T K where that is not printed."""
        if t.is_columns:
            yield self.turned_product("S", t.k, t.q)
            if not any(is_printed_upright(self.pool, grid) for grid in self.pool.recent()):
                yield self.turned_product("S", t.q, t.k)
        else:
            yield self.against("S", t.q, t.k)

    def scales(self, S: Grid, t: Triple) -> Iterator[Grid]:
        """Scores divided by what they may be divided by, the likeliest first, and as they are."""
        own = t.q.shape[0] if t.is_columns else t.q.shape[1]
        H = self.pool.of_role("H")
        widths = [own, self.pool.scale_width(), H.shape[1] if H is not None else 0]
        if self.pool.scale_width():
            widths[:2] = widths[1::-1]
        found = [self.scaled(S, width) for width in dict.fromkeys(widths) if width > 1]
        if not self.pool.is_rooted:
            found.append(self.divided("scaled", S, whole(own), "width", own))
        made = [step for step in found if step is not None]
        begun = [step for step in made if any(c.figure for c in step.cells())]
        yield from begun or made
        if not begun and not (made and self.pool.is_scaled):
            yield S

    def weights(self, scores: Grid, t: Triple) -> Iterator[Grid | None]:
        """exp, row sums, softmax and output, free and masked."""
        forms = [scores, *self.masks(scores)]
        begun = [form for form in forms[1:] if any(c.figure for c in form.cells())]
        yield from forms[1:]
        for form in begun[:1] or forms:
            E = self.unary("exp", form)
            if E is None:
                continue
            columns = t.is_columns
            A = self.unary("softmax columns" if columns else "softmax", form, "A")
            yield from (E, self.unary("sum", E), A)
            if columns:
                yield self.unary("softmax", form, "A")
            if A is not None and t.v is not None:
                yield from self.outputs(A, t)

    def outputs(self, A: Grid, t: Triple) -> Iterator[Grid | None]:
        """A V; with tokens as columns V A or V A^T."""
        if t.v is None:
            return
        if t.is_columns:
            yield self.product("O", t.v, A)
            yield self.against("O", t.v, A)
        else:
            yield self.product("O", A, t.v)

    def masks(self, scores: Grid) -> Iterator[Grid]:
        """Masked scores: causal, by a mask that is printed, or without the last tokens."""
        n, m = scores.shape
        if n == m:
            for function in ("causal", "causal filled")[: 1 if self.pool.is_causal else 2]:
                if (step := self.unary(function, scores, "masked")) is not None:
                    yield step
        mask = self.pool.of_role("mask")
        if mask is not None and mask.shape in ((n, m), (1, m)):
            for made in (
                Binary("+", Leaf(scores), Leaf(mask)),
                Function("masked", (Leaf(scores), Leaf(mask))),
            ):
                step = self.step("masked", made, made.__class__, id(scores), id(mask))
                if step is not None:
                    yield step

    # Several heads

    def several(self) -> Iterator[Grid | None]:
        """What heads beside each other lead to: together, times W_O, their mean."""
        for kind in "AO":
            parts = [g for (k, _), g in sorted(self.pool.parts.items()) if k == kind]
            if len(parts) > 1:
                yield self.average(parts)
        heads = self.outputs_of_heads()
        W = self.pool.of_role("W_O")
        last = [self.pool.of_role("concat")]
        if len(heads) > 1 and len({h.shape[0] for h in heads}) == 1:
            beside = self.step(
                "concat", Function("beside", tuple(map(Leaf, heads))), "beside", *map(id, heads)
            )
            last.insert(0, self.surely(beside))
            yield beside
            yield self.average(heads)
        if len(heads) < 2:
            last.append(self.pool.of_role("O"))
        for whole_ in last:
            if whole_ is None or W is None:
                continue
            for layout in LAYOUTS[:2]:
                made = self.laid_out("MHA", whole_, W, layout)
                if made is not None:
                    yield self.shifted(made, self.pool.of_role("b_O"), "MHA")

    def outputs_of_heads(self) -> list[Grid]:
        """The outputs of the heads, as printed or as they follow."""
        found = []
        for head in self.pool.heads():
            printed = self.pool.of_role("O", head)
            steps = (s for t in self.triples(head) for s in self.head(t))
            made = next((s for s in steps if s is not None and s.name == "O"), None)
            made = made if made is not None and (printed is None or not is_blank(made)) else None
            chosen = made or printed or self.weighed(head)
            if chosen is not None:
                found.append(chosen)
        return found

    def weighed(self, head: int) -> Grid | None:
        """The output of a head of which the article gives the weights, without its scores."""
        A, v = self.pool.parts.get(("A", head)), self.projection("V", head)
        return self.surely(self.product("O", A, v)) if A is not None and v is not None else None

    def average(self, parts: list[Grid]) -> Grid | None:
        """The mean of matrices of one shape."""
        if len({g.shape for g in parts}) != 1:
            return None
        made = Function("average", tuple(map(Leaf, parts)))
        return self.step("mean of heads", made, "average", *map(id, parts))


def is_input(grid: Grid) -> bool:
    """Whether a given matrix has no name that says it is something else."""
    return role(grid.name) not in RESULTS


def is_blank(step: Grid) -> bool:
    """Whether nothing is printed of a step."""
    return not any(c.figure for c in step.cells())
