"""What every HTML page carries: its style, its font and the script of the copy buttons."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from importlib.resources import files

ICON = "data:,"
"""An empty icon, or a browser asks the server for one."""


@cache
def style() -> str:
    """The style sheet with the font in it."""
    font = b64encode(_read("derive-math.woff2")).decode("ascii")
    return _read("page.css").decode("utf-8").replace("derive-math.woff2", _woff2(font))


@cache
def script() -> str:
    """What puts a button beside each formula; a page is whole without it."""
    return _read("copy.js").decode("utf-8")


@cache
def policy() -> str:
    """What a browser may load for the page: nothing but what is in it; no other script may run."""
    digest = b64encode(hashlib.sha256(f"\n{script()}".encode()).digest()).decode("ascii")
    return (
        "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; "
        f"script-src 'sha256-{digest}'"
    )


def _woff2(base64: str) -> str:
    return f"data:font/woff2;base64,{base64}"


def _read(name: str) -> bytes:
    return (files("derive.render.html") / name).read_bytes()
