"""The models that can be derived, by the name a problem file gives them."""

from derive.models import (
    attention,
    block,
    decoder,
    heads,
    language,
    norms,
    positions,
    seq2seq,
)
from derive.models.model import Model

MODELS = {
    "attention": Model(attention.derive_attention, attention.matrices, attention.optional),
    "multihead": Model(heads.derive_multihead, heads.matrices, heads.optional),
    "positions": Model(positions.derive_positions, positions.matrices, positions.optional),
    "layernorm": Model(norms.derive_layernorm, norms.matrices, norms.optional),
    "block": Model(block.derive_block, block.matrices, block.optional),
    "decoder": Model(decoder.derive_decoder, decoder.matrices, decoder.optional),
    "language-model": Model(language.derive_language_model, language.matrices, language.optional),
    "seq2seq": Model(seq2seq.derive_seq2seq, seq2seq.matrices, seq2seq.optional),
}
