"""The sentences of the pages in each language, by step, by operation and by key."""

from __future__ import annotations

LANGUAGES = ("en", "zh")

STEPS = {
    # step: {language: (heading, what it does and why)}
    "Q": {
        "en": (
            "Queries",
            "Each token asks a question: its row of the input times the query weights.",
        ),
        "zh": (
            "查询 Q",
            "每个 token 提出一个问题：它在输入中的那一行乘以查询权重，就是它的查询向量。",
        ),
    },
    "K": {
        "en": (
            "Keys",
            "Each token also says what it can be found by: its row times the key weights.",
        ),
        "zh": ("键 K", "每个 token 也说明自己凭什么被找到：由键权重得到它的键向量。"),
    },
    "V": {
        "en": (
            "Values",
            "And each token carries something to pass on: its row times the value weights.",
        ),
        "zh": ("值 V", "每个 token 还带有要传递的内容：由值权重得到它的值向量。"),
    },
    "K^T": {
        "en": (
            "Keys as columns",
            "Written as columns, the keys can be met by the rows of queries in one matrix product.",
        ),
        "zh": ("键的转置", "把键写成列，查询的每一行就能在一次矩阵乘法里与所有键相遇。"),
    },
    "S": {
        "en": (
            "Scores",
            "Row i, column j is the inner product of query i with key j: the better they fit, "
            "the larger it is.",
        ),
        "zh": ("分数", "第 i 行第 j 列是查询 i 与键 j 的内积：两者越相配，数值越大。"),
    },
    "scaled": {
        "en": (
            "Scaled scores",
            "Inner products grow with the width of the vectors; dividing by their typical size "
            "keeps softmax away from the region where one weight takes everything.",
        ),
        "zh": (
            "缩放后的分数",
            "内积会随向量的维数增大；除以它的典型大小，softmax 才不会过早地只选中一个位置。",
        ),
    },
    "masked": {
        "en": (
            "Masked scores",
            "What a token must not see is marked before softmax, so that its weight vanishes.",
        ),
        "zh": ("加上掩码", "不允许看到的位置在 softmax 之前就被标记，于是它的权重消失。"),
    },
    "exp": {
        "en": (
            "Exponentials",
            "The exponential makes every score positive and turns differences of scores into "
            "ratios of weights.",
        ),
        "zh": ("指数", "指数函数使每个分数变为正数，并把分数之差变成权重之比。"),
    },
    "Z": {
        "en": (
            "Row sums",
            "The sum of each row is what its exponentials have to be divided by to add up to 1.",
        ),
        "zh": ("行和", "每一行指数之和，就是让这一行相加为 1 所要除以的数。"),
    },
    "A": {
        "en": (
            "Attention weights",
            "Each exponential over the sum of its row: row i tells how token i divides its "
            "attention.",
        ),
        "zh": ("注意力权重", "每个指数除以它所在行的和：第 i 行说明 token i 怎样分配注意力。"),
    },
    "C": {
        "en": (
            "Contributions",
            "Each value vector enters an output with the weight that token gives it.",
        ),
        "zh": ("各项贡献", "每个值向量按该 token 给它的权重进入输出。"),
    },
    "O": {
        "en": (
            "Output",
            "The contributions of a row, added up: a weighted average of the values, the new "
            "vector of that token.",
        ),
        "zh": ("输出", "把一行的各项贡献相加：值向量的加权平均，就是这个 token 的新向量。"),
    },
}

MEANINGS = {
    # step: {language: what its entries are}
    "H": {"en": "the input, one token a row", "zh": "输入，每行一个 token"},
    "context": {"en": "the other input, one key a row", "zh": "另一个输入，每行一个键"},
    "W_Q": {"en": "query weights", "zh": "查询权重"},
    "W_K": {"en": "key weights", "zh": "键权重"},
    "W_V": {"en": "value weights", "zh": "值权重"},
    "Q": {"en": "what each token looks for", "zh": "每个 token 要找什么"},
    "K": {"en": "what each token is found by", "zh": "每个 token 凭什么被找到"},
    "V": {"en": "what each token passes on", "zh": "每个 token 传递什么"},
    "K^T": {"en": "the keys as columns", "zh": "写成列的键"},
    "S": {"en": "how well query i fits key j", "zh": "查询 i 与键 j 的相配程度"},
    "scaled": {"en": "the scores, brought to scale", "zh": "缩放后的分数"},
    "masked": {"en": "the scores that may count", "zh": "允许计入的分数"},
    "exp": {"en": "the exponentials of the scores", "zh": "分数的指数"},
    "Z": {"en": "the sum of each row of exponentials", "zh": "每行指数之和"},
    "A": {"en": "how token i divides its attention", "zh": "token i 怎样分配注意力"},
    "C": {"en": "each value times its weight", "zh": "每个值乘以它的权重"},
    "O": {"en": "the new vector of each token", "zh": "每个 token 的新向量"},
}

OPERATIONS = {
    # operation: {language: one sentence}
    "Contributions": {
        "en": "Every weight times its value vector.",
        "zh": "每个权重乘以它的值向量。",
    },
    "Exponential": {"en": "e to every entry.", "zh": "对每个元素取以 e 为底的指数。"},
    "Linear": {
        "en": "Every row is multiplied by the weight matrix.",
        "zh": "每一行都乘以权重矩阵。",
    },
    "Mask": {
        "en": "Forbidden positions get a score that softmax turns into weight 0.",
        "zh": "被禁止的位置得到一个分数，softmax 会把它变成权重 0。",
    },
    "Mix": {
        "en": "Each output is the average of the values under the weights of its row.",
        "zh": "每个输出是值向量按该行权重的平均。",
    },
    "RowSums": {"en": "The sum along each row.", "zh": "每一行的和。"},
    "Scale": {"en": "Every score over the same number.", "zh": "每个分数除以同一个数。"},
    "Scores": {
        "en": "The inner product of every query with every key.",
        "zh": "每个查询与每个键的内积。",
    },
    "Softmax": {
        "en": "Each row of scores becomes weights that add up to 1.",
        "zh": "每一行分数变成相加为 1 的权重。",
    },
    "Transpose": {"en": "Rows become columns.", "zh": "行变为列。"},
}

PHRASES = {
    # key: {language: text with {} for what is put in}
    "attention": {"en": "One attention head, step by step", "zh": "一个注意力头，逐步推导"},
    "given": {"en": "Given", "zh": "已知"},
    "conventions": {"en": "Conventions", "zh": "约定"},
    "tokens": {"en": "Tokens: {}.", "zh": "token：{}。"},
    "rows": {
        "en": "Vectors are rows: one token a row. Softmax runs along each row.",
        "zh": "向量写成行：每行一个 token。softmax 沿每一行进行。",
    },
    "context": {
        "en": "Keys and values come from another input, ",
        "zh": "键和值来自另一个输入 ",
    },
    "scale": {"en": "The scores are divided by ", "zh": "分数除以 "},
    "temperature": {"en": ", at temperature ", "zh": "，温度为 "},
    "unmasked": {
        "en": "There is no mask: every token sees every token.",
        "zh": "没有掩码：每个 token 都能看到所有 token。",
    },
    "causal": {
        "en": "The mask is causal: token i sees tokens 1 to i.",
        "zh": "因果掩码：token i 只能看到第 1 到第 i 个 token。",
    },
    "masked": {"en": "The mask is given.", "zh": "掩码已给定。"},
    "mask -oo": {
        "en": " A forbidden score is −∞, so its weight is exactly 0.",
        "zh": "被禁止的分数为 −∞，因此权重恰好为 0。",
    },
    "mask add": {"en": " To a forbidden score is added ", "zh": "对被禁止的分数加上 "},
    "mask replace": {
        "en": " A forbidden score is replaced by ",
        "zh": "被禁止的分数替换为 ",
    },
    "places": {
        "en": "Decimals are rounded to {} places, each by itself; every digit is proved.",
        "zh": "小数保留 {} 位，各自取舍；每一位数字都经过证明。",
    },
    "digits": {
        "en": "Decimals have {} significant digits, each rounded by itself; every digit is proved.",
        "zh": "小数取 {} 位有效数字，各自取舍；每一位数字都经过证明。",
    },
    "half-up": {
        "en": " Ties are rounded away from zero.",
        "zh": "恰在中间时向远离零的方向取。",
    },
    "half-even": {"en": " Ties are rounded to the even digit.", "zh": "恰在中间时取偶数。"},
    "truncate": {
        "en": " They are cut, not rounded.",
        "zh": "采用截断而不是四舍五入。",
    },
    "unscaled": {
        "en": "The scores are left as they are: this head does not scale them.",
        "zh": "分数保持不变：这个注意力头不做缩放。",
    },
    "where": {"en": "Write ", "zh": "记 "},
    "row sum": {
        "en": "Row {}: the printed entries add up to {}, because each is rounded by itself. "
        "The exact entries add up to 1.",
        "zh": "第 {} 行：印出的数相加得 {}，因为每个数是单独取舍的；精确值之和恰为 1。",
    },
    "too wide": {
        "en": " is {} × {}, too wide for the page when written out. Its entries are in "
        "`derive --json`, their decimals in `derive eval`.",
        "zh": " 是 {} × {} 矩阵，完整写出超出页宽。"
        "各元素见 `derive --json`，小数见 `derive eval`。",
    },
    "first row": {"en": "The first row:", "zh": "第一行："},
    "undecided": {
        "en": "Undecided at the highest precision, so no digits are printed: {}.",
        "zh": "在最高精度下仍无法判定，因此不印出数字：{}。",
    },
    "gives": {"en": "{} gives ", "zh": "{} 把注意力的 "},
    "share": {"en": "{} % to {}", "zh": "{} % 给 {}"},
    "token": {"en": "token {}", "zh": "token {}"},
    "token named": {"en": "token {} ({})", "zh": "token {}（{}）"},
    "key": {"en": "key {}", "zh": "键 {}"},
    "heatmap": {
        "en": "The entries of {} as shades: row i is the attention of token i.",
        "zh": "{} 的各元素以深浅表示：第 i 行是 token i 的注意力。",
    },
    "powers": {
        "en": "The powers of e that a calculation by hand needs:",
        "zh": "手算所需的 e 的幂：",
    },
    "carry": {
        "en": "With {} places of the exponentials, every weight comes out right to {} places.",
        "zh": "指数取这 {} 位小数，算出的每个权重在 {} 位小数上都正确。",
    },
    "summary": {"en": "In one line", "zh": "一行概括"},
    "matrices": {
        "en": "Every matrix with its shape:",
        "zh": "各矩阵及其形状：",
    },
    "matrix": {"en": "matrix", "zh": "矩阵"},
    "shape": {"en": "shape", "zh": "形状"},
    "meaning": {"en": "meaning", "zh": "含义"},
    "stop": {"en": ".", "zh": "。"},
    "comma": {"en": ", ", "zh": "，"},
}

TITLES = {
    # the title of a built-in problem: its titles in the other languages
    "One attention head by hand": {"zh": "手算一个注意力头"},
    "One attention head under a causal mask": {"zh": "因果掩码下的一个注意力头"},
    "One attention head without scaling": {"zh": "不缩放的一个注意力头"},
    "One attention head at temperature tau": {"zh": "温度为 τ 的一个注意力头"},
    "Shared queries and keys": {"zh": "查询与键相同的注意力头"},
    "Cross-attention": {"zh": "交叉注意力"},
    "Exact numbers and a letter": {"zh": "精确数与一个字母"},
    "One attention head in symbols": {"zh": "用符号表示的一个注意力头"},
}


def titled(title: str, lang: str) -> str:
    """The title in a language, where it is a built-in problem's; else as it is."""
    return TITLES.get(title, {}).get(lang, title)


def phrase(key: str, lang: str, *values: object) -> str:
    """A phrase in a language, with the values put in."""
    return PHRASES[key][lang].format(*values)


def step_words(name: str, op: str, lang: str) -> tuple[str, str]:
    """(heading, sentence) of a step; a step without words of its own has its operation's."""
    if name in STEPS:
        return STEPS[name][lang]
    return name, OPERATIONS[op][lang]
