"""What the commands and signs of LaTeX mean to the reader: one row each."""

from __future__ import annotations

from collections.abc import Mapping

GREEK = frozenset(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda "
    "mu nu xi omicron rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta "
    "Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split()
)
LETTER_COMMANDS = GREEK | {"ell", "hbar"}
"""Commands that are one letter each."""

ACCENTS = frozenset(
    "hat widehat tilde widetilde bar overline vec dot ddot check breve acute grave mathring "
    "overrightarrow underline".split()
)
STYLES = {
    "mathbf": "bold",
    "boldsymbol": "bold",
    "bm": "bold",
    "pmb": "bold",
    "mathcal": "calligraphic",
    "mathscr": "script",
    "mathfrak": "fraktur",
    "mathbb": "blackboard",
    "mathsf": "sans",
    "mathtt": "typewriter",
    "mathnormal": "",
}
"""Commands that change how one letter looks."""
UPRIGHT = frozenset(("mathrm", "mathit", "operatorname", "operatorname*", "mathop", "rm", "it"))
"""Commands whose letters are one word."""
TEXTS = frozenset("text textrm textit textbf textsf texttt mbox hbox textnormal".split())
"""Commands whose content is words, spaces and all."""

THIN = frozenset(
    (",", ";", ":", "!", ">", " ", "\n", "\t", "thinspace", "medspace", "nobreakspace")
)
WIDE = frozenset(("quad", "qquad", "enspace", "hspace", "hskip", "hfill", "enskip"))
IGNORED = frozenset(
    "displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag "
    "boldmath relax allowbreak strut".split()
)
SIZES = frozenset(
    side + size for side in ("big", "Big", "bigg", "Bigg") for size in ("", "l", "r", "m")
)

DELIMITERS = {
    "(": "(",
    ")": ")",
    "[": "[",
    "]": "]",
    "|": "|",
    "/": "/",
    "\\{": "\\{",
    "\\}": "\\}",
    "\\|": "\\|",
    "\\lbrace": "\\{",
    "\\rbrace": "\\}",
    "\\lbrack": "[",
    "\\rbrack": "]",
    "\\lparen": "(",
    "\\rparen": ")",
    "\\vert": "|",
    "\\lvert": "\\lvert",
    "\\rvert": "\\rvert",
    "\\Vert": "\\|",
    "\\lVert": "\\|",
    "\\rVert": "\\|",
    "\\lfloor": "\\lfloor",
    "\\rfloor": "\\rfloor",
    "\\lceil": "\\lceil",
    "\\rceil": "\\rceil",
}
CLOSING = {
    "(": ")",
    "[": "]",
    "\\{": "\\}",
    "{": "}",
    "\\lfloor": "\\rfloor",
    "\\lceil": "\\rceil",
    "\\lvert": "\\rvert",
}

RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    "\\approx": r"\approx",
    "\\le": r"\le",
    "\\leq": r"\le",
    "\\leqslant": r"\le",
    "\\ge": r"\ge",
    "\\geq": r"\ge",
    "\\geqslant": r"\ge",
    "\\ne": r"\ne",
    "\\neq": r"\ne",
    "\\lt": "<",
    "\\gt": ">",
}
TIMES = frozenset(("*", "\\cdot", "\\times"))
SLASH = frozenset(("/", "\\div"))

FUNCTIONS = {
    name: name for name in ("exp log sin cos tan cot sec csc sinh cosh tanh coth erf erfc".split())
} | {
    "ln": "log",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
}
"""Functions of one argument, by the name SymPy gives them."""
EXTREMES = {"max": "Max", "min": "Min"}
FUNCTION_COMMANDS = frozenset(
    "exp log ln sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan max min".split()
)
FUNCTION_LETTERS = frozenset("f g F G sigma phi varphi psi Phi Psi".split())
"""Letters that, before a bracket, are functions and not factors."""

# What is left out on purpose, and what to write instead.
REFUSED: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("cdots", "ldots", "dots", "vdots", "ddots", "dotsc", "dotsb", "dotsm", "hdots", "iddots"),
        ("dots leave out what cannot be guessed", "write every term or entry"),
    ),
    **dict.fromkeys(("pm", "mp"), ("two signs at once are two formulas", "write each by itself")),
    **dict.fromkeys(
        ("int", "iint", "oint"), ("integrals are not read here", "write the value or a symbol")
    ),
    "lim": ("limits are not read here", "write the limit's value or a symbol"),
    **dict.fromkeys(
        ("sim", "simeq", "cong", "propto", "ll", "gg", "doteq"),
        ("this relation is not one of those read here", r"write =, \approx, <, \le, >, \ge or \ne"),
    ),
    "equiv": (r"\equiv may say identical, congruent or defined", "write = if it says equal"),
    "coloneqq": ("a definition is not an equation", "write ="),
    **dict.fromkeys(
        "to rightarrow mapsto Rightarrow implies iff Leftrightarrow gets longrightarrow "
        "Longrightarrow leftarrow Leftarrow uparrow downarrow".split(),
        ("an arrow joins two statements, not two values", "give each statement by itself"),
    ),
    **dict.fromkeys(
        "in notin subset subseteq cup cap setminus emptyset forall exists mid land lor neg wedge "
        "vee ni therefore because".split(),
        ("sets and logic are not read here", "give the values alone"),
    ),
    **dict.fromkeys(
        ("odot", "otimes", "oplus", "star", "ast", "circ", "bullet", "diamond", "ominus"),
        (
            "this operation has no agreed meaning here",
            r"write \cdot, \times, + or / for what is meant",
        ),
    ),
    **dict.fromkeys(
        ("bmod", "pmod", "mod"), ("remainders are not read here", "write the value itself")
    ),
    **dict.fromkeys(
        "gcd lcm dim ker Pr arg deg hom inf sup lg limsup liminf".split(),
        ("this function is not read here", r"write its value, or \operatorname{name}(x)"),
    ),
    **dict.fromkeys(
        ("nabla", "partial"),
        ("a derivative is read only as a fraction", r"write \frac{\partial L}{\partial x}"),
    ),
    **dict.fromkeys(
        ("color", "textcolor", "colorbox", "phantom", "hphantom", "vphantom", "rule", "raisebox"),
        ("looks and invisible signs are not read here", "leave this command out"),
    ),
    **dict.fromkeys(("degree",), ("degrees are not read here", r"write radians: \frac{\pi}{2}")),
    "choose": (r"\choose is not read here", r"write \binom{n}{k}"),
    "over": (r"\over is not read here", r"write \frac{a}{b}"),
    "not": (r"\not is not read here", r"write \ne"),
    "middle": (r"\middle is not read here", r"write \left( ... \right) alone"),
    "&": ("an ampersand of text stands in a formula", "leave it out"),
    "#": ("# has no meaning in a formula", "leave it out"),
    "$": ("a dollar sign stands in a formula", "give the number alone"),
}

SIGNS: Mapping[str, str] = {
    "×": r"\times",
    "·": r"\cdot",
    "⋅": r"\cdot",
    "∙": r"\cdot",
    "÷": r"\div",
    "√": r"\sqrt",
    "∞": r"\infty",
    "≤": r"\le",
    "⩽": r"\le",
    "≥": r"\ge",
    "⩾": r"\ge",
    "≠": r"\ne",
    "ℓ": r"\ell",
    "π": r"\pi",
    "⊤": r"\top",
    "−": "-",
    "﹣": "-",
    "﹢": "+",
    "′": "'",
    "’": "'",
    "∕": "/",
    "⁄": "/",
}
"""Unicode signs and the LaTeX they stand for."""
FRACTIONS = {
    "½": (1, 2),
    "⅓": (1, 3),
    "⅔": (2, 3),
    "¼": (1, 4),
    "¾": (3, 4),
    "⅕": (1, 5),
    "⅛": (1, 8),
}
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
