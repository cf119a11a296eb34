"""Divide labelled texts into three parts, and documents of a corpus into learned from and held out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.core.types import Integers
from tiltmeter.data.texts.corpus import Corpus
from tiltmeter.train.training_config import SHARES

PARTS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class TextSplit:
    """Which texts belong to which part."""

    parts: Mapping[str, tuple[int, ...]]
    """The positions of the texts of each part, ascending."""
    duplicates: int
    """How many texts repeat an earlier one after cleaning. They are in the same part as that one."""
    contradictory: int
    """How many different texts occur with more than one label."""


def split_texts(
    texts: Sequence[str], labels: Sequence[str], *, shares: Sequence[float] = SHARES, seed: int = 0
) -> TextSplit:
    """Split texts into three parts, each with about the same share of every label.

    Equal texts are always in the same part.

    Args:
        texts: The texts as the classifier reads them.
        labels: The label of each text.
        shares: The shares of the three parts, which add up to 1.
        seed: Seed of the random division.

    Raises:
        BadInput: The shares are not three positive numbers that add up to 1, there are fewer than two
            labels, or a label has fewer than three different texts.

    >>> made = split_texts([*"abcdefghij", "a"], [*"xxxxxyyyyy", "x"], seed=1)
    >>> [len(made.parts[part]) for part in PARTS], made.duplicates
    ([4, 5, 2], 1)
    >>> {0, 10} <= set(next(part for part in made.parts.values() if 0 in part))
    True
    """
    usual = len(shares) == len(PARTS) and all(share > 0 for share in shares)  # NaN is not
    if not usual or abs(sum(shares) - 1) > 1e-6:  # noqa: PLR2004
        raise BadInput(f"the split is {shares}", "give three shares that add up to 1: 0.4,0.3,0.3")
    alike: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        alike.setdefault(text, []).append(at)
    by_label: dict[str, list[list[int]]] = {}
    for places in alike.values():
        by_label.setdefault(labels[places[0]], []).append(places)
    if len(by_label) < 2:  # noqa: PLR2004
        labels_there = ", ".join(map(repr, by_label)) or "none"
        way_out = "give texts of two labels or more, and see what --cleaning leaves of them"
        raise BadInput(f"the texts have fewer than two labels ({labels_there})", way_out)
    rng = np.random.default_rng([seed, 5])
    places_by_part: dict[str, list[int]] = {part: [] for part in PARTS}
    for label in sorted(by_label):
        groups = by_label[label]
        if len(groups) < len(PARTS):
            raise BadInput(
                f"the label {label!r} has {counted(len(groups), 'different texts')}, too few for three parts",
                "leave the label out, or join it with another by --positive",
            )
        bounds = [round(bound * len(groups)) for bound in np.cumsum(shares)]
        # Each part has a text of each label, however small its share.
        bounds[0], bounds[1] = max(1, bounds[0]), min(max(2, bounds[1]), len(groups) - 1)
        order = rng.permutation(len(groups))
        ends = [*bounds[:2], len(groups)]
        for part, start, bound in zip(PARTS, [0, *bounds], ends, strict=False):
            places_by_part[part] += [at for i in order[start:bound] for at in groups[i]]
    apart = sum(len({labels[i] for i in places}) > 1 for places in alike.values())
    return TextSplit(
        {part: tuple(sorted(some)) for part, some in places_by_part.items()},
        len(texts) - len(alike),
        apart,
    )


def split_documents(
    corpus: Corpus, share: float, rng: np.random.Generator, *, least: int, why: str
) -> tuple[Integers, Integers]:
    """The numbers of the documents to learn from and of those to hold out, each ascending.

    Args:
        corpus: The documents.
        share: Share of the documents that is held out, from 0 to 1.
        rng: Draws the documents that are held out.
        least: The smallest number of documents in either part.
        why: Why that many are needed, for the error.

    Raises:
        BadInput: There are too few documents.
    """
    documents = corpus.documents
    if len(documents) < 2 * least:
        raise BadInput(
            f"it holds {len(documents)} document(s) of two sentences or more, but {2 * least} are needed: "
            f"{why}",
            "give more text, or put blank lines between documents",
            file=corpus.name,
        )
    order = rng.permutation(len(documents))
    held = min(max(least, round(share * len(documents))), len(documents) - least)
    return np.sort(order[held:]), np.sort(order[:held])
