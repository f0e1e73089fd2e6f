"""Names, functions and makers of arrays, as they are written in formulas and in programs."""

from __future__ import annotations

import re

from derive.verify.cursor import Cursor, NoFormula
from derive.verify.nodes import Array, Binary, Function, Name, Node

ARRAYS = frozenset(
    "array np.array tensor torch.tensor torch.Tensor np.asarray Tensor matrix np.matrix c list"
    " torch.FloatTensor np.float32 jnp.array tf.constant".split()
)
FUNCTIONS = {
    "softmax": "softmax", "exp": "exp", "log": "log", "ln": "ln", "sin": "sin", "cos": "cos",
    "sqrt": "sqrt", "relu": "relu", "ReLU": "relu", "tanh": "tanh", "eye": "eye", "mean": "mean",
    "std": "std", "var": "var", "sum": "sum", "max": "max", "Softmax": "softmax", "diag": "diag",
    "SoftMax": "softmax", "sigmoid": "sigmoid", "erf": "erf", "LayerNorm": "layernorm",
    "layernorm": "layernorm", "layer_norm": "layernorm", "LN": "layernorm", "abs": "abs",
    "gelu": "gelu", "GELU": "gelu", "silu": "silu", "SiLU": "silu", "swish": "silu", "Φ": "normal cdf",
    "RMSNorm": "rmsnorm", "rmsnorm": "rmsnorm",
}  # fmt: skip
_PLAIN = frozenset("exp log ln sin cos tanh softmax Softmax sqrt relu ReLU".split())
"""Functions whose argument may stand without brackets."""


SPLIT = re.compile(
    r"(?!PE|AI|AS|AX)([QKVXHAOSEPNRCYZ](?=[QKVXHAOSEPW])|[a-z](?=W))([QKVXHAOSEPW](?:\d|[_^].*)?)"
)
MATHS = re.compile(r"(?:[A-Za-z]|[Α-Ωα-ω]|W[qkvoQKVO])(?:[_^~].*|\d*)'*")


_OF_LISTS = frozenset("max sum mean var std".split())
"""Functions of which max(1, 2) has both numbers as its list."""


class Names(Cursor):
    """Reads what begins with a name; brackets and groups are read by who builds on it."""

    def bracket(self) -> Node:
        """A list, a tuple, or one expression in round brackets."""
        raise NotImplementedError

    def group(self) -> Node:
        """A group in braces, or one sign."""
        raise NotImplementedError

    def unary(self) -> Node:
        """An expression with its signs before it."""
        raise NotImplementedError

    def postfix(self, value: Node) -> Node:
        """An expression with what follows it, such as a transpose."""
        raise NotImplementedError

    def sum(self) -> Node:
        """A sum."""
        raise NotImplementedError

    def named(self) -> Node:
        """What begins with a name."""
        sign = self.advance()
        text = sign.text
        if sign.kind == "id" and (parted := SPLIT.fullmatch(text)):
            left, right = parted[1], parted[2]
            return Binary("", Name(left), self.postfix(self.suffixed(right)))
        short = text.rpartition(".")[2]
        if text in ARRAYS and self.sign.text in "([" and not self.sign.gap:
            return self.made()
        if (short in FUNCTIONS) and self.begins_argument(short):
            return self.called(FUNCTIONS[short])
        return self.suffixed(text)

    def begins_argument(self, short: str) -> bool:
        """Whether the argument of a function follows."""
        sign = self.sign
        if (sign.text == "(" and not sign.gap) or sign.text == "{" or sign.kind == "begin":
            return True
        if short not in _PLAIN:
            return False
        if sign.kind == "id" and MATHS.fullmatch(sign.text):
            return self.is_head or self.text[self.ahead(-1).start] == "\\"
        return sign.text in "([" or sign.kind in ("num", "frac", "sqrt")

    def called(self, function: str) -> Node:
        """A function with its argument."""
        if self.sign.text == "(":
            inner = self.bracket()
            if isinstance(inner, Array) and inner.maker == "(" and function not in _OF_LISTS:
                return Function(function, inner.items[:1])
            return Function(function, (inner,))
        if self.sign.text == "{":
            return Function(function, (self.group(),))
        return Function(function, (self.unary(),))

    def made(self) -> Node:
        """np.array(...), tensor(...): its first argument; what follows it is passed over."""
        if self.sign.text == "[":
            return self.bracket()
        self.advance()
        self.skip("nl")
        inner = self.sum()
        depth = 0
        while self.sign.text != ")" or depth:
            if self.sign.kind in ("end", "nl"):
                raise NoFormula
            depth += (self.sign.text == "(") - (self.sign.text == ")")
            self.advance()
        self.advance()
        if isinstance(inner, Array):
            return Array(inner.items, "array")
        return inner

    def suffixed(self, text: str) -> Node:
        """A name with its sub- and superscripts, and the number of a row."""
        while True:
            sign = self.sign
            if text.endswith("_") and sign.text == "{":
                text += self.inside()
            elif text.endswith("_") and sign.kind in ("num", "said", "id"):
                text += self.advance().text
            elif sign.kind == "id" and sign.text[:1] == "_" and not sign.gap and text[-1:] != "_":
                text += self.advance().text
            elif sign.kind == "op" and sign.text == "_" and not sign.gap:
                self.advance()
                text += "_"
            elif sign.kind == "sub":
                text += "_" + self.advance().text
            elif sign.kind == "op" and sign.text == "'" and not sign.gap:
                self.advance()
                text += "'"
            elif sign.text == "^" and self.is_mark(text):
                self.advance()
                text += "^" + (self.inside() if self.sign.text == "{" else self.advance().text)
            else:
                break
        if self.sign.text == "(" and not self.sign.gap and text != "e":
            inner = self.bracket()
            return Function("?" + text, inner.parts() if isinstance(inner, Array) else (inner,))
        return Name(text, self.index())

    def is_mark(self, text: str) -> bool:
        """Whether what is raised is part of a name: W^Q, O^{(1)}; not e^x, nor a transpose."""
        after = self.ahead(1)
        inner = self.ahead(2) if after.text == "{" else after
        if text == "e" or inner.kind == "top" or inner.text == "T":
            return False
        return inner.kind in ("id", "said") or inner.text in ("(", "'") or inner.kind == "word"

    def inside(self) -> str:
        """The text of a group in braces."""
        opening = self.advance()
        while self.sign.text != "}":
            if self.advance().kind in ("end", "nl"):
                raise NoFormula
        closing = self.advance()
        found = self.text[opening.end : closing.start]
        return re.sub(r"\\[a-z]+|[\s{}\\]", "", found)[:40]

    def index(self) -> int | None:
        """The number of a row behind a name, as in X[0]."""
        if self.sign.text != "[" or self.sign.gap or self.ahead(2).text != "]":
            return None
        inner = self.ahead(1)
        if inner.kind != "num" or not inner.text.isdigit() or len(inner.text) > 4:
            return None
        self.position += 3
        return int(inner.text)
