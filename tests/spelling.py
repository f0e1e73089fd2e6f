"""SymPy objects spelled on one line, so that a table can say what a formula is read as."""

import sympy


def spelled(x):
    """Names in quotes, constants without; sums and products in SymPy's own order."""
    match x:
        case sympy.Symbol():
            return f"'{x.name}'"
        case sympy.MatrixSymbol():
            return f"[{x.name}]"
        case sympy.Indexed():
            return f"'{x.base.label.name}'[{', '.join(map(spelled, x.indices))}]"
        case sympy.MatrixBase():
            rows = ("[" + ", ".join(map(spelled, row)) + "]" for row in x.tolist())
            return "[" + ", ".join(rows) + "]"
        case sympy.Tuple():
            return f"({', '.join(map(spelled, x))})"
        case sympy.exp():
            return f"exp({spelled(x.args[0])})"
        case sympy.E:
            return "e"
    if not x.args:
        return str(x)
    parts = list(map(spelled, x.args))
    if isinstance(x, (sympy.Add, sympy.Mul)):
        parts.sort()
    return f"{x.func.__name__}({', '.join(parts)})"
