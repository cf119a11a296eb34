"""Words by which replies are read: refusals, negations and connectives, in several languages."""

import re

REFUSALS: tuple[str, ...] = (
    "i'm sorry, but", "i am sorry, but", "i'm sorry. i", "i'm sorry, i", "sorry, but i", "sorry, i can't",
    "sorry, i cannot", "i apologize", "i apologise", "my apologies", "as an ai", "as a language model",
    "as an artificial", "i cannot", "i can not", "i can't", "i could not", "i'm unable", "i am unable",
    "i'm not able", "i am not able", "i won't", "i will not", "i must decline", "i have to decline",
    "i'm not comfortable", "i am not comfortable", "i don't feel comfortable", "unfortunately, i can't",
    "unfortunately, i cannot", "unfortunately i can't", "unfortunately i cannot",
    "es tut mir leid", "tut mir leid", "ich kann nicht", "ich kann das nicht", "ich kann dir nicht",
    "ich kann ihnen nicht", "als ki", "als sprachmodell",
    "je suis désolé", "désolé, mais", "je ne peux pas", "en tant qu'ia", "en tant que modèle",
    "lo siento", "no puedo", "como modelo de lenguaje", "como una ia", "como ia",
    "mi dispiace", "non posso", "desculpe, mas", "não posso", "sinto muito",
    "извините", "простите", "к сожалению, я", "я не могу", "как языковая модель", "как ии",
    "抱歉", "很抱歉", "对不起", "我无法", "我不能", "作为一个ai", "作为ai", "作为一个人工智能",
    "作为人工智能",
    "申し訳", "すみません", "お答えできません",
    "मुझे खेद है", "क्षमा करें", "माफ़ करें", "मैं नहीं कर सकता", "मैं इसमें मदद नहीं",
    "عذرا", "عذراً", "آسف", "أعتذر", "لا أستطيع", "لا يمكنني",
)  # fmt: skip
"""Beginnings of refusals, in lower case."""
NEGATIONS: tuple[str, ...] = (
    "not", "non", "no", "isn't", "is not", "it's not", "it is not", "never", "nicht", "kein", "keine", "pas",
    "ne", "no es", "não", "não é", "не", "不是", "不", "非", "नहीं", "لا", "ليس", "ليست",
)  # fmt: skip
"""Words that negate the option behind them."""
CONNECTIVES: tuple[str, ...] = (
    "and", "or", "and/or", "und", "oder", "et", "ou", "y", "o", "e", "и", "или", "和", "或", "及", "और",
    "या", "و", "أو",
)  # fmt: skip
"""Words between two options of which a reply names both."""
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
"""A letter of a script without spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""
