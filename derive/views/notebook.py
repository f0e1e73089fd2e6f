"""A notebook: the walkthrough, with a line of Python in the place of every result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from derive.derivation import Derivation
from derive.exact.trace import Grid, Name
from derive.numerals import Format
from derive.render.blocks import Equations, Formulas, Heading, Page, Run
from derive.views.one_step import is_result, one_step
from derive.views.problem import problem_toml
from derive.views.walkthrough import Options, walkthrough

SETUP = '''from derive import derive, read_toml

problem = read_toml(r"""
{}""")
d = derive(problem)'''


def notebook(derivation: Derivation, options: Options) -> Page:
    """The walkthrough whose results are what `d.step("S")` shows, under the problem as TOML."""
    page = walkthrough(derivation, options)
    return replace(page, blocks=tuple(_Notebook(derivation, options).blocks(page)))


@dataclass(frozen=True)
class _Notebook:
    derivation: Derivation
    options: Options

    def blocks(self, page: Page) -> Iterator[Any]:
        """The problem stands before the heading of the first step that has a result to show."""
        waiting: list[Any] = []
        is_set = False
        for block in (part for whole in page.blocks for part in self.parted(whole)):
            if isinstance(block, Heading) and not block.runs_in:
                yield from waiting
                waiting = []
            step = self.step_of(block)
            if step is not None and not is_set:
                is_set = True
                yield self.setup()
            waiting.append(block if step is None else self.run(step))
        yield from waiting
        if not is_set:
            yield self.setup()

    def parted(self, block: Any) -> Iterator[Any]:
        """The block, a result among formulas after the others by itself."""
        if not isinstance(block, Formulas):
            yield block
            return
        results = [chain for chain in block.chains if is_result(chain, self.derivation)]
        others = tuple(chain for chain in block.chains if chain not in results)
        yield from (Formulas(others),) if others else ()
        yield from (Equations((chain,)) for chain in results)

    def setup(self) -> Run:
        """The lines that make the derivation."""
        return Run(SETUP.format(problem_toml(self.derivation.problem)))

    def step_of(self, block: Any) -> str | None:
        """The step whose result the block is."""
        if not (isinstance(block, Equations) and len(block.chains) == 1):
            return None
        (chain,) = block.chains
        # The line at the end, which says what O is made of, has no entries.
        has_entries = any(isinstance(side, Grid) for _, side in chain.rest)
        return chain.first.step if isinstance(chain.first, Name) and has_entries else None

    def run(self, name: str) -> Run:
        """What is typed to see a step, and what is seen."""
        step, form = self.derivation.step(name), self.options.form
        if form == Format():
            return Run(f'd.step("{name}")', one_step(step, form))
        shown = one_step(step, form, self.derivation)
        return Run(f'd.show("{name}", {_arguments(form)})', shown)


def _arguments(form: Format) -> str:
    usual = Format()
    values = {field.name: getattr(form, field.name) for field in fields(form)}
    changed = {k: v for k, v in values.items() if v != getattr(usual, k)}
    return ", ".join(f"{name}={value!r}" for name, value in changed.items())
