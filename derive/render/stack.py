r"""Matrices in Moodle's STACK: an input of type matrix and a tree of potential responses.

The first node is right where every number lies in its interval; a node for each known mistake
follows, with what is said of it.
(STACK documentation, "STACK question XML", "Potential response trees", "Matrix input".)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from derive.exact.maxima_ink import MAXIMA
from derive.exact.write import Writer
from derive.render.quiz import Question, Quiz, Spot, Whole
from derive.render.quiz_html import inline, math, paragraphs

_WRITER = Writer(MAXIMA)
FITS = (
    "within(y, low, high) := if numberp(y) then is(low <= y and y <= high) else false;\n"
    "fits(x, spots) := block([p, found], found: true, for p in spots do "
    "if not within(float(x[p[1],p[2]]), p[3], p[4]) then found: false, found);"
)
"""Whether numbers of a matrix lie in their intervals."""
NODE = """<node>
<name>{name}</name>
<description></description>
<answertest>AlgEquiv</answertest>
<sans>{test}</sans>
<tans>true</tans>
<testoptions></testoptions>
<quiet>1</quiet>
<truescoremode>=</truescoremode>
<truescore>{score}</truescore>
<truepenalty></truepenalty>
<truenextnode>-1</truenextnode>
<trueanswernote>{note}-T</trueanswernote>
<truefeedback format="html"><text>{said}</text></truefeedback>
<falsescoremode>=</falsescoremode>
<falsescore>0</falsescore>
<falsepenalty></falsepenalty>
<falsenextnode>{next}</falsenextnode>
<falseanswernote>{note}-F</falseanswernote>
<falsefeedback format="html"><text></text></falsefeedback>
</node>
"""
SETTINGS = """<questionsimplify>1</questionsimplify>
<assumepositive>0</assumepositive>
<assumereal>0</assumereal>
<prtcorrect format="html"><text></text></prtcorrect>
<prtpartiallycorrect format="html"><text></text></prtpartiallycorrect>
<prtincorrect format="html"><text></text></prtincorrect>
<multiplicationsign>dot</multiplicationsign>
<sqrtsign>1</sqrtsign>
<complexno>i</complexno>
<inversetrig>cos-1</inversetrig>
<logicsymbol>lang</logicsymbol>
<matrixparens>[</matrixparens>
<variantsselectionseed></variantsselectionseed>
"""
INPUT = """<input>
<name>{name}</name>
<type>matrix</type>
<tans>{right}</tans>
<boxsize>8</boxsize>
<strictsyntax>1</strictsyntax>
<insertstars>0</insertstars>
<syntaxhint>{hint}</syntaxhint>
<syntaxattribute>{attribute}</syntaxattribute>
<forbidwords></forbidwords>
<allowwords></allowwords>
<forbidfloat>0</forbidfloat>
<requirelowestterms>0</requirelowestterms>
<checkanswertype>0</checkanswertype>
<mustverify>1</mustverify>
<showvalidation>1</showvalidation>
<options></options>
</input>
"""


def stack(_quiz: Quiz, question: Question) -> Iterator[str]:
    """The question, one input and one tree for each of its matrices."""
    if not question.wholes:
        return
    parts = [_Part(k, whole, question.partial) for k, whole in enumerate(question.wholes, 1)]
    name = f"{question.id}-matrix"
    boxes = (f"<p>{math(p.whole.first)} = [[input:{p.answer}]] "
             f"[[validation:{p.answer}]]</p>" for p in parts)  # fmt: skip
    text = "\n".join([f"<p>{inline(question.title)}</p>", paragraphs(question.said), *boxes])
    feedback = "".join(f"<p>[[feedback:{p.tree}]]</p>" for p in parts)
    variables = "\n".join([*(f"{p.right}: {maxima(p.whole.rows)};" for p in parts), FITS])
    yield (
        '<question type="stack">\n'
        f"<name><text>{escape(name)}</text></name>\n"
        f'<questiontext format="html"><text>{escape(text)}</text></questiontext>\n'
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        f"<defaultgrade>{sum(p.whole.points for p in parts)}</defaultgrade>\n"
        f"<penalty>0</penalty>\n<hidden>0</hidden>\n<idnumber>{escape(name)}</idnumber>\n"
        "<stackversion><text></text></stackversion>\n"
        f"<questionvariables><text>{escape(variables, quote=False)}</text></questionvariables>\n"
        f'<specificfeedback format="html"><text>{escape(feedback)}</text></specificfeedback>\n'
        f"<questionnote><text>{escape(question.id)}</text></questionnote>\n{SETTINGS}"
        + "".join(p.input() for p in parts)
        + "".join(p.responses() for p in parts)
        + "</question>\n"
    )


class _Part:
    """A matrix of a question: its input and its tree, by number."""

    def __init__(self, number: int, whole: Whole, partial: int) -> None:
        self.answer, self.tree, self.right = f"ans{number}", f"prt{number}", f"ta{number}"
        self.whole, self.partial = whole, partial

    def input(self) -> str:
        asked = {x is None for row in self.whole.hint for x in row}
        hint = maxima(self.whole.hint) if asked == {True, False} else ""
        attribute = int(bool(hint))
        return INPUT.format(name=self.answer, right=self.right, hint=hint, attribute=attribute)

    def responses(self) -> str:
        nodes = [(self.whole.right, 100, ""), *self.mistakes()]
        variables = [f"right: {spots(self.whole.right)};"]
        variables += [f"wrong{k}: {spots(w)};" for k, (w, _) in enumerate(self.whole.wrong, 1)]
        body = "".join(self.node(k, len(nodes), *node) for k, node in enumerate(nodes))
        return (
            f"<prt>\n<name>{self.tree}</name>\n<value>{self.whole.points}</value>\n"
            "<autosimplify>1</autosimplify>\n<feedbackstyle>1</feedbackstyle>\n"
            f"<feedbackvariables><text>{escape(chr(10).join(variables))}</text>"
            f"</feedbackvariables>\n{body}</prt>\n"
        )

    def mistakes(self) -> Iterator[tuple[Sequence[Spot], int, str]]:
        for found, said in self.whole.wrong:
            yield found, self.partial, f"<p>{inline(said)}</p>"

    def node(self, k: int, count: int, _spots: Any, share: int, said: str) -> str:
        test = f"fits({self.answer}, {f'wrong{k}' if k else 'right'})"
        following = k + 1 if k + 1 < count else -1
        note = f"{self.tree}-{k + 1}"
        score = f"{share / 100:g}"
        return NODE.format(
            name=k, test=test, score=score, note=note, next=following, said=escape(said)
        )


def maxima(rows: Sequence[Sequence[Any]]) -> str:
    """A matrix in Maxima's input; what is to be filled in is a question mark."""
    return f"matrix({','.join('[' + ','.join(map(_entry, row)) + ']' for row in rows)})"


def _entry(x: Any) -> str:
    return "?" if x is None else _WRITER.text(x)


def spots(found: Sequence[Spot]) -> str:
    """[row, column, low, high] of each."""
    every = (f"[{s.row},{s.column},{s.span.low},{s.span.high}]" for s in found)
    return f"[{','.join(every)}]"
