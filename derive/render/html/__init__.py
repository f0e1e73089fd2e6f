"""Pages as HTML: one file that needs no network and no script, mathematics as MathML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from derive.render.blocks import Heading, Page
from derive.render.html.assets import ICON, policy, script, style
from derive.render.html.blocks import Printer
from derive.words import words


def html(page: Page) -> str:
    """The page as a complete document; its title is the one h1, every step a section that folds."""
    data = " ".join(f'data-{k}="{escape(v)}"' for k, v in words(page.lang)["controls"].items())
    title = escape(page.title)
    return f"""<!DOCTYPE html>
<html lang="{escape(page.lang)}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="{policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="derive">
<link rel="icon" href="{ICON}">
<style>
{style()}</style>
</head>
<body {data}>
<main>
<header>
<h1>{title}</h1>
</header>
{"".join(_body(page))}</main>
<script>
{script()}</script>
</body>
</html>
"""


def _body(page: Page) -> Iterator[str]:
    printer = Printer(page)
    for number, (heading, blocks) in enumerate(_sections(page.blocks)):
        content = "".join(f"{printer.block(block)}\n" for block in blocks)
        if heading is None:
            yield content
            continue
        name = heading.anchor or f"s{number}"
        title = f'<h2 id="{name}">{printer.text(heading.text)}</h2>'
        yield (
            f'<section aria-labelledby="{name}">\n<details open>\n<summary>{title}</summary>\n'
            f"{content}</details>\n</section>\n"
        )


def _sections(blocks: Sequence[Any]) -> Iterator[tuple[Heading | None, list[Any]]]:
    """What stands under each heading of level 2; first what stands before them, the title not."""
    heading: Heading | None = None
    content: list[Any] = []
    for number, block in enumerate(blocks):
        if isinstance(block, Heading) and block.level < 3:
            if number == 0 and block.level == 1:
                continue
            if heading or content:
                yield heading, content
            heading, content = block, []
        else:
            content.append(block)
    if heading or content:
        yield heading, content
