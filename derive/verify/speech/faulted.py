"""What stands behind a formula and takes it back: words of falsity, and errata that replace it."""

from __future__ import annotations

import re

_ENDS = r"[\s*_`~$\"'“”„«»‘’‹›{}()\[\]\\,;–—-]*"
"""Marks between a formula and what is said of it."""
_WRONG = (
    r"(?:wrong|incorrect|untrue|false|mistaken|erroneous|falsch|verkehrt|inkorrekt|fehlerhaft"
    r"|faux|fausse|incorrecte|erroné[es]*|inexacte?|incorrect[oa]|fals[oa]|erróne[oa]|errad[oa]"
    r"|incorret[oa]|sbagliat[oa]|scorrett[oa]|неверно|неправильно|ошибочно|fout|onjuist|yanlış"
    r"|błędn[eay]|fel|feil|forkert)"
)
_RIGHT = r"(?:correct|right|true|richtig|wahr|korrekt|vrai|juste|correcte|correcto|ciert[oa]"
_RIGHT += r"|verdad(?:e|ero|eiro)?|cert[oa]|corret[oa]|corrett[oa]|ver[oa]|giust[oa]|верно)"
_IS = (
    r"(?:is|was|are|were|would be|will be|ist|wäre|war|sind|est|était|serait|sont|es|era|sería|é"
    r"|seria|è|sarebbe|будет|было)"
)
_NO = r"(?:not|never|nothing|nicht|nie|pas|jamais|nunca|não|hardly)"
_SAID = re.compile(
    rf"(?i){_ENDS}(?:(?:which|what|that|this|it|das|dies|was|ce qui|c'|lo cual|esto|o que|isto|che)"
    rf"\s)?(?:{_IS}\s(?:(?!{_NO}\b)\w{{2,12}}\s){{0,2}}?{_WRONG}(?![\w-])"
    rf"|{_IS}\s?(?:not|nicht|pas)\s(?:\w{{2,12}}\s)?(?:{_RIGHT}\b|what\b|was (?:wir|man)\b)"
    rf"|(?:isn't|wasn't|n'est pas|no es|não é|non è)\s(?:\w{{2,12}}\s)?(?:{_RIGHT}\b|what\b)"
    r"|(?:—\s?)?(?:это\s)?(?:неверно|неправильно|ошибка|ошибочно)\b"
    r"|(?:这)?(?:是|显然是|当然是)?(?:错误的|错的|错误|不对|不正确|不成立)|(?:は|が)?(?:誤り|間違い|正しくない)"
    r"|(?:은|는)?\s?(?:틀렸|잘못|틀린))"
)
_MARKED = re.compile(
    rf"(?i)[\s*_`$\"'”»\].;,]{{0,4}}(?:\(\s*{_WRONG}\s*!?\s*\)|❌|✗|✘|（(?:错误?|誤)）)"
)
_ASKED = re.compile(
    r"(?i)[^\w?\n]{0,6}\s*(?:(?:what|where|why|how|was|wo|warum|où|pourquoi|qu['’]|quelle|dónde"
    r"|qué|cuál|por qué|onde|qual|por que|dove|perché|где|почему|в чём|что)\b[^.?!？\n]{0,40}?"
    rf"(?:{_WRONG}|mistakes?|errors?|fehler|erreur|error|erro|errore|ошибк\w+)\b[^.!\n]{{0,30}}\?"
    r"|[^。？\n]{0,12}(?:错在哪|哪里错|错误在哪|どこが間違|무엇이 잘못)[^。\n]{0,12})"
)
_FORMULA = r"(?=[\"'“”„«»‘’$\d√\\−(\[-]|`|\w{1,10}[(²³⁰-⁹_^]|\w\s?[=≈])"
_SHOULD = re.compile(
    rf"(?i){_ENDS}(?:(?:should|must|ought to|has to|needs to|is to)\s(?:be|read|have (?:been|read)"
    r"|be read(?: as)?|say)|(?:is|was|gets?) (?:corrected|changed|amended) (?:to|into)"
    r"|(?:sollte|muss|müsste|soll)(?: es)?(?: richtig)?(?: heißen| lauten| sein)?"
    r"|(?:devrait|doit|aurait dû) (?:être|se lire)|(?:debe|debería|deberia) (?:decir|ser|leerse)"
    r"|(?:deve|deveria|devia) (?:ser|ler-se|dizer)|(?:deve|dovrebbe) (?:essere|leggersi)"
    r"|(?:должно быть|следует читать|надо читать|нужно читать|следует заменить на)"
    rf"|(?:应|應)(?:为|改为|该是|该为|当是|是|為|改為)|改为|は正しくは|の誤り)[\s:：]*{_FORMULA}"
)
_READ = re.compile(
    rf"(?i){_ENDS}(?:please )?(?:read|lies|lese man|liest man|lire|lisez|léase|leer|leia|leia-se"
    rf"|ler|leggi|leggasi|leggere|читать|читайте|lees|läs|czytaj)[\s:：]+{_FORMULA}"
)
_FOR = re.compile(
    r"(?i)(?:\bfor|\bfür|\bpour|\bpara|\bper|\bdonde dice|\bonde se lê|\bem vez de|\binstead of"
    r"|\b(?:an)?statt|\banstelle von|\bau lieu de|\ben lugar de|\ben vez de|\binvece di"
    r"|\bвместо|\bin plaats van|\bi stället för|\bzamiast|\bwhere it (?:says|reads)"
    r"|(?:page|p\.|seite|s\.|página|стр\.)\s?\d+)[\s\"'“”„«»‘’$`*_\\({:,]*$"
)
_INSTEAD = re.compile(
    r"(?i)(?:instead of|rather than|\b(?:an)?statt|\banstelle von|au lieu de|en lugar de|en vez de"
    r"|em vez de|ao invés de|invece di|\bвместо|in plaats van|i stället för|\bzamiast)"
    r"[\s\"'“”„«»‘’$`*_\\({:,]*$"
)
_REPLACE = re.compile(
    r"(?i)(?:replace|change|correct|ersetze|ersetzen sie|ändere|remplace[rz]?|reempla[zc]\w+"
    r"|sustitu\w+|cambi\w+|substitu\w+|troque|sostitui\w*|замени\w*|把|将|vervang|ersätt)"
    r"[\s\"'“”„«»‘’$`*_\\({:,]*$"
)
_BY = re.compile(
    rf"(?i){_ENDS}(?:by|with|to|into|durch|zu|in|par|en|por|a|con|на|door|med|改为|改成|替换为|换成)"
    rf"\s?{_FORMULA}"
)


def is_faulted(tail: str) -> bool:
    """... is wrong; ... (falsch); ... What went wrong?"""
    return bool(_SAID.match(tail) or _MARKED.match(tail) or _ASKED.match(tail))


def is_amended(before: str, tail: str) -> bool:
    """... should be ...; for ... read ...; replace ... by ...; instead of ..."""
    if _SHOULD.match(tail) or _INSTEAD.search(before):
        return True
    if _REPLACE.search(before) and _BY.match(tail):
        return True
    return bool(_FOR.search(before) and _READ.match(tail))
