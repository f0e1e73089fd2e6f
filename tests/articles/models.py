"""Models: the steps that an article works out, each from those before it."""

from collections.abc import Callable
from dataclasses import dataclass

from articles import arithmetic as a
from articles.arithmetic import mapped, plus, product, real, softmax, times, turned


@dataclass(frozen=True)
class Step:
    """A matrix by name: given, or made from the values of the steps before it.

    `formula` is LaTeX in which <Q> stands for the name of the step Q; `work(known)` its value.
    """

    name: str
    work: Callable
    formula: str = ""
    is_given: bool = False
    is_hidden: bool = False


@dataclass(frozen=True)
class Model:
    """Steps in order, and what the article says beside them."""

    name: str
    steps: tuple[Step, ...]
    says: tuple[str, ...] = ()

    def values(self, wrong=None, carry=lambda name, rows: rows):
        """Every step; those in `wrong` by another rule, and each carried on as `carry` says."""
        known = {}
        for step in self.steps:
            work = (wrong or {}).get(step.name, step.work)
            known[step.name] = carry(step.name, work(known))
        return known


def matrix(rng, n, m, step=None):
    """Whole numbers, halves or tenths."""
    low, high, unit = step or rng.choice(((-2, 3, "1"), (-4, 6, "0.5"), (-12, 15, "0.1")))
    return [[rng.randint(low, high) * real(unit) for _ in range(m)] for _ in range(n)]


def given(name, rows):
    return Step(name, lambda known: rows, is_given=True)


def _head(n, source, dk, causal, shows_mask, suffix=""):
    def at(name):
        return name + suffix

    yield Step(at("Q"), lambda k: product(k["X"], k[at("W_Q")]), f"<X> <{at('W_Q')}>")
    for name in "KV":
        yield Step(
            at(name),
            lambda k, name=name: product(k[source], k[at("W_" + name)]),
            f"<{source}> <{at('W_' + name)}>",
        )
    yield Step(
        at("S"), lambda k: product(k[at("Q")], turned(k[at("K")])), f"<{at('Q')}> <{at('K')}>^T"
    )
    root = a.mpmath.sqrt(dk)
    yield Step(
        at("scaled"),
        lambda k: times(k[at("S")], 1 / root),
        rf"\frac{{<{at('S')}>}}{{\sqrt{{{dk}}}}}",
    )
    scores = at("scaled")
    if causal:
        yield Step(at("masked"), lambda k: a.masked(k[at("scaled")]), "", is_hidden=not shows_mask)
        scores = at("masked") if shows_mask else scores
    yield Step(
        at("A"),
        lambda k: softmax(k[at("masked") if causal else at("scaled")]),
        rf"\text{{softmax}}(<{scores}>)",
    )
    yield Step(at("O"), lambda k: product(k[at("A")], k[at("V")]), f"<{at('A')}> <{at('V')}>")


def _sizes(rng):
    return rng.choice((2, 3, 4)), rng.choice((2, 3, 4)), rng.choice((2, 3, 4))


def _weights(rng, d, dk, suffix="", unit=None):
    return [given(f"W_{name}{suffix}", matrix(rng, d, dk, unit)) for name in "QKV"]


UNITS = ((-2, 2, "1"), (-3, 3, "0.5"), (-9, 12, "0.1"))


def head(rng):
    n, d, dk = _sizes(rng)
    unit = rng.choice(UNITS)
    return head_of(matrix(rng, n, d, unit), *(matrix(rng, d, dk, unit) for _ in "QKV"))


def head_of(inputs, *weights):
    """The head of given inputs and the three weights."""
    steps = [given("X", inputs)]
    steps += [given(f"W_{name}", rows) for name, rows in zip("QKV", weights, strict=True)]
    dk = len(weights[0][0])
    return Model("head", (*steps, *_head(len(inputs), "X", dk, False, False)), (f"$d_k = {dk}$",))


def causal(rng):
    n, d, dk = rng.choice((3, 4)), rng.choice((2, 3)), rng.choice((2, 3))
    unit = rng.choice(UNITS)
    steps = [given("X", matrix(rng, n, d, unit)), *_weights(rng, d, dk, "", unit)]
    return Model("causal", (*steps, *_head(n, "X", dk, True, True)), (f"$d_k = {dk}$",))


def cross(rng):
    n, d, dk = _sizes(rng)
    m = rng.choice([k for k in (2, 3, 4) if k != n])
    unit = rng.choice(UNITS)
    steps = [given("X", matrix(rng, n, d, unit)), given("M", matrix(rng, m, d, unit))]
    steps += _weights(rng, d, dk, "", unit)
    return Model("cross", (*steps, *_head(n, "M", dk, False, False)), (f"$d_k = {dk}$",))


def multihead(rng):
    n, d, dk = rng.choice((2, 3)), rng.choice((2, 4)), 2
    unit = rng.choice(UNITS)
    steps = [given("X", matrix(rng, n, d, unit))]
    for h in "12":
        steps += [*_weights(rng, d, dk, h, unit), *_head(n, "X", dk, False, False, h)]
    steps.append(
        Step(
            "C",
            lambda k: [r + s for r, s in zip(k["O1"], k["O2"], strict=True)],
            r"\text{Concat}(<O1>, <O2>)",
        )
    )
    steps.append(given("W_O", matrix(rng, 2 * dk, d, unit)))
    steps.append(Step("MHA", lambda k: product(k["C"], k["W_O"]), "<C> <W_O>"))
    return Model("multihead", tuple(steps), (f"$d_k = {dk}$",))


def _norm_input(rng):
    while True:
        rows = matrix(rng, rng.choice((1, 2, 3)), rng.choice((3, 4)))
        if all(len({str(x) for x in row}) > 1 for row in rows):
            return rows


def layernorm(rng):
    rows = _norm_input(rng)
    d = len(rows[0])
    eps = rng.choice((None, "0.00001", "0.01", "0.1"))
    root = r"\sqrt{<var>}" if eps is None else rf"\sqrt{{<var> + {eps}}}"
    steps = [
        given("X", rows),
        Step("eps", lambda k: [[real(eps or 0)]], is_given=True, is_hidden=True),
        Step("mean", lambda k: a.means(k["X"]), ""),
        Step("var", lambda k: a.variances(k["X"]), ""),
        Step(
            "LN",
            lambda k: mapped(
                lambda x, m, v: (x - m) / a.mpmath.sqrt(v + real(eps or 0)),
                k["X"], k["mean"], k["var"],
            ),
            rf"\frac{{<X> - <mean>}}{{{root}}}",
        ),
    ]  # fmt: skip
    if rng.random() < 0.5:
        steps += [
            given("gamma", matrix(rng, 1, d, (5, 20, "0.1"))),
            given("beta", matrix(rng, 1, d, (-5, 5, "0.1"))),
            Step(
                "Y",
                lambda k: mapped(lambda x, g, b: x * g + b, k["LN"], k["gamma"], k["beta"]),
                r"<gamma> \odot <LN> + <beta>",
            ),
        ]
    says = (rf"$\epsilon = {eps}$",) if eps else ()
    return Model("layernorm", tuple(steps), says)


def rmsnorm(rng):
    rows = _norm_input(rng)
    steps = (
        given("X", rows),
        Step("rms", lambda k: a.roots(a.means(mapped(lambda x: x * x, k["X"]))), ""),
        Step(
            "RMSNorm", lambda k: mapped(lambda x, r: x / r, k["X"], k["rms"]),
            r"\frac{<X>}{<rms>}",
        ),
    )  # fmt: skip
    return Model("rmsnorm", steps)


ANGLES = r"$PE_{(pos, 2i)} = \sin(pos / 10000^{2i/d})$"


def positions(rng):
    n, d = rng.choice((2, 3, 4)), rng.choice((4, 6))
    steps = (
        given("X", matrix(rng, n, d)),
        Step("PE", lambda k: a.encodings(n, d), ""),
        Step("X_PE", lambda k: plus(k["X"], k["PE"]), "<X> + <PE>"),
    )
    return Model("positions", steps, (ANGLES,))


def rope(rng):
    n, d = rng.choice((2, 3, 4)), rng.choice((2, 4))
    steps = (
        given("Q", matrix(rng, n, d)),
        given("K", matrix(rng, n, d)),
        Step("RQ", lambda k: a.rotated(k["Q"]), r"\text{RoPE}(<Q>)"),
        Step("RK", lambda k: a.rotated(k["K"]), r"\text{RoPE}(<K>)"),
        Step("S", lambda k: product(k["RQ"], turned(k["RK"])), "<RQ> <RK>^T"),
    )
    return Model("rope", steps)


def feedforward(rng):
    n, d, m = rng.choice((1, 2, 3)), rng.choice((2, 3)), rng.choice((3, 4))
    steps = [
        given("X", matrix(rng, n, d)),
        given("W_1", matrix(rng, d, m)),
        given("b_1", matrix(rng, 1, m)),
        Step("F", lambda k: plus(product(k["X"], k["W_1"]), k["b_1"]), "<X> <W_1> + <b_1>"),
        Step("R", lambda k: mapped(lambda x: max(x, real(0)), k["F"]), r"\text{ReLU}(<F>)"),
        given("W_2", matrix(rng, m, d)),
        given("b_2", matrix(rng, 1, d)),
        Step("FFN", lambda k: plus(product(k["R"], k["W_2"]), k["b_2"]), "<R> <W_2> + <b_2>"),
    ]
    if rng.random() < 0.5:
        steps.append(Step("Y", lambda k: plus(k["X"], k["FFN"]), "<X> + <FFN>"))
    return Model("feedforward", tuple(steps))


def loss(rng):
    n, m = rng.choice((2, 3)), rng.choice((3, 4))
    targets = [rng.randrange(m) for _ in range(n)]
    picked = "; ".join(f"$y_{i} = {t + 1}$" for i, t in enumerate(targets, 1))
    steps = (
        given("logits", matrix(rng, n, m)),
        Step("P", lambda k: softmax(k["logits"]), r"\text{softmax}(<logits>)"),
        Step("picked", lambda k: [[row[t]] for row, t in zip(k["P"], targets, strict=True)]),
        Step("L", lambda k: mapped(lambda p: -a.mpmath.log(p), k["picked"]), r"-\ln(<picked>)"),
        Step("loss", lambda k: [[a.mpmath.fsum(r[0] for r in k["L"]) / n]], ""),
    )
    return Model("loss", steps, (picked,))


def temperature(rng):
    m = rng.choice((3, 4, 5))
    tau = rng.choice(("0.5", "2", "0.7", "1.5"))
    steps = (
        given("logits", matrix(rng, 1, m)),
        given("T", [[real(tau)]]),
        Step("cooled", lambda k: times(k["logits"], 1 / k["T"][0][0]), "<logits> / <T>"),
        Step("P", lambda k: softmax(k["cooled"]), r"\text{softmax}(<cooled>)"),
    )
    return Model("temperature", steps)


def plain(rng):
    n, m = rng.choice((1, 2, 3)), rng.choice((2, 3, 4))
    steps = (
        given("logits", matrix(rng, n, m)),
        Step("E", lambda k: mapped(a.power, k["logits"]), r"\exp(<logits>)"),
        Step("Z", lambda k: a.sums(k["E"]), ""),
        Step("P", lambda k: softmax(k["logits"]), r"\text{softmax}(<logits>)"),
    )
    return Model("plain", steps)


def scores(rng):
    """Queries, keys and values themselves are given."""
    n, m, dk = _sizes(rng)
    unit = rng.choice(UNITS)
    steps = [given("Q", matrix(rng, n, dk, unit)), given("K", matrix(rng, m, dk, unit))]
    steps.append(given("V", matrix(rng, m, rng.choice((2, 3)), unit)))
    rest = [s for s in _head(n, "X", dk, False, False) if s.name not in "QKV"]
    return Model("scores", (*steps, *rest), (f"$d_k = {dk}$",))


MODELS = {
    f.__name__: f
    for f in (
        head, causal, cross, scores, multihead, layernorm, rmsnorm, positions, rope, feedforward,
        loss, temperature, plain,
    )
}  # fmt: skip
