"""The irrelevant arm: the same kinds of misspelling of words that say nothing, in the same comments."""

from dataclasses import replace

from tiltmeter.core.control_items import PlaceboKind
from tiltmeter.data.texts.placebo_edits import PlaceboEdit
from tiltmeter.studies.misspellings.edits import GENERATED, generated
from tiltmeter.studies.misspellings.rule import EditedText
from tiltmeter.study_families.edited_texts import KINDS as OF_EDITS
from tiltmeter.study_families.edited_texts import EditedTexts

FUNCTION_WORDS = (
    "the", "and", "that", "this", "these", "those", "with", "from", "have", "has", "had", "will",
    "would", "could", "should", "about", "because", "there", "then", "than", "just", "very", "been",
    "being", "were", "when", "where", "while", "what", "which", "into", "over", "after", "before",
    "also", "again", "still", "some", "any", "only", "even", "but", "for", "are", "was", "too", "all",
    "our", "your",
)  # fmt: skip
"""Words without which a comment says the same to whoever it is about; none names people."""
KINDS: dict[PlaceboKind, str] = {
    **OF_EDITS,
    "edits": "misspelt words such as “that” and “with” in the same comments",
}


def misspelt_function_words(text: str) -> list[PlaceboEdit]:
    """Misspellings of the words of FUNCTION_WORDS that a text has between two spaces.

    >>> [edit.put.strip() for edit in misspelt_function_words("Send them away with that.")][:3]
    ['wit', 'wiht', 'w17h']
    """
    return [
        PlaceboEdit(edit.name, find=f" {word} ", put=f" {edit.written} ")
        for word in FUNCTION_WORDS
        if f" {word} " in text
        for edit in generated(word, GENERATED)
    ]


PLACEBO_EDITS: EditedTexts[EditedText] = EditedTexts(
    text_id=lambda item: item.before.id,
    before=lambda item: item.before.text,
    after=lambda item: item.after.text,
    edited=lambda item, text: replace(item, after=item.before.about(text)),
    of_edit=("edit", "kind"),
    own_edits=misspelt_function_words,
)
