"""Sentences that name what is measured of the list before them: The mean is 4.25."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf, prod

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Component, Function, Leaf
from derive.verify.known.state import State
from derive.verify.numbers.hundreds import is_probable
from derive.verify.speech.roles import COPULAS

SAID = {
    ("mean",): r"mean|average|mittelwert|durchschnitt|moyenne|media|média|gemiddelde|medelvärdet"
    r"|średnia|průměr|среднее|середнє|ortalama|trung bình|rata-rata|keskiarvo|μέση τιμή|औसत|ממוצע"
    r"|میانگین|均值|平均值?|평균",
    ("sum squares",): r"sum of (?:the )?squares|quadratsumme|somme des carrés|kvadratsumman"
    r"|suma de (?:los )?cuadrados|soma dos quadrados|somma dei quadrati|suma kwadratów"
    r"|součet čtverců|сумма квадратов|сума квадратів|kareler toplamı|jumlah kuadrat|neliösumma"
    r"|suma pătratelor|平方和|二乗和|제곱합",
    ("sum",): r"sum|total|summe|somme|suma|soma|somma|som|summan|součet|сумма|сума|toplam|tổng"
    r"|jumlah(?:nya)?|summa|άθροισμα|योग|סכום|مجموع|总和|和|合計|合计|总计|總和|합계?",
    ("var", "sample var"): r"variance|varianz|varian[sz]a|variantie|variansen|wariancja|rozptyl"
    r"|дисперсия|дисперсія|varyans|phương sai|varians|varianssi|διασπορά|प्रसरण|שונות|واریانس"
    r"|方差|分散|분산",
    ("std", "sample std"): r"standard deviation|standardabweichung|écart[- ]type"
    r"|desviación (?:estándar|típica)|desvio[- ]padrão|deviazione standard|standaardafwijking"
    r"|standardavvikelsen|odchylenie standardowe|směrodatná odchylka|стандартное отклонение"
    r"|стандартне відхилення|standart sapma|độ lệch chuẩn|simpangan baku|keskihajonta"
    r"|标准差|標準偏差|표준편차",
    ("norm",): r"(?:euclidean |l2[ -])?norm|euclidean length|länge|范数",
    ("entropy", "entropy bits"): r"(?:shannon )?entropy|entropie|entropía|entropia|entropi"
    r"|энтропия|ентропія|熵|エントロピー|엔트로피",
    ("loss",): r"(?:cross-entropy )?loss",
    ("perplexity",): r"perplexity|perplexität|perplexité|perplejidad|перплексия|困惑度",
    ("max",): r"maximum|máximo|massimo|максимум|最大值?",
}
"""Functions of a list, by the words that mean nothing else."""
SAMPLES = frozenset(("sample var", "sample std"))
PROBABLE = frozenset(("entropy", "loss", "perplexity"))
"""What is measured of probabilities alone."""
NAMED = frozenset(("perplexity", "max"))
"""What may be a bound, or measured by labels, unless the list is named."""
WHOLE = frozenset(("sum", "sum squares", "mean", "var"))
"""What may be printed as a whole number."""
_SENTENCE = r"[^.。!?]*(?:[.!?](?!\s)[^.。!?]*)*$"
_NUMBER = r"[-−]?\d+(?:[.,]\d+)?\s?%?"
_MEASURE = "|".join(SAID.values())
_VERBS = "|".join(sorted(COPULAS | {"was", "of", "beträgt", "bedraagt", "约为"}, key=len)[::-1])


_ARTICLES = (
    r"(?:(?:the|its|their|a|der|die|das|ihre?|seine?|le|la|l['’]|el|il|lo|los|su|o|os|a|sa|son|de"
    r"|het|den|η|το|ה|ال|其|その)\s?)?"
)
_OWN = (
    r"(?:(?:their|ihre?|deren|leur|(?:il|la) loro|sus?|(?:a |o )?(?:sua|seu)|hun|deras|deres"
    r"|niiden|jejich|ich|их|їхн[єя]|onların|của chúng|이들의|그)\s"
    r"|(?:[它他]们|這些數|这些数|これら|それら)?(?:的|の))"
)
"""What refers to the list before: their."""


def _statement(kind: str, number: str, name: str, articles: str = _ARTICLES) -> str:
    """What names a measure, up to its number; the groups begin as given."""
    return (
        r"(?:(?:and|so|thus|hence|then|therefore|but|with|has|it has|und|also)\W{1,2})?"
        rf"{articles}{kind}{_MEASURE})"
        rf"(?: of (?:the )?class {number}\d{{1,2}})| (?:of|von) \$?{name}[^\W\d]\w{{0,9}})\$?)?"
        rf"\s?(?:{_VERBS})?"
        r"(?:\s(?:about|approximately|roughly|rund|etwa))?\s?[:=≈]?\s?\$?"
    )


_BEFORE = (
    rf"(?:{_statement('(?:', '(?:', '(?:')}{_NUMBER}\$?(?:\s(?:bits?|nats?))?[.,;，。]?\s*){{0,6}}"
)
_LAST = _statement("(?P<kind>", "(?P<class>", "(?P<name>")
_BRACKETS = r"\s?(?:\\right|\\end\{\w+\}|[)\]}$|⟩`*])[\s)\]}$`*.,;:，。；]*"
_CERTAIN = re.compile(rf"(?i)(?P<end>{_NUMBER}){_BRACKETS}{_BEFORE}{_LAST}$")
_NAMED = re.compile(rf"(?i)(?:^|[.,;!?，。；]\s*){_LAST}$")
_OWNED = re.compile(
    rf"(?i)(?P<end>{_NUMBER})\$?\s?[.;:,。；：，]\s*{_BEFORE}"
    + _statement("(?P<kind>", "(?P<class>", "(?P<name>", _OWN)
    + "$"
)
"""The same behind a list in running text, which is then referred to."""
_UNIT = re.compile(r"(?i)\d\s*\$?\s?(bit|nat)s?\W*$")
"""The unit behind the number."""


def stated(state: State, cell: Cell) -> Grid | None:
    """The step that a number must be by its sentence; None where that is not certain."""
    sentence = state.words[-120:]
    found = _CERTAIN.search(sentence) or _owned(state, cell, sentence) or _NAMED.search(sentence)
    grid = _measured(state, found) if found is not None else None
    if found is None or grid is None or cell.figure is None:
        return None
    functions = next(f for f, w in SAID.items() if re.fullmatch(w, found["kind"], re.I))
    if functions[0] in PROBABLE and not is_probable(grid):
        return None
    if _is_open(state, cell, grid, functions[0], found):
        return None
    steps = list(_steps(state, grid, functions, found))
    figure = cell.figure

    def far(step: Grid) -> float:
        exact = step.rows[0][0].exact
        if exact is None or not exact.is_finite():
            return inf
        is_meant = figure.is_rounded(exact) or functions[-1] not in SAMPLES
        return float(abs(exact - figure.ball)) if is_meant else 1e9

    return min(steps, key=far, default=None)


_BAR = r"(?:\\\||‖|\|\|?|\\[lr]?[Vv]ert)"
_NORM = re.compile(
    rf"{_BAR}\s?(?:\\(?:vec|mathbf|boldsymbol)\s?\{{?)?([^\W\d]\w{{0,15}})\}}?\s?(?:{_BAR}|\\)"
    r"(?:_\{?2\}?|₂)?\s*$"
)
"""|a| or its like at the end of a text."""


def normed(state: State, cell: Cell) -> Grid | None:
    """The length of a known vector, where |a| stands right before a number; None elsewhere."""
    found = _NORM.search(state.words)
    grid = _row(state, state.pool.named.get(found[1])) if found else None
    step = state.steps.unary("norm", grid, "norm") if grid is not None else None
    if step is None or cell.figure is None or step.shape != (1, 1):
        return None
    exact = step.rows[0][0].exact
    is_right = exact is not None and cell.figure.is_rounded(exact)
    is_other = grid is not None and _is_other_norm(grid, cell)
    return step if is_right or not (cell.figure.is_whole or is_other) else None


def _measured(state: State, found: re.Match[str]) -> Grid | None:
    """The list that is named, or that ends right before the sentence."""
    if found["name"]:
        return _row(state, state.pool.named.get(found["name"]))
    if "end" not in found.re.groupindex or not state.pool.grids:
        return None
    last = state.pool.grids[-1]
    figure = last.rows[-1][-1].figure
    is_last = figure is not None and figure.text.strip() == found["end"].strip()
    return _row(state, last) if is_last else None


def _owned(state: State, cell: Cell, sentence: str) -> re.Match[str] | None:
    """What a sentence says of the list in running text before it: Their mean is 5."""
    found = _OWNED.search(sentence)
    if found is None or not state.pool.grids:
        return None
    start = state.pool.grids[-1].rows[-1][-1].start
    return found if cell.start - start == len(sentence) - found.start("end") else None


def _row(state: State, grid: Grid | None) -> Grid | None:
    """A vector as a row."""
    if grid is None or 1 not in grid.shape or grid.shape == (1, 1):
        return None
    return grid if grid.shape[0] == 1 else state.runs.grid([row[0] for row in grid.rows])


def _is_open(state: State, cell: Cell, grid: Grid, function: str, found: re.Match[str]) -> bool:
    """Whether something else may be meant: a count, what is 1 but for rounding, another list."""
    figure = cell.figure
    if figure is None or (figure.is_whole and function not in WHOLE):
        return True
    if figure.value in (0, 1) and grid.made is None:
        return True
    if function in NAMED and (not found["name"] or _is_of_labels(grid, cell)):
        return True
    if function == "norm" and _is_other_norm(grid, cell):
        return True
    is_last = "end" in found.re.groupindex and not found["name"]
    before = found.string[: found.start("end")] if is_last else ""
    reach = len(found.string) - len(re.sub(_SENTENCE, "", before))
    near = [g for g in state.pool.grids[-4:-1] if before and _start(g) >= cell.start - reach]
    return any(function not in PROBABLE or is_probable(g) for g in near)


def _start(grid: Grid) -> int:
    return max((c.start for c in grid.cells()), default=-1)


def _is_other_norm(grid: Grid, cell: Cell) -> bool:
    """Whether a number is the sum of the sizes of the entries, or the largest of them."""
    sizes = [abs(c.figure.value) for c in grid.cells() if c.figure]
    return cell.figure is not None and cell.figure.value in (sum(sizes), max(sizes, default=0))


def _is_of_labels(grid: Grid, cell: Cell) -> bool:
    """Whether a number is the perplexity of one of the probabilities, or of all as of labels."""
    ps = [float(c.figure.value) for c in grid.cells() if c.figure and c.figure.value > 0]
    means = [*(1 / p for p in ps), prod(ps) ** (-1 / max(1, len(ps)))]
    unit = float(cell.figure.unit) if cell.figure else 0
    return any(abs(float(cell.figure.value) - x) <= unit for x in means if cell.figure)


def _steps(
    state: State, grid: Grid, functions: tuple[str, ...], found: re.Match[str]
) -> Iterator[Grid]:
    """What the words may mean."""
    if functions == ("loss",):
        place = int(found["class"] or -1)
        for at in (place, place - 1):
            made = Function("minus log", (Component(Leaf(grid), at),))
            step = state.steps.step("loss", made, "stated", id(grid), at) if at >= 0 else None
            if step is not None and step.shape == (1, 1):
                yield step
        return
    if functions[0] == "entropy" and (unit := _UNIT.search(state.sentence)):
        functions = functions[1:] if unit[1].lower() == "bit" else functions[:1]
    order = functions[::-1] if state.is_sample and functions[-1] in SAMPLES else functions
    for function in order:
        step = state.steps.unary(function, grid, functions[0])
        if step is not None and step.rows[0][0].exact is not None and step.shape == (1, 1):
            yield step
