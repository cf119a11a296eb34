"""The documents of a fitted mitigation: directions, prompts, or a model that was trained further.

Descriptions are the contents of mitigation.json. A damaged one raises whatever reading its entries raises.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.core.text import counted
from tiltmeter.report.document import BOTH, Block, Document, Lines, Section, Text

PLACES = {"last": "where the states leave the encoder"}
"""Where directions are removed, by the `point` of the description; any other means after every layer."""


def directions_document(description: Mapping[str, Any]) -> Document:
    """The document of fitted directions: how many there are, on what they were fitted, what they explain."""
    fitted, corpus = description["fitted"], description["corpus"]
    size = f"{counted(fitted['k'], 'directions')} of {description['model']['hidden size']:,}"
    place = PLACES.get(description["point"], "after every layer")
    groups = ", ".join(f"{group} ({count:,})" for group, count in description["groups"].items())
    sentences = counted(fitted["sentences"], "sentences")
    return _document(
        description,
        f"{size}, removed {place}",
        f"Fitted on {sentences} of {corpus['name']} that name {groups}.",
        *_explained(fitted),
        *_told_apart(fitted),
    )


def _explained(fitted: Mapping[str, Any]) -> list[str]:
    """For principal directions, how much variance between versions of a sentence they explain."""
    if "explained variance" not in fitted:
        return []
    shares, single = fitted["explained variance"], fitted["k"] == 1
    first = "" if single else f" (the first {_percent(shares[0])})"
    explained = (
        f"{'It explains' if single else 'They explain'} {_percent(sum(shares))} of the variance"
    )
    rank = f"the versions differ in {counted(fitted['rank'], 'directions')}"
    return [f"{explained} between versions of a sentence{first}; {rank}."]


def _told_apart(fitted: Mapping[str, Any]) -> list[str]:
    """For directions fitted by classifiers, the accuracy of these before and after the removal."""
    if "accuracy" not in fitted:
        return []
    first, *_, last = fitted["accuracy"]
    predicts = "a linear classifier that predicts which group a held-out sentence names, if any"
    shares = f"{_percent(first)} before, {_percent(last)} after"
    chance = _percent(fitted["chance"])
    return [f"Accuracy of {predicts}: {shares} (always predicting the most frequent: {chance})."]


def prompts_document(description: Mapping[str, Any]) -> Document:
    """The document of bias-eliciting prompts, whose favoured words are down-weighted."""
    prompts = [str(text).rstrip() for text in description["prompts"]]
    room = description["fitted"]["longest prompt"]
    favoured = (
        f"any of {counted(len(prompts), 'prompts')} favours"
        if len(prompts) > 1
        else "a prompt favours"
    )
    weights = f"decay {description['decay']:g}, epsilon {description['epsilon']:g}"
    return _document(
        description,
        f"words that {favoured} are down-weighted ({weights})",
        f"Each question is asked {len(prompts) + 1} times, and a text may have "
        f"{counted(room, 'fewer tokens')} than "
        "the model reads by itself.",
        prompts=prompts,
    )


def training_document(description: Mapping[str, Any]) -> Document:
    """The document of a model that was trained further: how long, on what, and how well it still predicts."""
    held, asked = description["held out"], description["held out"]["asked"]
    dropout = "".join(f"; {name} {value:g}" for name, value in description["dropout"].items())
    right = {when: _percent(held[f"right {when}"] / asked) for when in ("before", "after")}
    return _document(
        description,
        f"{counted(description['steps'], 'steps')} on {counted(description['rows'], 'rows')} of text "
        f"({description['epochs']:.2g} epochs){dropout}",
        f"Held-out loss: {held['loss before']:.3f} before, {held['loss after']:.3f} after. The correct token "
        f"is the most likely for {right['before']} before, {right['after']} after, of {asked:,} "
        f"{held['asked for']} in {counted(held['rows'], 'rows')} of documents that were not trained on.",
    )


def _document(
    description: Mapping[str, Any], what: str, *about: str, prompts: Sequence[str] = ()
) -> Document:
    of = f" for {description['attribute']}" if description["attribute"] else ""
    listed: list[Block] = [Lines(prompts, on=BOTH)] if prompts else []
    blocks = [*listed, *map(Text, about)]
    head = f"{description['method']}{of}"
    return Document("Mitigation", head, [f"{head}: {what}."], [Section("about", "", blocks)])


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", "\u00a0%")
