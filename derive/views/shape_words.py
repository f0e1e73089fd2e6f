"""The sentences of the pages of shapes, in each language."""

from __future__ import annotations

SIZES = {
    # letter: {language: what it is the number of}
    "L": {"en": "layers of a stack", "zh": "每个堆叠的层数"},
    "B": {"en": "texts in a batch", "zh": "一批中的句子数"},
    "h": {"en": "heads", "zh": "注意力头数"},
    "h_kv": {
        "en": "heads of keys and values, each serving several",
        "zh": "键和值的头数，每个供多个头使用",
    },
    "n": {"en": "tokens of a text", "zh": "句子长度（token 数）"},
    "m": {"en": "keys", "zh": "键的个数"},
    "target": {"en": "tokens of the target", "zh": "目标句长度（token 数）"},
    "source": {
        "en": "tokens of the source, which cross-attention looks at",
        "zh": "源句长度（token 数），即交叉注意力的键数",
    },
    "queries": {"en": "tokens that ask", "zh": "发出查询的 token 数"},
    "V": {"en": "vocabulary", "zh": "词表大小"},
    "P": {"en": "learned positions", "zh": "可学习的位置数"},
    "T": {"en": "kinds of segments", "zh": "句段类型数"},
    "d_model": {"en": "width of a token's vector", "zh": "每个 token 向量的维数"},
    "d_k": {"en": "width of a query and of a key, in one head", "zh": "每个头中查询和键的维数"},
    "d_v": {"en": "width of a value, in one head", "zh": "每个头中值的维数"},
    "d_ff": {"en": "width inside the feed-forward network", "zh": "前馈网络内部的维数"},
    "d_context": {"en": "width of the other input", "zh": "另一个输入的维数"},
}

PARTS = {
    # part: {language: what it is called, letters in braces}
    "tokens": {"en": "token numbers", "zh": "token 编号"},
    "embedding": {"en": "embedding", "zh": "词嵌入"},
    "PE": {"en": "sinusoids added", "zh": "加上正弦位置编码"},
    "positions": {"en": "positions added", "zh": "加上位置嵌入"},
    "segments": {"en": "segments added", "zh": "加上句段嵌入"},
    "embedding norm": {"en": "norm", "zh": "归一化"},
    "Q": {"en": "queries {Q}", "zh": "查询 {Q}"},
    "K": {"en": "keys {K}", "zh": "键 {K}"},
    "V": {"en": "values {V}", "zh": "值 {V}"},
    "Q by heads": {"en": "{Q} by heads", "zh": "{Q} 分头"},
    "K by heads": {"en": "{K} by heads", "zh": "{K} 分头"},
    "V by heads": {"en": "{V} by heads", "zh": "{V} 分头"},
    "Q rotated": {"en": "{Q} rotated", "zh": "{Q} 旋转"},
    "K rotated": {"en": "{K} rotated", "zh": "{K} 旋转"},
    "K^T": {"en": "keys as columns {K^T}", "zh": "键的转置 {K^T}"},
    "S": {"en": "scores {S}", "zh": "分数 {S}"},
    "scaled": {"en": "scaled", "zh": "缩放"},
    "biased": {"en": "distances added", "zh": "加上距离偏置"},
    "masked": {"en": "masked", "zh": "掩码"},
    "A": {"en": "softmax {A}", "zh": "softmax {A}"},
    "O": {"en": "mix {O}", "zh": "加权求和 {O}"},
    "heads": {"en": "heads side by side", "zh": "各头拼接"},
    "Y": {"en": "times {W_O}", "zh": "乘以 {W_O}"},
    "gate": {"en": "gate", "zh": "门"},
    "U": {"en": "widened", "zh": "扩维"},
    "activation": {"en": "activation", "zh": "激活"},
    "gated": {"en": "gated", "zh": "乘以门"},
    "F": {"en": "narrowed {F}", "zh": "缩回 {F}"},
    **{f"R{k}": {"en": "residual sum", "zh": "残差和"} for k in (1, 2, 3)},
    **{f"N{k}": {"en": "norm", "zh": "归一化"} for k in (1, 2, 3)},
    "final norm": {"en": "norm", "zh": "归一化"},
    "hidden states": {"en": "hidden states", "zh": "隐藏状态"},
    "first token": {"en": "first token", "zh": "第一个 token"},
    "pooler": {"en": "pooler", "zh": "pooler 层"},
    "tanh": {"en": "tanh", "zh": "tanh"},
    "logits": {"en": "logits", "zh": "logits"},
    "probabilities": {"en": "softmax", "zh": "softmax"},
}

PHRASES = {
    # key: {language: text with {} for what is put in}
    "title": {"en": "Shapes and counts", "zh": "形状与计数"},
    "sizes": {"en": "Sizes", "zh": "规模"},
    "letter": {"en": "letter", "zh": "字母"},
    "size": {"en": "size", "zh": "大小"},
    "meaning": {"en": "meaning", "zh": "含义"},
    "counted": {
        "en": "Shapes are those of a batch. A parameter is a trained number; a matrix that is used "
        "twice is counted once. A multiply-add is one product of a matrix product together with "
        "its addition, for one pass forward over the batch; a bias is where a sum starts, a "
        "lookup takes none, and masked scores are counted like the others. What works entry by "
        "entry (softmax, norms, activations, sums) has no matrix product: its work grows with the "
        "entries of its shape.",
        "zh": "形状是一批数据的形状。参数指训练得到的数；使用两次的矩阵只计一次。"
        "一次乘加是矩阵乘法中的一次乘法连同它的加法，按整批前向计算一遍来数；"
        "偏置是求和的起点，查表不需要乘加，被掩码的分数也照样计入。"
        "逐元素的步骤（softmax、归一化、激活、求和）没有矩阵乘法：其工作量与形状中的元素个数成正比。",
    },
    "counted steps": {
        "en": "A parameter is an entry of a weight matrix. A multiply-add is one product of a "
        "matrix product together with its addition; what works entry by entry has none, and the "
        "contributions are the products of the output, which are counted there.",
        "zh": "参数指权重矩阵的元素。一次乘加是矩阵乘法中的一次乘法连同它的加法；"
        "逐元素的步骤没有乘加，各项贡献就是输出中的那些乘积，在输出处计数。",
    },
    "head width": {
        "en": "Each head has its own, narrower vectors; side by side the heads are as wide as the "
        "model:",
        "zh": "每个头有自己较窄的向量；各头拼接后与模型同宽：",
    },
    "letters": {"en": "in letters", "zh": "字母"},
    "numbers": {"en": "in numbers", "zh": "数值"},
    "part": {"en": "part", "zh": "部分"},
    "shape": {"en": "shape", "zh": "形状"},
    "parameters": {"en": "parameters", "zh": "参数"},
    "multiply-adds": {"en": "multiply-adds", "zh": "乘加"},
    "embedding": {"en": "Embedding", "zh": "嵌入"},
    "source embedding": {"en": "Source embedding", "zh": "源句嵌入"},
    "target embedding": {"en": "Target embedding", "zh": "目标句嵌入"},
    "layer": {"en": "Layer", "zh": "层"},
    "encoder layer": {"en": "Encoder layer", "zh": "编码器层"},
    "decoder layer": {"en": "Decoder layer", "zh": "解码器层"},
    "times": {"en": ", {} of them", "zh": "，共 {} 层"},
    "encoder output": {"en": "Encoder output", "zh": "编码器输出"},
    "output": {"en": "Output", "zh": "输出"},
    "given": {"en": "Given", "zh": "已知"},
    "steps": {"en": "Steps", "zh": "各步骤"},
    "attention": {"en": "Attention", "zh": "注意力"},
    "self-attention": {"en": "Self-attention", "zh": "自注意力"},
    "cross-attention": {"en": "Cross-attention", "zh": "交叉注意力"},
    "feed-forward": {"en": "Feed-forward", "zh": "前馈网络"},
    "of one layer": {
        "en": "Parameters and multiply-adds of one layer:",
        "zh": "一层的参数与乘加：",
    },
    "whole": {"en": "The whole", "zh": "合计"},
    "together": {"en": "together", "zh": "总计"},
    "published": {"en": "Beside the published count", "zh": "与公布的参数量比较"},
    "source": {"en": " ({})", "zh": "（{}）"},
    "agrees": {
        "en": "Published are {} parameters{}; the count above rounds to that.",
        "zh": "公布的参数量为 {}{}；上面的计数取整后与之一致。",
    },
    "differs": {
        "en": "Published are {} parameters{}. The count from the stated sizes differs by {}, more "
        "than rounding explains.",
        "zh": "公布的参数量为 {}{}。由给定规模得到的计数与它相差 {}，超出了取整所能解释的范围。",
    },
    "vocabulary": {
        "en": "A word more in the vocabulary is {} parameters more. With all else as stated, the "
        "published figure would need a vocabulary from {} to {}.",
        "zh": "词表每多一个词，就多 {} 个参数。若其他规模不变，要得到公布的数字，"
        "词表须在 {} 到 {} 之间。",
    },
}

_VASWANI = {
    "en": "The paper gives its vocabulary only as about 37000 tokens, so this is the one size that "
    "is not known exactly. It does not settle the difference: no single vocabulary yields both "
    "rounded figures of the paper, 65 million for the base model and 213 million for the big "
    "one. Biases in the attention maps, which the paper does not have, would add far less than "
    "a rounding unit (36,864 to the base model, 73,728 to the big one).",
    "zh": "论文只说词表约为 37000 个 token，因此这是唯一不确切的规模。但它并不能解释全部差异："
    "没有任何一个词表大小能同时得到论文中两个取整后的数字（base 为 6500 万，big 为 2.13 亿）。"
    "论文的注意力映射没有偏置；即使加上，也远小于取整单位（base 只多 36,864，big 只多 73,728）。",
}
COMMENTS = {
    # group or architecture: {language: what is worth saying of it}
    "encoder output": {
        "en": "Every decoder layer makes its keys and values of cross-attention from this.",
        "zh": "每个解码器层的交叉注意力都由它得到键和值。",
    },
    "transformer-base": _VASWANI,
    "transformer-big": _VASWANI,
}

TITLES = {
    "Transformer, base model of 2017": {"zh": "2017 年的 Transformer（base）"},
    "Transformer, big model of 2017": {"zh": "2017 年的 Transformer（big）"},
    "BERT base": {"zh": "BERT base"},
    "GPT-2 small": {"zh": "GPT-2 small"},
    "Llama 2 7B": {"zh": "Llama 2 7B"},
}


def say(key: str, lang: str, *values: object) -> str:
    """A phrase in a language, with the values put in."""
    return PHRASES[key][lang].format(*values)


def titled(title: str, lang: str) -> str:
    """The title in a language, where it is a built-in one; else as it is."""
    from derive.views.words import titled

    return TITLES.get(title, {}).get(lang) or titled(title, lang)
