"""What buttons and notes say, in the languages of the built-in forms; English for other languages.

No native speaker has read the others than English: pages in these languages say so (`unread`), until the form
names the language under `words_read`.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
WORDS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
"""By language, the words by what they are for (`interface_words.toml`)."""
NAMES: Mapping[str, str] = {code: words["name"] for code, words in WORDS.items()}
"""Names of languages, each in itself, by code."""


def words_in(language: str) -> Mapping[str, str]:
    """The words of a language.

    >>> words_in("ru")["back"], words_in("fr")["back"]
    ('Назад', 'Back')
    """
    return WORDS.get(language, WORDS["en"])
