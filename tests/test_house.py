"""The house: which way imports flow, what each part may hold, and the sizes it keeps."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from statistics import median, quantiles

import pytest

import derive

ROOT = Path(derive.__file__).parent
MODULES = {path.relative_to(ROOT).as_posix(): path for path in sorted(ROOT.rglob("*.py"))}
SOURCES = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}
TREES = {name: ast.parse(text) for name, text in SOURCES.items()}
each_module = pytest.mark.parametrize("name", MODULES)

FLOW = {
    # part: the parts it may import, and itself
    "errors.py": set(),
    "words": set(),
    "exact": {"errors"},
    "op.py": {"exact"},
    "places.py": {"errors", "exact"},
    "ops": {"exact", "op", "errors"},
    "conventions.py": {"exact"},
    "alternatives.py": {"conventions", "derivation", "errors", "models", "read"},
    "numerals.py": {"errors"},
    "digits.py": {"exact", "numerals"},
    "certify.py": {"digits", "exact", "errors", "numerals"},
    "step.py": {"errors", "exact", "op", "pages"},
    "counts": {"errors", "exact"},
    "models": {"conventions", "derivation", "errors", "exact", "op", "ops", "step"},
    "read": {"architectures", "conventions", "counts", "derivation", "errors", "exact", "models",
             "problems", "words"},
    "problems": set(),
    "architectures": set(),
    "theorems": {"certify", "conventions", "derivation", "errors", "exact", "models", "numerals",
                 "op", "ops"},
    "gradients": {"certify", "derivation", "digits", "errors", "exact", "numerals", "op", "ops",
                  "places", "step"},
    "names.py": {"derivation", "exact", "ops", "step"},
    "views": {"certify", "conventions", "counts", "derivation", "digits", "errors", "exact",
              "gradients", "models", "numerals", "op", "ops", "places", "render.blocks",
              "render.quiz", "step", "theorems", "verify", "words", "worksheet"},
    "worksheet": {"certify", "conventions", "derivation", "digits", "errors", "exact",
                  "gradients", "models", "numerals", "op", "ops", "places", "processes", "read",
                  "step", "words"},
    "series.py": {"errors", "processes", "views", "worksheet"},
    "mass.py": {"processes", "render", "worksheet"},
    "handout.py": {"mass", "pages", "render", "views", "words", "worksheet"},
    "verify": {"conventions", "derivation", "errors", "exact", "models", "op", "ops", "read",
               "step", "words"},
    "processes.py": set(),
    "verdicts.py": {"derive", "pages", "render", "verify", "views"},
    "writing.py": {"certify", "derivation", "models", "pages", "render", "views"},
    "check.py": {"certify", "errors", "gradients", "views"},
    "render": {"errors", "exact", "words"},
    "cli": {"api", "architectures", "certify", "check", "derivation", "errors", "gradients",
            "handout", "models", "numerals", "pages", "problems", "read", "render", "theorems",
            "processes", "series", "verdicts", "verify", "views", "words", "worksheet", "writing",
            "derive"},
}  # fmt: skip
HEAVY = {"sympy", "numpy", "mpmath"}


def imports(tree, *, when_run=True):
    """Modules imported anywhere; those for type checkers alone left out."""
    skipped = set()
    for node in ast.walk(tree):
        if when_run and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            skipped |= {id(inner) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            # `from derive.views import numbers` imports a module; `from derive.op import Op` a name
            yield from (n if is_module(n) else str(node.module) for n in names)


def is_module(dotted):
    parts = dotted.split(".")[1:]
    path = "/".join(parts)
    found = {f"{path}.py", f"{path}/__init__.py"} & MODULES.keys()
    return dotted.startswith("derive.") and bool(found)


def part_of(name):
    return name.split("/")[0]


@pytest.mark.parametrize("name", [n for n in MODULES if part_of(n) in FLOW])
def test_imports_flow_one_way(name):
    part = part_of(name)
    own = part.removesuffix(".py")
    for module in imports(TREES[name]):
        if module == "derive" or module.startswith("derive."):
            target = module.removeprefix("derive.")
            allowed = FLOW[part] | {own}
            assert any(target == a or target.startswith(a + ".") for a in allowed), (
                f"{name} imports {module}"
            )


ROOMS = ("grammar", "program", "values", "speech", "documents", "tables", "known", "causes",
         "numbers", "matrices", "columns")  # fmt: skip
"""The rooms of `verify`: each is built on those before it, and the floor above on all of them."""


@pytest.mark.parametrize("name", [n for n in MODULES if n.startswith("verify/")])
def test_the_rooms_of_verify_flow_one_way(name):
    room = name.split("/")[1]
    below = ROOMS[: ROOMS.index(room) + 1] if room in ROOMS else ROOMS
    for module in imports(TREES[name]):
        if module.startswith("derive.verify.") and room in ROOMS:
            assert module.split(".")[2] in below, f"{name} imports {module}"


def test_every_room_of_verify_has_its_place():
    assert {n.split("/")[1] for n in MODULES if n.count("/") > 1 and part_of(n) == "verify"} == {
        *ROOMS
    }


def test_every_part_of_the_house_has_its_rule():
    free = {"__init__.py", "__main__.py", "api.py", "derivation.py", "pages.py"}
    assert {part_of(n) for n in MODULES} == set(FLOW) | free


OPENED_LATE = ("exact/bridge.py", "read/latex/")
"""What speaks SymPy throughout, and is itself imported when it is needed (see test_cli.py)."""


@pytest.mark.parametrize("name", [n for n in MODULES if not n.startswith(OPENED_LATE)])
def test_sympy_and_numpy_are_imported_when_they_are_needed(name):
    tree = TREES[name]
    at_top = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    found = {m.split(".")[0] for m in imports(ast.Module(at_top, []))}
    assert not found & HEAVY


def test_the_command_line_does_no_mathematics():
    for name, tree in TREES.items():
        if part_of(name) == "cli":
            mathematics = ("derive.exact", "derive.ops", "sympy", "flint")
            assert not [m for m in imports(tree) if m.startswith(mathematics)]


def test_views_write_no_backslash_and_know_no_format():
    for name, tree in TREES.items():
        if part_of(name) != "views":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert "\\" not in node.value, (name, node.value)
        found = set(imports(tree))
        met = {m for m in found if m.startswith("derive.render")}
        assert met <= {"derive.render.blocks", "derive.render.quiz"}


def test_renderers_know_no_derivation():
    for name, text in SOURCES.items():
        if part_of(name) == "render":
            assert not re.search(r"\bDerivation\b|\bStep\b|\bProblem\b", text), name


FORBIDDEN = [
    r"\beval\(", r"\bexec\(", r"\bsympify\b", r"\bparse_expr\b", r"\bsimplify\(", r"\bcompile\(",
    r"except Exception", r"except:", r"\.evalf\(", r"\bshared/", r"\.\./",
    r"from \w+(\.\w+)* import \*", r"\bTODO\b|\bFIXME\b|\bXXX\b",
]  # fmt: skip


@each_module
def test_what_stands_nowhere(name):
    text = "\n".join(line for line in SOURCES[name].splitlines() if "re.compile(" not in line)
    for pattern in FORBIDDEN:
        assert not re.search(pattern, text), pattern


@each_module
def test_lines_and_words(name):
    words = r"\b(?:session|oracle|issue \d|helper|utils|manager)\b"
    text = SOURCES[name].replace("flint.utils", "")  # where FLINT keeps its exceptions
    assert not re.search(words, text, re.IGNORECASE)
    names = {
        node.name for node in ast.walk(TREES[name])
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }  # fmt: skip
    bad = re.compile(r"_*(?:get|do|handle|process)_|.*(?:Base|Manager|Helper|Utils)$")
    assert not [n for n in names if bad.match(n)]


def public(tree):
    """Public functions and classes, and the public methods of public classes."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{n}", inner) for n, inner in public(node))


@each_module
def test_everything_public_says_what_it_is(name):
    tree = TREES[name]
    if SOURCES[name].strip():
        assert ast.get_docstring(tree), name
    silent = [n for n, node in public(tree) if not ast.get_docstring(node)]
    assert silent == []


def functions():
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                yield f"{name}:{node.name}", node.end_lineno - node.lineno + 1


def test_functions_are_small():
    sizes = [size for _, size in functions()]
    assert median(sizes) <= 8
    assert quantiles(sizes, n=10)[-1] <= 25


def test_modules_are_small():
    """About 250 lines; an operation under about 60."""
    sizes = {name: len(text.splitlines()) for name, text in SOURCES.items()}
    assert quantiles(sizes.values(), n=10)[-1] <= 250
    assert {n: s for n, s in sizes.items() if s > 300} == {}
    operations = {n: s for n, s in sizes.items() if part_of(n) == "ops" and "__init__" not in n}
    assert {n: s for n, s in operations.items() if s > 65} == {}


def test_a_dozen_public_names():
    assert 8 <= len(derive.__all__) <= 14
    assert set(derive.__all__) <= set(dir(derive))
    with pytest.raises(AttributeError):
        derive.nothing  # noqa: B018


@pytest.mark.parametrize("name", derive.__all__)
def test_a_public_name_has_an_example(name):
    thing = getattr(derive, name)
    assert ">>>" in (inspect.getdoc(thing) or ""), f"{name} has no example"


def test_the_package_is_typed():
    assert (ROOT / "py.typed").exists()


def test_the_version_is_the_distributions():
    import tomllib

    project = ROOT.parent / "pyproject.toml"
    assert tomllib.loads(project.read_text("utf-8"))["project"]["version"] == derive.__version__


def test_every_module_can_be_imported():
    for name in MODULES:
        if name != "__main__.py":
            dotted = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            import_module("derive" if dotted == "__init__" else f"derive.{dotted}")
