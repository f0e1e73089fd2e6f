"""The verdicts as notes beside the lines: SARIF 2.1.0 for editors, annotations for GitHub.

SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from derive.verify.causes import KINDS
from derive.verify.documents.document import Document
from derive.verify.documents.edits import Edit
from derive.verify.report import Claim, Report, told
from derive.words import words

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {"wrong": "error", "consequence": "warning", "truncated": "note"}
PLAIN = ("wrong", "consequence", "truncated")
"""The rules of what has no cause."""


@dataclass(frozen=True)
class Noted:
    """A report, the path under which its notes go, and the edits that correct its claims."""

    path: str
    report: Report
    fixes: Mapping[int, tuple[Edit, ...]]


def sarif(noted: Sequence[Noted], version: str, *, lang: str = "en", strict: bool = False) -> Any:
    """One run over all articles."""
    found = (c.cause[0] for one in noted for c in one.report.claims if c.cause)
    rules = [_rule(kind, lang) for kind in dict.fromkeys((*PLAIN, *KINDS, *found))]
    places = {rule["id"]: k for k, rule in enumerate(rules)}
    results = [r for one in noted for r in _results(one, places, lang, strict)]
    driver = {
        "name": "derive verify",
        "fullName": f"derive verify {version}",
        "version": version,
        "semanticVersion": version,
        "rules": rules,
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "derive-verify/"},
        "language": lang,
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": _location(one.path)} for one in noted],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def rule_of(kind: str) -> str:
    """The name of a rule: row-made-to-sum-to-one."""
    return kind.replace(" ", "-")


def _rule(kind: str, lang: str) -> dict[str, Any]:
    table = words(lang)["verify"]
    name = kind if kind in PLAIN else "wrong"
    said = table[kind].format(*"…" * 9)
    help_ = words(lang)["mistaken"].get(kind, said)
    title = "".join(map(str.capitalize, kind.split()))
    return {
        "id": rule_of(kind),
        "name": title if " " in kind else f"{title}Number",  # never the id again (SARIF1001)
        "shortDescription": {"text": said},
        "fullDescription": {"text": help_},
        "help": {"text": help_},
        "defaultConfiguration": {"level": LEVELS[name]},
        "properties": {"tags": ["mathematics"], "precision": "very-high"},
    }


def _results(
    noted: Noted, places: Mapping[str, int], lang: str, strict: bool
) -> Iterator[dict[str, Any]]:
    report = noted.report
    kinds = [kind for kind in LEVELS if strict or kind != "truncated"]
    roots = _roots(report)
    seen: Counter[str] = Counter()
    for place, claim in enumerate(report.claims):
        if claim.verdict not in kinds:
            continue
        rule = rule_of(claim.cause[0]) if claim.cause else claim.verdict
        mark = f"{report.document.line(claim.line).strip()} {claim.printed} {claim.quantity}"
        seen[mark] += 1
        made = {
            "ruleId": rule,
            "ruleIndex": places[rule],
            "level": LEVELS[claim.verdict],
            "message": {"text": message(claim, lang)},
            "locations": [_physical(noted.path, claim)],
            "partialFingerprints": {"printedNumber/v1": _digest(f"{mark} {seen[mark]}")},
        }
        root = roots.get(claim.root) if claim.verdict == "consequence" else None
        if root is not None:
            text = words(lang)["verify"]["comes from"].format(root.quantity or root.printed)
            related = {**_physical(noted.path, root), "id": 1, "message": {"text": text}}
            made["relatedLocations"] = [related]
        if edits := noted.fixes.get(place):
            made["fixes"] = [_fix(noted.path, report.document, claim, edits, lang)]
        yield made


def _roots(report: Report) -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for claim in report.claims:
        if claim.verdict == "wrong":
            found.setdefault(claim.quantity or claim.printed, claim)
    return found


def message(claim: Claim, lang: str) -> str:
    """Printed against exact, what it should be, and why it is wrong."""
    table = words(lang)["verify"]
    key = "says entry" if claim.right else "says no more"
    parts = [table[key].format(claim.printed, claim.exact or "?", claim.right)]
    if claim.quantity:
        parts[0] = table["of"].format(claim.quantity, parts[0][:1].lower() + parts[0][1:])
    if claim.cause:
        parts.append(table["because"].format(told(claim.cause, lang)))
    if claim.root:
        parts.append(table["comes from"].format(claim.root))
    return " ".join(parts)


def _physical(path: str, claim: Claim) -> dict[str, Any]:
    end = claim.column + len(claim.printed)
    region = {
        "startLine": claim.line,
        "startColumn": claim.column,
        "endLine": claim.line,
        "endColumn": end,
        "snippet": {"text": claim.printed},
    }
    return {"physicalLocation": {"artifactLocation": _location(path), "region": region}}


def _location(path: str) -> dict[str, str]:
    return {"uri": quote(path, errors="surrogateescape")}


def _fix(
    path: str, document: Document, claim: Claim, edits: Sequence[Edit], lang: str
) -> dict[str, Any]:
    text = words(lang)["verify"]["replace"].format(claim.printed, claim.right)
    change = {
        "artifactLocation": _location(path),
        "replacements": [_replacement(document, edit) for edit in sorted(edits)],
    }
    return {"description": {"text": text}, "artifactChanges": [change]}


def _replacement(document: Document, edit: Edit) -> dict[str, Any]:
    (line, column), (last, end) = document.place(edit.start), document.place(edit.end)
    region = {"startLine": line, "startColumn": column, "endLine": last, "endColumn": end}
    return {"deletedRegion": region, "insertedContent": {"text": edit.text}}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


# GitHub


def github(noted: Sequence[Noted], *, lang: str = "en", strict: bool = False) -> str:
    """A workflow command for each finding, which GitHub shows at its line."""
    lines = [line for one in noted for line in _commands(one, lang, strict)]
    return "".join(line + "\n" for line in lines)


def _commands(noted: Noted, lang: str, strict: bool) -> Iterator[str]:
    table = words(lang)["verify"]
    for finding in noted.report.findings(strict):
        first, more = finding.claims[0], len(finding.claims) - 1
        text = message(first, lang)
        if more:
            text += " " + table["more like it"].format(more)
        if finding.follows:
            text += " " + table["and follow"].format(len(finding.follows))
        title = table["is wrong"].format(first.quantity or first.printed)
        where = {
            "file": noted.path,
            "line": first.line,
            "endLine": first.line,
            "col": first.column,
            "endColumn": first.column + len(first.printed),
            "title": title,
        }
        level = {"wrong": "error", "consequence": "warning"}.get(first.verdict, "notice")
        properties = ",".join(f"{key}={_property(str(x))}" for key, x in where.items())
        yield f"::{level} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
