"""The options of `derive grad` that explore: along one symbol, a Jacobian, a map, saturation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from derive.cli.options import derivation_of

if TYPE_CHECKING:
    from derive.certify import Format
    from derive.derivation import Derivation
    from derive.gradients.along import Along
    from derive.render.blocks import Page
    from derive.views.along import AlongOptions

PAGES = ("along", "jacobian", "sensitivity", "saturation")
_OPTIONS = (
    click.option(
        "--along",
        metavar="QUANTITY",
        help='The number as a function of this: temperature, eps, "W_Q[1][1]" or "c*W_Q".',
    ),
    click.option("--range", metavar="A..B", help='And where: "1/4..4".'),
    click.option("--jacobian", metavar="Y,X", help="Every entry of Y by every entry of X."),
    click.option("--sensitivity", metavar="Y,X", help="The same as a map of magnitudes."),
    click.option("--saturation", is_flag=True, help="Gradients of two keys, scaled and not."),
)


def exploring(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of PAGES, and --range."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def explored(options: dict[str, Any], form: Format, kind: str) -> Page | dict[str, Any] | None:
    """The page, or the data of JSON, that one of the options asks for; None where none does.

    click.UsageError for two of them, or for what goes with none.
    """
    asked = [name for name in PAGES if options[name]]
    if options["range"] and asked != ["along"]:
        raise click.UsageError("--range goes with --along")
    if not asked:
        return None
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} are two pages")
    unused = [x for x in ("wrt", "views") if options[x]]
    unused += [x for x in ("of", "seed") if options[x] and asked != ["along"]]
    if unused:
        raise click.UsageError(f"--{unused[0].removesuffix('s')} does not go with --{asked[0]}")
    makers = _DATA if kind == "json" else _MAKERS
    if asked[0] not in makers:
        raise click.UsageError(f"there is no JSON of --{asked[0]}")
    derivation = derivation_of(options)
    lang = options["lang"] or derivation.problem.lang
    return makers[asked[0]](derivation, options, form, lang)


def _along(d: Derivation, options: dict[str, Any], form: Format, lang: str) -> Page:
    from derive.views.along import along_page

    return along_page(*_varied(d, options, form, lang))


def _along_data(d: Derivation, options: dict[str, Any], form: Format, lang: str) -> dict[str, Any]:
    from derive.views.exploration_data import along_data

    return along_data(*_varied(d, options, form, lang))


def _varied(
    d: Derivation, options: dict[str, Any], form: Format, lang: str
) -> tuple[Along, AlongOptions]:
    from derive.gradients.along import along
    from derive.read.ranges import read_range
    from derive.read.seeds import read_seed
    from derive.views.along import AlongOptions

    seed = read_seed(options["seed"]) if options["seed"] else None
    ends = read_range(options["range"]) if options["range"] else None
    found = along(d, options["along"], options["of"], seed)
    return found, AlongOptions(form, lang, ends)


def _jacobian_data(
    d: Derivation, options: dict[str, Any], form: Format, _lang: str
) -> dict[str, Any]:
    from derive.views.exploration_data import jacobian_data

    return jacobian_data(d, *_pair(options["jacobian"], "jacobian"), form)


def _jacobian(d: Derivation, options: dict[str, Any], form: Format, lang: str) -> Page:
    from derive.views.jacobian import jacobian_page

    return jacobian_page(d, *_pair(options["jacobian"], "jacobian"), form, lang)


def _sensitivity(d: Derivation, options: dict[str, Any], form: Format, lang: str) -> Page:
    from derive.views.sensitivity import sensitivity_page

    return sensitivity_page(d, *_pair(options["sensitivity"], "sensitivity"), form, lang)


def _saturation(d: Derivation, options: dict[str, Any], form: Format, lang: str) -> Page:
    from derive.views.saturation import saturation_page, size_of

    return saturation_page(size_of(d), form, lang)


_DATA: dict[str, Callable[..., Any]] = {"along": _along_data, "jacobian": _jacobian_data}
_MAKERS: dict[str, Callable[..., Any]] = {
    "along": _along,
    "jacobian": _jacobian,
    "sensitivity": _sensitivity,
    "saturation": _saturation,
}


def _pair(text: str, option: str) -> tuple[str, str]:
    names = [x.strip() for x in text.split(",")]
    if len(names) != 2 or not all(names):
        raise click.UsageError(f'--{option} takes two steps, such as "A,S"')
    return names[0], names[1]
