"""The articles of `printed_articles`, printed as other kinds of documents and by other programs."""

import html
import io
import random

from printed_articles import NAMES, STEPS, head, latex, mutated, printed

GRAVE = "`" * 3


def tex_macros(texts, names):
    head = (
        "\\documentclass{article}\n\\newcommand{\\mat}[1]{\\begin{bmatrix} #1 \\end{bmatrix}}\n"
        "\\def\\eq#1#2{#1 = #2}\n\\begin{document}\n"
    )
    body = []
    for k in STEPS:
        inside = r" \\ ".join(" & ".join(row) for row in texts[k])
        body.append(
            f"\\[ \\eq{{{names[k]}}}{{\\mat{{{inside}}}}} \\]\n% {names[k]} = [[1, 2], [3, 4]]"
        )
    return head + "\n".join(body) + "\n\\end{document}\n", "a.tex"


def tabular(texts, names):
    parts = []
    for k in STEPS:
        columns = len(texts[k][0])
        heads = " & ".join(f"$c_{j}$" for j in range(columns))
        rows = [f"row {i} & " + " & ".join(f"${x}$" for x in r) for i, r in enumerate(texts[k])]
        table = " \\\\\n".join((f"\\toprule\n & {heads}", "\\midrule\n" + rows[0], *rows[1:]))
        parts.append(
            f"The matrix ${names[k]}$:\n\n\\begin{{tabular}}{{l{'r' * columns}}}\n{table} \\\\\n"
            "\\bottomrule\n\\end{tabular}"
        )
    return "\n\n".join(parts), "a.tex"


def mathml(texts, names):
    def rows(k):
        return "".join(
            "<mtr>" + "".join(f"<mtd><mn>{x}</mn></mtd>" for x in row) + "</mtr>"
            for row in texts[k]
        )

    def name(k):
        base, _, below = names[k].partition("_")
        base = f"<mi>{html.escape(base)}</mi>"
        return f"<msub>{base}<mi>{below}</mi></msub>" if below else base

    parts = [
        f"<p><math>{name(k)}<mo>=</mo><mrow><mo>[</mo><mtable>{rows(k)}</mtable><mo>]</mo></mrow>"
        "</math></p>"
        for k in STEPS
    ]
    return "<html><body>" + "\n".join(parts) + "</body></html>", "a.html"


def mathjax(texts, names):
    parts = []
    for k in STEPS:
        shown = "".join(f"<span>{x}</span>" for row in texts[k] for x in row)
        source = html.escape(f"{names[k]} = {latex(texts[k])}", quote=False)
        parts.append(
            f'<p><span class="MathJax" id="M"><nobr>{shown}</nobr></span>'
            f'<script type="math/tex; mode=display">{html.unescape(source)}</script></p>'
        )
    return "<html><body>" + "\n".join(parts) + "</body></html>", "a.html"


def katex(texts, names):
    parts = []
    for k in STEPS:
        shown = "".join(f"<span>{x}</span>" for row in texts[k] for x in row)
        inner = "".join(f"<mn>{x}</mn>" for row in texts[k] for x in row)
        source = html.escape(f"{names[k]} = {latex(texts[k])}", quote=False)
        parts.append(
            '<p><span class="katex"><span class="katex-mathml"><math><semantics>'
            f'<mrow>{inner}</mrow><annotation encoding="application/x-tex">{source}</annotation>'
            "</semantics></math></span>"
            f'<span class="katex-html" aria-hidden="true"><span class="base">{shown}</span></span>'
            "</span></p>"
        )
    return "<html><body>" + "\n".join(parts) + "</body></html>", "a.html"


def structured(texts, names):
    parts = []
    for k in STEPS:
        body = "\n".join("   " + line for line in latex(texts[k]).split("\n"))
        parts.append(f"{names[k]} is\n\n.. math::\n\n   {names[k]} = {body.strip()}\n")
    return "\n".join(parts), "a.rst"


def list_tables(texts, names):
    parts = []
    for k in STEPS:
        rows = "".join(
            f"   * - t{i}\n" + "".join(f"     - {x}\n" for x in row)
            for i, row in enumerate(texts[k])
        )
        head = "   * -\n" + "".join(f"     - c{j}\n" for j in range(len(texts[k][0])))
        parts.append(f"The matrix `{names[k]}`:\n\n.. list-table::\n\n{head}{rows}\n")
    return "\n".join(parts), "a.rst"


def knitted(texts, names):
    """R Markdown with what R prints."""
    parts = []
    for k in STEPS:
        heads = " ".join(f"[,{j + 1}]".rjust(8) for j in range(len(texts[k][0])))
        rows = [f"[{i + 1},] " + " ".join(x.rjust(8) for x in r) for i, r in enumerate(texts[k])]
        printed = "\n".join(f"## {line}" for line in ("     " + heads, *rows))
        parts.append(f"The matrix `{names[k]}`:\n\n{GRAVE}\n{printed}\n{GRAVE}")
    return "\n\n".join(parts), "a.Rmd"


def frames(texts, names):
    """What pandas prints."""
    parts = []
    for k in STEPS:
        heads = "   " + "".join(f"c{j}".rjust(9) for j in range(len(texts[k][0])))
        rows = [f"{i}  " + "".join(x.rjust(9) for x in row) for i, row in enumerate(texts[k])]
        parts.append(f"`{names[k]}`:\n\n{GRAVE}\n" + "\n".join((heads, *rows)) + f"\n{GRAVE}")
    return "\n\n".join(parts), "a.md"


def matlab(texts, names):
    parts = []
    for k in STEPS:
        rows = "\n".join("".join(x.rjust(10) for x in row) for row in texts[k])
        parts.append(f"{names[k]} =\n\n{rows}\n")
    return f"{GRAVE}matlab\n" + "\n".join(parts) + f"\n{GRAVE}\n", "a.md"


def julia(texts, names):
    parts = []
    for k in STEPS:
        size = f"{len(texts[k])}×{len(texts[k][0])} Matrix{{Float64}}:"
        rows = "\n".join(" " + "".join(x.ljust(9) for x in row).rstrip() for row in texts[k])
        parts.append(f"`{names[k]}`\n\n{GRAVE}\n{size}\n{rows}\n{GRAVE}")
    return "\n\n".join(parts), "a.md"


def braces(texts, names):
    rows = {k: ", ".join("{" + ", ".join(r) + "}" for r in texts[k]) for k in STEPS}
    return "\n".join(f"{names[k].replace('_', '')} = {{{rows[k]}}}" for k in STEPS), "a.wl"


def semicolons(texts, names):
    rows = {k: "; ".join(" ".join(r) for r in texts[k]) for k in STEPS}
    return "\n".join(f"{names[k]} = [{rows[k]}]" for k in STEPS), "a.m"


def digits(zero):
    """Lists in the digits that begin at `zero`."""
    table = str.maketrans("0123456789", "".join(chr(ord(zero) + i) for i in range(10)))

    def written(texts, names):
        rows = {k: ", ".join("[" + ", ".join(r) + "]" for r in texts[k]) for k in STEPS}
        return "\n".join(f"{names[k]} = [{rows[k].translate(table)}]" for k in STEPS), "a.txt"

    return written


def minus(texts, names):
    rows = {k: r" \\ ".join(" & ".join(r) for r in texts[k]).replace("-", "−") for k in STEPS}
    made = (f"{names[k]} = \\begin{{pmatrix*}}[r] {rows[k]} \\end{{pmatrix*}}" for k in STEPS)
    return "\n\n".join(f"\\[ {x} \\]" for x in made), "a.md"


def word(texts, names):
    import docx
    from docx.oxml import parse_xml

    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    document = docx.Document()
    for k in STEPS:
        rows = "".join(
            "<m:mr>" + "".join(f"<m:e><m:r><m:t>{x}</m:t></m:r></m:e>" for x in row) + "</m:mr>"
            for row in texts[k]
        )
        base, _, below = names[k].partition("_")
        name = f"<m:r><m:t>{base}</m:t></m:r>"
        if below:
            sub = f"<m:sub><m:r><m:t>{below}</m:t></m:r></m:sub>"
            name = f"<m:sSub><m:e>{name}</m:e>{sub}</m:sSub>"
        fence = "<m:dPr><m:begChr m:val='['/><m:endChr m:val=']'/></m:dPr>"
        document.add_paragraph("The next matrix is")
        document.add_paragraph()._p.append(parse_xml(
            f"<m:oMath {space}>{name}<m:r><m:t>=</m:t></m:r><m:d>{fence}"
            f"<m:e><m:m>{rows}</m:m></m:e></m:d></m:oMath>"
        ))  # fmt: skip
    out = io.BytesIO()
    document.save(out)
    return out.getvalue(), "a.docx"


def word_tables(texts, names):
    import docx

    document = docx.Document()
    for k in STEPS:
        document.add_paragraph(f"The matrix {names[k]}:")
        table = document.add_table(len(texts[k]), len(texts[k][0]) + 1)
        for i, row in enumerate(texts[k]):
            table.cell(i, 0).text = f"row {i + 1}"
            for j, x in enumerate(row):
                table.cell(i, j + 1).text = x
    out = io.BytesIO()
    document.save(out)
    return out.getvalue(), "a.docx"


def sheet(texts, names):
    import openpyxl

    book = openpyxl.Workbook()
    row = 1
    for k in STEPS:
        book.active.cell(row, 1, names[k])
        for line in texts[k]:
            row += 1
            for j, x in enumerate(line):
                book.active.cell(row, j + 2, float(x))
        row += 2
    out = io.BytesIO()
    book.save(out)
    return out.getvalue(), "a.xlsx"


def paper(texts, names):
    from reportlab.pdfgen import canvas

    out = io.BytesIO()
    page = canvas.Canvas(out)
    for k in STEPS:
        lines = page.beginText(60, 780)
        lines.textLine(f"{names[k]} =")
        for row in texts[k]:
            lines.textLine(" ".join(row))
        page.drawText(lines)
        page.showPage()
    page.save()
    return out.getvalue(), "a.pdf"


DOCUMENTS = {
    "macros": tex_macros, "tabular": tabular, "mathml": mathml, "mathjax": mathjax, "katex": katex,
    "rst": structured, "list-tables": list_tables, "R": knitted, "pandas": frames,
    "MATLAB": matlab, "Julia": julia, "braces": braces, "semicolons": semicolons, "minus": minus,
    "Arabic": digits("٠"), "Persian": digits("۰"), "Devanagari": digits("०"),
    "Bengali": digits("০"), "Thai": digits("๐"), "full width": digits("０"),
    "word": word, "word tables": word_tables, "sheet": sheet, "pdf": paper,
}  # fmt: skip


def written(seed, kind, is_wrong=False):
    """(what is stored, file name, the wrong number or ""), the same for the same seed."""
    rng = random.Random(f"{seed} {kind}")
    texts = printed(head(rng, causal=False), places=rng.choice((3, 4)))
    new = ""
    if is_wrong:
        texts, new = mutated(rng, texts)
    stored, name = DOCUMENTS[kind](texts, rng.choice(NAMES))
    return stored if isinstance(stored, bytes) else stored.encode(), name, new
