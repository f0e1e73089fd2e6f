"""What an article says of its conventions in its own formulas and words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from derive.verify.speech.divided import is_divided
from derive.verify.speech.powers import NATURAL, Powers, powers
from derive.verify.speech.targets import SMOOTHED, chosen, places, spread

MOST = 200_000
"""Conventions are declared within so many characters."""
_BASE = re.compile(
    r"(?<![\d.,])(1?0{1,5}|\d{2,6})(?:\s|\}|\\,)*(?:\^|\*\*|<sup>)\s?[{(]*\s*-?\s*"
    r"(?:\\?(?:frac|tfrac|dfrac)\{?)?\s*(?:2\s*\*?\s*[ijk]|[ijk]|\(2|2\s*\()"
)
"""10000^{2i/d} and its spellings."""
_BASED = re.compile(
    r"(?<![\d.,])(10{2,5})(?:\s|\}|\\,)*(?:\^|\*\*|<sup>)\s?[{(]*\s*[-−]?\s*"
    r"(?:\d+\s*/\s*\d|0[.,]\d|\\?[td]?frac\{?\s*\d)"
)
"""The same of a pair that is numbered: 10000^{2/4}, 10000^{0.5}."""
_PAIRED = re.compile(r"\b2\s?\*?\s?[ijkm]\s?\+\s?1\b")
_HALVED = re.compile(r"(?i)hal(?:f|ves)\b|concat|hälfte|moitié|mitad|metade|metà|половин|半|절반")
"""The odd columns of an encoding, and what parts its columns in the middle."""
_ROOT = re.compile(
    r"(?:\\sqrt|√|sqrt)\s*[{(\[]?\s*\\?(?:mathrm\{)?\s*(?:d|D|key|head|dim|n_?embd)"
    r"|(?i:square root of (?:the )?(?:d|key|dim|head)|wurzel (?:aus|von) d|racine de \$?d"
    r"|raíz de \$?d|radice di|корень из d|根号\s?d|平方根)"
    r"|(?i:softmax)[^\n]{0,60}?(?:/|frac\{)[^\n]{0,40}?(?:√|sqrt)\W{0,3}\d"
)
_MASK = re.compile(
    r"(?i)causal|masked self|maske?\b|masque|máscara|maschera|каузал|маск|因果|掩码|掩碼|遮罩"
    r"|マスク|마스크|mặt nạ|nedensel"
)
_ROOTS = r"(?:scal|divi|sqrt|√|skalier|wurzel|teil|échelle|escal|raíz|raiz|radice|racine)"
_UNSCALED = re.compile(
    r"(?i)unscaled|(?:without|omit\w*|skip\w*|ignor\w*|drop\w*|leav\w+ (?:out|away)|no"
    r"|ohne|weglass\w*|lassen?|verzicht\w*|sans|omet\w*|sin|sem|senza|saltiamo)"
    rf"\s[^.\n]{{0,30}}{_ROOTS}"
    r"|(?:unlike|instead of|rather than|in contrast|not|n't|never|anders als|im gegensatz|statt"
    r"|contrairement|au lieu|a diferencia|en lugar|ao contrário|em vez|a differenza|invece)"
    rf"\s[^.\n]{{0,60}}{_ROOTS}|raw dot|в отличие|вместо|不同于|不像|と違|と異な|달리|대신"
    r"|(?:без|опуск\w*|пропуск\w*)\s[^.\n]{0,30}(?:масштаб|делен|корн|sqrt|√)"
    r"|(?:χωρίς|utan|zonder|tanpa|bez|uten|без)\s[^.\n]{0,30}"
    r"(?:κλιμ|διαίρ|skal|\bdel|schal|dzielen|√)"
    r"|(?:không|बिना|بدون|ללא|ไม่)[^.\n]{0,20}(?:chia|scale|स्केल|भाग|مقیاس|تقسیم|חלוק|หาร|สเกล|√)"
    r"|(?:不|未|没有|省略|省去|略去|忽略|跳过)[^。\n]{0,8}(?:缩放|除以|縮放|sqrt|√)"
    r"|缩放[^。\n]{0,6}(?:省略|略去|忽略|不做)|割らな|割らず|나누지"
    r"|スケーリング[^。\n]{0,8}(?:な|省|しな|せず)|스케일링[^.\n]{0,8}(?:생략|없|않)"
)
"""What leaves out the division by a root."""
_CAUSAL = re.compile(
    r"(?i)causal (?:self-?|mask|attention)|causally masked|masked self"
    r"|(?:never|not|only) (?:see|look|attend)\w*[^.\n]{0,30}(?:future|itself|ahead|past|earlier)"
    r"|kausale[rsn]? |masque causal|máscara causal|maschera causale|attention causale"
    r"|atención causal|atenção causal|каузальн|因果|nedensel|인과|nhân quả|przyczynow"
)
_FREE = re.compile(
    r"(?i)(?:without|no|before|drop\w*|ignor\w*|omit\w*|skip\w*|non|not)[- ]"
    r"(?:a |the |any |using a )?(?:causal|mask)|unmasked|bidirection|maskesiz"
    r"|ohne (?:die |eine )?(?:kausale )?maske|sans (?:le )?masque|sin (?:la )?máscara"
    r"|sem (?:a )?máscara|senza (?:la )?maschera|без (?:каузальн\w+ )?маск"
    r"|(?:不加|不用|不使用|没有|无|忽略|去掉)(?:因果)?(?:掩码|遮罩)"
    r"|マスク(?:なし|を使わ|しない)|마스크 ?(?:없|를 쓰지)"
)
"""A mask that is declared, and what says that it is left out."""
_ROTARY = re.compile(
    r"(?i)\brope\b|rotary|rotat|rotier|drehung|dreht|\brotaci|\brotaç|rotazion|ruota|obr[oó]t"
    r"|обращ|поворот|поворач|вращ|旋转|旋轉|回転|회전|\bquay|xoay|döndür|घूर्णन|تدوير|دوران|घुमा"
)
_BIASED = re.compile(
    r"(?i)alibi|linear (?:bias|penalt)|distance penalt|lineare[rn]? bias|biais linéaire"
    r"|sesgo lineal|viés linear|bias lineare|штраф за расстояние|линейн\w+ смещ|线性偏置"
    r"|線形バイアス"
)
_POSITION = re.compile(
    r"(?i)(?:\bpositions?\b|\bpos\b|posici[oó]n|posiç(?:ão|ões)|posizion[ei]|позиц[иі]\w+|位置|위치"
    r"|vị trí|konum\w*|pozycj\w*|ตำแหน่ง|स्थिति|stelle|\b[mnpt]\b|\bPE\s?[_(])"
    r"[\s$`*\\({:,]{0,4}(?:(?:\w|text|pos|rm)\s?[=:]\s?)?(?:[=:]\s?)?(\d{1,4})(?![\d.,]*\d)"
)
MOST_POSITIONS = 6
_HEADED = re.compile(
    r"(?i)\bheads\b|multi-?head|\bhead 2|köpfe|kopf 2|têtes|tête 2|cabezas|cabeza 2"
    r"|cabeças|cabeça 2|teste\b|testa 2|голов|głow|baş(?:lık|lar)|đầu chú ý|nhiều đầu"
    r"|多头|多頭|注意力头|头 ?2|ヘッド|헤드|رؤوس|हेड|หัว|ראש|سرها|چندسر|چند سر|سر دوم|κεφαλ"
    r"|huvud(?:en|et)? ?2|två huvuden|kepala ke|dua kepala|twee (?:koppen|hoofden)|hlav[ay] 2"
)
_SIGMOID = r"(?<!hard[ -])(?:sigmo[iï]d|logisti|сигмоид|логистич|シグモイド|시그모이드)"
_SIGMA = r"(?:σ|\\sigma)"
_LOGISTIC = re.compile(
    rf"(?i){_SIGMA}(?![^\W_])[^.。\n\d]{{0,40}}?{_SIGMOID}"
    rf"|{_SIGMOID}[^.。\n\d]{{0,40}}?{_SIGMA}(?![^\W_])"
    rf"|{_SIGMA}\s?\(\w\)\s?=\s?(?:1\s?/\s?\(|\\[dt]?frac\s?\{{?1\}}?\s?\{{)1\s?\+\s?(?:e\s?\^|\\?exp)"
)
"""What says that the letter sigma is the logistic function."""
_SPOKEN = re.compile(rf"(?i){_SIGMOID}")
_ANOTHER = re.compile(
    r"(?i)relu|tanh|[gs]elu|silu|swish|softplus|hard[ -]sigm|erf|varian|standard dev|\bstd\b"
)
"""What else the letter may stand for."""
_CACHED = re.compile(
    r"(?i)\bk\W?v\b|cache|кэш|кеш|缓存|緩存|快取|キャッシュ|캐시|แคช|bộ nhớ đệm|önbelle|कैश|ক্যাশ"
    r"|مخبأ|ذاكرة|کش\b|מטמון|zwischenspeich|κρυφή μνήμη|pamięci podręcznej"
)
_FROM_NOUGHT = re.compile(r"(?<![^\W_])[qkvx](?:_?\{?0(?![\d.,]\d)|₀|<sub>0)")
"""The vectors of tokens counted from 0."""
EARLY = 600
"""What an article is about is said within so many characters."""


@dataclass(frozen=True)
class Declared:
    """The base of the angles, where it is said; whether scores are divided by a root, or masked."""

    base: int = 0
    is_rooted: bool = False
    is_masked: bool = False
    is_unscaled: bool = False  # whether it says somewhere that this is left out
    is_headed: bool = False  # whether it speaks of several heads
    is_causal: bool = False  # whether it is about a causal mask, and nowhere without
    is_rotary: bool = False  # whether pairs of entries are turned
    is_biased: bool = False  # whether scores lose something for the distance
    is_paired: bool = False  # whether sines and cosines take turns along the columns
    positions: tuple[int, ...] = ()  # the positions that it names
    targets: tuple[int, ...] = ()  # where the class may stand that it calls the right one, from 0
    chosen: tuple[int, ...] = ()  # the same for each of several lines, by the words that they name
    is_smoothed: bool = False  # whether labels are smoothed
    spread: int | None = None  # over how many classes less than all, as a formula says
    is_cached: bool = False  # whether keys and values are kept for later tokens
    is_logistic: bool = False  # whether it says that sigma is the logistic function
    powers: Powers = NATURAL  # of what number a softmax takes powers
    is_from_nought: bool = False  # whether the vectors of tokens are counted from 0

    @property
    def is_scaled(self) -> bool:
        """Whether nothing but divided scores is meant."""
        return self.is_rooted and not self.is_unscaled


def declared(text: str) -> Declared:
    """What the text of an article declares."""
    text = text[:MOST]
    bases = {int(m[1]) for m in _BASE.finditer(text) if int(m[1]) > 1}
    bases = bases or {int(m[1]) for m in _BASED.finditer(text)}
    base = bases.pop() if len(bases) == 1 else 0
    return Declared(
        base,
        bool(_ROOT.search(text)) or is_divided(text),
        bool(_MASK.search(text)),
        bool(_UNSCALED.search(text)),
        bool(_HEADED.search(text)),
        bool(_CAUSAL.search(text, 0, EARLY)) and not _FREE.search(text),
        bool(_ROTARY.search(text)),
        bool(_BIASED.search(text)),
        bool(_PAIRED.search(text)) and not _HALVED.search(text),
        tuple(dict.fromkeys(int(m[1]) for m in _POSITION.finditer(text)))[:MOST_POSITIONS],
        places(text),
        chosen(text),
        bool(SMOOTHED.search(text)),
        spread(text) if SMOOTHED.search(text) else None,
        bool(_CACHED.search(text)),
        bool(_LOGISTIC.search(text)) or (bool(_SPOKEN.search(text)) and not _ANOTHER.search(text)),
        powers(text),
        bool(_FROM_NOUGHT.search(text)),
    )
