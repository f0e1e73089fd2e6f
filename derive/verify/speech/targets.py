"""Which class, word or token an article calls the right one, in many languages."""

from __future__ import annotations

import re

_RIGHT = re.compile(
    r"(?i)\btarget|\bcorrect|\bgold|ground.truth|\btrue (?:class|label|word|token|answer|next)"
    r"|\bright (?:class|label|word|token|answer|one)|\blabel is\b|richtig|korrekt|\bwahre|\bziel"
    r"|\bcible|\bvraie?\b|bonne (?:réponse|classe)|objetivo|verdader|\balvo|corret|giust|obiettivo"
    r"|juist|\bdoel|rätt|rigtig|poprawn|właściw|prawidłow|docelow|správn|cílov|правильн|верн"
    r"|целев|истинн|doğru|hedef|oikea|kohde|\bcorect|țintă|σωστ|στόχο|נכונ|מטרה|הנכון|صحيح|الهدف"
    r"|درست|صحیح|هدف|सही|लक्ष्य|ถูก|เป้าหมาย|đúng|mục tiêu|từ đích|\bbenar|sasaran|정답|타깃|목표"
    r"|올바른|正解|正しい|正确|正確|目标|目標|真实|答案|ターゲット"
)
"""What speaks of the class that is meant."""
ORDINALS = (
    r"\bfirst|\b1st|\berste|premi[eè]r|\bprimer|\bprimeir|\bprim[oaă]\b|\bprimul|eerste|första"
    r"|første|pierwsz|první|\bперв|\bперш|birinci|\bilk\b|ensimmäi|πρώτ|ראשונ|הראשון|الأول|اولین"
    r"|\bاول\b|पहल|แรก|đầu tiên|thứ nhất|pertama|첫|最初|第一|第 ?1|一番目|1番目",
    r"\bsecond|\b2nd|\bzweit|deuxième|\bsegund|tweede|\bandra\b|\banden\b|\bdrug[iaą]|\bdruh"
    r"|\bвтор|\bдруг(?:ий|а|е|ое)\b|ikinci|\btoinen|\btois[et]|doilea|\bdoua\b|δεύτερ|השני"
    r"|الثاني|\bدوم|दूसर|ที่สอง|ที่ 2|thứ hai|\bkedua|두 ?번째|둘째|第二|第 ?2|二番目|2番目",
    r"\bthird|\b3rd|\bdritt|troisième|\btercer|\bterceir|\bterz[oa]|derde|tredje|trzeci|třetí"
    r"|\bтрет|üçüncü|kolma[sn]|treilea|\btreia\b|τρίτ|שלישי|الثالث|\bسوم|तीसर|ที่สาม|ที่ 3|thứ ba"
    r"|\bketiga|세 ?번째|셋째|第三|第 ?3|三番目|3番目",
    r"\bfourth|\b4th|\bviert|quatrième|\bcuart|\bquart[oa]|vierde|fjärde|fjerde|czwart|čtvrt"
    r"|\bчетв|dördüncü|neljä[sn]|patrulea|\bpatra\b|τέταρτ|רביעי|الرابع|چهارم|चौथ|ที่สี่|ที่ 4"
    r"|thứ tư|keempat|네 ?번째|넷째|第四|第 ?4|四番目|4番目",
    r"\bfifth|\b5th|\bfünft|cinquième|\bquint[oa]|vijfde|femte|\bpiąt|\bpát[áý]|\bпят|п'ят|beşinci"
    r"|viides|cincilea|πέμπτ|חמישי|الخامس|پنجم|पाँचव|पांचव|ที่ห้า|thứ năm|kelima|다섯 ?번째|第五"
    r"|第 ?5|五番目|5番目",
)
"""Numerals in order, each in many languages."""
_ORDINAL = re.compile("(?i)" + "|".join(f"(?P<n{k}>{words})" for k, words in enumerate(ORDINALS)))
_COUNTED = re.compile(
    r"(?i)(?:word|class|token|label|index|wort|klasse|mot|classe|clase|palabra|palavra|parola"
    r"|слово|класс|词|类|類|クラス|単語|클래스|단어|kelas|kata|lớp|từ|sınıf|słowo|klasa|ord|klass)"
    r"\w{0,2}[\s$#`]{0,3}(?:[a-z]\s?=\s?)?(\d)(?![\d.,]*\d)"
)
_SENTENCE = re.compile(r"[.。!?！？;；](?!\d)|\n\s*\n")
FAR = 50
"""The numeral stands no further from what it tells of, in characters."""
SMOOTHED = re.compile(
    r"(?i)label[- ]?smooth|smoothed (?:label|target)|\bsmoothing\b|geglättet|glättung|lissage"
    r"|suaviza|smussa|сглажив|wygładz|vyhlaz|yumuşat|החלק|ملس|تنعيم|नरम|平滑|スムージング|스무딩"
    r"|làm mịn|làm mượt|pelunakan|utjämn|tasoit|netezi|εξομάλυν|згладж"
)
"""What says that labels are smoothed."""
_SPREAD = re.compile(
    r"(?:\\(?:var)?epsilon|[εϵϵα]|\\alpha|\beps(?:ilon)?|\balpha)\s?(?:\}\s?\{|/)\s?\(?\s?"
    r"(?:\|?\\?(?:mathcal\s?\{)?[KVCNMn]\}?\|?|classes)\s?([-−–]\s?1)?"
)
"""A formula that spreads a part over K classes, or over K - 1."""


def spread(text: str) -> int | None:
    """0 where all classes share what is smoothed, 1 where the others do; None: no formula says."""
    found = {bool(m[1]) for m in _SPREAD.finditer(text)}
    return int(found.pop()) if len(found) == 1 else None


_CHOSEN = re.compile(
    r"(?i)(?:\b(?:target|gold|label|next word|correct(?: word| token)?|ziel(?:wort)?|cible|objetivo"
    r"|alvo|obiettivo|doel|cel|hedef|sasaran)|цель|правильн\w*|目标词?|目標|正解|正确(?:词|答案)?|标签|정답"
    r"|लक्ष्य|เป้าหมาย|mục tiêu|الهدف|هدف)\s{0,3}[=:：→]\s{0,3}[\"'`«“「*]{0,3}([^\W\d]\w{0,30})"
)
"""The word that a line calls its right one."""
_WORDS = re.compile(
    r"[\[(（【]\s*([^\W\d]\w{0,30}(?:\s*[,，、;]\s*[^\W\d]\w{0,30}){1,19})\s*[\])）】]"
)


def chosen(text: str) -> tuple[int, ...]:
    """Where in the list of words those stand, from 0, that lines one after the other aim at."""
    aims = [found[1].lower() for found in _CHOSEN.finditer(text)]
    for found in _WORDS.finditer(text):
        words = [word.strip().lower() for word in re.split(r"[,，、;]", found[1])]
        if len(aims) > 1 and all(aim in words for aim in aims):
            return tuple(words.index(aim) for aim in aims)
    return ()


def places(text: str) -> tuple[int, ...]:
    """Where the right class may stand, from 0, the likeliest first; () where nothing says so."""
    for sentence in _SENTENCE.split(text):
        for right in _RIGHT.finditer(sentence):
            near = sentence[max(0, right.start() - FAR) : right.end() + FAR]
            if found := _place(near, right.start() - max(0, right.start() - FAR)):
                return found
    return ()


def _place(text: str, at: int) -> tuple[int, ...]:
    """What the numeral next to a place says."""
    ordinals = sorted(_ORDINAL.finditer(text), key=lambda m: abs(m.start() - at))
    if ordinals and ordinals[0].lastgroup:
        return (int(ordinals[0].lastgroup[1:]),)
    counted = _COUNTED.search(text)
    if counted is None:
        return ()
    place = int(counted[1])
    return (place - 1, place) if place else (0,)
