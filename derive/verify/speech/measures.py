"""What is measured of a list in one number, and the words that speak of it."""

from __future__ import annotations

import re
from functools import lru_cache

MEASURES = {
    "Z": (
        ("sum",),
        r"\bsums?\b|\btotals?\b|add(?:s|ed|ing)? up|normali[sz]er|summe|gesamt|somme|suma\b"
        r"|soma\b|somma\b|сумм|\bсум[аиіу]\b|всего"
        r"|总和|總和|之和|求和|合计|合計|和は|和为|和是|합은|합계|합이|toplam|tổng|\bsom\b"
        r"|totaal|\bsumman?\b|jumlah|součet|άθροισμα|סכום|ผลรวม|รวมกัน|جمع|składa się"
        r"|suman|somados|المجموع|مجموع|योग|योगफल|যোগফল|łącznie",
    ),
    "mean": (
        ("mean",),
        r"\bmeans?\b|average|mittel|durchschnitt|moyenne|media\b|média|средн|均值|平均|평균"
        r"|ortalama|trung bình|gemiddeld|genomsnitt|medelvärd|průměr|rata-rata|keskiarvo|μέση τιμή"
        r"|μέσος|ממוצע|میانگین|ค่าเฉลี่ย|середн"
        r"|المتوسط|متوسط|औसत|माध्य|গড়|średni|\bmedel\b|gennemsnit|gjennomsnitt",
    ),
    "var": (
        ("var", "sample var"),
        r"varian|variânc|방차|方差|分散|분산|дисперс|wariancj|phương sai|تباين|varyans|rozptyl"
        r"|διακύμανσ|שונות|प्रसरण|ভেদাঙ্ক|แปรปรวน|واریانس",
    ),
    "std": (
        ("std", "sample std"),
        r"standard dev|\bstd\b|\bsd\b|standardabw|écart[- ]type|desviaci|desvio|scarto"
        r"|deviazione|dev\. ?st"
        r"|标准差|標準偏差|標準差|표준 ?편차|отклонен|відхилен|odchyleni|odchylka|độ lệch"
        r"|standaardaf|standardavvik|standart sapma|simpangan baku|standar deviasi|deviasi standar"
        r"|hajonta"
        r"|انحراف|विचलन|τυπική απόκλιση|סטיית תקן|বিচ্যুতি|ส่วนเบี่ยงเบน",
    ),
    "norm": (
        ("norm",),
        r"\bnorms?\b|\blengths?\b|magnitude|länge|betrag|norme|longueur|norma\b|longitud"
        r"|lunghezza|comprimento"
        r"|длин|норм|长度|模长|范数|長さ|ノルム|길이|노름|uzunluk|độ dài|chuẩn|długoś|الطول",
    ),
    "rms": (("rms",), r"\brms\b|root mean square|quadratic mean|均方根|среднеквадрат"),
    "sumsq": (
        ("sum squares",),
        r"sum of (?:the )?squares|squares\W{1,3}(?:\w+ )?(?:add|sum|total)|cuadrados suman"
        r"|(?:summe|somme|сумма)\W.{0,24}(?:quadr|carr|квадрат)|quadratsumme"
        r"|somme des carrés|suma de (?:los )?cuadrados|soma dos quadrados"
        r"|сумма квадратов|平方和|二乗和|제곱합|somma dei quadrati|suma kwadratów|kvadratsumm"
        r"|сума квадратів|součet čtverců|kareler toplam|jumlah kuadrat|neliösumma|kwadraten(?:som)?"
        r"|suma pătratelor|άθροισμα (?:των )?τετραγ|वर्गों का योग|סכום הריבועים|tổng bình phương",
    ),
    "max": (
        ("max",),
        r"\bmax(?:imum)?\b|largest|biggest|greatest|größte|plus grand|máximo|mayor|massimo"
        r"|максим|наибольш"
        r"|最大|최대|en büyük|lớn nhất|الأكبر|największ",
    ),
    "entropy": (("entropy", "entropy bits"), r"entrop|энтроп|熵|エントロピー|엔트로피|إنتروبيا"),
    "perplexity": (("perplexity", "exp"), r"perplex|ppl\b|перплекс|困惑度|혼란도|パープレキシティ"),
    "product": (
        ("product of all",),
        r"\bproduct\b|produkt\b|produit|producto|produto|произведен|乘积|乗積|곱",
    ),
    "nll": (
        ("minus mean", "mean minus log"),
        r"negative[nr]?[ -]log|\bnll\b|cross[- ]entropy|\bloss\b|verlust|perte|pérdida|perda"
        r"|perdita|потер|损失|損失|손실|负对数|負の対数|음의 로그|отрицательн\w+ лог"
        r"|vraisemblance négative|(?:verosimilitud|verossimilhança|verosimiglianza) negativ",
    ),
    "bits": (("over ln 2",), r"\bbits?\b|бит|比特|ビット|비트|بت\b"),
    "root": (
        ("sqrt",),
        r"\broot\b|wurzel|racine|raíz|raiz|radice|корень|平方根|根号|제곱근|pierwiast|căn",
    ),
    "rest": (
        ("one less",),
        r"remain|\brest\b|left over|thrown away|discard|lost|übrig|restant|reste|deita fora"
        r"|descart|perde"
        r"|scart|остал|отброш|剩|其余|残り|나머지",
    ),
}  # fmt: skip
EACH = {
    "squares": re.compile(
        r"squar|quadr|carré|cuadrad|kvadrat|kwadrat|bình phương|квадрат|平方|二乗|제곱|مربع|वर्ग"
        r"|karesi",
        re.I,
    ),
    "less mean": re.compile(
        r"(?:minus|less|menos|moins|meno|минус|mínus)\W+(?:\w+\W+)?(?:mean|average|mittel|media\b|média|moyenne|средн)"
        r"|deviat|centred|centered|subtract the mean|abweich|écarts?\b|desvia|desvios|scarti"
        r"|odchyl|отклонен"
        r"|偏差|离差|离均差|편차|độ lệch|sapma|انحراف",
        re.I,
    ),
    "exp": re.compile(
        r"\bexp\b|eksponen|exponent|esponenz|экспонент|指数|지수|üstel|الأس|e\^", re.I
    ),
    "minus log": re.compile(
        r"negative log|-\s?log|−\s?log|surprisal|负对数|отрицательн", re.I
    ),
    "ln": re.compile(r"logarit|логарифм|对数|対数|로그", re.I),
    "sqrt": re.compile(
        r"square roots|wurzeln|racines|raíces|raízes|radici|корни|平方根|제곱근|pierwiast", re.I
    ),
}  # fmt: skip
"""Functions of each entry, by the words that speak of them."""
SAMPLE = re.compile(
    r"(?i)\bsample|bessel|unbiased|n\s?[-−]\s?1\b|ddof|stichprob|échantillon|muestr|amostr"
    r"|campion|próbk"
    r"|выборочн|样本|標本|표본|örneklem|mẫu|العينة|correction=1"
)
"""What says that a variance is one of a sample."""
NORMED = re.compile(
    r"(?i)layer[-_ ]?norm|schicht-?norm|normalisation (?:de|par) couche"
    r"|normaliza\w+ d[ea] (?:la )?ca|normalizzazione d[ei] (?:livello|strato)"
    r"|нормал\w+ (?:шар|сло)|层归一化|層正規化|レイヤー正規化"
    r"|층 정규화|레이어 정규화|chuẩn hóa lớp|katman normal|normalizacj\w+ warstw"
)
"""What speaks of the normalisation of layers, whose variance is one of all."""
_RUNNING = re.compile(
    r"(?i)\brunning\b|so far|laufende|bisherig|courante?\b|corrente\b|corriente|текущ|cumul|kumul"
    r"|acumul|накоп|累计|累積|累积|누적"
)
"""What says that a sum, or a maximum, goes on from number to number."""
SINGLE = frozenset(("bits", "root", "rest", "perplexity"))
"""What is made of one number."""
RECALLED = 1024
"""So many sentences are remembered."""
_SAID = {kind: re.compile(words, re.I) for kind, (_, words) in MEASURES.items()}


@lru_cache(RECALLED)
def spoken(text: str) -> tuple[str, ...]:
    """The measures that a sentence speaks of, the nearest to its end first."""
    places = {}
    for kind, words in _SAID.items():
        found = [m.end() for m in words.finditer(text)]
        if found:
            places[kind] = found[-1]
    if _RUNNING.search(text):
        return ()
    return tuple(sorted(places, key=lambda kind: -places[kind]))
