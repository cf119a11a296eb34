"""Texts in a form file: in one language, or in every language of the form."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Annotated, Any, TypeAlias

from tiltmeter.core.reading.typed_values import Fault, Faults, Raw

MARKDOWN = "Markdown"
"""In `Annotated`: texts that pages show as Markdown."""
_LANGUAGES: ContextVar[tuple[str, ...]] = ContextVar("languages", default=("en",))


@contextmanager
def form_in(languages: Sequence[str]) -> Iterator[None]:
    """While the block runs, texts are read in these languages."""
    token = _LANGUAGES.set(tuple(languages))
    try:
        yield
    finally:
        _LANGUAGES.reset(token)


def words(value: Any, *, in_all: bool = True) -> Mapping[str, str]:
    """A text in every language of the form: a table of them, or one text where there is one language.

    Unless it is `in_all`, some languages may lack it; one must have it.

    Raises:
        Faults: It is not.
    """
    languages = _LANGUAGES.get()
    example = ", ".join(f'{language} = "…"' for language in languages)
    example = f"{{ {example} }}" if len(languages) > 1 else '"…"'
    if isinstance(value, str):
        if not value.strip():
            raise Fault("is empty", "write it, or leave the key out")
        if len(languages) > 1 and any(map(str.isalpha, value)):
            raise Fault("is in one language only", f"write {example}")
        return dict.fromkeys(languages, value.strip())
    if not isinstance(value, Mapping):
        raise Fault(f"is {value!r}", f"write {example}")
    texts = {key: text.strip() for key, text in value.items() if isinstance(text, str)}
    wrong = [
        Fault(f"has no text in {language!r}", "write it")
        for language in languages
        if not texts.get(language) and (in_all or language in value or not texts)
    ]
    way_out = f"add it to languages ({', '.join(languages)}), or remove the text"
    wrong += [
        Fault(f"has a text in {language!r}", way_out)
        for language in value
        if language not in languages
    ]
    if wrong:
        raise Faults(wrong)
    return {language: texts[language] for language in languages if language in texts}


Words: TypeAlias = Annotated[Mapping[str, str], Raw(words)]
"""A text by language: {"en": "How warm?", "ru": "Насколько сердечны?"}; {} where there is none."""
Prose: TypeAlias = Annotated[Mapping[str, str], Raw(words), MARKDOWN]
"""`Words` with paragraphs, headings, lists, emphasis and links (`survey.consent.form_markdown`)."""
WordsOfSome: TypeAlias = Annotated[Mapping[str, str], Raw(partial(words, in_all=False))]
"""A text in some of the form's languages; pages in the others show it in the first that has it."""
