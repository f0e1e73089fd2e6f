"""Which quantity a name means, whatever the article calls it; words that tell of numbers."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from derive.verify.speech.hearing import heard

ROLES = {
    "H": "x h e input inputs embedding embeddings emb embs tokens xin x0 h0 eingabe entrada entrée"
    " вход 输入 입력 入力 输入矩阵 词向量 词嵌入 嵌入 埋め込み 임베딩 ingresso einbettungen"
    " inputmatrix inputembeddings tokenembeddings embeds вложения эмбеддинги",
    "M": "memory mem encoderoutput encout xenc henc encoder speicher 记忆 编码器输出",
    "Q'": "q' qrot qrope q~tilde q~hat qrotated qr",
    "K'": "k' krot krope k~tilde k~hat krotated kr",
    "W_Q": "wq wquery wqueries weightsq queryweight wqweight",
    "W_K": "wk wkey wkeys weightsk keyweight",
    "W_V": "wv wvalue wvalues weightsv valueweight",
    "W_O": "wo wout woutput woutputs outputweight wproj",
    "b_Q": "bq", "b_K": "bk", "b_V": "bv", "b_O": "bo",
    "Q": "qnew qneu qcur qlast newquery"
    " q query queries anfragen anfrage abfragen consultas consulta requêtes requête запросы"
    " запрос 查询 查询矩阵 查询向量 クエリ 쿼리",
    "K": "kcache kcached kpast kprev kold kalt knew kneu kcur pastkeys cachedkeys newkey"
    " k key keys schluessel schlüssel claves clave clés clé ключи ключ 键 键矩阵 键向量"
    " キー 키",
    "V": "vcache vcached vpast vprev vold valt vnew vneu vcur pastvalues cachedvalues newvalue"
    " v value values werte wert valores valor valeurs valeur значения 值 值矩阵 值向量"
    " バリュー",
    "S": "s score scores qk qkt attnscores attentionscores attnscore rawscores rawscore rohscores"
    " rohwerte puntajes puntuaciones оценки скоры 分数 得分 注意力得分 注意力分数 点积 スコア 점수"
    " dotproducts dotproduct punktprodukt punktprodukte skalarprodukte produitsscalaires"
    " punteggi pontuações scoresbruts energies energy",
    "scaled": "s' s~tilde s~hat scaled scaledscores scaledscore scaledattnscores stilde sscaled"
    " shat attnscoresscaled scoresscaled scaledlogits logitsscaled 缩放 缩放得分 缩放后"
    " 缩放分数 スケーリング skaliert"
    " skaliertescores escalados escaladas scalés масштабированные",
    "masked": "masked maskedscores smasked scoresmasked maskiert enmascarados masqués",
    "A": "a alpha weights weight attention attn attnweights attentionweights attentionmatrix"
    " softmaxscores attnprobs attentionprobs p probs probabilities gewichte"
    " aufmerksamkeitsgewichte pesos pesosdeatención poids poidsdattention веса весавнимания"
    " 权重 注意力权重 注意力矩阵 アテンション重み 重み 注意重み 가중치 pesi",
    "O": "o z y out output outputs context contextvec contextvector contextvectors contexts head"
    " attnoutput attentionoutput ausgabe kontext kontextvektoren salida sortie выход uscita saída"
    " 输出 出力 출력 上下文 上下文向量 注意力输出",
    "mean": "mean mu average avg mittelwert mittel media moyenne среднее 均值 平均 平均值 평균",
    "std": "std sigma sd stddev standardabweichung desviación écarttype 标准差 標準偏差 표준편차",
    "var": "var variance varianz varianza σ2 sigma2 sigmasq дисперсия 方差 分散 분산",
    "rms": "rms rootmeansquare 均方根 quadratischesmittel",
    "Z": "sum total summe suma soma somma som somme сумма сума 总和 和 合計 合计 总计 總和 合"
    " 합 합계 총합 итого toplam tổng tổngcộng razem součet jumlah summan yhteensä योग जोड़",
    "PE": "pe pos positionalencoding positionencoding posenc 位置编码 位置エンコーディング",
    "LN": "ln layernorm rmsnorm norm normalized normalised x~hat xhat h~hat y~hat z~hat 层归一化"
    " 归一化",
    "diff": "centered centred zentriert 中心化",
    "W_1": "w1 wup wfc1 wff1 win", "b_1": "b1 bup bfc1", "W_2": "w2 wdown wfc2 wff2", "b_2": "b2",
    "gamma": "gamma γ", "beta": "beta β", "eps": "eps epsilon ε",
    "act": "relu gelu silu activation aktivierung 激活",
    "hidden": "hidden preact preactivation versteckt",
    "F": "ffn ff mlp f feedforward 前馈",
    "residual": "r residual res resid restverbindung 残差",
    "concat": "concat multihead heads cat 拼接 verkettung concatenated",
    "logits": "logits logit",
    "loss": "loss l verlust pérdida perte потери 损失 損失 손실 ce crossentropy nll",
    "mask": "mask maske máscara masque m маска 掩码 マスク 마스크",
    "dO": "do doutput ∂o", "dA": "da dweights ∂a", "dV": "dv ∂v", "dQ": "dq ∂q", "dK": "dk",
    "dscaled": "dscaled ds'", "dS": "ds dscores ∂s", "base": "base basis",
    "temperature": "t tau τ temperature temp",
}  # fmt: skip
_ROLE = {word: kind for kind, words in ROLES.items() for word in words.split()}
_ALSO = {
    "O": ("logits/T", "logits", "F", "MHA", "hidden", "LN", "residual"),
    "H": ("act", "hidden", "LN", "residual", "O"), "F": ("hidden", "act"), "act": ("hidden",),
    "LN": ("H",), "scaled": ("logits/T", "biased", "masked"), "S": ("biased", "masked"),
    "masked": ("biased",), "loss": ("minus log",), "concat": ("MHA", "O"),
}  # fmt: skip
"""What else a name of a kind may be the name of."""
_CAPITAL = {"Z": ("Z",), "R": ("act",)}
"""What a capital letter may mean besides: the sum of exponentials, and what ReLU leaves."""
_INDEX = re.compile(r"[_^]?[({[]{0,2}(\d{1,3})[])}]{0,2}'?")
_SECOND = re.compile(r"(?:sigma|σ)_\{?2\}?", re.I)
"""The deviation of the second token, not a square."""
_BARE = str.maketrans("", "", "_^{}()\\- .*")
_GREEK = {"μ": "mu", "σ": "sigma", "α": "alpha", "σ^2": "sigma2"}
_VECTORS = frozenset(("H", "Q", "K", "V", "S", "scaled", "A", "O", "M", "LN", "PE", "Q'", "K'"))
"""Quantities that have a row for each token, which may stand one by one."""
ASSUMED = re.compile(
    r"(?i)\b(?:assum|suppos|pretend|let us take|say that|angenommen|annehm|supon|supong)"
    r"|предполож|допуст"
    r"|假设|假定|设它|設|仮定|가정|ধরি|मान"
)
FOLLOWS = re.compile(
    r"(?i)\b(?:gives?|yields?|we get|one gets|obtain|results? in|ergibt|erhalten wir|erhält|donne"
    r"|obtient|obten|resulta|otteniamo|si ottiene|daje)\b|получ|выход(?:ит|ят)|得到|得出|结果是"
    r"|となる|になる|が得られ|얻는다|얻|ta được|elde ed|diperoleh|menghasilkan|hasilnya"
)
"""What leads, in a sentence that assumes something, to what follows from it."""
LET = re.compile(
    r"(?i)\blet\b(?!['’]s|\s(?:us|me)\b)|\b(?:seien|sei|soit|soient|sea|sean|seja|sejam|sia|siano"
    r"|niech|пусть)\b|设|設|令"
)
"""What says that a list is given as it is printed, and not rounded."""
ROUNDED = re.compile(r"(?i)round|gerundet|округл|arrond|redonde|四舍五入")


PRIMED = frozenset("mean var std rms gamma beta LN".split())
"""Quantities of which a prime tells the first from the second: mu', gamma''."""
COPULAS = frozenset(
    "is are was were be becomes become equals equal gives ist sind lautet lauten gleich ergibt est"
    " sont vaut valent donne es son vale valen da é são dá è sono dà jest są to wynosi это равно"
    " равна равны равен är blir là bằng olur je jsou 는 은 は が 为 是 等于 约为".split()
)
"""Verbs between a sign and what it is: the weights A are ..."""
NOUNS = frozenset("Q K V S A O".split())
"""Quantities of which any word that speaks of them may be the name."""


def is_assumed(sentence: str) -> bool:
    """Whether what comes next is assumed: nothing is said to follow from what was."""
    found = ASSUMED.search(sentence)
    return found is not None and FOLLOWS.search(sentence, found.end()) is None


@lru_cache(maxsize=4096)
def role(name: str) -> str:
    """The quantity a name stands for, or ""."""
    found = "" if _SECOND.fullmatch(name) else _ROLE.get(_plain(name), "")
    if not found and name.endswith("'") and (bare := role(name.rstrip("'"))) in PRIMED:
        found = bare
    return found or (_spoken(name) if len(name) > 3 and name.isalpha() else "")


@lru_cache(maxsize=4096)
def _spoken(word: str) -> str:
    """The quantity that a whole word speaks of, in any language."""
    kinds_heard = heard(word)
    kind = kinds_heard[0] if len(kinds_heard) == 1 else ""
    return kind if kind in NOUNS else ""


def kinds(name: str) -> tuple[str, ...]:
    """All quantities that a name may stand for, the likeliest first."""
    kind = role(name) or (found[0] if (found := indexed(name)) else "")
    also = (*_ALSO.get(kind, ()), *_CAPITAL.get(name, ()))
    return (kind, *also) if kind else also


@lru_cache(maxsize=4096)
def indexed(name: str) -> tuple[str, int] | None:
    """The quantity and the number in a name such as q_1, v2, Q^{(1)}, a^{[2]} or head_2."""
    if _plain(name) in _ROLE and not _SECOND.fullmatch(name):
        return None
    if name.endswith("^2") and (inner := indexed(name[:-2])):
        return ("var", inner[1]) if inner[0] == "std" else None
    numbers = list(_INDEX.finditer(name))
    if len(numbers) != 1 or not numbers[0].start():
        return None
    (found,) = numbers
    kind = role(name[: found.start()] + name[found.end() :])
    is_many = kind in _VECTORS or kind.startswith("W_") or kind in ("mean", "std", "var")
    return (kind, int(found[1])) if is_many else None


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKC", _GREEK.get(name, name)).translate(_BARE).lower()
    return _GREEK.get(bare, bare)
