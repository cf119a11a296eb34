"""The English articles "a" and "an" before words that are put into a sentence."""

import re

_ARTICLE = re.compile(r"(?:^|(?<=\s))([Aa])n?(?=\s+$)")
_VOWEL = re.compile(r"[aeiou]|hour|heir|honest|honou?r", re.IGNORECASE)
_NO_VOWEL = re.compile(r"eu|ewe|uni(?!n|m|d)|use|usu|uti|ubi|uga|uru|ukr|one\b|once", re.IGNORECASE)
"""Words that begin with a vowel but with the sound of a consonant: European, unicyclist, user."""


def agreeing(before: str, name: str, article: str) -> str:
    """What stands before a word, with "a" or "an" at its end as the sound of the word wants it.

    >>> [agreeing("A ", name, "") for name in ("elderly person", "woman", "unicyclist")]
    ['An ', 'A ', 'A ']
    >>> agreeing("She is a ", "MP", "an")
    'She is an '
    """
    vowel = bool(_VOWEL.match(name)) and not _NO_VOWEL.match(name)
    n = "n" if (article or ("an" if vowel else "a")) == "an" else ""
    return _ARTICLE.sub(lambda found: found[1] + n, before)
