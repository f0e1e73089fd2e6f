"""Pages in Debian's Chromium: nothing clipped, nothing asked for, nothing complained about."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from PIL import Image, ImageChops

from derive import attention, builtin, derive
from derive.pages import page
from derive.render.html.assets import policy

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("DERIVE_REQUIRE_BROWSER") != "1",
        reason="chromium not found",
    ),
]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--enable-logging=stderr", "--virtual-time-budget=3000",
)  # fmt: skip
SECONDS = 120
DARK = "--blink-settings=preferredColorScheme=0"
MOUSE = "--blink-settings=primaryHoverType=2,availableHoverTypes=2"

MEASURE = """
document.fonts.ready.then(() => {
  const every = (selector) => [...document.querySelectorAll(selector)];
  const box = (element) => element.getBoundingClientRect();
  const inside = (inner, outer) =>
    inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1 && inner.left >= outer.left - 1;
  const found = {
    font: [...document.fonts].map((font) => font.status),
    wider: document.documentElement.scrollWidth - innerWidth,
    formulas: every("math").length,
    clipped: every(".math math").filter((m) => !inside(box(m), box(m.closest(".math")))).length,
    scrolling: every(".scroll").filter((s) => s.scrollWidth > s.clientWidth).length,
    reachable: every(".scroll[tabindex='0'][role=region][aria-label]").length,
    short: every("mtable").filter((table) => {
      const bracket = table.previousElementSibling;
      return bracket?.textContent === "[" && box(bracket).height < 0.9 * box(table).height;
    }).length,
    empty: every("mi, mn").filter((m) => box(m).width === 0).length,
    buttons: every(".source button").length,
    sources: every(".source").length,
    outside: every("svg text").filter((t) => box(t).right > box(t.ownerSVGElement).right + 1
      || box(t).left < box(t.ownerSVGElement).left - 1
      || box(t).top < box(t.ownerSVGElement).top - 1).length,
    open: every("section > details[open]").length,
    sections: every("section").length,
  };
  every("section > details > summary")[1].click();
  found.folded = every("section > details:not([open])").length;
  document.body.dataset.found = JSON.stringify(found);
});
"""


def small(rows, columns, seed):
    return [[(seed * i + 3 * j) % 5 - 2 for j in range(columns)] for i in range(rows)]


TOKENS = "the cat sat on the mat and looked at <mammoths>&whales 在 窗外很远的地方".split()
PROBLEMS = {
    "head": derive(builtin("head")),
    "causal": derive(builtin("causal")),
    "symbolic": derive(builtin("symbolic")),
    "one by one": attention(*[[[1]]] * 4),
    "twelve": attention(small(12, 3, 2), *(small(3, 3, k) for k in (1, 2, 4)), tokens=TOKENS),
    "unlike": attention([["355/113", "1/1000000000"], ["sqrt(2)+sqrt(3)", 3]],
                        *[[[-1, 2], [3, -4]]] * 3),
}  # fmt: skip


@cache
def text(name, lang="en"):
    return page(PROBLEMS[name], "html", lang=lang)


@pytest.fixture
def served():
    """served(text): (its address, the paths asked for)."""
    asked = []
    pages = {}

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            body = pages.get(self.path, b"")
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def serve(content):
        pages["/page"] = content.encode()
        return f"http://127.0.0.1:{server.server_port}/page", asked

    yield serve
    server.shutdown()
    server.server_close()


def browse(address, *flags):
    """Chromium's stdout and what the page wrote to its console."""
    with tempfile.TemporaryDirectory() as folder:
        command = [CHROMIUM or "chromium", *FLAGS, f"--user-data-dir={folder}", *flags, address]
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", timeout=SECONDS, check=True
        )
    return done.stdout, re.findall(r".*CONSOLE.*", done.stderr)


def measured(served, content, *flags):
    """What MEASURE finds on the page; its policy is lifted for the one script that looks."""
    assert policy() in content
    looking = content.replace(policy(), "default-src 'unsafe-inline' data:").replace(
        "</body>", f"<script>{MEASURE}</script></body>"
    )
    address, _ = served(looking)
    dom, console = browse(address, "--dump-dom", *flags)
    assert console == []
    found = re.search(r'data-found="([^"]*)"', dom)
    assert found, "the script that measures did not run"
    return json.loads(found[1].replace("&quot;", '"'))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_nothing_is_clipped(name, lang, served):
    found = measured(served, text(name, lang), "--window-size=1000,1400")
    assert found["font"] == ["loaded"]
    assert found["wider"] <= 0
    assert found["formulas"] > 20
    for fault in ("clipped", "short", "empty", "outside"):
        assert found[fault] == 0, fault
    assert found["buttons"] == found["sources"] > 10
    assert found["open"] == found["sections"] > 5
    assert found["folded"] == 1
    if name in ("head", "causal", "one by one"):
        assert found["scrolling"] == 0


@pytest.mark.parametrize("name", ["head", "twelve"])
def test_a_narrow_window_scrolls_formulas_and_not_the_page(name, served):
    found = measured(served, text(name), "--window-size=500,900")
    assert found["wider"] <= 0 and found["clipped"] == 0
    assert 0 < found["scrolling"] == found["reachable"]


@pytest.mark.parametrize(
    ("fault", "old", "new"),
    [
        ("clipped", "</style>", ".math { height: 1rem; }</style>"),
        ("wider", "<main>", '<main><div style="width: 3000px">wide</div>'),
        ("short", "<mo>[</mo>", '<mo stretchy="false">[</mo>'),
        ("empty", "<mn>1</mn>", "<mn></mn>"),
        ("outside", 'text-anchor="middle">', 'text-anchor="end">far too long for a cell'),
        ("scrolling", "max-width: 49.5rem", "max-width: 12rem"),
    ],
)
def test_a_fault_is_found(fault, old, new, served):
    assert old in text("head")
    broken = text("head").replace(old, new)
    assert measured(served, broken, "--window-size=1000,1400")[fault] > 0


@pytest.mark.parametrize(
    "extra",
    [
        '<img src="/x.png">',
        "<script>alert(1)</script>",
        '<p onclick="x()">',
        "<style>@import '/x.css';</style>",
    ],
)
def test_the_policy_stops_what_is_not_ours(extra, served):
    address, asked = served(text("one by one").replace("</main>", f"{extra}</main>"))
    _, console = browse(address, "--dump-dom")
    assert asked == ["/page"]
    assert len(console) == 1 and "Content Security Policy" in console[0]


@pytest.mark.parametrize("name", ["head", "twelve"])
def test_nothing_is_asked_for_and_nothing_complained_about(name, served):
    address, asked = served(text(name))
    dom, console = browse(address, "--dump-dom")
    assert asked == ["/page"]
    assert console == []
    assert dom.count("<button") == text(name).count('class="source"')


@pytest.mark.parametrize(
    ("name", "lang", "flags", "is_dark"),
    [
        ("head", "en", [MOUSE], False),
        ("head", "zh", [f"{MOUSE},preferredColorScheme=0"], True),
        ("one by one", "en", [DARK], True),
        ("twelve", "zh", [], False),
    ],
)
def test_pictures(name, lang, flags, is_dark, served, tmp_path):
    """Drawn from edge to edge on the colour of the paper, with something on it."""
    picture = tmp_path / "page.png"
    address, _ = served(text(name, lang))
    browse(address, f"--screenshot={picture}", "--window-size=1000,1400", *flags)
    image = Image.open(picture).convert("RGB")
    assert image.size == (1000, 1400)
    paper = image.getpixel((1, 1))
    assert (max(paper) < 64) == is_dark and (min(paper) > 192) == (not is_dark)
    blank = Image.new("RGB", image.size, paper)
    left, _, right, bottom = ImageChops.difference(image, blank).getbbox()
    assert left > 80 and right < 920, "something sticks out of the column"
    assert bottom > 1000
