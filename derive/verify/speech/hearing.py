"""Which quantities the words before a matrix speak of, in many languages."""

from __future__ import annotations

import re
from functools import lru_cache

PHRASES = {
    "scaled": r"divid|scal(?:ed|ing)|skalier|durch die wurzel|teil(?:en|t) durch|dzielimy"
    r"|geteilt|\bdivis|podziel|dzielon|делим|делён|делени|раздел|ділен|поділ|gedeeld|\bdela[dt]\b"
    r"|除以|缩放|縮放|割る|割ると|割って|나누|bölü|chia cho|racine|raíz|raiz de|√|\\sqrt|sqrt"
    r"|mise à l.échelle|escala",
    "masked": r"mask|masqu|máscara|maschera|маск|掩码|掩碼|遮罩|マスク|마스크",
    "A": r"softmax|weights?\b|gewicht|pesos?\b|poids|pesi\b|\bвес(?:а|у|ом|е|ы|ов)?\b"
    r"|权重|權重|重み|가중치|ağırlık"
    r"|trọng số|probabilit|wahrscheinlich|वितरण|भार|น้ำหนัก|ความน่าจะเป็น|βάρ[ηο]|πιθανότητ"
    r"|וזנ|משקל|הסתברו|وزن|أوزان|احتمال|bobot|peluang|vik(?:t|ter)\b|sannolikhet|sandsynlig"
    r"|váh[ay]\b|pravděpodobnost|paino|todennäköisyy|ponderi|ваги\b|вероятност|ймовірн|olasılık"
    r"|kansen|prawdopodob|wag[iaęą]\b|xác suất|प्रायिकता|संभाव|概率|機率|確率|확률",
    "exp": r"\bexp\b|[ek]xponen|eksponen|esponenzial|指数|指數|экспон|експон|지수|üstel|مرفوع|الأس"
    r"|ยกกำลัง|εκθετικ|घातांक|אקספוננט|نمایی",
    "Z": r"\bsum\b|summe|total|somme|suma\b|сумм|总和|總和|合计|合計|求和|합계|합은|toplam"
    r"|soma\b|somma\b|tổng|المجموع"
    r"|add up|row sums",
    "S": r"dot products?|inner products?|scores?\b|skalarprodukt|punktprodukt|produits? scalaires?"
    r"|prodott[oi] scalar|produtos? internos?|puntuacion|puntaje|оцен|скор|скалярн"
    r"|得分|分数|分數|点积|點積|スコア|内積|점수|내적|puan|điểm|iloczyn|bewertung",
    "O": r"outputs?\b|ausgabe|salida|sortie|saída|uscita|выход|输出|輸出|出力|출력|çıktı"
    r"|đầu ra|wyjści"
    r"|new vector|context",
    "Q": r"quer(?:y|ies)|anfrage|consulta|requête|запрос|查询|查詢|クエリ|쿼리|sorgu"
    r"|truy vấn|zapytani",
    "K": r"\bkeys?\b|schl(?:ü|ue)ssel|claves?\b|clés?\b|chiav|ключ|键|鍵|キー|anahtar|khóa|klucz",
    "V": r"\bvalues?\b|\bwerte?\b|valores?\b|valeurs?\b|valori?\b|значени|值向量|值矩阵"
    r"|バリュー|değer"
    r"|giá trị|wartoś",
    "PE": r"positional|posi(?:cional|cionais|zional)|posição|позицион"
    r"|위치 ?(?:인코딩|부호)|konumsal|vị trí|pozycyj|स्थितीय"
    r"|position(?:al)? encoding|位置编码|位置編碼|位置エンコ|위치 인코딩"
    r"|positionele",
    "LN": r"normali[sz]|(?:layer|rms) ?norm|\brms\b|归一化|正規化|정규화|нормал",
    "mean": r"\bmean\b|average|mittelwert|moyenne|media\b|均值|平均|평균|средн|ortalama",
    "var": r"varian|方差|分散|분산|дисперс",
    "std": r"standard dev|standardabw|écart[- ]type|desviación|标准差|標準偏差|표준편차",
    "logits": r"logits?\b|लॉजिट",
    "loss": r"\bloss\b|cross.entropy|verlust|pérdida|perte|损失|損失|손실|потер",
    "act": r"relu|gelu|activation|aktivier|激活",
    "residual": r"residu|résidu|残差|restverbindung",
    "concat": r"concat|side by side|拼接|nebeneinander|連結",
    "cosines": r"[ck]osin|coseno|cosseno|kosinüs|косинус|余弦|コサイン|코사인|côsin|cosseni",
    "MHA": r"multi-?head|w_o\b|w\^o\b|projection",
}
"""What the words near a matrix may be; not enough to be its name."""
_HEARD = {kind: re.compile(words, re.I) for kind, words in PHRASES.items()}
_TAG = re.compile(r"<[^<>]{0,400}>")


@lru_cache(maxsize=256)
def heard(text: str) -> tuple[str, ...]:
    """The quantities spoken of in the text before a matrix, the nearest first."""
    plain = _TAG.sub(" ", text)
    last = {}
    for kind, words in _HEARD.items():
        places = [m.end() for m in words.finditer(plain)]
        if places:
            last[kind] = max(places)
    return tuple(sorted(last, key=lambda kind: -last[kind]))
