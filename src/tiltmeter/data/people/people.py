"""What people say of groups: a number for each group and pair of traits, and who it was asked."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.types import Array
from tiltmeter.data.downloads import registry
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.people.rating_files import depth, json_of, ratings_in, read_ratings
from tiltmeter.data.people.ratings import PERCENT, Ratings, RatingScale, copies, means

US = "us_stereotypes"
OVERWRITTEN = {"women": ("poor - wealthy", "untrustworthy - trustworthy")}
"""In the published single ratings of `us_stereotypes`, these columns are copies of "egoistic -
altruistic". The published means show what they were before; `copies` finds them."""
NAMED = 3
"""An answer that fewer annotators gave is counted and not named."""
UNLINKED = (
    "the published file of annotators has other ids than the ratings, on purpose, so that nobody can be "
    "traced: results by gender, race or age cannot be had from it"
)


@dataclass(frozen=True, slots=True)
class People:
    """A table of what people say, from 0 (left trait) through 50 (neither) to 100 (right trait)."""

    name: str
    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    """Each "left - right"."""
    values: Array
    """Means over people, shape (groups, pairs); NaN where nobody was asked."""
    counts: Array
    """How many people each is the mean of; NaN where the table does not say."""
    ratings: Ratings | None = None
    """What single people said, without the ratings that are known to be spoilt; None where only means
    are known."""
    spoilt: tuple[tuple[str, str], ...] = ()
    """(group, pair) that have a mean but no single ratings to use."""
    notes: tuple[str, ...] = ()
    scale: RatingScale = PERCENT
    """On which people answered."""
    who: str = ""
    """Who they are, in words."""
    unlinked: str = ""
    """Why results by annotators' own groups cannot be had; "" where they can, or no reason is known."""
    limits: str = ""
    """Where and how they were asked, which limits what their answers stand for."""
    source: str = ""
    licence: str = "not stated"
    sha256: str = ""


def us_stereotypes() -> People:
    """The judgments of 133 people in the United States on 26 groups and 16 pairs of traits.

    Means are computed from the single ratings. Two cannot be, and are taken from the published table.
    Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 4.

    Raises:
        Unavailable: The data are not here and cannot be fetched.
    """
    found = registry.locate(US)
    raw, table, persons = (found.files[file.path] for file in found.set.files)
    published = read_means(table)
    ratings = read_ratings(raw, pairs=published.pairs)
    return from_ratings(
        ratings.part(published.groups, published.pairs),
        name=US,
        published=published,
        known=OVERWRITTEN,
        who=f"{len(ratings.annotators)} people rated. The list of annotators has "
        f"{who_are(json.loads(persons.read_text('utf-8')))}",
        unlinked=UNLINKED,
        limits="young, online, in the United States, before 2022, on how America sees a group and not on "
        "how they see it themselves",
        source=f"Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92; {found.set.homepage}",
        licence=found.set.licence,
        sha256=found.sha256,
    )


def from_ratings(
    ratings: Ratings,
    *,
    name: str,
    published: People | None = None,
    known: Mapping[str, tuple[str, ...]] | None = None,
    **facts: Any,
) -> People:
    """Means of single ratings, and what is odd about these.

    Args:
        ratings: What single people said.
        name: Of the table.
        published: The means as published, for cells whose single ratings are spoilt.
        known: Which are known to be: by group, pairs of traits. Only those that `copies` finds to be
            copies are believed to be.
        facts: Further fields of `People`.
    """
    alike = copies(ratings)
    among = {(group, pair) for group, pairs in alike for pair in pairs}
    listed = [(group, pair) for group, pairs in (known or {}).items() for pair in pairs]
    spoilt = tuple(cell for cell in listed if cell in among)
    values, counts = means(ratings)
    notes = []
    for group, pairs in alike:
        if not any((group, pair) in spoilt for pair in pairs):
            notes.append(
                f"{group}: all ratings of {' and of '.join(pairs)} are identical, as if one had "
                "been written over the other."
            )
    if published is not None:
        for group, pair in spoilt:
            at = ratings.groups.index(group), ratings.pairs.index(pair)
            there = published.groups.index(group), published.pairs.index(pair)
            values[at] = published.values[there]
        notes.append(_compared(ratings, published, spoilt))
    return People(
        name,
        ratings.groups,
        ratings.pairs,
        values,
        counts,
        ratings.without(spoilt),
        spoilt,
        tuple(notes),
        **facts,
    )


def _compared(ratings: Ratings, published: People, spoilt: tuple[tuple[str, str], ...]) -> str:
    """How many means of the single ratings are the published ones."""
    rows = [published.groups.index(group) for group in ratings.groups]
    columns = [published.pairs.index(pair) for pair in ratings.pairs]
    table = published.values[np.ix_(rows, columns)]
    same = int(np.isclose(means(ratings)[0], table, rtol=0, atol=1e-6).sum())
    told = f"{same} of {table.size} means of the single ratings are the published ones."
    if not spoilt:
        return told
    cells = " and ".join(f"{group}, {pair}" for group, pair in spoilt)
    return (
        f"{told} The single ratings of {cells} are copies of another column: their means are taken from "
        "the published table, and where single people count (noise ceiling, pilot) they are left out."
    )


def read_means(path: Path, *, scale: RatingScale = PERCENT, encoding: str = "") -> People:
    """Means that were computed before: {group: {pair: mean}}.

    Raises:
        BadInput: The file is not of that kind.
        BadItems: Numbers that are none, or not on the scale.
    """
    found = json_of(path, encoding)
    if found is None or depth(found) != 2:  # noqa: PLR2004
        raise BadInput("is not {group: {pair: mean}}", "write it so", file=path.name)
    # A table of means is read as what one annotator said.
    ratings = ratings_in({"means": found}, path, scale)
    return People(
        path.stem,
        ratings.groups,
        ratings.pairs,
        means(ratings)[0],
        np.full(ratings.values.shape[1:], np.nan),
        scale=scale,
        source=path.name,
        sha256=sha256(path),
    )


def who_are(persons: Mapping[str, Mapping[str, str]]) -> str:
    """Annotators in a sentence: how many, of which gender, race and age.

    >>> who_are({"a": {"Gender": "Man", "Race": "Asian", "Age": "30"}})
    '1 person. Gender: Man 1. Race: Asian 1. Age: 30 to 30, median 30.'
    """
    if not persons:
        raise Unavailable("the file of annotators names no one")
    told = [f"{len(persons)} {'person' if len(persons) == 1 else 'people'}."]
    for name in ("Gender", "Race"):
        counts = Counter(one.get(name) or "not stated" for one in persons.values())
        named = {v: n for v, n in counts.most_common() if n >= NAMED or len(counts) < NAMED}
        if rest := len(persons) - sum(named.values()):
            named["other answers"] = rest
        told.append(f"{name}: " + ", ".join(f"{v} {n}" for v, n in named.items()) + ".")
    ages = [int(age) for one in persons.values() if (age := one.get("Age", "")).isdigit()]
    if ages:
        told.append(f"Age: {min(ages)} to {max(ages)}, median {np.median(ages):g}.")
    return " ".join(told)
