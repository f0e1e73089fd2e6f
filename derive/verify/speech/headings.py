"""The steps of attention by the words over the columns, or before the rows, of tables."""

from __future__ import annotations

import re
from functools import lru_cache

from derive.verify.grammar.nodes import Name
from derive.verify.speech.hearing import heard

HEADINGS = {
    "": r"[×·*⋅]\s*(?:v|w|valu|wert|val(?:eu|o)r|знач|值|バリュー|값|değer|giá trị|wartoś)|\bout",
    "A": r"soft-?max|weight|\bshares?\b|prob|attention$|gewicht|anteil|wahrsch|poids|\bpart\b"
    r"|\bpesos?\b|\bpesi\b|proporci|quota|\bвес(?:а|ов)?\b|дол[яи]\b|вероятн|权重|權重|占比|概率"
    r"|机率|重み|ウェイト|確率|割合|가중치|확률|비중|ağırlı|olasılı|\bpay\b|trọng số|xác suất|tỉ lệ"
    r"|tỷ lệ|\bwag[ai]\b|udział|prawdop|\bvikt|\bandel|aandeel|\bváh[ay]\b|podíl|وزن|أوزان|احتمال"
    r"|भार|वज़न|प्रायिकता|bobot|peluang|exp\w*\s*/|^\W*(?:α|\\alpha|a|w|p)\b",
    "exp": r"\bexp(?!ect|la|er)|exponen|esponen|экспон|指数|指數|エクスポ|지수|üstel|^üs$|\bmũ\b"
    r"|eksp|wykładn|exponent|الأس|أسي|घाता|(?:^|\W)e\s?\^|\\exp|(?:^|\W)e[ˢˣ]",
    "masked": r"mask|masqu|máscara|maschera|маск|掩码|掩碼|遮罩|マスク|마스크|maske",
    "scaled": r"\bscal(?:ed|ing)|divid|divis[oa]\b|(?:÷|/)\s*(?:√|\d|\\?sqrt|d)|√|sqrt|halved"
    r"|skalier|geteilt|durch\s|échelle|rédui|racine|escalad[oa]|ra[ií]z|scalat|diviso|masstab"
    r"|масшт|делен|делён|делим|раздел|缩放|縮放|除[以后完过過後]|相除|割|スケール|スケーリング|스케일|나누|나눈"
    r"|ölçek|bölü|chia|skalowan|podziel|skalat|skalad|delat|geschaal|gedeeld|škálov|děleno"
    r"|القسمة|مقسوم|تحجيم|विभाजित|भाग|dibagi|skala(?!r)",
    "S": r"\bdots?\b|dot prod|inner prod|\bq\w{0,2}\s?[·.⋅*]\s?k|\\cdot|\braw\b|scores?\b"
    r"|skalarprod|punktprod|rohwert|bewertung|produits? scal|product[oe] (?:escalar|punto|interno)"
    r"|produtos? (?:escalar|intern)|punt(?:ua|aj|egg|i\b)|pontua|prodott[oi]|скаляр|оценк|скор"
    r"|балл|点积|點積|点積|内积|內積|内積|得分|分数|分數|打分|スコア|점수|내적"
    r"|iç çarpım|puan|\bskor|vô hướng|điểm|iloczyn|wynik|skalärprod|poäng|inwendig|skalární|skóre"
    r"|الضرب|درجة|درجات"
    r"|गुणनफल|स्कोर|hasil kali",
}
"""In the order in which they count: the softmax of scaled scores holds weights."""
_ALONE = re.compile(
    r"(?:^|\n)[ \t>#*$`]*(?P<name>[A-Za-zΑ-Ωα-ω]\w{0,2}(?:[_^]\{?\w{1,4}\}?)?)"
    r"[*$`]*(?:[ \t]?[(（][^()（）\n]{1,60}[)）])?[ \t]*[:=：]?[*$` \t]*\n[\s|+=─-╿-]*$"
)
"""A sign, with a remark in brackets, that is all of a line: the name of the matrix below."""
_WEIGHTS = re.compile(
    r"weight|gewicht|\bpesos?\b|\bpesi\b|poids|\bвес(?:а|ов)?\b|权重|權重|重み|가중치|ağırlı"
    r"|trọng số|\bwag[ai]?\b|\bvikt|bobot|वज़न|भार|وزن|أوزان|משקל|น้ำหนัก|ওজন|βάρ|\bváh|ваг",
    re.I,
)
_OF_ATTENTION = re.compile(
    r"atten|soft-?max|aufmerk|atenci|atenç|attenz|вниман|注意|アテンション|어텐션|주의|dikkat|chú ý"
    r"|uwag|prob|\d[^\d]*$",
    re.I,
)
"""What tells the weights of attention from a matrix of weights; they may have a number too."""
_SPOKEN = {kind: re.compile(words, re.I) for kind, words in HEADINGS.items()}


@lru_cache(maxsize=1024)
def step(heading: str) -> str:
    """The step that a heading speaks of: S, scaled, masked, exp, A; "" where it is none."""
    return next((kind for kind, words in _SPOKEN.items() if words.search(heading)), "")


def alone_above(words: str) -> Name | None:
    """The sign that stands alone in the line right above, as the name of a matrix."""
    found = _ALONE.search(words)
    return Name(found["name"]) if found else None


def weights_above(words: str) -> str:
    """W_Q, W_K or W_V where the line above speaks of such weights: Weights for key."""
    line = next((part for part in reversed(words.splitlines()) if part.strip()), "")
    if not _WEIGHTS.search(line) or _OF_ATTENTION.search(line):
        return ""
    kinds = [kind for kind in heard(line) if kind in ("Q", "K", "V")]
    return f"W_{kinds[0]}" if len(kinds) == 1 else ""
