"""What is done with a problem on a worksheet."""

KINDS = ("compute", "find-mistake", "explain", "shapes", "match", "gradient", "what-if")
"""Numbers worked out, the one wrong step found, steps named with their reasons, a table of shapes
completed, formulas and shapes matched, a gradient, a change."""
TRUTH = "true-false"
"""Statements judged, which rest on no problem."""
DERIVING = ("gradient", "what-if")
"""Of which other problems are drawn than to be worked out."""
NUMERIC = ("compute", *DERIVING)
"""Of which every blank is a number with a tolerance."""
TABLES = ("shapes", "match")
"""Which ask for no numbers of a problem, so that any will do."""
WHOLE = ("find-mistake", "explain")
"""Which are about every step."""
DEEP = ("decoder", "language-model", "seq2seq")
"""Models of which a sheet asks for a part: what it rests on stands there, and nothing before it."""
MOST_PLACES = 9
"""So many decimal places at most."""
