r"""Questions of Moodle that are answered in words: short answers, matching, true or false, essays.

Short answers stand in one cloze question: {1:SHORTANSWER:=n x d_k~=(n, d_k)}; * and \ of an answer
stand behind a backslash.  What can be matched has no mathematics, so letters are in Unicode there.
(Moodle, "Moodle XML format", "Embedded Answers".)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from derive.render.blocks import Inline
from derive.render.quiz import Match, Pick, Question, Quiz, Typed, plain
from derive.render.quiz_html import inline, paragraphs

_SPECIAL = str.maketrans({c: f"\\{c}" for c in '}~#*\\"'})


def typed(_quiz: Quiz, question: Question) -> Iterator[str]:
    """All words and shapes of a sheet in one question."""
    if question.typed:
        blanks = "\n".join(f"<p>{inline(x.asked)} = {_blank(x)}</p>" for x in question.typed)
        yield _question("cloze", question, "words", (), blanks, "<penalty>0</penalty>\n")


def _blank(one: Typed) -> str:
    answers = "~".join(f"={escape(x.translate(_SPECIAL), quote=False)}" for x in one.accepted)
    return f"{{{one.points}:SHORTANSWER:{answers}}}"


def picked(_quiz: Quiz, question: Question) -> Iterator[str]:
    """One of some answers."""
    for one in question.picks:
        if not one.is_truth:
            answers = "".join(
                f'<answer fraction="{100 * (k == one.right)}" format="html">\n'
                f"<text>{escape(inline(option))}</text>\n"
                '<feedback format="html"><text></text></feedback>\n</answer>\n'
                for k, option in enumerate(one.options)
            )
            rest = (
                f"<defaultgrade>{one.points}</defaultgrade>\n<penalty>0</penalty>\n"
                "<single>true</single>\n<shuffleanswers>false</shuffleanswers>\n"
                f"<answernumbering>ABCD</answernumbering>\n{answers}"
            )
            yield _question("multichoice", question, one.name, (one.asked,), "", rest)


def judged(_quiz: Quiz, question: Question) -> Iterator[str]:
    """True or false, of which Moodle has its own words."""
    for one in question.picks:
        if one.is_truth:
            yield _question("truefalse", question, one.name, (one.asked,), "", _verdicts(one))


def _verdicts(one: Pick) -> str:
    answers = "".join(
        f'<answer fraction="{100 * (k == one.right)}" format="moodle_auto_format">\n'
        f'<text>{name}</text>\n<feedback format="html"><text></text></feedback>\n</answer>\n'
        for k, name in enumerate(("true", "false"))
    )
    return f"<defaultgrade>{one.points}</defaultgrade>\n<penalty>1</penalty>\n{answers}"


def matched(_quiz: Quiz, question: Question) -> Iterator[str]:
    """What belongs to what; a target to which nothing belongs is offered as well."""
    for one in question.matches:
        used = {target for _, target in one.pairs}
        others = (k for k in range(len(one.targets)) if k not in used)
        pairs = [*((inline(x), k) for x, k in one.pairs), *(("", k) for k in others)]
        body = "".join(
            f'<subquestion format="html">\n<text>{escape(text)}</text>\n'
            f"<answer><text>{escape(plain(one.targets[k]))}</text></answer>\n</subquestion>\n"
            for text, k in pairs
        )
        rest = (
            f"<defaultgrade>{_worth(one)}</defaultgrade>\n<penalty>0</penalty>\n"
            f"<shuffleanswers>true</shuffleanswers>\n{body}"
        )
        yield _question("matching", question, one.name, (one.asked,), "", rest)


def _worth(one: Match) -> int:
    return one.points * len(one.pairs)


def written(_quiz: Quiz, question: Question) -> Iterator[str]:
    """Words that a person marks, with what that person should know."""
    for one in question.essays:
        rest = (
            f"<defaultgrade>{one.points}</defaultgrade>\n<penalty>0</penalty>\n"
            "<responseformat>editor</responseformat>\n<responserequired>1</responserequired>\n"
            f"<responsefieldlines>{one.lines}</responsefieldlines>\n"
            "<attachments>0</attachments>\n<attachmentsrequired>0</attachmentsrequired>\n"
            f'<graderinfo format="html"><text>{escape(paragraphs(one.notes))}</text></graderinfo>\n'
            '<responsetemplate format="html"><text></text></responsetemplate>\n'
        )
        yield _question("essay", question, one.name, (one.asked,), "", rest)


def _question(
    kind: str, question: Question, name: str, asked: Iterable[Inline], more: str, rest: str
) -> str:
    """One question; `more` is HTML behind the sentences, `rest` what is of its own kind."""
    full = f"{question.id}-{name}"
    said = [f"<p>{inline(question.title)}</p>", paragraphs((*question.said, *asked)), more]
    text = "\n".join(part for part in said if part)
    return (
        f'<question type="{kind}">\n<name><text>{escape(full)}</text></name>\n'
        f'<questiontext format="html"><text>{escape(text)}</text></questiontext>\n'
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        f"<hidden>0</hidden>\n<idnumber>{escape(full)}</idnumber>\n{rest}</question>\n"
    )
