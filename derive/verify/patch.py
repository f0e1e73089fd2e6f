"""An article with its wrong numbers corrected, and the chains that no longer add up.

Only digits that are wrong are changed, and the signs of chains whose printed terms added up before
and no longer do.  The corrected text is verified again, until nothing more is to correct.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape

from derive.exact.ball import precision
from derive.verify.documents.document import Document, document
from derive.verify.documents.duplicates import PAGES, Copies
from derive.verify.documents.edits import Edit, corrections, edited, is_json, spans
from derive.verify.grammar.nodes import Chain, Node
from derive.verify.reading import BITS, chains
from derive.verify.report import Claim, Report
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

ROUNDS = 6
"""So often is an article corrected and verified again."""
WRONG = ("wrong", "consequence")


@dataclass(frozen=True)
class Patch:
    """What an article becomes.

    loosened: (line, text) of each chain in which = became ≈; open: (line, text) of each that no
    longer adds up and where = is left, because it stands in a program; left: what is still wrong.
    """

    document: Document
    text: str
    corrected: int
    loosened: tuple[tuple[int, str], ...]
    open: tuple[tuple[int, str], ...]
    left: tuple[Claim, ...]


def patched(report: Report, again: Callable[[Document], Report], strict: bool = False) -> Patch:
    """The article of a report corrected; `again` verifies what it has become."""
    first = report.document
    loosened: list[tuple[int, str]] = []
    kept: list[tuple[int, str]] = []
    corrected = 0
    for _ in range(ROUNDS):
        edits = repairs(report, strict)
        if not edits:
            break
        corrected += len(edits)
        old = report.document
        text = edited(old.text, (edit for group in edits.values() for edit in group))
        new = document(text, old.name)
        signs = list(loosening(old, new))
        loosened += [_told(new, chain) for chain, _, found in signs if found]
        kept += [_told(new, chain) for chain, _, found in signs if not found]
        text = edited(new.text, (edit for _, _, found in signs for edit in found))
        report = again(document(text, old.name))
    left = tuple(c for c in report.claims if c.verdict in faults(strict))
    return Patch(first, report.document.text, corrected, _once(loosened), _once(kept), left)


def faults(strict: bool) -> tuple[str, ...]:
    """The verdicts that are corrected."""
    return (*WRONG, "truncated") if strict else WRONG


def repairs(report: Report, strict: bool = False) -> dict[Claim, list[Edit]]:
    """The edits that correct each wrong number of a report, where there are any."""
    copies, made = Copies(report.document), {}
    for claim in report.claims:
        if claim.verdict in faults(strict) and claim.right:
            start = report.document.offset(claim.line, claim.column)
            found = corrections(report.document, copies, start, claim.printed, claim.right)
            if found:
                made[claim] = found
    return made


# Chains

Loose = tuple[Chain, int, list[Edit]]


def loosening(old: Document, new: Document) -> Iterator[Loose]:
    """Chains that held exactly as printed and no longer do, the place of =, and what it becomes.

    No edit where the sign is one of a program.
    """
    before, after = list(chains(old)), list(chains(new))
    if [len(c.sides) for c in before] != [len(c.sides) for c in after]:
        return
    copies = Copies(new)
    with precision(BITS):
        for a, b in zip(before, after, strict=True):
            for place, relation in enumerate(b.relations[: len(b.ties)]):
                pair = slice(place, place + 2)
                if relation == "=" and _holds(*a.sides[pair]) and _fails(*b.sides[pair]):
                    yield b, b.ties[place], list(_about(new, copies, b, b.ties[place]))


def _holds(left: Node, right: Node) -> bool:
    """Whether two sides are equal as they are printed."""
    return _gap(left, right) == 0


def _fails(left: Node, right: Node) -> bool:
    return _gap(left, right) == 1


def _gap(left: Node, right: Node) -> int:
    """0 where two sides are equal as they are printed, 1 where they are not, else -1."""
    try:
        a, b = value(left, "printed").rows, value(right, "printed").rows
    except (Unknown, ValueError):
        return -1
    if (len(a), len(a[0])) != (len(b), len(b[0])):
        return -1
    pairs = [(x, y) for r, s in zip(a, b, strict=True) for x, y in zip(r, s, strict=True)]
    if any(not (x - y).is_finite() for x, y in pairs):
        return -1
    return int(any(not (x - y).contains(0) for x, y in pairs))


def _about(new: Document, copies: Copies, chain: Chain, tie: int) -> Iterator[Edit]:
    """= as ≈, in the copy of the formula too; nothing in a program."""
    own = spans(new, tie, "=")
    if own is None or _is_program(new, tie):
        return
    (start, end) = own[0]
    yield Edit(start, end, _sign(new, chain, tie, end))
    for other in copies.of(tie, "=", own):
        yield from (Edit(a, b, "≈") for a, b in other)


def _sign(new: Document, chain: Chain, tie: int, end: int) -> str:
    """The sign as the formula is written: LaTeX has a command."""
    if not _is_latex(new, chain, tie):
        return "≈"
    gap = " " if new.text[end : end + 1].isalpha() else ""
    return ("\\\\approx" if is_json(new) else "\\approx") + gap


def _is_program(new: Document, tie: int) -> bool:
    """Whether a sign stands in code, and not in a comment of it."""
    segment = next((s for s in new.segments if _has(s.offsets, tie)), None)
    if segment is None or segment.kind != "code":
        return False
    line = new.text[new.text.rfind("\n", 0, tie) + 1 : tie]
    return "#" not in line


def _has(offsets: object, place: int) -> bool:
    return len(offsets) > 0 and offsets[0] <= place <= offsets[-1]  # type: ignore[arg-type,index]


def _is_latex(new: Document, chain: Chain, tie: int) -> bool:
    """Whether a formula is LaTeX: the file is, it has commands, or stands between dollars."""
    if new.name.lower().endswith(".tex"):
        return True
    line = new.line(new.place(tie)[0])
    column = new.place(tie)[1] - 1
    dollars = len(re.findall(r"(?<!\\)\$", line[:column]))
    if dollars % 2:
        return True
    block = new.text[max(0, tie - 2000) : tie]
    if block.count("$$") % 2 or block.count("\\[") > block.count("\\]"):
        return True
    last = max((c.start for side in chain.sides for c in side.cells()), default=tie)
    return "\\" in new.text[chain.start : max(tie, last)].replace("\\n", "")


def _told(new: Document, chain: Chain) -> tuple[int, str]:
    cells = [c for side in chain.sides for c in side.cells() if c.start >= 0 and c.figure]
    last = max((c.start + len(c.figure.text) for c in cells if c.figure), default=chain.start)
    text = new.text[chain.start : last]
    if new.name.rpartition(".")[2].lower() in PAGES:
        text = unescape(re.sub(r"<[^<>]*>", "", text))
    return new.place(chain.start)[0], " ".join(text.split())[:160]


def _once(found: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    return tuple(dict.fromkeys(found))
