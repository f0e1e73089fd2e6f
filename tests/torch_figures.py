"""Makes tests/figures/torch.json: what PyTorch computes, in double precision, of small models.

Run it where PyTorch is installed: `python tests/torch_figures.py`.
"""

import json
import math
import random
from fractions import Fraction
from pathlib import Path

import torch
from torch import nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

FILE = Path(__file__).parent / "figures" / "torch.json"
SHAPES = ((3, 2, 2, 2), (2, 3, 1, 2), (4, 4, 3, 5), (6, 2, 4, 1), (1, 1, 1, 1))
"""n, d_model, d_k, d_v."""
DOUBLE = torch.float64
WORDS = ["<s>", "a", "b", "c", "</s>"]


def head(shape, causal, seed):
    """The inputs, as integers, with the weights and the output of one head."""
    n, d_model, d_k, d_v = shape
    draw = random.Random(seed)

    def matrix(rows, columns):
        return [[draw.randint(-3, 3) for _ in range(columns)] for _ in range(rows)]

    given = {"H": matrix(n, d_model)}
    for name, width in (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v)):
        given[name] = matrix(d_model, width)
    H, W_Q, W_K, W_V = (torch.tensor(m, dtype=DOUBLE) for m in given.values())
    Q, K, V = H @ W_Q, H @ W_K, H @ W_V
    O = scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=causal)[0]
    # With the identity for values, the output is the weights.
    A = scaled_dot_product_attention(
        Q[None], K[None], torch.eye(n, dtype=DOUBLE)[None], is_causal=causal
    )[0]
    return {"given": given, "causal": causal, "A": A.tolist(), "O": O.tolist()}


class Draw:
    """Random fractions, remembered by the names under which a problem states them."""

    def __init__(self, seed):
        self.random, self.given = random.Random(seed), {}

    def fraction(self):
        return Fraction(self.random.randint(-19, 19), self.random.choice([7, 9, 10, 11, 13, 16]))

    def matrix(self, name, rows, columns):
        """A matrix as PyTorch holds it."""
        exact = [[self.fraction() for _ in range(columns)] for _ in range(rows)]
        self.given[name] = [[str(x) for x in row] for row in exact]
        return torch.tensor([[float(x) for x in row] for row in exact], dtype=DOUBLE)

    def linear(self, layer, weight, bias):
        """A layer's weight, transposed, and its bias."""
        rows, columns = layer.weight.shape
        layer.weight.data = self.matrix(weight, columns, rows).T.contiguous()
        layer.bias.data = self.matrix(bias, 1, rows)[0]

    def attention(self, module, scope=""):
        """The projections, which PyTorch keeps in one matrix, and the output's."""
        d = module.embed_dim
        made = [self.matrix(f"{scope}W_{x}", d, d).T for x in "QKV"]
        module.in_proj_weight.data = torch.cat(made)
        biases = [self.matrix(f"{scope}b_{x}", 1, d)[0] for x in "QKV"]
        module.in_proj_bias.data = torch.cat(biases)
        self.linear(module.out_proj, f"{scope}W_O", f"{scope}b_O")

    def norm(self, module, gamma, beta):
        """Gain and bias."""
        d = len(module.weight)
        module.weight.data = self.matrix(gamma, 1, d)[0]
        module.bias.data = self.matrix(beta, 1, d)[0]

    def layer(self, module, scope=""):
        """An encoder's or a decoder's layer."""
        crosses = hasattr(module, "multihead_attn")
        self.attention(module.self_attn, f"{scope}self." if crosses else scope)
        if crosses:
            self.attention(module.multihead_attn, f"{scope}cross.")
        self.linear(module.linear1, f"{scope}W_1", f"{scope}b_1")
        self.linear(module.linear2, f"{scope}W_2", f"{scope}b_2")
        for k in (1, 2, 3)[: 3 if crosses else 2]:
            norm = getattr(module, f"norm{k}")
            self.norm(norm, f"{scope}gamma{k}", f"{scope}beta{k}")

    def stack(self, module, scope="", *, named=False):
        """The layers and the last norm."""
        for k, layer in enumerate(module.layers, 1):
            self.layer(layer, f"{scope}L{k}." if named or len(module.layers) > 1 else scope)
        if module.norm is not None:
            self.norm(module.norm, f"{scope}gamma", f"{scope}beta")


def causal(n):
    """True where PyTorch must not look."""
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)


def sinusoids(n, d):
    """The encodings of 2017, in floats."""
    rows = [[p / 10000 ** (2 * (j // 2) / d) for j in range(d)] for p in range(n)]
    return torch.tensor(
        [[math.cos(a) if j % 2 else math.sin(a) for j, a in enumerate(row)] for row in rows],
        dtype=DOUBLE,
    )


def multihead(seed, n, d, heads, context, mask):
    """nn.MultiheadAttention."""
    draw = Draw(seed)
    module = nn.MultiheadAttention(d, heads, batch_first=True, dtype=DOUBLE)
    H = draw.matrix("H", n, d)
    X = draw.matrix("context", context, d) if context else H
    draw.attention(module)
    hidden = causal(n) if mask else None
    Y, A = module(H[None], X[None], X[None], attn_mask=hidden, average_attn_weights=False)
    names = [f"A^({h})" for h in range(1, heads + 1)] if heads > 1 else ["A"]
    values = {"Y": Y[0], **dict(zip(names, A[0], strict=True))}
    choices = {"heads": heads, **({"mask": "causal"} if mask else {})}
    return case("multihead", draw, choices, values)


def block(seed, n, d, d_ff, heads, norm, activation, layers=1, mask=False):
    """nn.TransformerEncoderLayer, or nn.TransformerEncoder with its last norm."""
    draw = Draw(seed)
    layer = nn.TransformerEncoderLayer(
        d, heads, d_ff, 0.0, activation, batch_first=True, norm_first=norm == "pre", dtype=DOUBLE
    )
    last = nn.LayerNorm(d, dtype=DOUBLE) if layers > 1 else None
    module = nn.TransformerEncoder(layer, layers, last, enable_nested_tensor=False)
    H = draw.matrix("H", n, d)
    draw.stack(module)
    out = module(H[None], mask=causal(n) if mask else None)[0]
    name = "N" if layers > 1 else "N2" if norm == "post" else "R2"
    choices = {"heads": heads, "norm": norm, "activation": activation, "layers": layers}
    return case("block", draw, choices | ({"mask": "causal"} if mask else {}), {name: out})


def decoder(seed, n, m, d, heads, norm, activation, layers=1):
    """nn.TransformerDecoderLayer, or nn.TransformerDecoder with its last norm."""
    draw = Draw(seed)
    layer = nn.TransformerDecoderLayer(
        d, heads, d + 1, 0.0, activation, batch_first=True, norm_first=norm == "pre", dtype=DOUBLE
    )
    last = nn.LayerNorm(d, dtype=DOUBLE) if layers > 1 else None
    module = nn.TransformerDecoder(layer, layers, last)
    H, memory = draw.matrix("H", n, d), draw.matrix("context", m, d)
    draw.stack(module)
    out = module(H[None], memory[None], tgt_mask=causal(n))[0]
    name = "N" if layers > 1 else "N3" if norm == "post" else "R3"
    choices = {"heads": heads, "norm": norm, "activation": activation, "layers": layers}
    return case("decoder", draw, choices, {name: out})


def language_model(seed, tokens, d, heads, norm, layers, positions, tied):
    """Embedding, causal nn.TransformerEncoder, output, cross-entropy."""
    draw, words = Draw(seed), WORDS
    n, numbers = len(tokens), [words.index(w) for w in tokens]
    layer = nn.TransformerEncoderLayer(
        d, heads, 2 * d, 0.0, "gelu", batch_first=True, norm_first=norm == "pre", dtype=DOUBLE
    )
    last = nn.LayerNorm(d, dtype=DOUBLE) if norm == "pre" else None
    module = nn.TransformerEncoder(layer, layers, last, enable_nested_tensor=False)
    W_E = draw.matrix("W_E", len(words), d)
    H = W_E[numbers] + (sinusoids(n, d) if positions == "sinusoidal" else draw.matrix("PE", n, d))
    draw.stack(module, named=True)
    X = module(H[None], mask=causal(n))[0]
    logits = X @ (W_E.T if tied else draw.matrix("W_U", d, len(words)))
    loss = cross_entropy(logits[:-1], torch.tensor(numbers[1:]))
    values = {"logits": logits, "P": logits.softmax(-1), "loss": loss, "PPL": loss.exp()}
    choices = {"heads": heads, "norm": norm, "activation": "gelu", "layers": layers}
    made = case("language-model", draw, {**choices, "positions": positions}, values)
    return made | {"tokens": tokens, "vocabulary": words}


def seq2seq(seed, source, target, d, heads, norm, layers):
    """nn.Transformer, both of whose stacks end with a norm."""
    draw, words = Draw(seed), WORDS
    module = nn.Transformer(
        d, heads, layers, layers, d + 1, 0.0, batch_first=True, norm_first=norm == "pre",
        dtype=DOUBLE,
    )  # fmt: skip
    W_E = draw.matrix("W_E", len(words), d)
    draw.stack(module.encoder, "enc.", named=True)
    draw.stack(module.decoder, "dec.", named=True)
    read, written = ([words.index(w) for w in text] for text in (source, target))
    X, Y = (W_E[t] + sinusoids(len(t), d) for t in (read, written[:-1]))
    out = module(X[None], Y[None], tgt_mask=causal(len(Y)))[0]
    logits = out @ draw.matrix("W_U", d, len(words)) + draw.matrix("b_U", 1, len(words))
    loss = cross_entropy(logits, torch.tensor(written[1:]))
    values = {"enc.N": module.encoder(X[None])[0], "logits": logits, "loss": loss}
    choices = {"heads": heads, "norm": norm, "layers": layers, "positions": "sinusoidal"}
    made = case("seq2seq", draw, choices, values)
    return made | {"tokens": source, "targets": target, "vocabulary": words}


def case(model, draw, conventions, values):
    """One model's inputs and figures."""
    values = {name: (x if x.dim() else x.reshape(1, 1)).tolist() for name, x in values.items()}
    return {"model": model, "given": draw.given, "conventions": conventions, "values": values}


def models():
    """One of each, in every combination that PyTorch has a class for."""
    yield multihead(101, 3, 4, 2, 0, False)
    yield multihead(102, 4, 6, 3, 0, True)
    yield multihead(103, 2, 4, 2, 3, False)
    yield multihead(104, 3, 3, 1, 0, True)
    seed = 110
    for norm in ("post", "pre"):
        for activation in ("relu", "gelu"):
            yield block(seed, 3, 4, 5, 2, norm, activation)
            yield decoder(seed + 1, 3, 2, 4, 2, norm, activation)
            yield block(seed + 2, 4, 4, 6, 2, norm, activation, layers=3, mask=True)
            yield decoder(seed + 3, 2, 3, 4, 2, norm, activation, layers=2)
            seed += 4
    yield block(140, 5, 8, 8, 4, "post", "gelu")
    yield language_model(150, ["<s>", "a", "c", "b"], 4, 2, "pre", 2, "learned", True)
    yield language_model(151, ["a", "a", "</s>"], 2, 1, "post", 1, "sinusoidal", False)
    yield seq2seq(160, ["a", "b", "c"], ["<s>", "c", "b", "</s>"], 4, 2, "post", 2)
    yield seq2seq(161, ["b"], ["<s>", "</s>"], 2, 1, "pre", 1)


def main():
    """Write the figures."""
    heads = [head(s, c, k) for k, s in enumerate(SHAPES) for c in (False, True)]
    with torch.no_grad():
        found = {"torch": torch.__version__, "heads": heads, "models": list(models())}
    text = json.dumps(found, separators=(",", ":"))
    FILE.write_text(text.replace('{"given"', '\n{"given"').replace('{"model"', '\n{"model"') + "\n")


if __name__ == "__main__":
    main()
