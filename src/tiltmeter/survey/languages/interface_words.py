"""What buttons and notes say: built-in words in eight languages, and those of a form (`[words.ar]`)."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Annotated, Any, TypeAlias

from tiltmeter.core.reading.typed_values import Fault, Faults, Raw, near_miss
from tiltmeter.survey.languages.language_codes import lineage, own_name

BUILT_IN: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (files("tiltmeter.survey.web") / "interface_words.toml").read_text("utf-8")
)
"""The words by language, and by what they are for."""
ENGLISH: Mapping[str, str] = BUILT_IN["en"]
READ = frozenset({"en"})
"""Languages whose built-in words a native speaker has read."""
_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")


def placeholders(text: str) -> list[str]:
    """What stands for a value in a text, in alphabetical order.

    >>> placeholders("Page {n} of {total}")
    ['n', 'total']
    """
    return sorted(_PLACEHOLDER.findall(text))


def built_in_words(language: str) -> Mapping[str, str]:
    """The built-in words of a language, or of the more general one; {} where there are none.

    >>> built_in_words("fr-CA")["back"], built_in_words("zh-Hant")
    ('Retour', {})
    """
    return next((BUILT_IN[code] for code in lineage(language) if code in BUILT_IN), {})


def words_in(language: str, own: "OwnWords | None" = None) -> Mapping[str, str]:
    """All words in a language: a form's own before the built-in ones, and English where there are none.

    >>> words = words_in("fr", {"fr": {"agree": "Oui"}})
    >>> words["agree"], words["back"], words_in("fi")["back"]
    ('Oui', 'Retour', 'Back')
    """
    name = {"name": own_name(language)}
    return {**ENGLISH, **name, **built_in_words(language), **(own or {}).get(language, {})}


def missing_words(language: str, own: "OwnWords") -> tuple[str, ...]:
    """The words that pages in a language show in English for lack of a translation."""
    written = {*built_in_words(language), *own.get(language, {})}
    if own_name(language) != language:
        written.add("name")
    return tuple(word for word in ENGLISH if word not in written)


def unread_words(language: str, own: "OwnWords") -> tuple[str, ...]:
    """Built-in words on pages in a language that no native speaker has read."""
    if READ & {*lineage(language)}:
        return ()
    return tuple(word for word in built_in_words(language) if word not in own.get(language, {}))


# ---- The words of a form


def own_words(value: Any) -> Mapping[str, Mapping[str, str]]:
    """The table `words` of a form: by language, the words that it says otherwise.

    Raises:
        Faults: A word is unknown or empty, or lacks a placeholder of the English one or has another.
    """
    if not isinstance(value, Mapping):
        raise Fault(f"is {value!r:.80}", 'write [words.ar], or words = "words-ar.toml"')
    wrong: list[Fault] = []
    for language, words in value.items():
        if isinstance(words, Mapping):
            wrong += (f for word, text in words.items() for f in _faults(word, text, language))
        else:
            wrong.append(
                Fault(f"is {words!r:.80}", f'write [words.{language}] and continue = "…"', language)
            )
    if wrong:
        raise Faults(wrong)
    return {language: {**words} for language, words in value.items()}


OwnWords: TypeAlias = Annotated[Mapping[str, Mapping[str, str]], Raw(own_words)]
"""A form's own words, by language and by what they are for."""


def _faults(word: str, text: Any, language: str) -> Iterator[Fault]:
    """What is wrong with one word."""
    at = f"{language}.{word[:40]}"
    if word not in ENGLISH:
        way_out = f"{near_miss(word, ENGLISH)}`tiltmeter survey words {language}` lists all"
        yield Fault("is no word of buttons and notes", way_out, at)
    elif not isinstance(text, str) or not text.strip() or len(text.splitlines()) > 1:
        yield Fault(f"is {text!r:.80}", "write a text in one line, or leave the word out", at)
    else:
        wanted, found = placeholders(ENGLISH[word]), placeholders(text)
        example = f"English: {ENGLISH[word]}"
        for name in dict.fromkeys(wanted + found):
            if wanted.count(name) > found.count(name):
                yield Fault(f"lacks {{{name}}}", f"write it where the value goes; {example}", at)
            elif wanted.count(name) < found.count(name):
                how = " more often than the English" if name in wanted else ", unlike the English"
                yield Fault(f"has {{{name}}}{how}", f"remove it; {example}", at)
        if set("{}") & set(_PLACEHOLDER.sub("", text)):
            yield Fault("has a brace that is part of no placeholder", f"remove it; {example}", at)
