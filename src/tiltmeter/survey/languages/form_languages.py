"""What a form lacks in each of its languages, and which translations no native speaker has read."""

from collections.abc import Sequence
from dataclasses import dataclass

from tiltmeter.survey.form import Form
from tiltmeter.survey.languages.interface_words import ENGLISH, missing_words, unread_words

FEW = 5
"""So many names are listed."""


@dataclass(frozen=True, slots=True)
class LanguageReport:
    """How far a form is translated into one of its languages."""

    language: str
    words: int
    """Words of buttons and notes, in all."""
    missing_words: tuple[str, ...]
    """The interface words without a translation, which pages show in English."""
    is_unread: bool
    """Whether built-in words are shown that no native speaker has read, as far as the form says."""
    missing_texts: tuple[str, ...]
    """Texts of items that pages show in another language: "ITEM: TEXT"."""
    missing_labels: tuple[str, ...]
    """Texts of items on pages that show several and do not say what each is called: "PAGE: TEXT"."""

    def gaps(self) -> list[str]:
        """What is missing, in sentences without the language."""
        said = []
        if self.missing_texts:
            texts = f"texts of items are missing ({len(self.missing_texts):,})"
            said.append(f"{texts} and shown in another language: {few(self.missing_texts)}")
        if self.missing_labels:
            labels = "labels of texts are missing and their names shown"
            said.append(f"{labels}: {few(self.missing_labels)}")
        if self.missing_words:
            how_many = f"{len(self.missing_words)} of {self.words} words of buttons and notes"
            said.append(f"{how_many} are missing and shown in English: {few(self.missing_words)}")
        return said


def language_reports(form: Form) -> list[LanguageReport]:
    """How far a form is translated into each of its languages, in their order."""
    return [
        LanguageReport(
            language, len(ENGLISH), missing_words(language, form.words),
            language in unread_languages(form),
            tuple(
                f"{item.key}: {name}" for item in form.items for name, texts in item.texts.items()
                if texts and language not in texts
            ),
            () if language.startswith("en") else _missing_labels(form),
        )
        for language in form.languages
    ]  # fmt: skip


def _missing_labels(form: Form) -> tuple[str, ...]:
    """Texts whose names pages show for lack of a label; names are taken to be English."""
    pages = [page for page in form.pages if len(page.show) > 1]
    return tuple(f"{p.name}: {name}" for p in pages for name in p.show if name not in p.labels)


def unread_languages(form: Form) -> list[str]:
    """Languages with built-in words that no native speaker has read, unless the form says so."""
    return [
        language
        for language in form.languages
        if language not in form.words_read and unread_words(language, form.words)
    ]


def unread_note(form: Form) -> str:
    """What to tell the researcher of such languages; "" where there are none."""
    languages = unread_languages(form)
    if not languages:
        return ""
    listed, example = ", ".join(languages), f'words_read = ["{languages[0]}"]'
    return (
        f"No native speaker has read the built-in words of buttons and notes in {listed}. Have one read "
        f"them (`tiltmeter survey words {languages[0]}`), then write {example} in the form."
    )


def few(names: Sequence[str]) -> str:
    """The first names, and how many there are more.

    >>> few(["a", "b"]), few(list("abcdefgh"))
    ('a, b', 'a, b, c, d, e and 3 more')
    """
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
