"""A plot as Typst draws it: lines placed in a box."""

from __future__ import annotations

from collections.abc import Iterator

from derive.exact.typst_ink import TYPST
from derive.render.blocks import Plot
from derive.render.plot import Layout, names, scaled

WIDTH, HEIGHT = 96, 52
"""Millimetres."""


def plotted(block: Plot) -> str:
    """The call of the function `plot` of the page's style."""
    lay = Layout(block)
    across = "".join(f"({at:.4f}, ${TYPST.numeral(text)}$), " for at, text in lay.across.ticks)
    sides = "".join(
        "(" + "".join(f"({at:.4f}, ${TYPST.numeral(text)}$), " for at, text in side.ticks) + "), "
        for side in lay.sides
    )
    curves = "".join(f"({paths}), " for paths in _curves(lay))
    titles = "".join(f"{_string(name)}, " for name in names(block))
    return (
        f"#plot({_string(block.label)}, {_string(block.across)}, {WIDTH}mm, {HEIGHT}mm, "
        f"({across}), ({sides}), ({titles}), ({curves}))"
    )


def _curves(lay: Layout) -> Iterator[str]:
    """For each curve the tuple of its paths."""
    for k in range(len(lay.plot.curves)):
        paths = (
            "".join(f"({x:.2f}mm, {HEIGHT - y:.2f}mm), " for x, y in scaled(path, WIDTH, HEIGHT))
            for path in lay.paths(k)
        )
        yield "".join(f"({path}), " for path in paths)


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
