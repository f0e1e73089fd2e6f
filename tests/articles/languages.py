"""A few words of prose in fifteen languages, for between the formulas."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """How an article begins, announces inputs and results, ends, and names a row."""

    start: str
    given: str
    then: str
    end: str
    row: str
    comma: bool = False
    digits: str = ""


LANGUAGES = {
    "en": Language("A small example, worked by hand.", "The input is", "Next we compute",
                   "This is the result.", "Row {0}"),
    "zh": Language("下面用手算一个小例子。", "输入为", "接下来计算", "这就是结果。", "第 {0} 行"),
    "de": Language("Ein kleines Beispiel, von Hand gerechnet.", "Die Eingabe ist",
                   "Nun berechnen wir", "Das ist das Ergebnis.", "Zeile {0}", True),
    "fr": Language("Un petit exemple, calculé à la main.", "L'entrée est",
                   "Nous calculons ensuite", "Voilà le résultat.", "Ligne {0}", True),
    "es": Language("Un pequeño ejemplo, hecho a mano.", "La entrada es", "Ahora calculamos",
                   "Este es el resultado.", "Fila {0}", True),
    "pt": Language("Um pequeno exemplo, feito à mão.", "A entrada é", "Agora calculamos",
                   "Este é o resultado.", "Linha {0}", True),
    "it": Language("Un piccolo esempio, fatto a mano.", "L'ingresso è", "Ora calcoliamo",
                   "Questo è il risultato.", "Riga {0}", True),
    "ru": Language("Небольшой пример, посчитанный вручную.", "На входе", "Теперь вычислим",
                   "Вот результат.", "Строка {0}", True),
    "ja": Language("小さな例を手で計算します。", "入力は次のとおりです", "次に計算します",
                   "これが結果です。", "{0}行目"),
    "ko": Language("작은 예제를 손으로 계산합니다.", "입력은 다음과 같습니다", "이제 계산합니다",
                   "이것이 결과입니다.", "{0}행"),
    "hi": Language("एक छोटा उदाहरण, हाथ से हल किया गया।", "इनपुट है", "अब हम निकालते हैं",
                   "यही परिणाम है।", "पंक्ति {0}", digits="०१२३४५६७८९"),
    "bn": Language("একটি ছোট উদাহরণ, হাতে কষা।", "ইনপুট হলো", "এবার আমরা বের করি",
                   "এটাই ফলাফল।", "সারি {0}", digits="০১২৩৪৫৬৭৮৯"),
    "ar": Language("مثال صغير محسوب باليد.", "المدخل هو", "الآن نحسب", "هذه هي النتيجة.",
                   "الصف {0}", digits="٠١٢٣٤٥٦٧٨٩"),
    "fa": Language("یک مثال کوچک که با دست حساب شده است.", "ورودی", "اکنون حساب می‌کنیم",
                   "این نتیجه است.", "سطر {0}", digits="۰۱۲۳۴۵۶۷۸۹"),
    "th": Language("ตัวอย่างเล็ก ๆ ที่คำนวณด้วยมือ", "อินพุตคือ", "ต่อไปเราคำนวณ",
                   "นี่คือผลลัพธ์", "แถว {0}", digits="๐๑๒๓๔๕๖๗๘๙"),
}  # fmt: skip
COMMAS = [k for k, v in LANGUAGES.items() if v.comma]
NATIVE = [k for k, v in LANGUAGES.items() if v.digits]
