"""Names, functions and makers of arrays, as they are written in formulas and in programs."""

from __future__ import annotations

import re

from derive.verify.grammar.cursor import NoFormula
from derive.verify.grammar.nodes import Array, Binary, Chain, Function, Name, Node, Number
from derive.verify.grammar.options import call, with_options
from derive.verify.grammar.shaped import TAKEN, shaped
from derive.verify.grammar.totals import MATHS, Totals

ARRAYS = frozenset(
    "array np.array tensor torch.tensor torch.Tensor np.asarray Tensor matrix np.matrix c list"
    " torch.FloatTensor np.float32 jnp.array tf.constant".split()
)
FUNCTIONS = {
    "softmax": "softmax", "exp": "exp", "log": "log", "ln": "ln", "sin": "sin", "cos": "cos",
    "sen": "sin", "log2": "log2", "log_2": "log2", "ld": "log2", "log10": "log10",
    "sqrt": "sqrt", "relu": "relu", "ReLU": "relu", "tanh": "tanh", "eye": "eye", "mean": "mean",
    "std": "std", "var": "var", "sum": "sum", "max": "max",
    "soma": "sum", "suma": "sum", "somma": "sum", "somme": "sum", "summe": "sum", "SUM": "sum",
    "Soma": "sum", "Suma": "sum", "Somma": "sum", "Somme": "sum", "Summe": "sum",
    "min": "min", "diag": "diag",
    "Softmax": "softmax",
    "SoftMax": "softmax", "sigmoid": "sigmoid", "erf": "erf", "LayerNorm": "layernorm",
    "layernorm": "layernorm", "layer_norm": "layernorm", "LN": "layernorm", "abs": "abs",
    "gelu": "gelu", "GELU": "gelu", "silu": "silu", "SiLU": "silu", "swish": "silu",
    "Φ": "normal cdf",
    "rowSums": "sum", "colSums": "column sums", "rowMeans": "mean", "colMeans": "column means",
    "SQRT": "sqrt", "WURZEL": "sqrt", "RACINE": "sqrt",
    "log_softmax": "log softmax", "logsoftmax": "log softmax", "LogSoftmax": "log softmax",
    "RMSNorm": "rmsnorm", "rmsnorm": "rmsnorm",
}  # fmt: skip
SIGMA = frozenset(("sigma", "σ"))
"""The letter of softmax and of the logistic function."""
NABLA = re.compile(r"(?:nabla|∇)(?![A-Za-z])_?")
"""The sign of a gradient, with what it is taken after."""
LOSSES = frozenset(("L", "ℓ", "l", "loss", "Loss", "J", "CE"))
SIZES = frozenset("\\left \\bigl \\Bigl \\biggl \\Biggl \\big \\Big".split())
"""Commands that set the size of a bracket."""
BASED = ("log2", "log_2", "log10")
"""Logarithms that no word is written like."""
PLAIN = frozenset((*BASED, *"exp log ln sin cos tanh erf softmax Softmax sqrt relu ReLU".split()))
"""Functions whose argument may stand without brackets."""

PRIMES = ("'", "''", "'''")
WIDEST = 60
"""What stands behind a name as its mark has at most so many signs."""
SPLIT = re.compile(
    r"(?!PE|AI|AS|AX)([QKVXHAOSEPNRCYZ](?=[QKVXHAOSEPW])|[a-ce-zα-ω](?=W|[VKQ]$)|[xz](?=[Φσ]$)"
    r"|W(?=[xhez]$))([QKVXHAOSEPWxhezΦσ](?:\d|[_^].*)?)"
)


def _is_nought(node: Node) -> bool:
    return isinstance(node, Number) and node.cell.figure is not None and not node.cell.figure.value


_OF_LISTS = frozenset("max min sum mean var std".split())
"""Functions of which max(1, 2) has both numbers as its list."""


def is_indexed(name: str) -> bool:
    """Whether a name bears an index that runs, or two: a_i, W_ij."""
    return bool(re.fullmatch(r".+_(?:[a-z]|(?!in)[i-n]{2})", name))


class Names(Totals):
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
            if right in FUNCTIONS and self.is_tight():
                return Binary("", Name(left), self.called(FUNCTIONS[right]))
            return Binary("", Name(left), self.postfix(self.suffixed(right)))
        if text == "∂" and self.sign.kind in ("id", "said"):
            text += self.advance().text
        if (total := self.total(sign)) is not None:
            return total
        if text == "log" and (base := self.base()):
            return self.called(base)
        if text[:4] == "max_" and self.ahead(-2).kind == "rel":
            return self.called("max")
        if NABLA.match(text) and sign.kind == "id":
            return self.gradient(text)
        short = text.rpartition(".")[2]
        if text in ARRAYS and self.sign.text in "([" and not self.sign.gap:
            return self.listed(text) if text in ("c", "matrix") else self.made()
        if (short in FUNCTIONS) and self.begins_argument(short):
            return self.called(FUNCTIONS[short])
        return self.suffixed(text)

    def gradient(self, text: str) -> Node:
        """The gradient of a loss, which bears the name of what it is taken after: \\nabla_z L."""
        named = self.suffixed(text)
        after = NABLA.sub("", named.text) if isinstance(named, Name) else ""
        if after and self.sign.text in LOSSES:
            self.advance()
        elif not after and self.sign.text in LOSSES:
            after = self.advance().text
        return Name(f"∂{after}") if after else named

    def begins_argument(self, short: str) -> bool:
        """Whether the argument of a function follows."""
        sign = self.sign
        if self.is_tight() or sign.text == "{" or sign.kind == "begin":
            return True
        if short not in PLAIN and not (short == "max" and self.ahead(-2).kind == "rel"):
            return False
        if sign.text in FUNCTIONS and self.ahead(1).text in ("(", "["):
            return self.is_head or self.is_command(self.ahead(-1))  # ln softmax(z)
        if sign.kind == "id" and MATHS.fullmatch(sign.text):
            is_sure = short in ("max", *BASED) or self.is_applied(0)
            return is_sure or self.is_head or self.is_command(self.ahead(-1))
        return sign.text in "([" or sign.kind in ("num", "frac", "sqrt")

    def is_tight(self) -> bool:
        """Whether a round bracket opens right here, be it by \\left(."""
        sign, before = self.sign, self.ahead(-1)
        between = self.text[before.end : sign.start]
        return sign.text == "(" and (not sign.gap or between.strip() in SIZES)

    def called(self, function: str) -> Node:
        """A function with its argument."""
        if self.sign.text == "(":
            inner = self.bracket()
            if isinstance(inner, Array) and function == "max" and _is_nought(inner.items[0]):
                return Function("relu", inner.items[1:])
            if isinstance(inner, Array) and function == "cos" and len(inner.items) == 2:
                return Function("?cos", inner.items)  # of two vectors
            if isinstance(inner, Array) and inner.maker == "(" and function not in _OF_LISTS:
                return with_options(function, inner.items)
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

    def listed(self, maker: str) -> Node:
        """R's c(1, 2) and matrix(c(1, 2, 3, 4), nrow = 2, byrow = TRUE); 2 alone is nrow too."""
        inner = self.bracket()
        items = inner.items if isinstance(inner, Array) and inner.maker == "(" else (inner,)
        plain = [item for item in items if not isinstance(item, Chain)]
        pairs = [i.sides for i in items if isinstance(i, Chain) and len(i.sides) == 2]
        options = {pair[0].text: pair[1] for pair in pairs if isinstance(pair[0], Name)}
        if not plain:
            raise NoFormula
        if maker == "matrix" and isinstance(plain[0], Array):
            options = dict(zip(TAKEN, plain[1:], strict=False)) | options
        if not options:
            return Array(tuple(plain), "array")
        return shaped(plain[0].items if isinstance(plain[0], Array) else tuple(plain), options)

    def is_subscript(self, text: str) -> bool:
        """Whether what follows an underscore comes, or _1 right behind a command: \\mu_1."""
        sign = self.sign
        if text.endswith("_") and sign.kind in ("num", "said", "id"):
            return True
        is_mark = sign.kind == "id" and sign.text[:1] == "_" and not sign.gap
        return is_mark and text[-1:] != "_"

    def suffixed(self, text: str) -> Node:
        """A name with its sub- and superscripts, and the number of a row; turned by K^{Q\\top}."""
        is_turned = False
        while True:
            sign = self.sign
            if text.endswith("_") and sign.text == "{":
                text += self.inside()
            elif self.is_subscript(text):
                text += self.advance().text
            elif sign.kind == "op" and sign.text == "_" and not sign.gap:
                self.advance()
                text += "_"
            elif sign.kind == "sub":
                text += "_" + self.advance().text
            elif sign.kind == "op" and sign.text in PRIMES and not sign.gap:
                text += self.advance().text
            elif sign.text == "^" and self.is_mark(text):
                self.advance()
                is_turned |= self.ends_turned()
                mark = self.inside() if self.sign.text == "{" else self.advance().text
                text += "^" * (mark not in PRIMES) + (mark.rstrip("ᵀ⊤T") if is_turned else mark)
            else:
                break
        is_call = self.is_tight() if text in SIGMA else self.sign.text == "(" and not self.sign.gap
        if is_call and text != "e" and not is_indexed(text):
            inner = self.bracket()
            return call(text, inner.parts() if isinstance(inner, Array) else (inner,))
        name = Name(text, self.index())
        return Function("T", (name,)) if is_turned else name

    def ends_turned(self) -> bool:
        """Whether the mark in braces here ends with a sign of transposition."""
        if self.sign.text != "{" or self.position not in self.closings:
            return False
        last = self.signs[self.closings[self.position] - 1]
        return last.kind == "top" or (last.kind == "id" and last.text == "T")

    def is_mark(self, text: str) -> bool:
        """Whether what is raised is part of a name: W^Q, a^{[2]}; not e^x, nor a transpose."""
        after = self.ahead(1)
        inner = self.ahead(2) if after.text == "{" else after
        if text == "e" or inner.kind == "top" or inner.text == "T":
            return False
        return inner.kind in ("id", "said", "word") or inner.text in ("(", "[", "'")

    def inside(self) -> str:
        """The text of a group in braces."""
        last = self.closing()
        if last - self.position > WIDEST:
            raise NoFormula
        opening, closing = self.sign, self.signs[last]
        self.position = last + 1
        found = self.text[opening.end : closing.start].replace("\\prime", "'")
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
