"""Notes beside the lines: SARIF by somebody else's classes of the standard, GitHub's commands."""

import json
import os
import shutil
import subprocess

import attr
import pytest
import sarif_om

from derive.cli.main import run
from derive.verify.causes import KINDS
from derive.views.verdict_notes import rule_of
from derive.words import LANGUAGES, words

TEXT = "😀 one, exp(1) = 2.81, and 2.81 + 1 = 3.81.\n\na = 2 - 3.25 = 1.25\n"
CLASSES = {
    "": "SarifLog", "runs": "Run", "tool": "Tool", "driver": "ToolComponent",
    "rules": "ReportingDescriptor", "defaultConfiguration": "ReportingConfiguration",
    "automationDetails": "RunAutomationDetails", "help": "MultiformatMessageString",
    "shortDescription": "MultiformatMessageString", "fullDescription": "MultiformatMessageString",
    "artifacts": "Artifact", "location": "ArtifactLocation", "results": "Result",
    "message": "Message", "description": "Message", "locations": "Location",
    "relatedLocations": "Location", "physicalLocation": "PhysicalLocation",
    "artifactLocation": "ArtifactLocation", "region": "Region", "deletedRegion": "Region",
    "snippet": "ArtifactContent", "insertedContent": "ArtifactContent", "fixes": "Fix",
    "artifactChanges": "ArtifactChange", "replacements": "Replacement",
}  # fmt: skip
"""The class of what stands under a name, by the standard (SARIF 2.1.0, section 3)."""
FREE = ("properties", "partialFingerprints")
VALIDATOR = shutil.which("sarif-multitool-linux") or shutil.which("sarif-multitool")
TOLD = {"SARIF2005"}  # the page of the tool on the web, which a program for the desk has not got


def conforms(key, data):
    """Every property is one of its class, and none that the class requires is missing."""
    kind = getattr(sarif_om, CLASSES[key])
    known = {f.metadata["schema_property_name"]: f for f in attr.fields(kind)}
    needed = {name for name, f in known.items() if f.default is attr.NOTHING}
    assert data.keys() <= known.keys(), (key, data.keys() - known.keys())
    assert needed <= data.keys(), (key, needed - data.keys())
    for name, value in data.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict) and name not in FREE:
                conforms(name, item)


@pytest.fixture
def sarif(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "an article.md").write_text(TEXT, encoding="utf-8")
    assert run(["verify", "an article.md", "--sarif"]) == 1
    return json.loads(capsys.readouterr().out)


def test_it_is_sarif(sarif):
    conforms("", sarif)
    (made,) = sarif["runs"]
    assert sarif["version"] == "2.1.0" and made["columnKind"] == "unicodeCodePoints"
    ids = [rule["id"] for rule in made["tool"]["driver"]["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(ids[r["ruleIndex"]] == r["ruleId"] for r in made["results"])


def test_rules_say_what_code_scanning_asks_for(sarif):
    """GitHub refuses a rule without a full description; SARIF 3.49.7 a name equal to the id."""
    (made,) = sarif["runs"]
    assert made["automationDetails"]["id"].endswith("/") and made["tool"]["driver"]["fullName"]
    for rule in made["tool"]["driver"]["rules"]:
        assert rule["fullDescription"]["text"] and rule["help"]["text"]
        assert rule["name"].lower() != rule["id"].lower() and rule["name"].isidentifier()


@pytest.mark.skipif(
    not VALIDATOR and not os.environ.get("DERIVE_REQUIRE_SARIF"), reason="no sarif-multitool here"
)
def test_the_validator_of_the_standard_finds_nothing(sarif, tmp_path):
    """The schema, the rules of the standard and those of two services that show the results."""
    (tmp_path / "made.sarif").write_text(json.dumps(sarif), encoding="utf-8")
    rules = ["--rule-kind", "Sarif;Ghas;Ado", "--level", "Error;Warning"]
    subprocess.run(
        [VALIDATOR, "validate", "made.sarif", "-o", "seen.sarif", *rules],
        cwd=tmp_path, env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    (seen,) = json.loads((tmp_path / "seen.sarif").read_text(encoding="utf-8-sig"))["runs"]
    assert {r["ruleId"].split("/")[0] for r in seen["results"]} <= TOLD


def test_a_result_has_its_place_its_root_and_its_fix(sarif):
    first, again, follows, sign = sarif["runs"][0]["results"]
    (place,) = first["locations"]
    region = place["physicalLocation"]["region"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "an%20article.md"
    line = TEXT.splitlines()[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "2.81"
    assert (first["level"], follows["level"], sign["ruleId"]) == ("error", "warning", "sign-lost")
    (related,) = follows["relatedLocations"]
    assert related["physicalLocation"]["region"] == region
    marks = [r["partialFingerprints"]["printedNumber/v1"] for r in (first, again, follows, sign)]
    assert len(set(marks)) == 4


def test_the_fixes_make_the_text_right(sarif):
    lines = TEXT.splitlines()
    for result in reversed(sarif["runs"][0]["results"]):
        for change in result["fixes"][0]["artifactChanges"]:
            for replacement in reversed(change["replacements"]):
                at = replacement["deletedRegion"]
                line = lines[at["startLine"] - 1]
                new = replacement["insertedContent"]["text"]
                start, end = at["startColumn"] - 1, at["endColumn"] - 1
                lines[at["startLine"] - 1] = line[:start] + new + line[end:]
    assert lines == ["😀 one, exp(1) = 2.72, and 2.72 + 1 = 3.72.", "", "a = 2 - 3.25 = -1.25"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_cause_is_a_rule_with_help(kind, lang):
    assert " " not in rule_of(kind)
    text = words(lang)["mistaken"].get(kind) or words(lang)["verify"][kind]
    assert len(text) > 3


# --- GitHub


def test_github_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "100%,a.md").write_text(TEXT, encoding="utf-8")
    assert run(["verify", "100%,a.md", "--github"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    place = "file=100%25%2Ca.md,line=1,endLine=1,col=17,endColumn=21,title="
    assert first.startswith(f"::error {place}")
    properties, _, text = first.removeprefix("::").partition("::")
    assert "2.72" in text and "\n" not in text
    assert ",line=3," in second and properties.count("::") == 0


def test_on_github_no_line_of_an_article_is_a_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("::set-env name=A::exp(1) = 2.81\n", encoding="utf-8")
    assert run(["verify", "a.md"]) == 1
    lines = capsys.readouterr().out.splitlines()
    mark = lines[0].removeprefix("::stop-commands::")
    end = lines.index(f"::{mark}::")
    assert len(mark) >= 16 and lines[end + 1].startswith("::error file=a.md,line=1,")
    run(["verify", "a.md", "--json"])
    assert json.loads(capsys.readouterr().out)
