"""The models that can be derived, by the name a problem file gives them."""

from collections.abc import Callable
from dataclasses import dataclass

from derive.derivation import Derivation, Problem
from derive.models.attention import derive_attention


@dataclass(frozen=True)
class Model:
    """A composition of operations, and the matrices it needs."""

    derive: Callable[[Problem], Derivation]
    given: tuple[str, ...]
    optional: tuple[str, ...] = ()


MODELS = {
    "attention": Model(derive_attention, ("H", "W_Q", "W_K", "W_V"), ("context",)),
}
