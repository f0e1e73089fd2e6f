"""Which quantity a name means, whatever the article calls it; words that tell of numbers."""

from __future__ import annotations

import re

ROLES = {
    "H": "x h e input inputs embedding embeddings emb tokens xin eingabe entrada entrée вход"
    " 输入 入力 입력",
    "W_Q": "wq wquery wqueries weightsq",
    "W_K": "wk wkey wkeys weightsk",
    "W_V": "wv wvalue wvalues weightsv",
    "W_O": "wo wout woutput",
    "Q": "q query queries anfragen consultas requêtes запросы 查询",
    "K": "k key keys schluessel schlüssel claves clés ключи 键",
    "V": "v value values werte valores valeurs значения 值",
    "S": "s score scores qk qkt attnscores attentionscores rawscores punkte puntajes оценки"
    " 分数 得分",
    "scaled": "s' s~tilde s~hat scaled scaledscores scaledattnscores stilde sscaled 缩放",
    "A": "a alpha weights attention attn attnweights attentionweights p probs gewichte pesos poids"
    " веса 权重 注意力权重 重み 가중치",
    "O": "o z y out output outputs context contextvec contextvector contextvectors ausgabe salida"
    " sortie выход 输出 出力 출력",
    "mean": "mean mu average avg mittelwert media moyenne среднее 均值 平均 平均值 평균",
    "std": "std sigma sd stddev standardabweichung 标准差 標準偏差 표준편차",
    "var": "var variance varianz varianza σ2 дисперсия 方差 分散 분산",
    "Z": "sum total summe suma somme сумма 总和 和 合計 합",
}  # fmt: skip
_ROLE = {word: role for role, words in ROLES.items() for word in words.split()}
_INDEXED = re.compile(r"([A-Za-z])_?(\d{1,3})'?")
_GREEK = {"μ": "mu", "σ": "sigma", "α": "alpha"}
ASSUMED = re.compile(
    r"(?i)\b(?:assum|suppos|pretend|let us take|say that|angenommen|annehm|supon|supong)"
    r"|предполож|допуст"
    r"|假设|假定|设它|設|仮定|가정|ধরি|मान"
)
RANDOM = re.compile(
    r"(?i)\brandom|rand[n(]|\bseed\b|随机|zufall|случайн|aleator|aléato|乱数|무작위"
)
ROUNDED = re.compile(r"(?i)round|gerundet|округл|arrond|redonde|四舍五入")


def role(name: str) -> str:
    """The quantity a name stands for, or ""."""
    plain = re.sub(r"[\s_^{}()]|\\", "", name)
    plain = _GREEK.get(plain, plain)
    return _ROLE.get(plain.lower(), "")


def indexed(name: str) -> tuple[str, int] | None:
    """The quantity and the number in a name such as q_1, v2 or o3."""
    found = _INDEXED.fullmatch(name)
    if not found:
        return None
    kind = role(found[1])
    return (kind, int(found[2])) if kind in ("H", "Q", "K", "V", "S", "A", "O") else None
