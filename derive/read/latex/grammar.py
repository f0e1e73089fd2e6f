"""Sums, products, powers: the skeleton of a formula, read from left to right.

    chain   = sum (relation sum)*
    sum     = sign? product (sign sign? product)*
    product = factor ((times | slash)? factor)*       no factor may touch what follows a slash
    factor  = atom scripts

What an atom is stands in the modules that `derive.read.latex.atoms` lists. A rule that cannot tell
two readings apart refuses, and says what to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from derive.errors import InputError, quoted
from derive.read.latex.alphabet import CLOSING, RELATIONS, SLASH, TIMES
from derive.read.latex.context import Context
from derive.read.latex.nodes import Negative, Node, Number, Product, Quotient, Sum
from derive.read.latex.source import Span
from derive.read.latex.tokens import MAX_DEPTH, Token, sign_of

_ENDS = frozenset(r"stop ) ] } \} & row end wide , ; : . ^ _ ! ' \rfloor \rceil \rvert \|".split())


class Parser:
    """A position in a list of tokens."""

    def __init__(self, tokens: Sequence[Token], context: Context, depth: int = 0) -> None:
        self.tokens, self.context, self.depth = list(tokens), context, depth
        self.position = 0
        self.bars = 0
        if depth > MAX_DEPTH:
            hint = f"name its parts: at most {MAX_DEPTH} levels are read"
            raise self.error("the formula is nested too deeply", self.next, hint)

    # Rules

    def whole(self) -> Node:
        """One value and nothing after it."""
        value = self.sum()
        if self.next.kind != "stop":
            raise self.left_over()
        return value

    def sum(self) -> Node:
        """Terms joined by + and -."""
        start = self.next
        terms = [self.term()]
        while sign := self.take("+", "-"):
            term = self.term()
            terms.append(Negative(self.since(sign), term) if sign.kind == "-" else term)
        return terms[0] if len(terms) == 1 else Sum(self.since(start), tuple(terms))

    def term(self) -> Node:
        """A product with at most one sign before it."""
        sign = self.take("+", "-")
        value = self.product()
        return Negative(self.since(sign), value) if sign and sign.kind == "-" else value

    def product(self) -> Node:
        """Factors, side by side or joined by signs."""
        start = self.next
        factors, divided = [self.factor()], False
        while True:
            if self.take_sign(TIMES):
                factors.append(self.operand())
                divided = False
            elif self.take_sign(SLASH):
                top = self.multiplied(factors, start)
                bottom = self.operand()
                factors, divided = [Quotient(self.since(start), top, bottom)], True
            elif self.begins_factor():
                factors.append(self.beside(factors[-1], divided))
            else:
                return self.multiplied(factors, start)

    def operand(self) -> Node:
        """What follows a sign of multiplication: a factor that may have a minus of its own."""
        minus = self.take("-")
        value = self.factor()
        return Negative(self.since(minus), value) if minus else value

    def beside(self, before: Node, divided: bool) -> Node:
        """A factor that follows another without a sign."""
        from derive.read.latex.words import is_lettered

        token = self.next
        if divided:
            hint = "put brackets round what is divided by, or write a fraction"
            raise self.error("it is not clear what the stroke divides by", token, hint)
        if token.kind in ("number", "fraction"):
            hint = r"write a sign between them: 2 \cdot 3, x + 2, x_{2}, 2 x"
            raise self.error("a number follows a value without a sign", token, hint)
        is_text = token.kind == "text" and not is_lettered(self, token)
        if is_text or (isinstance(before, Number) and self.is_word()):
            hint = r"leave units and words out, or write \cdot before a name"
            raise self.error("a word follows a value without a sign", token, hint)
        factor = self.factor()
        if isinstance(before, Number) and _is_numeric_fraction(factor):
            hint = r"write 2 + \frac{1}{2}, or 2 \cdot \frac{1}{2}"
            raise self.error("a number beside a fraction may be a sum or a product", token, hint)
        return factor

    def factor(self) -> Node:
        """An atom with its scripts."""
        from derive.read.latex.atoms import atom
        from derive.read.latex.scripts import postfix

        return postfix(self, atom(self))

    def multiplied(self, factors: list[Node], start: Token) -> Node:
        """The product of some factors."""
        if len(factors) == 1:
            return factors[0]
        return Product((start.start, factors[-1].span[1]), tuple(factors))

    # Parts

    def inside(self, tokens: Sequence[Token], end: Token) -> Parser:
        """A parser of some tokens alone, one level down; `end` is what closes them."""
        stop = Token("stop", "", end.start, end.end)
        return Parser([*tokens, stop], self.context, self.depth + 1)

    def group(self) -> tuple[list[Token], Token]:
        """The tokens between the brace at hand and its partner, and that partner."""
        opening, depth, start = self.advance(), 1, self.position
        while depth:
            token = self.advance()
            depth += (token.kind == "{") - (token.kind == "}")
            if token.kind == "stop":
                raise self.error("this brace is never closed", opening, "write } where it ends")
        return self.tokens[start : self.position - 1], self.tokens[self.position - 1]

    def argument(self) -> Node:
        """What a command such as \\frac applies to: a group, or a single sign."""
        if self.next.kind == "{":
            opening = self.next
            tokens, closing = self.group()
            if not tokens:
                raise self.error("these braces are empty", opening, "write a value in them")
            return self.inside(tokens, closing).whole()
        token = self.single()
        return self.inside([token], token).whole()

    def single(self) -> Token:
        """One sign as an argument: a letter, a digit, a command that is a letter."""
        token = self.next
        if token.kind == "number":
            return self.digit()
        if token.kind == "letter" or (token.kind == "command" and self.is_letter(token)):
            return self.advance()
        hint = "put braces round what it applies to"
        raise self.error("it is not clear what this applies to", token, hint, "{...}")

    def digit(self) -> Token:
        """The first digit of the number at hand, as TeX takes it."""
        token = self.next
        if not token.text[0].isdigit() or (len(token.text) > 1 and not token.text.isdigit()):
            hint = "put braces round the number"
            raise self.error("TeX takes only the first digit here", token, hint)
        first = replace(token, text=token.text[0], end=token.start + 1)
        if len(token.text) == 1:
            return self.advance()
        rest = replace(token, text=token.text[1:], start=token.start + 1, gap="")
        self.tokens[self.position] = rest
        return first

    # Tokens and errors

    @property
    def next(self) -> Token:
        """The token at hand."""
        return self.tokens[self.position]

    @property
    def last(self) -> Token:
        """The token before it."""
        return self.tokens[max(self.position - 1, 0)]

    def advance(self) -> Token:
        """The token at hand, left behind."""
        token = self.next
        self.position += token.kind != "stop"
        return token

    def take(self, *kinds: str) -> Token | None:
        """The token at hand where it is one of these kinds."""
        return self.advance() if self.next.kind in kinds else None

    def take_sign(self, signs: frozenset[str]) -> Token | None:
        """The token at hand where it is one of these signs."""
        return self.advance() if sign_of(self.next) in signs else None

    def take_command(self, *names: str) -> Token | None:
        """The token at hand where it is one of these commands."""
        return self.advance() if self.next.is_command(*names) else None

    def begins_factor(self) -> bool:
        """Whether a factor begins at the token at hand."""
        token = self.next
        if token.kind == "|" and (self.bars or token.side == "right"):
            return False
        return token.kind not in _ENDS and sign_of(token) not in _SIGNS

    def is_letter(self, token: Token) -> bool:
        """Whether a command is a letter."""
        from derive.read.latex.alphabet import LETTER_COMMANDS

        return token.text in LETTER_COMMANDS or token.text in ("pi", "infty")

    def is_word(self) -> bool:
        """Whether an upright word of several letters comes next."""
        if not self.next.is_command("mathrm", "mathit"):
            return False
        after = self.tokens[self.position + 1 : self.position + 4]
        return [t.kind for t in after[:3]] == ["{", "letter", "letter"]

    def since(self, start: Token) -> Span:
        """From a token to the one just read."""
        return start.start, self.last.end

    def error(self, message: str, at: Token | Span, hint: str, expected: str = "") -> InputError:
        """What is wrong at a token or a span."""
        span = at.span if isinstance(at, Token) else at
        return self.context.source.error(message, span, hint, expected)

    def left_over(self) -> InputError:
        """The error for what follows a complete value."""
        from derive.read.latex.strangers import stranger

        return stranger(self, self.next)

    def close(self, opening: Token) -> None:
        """The bracket that closes `opening`, and no other."""
        wanted = CLOSING[opening.kind]
        if self.next.kind == wanted and (self.next.side == "right") == (opening.side == "left"):
            self.advance()
            return
        if self.next.kind == "stop":
            raise self.error("this bracket is never closed", opening, f"write {wanted} at its end")
        if self.next.kind in CLOSING.values():
            both = f"{quoted(opening.text)} and {quoted(self.next.text)}"
            hint = f"close it with {wanted}" + (r", \left with \right" if opening.side else "")
            raise self.error(f"{both} do not belong together", self.next, hint)
        raise self.left_over()


_SIGNS = TIMES | SLASH | frozenset(RELATIONS) | {"+", "-"}


def _is_numeric_fraction(node: Node) -> bool:
    return (
        isinstance(node, Quotient)
        and isinstance(node.top, Number)
        and isinstance(node.bottom, Number)
    )
