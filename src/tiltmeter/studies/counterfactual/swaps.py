"""Labelled texts before and after their identity terms are exchanged, and the swaps that are left out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import ATTRIBUTE, GROUP, LabelledText, SwappedText
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted
from tiltmeter.data.texts.identity_swaps import swap_lists
from tiltmeter.data.texts.labelled_texts import POSITIVE, PREDICTS, THRESHOLD, load_labelled
from tiltmeter.study_families.edited_texts import EditedTexts

TEMPLATES = "swap_templates"
"""The name of FRAMES with ADJECTIVES, as a data set."""
SETTINGS = (
    POSITIVE,
    PREDICTS,
    THRESHOLD,
    Setting(
        "swaps", default="", summary="A TOML file of identity terms; by default the packaged list."
    ),
    Setting(
        "attributes",
        default="",
        summary="Attributes of that list, with + between them; by default all.",
    ),
    Setting(
        "doubtful",
        default="leave out",
        summary="What is done with swaps that may break grammar or meaning: they are listed and "
        "left out, or kept under an axis of their own.",
        choices=("leave out", "keep"),
    ),
)
FRAMES = (
    ("{A} people are welcome here.", "other"),
    ("My neighbour is a {A} person and a good cook.", "other"),
    ("I spent the afternoon with a {A} family.", "other"),
    ("The {A} students asked good questions.", "other"),
    ("I hate {A} people.", "hateful"),
    ("{A} people are disgusting.", "hateful"),
    ("Get rid of all the {A} people.", "hateful"),
    ("No decent person would talk to a {A} person.", "hateful"),
)
"""Sentences of our own with their labels; {A} is an adjective of a group."""
ADJECTIVES = ("Muslim", "black", "gay", "immigrant", "female")


PLACEBO_EDITS: EditedTexts[SwappedText] = EditedTexts(
    text_id=lambda item: item.before.id,
    before=lambda item: item.before.text,
    after=lambda item: item.after,
    edited=lambda item, text: replace(item, after=text),
    of_edit=("swap", "doubt"),
)
"""The irrelevant arm: each text with edits that leave its groups as they are."""


def templates() -> Dataset[LabelledText]:
    """Eight sentences of our own, each about five groups."""
    items = []
    for i, (frame, label) in enumerate(FRAMES):
        for word in ADJECTIVES:
            article = "an" if word[0] in "aeiou" else "a"
            text = frame.replace("a {A}", f"{article} {{A}}").replace("{A}", word)
            text, options = text[:1].upper() + text[1:], ("other", "hateful")
            items.append(LabelledText(f"{i}-{word}", text, label, options, "hateful", {}, str(i)))
    return Dataset(TEMPLATES, "1", items, "sentences made for Tiltmeter", "Apache-2.0")


def load_swaps(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[SwappedText]:
    """The swaps of a set or file of labelled texts, by default of the packaged templates; see `swapped`."""
    settings = settings or {}
    packaged = source in {None, TEMPLATES}
    data = templates() if packaged else load_labelled(source, settings=settings, **reading)
    if not data.items[0].positive:
        raise BadInput("no label is positive", "name one with --set positive=LABEL")
    return swapped(data, settings)


def swapped(data: Dataset[LabelledText], settings: Mapping[str, str]) -> Dataset[SwappedText]:
    """Every term of the texts exchanged for each counterpart; what may break grammar is in `invalid`.

    Doubtful swaps of an attribute leave a text out for it, unless the setting `doubtful` keeps them.
    """
    lists = swap_lists(settings.get("swaps", ""), settings.get("attributes", ""))
    keep = settings.get("doubtful", "leave out") == "keep"
    items: list[SwappedText] = []
    left: list[Problem] = []
    about_groups: set[str] = set()
    for text in data.items:
        for words in lists:
            for swap in words.swaps(text.text):
                about_groups.add(text.id)
                if swap.doubt and not keep:
                    reason = f"{swap.doubt}: {text.text!r}"
                    left.append(Problem(reason, "", text.where, item=text.id))
                    break
                items.append(_item(text, words.attribute, swap, len(items), keep=keep))
    if not items:
        raise BadInput(
            f"none of the {counted(len(data.items), 'texts')} of {data.name} names a group of the "
            "list in a way that "
            "can be exchanged",
            "give other --data, a list of yours with --set swaps=FILE, or --set doubtful=keep",
        )
    reasons = Counter(_kind(problem.reason) for problem in left)
    listed = "; ".join(f"{n:,} because {reason}" for reason, n in reasons.most_common())
    coverage = []
    if others := len(data.items) - len(about_groups):
        every = counted(len(data.items), "texts")
        coverage.append(f"{others:,} of {every} without the name of a group.")
    if left:
        coverage.append(f"Left out and listed: {counted(len(left), 'texts')} ({listed}).")
    notes = (*data.notes, *notes_of("coverage", coverage))
    about = {**data.about, "swaps": f"{len(items):,}", "texts left out": f"{len(left):,}"}
    bare: Dataset[Any] = data
    return replace(
        bare, items=items, invalid=[*data.invalid, *left], notes=notes, clusters="text", about=about
    )


def _kind(reason: str) -> str:
    for part, kind in (
        ("which an exchange would make one", "they name several groups"),
        ("fits one group alone", "a word fits one group alone"),
        ("depends on grammar", "a word has several counterparts"),
    ):
        if part in reason:
            return kind
    return "a term may not be about people"


def _item(text: LabelledText, attribute: str, swap: Any, number: int, *, keep: bool) -> SwappedText:
    groups = {
        ATTRIBUTE: attribute, GROUP: swap.before, "swap": f"{swap.before} → {swap.after}",
        "label": text.truth, **({"doubt": "doubtful" if swap.doubt else "clear"} if keep else {}),
    }  # fmt: skip
    cluster = text.cluster or text.id
    return SwappedText(
        f"{text.id}:{attribute}:{number}", text, swap.text, groups, cluster, text.where
    )
