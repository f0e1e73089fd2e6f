"""What every test shares: where TeX is asked for, and how hypothesis looks for examples."""

import os

import pytest
from hypothesis import settings
from maxima import has_none
from tex import missing_programs

collect_ignore = ["torch_figures.py"]  # a script, run where PyTorch is installed

# Exact arithmetic has no deadline; a run finds what the last one found, unless it is to search.
IS_SEARCH = os.environ.get("DERIVE_SEARCH") == "1"
settings.register_profile("derive", deadline=None, derandomize=not IS_SEARCH)
settings.load_profile("derive")


def pytest_collection_modifyitems(items):
    """Leave out what needs TeX, or Maxima, where it is absent, unless DERIVE_REQUIRE_TEX, or
    DERIVE_REQUIRE_MAXIMA, says it must be here."""
    if has_none():
        for item in items:
            if item.get_closest_marker("maxima"):
                item.add_marker(pytest.mark.skip(reason="maxima not found"))
    missing = missing_programs()
    if missing and os.environ.get("DERIVE_REQUIRE_TEX") != "1":
        for item in items:
            if item.get_closest_marker("tex"):
                item.add_marker(pytest.mark.skip(reason=f"{missing} not found"))
