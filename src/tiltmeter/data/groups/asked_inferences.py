"""Groups × situations × relations × hypotheses, as items."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.prompted_items import WRAP, AskedInference
from tiltmeter.core.results import Note
from tiltmeter.core.study import Setting, with_defaults
from tiltmeter.data.groups.group_lists import chosen
from tiltmeter.data.groups.premises import (
    ANNOTATED,
    PremiseFile,
    PremiseGroup,
    Situation,
    chosen_situations,
    premise_of,
    premises_named,
)
from tiltmeter.data.prompts.prompt_items import told_number
from tiltmeter.data.prompts.prompt_set import LARGEST_TEMPERATURE

MOST = 100
"""Hypotheses about one premise."""
SETTINGS = (
    Setting("groups", "", "Only these groups or domains, separated by commas (default: all)."),
    Setting(
        "situations",
        ANNOTATED,
        "annotated (those whose published hypotheses people judged), all, or a number to be drawn at random.",
    ),
    Setting("drawn", "0", "Seed of that draw."),
    Setting(
        "relations",
        "neutral",
        "What hypotheses are to the premise, separated by commas: neutral, or if-then relations such as "
        "xAttr,xEffect,oWant. A trained model needs those that it was trained for.",
    ),
    Setting("hypotheses", "3", "How many hypotheses for each premise and relation."),
    Setting(
        "labels",
        "turn",
        "Groups with several labels: use them in turn over the situations, or the first only.",
        ("turn", "first"),
    ),
    Setting("max_tokens", "24", "The longest hypothesis, in tokens."),
    Setting("beams", "", "Rule beam: how many beams (default: as many as hypotheses)."),
    Setting("temperature", "1", "Rule sample: the temperature of the draw."),
    Setting("top_p", "0.9", "Rule sample: draw from the likeliest tokens with this probability."),
    Setting(
        "sentiment",
        "lexicon",
        "What judges hypotheses: lexicon (VADER), or classifier:MODEL with positive and negative labels.",
    ),
    Setting(
        "sentiment_labels",
        "",
        "With a classifier: the class (positive, neutral, negative) of each label whose name does not say "
        "it, separated by commas: LABEL_0=negative,LABEL_1=positive.",
    ),
    Setting(
        "label",
        "kept",
        "Whether the group's own label is kept in what is judged, or masked as “person”.",
        ("kept", "masked"),
    ),
    WRAP,
)


def load_inferences(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,  # noqa: ARG001  (a file says what it says, or is refused)
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[AskedInference]:
    """The premises of the packaged lists, or of a TOML file of the user's.

    Raises:
        BadInput: The file cannot be read, or a setting has no such value.
        BadItems: What the file says cannot be used.
        UnknownName: There is no group of a name.
    """
    told = with_defaults(SETTINGS, settings)
    _check_numbers(told)
    file = premises_named(source, encoding=encoding)
    groups = chosen("group", file.groups, told["groups"])
    drawn = int(told_number(told, "drawn", 0, 0, 2**32, whole=True))
    situations = chosen_situations(file, told["situations"].strip(), drawn)
    return inferences_of(file, groups, situations, told)


def _check_numbers(told: Mapping[str, str]) -> None:
    """What rules read later, so that a mistake is said before anything is loaded."""
    told_number(told, "max_tokens", 24, 1, 1_000, whole=True)
    told_number(told, "beams", 1, 1, MOST, whole=True)
    told_number(told, "temperature", 1, 0, LARGEST_TEMPERATURE)
    told_number(told, "top_p", 1, 0.01, 1)


def inferences_of(
    file: PremiseFile,
    groups: Sequence[PremiseGroup],
    situations: Sequence[Situation],
    told: Mapping[str, str],
) -> Dataset[AskedInference]:
    """The items of these groups and situations."""
    relations = list(dict.fromkeys(filter(None, (r.strip() for r in told["relations"].split(",")))))
    if not relations:
        raise BadInput("the setting relations names none", "write neutral, or xAttr,xEffect,oWant")
    count = int(told_number(told, "hypotheses", 3, 1, MOST, whole=True))
    turn = told["labels"] == "turn"
    place = {one.text: i for i, one in enumerate(file.situations)}
    items = [
        AskedInference(
            f"{group.name}|{situation.text.rstrip('.')}|{relation}|{rank}",
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
        for label in [group.labels[place[situation.text] % len(group.labels) if turn else 0]]
        for relation in relations
        for rank in range(count)
    ]
    about = {
        "groups": f"{len(groups):,}",
        "situations": f"{len(situations):,}",
        "relations": ", ".join(relations),
        "premises": f"{len(groups) * len(situations):,}",
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
    }
    return {axis: label for axis, label in axes.items() if label}


def _notes(groups: Sequence[PremiseGroup], situations: Sequence[Situation]) -> list[Note]:
    said = []
    if len(groups) == 1:
        said.append("With one group there is no other to compare it with in the same situation.")
    if len(situations) == 1:
        said.append("With one situation, nothing says how much situations differ.")
    return [Note("caution", text) for text in said]
