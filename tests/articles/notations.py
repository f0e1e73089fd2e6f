"""The notations in which an article prints its matrices, names and formulas."""

import json
import re
from dataclasses import dataclass

from articles.languages import COMMAS, LANGUAGES, NATIVE, Language

TEX = {
    "W_Q": "W^Q", "W_K": "W^K", "W_V": "W^V", "scaled": r"\tilde{S}", "masked": "S_{masked}",
    "mean": r"\mu", "var": r"\sigma^2", "LN": r"\hat{x}", "gamma": r"\gamma", "beta": r"\beta",
    "PE": "PE", "X_PE": "X_{PE}", "RQ": "Q'", "RK": "K'", "F": "F", "cooled": "z", "P": "P",
    "rms": r"\text{RMS}", "RMSNorm": r"\text{RMSNorm}(X)", "FFN": r"\text{FFN}(X)",
    "logits": r"\text{logits}", "picked": "p_y", "C": "C", "MHA": r"\text{MultiHead}",
}  # fmt: skip
CODE = {
    "W_Q": "W_q", "W_K": "W_k", "W_V": "W_v", "S": "scores", "A": "weights", "O": "output",
    "LN": "x_hat", "X_PE": "x_pe", "RQ": "q_rot", "RK": "k_rot", "F": "hidden", "R": "relu",
    "cooled": "scaled_logits", "P": "probs", "L": "losses", "RMSNorm": "rms_norm", "FFN": "ffn",
    "C": "concat", "MHA": "out", "picked": "p_y", "M": "memory", "E": "exps", "Z": "total",
}  # fmt: skip

PLAIN = {
    "RQ": "Q_rot",
    "RK": "K_rot",
    "F": "Z",
    "R": "H",
    "X_PE": "X_pos",
    "C": "concat",
    "picked": "p_y",
}


@dataclass(frozen=True)
class Shown:
    """A matrix as it is to be printed: strings, and the formula it is said to come from."""

    name: str
    rows: list
    formula: str = ""
    is_given: bool = False

    def tex_name(self):
        return tex(self.name)

    def code_name(self):
        return code(self.name)

    def tex_formula(self):
        return re.sub(r"<(\w+)>", lambda m: tex(m[1]), self.formula)

    def head(self):
        """A = softmax(S), or A alone."""
        return self.tex_name() + (f" = {self.tex_formula()}" if self.formula else "")

    def plain_head(self):
        found = re.sub(r"<(\w+)>", lambda m: PLAIN.get(m[1], m[1]), self.formula)
        found = re.sub(r"\\frac\{(.*?)\}\{(.*)\}$", r"(\1) / \2", found)
        found = re.sub(r"\\sqrt\{(.*?)\}", r"√(\1)", found).replace(r"\odot", "⊙")
        found = re.sub(r"\\text\{(.*?)\}", r"\1", found).replace("\\", "").replace("^T", "ᵀ")
        return PLAIN.get(self.name, self.name) + (f" = {found}" if found else "")


def _indexed(name, names):
    base = re.fullmatch(r"(W_[QKV]|Q|K|V|S|scaled|A|O)([12])", name)
    return (names.get(base[1], base[1]), base[2]) if base else (names.get(name, name), "")


def tex(name):
    base, head = _indexed(name, TEX)
    if not head:
        return base
    return f"{base}_{head}" if "_" not in base else f"{base}^{{({head})}}"


def code(name):
    base, head = _indexed(name, CODE)
    return base + head


def tex_entry(x):
    return r"-\infty" if x == "-inf" else x


def sign(x):
    return "-∞" if x == "-inf" else x


def listed(rows, inf="-inf", turn=lambda x: x):
    def of(row):
        return "[" + ", ".join(inf if x == "-inf" else turn(x) for x in row) + "]"

    return "[" + ", ".join(map(of, rows)) + "]" if len(rows) > 1 else of(rows[0])


def nested(rows, inf="-inf"):
    return "[" + ", ".join(listed([row], inf) for row in rows) + "]"


def env(rows, kind="bmatrix", end=r" \\ "):
    if len(rows) == len(rows[0]) == 1:
        return tex_entry(rows[0][0])
    body = end.join(" & ".join(map(tex_entry, row)) for row in rows)
    return rf"\begin{{{kind}}} {body} \end{{{kind}}}"


def spaced(rows, open_="[[", between="]\n [", close="]]", align=str.rjust):
    width = max(len(x) for row in rows for x in row)
    return open_ + between.join(" ".join(align(x, width) for x in row) for row in rows) + close


@dataclass(frozen=True)
class Page:
    """What a notation prints: the matrices, the sentences beside them, the language."""

    shown: list
    says: tuple
    words: Language
    label: bool = True

    def lead(self, item):
        return self.words.given if item.is_given else self.words.then

    def around(self, body, apart="\n\n"):
        says = [s if "$" in s else f"${s}$" for s in self.says]
        return apart.join([self.words.start, *says, *body, self.words.end]) + "\n"

    def plainly(self, body, apart="\n\n"):
        says = [s.replace("$", "").replace(r"\epsilon", "ε") for s in self.says]
        return apart.join([self.words.start, *says, *body, self.words.end]) + "\n"


def bmatrices(page):
    body = [f"{page.lead(s)}\n\n$$\n{s.head()} = {env(s.rows)}\n$$" for s in page.shown]
    return page.around(body), "a.md"


def inline(page):
    body = [f"{page.lead(s)} ${s.head()} = {env(s.rows, 'pmatrix')}$." for s in page.shown]
    return page.around(body), "a.md"


def brackets(page):
    body = [f"\\[ {s.head()} = {env(s.rows, 'Bmatrix')} \\]" for s in page.shown]
    return page.around(body), "a.md"


def document(page):
    body = [
        rf"\begin{{align}} {s.head()} &= {env(s.rows, 'pmatrix')} \end{{align}}" for s in page.shown
    ]
    return _tex(page.around(body)), "a.tex"


def _tex(body):
    start = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
    return start + body + "\\end{document}\n"


def arrays(page):
    def of(s):
        body = r" \\ ".join(" & ".join(map(tex_entry, row)) for row in s.rows)
        inner = rf"\begin{{array}}{{{'c' * len(s.rows[0])}}} {body} \end{{array}}"
        return rf"\begin{{equation}} {s.head()} = \left[ {inner} \right] \end{{equation}}"

    return _tex(page.around(map(of, page.shown))), "a.tex"


def macros(page):
    start = "\\newcommand{\\M}[1]{\\begin{bmatrix}#1\\end{bmatrix}}\n"
    body = [
        rf"\[ {s.head()} = \M{{"
        + r" \\ ".join(" & ".join(map(tex_entry, r)) for r in s.rows)
        + r"} \]"
        for s in page.shown
    ]
    text = _tex(page.around(body))
    return text.replace("\\begin{document}", start + "\\begin{document}", 1), "a.tex"


def tabulars(page):
    def of(s):
        body = " \\\\\n".join(
            f"row {i} & " + " & ".join(f"${tex_entry(x)}$" for x in row)
            for i, row in enumerate(s.rows, 1)
        )
        columns = "c" * (len(s.rows[0]) + 1)
        return (
            f"{page.lead(s)} ${s.head()}$:\n\n\\begin{{tabular}}{{{columns}}}\n\\hline\n"
            f"{body} \\\\\n\\hline\n\\end{{tabular}}"
        )

    return _tex(page.around(map(of, page.shown))), "a.tex"


def lists(page):
    body = [f"{s.plain_head()} = {listed(s.rows)}" for s in page.shown]
    return page.plainly(body, "\n"), "a.txt"


def long_lists(page):
    def of(s):
        rows = ",\n".join("  " + listed([row]) for row in s.rows)
        return f"{page.lead(s)}:\n\n{s.plain_head()} =\n[\n{rows}\n]"

    return page.plainly(map(of, page.shown)), "a.txt"


def numpy_source(page):
    body = [
        f"{s.code_name()} = np.array({nested(s.rows, '-np.inf')})"
        + ("" if s.is_given else "  # result")
        for s in page.shown
    ]
    return "import numpy as np\n\n" + page.plainly(["```python", *body, "```"], "\n"), "a.md"


def comments(page):
    lines = ["import numpy as np", *(f"# {s}" for s in page.says)]
    for s in page.shown:
        if s.is_given:
            lines.append(f"{s.code_name()} = np.array({nested(s.rows)})")
        else:
            lines.append(f"# {s.code_name()} = {nested(s.rows, '-inf')}")
    return "\n".join(lines).replace("$", "") + "\n", "a.py"


def torch_source(page):
    given = [f"{s.code_name()} = torch.tensor({nested(s.rows)})" for s in page.shown if s.is_given]
    rest = [
        f"`{s.code_name()}`:\n\n```\ntensor({tensor(s.rows)})\n```"
        for s in page.shown
        if not s.is_given
    ]
    return page.plainly(["```python\n" + "\n".join(given) + "\n```", *rest]), "a.md"


def tensor(rows):
    width = max(len(x) for row in rows for x in row)
    between = ",\n        "
    if len(rows) == len(rows[0]) == 1:
        return rows[0][0]
    made = between.join("[" + ", ".join(x.rjust(width) for x in row) + "]" for row in rows)
    return f"[{made}]"


def notebook(page):
    source = [f"{s.code_name()} = np.array({nested(s.rows)})\n" for s in page.shown if s.is_given]
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [page.words.start, *page.says]},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": source,
            "outputs": [],
        },
    ]
    for s in page.shown:
        if not s.is_given:
            printed = spaced(s.rows) if len(s.rows[0]) > 1 or len(s.rows) > 1 else s.rows[0][0]
            lines = [line + "\n" for line in printed.split("\n")]
            output = {"output_type": "stream", "name": "stdout", "text": lines}
            cells.append(
                {"cell_type": "code", "metadata": {}, "execution_count": 1,
                 "source": [f"print({s.code_name()})"], "outputs": [output]}
            )  # fmt: skip
    made = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, indent=1, ensure_ascii=False), "a.ipynb"


def printouts(page):
    body = [f"{s.code_name()}:\n```\n{spaced(s.rows)}\n```" for s in page.shown]
    return page.plainly(body), "a.md"


def pandas(page):
    def of(s):
        width = max(len(x) for row in s.rows for x in row) + 2
        head = "  " + "".join(str(j).rjust(width) for j in range(len(s.rows[0])))
        body = [f"{i} " + "".join(x.rjust(width) for x in row) for i, row in enumerate(s.rows)]
        return f"{page.lead(s)} {s.code_name()}:\n\n```\n" + "\n".join([head, *body]) + "\n```"

    return page.plainly(map(of, page.shown)), "a.md"


def r_printouts(page):
    def of(s):
        width = max(len(x) for row in s.rows for x in row) + 1
        head = "     " + "".join(f"[,{j}]".rjust(width) for j in range(1, len(s.rows[0]) + 1))
        body = [
            f"[{i},] " + "".join(x.rjust(width) for x in row) for i, row in enumerate(s.rows, 1)
        ]
        return f"`{s.code_name()}`:\n\n```\n" + "\n".join([head, *body]) + "\n```"

    return page.plainly(map(of, page.shown)), "a.md"


def r_source(page):
    lines = [*(f"# {s}" for s in page.says)]
    for s in page.shown:
        flat = ", ".join(x.replace("-inf", "-Inf") for row in s.rows for x in row)
        sign_ = "" if s.is_given else "# "
        lines.append(
            f"{sign_}{s.code_name()} <- matrix(c({flat}), nrow = {len(s.rows)}, byrow = TRUE)"
        )
    return "\n".join(lines).replace("$", "") + "\n", "a.R"


def semicolons(page):
    """Julia and MATLAB."""
    body = [
        f"{s.code_name()} = [" + "; ".join(" ".join(row) for row in s.rows) + "]"
        for s in page.shown
    ]
    return page.plainly(["```julia\n" + "\n".join(body) + "\n```"]), "a.md"


def matlab(page):
    def of(s):
        width = max(len(x) for row in s.rows for x in row) + 4
        body = "\n".join("".join(x.rjust(width) for x in row) for row in s.rows)
        return f"{s.code_name()} =\n\n{body}\n"

    return page.plainly(["```matlab", *map(of, page.shown), "```"], "\n"), "a.md"


def bars(page):
    def of(s):
        width = max(len(x) for row in s.rows for x in row) + 2
        lines = (
            f"t{i} |" + "".join(sign(x).rjust(width) for x in row) + " |"
            for i, row in enumerate(s.rows, 1)
        )
        return f"{s.plain_head()}:\n\n```\n" + "\n".join(lines) + "\n```"

    return page.plainly(map(of, page.shown)), "a.md"


def tall_brackets(page):
    def of(s):
        n = len(s.rows)
        width = max(len(x) for row in s.rows for x in row)
        marks = ["⎡⎤"] + ["⎢⎥"] * (n - 2) + ["⎣⎦"] if n > 1 else ["[]"]
        lines = [
            f"{m[0]} " + "  ".join(sign(x).rjust(width) for x in row) + f" {m[1]}"
            for m, row in zip(marks, s.rows, strict=True)
        ]
        return f"{s.plain_head()} =\n\n" + "\n".join("    " + line for line in lines)

    return page.plainly(map(of, page.shown)), "a.txt"


def boxes(page):
    def of(s):
        width = max(len(x) for row in s.rows for x in row) + 2
        m = len(s.rows[0])

        def rule(a, b, c):
            return a + b.join("─" * width for _ in range(m)) + c

        body = ["│" + "│".join(sign(x).center(width) for x in row) + "│" for row in s.rows]
        inner = f"\n{rule('├', '┼', '┤')}\n".join(body)
        return f"{s.plain_head()}:\n\n{rule('┌', '┬', '┐')}\n{inner}\n{rule('└', '┴', '┘')}"

    return page.plainly(map(of, page.shown)), "a.txt"


def ascii_boxes(page):
    def of(s):
        width = max(len(x) for row in s.rows for x in row) + 2
        rule = "+" + "+".join("-" * width for _ in s.rows[0]) + "+"
        body = ["|" + "|".join(x.center(width) for x in row) + "|" for row in s.rows]
        return f"{s.plain_head()}\n\n" + f"\n{rule}\n".join(["", *body, ""]).strip()

    return page.plainly(map(of, page.shown)), "a.rst"


def tables(page):
    def of(s):
        m = len(s.rows[0])
        rows = [
            "| | " + " | ".join(f"c{j}" for j in range(1, m + 1)) + " |",
            "|---" * (m + 1) + "|",
        ]
        rows += [
            f"| r{i} | " + " | ".join(map(sign, row)) + " |" for i, row in enumerate(s.rows, 1)
        ]
        return f"{page.lead(s)} ${s.head()}$:\n\n" + "\n".join(rows)

    return page.around(map(of, page.shown)), "a.md"


def html(page):
    def row(cells):
        return "<tr>" + "".join(f"<td>{sign(x)}</td>" for x in cells) + "</tr>\n"

    body = "".join(
        f"<h3>{s.plain_head()}</h3>\n<table>{''.join(map(row, s.rows))}</table>\n"
        for s in page.shown
    )
    says = "".join(f"<p>{s.replace('$', '')}</p>" for s in page.says)
    return f"<html><body><p>{page.words.start}</p>{says}{body}</body></html>\n", "a.html"


def mathml(page):
    def cell(x):
        number = x.removeprefix("-")
        inner = "<mo>∞</mo>" if number == "inf" else f"<mn>{number}</mn>"
        return f"<mtd>{'<mo>-</mo>' if x.startswith('-') else ''}{inner}</mtd>"

    def of(s):
        rows = "".join("<mtr>" + "".join(map(cell, row)) + "</mtr>" for row in s.rows)
        plain = PLAIN.get(s.name, s.name)
        name = re.fullmatch(r"([A-Za-z])_(\w+)", plain)
        head = f"<mi>{plain}</mi>"
        if name:
            head = f"<msub><mi>{name[1]}</mi><mi>{name[2]}</mi></msub>"
        return (
            f"<p>{page.lead(s)}</p>\n<math><mrow>{head}<mo>=</mo><mo>[</mo>"
            f"<mtable>{rows}</mtable><mo>]</mo></mrow></math>\n"
        )

    says = "".join(f"<p>{s.replace('$', '')}</p>" for s in page.says)
    body = "".join(map(of, page.shown))
    return f"<html><body>{says}{body}</body></html>\n", "a.html"


def katex(page):
    def of(s):
        source = f"{s.head()} = {env(s.rows)}".replace("&", "&amp;")
        ink = "".join(f"<span>{x}</span>" for row in s.rows for x in row)
        math = "".join(f"<mn>{x}</mn>" for row in s.rows for x in row)
        return (
            '<p><span class="katex"><span class="katex-mathml"><math><semantics>'
            f'<mrow>{math}</mrow><annotation encoding="application/x-tex">{source}</annotation>'
            f'</semantics></math></span><span class="katex-html" aria-hidden="true">{ink}'
            "</span></span></p>\n"
        )

    says = "".join(f"<p>{s.replace('$', '')}</p>" for s in page.says)
    return f"<html><body>{says}{''.join(map(of, page.shown))}</body></html>\n", "a.html"


def mathjax(page):
    says = "".join(f"<p>{s.replace('$', '')}</p>" for s in page.says)
    body = "".join(
        f'<p>{page.lead(s)}</p><script type="math/tex; mode=display">{s.head()} = {env(s.rows)}'
        "</script>\n"
        for s in page.shown
    )
    return f"<html><body>{says}{body}</body></html>\n", "a.html"


def rst(page):
    body = [f".. math::\n\n   {s.head()} = {env(s.rows)}" for s in page.shown]
    return page.plainly(body), "a.rst"


def copied(page):
    def of(s):
        ink = "".join(sign(x) for row in s.rows for x in row)
        plain = re.sub(r"[\\{}_^]|\\text", "", s.tex_name())
        return f"{page.lead(s)}\n\n{plain}=[{ink}]{s.tex_name()} = {env(s.rows)}"

    return page.plainly(map(of, page.shown)), "a.txt"


def degraded(page):
    """Two backslashes that became one."""
    body = [f"$$ {s.head()} = {env(s.rows, end=chr(92) + chr(10))} $$" for s in page.shown]
    return page.around(body), "a.md"


def commas(page):
    def of(s):
        rows = [[x.replace(".", ",") for x in row] for row in s.rows]
        return f"{page.lead(s)}\n\n$$ {s.head()} = {env(rows)} $$"

    return page.around(map(of, page.shown)), "a.md"


def native(page):
    table = str.maketrans("0123456789", page.words.digits)

    def of(s):
        rows = [[x.translate(table) for x in row] for row in s.rows]
        return f"{page.lead(s)} {s.plain_head()} = {listed(rows)}"

    return page.plainly(map(of, page.shown)), "a.md"


def full_width(page):
    def of(s):
        rows = "；".join("［" + "，".join(map(sign, row)) + "］" for row in s.rows)
        return f"{page.lead(s)}：{s.plain_head()} ＝ ［{rows}］。".replace("-", "−")

    return page.plainly(map(of, page.shown)), "a.md"


def minus_signs(page):
    body = [
        f"{page.lead(s)} {s.plain_head()} = " + listed(s.rows, "−∞").replace("-", "−")
        for s in page.shown
    ]
    return page.plainly(body), "a.md"


def bullets(page):
    """A row to a line, named in words."""

    def of(s):
        if len(s.rows) == 1:
            return f"**{s.plain_head()}** = {listed(s.rows)}"
        rows = (f"- {page.words.row.format(i)}: {listed([r])}" for i, r in enumerate(s.rows, 1))
        return f"**{s.plain_head()}**\n\n" + "\n".join(rows)

    return page.plainly(map(of, page.shown)), "a.md"


def csv(page):
    body = [
        f"{s.code_name()}\n```csv\n" + "\n".join(",".join(row) for row in s.rows) + "\n```"
        for s in page.shown
    ]
    return page.plainly(body), "a.md"


def exponents(page):
    """Numbers as 1.234e-01."""

    def turn(x):
        return x if x == "-inf" or "." not in x else _scientific(x)

    body = [
        f"{s.code_name()} = {listed([[turn(x) for x in r] for r in s.rows])}" for s in page.shown
    ]
    return page.plainly(["```", *body, "```"], "\n"), "a.md"


def _scientific(x):
    from decimal import Decimal

    number = Decimal(x)
    return f"{number:e}" if number else x


NOTATIONS = {
    f.__name__: f
    for f in (
        bmatrices, inline, brackets, document, arrays, macros, tabulars, lists, long_lists,
        numpy_source, comments, torch_source, notebook, printouts, pandas, r_printouts, r_source,
        semicolons, matlab, bars, tall_brackets, boxes, ascii_boxes, tables, html, mathml, katex,
        mathjax, rst, copied, degraded, commas, native, full_width, minus_signs, bullets, csv,
        exponents,
    )
}  # fmt: skip
FORMULAS = frozenset(
    "bmatrices inline brackets document arrays macros tabulars tables rst mathjax katex degraded"
    " commas lists long_lists".split()
)
"""Notations that say by a formula how a result is made."""


def languages(notation):
    """The languages in which a notation is used."""
    if notation == "commas":
        return COMMAS
    if notation == "native":
        return NATIVE
    return ["zh", "ja"] if notation == "full_width" else list(LANGUAGES)
