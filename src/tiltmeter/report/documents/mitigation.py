"""What was made to mitigate bias in a model, as a document: directions, prompts or a trained model.

Descriptions are those of mitigation.json; of a damaged one, whatever reading it raises is raised.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.core.text import counted
from tiltmeter.report.document import BOTH, Block, Document, Lines, Section, Text

PLACES = {"last": "where the states leave the encoder"}
"""Where directions are removed, by the name in the description; otherwise after every layer."""


def directions_document(description: Mapping[str, Any]) -> Document:
    """Directions that were fitted: how many, on what, and how much they explain."""
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
    """Of principal directions: their share of the variance between versions of a sentence."""
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
    """Of directions by classifiers: how accurate these were before and after."""
    if "accuracy" not in fitted:
        return []
    first, *_, last = fitted["accuracy"]
    predicts = "a linear classifier that predicts which group a held-out sentence names, if any"
    shares = f"{_percent(first)} before, {_percent(last)} after"
    chance = _percent(fitted["chance"])
    return [f"Accuracy of {predicts}: {shares} (always predicting the most frequent: {chance})."]


def prompts_document(description: Mapping[str, Any]) -> Document:
    """Prompts that elicit a bias, whose favourite words are down-weighted."""
    prompts = [str(text).rstrip() for text in description["prompts"]]
    room = description["fitted"]["longest prompt"]
    favoured = f"any of {len(prompts)} prompts favours" if len(prompts) > 1 else "a prompt favours"
    weights = f"decay {description['decay']:g}, epsilon {description['epsilon']:g}"
    return _document(
        description,
        f"words that {favoured} are down-weighted ({weights})",
        f"Each question is asked {len(prompts) + 1} times, and a text may have {room:,} fewer tokens than "
        "the model reads by itself.",
        prompts=prompts,
    )


def training_document(description: Mapping[str, Any]) -> Document:
    """A model that was trained further: for how long, on what, and what it still predicts."""
    held, asked = description["held out"], description["held out"]["asked"]
    dropout = "".join(f"; {name} {value:g}" for name, value in description["dropout"].items())
    right = {when: _percent(held[f"right {when}"] / asked) for when in ("before", "after")}
    return _document(
        description,
        f"{description['steps']:,} steps on {description['rows']:,} rows of text "
        f"({description['epochs']:.2g} epochs){dropout}",
        f"Held-out loss: {held['loss before']:.3f} before, {held['loss after']:.3f} after. The correct token "
        f"is the most likely for {right['before']} before, {right['after']} after, of {asked:,} "
        f"{held['asked for']} in {held['rows']:,} rows of documents that were not trained on.",
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
