"""reStructuredText: its directives and roles as prose, code and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.verify.documents.document import Segment
from derive.verify.documents.draft import Draft
from derive.verify.documents.macros import expanded

_DIRECTIVE = re.compile(r"( {0,80})\.\. ([\w:-]{1,40})::[ \t]*(.*)")
_COMMENT = re.compile(r"( {0,80})\.\.(?: (?!_|\[|\|).*)?")
_OPTION = re.compile(r"\s*:[\w-]{1,40}:(?: .*)?")
_CODE = frozenset(
    "code code-block sourcecode parsed-literal doctest testcode testoutput ipython".split()
)
_ROLE = re.compile(r":math:`([^`]*)`")
_CELL = re.compile(r"\s*(?:\"(?P<inside>[^\"]*)\"|(?P<bare>[^,\"\s][^,]*|(?=,|$)))\s*(?:,|$)")
_ITEM = re.compile(r"(\s*)(\*\s+-|\s\s*-)\s?")


def structured(whole: Segment) -> list[Segment]:
    """The parts of a document, by its indentation."""
    return [p for p in _Structured(whole).parts() if p.text.strip()]


class _Structured:
    """One pass over the lines."""

    def __init__(self, whole: Segment) -> None:
        self.whole = whole
        self.lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]*\n|[^\n]+\Z", whole.text)]
        self.place = 0

    def line(self, place: int) -> str:
        start, end = self.lines[place]
        return self.whole.text[start:end].rstrip("\r\n")

    def parts(self) -> Iterator[Segment]:
        draft = Draft()
        while self.place < len(self.lines):
            begun, block = self.lines[self.place], self.block()
            if block is None:
                self.prose(draft, *self.lines[self.place])
                self.place += 1
                continue
            kind, start, end = block
            if kind == "literal":
                self.prose(draft, *begun)
            if kind in ("code", "literal"):
                yield expanded(draft.segment())
                yield self.whole.cut(start, end, "code")
            elif kind == "math":
                draft.put("$$", self.whole.offsets[start - 1])
                draft.part(self.whole, start, end)
                draft.put("$$\n", self.whole.offsets[end - 1])
            elif kind == "list-table":
                self.listed(draft, start, end)
            elif kind == "csv-table":
                self.parted(draft, start, end)
        yield expanded(draft.segment())

    def prose(self, draft: Draft, start: int, end: int) -> None:
        """A line with its formulas between dollars."""
        last = start
        for role in _ROLE.finditer(self.whole.text, start, end):
            draft.part(self.whole, last, role.start())
            draft.put("$", self.whole.offsets[role.start()])
            draft.part(self.whole, *role.span(1))
            draft.put("$", self.whole.offsets[role.end() - 1])
            last = role.end()
        draft.part(self.whole, last, end)

    def block(self) -> tuple[str, int, int] | None:
        """The block that begins on this line, with its kind; the place is then behind it."""
        line = self.line(self.place)
        found = _DIRECTIVE.fullmatch(line)
        if found:
            return self.directive(found)
        if line.rstrip().endswith("::") and not line.lstrip().startswith(".."):
            return self.indented("literal", len(line) - len(line.lstrip()))
        comment = _COMMENT.fullmatch(line)
        return self.indented("comment", len(comment[1])) if comment else None

    def directive(self, found: re.Match[str]) -> tuple[str, int, int] | None:
        name = found[2].rpartition(":")[2]
        kind = "code" if name in _CODE else name
        if kind not in ("code", "math", "list-table", "csv-table"):
            return None
        first = self.lines[self.place][0] + found.start(3)
        made = self.indented(kind, len(found[1]))
        if kind != "math" or made is None:
            return made or ("comment", first, first)
        return kind, first, made[2]

    def indented(self, kind: str, indent: int) -> tuple[str, int, int] | None:
        """The lines below that are indented more than this."""
        first = self.place + 1
        while first < len(self.lines) and _OPTION.fullmatch(self.line(first)):
            first += 1
        last = first
        for place in range(first, len(self.lines)):
            line = self.line(place)
            if line.strip():
                if len(line) - len(line.lstrip()) <= indent:
                    break
                last = place + 1
        if last == first and kind in ("code", "literal"):
            return None
        start = self.lines[self.place][1]
        self.place = last
        end = self.lines[last - 1][1]
        return kind, min(max(start, self.lines[first - 1][1]), end), end

    def parted(self, draft: Draft, start: int, end: int) -> None:
        """A csv-table as rows between bars."""
        for found in re.finditer(r"[^\n]+", self.whole.text[:end][start:]):
            if not found[0].strip():
                continue
            draft.put("\n| ", self.whole.offsets[start + found.start()])
            for cell in _CELL.finditer(found[0]):
                at = start + found.start() + cell.start("inside" if cell["inside"] else "bare")
                draft.part(self.whole, at, at + len(cell["inside"] or cell["bare"] or ""))
                draft.put(" | ", self.whole.offsets[min(at, end - 1)])
        draft.put("\n\n", self.whole.offsets[end - 1])

    def listed(self, draft: Draft, start: int, end: int) -> None:
        """A list-table as rows between bars."""
        for found in re.finditer(r"[^\n]*\n|[^\n]+\Z", self.whole.text[:end][start:]):
            at, last = start + found.start(), start + found.end()
            item = _ITEM.match(self.whole.text, at, last)
            if item is None:
                continue
            mark = " |\n| " if "*" in item[2] else " | "
            draft.put(mark, self.whole.offsets[at])
            self.prose(draft, item.end(), at + len(found[0].rstrip()))
        draft.put(" |\n\n", self.whole.offsets[end - 1])
