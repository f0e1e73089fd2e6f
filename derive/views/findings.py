"""What is wrong in an article, each root with its lines, its proof, its cause and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.exact.trace import Digits
from derive.render.blocks import Chain, Equations, Heading, Inline, Quoted, Table, Text, Worked
from derive.verify.report import Claim, Report
from derive.views.sentences import lettered, sentence
from derive.words import phrase

LONGEST = 160
"""Characters of a quoted line."""
MOST_LINES, MOST_ROWS, MOST_PROOFS, MOST_FOLLOWING = 4, 12, 3, 8
"""So many lines of a finding are quoted, numbers listed, numbers proved, consequences named."""
MORE_DIGITS = 6
"""A proof ends with so many digits more than are printed."""


class Findings:
    """The findings of one report, in a language."""

    def __init__(self, report: Report, lang: str) -> None:
        """Of this report."""
        self.report, self.lang = report, lang
        self.names: dict[str, set[str]] = {}
        for claim in report.claims:
            self.names.setdefault(claim.quantity, set()).add(claim.name)

    def say(self, key: str, *values: Any) -> Inline:
        """A sentence of the table."""
        return sentence("verify", key, self.lang, *map(str, values))

    def plain(self, key: str, *values: Any) -> str:
        """A sentence without mathematics."""
        return str(self.say(key, *values))

    def blocks(self, strict: bool, level: int) -> Iterator[Any]:
        """Each finding under a heading that says what and where it is."""
        for finding in self.report.findings(strict):
            claims, again = _apart(finding.claims)
            first, what = claims[0], self.what(claims)
            place = (first.line, first.column)
            title = self.plain("at line", what, *place) if what else self.plain("place", *place)
            if first.at:
                title = f"{what} · {first.at}" if what else first.at
            yield Heading(title, level)
            yield from self.quoted(claims)
            yield from self.numbers(claims)
            yield from self.proofs(claims)
            yield from self.causes(claims)
            if again:
                yield Text(self.say("again", self.listed(again)))
            if finding.follows:
                yield Text(self.say("follows", self.listed(finding.follows)))

    def what(self, claims: tuple[Claim, ...]) -> str:
        """The quantity, with its row and column in words."""
        first, count = claims[0], len(claims)
        quantity = accented(first.name)
        base, *places = quantity.replace("]", "").split("[")
        if count > 1:
            base = base if len({c.name.partition("[")[0] for c in claims}) == 1 else ""
            return self.plain(*(("several entries", base, count) if base else ("several", count)))
        if len(places) == 2:
            return self.plain("entry at", base, *places)
        return self.plain("entry of row", base, *places) if places else base

    def quoted(self, claims: tuple[Claim, ...]) -> Iterator[Quoted]:
        """The lines, with the numbers marked."""
        lines: dict[int, list[Claim]] = {}
        for claim in claims:
            lines.setdefault(claim.line, []).append(claim)
        for line in list(lines)[:MOST_LINES]:
            if "!" in lines[line][0].at:  # a cell of a spreadsheet
                for claim in lines[line]:
                    yield Quoted(((f"{claim.at}: ", False), (claim.printed, True)))
                continue
            yield Quoted(tuple(_marked(self.report.document.line(line), lines[line])))

    def numbers(self, claims: tuple[Claim, ...]) -> Iterator[Any]:
        """Printed against exact: a sentence for one, a table for more."""
        if len(claims) == 1:
            (claim,) = claims
            key = "says entry" if claim.right else "says no more"
            right = _read(claim.right)
            yield Text(self.say(key, _read(claim.printed), claim.exact or "?", right))
            return
        keys = ("line", "quantity", "printed", "exact", "should be")
        rows = [
            (str(c.line), accented(c.name), _read(c.printed), c.exact or "?", _read(c.right))
            for c in claims[:MOST_ROWS]
        ]
        yield Table(tuple(map(self.say, keys)), tuple(rows), (0,))
        if len(claims) > MOST_ROWS:
            yield Text(self.say("more", len(claims) - MOST_ROWS))

    def proofs(self, claims: tuple[Claim, ...]) -> Iterator[Equations]:
        """The rule, then each number with its numbers put in and its digits."""
        chains, rules = [], set()
        for claim in claims[:MOST_PROOFS]:
            if claim.proof is None or not (chain := _chain(claim)):
                continue
            if claim.proof.rule and claim.proof.rule not in rules:
                rules.add(claim.proof.rule)
                name, made = claim.proof.rule
                chains.append(Chain(name, (("=", made),)))
            chains.append(chain)
        if chains:
            yield Equations(tuple(chains))

    def causes(self, claims: tuple[Claim, ...]) -> Iterator[Text]:
        """Why it is wrong: once where all have one cause, else number by number."""
        every = list(dict.fromkeys(c.cause for c in claims))
        base = claims[0].quantity.partition("[")[0]
        if claims[0].verdict == "consequence":
            yield Text(self.say("comes from", self.own(claims[0].root)))
        if self.report.problem and base in self.report.problem["given"]:
            yield Text(self.say("given otherwise", base))
        for cause in filter(None, every):
            kind, values = cause
            told = self.plain(kind, *map(self.own, values))
            if len(every) == 1:
                yield Text(lettered(self.say("because", told)))
                continue
            about = dict.fromkeys(_read(c.printed) for c in claims if c.cause == cause)
            yield Text(lettered(self.say("because of", self.comma.join(about), told)))

    def own(self, quantity: str) -> str:
        """A quantity by the author's name of it, where there is one."""
        names = self.names.get(quantity, set())
        return accented(next(iter(names)) if len(names) == 1 else quantity)

    @property
    def comma(self) -> str:
        """What stands between things that are listed."""
        return phrase("comma", self.lang)

    def listed(self, claims: tuple[Claim, ...]) -> str:
        """Consequences, those of the same digits together with their lines."""
        lines: dict[str, list[int]] = {}
        for claim in claims:
            lines.setdefault(_read(claim.printed), []).append(claim.line)
        shown = [
            self.plain("in line" if len(set(at)) == 1 else "lines", text, self.lines_of(at))
            for text, at in list(lines.items())[:MOST_FOLLOWING]
        ]
        if len(lines) > MOST_FOLLOWING:
            shown.append(self.plain("more", len(lines) - MOST_FOLLOWING))
        return self.comma.join(shown)

    def lines_of(self, found: list[int]) -> str:
        """The lines, each once."""
        return self.comma.join(map(str, dict.fromkeys(found)))


def _read(printed: str) -> str:
    """A number as a reader sees it: the decimal comma of LaTeX has no brackets."""
    return printed.replace("{,}", ",")


def _apart(claims: tuple[Claim, ...]) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """The numbers where they stand first, and where they are printed again."""
    first: dict[tuple[str, str, str | None], Claim] = {}
    again = []
    for claim in claims:
        if first.setdefault((claim.quantity, claim.printed, claim.exact), claim) is not claim:
            again.append(claim)
    return tuple(first.values()), tuple(again)


def _chain(claim: Claim) -> Chain | None:
    """A_23 = numbers put in = exact = digits."""
    proof = claim.proof
    assert proof is not None
    put_in = None if proof.put_in is None else Worked(proof.put_in, _as_it_stands)
    sides = [x for x in (proof.entry, put_in, proof.exact) if x is not None]
    digits = _digits(claim)
    if digits and not _is_plain(proof.exact):
        sides.append(Digits(digits))
    if len(sides) < 2:
        return None
    return Chain(sides[0], tuple(("=", side) for side in sides[1:]))


def _as_it_stands(_entry: Any) -> None:
    """Numbers are put in already."""


def _is_plain(x: Any) -> bool:
    """Whether an exact value is a whole number, as its digits are."""
    return x is not None and getattr(x, "is_rational", False) and x.fraction[1] == 1


def _digits(claim: Claim) -> str:
    """The digits of the exact value, some more than are printed."""
    exact = claim.exact or ""
    whole, point, decimals = exact.rstrip("…").partition(".")
    places = len(claim.printed.partition(".")[2]) + MORE_DIGITS
    if len(decimals) <= places:
        return exact
    return f"{whole}{point}{decimals[:places]}…"


def _marked(line: str, claims: list[Claim]) -> Iterator[tuple[str, bool]]:
    """The line in parts, the numbers marked; of a long one what is around them."""
    first, last = claims[0].column - 1, claims[-1].column - 1 + len(claims[-1].printed)
    start = max(0, min(first - LONGEST // 4, len(line) - LONGEST))
    end = max(last, start + LONGEST)
    lead = len(line[start:first]) - len(line[start:first].lstrip()) if start < first else 0
    place = start + lead
    if start:
        yield "… ", False
    for claim in claims:
        at = claim.column - 1
        if place < at:
            yield _shown(line[place:at]), False
        yield _shown(line[at : at + len(claim.printed)]), True
        place = at + len(claim.printed)
    rest = line[place:end].rstrip()
    if rest or end < len(line):
        yield _shown(rest) + (" …" if end < len(line) else ""), False


def _shown(text: str) -> str:
    """Without what a terminal would take for more than text."""
    return "".join(c if c.isprintable() else " " for c in text)


ACCENTS = {"~hat": "\u0302", "~tilde": "\u0303", "~bar": "\u0304"}
"""Accents over the letter before, as names hold them."""


def accented(quantity: str) -> str:
    """A quantity with its accents over its letters: x\u0302[1][2]."""
    for name, accent in ACCENTS.items():
        quantity = quantity.replace(name, accent)
    return quantity
