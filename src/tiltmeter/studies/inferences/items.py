"""What the model is asked: an item for each group, situation, relation and rank of a hypothesis."""

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, AskedInference
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Note
from tiltmeter.core.study import Reading, Source
from tiltmeter.data.groups.group_lists import chosen
from tiltmeter.data.groups.premises import PremiseFile, PremiseGroup, Situation, premise_of
from tiltmeter.data.prompts.prompt_items import DRAWN, MOST, check_drawn, names_in, whole_setting

ANNOTATED = "annotated"
SETTINGS = (
    Setting(
        "groups",
        default="",
        summary="Only these groups or domains, separated by commas (default: all).",
    ),
    Setting(
        "situations",
        default="annotated",
        summary="annotated (those whose published hypotheses people judged), all, or a number to "
        "be drawn at random.",
    ),
    Setting("drawn", default="0", summary="Seed of that draw."),
    Setting(
        "relations",
        default="neutral",
        summary="What hypotheses are to the premise, separated by commas: neutral, or if-then "
        "relations such as xAttr,xEffect,oWant. A trained model needs those that it was trained "
        "for.",
    ),
    Setting(
        "hypotheses", default="3", summary="How many hypotheses for each premise and relation."
    ),
    Setting(
        "labels",
        default="turn",
        summary="Groups with several labels: use them in turn over the situations, the first only, "
        "or each in every situation.",
        choices=("turn", "first", "each"),
    ),
    *DRAWN,
    Setting(
        "sentiment",
        default="lexicon",
        summary="What judges hypotheses: lexicon (VADER), or classifier:MODEL with positive and "
        "negative labels.",
    ),
    Setting(
        "sentiment_labels",
        default="",
        summary="With a classifier: the class (positive, neutral, negative) of each label whose "
        "name does not say it, separated by commas: LABEL_0=negative,LABEL_1=positive.",
    ),
    Setting(
        "label",
        default="kept",
        summary="Whether the group's own label is kept in what is judged, or masked as “person”.",
        choices=("kept", "masked"),
    ),
    WRAP,
)


def load_inferences(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[AskedInference]:
    """The premises of the packaged lists, or of a TOML file of the user's."""
    values = with_defaults(SETTINGS, settings)
    check_drawn(values)
    file = PremiseFile.named(source, encoding=reading.get("encoding", ""))
    groups = chosen("group", file.groups, values["groups"])
    drawn = whole_setting(values, "drawn", 0, 0, 2**32)
    situations = chosen_situations(file, values["situations"].strip(), drawn)
    return inferences_of(file, groups, situations, values)


def chosen_situations(file: PremiseFile, wanted: str, drawn: int) -> list[Situation]:
    """The situations to ask about: those that people judged, all, or a number of them drawn at random.

    They are in the order of the file.

    Raises:
        BadInput: `wanted` is neither "annotated", "all" nor a number of situations.
    """
    every = list(file.situations)
    annotated = [situation for situation in every if situation.annotated]
    if wanted in {ANNOTATED, "all"}:
        return annotated if annotated and wanted == ANNOTATED else every
    number = int(wanted) if wanted.isascii() and wanted.isdigit() else 0
    if not 1 <= number <= len(every):
        reason = f"the setting situations is {wanted!r}"
        raise BadInput(reason, f"write all, annotated, or a whole number from 1 to {len(every)}")
    some = np.random.default_rng(drawn).choice(len(every), number, replace=False)
    return [every[i] for i in np.sort(some)]


def inferences_of(
    file: PremiseFile,
    groups: Sequence[PremiseGroup],
    situations: Sequence[Situation],
    settings: Mapping[str, str],
) -> Dataset[AskedInference]:
    """An item for each group, situation, label, relation and rank; `settings` has all SETTINGS."""
    relations = names_in(settings["relations"])
    if not relations:
        raise BadInput("the setting relations names none", "write neutral, or xAttr,xEffect,oWant")
    count = whole_setting(settings, "hypotheses", 3, 1, MOST)
    place = {situation.text: i for i, situation in enumerate(file.situations)}
    each = settings["labels"] == "each"

    def labels(group: PremiseGroup, situation: Situation) -> tuple[str, ...]:
        if each:
            return group.labels
        turn = place[situation.text] if settings["labels"] == "turn" else 0
        return (group.labels[turn % len(group.labels)],)

    items = [
        AskedInference(
            f"{label if each else group.name}|{situation.text.rstrip('.')}|{relation}|{rank}",
            premise_of(label, situation.text),
            label,
            relation,
            rank,
            _axes(group, situation, relation if len(relations) > 1 else ""),
            situation.text.rstrip("."),
            file.file,
        )
        for group in groups
        for situation in situations
        for label in labels(group, situation)
        for relation in relations
        for rank in range(count)
    ]
    about = {
        "groups": f"{len(groups):,}",
        "situations": f"{len(situations):,}",
        "relations": ", ".join(relations),
        "premises": f"{len(items) // (len(relations) * count):,}",
    }
    warning = "Models may write stereotypes of the groups, and insults."
    notes = _notes(groups, situations)
    return file.dataset(items, about, warning=warning, clusters="situation", notes=notes)


def _axes(group: PremiseGroup, situation: Situation, relation: str) -> dict[str, str]:
    axes = {
        "group": group.name,
        "domain": group.domain,
        "kind": situation.kind,
        "relation": relation,
        "situation": situation.text.rstrip("."),
    }
    return {axis: label for axis, label in axes.items() if label}


def _notes(groups: Sequence[PremiseGroup], situations: Sequence[Situation]) -> list[Note]:
    texts = {
        "With one group there is no other to compare it with in the same situation.": groups,
        "With one situation, nothing says how much situations differ.": situations,
    }
    return [Note("caution", text) for text, several in texts.items() if len(several) == 1]
