"""Causes: each kind by an article that has it; what is one finding; and what is never blamed."""

import random

import pytest
from articles import arithmetic as a
from articles.arithmetic import figures, mapped, plus, product, real, softmax, times, turned

from derive import ops
from derive.verify import verify
from derive.verify.causes import KINDS
from derive.verify.causes.listed import CALLED, LEFT_OUT
from derive.words import words


def rows(text):
    return [[real(x) for x in row.split()] for row in text.split("/")]


def shown(matrix, places=4):
    """A matrix as a list; nothing behind the point where nothing is there."""
    found = [[figures(x, places) for x in row] for row in matrix]
    return "[" + ", ".join("[" + ", ".join(row) + "]" for row in found) + "]"


X = rows("1.2 0.7/0.3 -0.5/-0.8 1.1")
W_Q, W_K, W_V = rows("0.5 -1.2/0.9 0.4"), rows("1.1 0.3/-0.6 0.8"), rows("0.7 0.2/-1.3 0.5")
Q, K, V = (product(X, w) for w in (W_Q, W_K, W_V))
S = product(Q, turned(K))
SCALED = times(S, 1 / a.mpmath.sqrt(2))
MASKED = a.masked(SCALED)
A = softmax(SCALED)
GIVEN = f"X = {shown(X, 1)}\nW_Q = {shown(W_Q, 1)}\nW_K = {shown(W_K, 1)}\nW_V = {shown(W_V, 1)}\n"
QKV = GIVEN + f"Q = {shown(Q)}\nK = {shown(K)}\nV = {shown(V)}\n"
SCORES = QKV + f"S = Q K^T = {shown(S)}\n"
SCALES = SCORES + f"scaled = S / sqrt(2) = {shown(SCALED)}\n"
WEIGHTS = SCALES + f"A = softmax(scaled) = {shown(A)}\n"
CAUSAL = SCALES + f"masked = {shown(MASKED).replace('-inf', '-inf')}\nA = softmax(masked) = "
STRICT = shown([[real(0)] * 3, *softmax(a.masked(SCALED, lambda i, j: j < i)[1:])])
LOGITS = rows("2.1 0.4 -0.9/0.3 1.7 -1.2")
L = f"logits = {shown(LOGITS, 1)}\n"
WIDE = rows("0.2 1.5 -0.7 0.9/1.1 -0.4 0.6 2.3")
N = f"X = {shown(WIDE, 1)}\n"
MEAN, VAR = a.means(WIDE), a.variances(WIDE)
NORMS = N + f"mu = {shown(MEAN)}\nvar = {shown(VAR)}\n"
NORM = NORMS + "Y = (X - mu) / sqrt(var + 0.01) = "
CENTRED = a.less_means(WIDE)


def normal(root=lambda v: a.mpmath.sqrt(v + real("0.01")), above=CENTRED):
    return mapped(lambda x, v: x / root(v), above, VAR)


G, B = rows("1.5 0.8 2 0.6"), rows("0.3 -0.2 0.1 0.7")
GAIN = N + f"gamma = {shown(G, 1)}\nbeta = {shown(B, 1)}\nY = X * gamma + beta = "
F = plus(product(X, W_Q), rows("0.4 -0.3"))
HIDDEN = f"X = {shown(X, 1)}\nW_1 = {shown(W_Q, 1)}\nb_1 = [0.4, -0.3]\n"
PRE = HIDDEN + f"Z = X W_1 + b_1 = {shown(F)}\n"
P = softmax(LOGITS)
SQUARE = rows("1.2 0.7/0.3 -0.5")
PROBS = L + f"P = softmax(logits) = {shown(P)}\n"


def sigmoid(x):
    return 1 / (1 + a.mpmath.exp(-x))


def gaussian(x):
    return (1 + a.mpmath.erf(x / a.mpmath.sqrt(2))) / 2


def heads():
    first, second = rows("0.5 1.2/-0.3 0.8"), rows("0.7 -0.4/1.6 0.1")
    text = f"O_1 = {shown(first, 1)}\nO_2 = {shown(second, 1)}\nC = concat(O_1, O_2) = "
    return text, first, second


def joined(*parts):
    return [[x for part in row for x in part] for row in zip(*parts, strict=True)]


SQUARE = rows("1.2 0.7/0.3 -0.5")
KEYS = rows("0.4 1.1/-0.9 0.6")
TWO = f"Q = {shown(SQUARE, 1)}\nK = {shown(KEYS, 1)}\nS = Q K^T = "
TURN = rows("0.5 1.2 -0.3 0.8/0.7 -0.4 1.6 0.1/1.1 0.6 -0.9 0.3")
ENCODED = f"X = {shown(TURN, 1)}\nPE = {shown(a.encodings(3, 4))}\nY = X + PE = "


def encoded(**how):
    """The input and positional encodings made otherwise."""
    return ENCODED + shown(plus(TURN, a.encodings(3, 4, **how)))


def rotated(made, first=0):
    """Scores of keys that were turned otherwise."""
    queries = a.rotated(TURN, start=first)
    text = f"Q = {shown(TURN, 1)}\nK = {shown(times(TURN, 2), 1)}\nQ' = {shown(queries)}\n"
    keys = a.rotated(times(TURN, 2), start=first)
    return text + f"K' = {shown(keys)}\nS = Q' K'^T = {shown(product(queries, turned(made)))}"


def turned_back(matrix, are_meant):
    """Some of the columns as if the sines had the other sign."""
    right, back = a.rotated(matrix), a.rotated(matrix, sign=-1)
    return [
        [y if are_meant(j) else x for j, (x, y) in enumerate(zip(r, s, strict=True))]
        for r, s in zip(right, back, strict=True)
    ]


T = "logits = [2.1, 0.4, -0.9]\nT = 0.5\nlogits / T = "
ROW = rows("2.1 0.4 -0.9")


def changed(matrix, i, j, by):
    made = [list(row) for row in matrix]
    made[i][j] += real(by)
    return made


CAUSES = {
    "not transposed": TWO + shown(product(SQUARE, KEYS)),
    "other way round": SCORES.replace(shown(S), shown(turned(S))),
    "weights transposed": GIVEN + f"Q = X W_Q = {shown(product(X, turned(W_Q)))}",
    "weights copied": f"X = {shown(SQUARE, 1)}\nW_V = {shown(W_V, 1)}\nV = X W_V = {shown(W_V, 2)}",
    "first transposed": WEIGHTS + f"O = A V = {shown(product(turned(A), V))}",
    "other factor": GIVEN + f"Q = X W_Q = {shown(K)}",
    "input in place of values": WEIGHTS + f"O = A V = {shown(product(A, X))}",
    "not scaled": SCORES + f"scaled = S / sqrt(2) = {shown(S)}",
    "scaled by the width": SCORES + f"scaled = S / sqrt(2) = {shown(times(S, real('0.5')))}",
    "scaled by the model": "X = [[1, 2, 3], [4, 5, 6]]\n" + f"S = {shown(SQUARE, 1)}\n"
    f"scaled = S / sqrt(2) = {shown(times(SQUARE, 1 / a.mpmath.sqrt(3)))}",
    "multiplied by the scale": SCORES
    + f"scaled = S / sqrt(2) = {shown(times(S, a.mpmath.sqrt(2)))}",
    "temperature forgotten": T + shown(ROW).strip("[]").join("[]"),
    "multiplied by the temperature": T + shown(times(ROW, real("0.5")))[1:-1],
    "not divided": f"S = {shown(SQUARE, 1)}\nS / 8 = {shown(SQUARE)}",
    "softmax of columns": SCALES
    + f"A = softmax(scaled) = {shown(turned(softmax(turned(SCALED))))}",
    "softmax of rows": f"Q = {shown(turned(Q))}\nK = {shown(turned(K))}\nV = {shown(turned(V))}\n"
    + f"S = K^T Q = {shown(turned(S))}\nscaled = S / sqrt(2) = {shown(turned(SCALED))}\n"
    + f"A = {shown(softmax(turned(SCALED)))}",
    "not exponentiated": SCALES + f"A = softmax(scaled) = {shown(a.shares(SCALED))}",
    "not normalised": SCALES + f"A = softmax(scaled) = {shown(mapped(a.power, SCALED))}",
    "other base": SCALES + f"A = softmax(scaled) = {shown(softmax(SCALED, 2))}",
    "mask left out": CAUSAL + shown(A),
    "mask after softmax": CAUSAL + shown(a.masked(A, value=real(0))),
    "mask not declared": SCALES + f"A = softmax(scaled) = {shown(softmax(MASKED))}",
    "strict mask": CAUSAL + STRICT,
    "other triangle": CAUSAL + shown(softmax(a.masked(SCALED, lambda i, j: j >= i))),
    "masked with 0": CAUSAL + shown(softmax(a.masked(SCALED, value=real(0)))),
    "max forgotten": "z = [2.1, 0.4, -0.9]\nexp(z - max(z)) = " + shown(mapped(a.power, ROW))[1:-1],
    "the other divisor": NORMS + f"std = sqrt(var) = {shown(a.roots(a.variances(WIDE, 1)))}",
    "no root": NORM + shown(normal(lambda v: v + real("0.01"))),
    "eps forgotten": NORM + shown(normal(a.mpmath.sqrt)),
    "eps outside the root": NORM + shown(normal(lambda v: a.mpmath.sqrt(v) + real("0.01"))),
    "mean not subtracted": NORM + shown(normal(above=WIDE)),
    "mean over the wrong axis": f"X = {shown(SQUARE, 1)}\nLayerNorm(X) = "
    + shown(
        turned(
            mapped(
                lambda x, v: x / a.mpmath.sqrt(v),
                a.less_means(turned(SQUARE)),
                a.variances(turned(SQUARE)),
            )
        )
    ),
    "sum instead of mean": N + f"mean(X) = {shown(a.sums(WIDE))}",
    "mean instead of sum": N + f"sum(X) = {shown(a.means(WIDE))}",
    "gain forgotten": GAIN + shown(plus(WIDE, B)),
    "bias forgotten": GAIN + shown(mapped(lambda x, g: x * g, WIDE, G)),
    "bias scaled too": GAIN + shown(mapped(lambda x, g, b: (x + b) * g, WIDE, G, B)),
    "residual forgotten": f"X = {shown(X, 1)}\nF = {shown(Q, 2)}\nY = X + F = {shown(Q, 2)}",
    "subtracted": f"X = {shown(X, 1)}\nF = {shown(Q, 2)}\nY = X + F = "
    + shown(mapped(lambda x, f: x - f, X, Q), 2),
    "added": f"P = {shown(P)}\nY = [[1, 0, 0], [0, 1, 0]]\nD = P - Y = "
    + shown(plus([[real(figures(x, 4)) for x in r] for r in P], rows("1 0 0/0 1 0"))),
    "activation forgotten": PRE + f"R = ReLU(Z) = {shown(F)}",
    "absolute value": PRE + f"R = ReLU(Z) = {shown(mapped(abs, F))}",
    "sigmoid instead": f"Z = {shown(X, 1)}\nGELU(Z) = {shown(mapped(lambda x: x * sigmoid(x), X))}",
    "sigmoid alone": f"Z = {shown(X, 1)}\nSiLU(Z) = {shown(mapped(sigmoid, X))}",
    "logarithm forgotten": "[-ln(0.8111), -ln(0.7691)] = [-0.8111, -0.7691]",
    "base of the logarithm": "[-ln(0.8111), -ln(0.7691)] = "
    + shown([[-a.mpmath.log(real(x)) / a.mpmath.log(2) for x in ("0.8111", "0.7691")]])[1:-1],
    "sign of the loss": "[-ln(0.8111), -ln(0.7691)] = "
    + shown([[a.mpmath.log(real(x)) for x in ("0.8111", "0.7691")]])[1:-1],
    "heads in reverse": heads()[0] + shown(joined(heads()[2], heads()[1]), 1),
    "columns in turns": heads()[0]
    + shown([[r[0], s[0], r[1], s[1]] for r, s in zip(*heads()[1:], strict=True)], 1),
    "other base of angles": encoded(base=1000),
    "positions from 1": encoded(start=1),
    "positions from 0": ENCODED.replace(shown(a.encodings(3, 4)), shown(a.encodings(3, 4, start=1)))
    + shown(plus(TURN, a.encodings(3, 4))),
    "other index of angles": encoded(index=lambda i, d: i),
    "sine and cosine swapped": encoded(swapped=True),
    "halves and pairs": encoded(halves=True),
    "turned backwards": rotated(a.rotated(times(TURN, 2), sign=-1)),
    "sign of one block": rotated(turned_back(times(TURN, 2), lambda j: j < 2)),
    "angles in degrees": rotated(a.rotated(times(TURN, 2), unit=a.mpmath.pi / 180)),
    "sine added": rotated(turned_back(times(TURN, 2), lambda j: j % 2 == 0)),
    "rounded too early": SCALES
    + "A = softmax(scaled) = "
    + shown(softmax([[real(figures(x, 1)) for x in r] for r in SCALED])),
    "printed transposed": SCALES + f"A = softmax(scaled) = {shown(turned(A))}",
    "rows swapped": GIVEN + f"Q = X W_Q = {shown([Q[1], Q[0], Q[2]])}",
    "columns swapped": GIVEN + f"Q = X W_Q = {shown([r[::-1] for r in Q])}",
    "row in place of another": GIVEN + f"Q = X W_Q = {shown([Q[0], Q[0], Q[2]])}",
    "column in place of another": GIVEN + f"Q = X W_Q = {shown([[r[0], r[0]] for r in Q])}",
    "values of another matrix": SCALES + f"A = softmax(scaled) = {shown(S)}",
    "signs lost": GIVEN + f"Q = X W_Q = {shown(mapped(abs, Q))}",
    "signs turned": GIVEN + f"Q = X W_Q = {shown(times(Q, -1))}",
    "input misprint": "X = [[1, 0], [0, 1], [1, 1]]\nW_V = [[1, 1], [0, 1]]\n"
    "V = X W_V = [[1, 1], [1, 2], [2, 3]]",
    "input entry": GIVEN + f"Q = X W_Q = {shown(product(changed(X, 1, 0, '0.5'), W_Q))}\n"
    f"K = X W_K = {shown(product(changed(X, 1, 0, '0.5'), W_K))}",
    "second not transposed": "Z = [[1.2, 0.7], [0.3, -0.5]]\nG = Z Z^T = "
    + shown(product(SQUARE, SQUARE)),
    "entries exchanged": L + "P = softmax(logits) = " + shown([[P[0][1], P[0][0], P[0][2]], P[1]]),
    "row made to sum to one": "X = [[1, 0], [0, 1], [1, 1]]\nW_Q = [[1, 0], [0, 1]]\n"
    "W_K = [[1, 1], [0, 1]]\nW_V = [[1, 0], [1, 1]]\n"
    "A = [[0.401, 0.198, 0.401], [0.248, 0.248, 0.504], [0.284, 0.140, 0.576]]\n",
    "sign lost": "a = 2 - 3.25 = 1.25",
    "digits swapped": "a = 1.5 * 1.5 = 2.52",
    "digit left out": "a = 3.25 * 1.25 = 4.025",
    "digit doubled": "a = 3.27 * 1.3 = 4.2251",
    "point moved": "a = 3.25 * 1.25 = 40.625",
    "rounded twice": "a = 2.4946 / 1 = 2.50",
    "value of another entry": "a = [1.5*2, 1.25*3] = [3.00, 3.00]",
    "value of another matrix": GIVEN
    + f"K = X W_K = {shown(K)}\nQ = X W_Q = "
    + shown([[Q[0][0], K[0][1]], *Q[1:]]),
    "no rule": GIVEN + "Q = X W_Q = [[7.31, 2.12], [5.56, 9.93], [8.17, 6.64]]",
}


def called(text):
    """The kinds of cause of the wrong numbers of an article."""
    return [c.cause and c.cause[0] for c in verify(text).claims if c.verdict == "wrong"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_cause(kind):
    found = called(CAUSES[kind])
    assert found and set(found) == {kind}


def test_each_cause_has_its_article_and_its_sentence():
    assert set(CAUSES) == set(KINDS) <= set(words("en")["verify"])


def test_what_operations_list_is_run_or_left_out_with_a_reason():
    listed = {
        (kind.__name__, mistake.name)
        for kind in vars(ops).values()
        if isinstance(kind, type) and hasattr(kind, "mistakes")
        for mistake in kind.mistakes
    }
    assert listed == set(CALLED) | set(LEFT_OUT)
    assert set(CALLED.values()) <= set(KINDS)
    assert not set(CALLED) & set(LEFT_OUT)


# --- one root is one finding


def invented(n, seed=5):
    rng = random.Random(seed)
    return [[real(rng.randint(-9999, 9999)) / 1000 for _ in range(n)] for _ in range(n)]


def test_hundreds_of_invented_numbers_are_one_finding():
    queries, keys = ([[x / 10 for x in row[:3]] for row in invented(20, s)] for s in (1, 2))
    text = f"Q = {shown(queries)}\nK = {shown(keys)}\nS = Q K^T = {shown(invented(20), 3)}"
    report = verify(text)
    assert report.counts["wrong"] >= 390
    (finding,) = report.findings()
    assert {c.cause for c in finding.claims} == {("no rule", ())}


def test_an_entry_of_the_inputs_is_one_finding_with_all_that_it_explains():
    report = verify(CAUSES["input entry"])
    (finding,) = report.findings()
    assert {c.quantity for c in finding.claims} == {"Q[2][1]", "Q[2][2]", "K[2][1]", "K[2][2]"}
    assert {c.cause for c in finding.claims} == {("input entry", ("H[2][1]", "0.8", "0.3"))}


def test_a_misprint_is_looked_for_behind_the_exponential_too():
    wrong = softmax(changed(LOGITS, 0, 1, "0.5"))
    report = verify(L + f"P = softmax(logits) = {shown(wrong)}")
    (finding,) = report.findings()
    assert {c.cause for c in finding.claims} == {("input entry", ("logits[1][2]", "0.9", "0.4"))}


def test_a_mistake_made_in_every_head_is_one_finding_with_its_consequences():
    text = ""
    for h in "12":
        q, k = (times(invented(2, int(h) + n), real("0.2")) for n in (0, 7))
        s = product(q, turned(k))
        text += f"Q_{h} = {shown(q)}\nK_{h} = {shown(k)}\nS_{h} = Q_{h} K_{h}^T = {shown(s, 6)}\n"
        text += f"scaled_{h} = S_{h} / sqrt(2) = {shown(times(s, real('0.5')), 6)}\n"
        text += f"A_{h} = softmax(scaled_{h}) = {shown(softmax(times(s, real('0.5'))), 6)}\n"
    (finding,) = verify(text).findings()
    assert {c.cause[0] for c in finding.claims} == {"scaled by the width"}
    assert len(finding.claims) == 8
    assert len(finding.follows) >= 6


# --- what is not blamed


def test_a_rule_that_gives_all_entries_but_one_is_not_blamed():
    printed = changed(times(S, real("0.5")), 0, 0, "0.3")
    assert "scaled by the width" not in called(SCORES + f"scaled = S / sqrt(2) = {shown(printed)}")


def test_one_number_that_differs_is_no_proof_of_a_rule():
    printed = [[*S[0]], *map(list, SCALED[1:])]
    printed[0][1:] = SCALED[0][1:]
    assert "not scaled" not in called(SCORES + f"scaled = S / sqrt(2) = {shown(printed)}")


def test_what_follows_from_a_wrong_number_has_no_cause_of_its_own():
    text = "s = exp(1) = 2.81 and 2.81 + 1 = 3.81"
    (finding,) = verify(text).findings()
    assert "3.81" in [c.printed for c in finding.follows]
    assert not any(c.cause for c in finding.follows)


FORGOTTEN = [
    r"$Q = \begin{bmatrix} 1 & 2 \\ 0 & 1 \end{bmatrix}$, $K = \begin{bmatrix} 2 & 0 \\ 1 & 1"
    r" \end{bmatrix}$, $d_k = 2$, $\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) ="
    r" \begin{bmatrix} 0.269 & 0.731 \\ 0.269 & 0.731 \end{bmatrix}$",
    "S = [[1, 0], [2, 2]]. The scaled scores S/√2 give the weights"
    " A = softmax(S/√2) = [[0.731, 0.269], [0.5, 0.5]].",
]


@pytest.mark.parametrize("text", FORGOTTEN)
def test_a_root_left_out_is_likelier_than_operands_without_decimals(text):
    """softmax(2, 3) = 0.269, 0.731, and √2 ≈ 1."""
    causes = {c.cause[0] for c in verify(text).claims if c.verdict == "wrong"}
    assert causes == {"not scaled"}
