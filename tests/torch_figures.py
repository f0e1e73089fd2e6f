"""Makes tests/figures/torch.json: what PyTorch computes, in double precision, of small heads.

Run it where PyTorch is installed: `python tests/torch_figures.py`.
"""

import json
import random
from pathlib import Path

import torch
from torch.nn.functional import scaled_dot_product_attention

FILE = Path(__file__).parent / "figures" / "torch.json"
SHAPES = ((3, 2, 2, 2), (2, 3, 1, 2), (4, 4, 3, 5), (6, 2, 4, 1), (1, 1, 1, 1))
"""n, d_model, d_k, d_v."""


def head(shape, causal, seed):
    """The inputs, as integers, with the weights and the output of one head."""
    n, d_model, d_k, d_v = shape
    draw = random.Random(seed)

    def matrix(rows, columns):
        return [[draw.randint(-3, 3) for _ in range(columns)] for _ in range(rows)]

    given = {"H": matrix(n, d_model)}
    for name, width in (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v)):
        given[name] = matrix(d_model, width)
    H, W_Q, W_K, W_V = (torch.tensor(m, dtype=torch.float64) for m in given.values())
    Q, K, V = H @ W_Q, H @ W_K, H @ W_V
    O = scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=causal)[0]
    # With the identity for values, the output is the weights.
    A = scaled_dot_product_attention(
        Q[None], K[None], torch.eye(n, dtype=torch.float64)[None], is_causal=causal
    )[0]
    return {"given": given, "causal": causal, "A": A.tolist(), "O": O.tolist()}


def main():
    """Write the figures."""
    heads = [head(s, c, k) for k, s in enumerate(SHAPES) for c in (False, True)]
    text = json.dumps({"torch": torch.__version__, "heads": heads}, separators=(",", ":"))
    FILE.write_text(text.replace('{"given"', '\n{"given"') + "\n")


if __name__ == "__main__":
    main()
